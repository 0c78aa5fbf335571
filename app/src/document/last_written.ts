/** The block in which somebody wrote last, and the place behind it, also when others have deleted it. */

import { type Editor, Extension } from "@tiptap/core";
import { Plugin, PluginKey } from "@tiptap/pm/state";
import { ySyncPluginKey } from "y-prosemirror";
import * as Y from "yjs";
import { itemOf } from "./yjs_internals";

type Last = { item: Y.Item | null };

const LAST = new PluginKey<Last>("lastWritten");

/** Comes behind the binding: a block that is new is in the fragment by then. */
export function lastWritten(fragment: Y.XmlFragment): Extension {
  return Extension.create({
    name: "lastWritten",
    addProseMirrorPlugins: () => [
      new Plugin<Last>({
        key: LAST,
        state: { init: () => ({ item: null }), apply: (_, last) => last },
        view: () => ({
          update: ({ state }, before) => {
            const last = LAST.getState(state);
            if (!last || state.doc === before.doc || ySyncPluginKey.getState(state).isChangeOrigin) return;
            const block: unknown = fragment.get(state.selection.$head.index(0));
            if (block instanceof Y.XmlElement) last.item = itemOf(block);
          },
        }),
      }),
    ],
  });
}

/** Returns the place behind the block in which somebody wrote last, or behind what stands before it; the end where that is unknown. */
export function placeBehindLast({ state }: Editor, fragment: Y.XmlFragment): number {
  let item = LAST.getState(state)?.item ?? null;
  if (!item) return state.doc.content.size;
  while (item?.deleted) item = item.left;
  const found = (fragment.toArray() as unknown[])
    .filter((each) => each instanceof Y.XmlElement)
    .findIndex((each) => itemOf(each) === item);
  return state.doc.children.slice(0, found + 1).reduce((size, child) => size + child.nodeSize, 0);
}
