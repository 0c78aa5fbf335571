import { type MouseEvent, type PointerEvent, useEffect, useRef } from "react";

/** Milliseconds that a finger rests, and pixels by which it may move meanwhile. */
const PRESSED_MS = 500;
const SHAKEN = 10;

/**
 * Opens a menu where the browser asks for one, and where a finger rests for which it does not, as on an iPhone: once for a touch.
 * `open` gets what is pressed and where in the window, and returns whether that has a menu.
 */
export function useMenuPress(open: (target: Element, at: DOMRect) => boolean) {
  const resting = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number }>(undefined);

  function leave() {
    clearTimeout(resting.current?.timer);
    resting.current = undefined;
  }

  useEffect(() => () => clearTimeout(resting.current?.timer), []);

  return {
    onContextMenu(event: MouseEvent) {
      const isOfTouch = resting.current !== undefined;
      leave();
      if (!open(event.target as Element, placeOf(event))) return;
      event.preventDefault();
      if (isOfTouch) endTouch();
    },
    onPointerDown(event: PointerEvent) {
      leave();
      if (event.pointerType !== "touch" || !event.isPrimary) return;
      const { target, clientX: x, clientY: y } = event;
      const at = placeOf(event);
      const timer = setTimeout(() => {
        leave();
        if (open(target as Element, at)) endTouch();
      }, PRESSED_MS);
      resting.current = { timer, x, y };
    },
    onPointerMove({ clientX, clientY }: PointerEvent) {
      if (!resting.current) return;
      const { x, y } = resting.current;
      if (Math.hypot(clientX - x, clientY - y) > SHAKEN) leave();
    },
    onPointerUp: leave,
    onPointerCancel: leave, // the finger scrolls
  };
}

function placeOf({ clientX, clientY }: MouseEvent): DOMRect {
  return new DOMRect(clientX, clientY, 0, 0);
}

/** Has nothing else come of the touch that is under way: no other menu, and no click, which would close this one. */
function endTouch() {
  const over = new AbortController();
  const { signal } = over;
  function keep(event: Event) {
    event.preventDefault();
    event.stopPropagation();
  }
  for (const kind of ["contextmenu", "touchend", "click"])
    addEventListener(kind, keep, { capture: true, once: true, passive: false, signal });
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => over.abort(), { capture: true, signal });
}
