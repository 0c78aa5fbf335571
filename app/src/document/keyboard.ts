/** How much of the window the on-screen keyboard covers. */

const HEIGHT = "--keyboard";

/**
 * Writes the height of what covers the lower edge of the window into the style of the page, until the returned function is
 * called. Where the browser makes the window smaller itself, nothing is covered.
 */
export function followKeyboard(): () => void {
  const seen = window.visualViewport;
  if (!seen) return () => undefined;
  const { style } = document.documentElement;
  const measure = () => {
    // fingers zoom and move what is seen, too
    const moved = seen.scale === 1 ? seen.offsetTop : 0;
    style.setProperty(HEIGHT, `${Math.max(0, Math.round(innerHeight - seen.height * seen.scale - moved))}px`);
  };
  measure();
  for (const event of EVENTS) seen.addEventListener(event, measure);
  return () => {
    for (const event of EVENTS) seen.removeEventListener(event, measure);
    style.removeProperty(HEIGHT);
  };
}

const EVENTS = ["resize", "scroll"] as const;
