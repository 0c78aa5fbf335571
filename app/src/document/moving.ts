/** The keys that move the block with the cursor past its neighbour. */

import { type Editor, Extension } from "@tiptap/core";
import type { Node, ResolvedPos } from "@tiptap/pm/model";
import { NodeSelection, TextSelection } from "@tiptap/pm/state";
import { continued } from "./undo";
import { inOneUpdate } from "./yjs_internals";

/** The nodes whose children are moved: of a list its items; a table is moved whole. */
const HOLDERS = ["doc", "blockquote", "detailsContent", "bulletList", "orderedList", "taskList"];

export const MoveBlock = Extension.create({
  name: "moveBlock",
  addKeyboardShortcuts: () => ({
    "Alt-ArrowUp": ({ editor }) => moveBlock(editor, -1),
    "Alt-ArrowDown": ({ editor }) => moveBlock(editor, 1),
  }),
});

/**
 * Moves the block of the selection past the one before (-1) or behind (1) it. It is written in its new place before it is
 * deleted in the old one: the other block stays as it is, with who wrote it. Both are one update, so that its letters keep their
 * authors.
 */
export function moveBlock({ state, view }: Editor, step: -1 | 1): true {
  const { selection } = state;
  const { $from, $to, anchor, head } = selection;
  const depth = depthOf($from);
  const index = $from.index(depth);
  const block = $from.node(depth).maybeChild(index);
  const other = $from.node(depth).maybeChild(index + step);
  if (!view.editable || !block || !other || $to.pos > $from.posAtIndex(index + 1, depth)) return true;
  const at = $from.posAtIndex(index, depth);
  const shift = step * other.nodeSize;
  inOneUpdate(state, () => {
    view.dispatch(state.tr.insert(step < 0 ? at + shift : at + block.nodeSize + shift, block));
    const { tr } = view.state;
    const old = step < 0 ? at + block.nodeSize : at;
    tr.delete(old, old + block.nodeSize);
    if (selection instanceof NodeSelection) tr.setSelection(NodeSelection.create(tr.doc, anchor + shift));
    else tr.setSelection(TextSelection.create(tr.doc, anchor + shift, head + shift));
    view.dispatch(continued(tr).scrollIntoView());
  });
  return true;
}

/** Returns the block at a place that is moved as a whole; null where there is none. */
export function blockOf($at: ResolvedPos): { at: number; node: Node } | null {
  const depth = depthOf($at);
  const index = $at.index(depth);
  const node = $at.node(depth).maybeChild(index);
  return node && { at: $at.posAtIndex(index, depth), node };
}

/** Returns the depth of the node that holds the block to move. */
function depthOf($from: ResolvedPos): number {
  let depth = 0;
  for (let each = 0; each <= $from.depth; each++) {
    const { name } = $from.node(each).type;
    if (name === "table") break;
    if (HOLDERS.includes(name)) depth = each;
  }
  return depth;
}
