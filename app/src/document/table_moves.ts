/** Moves the rows and the columns of a table, and says which can be moved or deleted. */

import type { Editor } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { type EditorState, NodeSelection, type Selection, TextSelection } from "@tiptap/pm/state";
import { CellSelection, cellAround, isInTable, selectedRect, TableMap } from "@tiptap/pm/tables";
import { continued } from "./undo";
import { inOneUpdate } from "./yjs_internals";

export type Line = "row" | "column";

/** The selected rows or columns of a table: from one until before another, of so many. */
type Lines = { map: TableMap; table: Node; tableStart: number; from: number; to: number; size: number };

function linesAt(state: EditorState, line: Line): Lines {
  const { map, table, tableStart, top, bottom, left, right } = selectedRect(state);
  const lines =
    line === "row" ? { from: top, to: bottom, size: map.height } : { from: left, to: right, size: map.width };
  return { map, table, tableStart, ...lines };
}

/**
 * Whether the selected rows or columns can be moved past the one before (-1) or behind (1) them: there is one, no cell reaches over
 * an edge of what changes its place, and headers stay where they are.
 */
export function mayMoveLines(state: EditorState, line: Line, step: -1 | 1): boolean {
  if (!isInTable(state)) return false;
  const { map, table, from, to, size } = linesAt(state, line);
  const other = step < 0 ? from - 1 : to;
  if (other < 0 || other >= size) return false;
  const cells = (index: number) =>
    line === "row"
      ? map.map.slice(index * map.width, (index + 1) * map.width)
      : map.map.filter((_, place) => place % map.width === index);
  const types = (index: number) => cells(index).map((at) => table.nodeAt(at)?.type.name);
  const isWhole = (edge: number) => {
    const before = cells(edge - 1);
    return !cells(edge).some((at, place) => at === before[place]);
  };
  const edges = [Math.min(from, other), step < 0 ? from : to, Math.max(to, other + 1)];
  const kept = String(types(other));
  return (
    edges.every(isWhole) &&
    Array.from({ length: to - from }, (_, index) => types(from + index)).every((each) => String(each) === kept)
  );
}

/** Whether the selected rows or columns can be deleted: others are left. */
export function mayDeleteLines(state: EditorState, line: Line): boolean {
  if (!isInTable(state)) return false;
  const { from, to, size } = linesAt(state, line);
  return to - from < size;
}

/**
 * Moves the selected rows or columns past the one before (-1) or behind (1) them. They are written in their new place before they
 * are deleted in the old one, so that the others stay as they are, and both in one update, so that the letters keep their authors.
 */
export function moveLines({ state, view }: Editor, line: Line, step: -1 | 1) {
  const { map, table, tableStart, from, to } = linesAt(state, line);
  const { tr: written } = state;
  for (const { start, end, at } of piecesOf(table, line, from, to, step < 0 ? from - 1 : to + 1))
    written.insert(tableStart + at, state.doc.slice(tableStart + start, tableStart + end).content);
  inOneUpdate(state, () => {
    view.dispatch(written);
    const { tr } = view.state;
    const old = step < 0 ? to : from;
    for (const { start, end } of piecesOf(tableIn(tr.doc, tableStart), line, old, old + to - from))
      tr.delete(tableStart + start, tableStart + end);
    view.dispatch(continued(tr));
  });
  const { tr } = view.state;
  const after = TableMap.get(tableIn(tr.doc, tableStart));
  const moved = (cell: number) => {
    const { left, top } = map.findCell(cell - tableStart);
    const place = line === "row" ? (top + step) * after.width + left : top * after.width + left + step;
    return tableStart + (after.map[place] ?? 0);
  };
  view.dispatch(tr.setSelection(movedSelection(state.selection, tr.doc, moved)).scrollIntoView());
}

/** Where rows or columns are written: where they begin and end, and where another row or column begins; the last one first. */
function piecesOf(table: Node, line: Line, from: number, to: number, other = from) {
  const map = TableMap.get(table);
  const piece = (begin: (index: number) => number) => ({ start: begin(from), end: begin(to), at: begin(other) });
  const beginOf = (row: number) => table.children.slice(0, row).reduce((size, each) => size + each.nodeSize, 0);
  if (line === "row") return [piece(beginOf)];
  return Array.from({ length: map.height }, (_, above) => map.height - 1 - above).map((row) =>
    piece((column) => map.positionAt(row, column, table)),
  );
}

function tableIn(doc: Node, tableStart: number): Node {
  return doc.resolve(tableStart).parent;
}

/** The selection in the same cells at their new places, which `moved` gives. */
function movedSelection(selection: Selection, doc: Node, moved: (cell: number) => number): Selection {
  if (selection instanceof CellSelection)
    return CellSelection.create(doc, moved(selection.$anchorCell.pos), moved(selection.$headCell.pos));
  const { anchor, head, $head } = selection;
  const cell = cellAround($head)?.pos ?? 0;
  const shift = moved(cell) - cell;
  if (selection instanceof NodeSelection) return NodeSelection.create(doc, anchor + shift);
  return TextSelection.create(doc, anchor + shift, head + shift);
}
