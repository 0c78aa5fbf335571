/** Tables: one that is wider than the page is scrolled by itself, and columns have widths and alignments. */

import { type ChainedCommands, Extension } from "@tiptap/core";
import { Table, TableView } from "@tiptap/extension-table";
import type { Node } from "@tiptap/pm/model";
import { type EditorState, Plugin, type Transaction } from "@tiptap/pm/state";
import { columnResizing, isInTable, selectedRect, type TableRect } from "@tiptap/pm/tables";
import type { EditorView } from "@tiptap/pm/view";
import { mappingOf } from "./changed";

/** Pixels of the narrowest column, and by which a key changes one. */
const LEAST = 64;
const STEP = 32;

class ScrolledTableView extends TableView {
  constructor(node: Node, cellMinWidth: number, view: EditorView, attributes?: Record<string, unknown>) {
    super(node, cellMinWidth, view, attributes);
    makeReachable(this.dom, view.editable);
  }
}

/** Where the text can be written, the cursor scrolls the table; a place for Tab would take the keyboard from the text at a click. */
function makeReachable(region: HTMLElement, isEditable: boolean) {
  region.contentEditable = isEditable ? "true" : "inherit";
  if (isEditable) region.removeAttribute("tabindex");
  else region.tabIndex = 0;
}

export const ScrolledTable = Table.extend({
  addProseMirrorPlugins() {
    return [...(this.parent?.() ?? []), new Plugin({ view: followEditable })];
  },
}).configure({ View: ScrolledTableView, cellMinWidth: LEAST });

function followEditable({ editable: before }: EditorView) {
  let wasEditable = before;
  return {
    update({ editable, dom }: EditorView) {
      if (editable === wasEditable) return;
      wasEditable = editable;
      for (const region of dom.querySelectorAll<HTMLElement>(".tableWrapper")) makeReachable(region, editable);
    },
  };
}

/** The pointer drags the edges of columns. It comes before what selects cells. */
export const ColumnWidths = Extension.create({
  name: "columnWidths",
  priority: 200,
  addProseMirrorPlugins: () => [
    followingOthers(columnResizing({ cellMinWidth: LEAST, defaultCellMinWidth: LEAST, View: null })),
  ],
});

/** Has the edge that is dragged be the same where others write, and be let go where they delete it. */
function followingOthers(resizing: Plugin): Plugin {
  const { state } = resizing.spec;
  const apply = state?.apply;
  if (!state || !apply) throw new Error("the widths of columns have no state");
  state.apply = (transaction, before, ...rest) => {
    const mapped = Object.create(transaction, { mapping: { value: mappingOf(transaction) } });
    const next = apply.call(resizing, mapped, before, ...rest);
    return next.activeHandle < 0 && next.dragging ? Object.assign(next, { dragging: false }) : next;
  };
  return resizing;
}

type Change = (tr: Transaction, rect: TableRect, view: EditorView) => void;

/** Changes the columns of the selected cells. */
const columns = (change: Change) => (chain: ChainedCommands) =>
  chain.command(({ state, tr, view, dispatch }) => {
    if (!isInTable(state)) return false;
    if (dispatch) change(tr, selectedRect(state as EditorState), view);
    return true;
  });

/** Aligns all cells of the columns, as Markdown does, and what is in them with them. */
export const alignColumns = (align: string | null) =>
  columns((tr, { map, table, tableStart, left, right }) => {
    for (const at of map.cellsInRect({ left, right, top: 0, bottom: map.height })) {
      tr.setNodeAttribute(tableStart + at, "align", align);
      table.nodeAt(at)?.descendants((node, offset) => {
        if (node.attrs.textAlign) tr.setNodeAttribute(tableStart + at + 1 + offset, "textAlign", null);
      });
    }
  });

/** Makes the columns wider or narrower. */
export const widenColumns = (direction: -1 | 1) =>
  columns((tr, rect, view) => {
    const { map, tableStart, left, right } = rect;
    setWidths(tr, rect, (column, width) => {
      if (column < left || column >= right) return width;
      const cell = view.nodeDOM(tableStart + (map.map[column] ?? 0));
      const shown = cell instanceof HTMLElement ? Math.round(cell.offsetWidth) : LEAST;
      return Math.max(LEAST, (width || shown) + direction * STEP);
    });
  });

/** Has all columns be as wide as what is in them. */
export const freeColumns = columns((tr, rect) => setWidths(tr, rect, () => 0));

/** Sets the width of each column of a table, 0 for none; a cell over several columns has a width for each. */
function setWidths(
  tr: Transaction,
  { map, table, tableStart }: TableRect,
  widthOf: (column: number, width: number) => number,
) {
  for (const at of new Set(map.map)) {
    const cell = table.nodeAt(at);
    if (!cell) continue;
    const { colspan, colwidth } = cell.attrs;
    const first = map.colCount(at);
    const widths = Array.from({ length: colspan }, (_, index) => widthOf(first + index, colwidth?.[index] ?? 0));
    const next = widths.some(Boolean) ? widths : null;
    if (String(next) !== String(colwidth)) tr.setNodeAttribute(tableStart + at, "colwidth", next);
  }
}
