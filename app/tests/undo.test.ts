// @vitest-environment happy-dom
/** Which letters one undo takes back. */

import { afterEach, expect, test } from "vitest";
import { undoManagerOf } from "../src/document/binding";
import { PAUSE } from "../src/document/undo";
import { closeEditors, documentOf, editorOf } from "./editors";

afterEach(closeEditors);

test.each([
  ["within a pause are taken back together", 1, ""],
  ["behind a pause are taken back by themselves", PAUSE + 1, "one"],
])("letters of a word %s", (_, waited, left) => {
  const editor = editorOf(documentOf([""]));
  const undo = undoManagerOf(editor);
  const type = (words: string) => {
    for (const letter of words) {
      editor.view.dispatch(editor.state.tr.insertText(letter));
      undo.lastChange = Date.now() + 60_000; // however slow the host is
    }
  };
  type("one");
  undo.lastChange = Date.now() - waited;
  if (waited < PAUSE) undo.lastChange += 60_000;
  type("more");
  undo.undo();
  expect(editor.getText()).toBe(left);
});
