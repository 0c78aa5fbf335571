/** How the keys of the editor are written for people. */

import { isMacOS } from "@tiptap/core";
import { t } from "../messages/messages";

const APPLE: Readonly<Record<string, string>> = { Mod: "⌘", Alt: "⌥", Shift: "⇧", Enter: "↵" };

/** Returns the keys of a keymap, such as `Mod-Alt-1`, as the reader's keyboard has them. */
export function shownKeys(keys: string): string {
  const names = isMacOS() ? APPLE : t.document.keyNames;
  const parts = keys.split("-").map((each) => names[each] ?? (each.length === 1 ? each.toUpperCase() : each));
  return parts.join(isMacOS() ? "" : "+");
}
