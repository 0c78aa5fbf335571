/** What can be put into a document, once: the menu of blocks and the toolbar offer the same. */

import type { ChainedCommands, Editor } from "@tiptap/core";
import { CHART } from "./charts.ts";
import type {} from "./links.ts";
import type {} from "./uploads.ts";

export interface Block {
  readonly name: string;
  /** More words by which it is found. */
  readonly words: string;
  readonly insert: (chain: ChainedCommands) => ChainedCommands;
}

const SPECIFICATION = {
  $schema: "https://vega.github.io/schema/vega-lite/v6.json",
  data: { values: [{ month: "Jan", sold: 3 }] },
  mark: "bar",
  encoding: { x: { field: "month", type: "nominal" }, y: { field: "sold", type: "quantitative" } },
};

const heading = (level: 1 | 2 | 3) => (chain: ChainedCommands) => chain.setHeading({ level });

export const BLOCKS: readonly Block[] = [
  { name: "Text", words: "paragraph plain", insert: (chain) => chain.setParagraph() },
  { name: "Heading 1", words: "title h1", insert: heading(1) },
  { name: "Heading 2", words: "h2", insert: heading(2) },
  { name: "Heading 3", words: "h3", insert: heading(3) },
  { name: "Bullet list", words: "unordered", insert: (chain) => chain.toggleBulletList() },
  { name: "Numbered list", words: "ordered", insert: (chain) => chain.toggleOrderedList() },
  { name: "Task list", words: "todo checkbox", insert: (chain) => chain.toggleTaskList() },
  { name: "Quote", words: "blockquote", insert: (chain) => chain.toggleBlockquote() },
  { name: "Code", words: "pre program", insert: (chain) => chain.setCodeBlock() },
  {
    name: "Table",
    words: "grid rows columns",
    insert: (chain) => chain.insertTable({ rows: 3, cols: 3, withHeaderRow: true }),
  },
  { name: "Details", words: "fold toggle summary", insert: (chain) => chain.setDetails() },
  { name: "Image", words: "picture photo upload", insert: (chain) => chain.chooseImages() },
  { name: "Line", words: "rule divider", insert: (chain) => chain.setHorizontalRule() },
  {
    name: "Chart",
    words: "vega diagram graph",
    insert: (chain) =>
      chain.insertContent({
        type: "codeBlock",
        attrs: { language: CHART },
        content: [{ type: "text", text: JSON.stringify(SPECIFICATION, null, 2) }],
      }),
  },
];

/** Returns the blocks of whose names or words every typed word begins one. */
export function found(query: string): readonly Block[] {
  return BLOCKS.filter(({ name, words }) => wordsBegin(`${name} ${words}`, query));
}

/** Whether every word that was typed begins one of the words. */
export function wordsBegin(words: string, typed: string): boolean {
  const own = words.toLowerCase().split(/\s+/);
  const begun = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return begun.every((each) => own.some((word) => word.startsWith(each)));
}

export interface Tool {
  readonly name: string;
  readonly sign: string;
  readonly keys?: string;
  readonly run: (editor: Editor) => boolean;
  readonly isOn?: (editor: Editor) => boolean;
}

const mark = (kind: string, name: string, sign: string, keys: string): Tool => ({
  name,
  sign,
  keys,
  run: (editor) => editor.chain().focus().toggleMark(kind).run(),
  isOn: (editor) => editor.isActive(kind),
});

export const TOOLS: readonly Tool[] = [
  mark("bold", "Bold", "B", "Control+B"),
  mark("italic", "Italic", "I", "Control+I"),
  mark("underline", "Underline", "U", "Control+U"),
  mark("strike", "Strike through", "S", "Control+Shift+S"),
  mark("code", "Code", "<>", "Control+E"),
  mark("highlight", "Highlight", "H", "Control+Shift+H"),
  {
    name: "Link",
    sign: "🔗",
    keys: "Control+K",
    run: (editor) => editor.commands.editLink(),
    isOn: (editor) => editor.isActive("link"),
  },
];
