// @vitest-environment happy-dom
/** A block is turned into another, repeated, moved and deleted from its menu, which a key opens. */

import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import type { Editor } from "@tiptap/core";
import { afterEach, expect, test } from "vitest";
import * as Y from "yjs";
import { BlockHandle } from "../src/document/BlockHandle";
import { undoManagerOf } from "../src/document/binding";
import { addBlock, deleteBlock, duplicateBlock, moveTo, stepBlock, turnBlock } from "../src/document/block_acts";
import { TURNS } from "../src/document/blocks";
import { heldIn, hold } from "../src/document/held_block";
import { moveBlock } from "../src/document/moving";
import { closeEditors, documentOf, editorOf } from "./editors";
import { sessionOf } from "./fake_graphql";
import { screenOf, withSizes } from "./screens";

withSizes();

afterEach(() => {
  cleanup();
  closeEditors();
  document.body.replaceChildren();
});

function withContent(html: string): { editor: Editor; mine: Y.Doc } {
  const mine = documentOf([""]);
  const editor = editorOf(mine);
  editor.commands.setContent(html);
  undoManagerOf(editor).clear();
  return { editor, mine };
}

/** The blocks as HTML without what every paragraph has. */
const html = (editor: Editor) => editor.getHTML().replaceAll(` dir="auto"`, "");

/** Where the first block begins that has these words, its list's item where it is in a list. */
function at(editor: Editor, words: string, kind?: string): number {
  let found = -1;
  editor.state.doc.descendants((node, place) => {
    if (found < 0 && node.textContent === words && (kind ? node.type.name === kind : node.isTextblock)) found = place;
    return found < 0;
  });
  return found;
}

function pressMenuKey({ view }: Editor) {
  const event = new KeyboardEvent("keydown", { key: "Enter", ctrlKey: true, shiftKey: true });
  view.someProp("handleKeyDown", (handle) => handle(view, event));
}

const LIST = "<p>a</p><ul><li><p>b</p></li><li><p>c</p></li></ul><p>d</p>";

test("a block is written once more behind itself, an item in its list", () => {
  const { editor } = withContent(LIST);
  duplicateBlock(editor, at(editor, "b", "listItem"));
  duplicateBlock(editor, at(editor, "a"));
  expect(html(editor)).toBe("<p>a</p><p>a</p><ul><li><p>b</p></li><li><p>b</p></li><li><p>c</p></li></ul><p>d</p>");
});

test("a deleted item takes the list along that it leaves empty, and the last block leaves a paragraph", () => {
  const { editor } = withContent(LIST);
  deleteBlock(editor, at(editor, "b", "listItem"));
  deleteBlock(editor, at(editor, "c", "listItem"));
  expect(html(editor)).toBe("<p>a</p><p>d</p>");
  deleteBlock(editor, at(editor, "d"));
  deleteBlock(editor, at(editor, "a"));
  expect(html(editor)).toBe("<p></p>");
});

test("a block that is added is an item in a list, and offers what it can become", async () => {
  const { editor } = withContent(LIST);
  addBlock(editor, at(editor, "b", "listItem"));
  expect(html(editor)).toContain("<li><p>b</p></li><li><p>/</p></li><li><p>c</p></li>");
  expect((await screen.findAllByRole("option")).length).toBeGreaterThan(10);
  const { editor: other } = withContent("<p>a</p><p></p>");
  addBlock(other, 3);
  expect(html(other)).toBe("<p>a</p><p>/</p>");
});

test.each(TURNS.map(({ name }) => [name]))("a paragraph becomes %s with its words, in one step to undo", (name) => {
  const { editor } = withContent("<p>a</p><p>b</p><p>d</p>");
  const turn = TURNS.find((each) => each.name === name);
  if (turn) turnBlock(editor, 3, turn);
  expect(editor.getText({ blockSeparator: " " }).split(/ +/)).toEqual(["a", "b", "d"]);
  expect(editor.state.selection.empty).toBe(true);
  expect(editor.state.selection.$from.parent.textContent).toBe("b");
  if (name !== "text") undoManagerOf(editor).undo();
  expect(html(editor)).toBe("<p>a</p><p>b</p><p>d</p>");
});

