/** The layer of the editor that shows authors; it is empty until the blame of a document is turned on. */

import { Extension } from "@tiptap/core";
import { type EditorState, Plugin, PluginKey, type Transaction } from "@tiptap/pm/state";
import { DecorationSet, type EditorView } from "@tiptap/pm/view";

/** Draws over the text; nothing of it is in the document. */
export type Overlay = {
  /** Returns what is drawn after the transaction, of which `drawn` was there before it. */
  draw: (drawn: DecorationSet, state: EditorState) => DecorationSet;
  /** The editor shows another state than before. */
  updated: (view: EditorView, before: EditorState) => void;
  clicked: (place: number) => void;
};

type Layer = {
  readonly overlay: Overlay | null;
  readonly drawn: DecorationSet;
};

const KEY = new PluginKey<Layer>("blame");

export const OverlayPlugin = Extension.create({
  name: "blame",
  addProseMirrorPlugins: () => [layer()],
});

function layer(): Plugin<Layer> {
  return new Plugin<Layer>({
    key: KEY,
    state: {
      init: () => ({ overlay: null, drawn: DecorationSet.empty }),
      apply(transaction, before, _, state) {
        const meta: Overlay | null | undefined = transaction.getMeta(KEY);
        const overlay = meta === undefined ? before.overlay : meta;
        if (!overlay) return before.overlay ? { overlay, drawn: DecorationSet.empty } : before;
        if (meta === undefined && !transaction.docChanged) return before;
        return { overlay, drawn: overlay.draw(before.drawn.map(transaction.mapping, transaction.doc), state) };
      },
    },
    props: {
      decorations: (state) => KEY.getState(state)?.drawn,
      handleClick(view, place) {
        KEY.getState(view.state)?.overlay?.clicked(place);
        return false;
      },
    },
    view: () => ({ update: (view, before) => KEY.getState(view.state)?.overlay?.updated(view, before) }),
  });
}

/** Returns what is drawn over the text; null while nothing is. */
export function drawnIn(state: EditorState): DecorationSet | null {
  const layer = KEY.getState(state);
  return layer?.overlay ? layer.drawn : null;
}

/** Returns the transaction that draws the overlay anew, or takes what is drawn away. */
export function drawing({ tr }: EditorState, overlay: Overlay | null): Transaction {
  return tr.setMeta(KEY, overlay).setMeta("addToHistory", false);
}
