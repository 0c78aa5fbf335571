import { useState } from "react";
import { useMedia } from "../ui/media";

const SETTING = "sidebar";
const FOLDED = "folded";

/** Returns whether the sidebar is a drawer: in a narrow window always, in another where the reader folded it away in this browser. */
export function useSidebar() {
  const isNarrow = useMedia("(max-width: 63.99rem)");
  const [isFolded, setFolded] = useState(() => localStorage.getItem(SETTING) === FOLDED);
  function fold(isFolded: boolean) {
    if (isFolded) localStorage.setItem(SETTING, FOLDED);
    else localStorage.removeItem(SETTING);
    setFolded(isFolded);
  }
  return { isNarrow, isFolded, isDrawer: isNarrow || isFolded, fold };
}
