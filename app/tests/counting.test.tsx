// @vitest-environment happy-dom
/** Words and letters are counted in every script, and each block once until it changes. */

import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { counted, countOf } from "../src/document/counting";
import { useCounts } from "../src/document/WordCount";
import { closeEditors, documentOf, editorOf } from "./editors";

let known: Known = new WeakMap();
const ALWAYS = { hasTime: () => true };

afterEach(() => {
  cleanup();
  known = new WeakMap();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  closeEditors();
});

test.each([
  ["", 0, 0],
  ["one two, three!", 3, 15],
  ["it's well-known", 3, 15],
  ["我们今天去北京", 4, 7],
  ["สวัสดีชาวโลก", 3, 10],
  ["👩‍👩‍👧 ok", 1, 4],
  ["e\u0301a\nb", 2, 3],
])("%j has %i words and %i letters", (text, words, characters) => {
  expect(countOf(text)).toEqual({ words, characters });
});

test("all blocks count, and of a selection what is in it", () => {
  const editor = editorOf(documentOf(["One two", 1], ["three four five"]));
  editor.commands.setTextSelection(0);
  expect(counted(editor, known, ALWAYS)).toEqual({ all: { words: 5, characters: 22 }, selected: null });
  editor.commands.setTextSelection({ from: 5, to: 15 }); // "two" and "three"
  expect(counted(editor, known, ALWAYS)?.selected).toEqual({ words: 2, characters: 8 });
  editor.commands.selectAll();
  expect(counted(editor, known, ALWAYS)?.selected).toEqual({ words: 5, characters: 22 });
});

test("after a key one block is read again", () => {
  const editor = editorOf(documentOf(...Array.from({ length: 50 }, (_, index): [string] => [`block ${index}`])));
  counted(editor, known, ALWAYS);
  const read = vi.spyOn(Intl.Segmenter.prototype, "segment");
  editor.commands.insertContentAt(1, "more ");
  expect(counted(editor, known, ALWAYS)?.all.words).toBe(101);
  expect(read.mock.calls.filter(([text]) => text.includes("block"))).toEqual([["more block 0"]]);
});

test("what is counted when the time ends is not counted again", () => {
  const editor = editorOf(documentOf(["one"], ["two"], ["three"]));
  let left = 1;
  expect(counted(editor, known, { hasTime: () => left-- > 0 })).toBeNull();
  const read = vi.spyOn(Intl.Segmenter.prototype, "segment");
  expect(counted(editor, known, ALWAYS)?.all.words).toBe(3);
  expect(read.mock.calls).toEqual([["three"]]);
});

test("nothing is counted while somebody types", () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.stubGlobal("requestIdleCallback", undefined);
  const editor = editorOf(documentOf(["one"]));
  const { result } = renderHook(() => useCounts(editor));
  act(() => void vi.runAllTimers());
  expect(result.current?.all.words).toBe(1);
  for (const letter of " two three") {
    act(() => void editor.commands.insertContentAt(editor.state.doc.content.size - 1, letter));
    act(() => void vi.advanceTimersByTime(100));
  }
  expect(result.current?.all.words).toBe(1);
  act(() => void vi.runAllTimers());
  expect(result.current?.all.words).toBe(3);
});
