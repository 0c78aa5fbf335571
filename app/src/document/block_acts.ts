/** What is done with a whole block: the one that the handle at the left is of, or that the cursor is in. */

import type { Editor } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { Selection, TextSelection } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import type { Block } from "./blocks";
import { continued } from "./undo";
import { inOneUpdate } from "./yjs_internals";

/** What can become another block. */
const TURNED = ["paragraph", "heading", "codeBlock", "blockquote", "listItem", "taskItem"];
const ITEMS = ["listItem", "taskItem"];

export function mayTurn(block: Node | null): boolean {
  return block !== null && TURNED.includes(block.type.name);
}

/** Turns the block at a place into another kind. */
export function turnBlock(editor: Editor, at: number, { run }: Block) {
  const { doc } = editor.state;
  const node = doc.nodeAt(at);
  if (!node) return;
  const inside = TextSelection.between(doc.resolve(at + 1), doc.resolve(at + node.nodeSize - 1));
  run(editor.chain().setTextSelection(inside)).run();
  editor.commands.setTextSelection(editor.state.selection.to);
}

/** Writes the block once more behind itself. */
export function duplicateBlock({ state, view }: Editor, at: number) {
  const node = state.doc.nodeAt(at);
  if (!node) return;
  const behind = at + node.nodeSize;
  const tr = state.tr.insert(behind, node);
  view.dispatch(tr.setSelection(Selection.near(tr.doc.resolve(behind + 1))).scrollIntoView());
}

export function deleteBlock({ state, view }: Editor, at: number) {
  const node = state.doc.nodeAt(at);
  if (!node) return;
  const tr = state.tr.deleteRange(at, at + node.nodeSize);
  const place = tr.doc.resolve(Math.min(at, tr.doc.content.size));
  view.dispatch(tr.setSelection(Selection.near(place)).scrollIntoView());
}

/** Begins an empty block, or an item of the same list, behind a block that is not empty, and offers what it can become. */
export function addBlock({ state, view, schema }: Editor, at: number) {
  const node = state.doc.nodeAt(at);
  if (!node) return;
  const { tr } = state;
  const isEmpty = node.type.name === "paragraph" && node.content.size === 0;
  const place = isEmpty ? at : at + node.nodeSize;
  const added = ITEMS.includes(node.type.name) ? node.type.createAndFill() : schema.nodes.paragraph?.create();
  if (!isEmpty && added) tr.insert(place, added);
  tr.setSelection(Selection.near(tr.doc.resolve(place + 1))).insertText("/");
  view.dispatch(tr.scrollIntoView());
  view.focus();
}

/** Moves the block past the one before (-1) or behind (1) it. */
export function stepBlock({ state, view }: Editor, at: number, step: -1 | 1) {
  const $at = state.doc.resolve(at);
  const other = step < 0 ? $at.nodeBefore : $at.parent.maybeChild($at.index() + 1);
  const size = $at.nodeAfter?.nodeSize ?? 0;
  if (other) moveTo(view, at, step < 0 ? at - other.nodeSize : at + size + other.nodeSize);
}

/**
 * Moves the block at a place to another. It is written there before it is deleted here, so that what stands between keeps who
 * wrote it, and in one update, so that its own letters do, too. Returns whether it can stand there.
 */
export function moveTo(view: EditorView, at: number, to: number): boolean {
  const { doc, tr: insertion } = view.state;
  const node = doc.nodeAt(at);
  if (!node || (to >= at && to <= at + node.nodeSize)) return false;
  insertion.replaceRangeWith(to, to, node);
  if (!insertion.docChanged) return false;
  inOneUpdate(view.state, () => {
    view.dispatch(insertion);
    const old = insertion.mapping.map(at, -1);
    const deletion = continued(view.state.tr.deleteRange(old, old + node.nodeSize));
    const place = deletion.mapping.map(insertion.mapping.map(to, -1));
    view.dispatch(deletion.setSelection(Selection.near(deletion.doc.resolve(place + 1))).scrollIntoView());
  });
  return true;
}
