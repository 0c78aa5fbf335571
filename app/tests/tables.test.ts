// @vitest-environment happy-dom
/** Columns have widths and alignments, which cells over several columns share, and nothing else gets into their style. */

import type { Editor } from "@tiptap/core";
import { columnResizingPluginKey, selectedRect } from "@tiptap/pm/tables";
import { afterEach, expect, test } from "vitest";
import * as Y from "yjs";
import { undoManagerOf } from "../src/document/binding";
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
  run(editor, name);
}

/** Choose in the tool of tables. */
function run(editor: Editor, name: string) {
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

/** The words of each row, from left to right, and of headers in capitals. */
function rowsOf(editor: Editor): string[] {
  const rows: string[] = [];
  editor.state.doc.descendants(({ type, children }) => {
    if (type.name !== "tableRow") return;
    const words = children.map(({ type, textContent }) =>
      type.name === "tableHeader" ? textContent.toUpperCase() : textContent,
    );
    rows.push(words.join(" "));
  });
  return rows;
}

const LETTERS = `<table><tr>${"abc".replace(/./g, "<th><p>$&</p></th>")}</tr>${["def", "ghi", "jkl"]
  .map((row) => `<tr>${row.replace(/./g, "<td><p>$&</p></td>")}</tr>`)
  .join("")}</table>`;

function yTable(mine: Y.Doc): Y.XmlElement[][] {
  const table = mine
    .getXmlFragment("default")
    .toArray()
    .find((each) => each instanceof Y.XmlElement && each.nodeName === "table");
  return (table as Y.XmlElement).toArray().map((row) => (row as Y.XmlElement).toArray() as Y.XmlElement[]);
}

test("a row is moved past its neighbour, which stays the same, with the cursor in it, and taken back at once", () => {
  const { editor, mine } = withTable(LETTERS);
  const [, , other] = yTable(mine);
  const updates: Uint8Array[] = [];
  mine.on("update", (update) => updates.push(update));
  choose(editor, "e", "rowDown");
  expect(updates.length).toBe(1); // of two, the letters would be those of who moves them
  expect(rowsOf(editor)).toEqual(["A B C", "g h i", "d e f", "j k l"]);
  yTable(mine)[1]?.forEach((cell, index) => void expect(cell).toBe(other?.[index]));
  expect(editor.state.selection.$head.parent.textContent).toBe("e");
  editor.commands.insertContent("!");
  choose(editor, "l", "rowUp");
  expect(rowsOf(editor)).toEqual(["A B C", "g h i", "j k l", "d !e f"]);
  undoManagerOf(editor).undo();
  expect(rowsOf(editor)).toEqual(["A B C", "g h i", "d !e f", "j k l"]);
});

test("a column is moved past its neighbour, which stays the same, with its width and with the cursor in it", () => {
  const { editor, mine } = withTable(LETTERS);
  choose(editor, "b", "wider");
  const others = yTable(mine).map((row) => row[0]);
  const updates: Uint8Array[] = [];
  mine.on("update", (update) => updates.push(update));
  choose(editor, "h", "columnLeft");
  expect(updates.length).toBe(1);
  expect(rowsOf(editor)).toEqual(["B A C", "e d f", "h g i", "k j l"]);
  expect(cells(editor, "colwidth").slice(0, 3)).toEqual(["b 832", "a null", "c null"]);
  yTable(mine).forEach((row, index) => void expect(row[1]).toBe(others[index]));
  expect(editor.state.selection.$head.parent.textContent).toBe("h");
  choose(editor, "d", "columnRight");
  expect(rowsOf(editor)).toEqual(["B C A", "e f d", "h i g", "k l j"]);
});

test("several rows that are selected are moved together, and stay selected", () => {
  const { editor } = withTable(LETTERS);
  const at: number[] = [];
  editor.state.doc.descendants(({ type, textContent }, place) => {
    if (type.name === "tableCell" && "dgh".includes(textContent)) at.push(place);
  });
  const select = ([anchorCell = 0, , headCell = 0]: number[]) =>
    editor.commands.setCellSelection({ anchorCell, headCell });
  select(at);
  run(editor, "rowDown");
  expect(rowsOf(editor)).toEqual(["A B C", "j k l", "d e f", "g h i"]);
  run(editor, "rowUp");
  expect(rowsOf(editor)).toEqual(["A B C", "d e f", "g h i", "j k l"]);
  expect(selectedRect(editor.state)).toMatchObject({ top: 1, bottom: 3, left: 0, right: 2 });
});

test("nothing moves past an edge, a header or through a merged cell", () => {
  const { editor } = withTable(LETTERS);
  const before = rowsOf(editor);
  for (const [words, name] of [
    ["a", "rowUp"],
    ["a", "rowDown"],
    ["d", "rowUp"],
    ["j", "rowDown"],
    ["d", "columnLeft"],
    ["f", "columnRight"],
  ] as const)
    choose(editor, words, name);
  expect(rowsOf(editor)).toEqual(before);
  const merged = withTable(
    "<table><tr><td rowspan='2'><p>a</p></td><td><p>b</p></td></tr><tr><td><p>c</p></td></tr><tr><td colspan='2'><p>d</p></td></tr></table>",
  ).editor;
  for (const [words, name] of [
    ["b", "rowDown"],
    ["d", "rowUp"],
    ["b", "columnLeft"],
  ] as const)
    choose(merged, words, name);
  expect(rowsOf(merged)).toEqual(["a b", "c", "d"]);
});

test("a cell over two rows is moved with its column", () => {
  const { editor } = withTable(
    "<table><tr><td rowspan='2'><p>a</p></td><td><p>b</p></td></tr><tr><td><p>c</p></td></tr></table>",
  );
  choose(editor, "a", "columnRight");
  expect(rowsOf(editor)).toEqual(["b a", "c"]);
  expect(editor.state.selection.$head.parent.textContent).toBe("a");
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
