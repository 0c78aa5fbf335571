/** How much of the window the on-screen keyboard covers, and the tools above it. */

const HEIGHT = "--keyboard";
const TOOLS_HEIGHT = "--tools-below";

/**
 * Writes the height of what covers the lower edge of the window into the style of the page, until the returned function is
 * called; nothing where nothing is covered. Where the browser makes the window smaller itself, nothing is.
 */
export function followKeyboard(): () => void {
  const seen = window.visualViewport;
  if (!seen) return () => undefined;
  const { style } = document.documentElement;
  const measure = () => {
    // fingers zoom and move what is seen, too
    const moved = seen.scale === 1 ? seen.offsetTop : 0;
    const covered = Math.round(innerHeight - seen.height * seen.scale - moved);
    // to set what every element inherits has the style of all of them computed again
    if (covered > 0) style.setProperty(HEIGHT, `${covered}px`);
    else style.removeProperty(HEIGHT);
  };
  measure();
  for (const event of EVENTS) seen.addEventListener(event, measure);
  return () => {
    for (const event of EVENTS) seen.removeEventListener(event, measure);
    style.removeProperty(HEIGHT);
  };
}

/** Returns where what covers the lower edge of the window begins, in pixels from the upper one. */
export function lowerEdge(): number {
  const { style } = document.documentElement;
  const covered = [HEIGHT, TOOLS_HEIGHT].map((name) => Number.parseFloat(style.getPropertyValue(name)) || 0);
  return innerHeight - covered.reduce((sum, each) => sum + each, 0);
}

const EVENTS = ["resize", "scroll"] as const;

/** Writes the height of the tools at the lower edge of the window into the style of the page, until the returned function is called. */
export function followTools(tools: HTMLElement): () => void {
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => style.setProperty(TOOLS_HEIGHT, `${tools.offsetHeight}px`));
  observer.observe(tools);
  return () => {
    observer.disconnect();
    style.removeProperty(TOOLS_HEIGHT);
  };
}
