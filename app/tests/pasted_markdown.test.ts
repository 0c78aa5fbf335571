// @vitest-environment happy-dom
/** Text that was read as Markdown can be plain text again, in the place where it stands by then. */

import { Slice } from "@tiptap/pm/model";
import { afterEach, expect, test } from "vitest";
import { pasteMarkdown } from "../src/document/pasted_markdown";
import { closeEditors, documentOf, editorOf } from "./editors";
import { withSizes } from "./screens";

withSizes();

afterEach(closeEditors);

const text = (words: string) => [{ type: "text", text: words }];
const item = (words: string) => ({ type: "listItem", content: [{ type: "paragraph", content: text(words) }] });
const READ = {
  type: "doc",
  content: [
    { type: "heading", attrs: { level: 1 }, content: text("Title") },
    { type: "bulletList", content: [item("one"), item("two")] },
  ],
};

test.each(["", " more"])("what was pasted is plain again, with %o that was typed behind it", async (more) => {
  let plain: (() => void) | null = null;
  const reading = {
    read: async () => READ,
    warn: () => undefined,
    notify: (_: string, instead: () => void) => {
      plain = instead;
    },
  };
  const editor = editorOf(documentOf(["before "]), true, { reading });
  editor.commands.setTextSelection(8);
  const lines = ["# Title", "- one", "- two"].map((words) => ({ type: "paragraph", content: text(words) }));
  const { content } = editor.schema.nodeFromJSON({ type: "doc", content: lines });
  await pasteMarkdown(editor, "# Title\n\n- one\n- two", new Slice(content, 1, 1), reading);
  expect(editor.getHTML()).toContain("<h1");
  if (more) editor.view.dispatch(editor.state.tr.insertText(more));
  (plain as unknown as () => void)();
  expect(editor.state.doc.children.map(({ type, textContent }) => `${type.name} ${textContent}`)).toEqual([
    "paragraph before # Title",
    "paragraph - one",
    `paragraph - two${more}`,
  ]);
});
