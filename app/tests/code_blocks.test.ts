// @vitest-environment happy-dom
/** Code is coloured by its language without being changed, and copied by a button. */

import { waitFor } from "@testing-library/dom";
import type { Editor } from "@tiptap/core";
import { afterEach, expect, test, vi } from "vitest";
import * as Y from "yjs";
import { closeEditors, documentOf, editorOf } from "./editors";
import { withSizes } from "./screens";

withSizes();

afterEach(() => {
  closeEditors();
  document.body.replaceChildren();
});

function withCode(...blocks: [language: string | null, code: string][]): { editor: Editor; mine: Y.Doc } {
  const mine = documentOf(["top"]);
  const editor = editorOf(mine);
  const content = blocks.map(([language, code]) => ({
    type: "codeBlock",
    attrs: { language },
    content: [{ type: "text", text: code }],
  }));
  editor.commands.insertContentAt(editor.state.doc.content.size, content);
  return { editor, mine };
}

/** The words of each kind, such as `keyword`, in the order of the text. */
function coloured({ view }: Editor): string[] {
  return [...view.dom.querySelectorAll("code [class*='hljs-']")].map(
    (each) => `${each.className.replaceAll("hljs-", "")}: ${each.textContent}`,
  );
}

test.each([
  ["python", "def f():\n  return 'x'", ["keyword: def", "title: f", "keyword: return", "string: 'x'"]],
  ["ts", "const a = 1; // b", ["keyword: const", "number: 1", "comment: // b"]],
  [
    "vega-lite",
    '{"mark": "bar"}',
    ["punctuation: {", 'attr: "mark"', "punctuation: :", 'string: "bar"', "punctuation: }"],
  ],
  ["html", "<b>x</b>", ["tag: <", "name tag: b", "tag: >", "tag: </", "name tag: b", "tag: >"]],
])("code in %s is coloured by what its words are", async (language, code, expected) => {
  const { editor } = withCode([language, code]);
  await waitFor(() => expect(coloured(editor)).toEqual(expected));
});

test("colours follow the code and its language, and are no part of the document", async () => {
  const { editor, mine } = withCode(["python", "x = 1"], ["css", "a {}"]);
  const written = Y.encodeStateAsUpdate(mine);
  await waitFor(() => expect(coloured(editor)).toEqual(["number: 1", "selector-tag: a"]));
  expect(Y.encodeStateAsUpdate(mine)).toEqual(written);
  editor.commands.insertContentAt("top".length + 3, "return ");
  await waitFor(() => expect(coloured(editor)).toEqual(["keyword: return", "number: 1", "selector-tag: a"]));
  editor.chain().setTextSelection(8).updateAttributes("codeBlock", { language: null }).run();
  await waitFor(() => expect(coloured(editor)).toEqual(["selector-tag: a"]));
});

test("colours stay where others write, and follow what they write in the code", async () => {
  const { editor, mine } = withCode(["python", "x = 1"], ["python", "y = 2"]);
  await waitFor(() => expect(coloured(editor)).toEqual(["number: 1", "number: 2"]));
  const other = new Y.Doc();
  Y.applyUpdate(other, Y.encodeStateAsUpdate(mine));
  const write = (block: number, words: string) => {
    const element = other.getXmlFragment("default").get(block) as Y.XmlElement;
    (element.get(0) as Y.XmlText).insert(0, words);
  };
  write(0, "on ");
  Y.applyUpdate(mine, Y.encodeStateAsUpdate(other));
  expect(editor.getText()).toContain("on top");
  expect(coloured(editor)).toEqual(["number: 1", "number: 2"]);
  write(1, "del ");
  Y.applyUpdate(mine, Y.encodeStateAsUpdate(other));
  await waitFor(() => expect(coloured(editor)).toEqual(["keyword: del", "number: 1", "number: 2"]));
});

test("what is unknown or long has no colours, and holds up none of the others", async () => {
  const { editor } = withCode(
    ["nonsense", "x = 1"],
    [null, "x = 1"],
    ["python", "x = 1\n".repeat(8_400)],
    ["python", "y = 2"],
  );
  await waitFor(() => expect(coloured(editor)).toEqual(["number: 2"]));
});

test("the button is no place for Tab while the text can be written", () => {
  const { editor } = withCode(["python", "x = 1"]);
  const place = () => editor.view.dom.querySelector<HTMLElement>("button.copy")?.tabIndex;
  expect(place()).toBe(-1);
  editor.setEditable(false);
  expect(place()).toBe(0);
  editor.setEditable(true);
  expect(place()).toBe(-1);
});

test("a button copies the code and says so, also to whoever may only read", async () => {
  const { mine } = withCode(["python", "x = 1\ny = 2"]);
  const { view } = editorOf(mine, false);
  const copied = vi
    .spyOn(navigator.clipboard, "writeText")
    .mockResolvedValueOnce()
    .mockRejectedValueOnce(new Error("no"));
  const button = view.dom.querySelector<HTMLElement>("button.copy");
  expect(button?.ariaLabel).toBe("Copy the code");
  expect(button?.tabIndex).toBe(0);
  button?.click();
  await waitFor(() => expect(button?.dataset.words).toBe("Copied"));
  expect(copied).toHaveBeenCalledWith("x = 1\ny = 2");
  button?.dispatchEvent(new Event("pointerleave"));
  expect(button?.dataset.words).toBe("Copy");
  button?.click();
  await waitFor(() => expect(button?.dataset.words).toBe("Select the code and copy it"));
});