test.each([
  ["up from the end", "d", 0, "<p>d</p><p>a</p><ul><li><p>b</p></li><li><p>c</p></li></ul>"],
  ["down to the end", "a", 17, "<ul><li><p>b</p></li><li><p>c</p></li></ul><p>d</p><p>a</p>"],
])("a block moves %s, and one undo takes that back", (_, words, to, expected) => {
  const { editor } = withContent(LIST);
  expect(moveTo(editor.view, at(editor, words), to)).toBe(true);
  expect(html(editor)).toBe(expected);
  expect(editor.state.selection.$from.parent.textContent).toBe(words);
  undoManagerOf(editor).undo();
  expect(html(editor)).toBe(LIST);
});

test("a block stays where it is dropped on itself, and an item takes its list along to another place", () => {
  const { editor } = withContent(LIST);
  expect(moveTo(editor.view, 0, 3)).toBe(false);
  expect(html(editor)).toBe(LIST);
  expect(moveTo(editor.view, at(editor, "c", "listItem"), 0)).toBe(true);
  expect(html(editor)).toBe("<ul><li><p>c</p></li></ul><p>a</p><ul><li><p>b</p></li></ul><p>d</p>");
});

test("steps stay within what holds the block, by the menu and by key, and one undo takes a step back", () => {
  const { editor } = withContent(LIST);
  stepBlock(editor, at(editor, "c", "listItem"), 1);
  expect(html(editor)).toBe(LIST);
  stepBlock(editor, at(editor, "c", "listItem"), -1);
  expect(html(editor)).toContain("<li><p>c</p></li><li><p>b</p></li>");
  undoManagerOf(editor).undo();
  expect(html(editor)).toBe(LIST);
  editor.commands.setTextSelection(1);
  moveBlock(editor, 1);
  expect(html(editor)).toMatch(/^<ul>.*<p>a<\/p><p>d<\/p>$/);
  undoManagerOf(editor).undo();
  expect(html(editor)).toBe(LIST);
});

test("a key opens the menu of the cursor's block, which stays of it where others write, and its items act on it", async () => {
  const { editor, mine } = withContent(LIST);
  screenOf(sessionOf(), <BlockHandle editor={editor} />);
  await screen.findByRole("main");
  editor.commands.setTextSelection(at(editor, "c") + 1);
  act(() => pressMenuKey(editor));
  await screen.findByRole("menuitem", { name: "Turn into" });
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Turn into"));
  expect(editor.view.dom.querySelector(".held")?.textContent).toBe("c");
  const other = new Y.Doc();
  Y.applyUpdate(other, Y.encodeStateAsUpdate(mine));
  ((other.getXmlFragment("default").get(0) as Y.XmlElement).get(0) as Y.XmlText).insert(0, "written ");
  act(() => Y.applyUpdate(mine, Y.encodeStateAsUpdate(other)));
  expect(editor.view.dom.querySelector(".held")?.textContent).toBe("c");
  fireEvent.click(screen.getByRole("menuitem", { name: "Duplicate" }));
  expect(html(editor)).toContain("<p>written a</p><ul><li><p>b</p></li><li><p>c</p></li><li><p>c</p></li></ul>");
  await waitFor(() => expect(screen.queryByRole("menu")).toBeNull());
  expect(heldIn(editor.state)).toBe(null);
});

test("a block that others delete is held no longer", () => {
  const { editor, mine } = withContent(LIST);
  hold(editor.view, { at: 0, isDragged: true });
  const other = new Y.Doc();
  Y.applyUpdate(other, Y.encodeStateAsUpdate(mine));
  other.getXmlFragment("default").delete(0, 1);
  Y.applyUpdate(mine, Y.encodeStateAsUpdate(other));
  expect(heldIn(editor.state)).toBe(null);
});

test("whoever may only read opens no menu", () => {
  const editor = editorOf(documentOf(["a"]), false);
  pressMenuKey(editor);
  expect(heldIn(editor.state)).toBe(null);
});
