/** Tells in which block somebody composes with an input method. */

import { Extension } from "@tiptap/core";
import { Plugin } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import * as Y from "yjs";

const SETTLED = 50; // milliseconds in which ProseMirror reads what was composed

/** Calls with the block of the fragment in which a composition begins, and with null when it is over. */
export function composition(fragment: Y.XmlFragment, composing: (block: Y.XmlElement | null) => void): Extension {
  return Extension.create({
    name: "composition",
    addProseMirrorPlugins: () => {
      let over: ReturnType<typeof setTimeout> | undefined;
      const stop = () => composing(null);
      return [
        new Plugin({
          props: {
            handleDOMEvents: {
              compositionstart: (view) => {
                clearTimeout(over);
                composing(blockIn(view, fragment));
              },
              compositionend: () => {
                clearTimeout(over);
                over = setTimeout(stop, SETTLED);
              },
            },
          },
          view: () => ({
            destroy: () => {
              clearTimeout(over);
              stop();
            },
          }),
        }),
      ];
    },
  });
}

/** Returns the element that holds the text with the caret; null where the caret is in none. */
function blockIn({ state }: EditorView, fragment: Y.XmlFragment): Y.XmlElement | null {
  const { $head } = state.selection;
  let found: Y.XmlFragment | undefined = fragment;
  for (let depth = 0; depth < $head.depth && found; depth += 1) {
    const children: Y.XmlElement[] = (found.toArray() as unknown[]).filter((each) => each instanceof Y.XmlElement);
    found = children[$head.index(depth)];
  }
  return found instanceof Y.XmlElement ? found : null;
}
