/** The keys that delete at the edge of a block, and letters that are typed while a whole block is selected. */

import { type Editor, Extension } from "@tiptap/core";
import { Slice } from "@tiptap/pm/model";
import { NodeSelection, Plugin, Selection, TextSelection } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { openDetails } from "./details";

/** What is never selected as a whole by a key that deletes letters: the caret goes into it. */
const ENTERED = ["table", "details"];

export const Edges = Extension.create({
  name: "edges",
  priority: 200, // before the blocks' own keys
  addKeyboardShortcuts: () => ({
    Backspace: ({ editor }) => enter(editor, -1) || joinQuote(editor),
    Delete: ({ editor }) => enter(editor, 1),
  }),
  addProseMirrorPlugins: () => [new Plugin({ props: { handleTextInput: typeBehind } })],
});

/** Puts the caret of a block's edge into the table or the details on the other side of it; the block goes if it is empty. */
function enter(editor: Editor, step: -1 | 1): boolean {
  const { state, view } = editor;
  const { $from, empty } = state.selection;
  const { parent, parentOffset, depth } = $from;
  if (!empty || !depth || !parent.isTextblock || parentOffset !== (step < 0 ? 0 : parent.content.size)) return false;
  const edge = step < 0 ? $from.before() : $from.after();
  const $edge = state.doc.resolve(edge);
  const beside = step < 0 ? $edge.nodeBefore : $edge.nodeAfter;
  if (!beside || !ENTERED.includes(beside.type.name)) return false;
  const { tr } = state;
  const isLeft = !parent.content.size && step < 0 && $from.node(-1).canReplace($from.index(-1), $from.index(-1) + 1);
  if (isLeft) tr.delete($from.before(), $from.after());
  view.dispatch(tr.setSelection(Selection.near(tr.doc.resolve(edge), step)).scrollIntoView());
  if (step < 0) openDetails(editor); // from behind, the caret comes below the summary
  return true;
}

/** Leaves the caret between the words, which the quote's own key puts behind them, where it joins a paragraph to a quote. */
function joinQuote({ state, view }: Editor): boolean {
  const { $from, empty } = state.selection;
  if (!empty || $from.parentOffset !== 0 || !$from.depth) return false;
  const quote = state.doc.resolve($from.before()).nodeBefore;
  if (quote?.type.name !== "blockquote" || !quote.lastChild?.isTextblock) return false;
  const end = $from.before() - 2; // out of the quote and of its last block
  const { tr } = state;
  tr.replace(end, $from.after(), new Slice($from.parent.content, 0, 0));
  view.dispatch(tr.setSelection(TextSelection.create(tr.doc, end)).scrollIntoView());
  return true;
}

/** Writes a letter into a paragraph behind a selected block, which it would replace. */
function typeBehind({ state, dispatch }: EditorView, _from: number, _to: number, text: string): boolean {
  const { selection, schema, tr } = state;
  const { paragraph } = schema.nodes;
  if (!(selection instanceof NodeSelection) || !selection.node.isBlock || !paragraph) return false;
  const { $to, to } = selection;
  if (!$to.parent.canReplaceWith($to.index(), $to.index(), paragraph)) return false;
  tr.insert(to, paragraph.create(null, schema.text(text)));
  dispatch(tr.setSelection(TextSelection.create(tr.doc, to + 1 + text.length)).scrollIntoView());
  return true;
}
