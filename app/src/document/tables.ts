/** Tables that are wider than the page: each is scrolled by itself, which the keyboard can do, too. */

import { Table, TableView } from "@tiptap/extension-table";
import type { Node } from "@tiptap/pm/model";
import { Plugin } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";

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
}).configure({ View: ScrolledTableView });

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
