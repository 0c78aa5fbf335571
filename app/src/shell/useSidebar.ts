import { useState } from "react";
import { useMedia } from "../ui/media";

const SETTING = "sidebar";
const FOLDED = "folded";
const WIDTH = "sidebarWidth";

/** Pixels of the sidebar. */
export const LEAST_WIDTH = 200;
const USUAL_WIDTH = 256;
const MOST_WIDTH = 400;
/** Pixels of the screen beside a sidebar that is wider than usual. */
const LEAST_BESIDE = 768;

/** Returns the most pixels that the sidebar may have in this window. */
export function mostWidth(): number {
  return Math.min(MOST_WIDTH, Math.max(USUAL_WIDTH, innerWidth - LEAST_BESIDE));
}

/**
 * Returns whether the sidebar is a drawer: in a narrow window always, in another where the reader folded it away in this browser;
 * and how wide it is where it is none, as the reader of this browser made it.
 */
export function useSidebar() {
  const isNarrow = useMedia("(max-width: 56.24rem)");
  const [isFolded, setFolded] = useState(() => localStorage.getItem(SETTING) === FOLDED);
  const [width, setWidth] = useState(() => possible(Number(localStorage.getItem(WIDTH)) || USUAL_WIDTH));
  function fold(isFolded: boolean) {
    if (isFolded) localStorage.setItem(SETTING, FOLDED);
    else localStorage.removeItem(SETTING);
    setFolded(isFolded);
  }
  function widen(wanted: number, isDone: boolean) {
    const width = possible(wanted);
    if (isDone) localStorage.setItem(WIDTH, String(width));
    setWidth(width);
  }
  return { isNarrow, isFolded, isDrawer: isNarrow || isFolded, fold, width, widen };
}

function possible(width: number): number {
  return Math.round(Math.min(Math.max(width, LEAST_WIDTH), mostWidth()));
}
