// @vitest-environment happy-dom
/** Words are found in the text and replaced: nothing is written by finding, and matches follow what anybody writes. */

import { act, cleanup, fireEvent, render, renderHook, screen } from "@testing-library/react";
import type { Editor } from "@tiptap/core";
import { useRef } from "react";
import { afterEach, expect, test, vi } from "vitest";
import * as Y from "yjs";
import { undoManagerOf } from "../src/document/binding";
import { FindBar, isFindKey, isReplaceKey, useFound } from "../src/document/find/FindBar";
import { find, foundIn, type Query, replaceAll, replaceOne, step } from "../src/document/find/find";
import { chanceOf } from "./documents";
import { closeEditors, documentOf, editorOf } from "./editors";
import { withSizes } from "./screens";

withSizes();

afterEach(() => {
  cleanup();
  closeEditors();
  document.body.replaceChildren();
});

const queryOf = (words: string, more: Partial<Query> = {}): Query => ({
  words,
  matchesCase: false,
  isWhole: false,
  ...more,
});

const shown = (editor: Editor) => [...editor.view.dom.querySelectorAll(".found")].map((each) => each.textContent);

test.each([
  ["plan", {}, ["Plan", "plan", "plan"]],
  ["plan", { matchesCase: true }, ["plan", "plan"]],
  ["plan", { isWhole: true }, ["Plan", "plan"]],
  ["C++ (a.b)", {}, ["C++ (a.b)"]],
  ["two words", {}, ["two\u00a0words"]],
  ["İ", {}, ["İ"]],
  ["計画", {}, ["計画"]],
  ["none of it", {}, []],
])("%s is found in every kind of block as asked for: %o", (words, more, expected) => {
  const editor = editorOf(documentOf(["Plan", 1], ["İ C++ (a.b) two\u00a0words 計画"]));
  const html = "<ul><li><p>a plan</p></li></ul><table><tr><td><p>planning</p></td></tr></table><pre>code</pre>";
  editor.commands.insertContentAt(editor.state.doc.content.size, html);
  find(editor, queryOf(words, more));
  expect(shown(editor)).toEqual(expected);
  expect(foundIn(editor)).toEqual({ at: expected.length ? 0 : -1, count: expected.length });
  find(editor, null);
  expect(shown(editor)).toEqual([]);
});

test("the first match from the caret on is the current one, and steps lead around", () => {
  const editor = editorOf(documentOf(["one one"], ["one"]));
  editor.commands.setTextSelection(4);
  find(editor, queryOf("one"));
  const seen = [1, 1, 1, -1].map((steps) => {
    const at = foundIn(editor)?.at;
    step(editor, steps);
    return at;
  });
  expect(seen).toEqual([1, 2, 0, 1]);
});

test("nothing is written by finding", () => {
  const doc = documentOf(["hello world"]);
  const editor = editorOf(doc);
  const written = vi.fn();
  doc.on("update", written);
  find(editor, queryOf("o"));
  step(editor, 1);
  find(editor, null);
  expect(written).not.toHaveBeenCalled();
});

test("one match is replaced after another, in the look of what it replaces, and a replacement is not found again", () => {
  const editor = editorOf(documentOf(["cat, cat and cat"]));
  editor.chain().setTextSelection({ from: 1, to: 4 }).setBold().setTextSelection(1).run();
  find(editor, queryOf("cat"));
  replaceOne(editor, "wildcat $1");
  expect(editor.getHTML()).toMatch(/^<p[^>]*><strong>wildcat \$1<\/strong>, cat and cat<\/p>$/);
  expect(foundIn(editor)).toEqual({ at: 1, count: 3 });
  replaceOne(editor, "");
  expect(editor.getText()).toBe("wildcat $1,  and cat");
  expect(foundIn(editor)).toEqual({ at: 1, count: 2 });
});

test("all matches are replaced as one step to undo", () => {
  const editor = editorOf(documentOf(["cat"], ["a cat and a cat"]));
  find(editor, queryOf("cat"));
  expect(replaceAll(editor, "dog")).toBe(3);
  expect(editor.getText({ blockSeparator: "\n" })).toBe("dog\na dog and a dog");
  expect(foundIn(editor)?.count).toBe(0);
  undoManagerOf(editor).undo();
  expect(editor.getText({ blockSeparator: "\n" })).toBe("cat\na cat and a cat");
  expect(foundIn(editor)?.count).toBe(3);
});

test("whoever may only read finds, and replaces nothing", () => {
  const editor = editorOf(documentOf(["cat"]), false);
  find(editor, queryOf("cat"));
  expect(foundIn(editor)?.count).toBe(1);
  replaceOne(editor, "dog");
  expect(replaceAll(editor, "dog")).toBe(0);
  expect(editor.getText()).toBe("cat");
});

test("matches are those of the whole text after any edit of anybody", () => {
  const doc = documentOf(...Array.from({ length: 12 }, (_, index): [string] => [`ab a${index} ba`]));
  const other = new Y.Doc();
  Y.applyUpdate(other, Y.encodeStateAsUpdate(doc));
  other.on("update", (update: Uint8Array) => Y.applyUpdate(doc, update));
  doc.on("update", (update: Uint8Array) => Y.applyUpdate(other, update));
  const [mine, theirs] = [editorOf(doc), editorOf(other)];
  find(mine, queryOf("a"));
  const chance = chanceOf(7);
  for (let round = 0; round < 150; round += 1) {
    const editor = chance(2) ? mine : theirs;
    const { size } = editor.state.doc.content;
    const [from, to] = [chance(size), chance(size)].sort((one, two) => one - two);
    const kind = chance(4);
    editor.commands.setTextSelection({ from: from ?? 0, to: kind === 0 && chance(6) === 0 ? (to ?? 0) : (from ?? 0) });
    if (kind === 0) editor.commands.deleteSelection();
    else if (kind === 1) editor.commands.splitBlock();
    else if (kind === 2) editor.commands.toggleBulletList();
    else editor.commands.insertContent("a b");
    const words = shown(mine);
    expect(foundIn(mine)?.count).toBe(words.length);
    expect(words.length).toBe(mine.state.doc.textContent.split("a").length - 1);
    expect(new Set(words).size).toBeLessThan(2);
  }
  expect(theirs.getHTML()).toBe(mine.getHTML());
});

