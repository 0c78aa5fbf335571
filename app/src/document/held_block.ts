/** The block that is dragged by its handle, or whose menu is open: it is marked, and stays the same where others write. */

import { type Editor, Extension } from "@tiptap/core";
import { type EditorState, Plugin, PluginKey } from "@tiptap/pm/state";
import { Decoration, DecorationSet, type EditorView } from "@tiptap/pm/view";
import { mappingOf } from "./changed";
import { blockOf } from "./moving";

export type Held = { readonly at: number; readonly isDragged: boolean };

const HELD = new PluginKey<Held | null>("heldBlock");

export const HeldBlock = Extension.create({
  name: "heldBlock",
  addKeyboardShortcuts: () => ({ "Mod-Shift-Enter": ({ editor }) => openMenu(editor) }),
  addProseMirrorPlugins: () => [
    new Plugin<Held | null>({
      key: HELD,
      state: {
        init: () => null,
        apply: (transaction, held) => {
          const next: Held | null | undefined = transaction.getMeta(HELD);
          if (next !== undefined) return next;
          const { pos, deletedAfter } = mappingOf(transaction).mapResult(held?.at ?? 0);
          return held && !deletedAfter ? { ...held, at: pos } : null;
        },
      },
      props: {
        decorations: (state) => {
          const held = HELD.getState(state);
          const node = held && state.doc.nodeAt(held.at);
          if (!node) return null;
          return DecorationSet.create(state.doc, [
            Decoration.node(held.at, held.at + node.nodeSize, { class: "held" }),
          ]);
        },
      },
    }),
  ],
});

/** Marks a block, or none. */
export function hold({ state, dispatch }: EditorView, held: Held | null) {
  dispatch(state.tr.setMeta(HELD, held));
}

export function heldIn(state: EditorState): Held | null {
  return HELD.getState(state) ?? null;
}

/** Opens the menu of the block that the cursor is in. */
export function openMenu({ state, view, isEditable }: Editor): boolean {
  const at = blockOf(state.selection.$from)?.at;
  if (at === undefined || !isEditable) return false;
  hold(view, { at, isDragged: false });
  return true;
}
