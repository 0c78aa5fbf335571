// @vitest-environment happy-dom
/** Columns have widths and alignments, which cells over several columns share, and nothing else gets into their style. */

import type { Editor } from "@tiptap/core";
import { columnResizingPluginKey } from "@tiptap/pm/tables";
import { afterEach, expect, test } from "vitest";
import * as Y from "yjs";
import { OTHER_PHONE_TOOLS } from "../src/document/tools";
import { closeEditors, documentOf, editorOf } from "./editors";
import { withSizes } from "./screens";

withSizes();

afterEach(() => {
  closeEditors();
  document.body.replaceChildren();
});

const TABLE =
  "<table><tr><td><p>a</p></td><td><p style='text-align: right'>b</p></td></tr><tr><td colspan='2'><p>c</p></td></tr></table>";

function withTable(html = TABLE): { editor: Editor; mine: Y.Doc } {
  const mine = documentOf([""]);
  const editor = editorOf(mine);
  editor.commands.setContent(html);
  return { editor, mine };
}

/** Put the cursor into the cell of these words, and choose in the tool of tables. */
function choose(editor: Editor, words: string, name: string) {
  let at = 0;
  editor.state.doc.descendants((node, place) => {
    if (node.isText && node.text === words) at = place;
  });
  editor.commands.setTextSelection(at);
  const tool = OTHER_PHONE_TOOLS.find((each) => each.name === "table");
  const choice = tool && "choices" in tool ? tool.choices.find((each) => each.name === name) : undefined;
  choice?.run(editor.chain()).run();
}

/** Each cell as its words with an attribute. */
function cells(editor: Editor, attribute: string): string[] {
  const found: string[] = [];
  editor.state.doc.descendants(({ type, textContent, attrs }) => {
    if (type.spec.tableRole?.includes("cell")) found.push(`${textContent} ${attrs[attribute]}`);
  });
  return found;
}

test("a column is aligned with what is in it, and a cell over several columns with the first of them", () => {
  const { editor } = withTable();
  choose(editor, "b", "alignCentre");
  expect(cells(editor, "align")).toEqual(["a null", "b center", "c null"]);
  expect(editor.getHTML()).not.toContain("text-align: right");
  choose(editor, "a", "alignRight");
  expect(cells(editor, "align")).toEqual(["a right", "b center", "c right"]);
  choose(editor, "b", "alignLeft");
  expect(cells(editor, "align")).toEqual(["a right", "b null", "c right"]);
});

test("columns become wider and narrower, never too narrow, and are again as wide as what is in them", () => {
  const { editor } = withTable();
  choose(editor, "a", "wider");
  expect(cells(editor, "colwidth")).toEqual(["a 832", "b null", "c 832,0"]); // everything has 800 pixels here
  choose(editor, "b", "narrower");
  expect(cells(editor, "colwidth")).toEqual(["a 832", "b 768", "c 832,768"]);
  for (let times = 0; times < 30; times++) choose(editor, "a", "narrower");
  expect(cells(editor, "colwidth")).toEqual(["a 64", "b 768", "c 64,768"]);
  choose(editor, "a", "freeWidths");
  expect(cells(editor, "colwidth")).toEqual(["a null", "b null", "c null"]);
});

test("the first column becomes one of headers", () => {
  const { editor } = withTable("<table><tr><td><p>a</p></td><td><p>b</p></td></tr></table>");
  choose(editor, "b", "headerColumn");
  expect(editor.getHTML()).toMatch(/<th[^>]*><p[^>]*>a<.*<td[^>]*><p[^>]*>b</);
});

test("the edge that is dragged is let go where others delete its table, and stays the same where they write", () => {
  const { editor, mine } = withTable(`<p>top</p>${TABLE}`);
  const edge = () => columnResizingPluginKey.getState(editor.state);
  const first = editor.state.doc.child(0).nodeSize + 2;
  editor.view.dispatch(editor.state.tr.setMeta(columnResizingPluginKey, { setHandle: first }));
  editor.view.dispatch(
    editor.state.tr.setMeta(columnResizingPluginKey, { setDragging: { startX: 0, startWidth: 80 } }),
  );
  const other = new Y.Doc();
  Y.applyUpdate(other, Y.encodeStateAsUpdate(mine));
  const fragment = other.getXmlFragment("default");
  ((fragment.get(0) as Y.XmlElement).get(0) as Y.XmlText).insert(0, "the ");
  Y.applyUpdate(mine, Y.encodeStateAsUpdate(other));
  expect(edge()).toMatchObject({ activeHandle: first + 4, dragging: { startX: 0 } });
  fragment.delete(1, 1);
  Y.applyUpdate(mine, Y.encodeStateAsUpdate(other));
  expect(edge()).toMatchObject({ activeHandle: -1, dragging: false });
});

test("what somebody wrote as the alignment of a cell is no style of it", () => {
  const { editor } = withTable();
  editor.view.dispatch(editor.state.tr.setNodeAttribute(2, "align", "left; position: fixed; inset: 0"));
  const cell = editor.view.dom.querySelector("td");
  expect(cell?.textContent).toBe("a");
  expect(cell?.getAttribute("style") ?? "").not.toContain("fixed");
});