test("the current match stays the current one while others write before it", () => {
  const doc = documentOf(["first"], ["cat one"], ["cat two"]);
  const editor = editorOf(doc);
  find(editor, queryOf("cat"));
  step(editor, 1);
  (doc.getXmlFragment("default").get(0) as Y.XmlElement).insert(0, [new Y.XmlText("a cat and ")]);
  expect(foundIn(editor)).toEqual({ at: 2, count: 3 });
});

test("of many matches those around the current one are drawn", () => {
  const editor = editorOf(documentOf(["a ".repeat(700)]));
  find(editor, queryOf("a"));
  expect(foundIn(editor)?.count).toBe(700);
  expect(shown(editor).length).toBe(500);
  step(editor, -1);
  expect(editor.view.dom.querySelectorAll(".found-current").length).toBe(1);
});

type BarProps = { editor: Editor; close?: () => void; times?: number; replaces?: boolean };

function Bar({ editor, close = () => undefined, times = 1, replaces = false }: BarProps) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <FindBar
      editor={editor}
      times={times}
      replaces={replaces}
      setReplaces={() => undefined}
      field={field}
      close={close}
      notify={() => undefined}
    />
  );
}

test("the bar finds while one types, counts, and gives the caret back at the match", () => {
  const editor = editorOf(documentOf(["a cat"], ["two cats"]));
  const close = vi.fn();
  render(<Bar editor={editor} close={close} />);
  const field = screen.getByRole<HTMLInputElement>("textbox", { name: "Find" });
  fireEvent.change(field, { target: { value: "CAT" } });
  expect(screen.getByRole("status").textContent).toBe("1 of 2");
  fireEvent.keyDown(field, { key: "Enter" });
  expect(screen.getByRole("status").textContent).toBe("2 of 2");
  fireEvent.keyDown(field, { key: "Enter", shiftKey: true });
  expect(screen.getByRole("status").textContent).toBe("1 of 2");
  fireEvent.click(screen.getByRole("button", { name: "Match case" }));
  expect(screen.getByRole("status").textContent).toBe("Not found");
  fireEvent.click(screen.getByRole("button", { name: "Match case" }));
  expect(screen.queryByRole("textbox", { name: "Replace with" })).toBe(null);
  fireEvent.keyDown(field, { key: "Escape" });
  expect(close).toHaveBeenCalledOnce();
  const { from, to } = editor.state.selection;
  expect(editor.state.doc.textBetween(from, to)).toBe("cat");
  expect(shown(editor)).toEqual([]);
});

test("the bar begins with the words that are selected, and ends with what it draws", () => {
  const editor = editorOf(documentOf(["some words and words"]));
  editor.commands.setTextSelection({ from: 6, to: 11 });
  const { unmount } = render(<Bar editor={editor} replaces />);
  expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Find" }).value).toBe("words");
  const replacement = screen.getByRole("textbox", { name: "Replace with" });
  fireEvent.change(replacement, { target: { value: "things" } });
  fireEvent.keyDown(replacement, { key: "Enter" });
  expect(editor.getText()).toBe("some things and words");
  fireEvent.click(screen.getByRole("button", { name: "Replace all" }));
  expect(editor.getText()).toBe("some things and things");
  unmount();
  expect(foundIn(editor)).toBe(null);
});

test("an open bar that is asked for again looks for the words that are selected by then", () => {
  const editor = editorOf(documentOf(["some words and more"]));
  const { rerender } = render(<Bar editor={editor} />);
  const field = screen.getByRole<HTMLInputElement>("textbox", { name: "Find" });
  fireEvent.change(field, { target: { value: "and" } });
  rerender(<Bar editor={editor} times={2} />);
  expect(field.value).toBe("and");
  editor.commands.setTextSelection({ from: 1, to: 5 });
  rerender(<Bar editor={editor} times={3} />);
  expect(field.value).toBe("some");
  expect([field.selectionStart, field.selectionEnd]).toEqual([0, 4]);
});

test("what is found is told as it changes", () => {
  const editor = editorOf(documentOf(["one"]));
  const { result } = renderHook(() => useFound(editor));
  expect(result.current).toBe(null);
  act(() => find(editor, queryOf("one")));
  expect(result.current).toEqual({ at: 0, count: 1 });
});

test.each([
  [{ key: "f", ctrlKey: true }, true, false],
  [{ key: "F", metaKey: true }, true, false],
  [{ key: "f", ctrlKey: true, shiftKey: true }, false, false],
  [{ key: "h", ctrlKey: true }, false, true],
  [{ key: "h", metaKey: true }, false, false],
  [{ key: "ƒ", code: "KeyF", metaKey: true, altKey: true }, false, true],
])("keys that find and replace: %o", (pressed, finds, replaces) => {
  const event = new KeyboardEvent("keydown", pressed);
  expect([isFindKey(event), isReplaceKey(event)]).toEqual([finds, replaces]);
});
