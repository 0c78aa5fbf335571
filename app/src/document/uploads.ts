/** Puts images into the document that are pasted, dropped or chosen; a note stands in their place while they are sent. */

import { type Editor, Extension } from "@tiptap/core";
import { type EditorState, Plugin, PluginKey, type Transaction } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import { absolutePositionToRelativePosition, relativePositionToAbsolutePosition, ySyncPluginKey } from "y-prosemirror";
import type * as Y from "yjs";
import { t } from "../messages/messages";
import { bindingOf } from "./yjs_internals";

declare module "@tiptap/core" {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface is merged with the library's
  interface Commands<ReturnType> {
    imageUploads: {
      /** Let the person choose images, to be put where the selection is. */
      chooseImages: () => ReturnType;
    };
  }
}

/** How the server keeps an image; `send` throws an Error whose message is a sentence. */
export type Sending = {
  send: (file: File) => Promise<{ url: string }>;
  warn: (sentence: string) => void;
};

type Image = {
  src: string;
  alt: string | null;
};

type Change = { add: { files: readonly File[]; at: number } } | { remove: readonly File[] };

const TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"];
/** Names that programs give to what they copy; others are taken for descriptions. */
const NAMELESS = /^(image|img|screenshot|unnamed|untitled|\W|\d)*$/i;
const KEY = new PluginKey<DecorationSet>("imageUploads");

export function imageUploads({ send, warn }: Sending): Extension {
  return Extension.create({
    name: "imageUploads",
    addCommands() {
      return {
        chooseImages:
          () =>
          ({ editor, dispatch }) => {
            if (dispatch) choose((files) => put(editor, files, editor.state.selection.from));
            return true;
          },
      };
    },
    addProseMirrorPlugins() {
      const { editor } = this;
      return [
        new Plugin<DecorationSet>({
          key: KEY,
          state: { init: () => DecorationSet.empty, apply: noted },
          props: {
            decorations: (state) => KEY.getState(state),
            handlePaste: (view, { clipboardData }) => {
              // what a text processor copies has a picture of the text beside the text
              if (!clipboardData || clipboardData.types.includes("text/plain")) return false;
              return put(editor, [...clipboardData.files], view.state.selection.from);
            },
            handleDrop: (view, { dataTransfer, clientX, clientY }, _slice, isMoved) => {
              if (isMoved || !dataTransfer) return false;
              const place = view.posAtCoords({ left: clientX, top: clientY });
              return place !== null && put(editor, [...dataTransfer.files], place.pos);
            },
          },
        }),
      ];
    },
  });

  /** Send the images and put them where the place is then; returns whether there was any file. */
  function put(editor: Editor, files: readonly File[], at: number): boolean {
    if (files.length === 0) return false;
    const { view } = editor;
    view.dispatch(view.state.tr.setMeta(KEY, { add: { files, at } } satisfies Change));
    void (async () => {
      const images: Image[] = [];
      for (const file of files) {
        const sent = await send(file).catch((fault: Error) => warn(fault.message));
        if (sent) images.push({ src: sent.url, alt: altOf(file) });
      }
      if (editor.isDestroyed) return warn(t.document.imageLeft);
      const { state } = editor.view;
      const [note] = find(state, files);
      const tr = state.tr.setMeta(KEY, { remove: files } satisfies Change);
      if (note && editor.isEditable) insert(tr, note.from, images);
      editor.view.dispatch(tr);
    })();
    return true;
  }
}

function choose(chosen: (files: readonly File[]) => void) {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = TYPES.join();
  input.multiple = true;
  input.addEventListener("change", () => chosen([...(input.files ?? [])]));
  input.click();
}

/** A description to begin with: the name of the file, if somebody gave it one. */
function altOf(file: File): string | null {
  const name = file.name.replace(/\.\w+$/, "");
  return NAMELESS.test(name) ? null : name;
}

/** Put images before an empty block of text or one that the place begins, else behind it. */
function insert(tr: Transaction, at: number, images: readonly Image[]) {
  const type = tr.doc.type.schema.nodes.image;
  const place = tr.doc.resolve(Math.min(at, tr.doc.content.size));
  if (!type || images.length === 0) return;
  const isBefore = place.parent.isTextblock && place.parentOffset === 0;
  for (let depth = place.depth; depth >= 0; depth--) {
    const parent = place.node(depth);
    const index = depth === place.depth ? place.index(depth) : place.index(depth) + (isBefore ? 0 : 1);
    if (!parent.canReplaceWith(index, index, type)) continue;
    const position = depth === place.depth ? place.pos : isBefore ? place.before(depth + 1) : place.after(depth + 1);
    tr.insert(
      position,
      images.map((attrs) => type.create(attrs)),
    );
    return;
  }
}

/** The notes after a transaction. What others write replaces the whole document for ProseMirror: their places are Yjs's. */
function noted(transaction: Transaction, before: DecorationSet, _old: EditorState, state: EditorState): DecorationSet {
  const change: Change | undefined = transaction.getMeta(KEY);
  const isReceived = transaction.getMeta(ySyncPluginKey)?.isChangeOrigin;
  let notes = isReceived ? replaced(before, state) : before.map(transaction.mapping, transaction.doc);
  if (change && "remove" in change) notes = notes.remove(notes.find(undefined, undefined, isOf(change.remove)));
  if (change && "add" in change) {
    const { files, at } = change.add;
    const { type, mapping } = bindingOf(state);
    const place = absolutePositionToRelativePosition(at, type, mapping);
    notes = notes.add(transaction.doc, [noteAt(at, files, place)]);
  }
  return notes;
}

function replaced(before: DecorationSet, state: EditorState): DecorationSet {
  const notes = before.find();
  if (notes.length === 0) return before;
  const { doc, type, mapping } = bindingOf(state);
  const moved = notes.map(({ spec, from }) => {
    const found = relativePositionToAbsolutePosition(doc, type, spec.place, mapping) ?? from;
    return noteAt(Math.min(found, state.doc.content.size), spec.files, spec.place);
  });
  return DecorationSet.create(state.doc, moved);
}

function noteAt(at: number, files: readonly File[], place: Y.RelativePosition): Decoration {
  return Decoration.widget(at, drawNote(files), { files, place, side: -1, ignoreSelection: true });
}

function drawNote(files: readonly File[]) {
  return () => {
    const note = document.createElement("span");
    note.className = "uploading";
    note.role = "status";
    note.textContent = t.document.sendingImages(files.length);
    return note;
  };
}

function find(state: EditorState, files: readonly File[]): Decoration[] {
  return KEY.getState(state)?.find(undefined, undefined, isOf(files)) ?? [];
}

function isOf(files: readonly File[]) {
  return (spec: { files?: readonly File[] }) => spec.files === files;
}
