/** What can be put into a document, once: the menu of blocks and the toolbar offer the same. */

import type { ChainedCommands, Editor } from "@tiptap/core";
import { CHART } from "./charts.ts";
import type {} from "./links.ts";
import type {} from "./uploads.ts";

export interface Choice {
  readonly name: string;
  readonly run: (chain: ChainedCommands) => ChainedCommands;
}

export interface Block extends Choice {
  /** More words by which it is found. */
  readonly words: string;
}

const SPECIFICATION = {
  $schema: "https://vega.github.io/schema/vega-lite/v6.json",
  data: { values: [{ month: "Jan", sold: 3 }] },
  mark: "bar",
  encoding: { x: { field: "month", type: "nominal" }, y: { field: "sold", type: "quantitative" } },
};

const heading = (level: 1 | 2 | 3) => (chain: ChainedCommands) => chain.setHeading({ level });

export const BLOCKS: readonly Block[] = [
  { name: "Text", words: "paragraph plain", run: (chain) => chain.setParagraph() },
  { name: "Heading 1", words: "title h1", run: heading(1) },
  { name: "Heading 2", words: "h2", run: heading(2) },
  { name: "Heading 3", words: "h3", run: heading(3) },
  { name: "Bullet list", words: "unordered", run: (chain) => chain.toggleBulletList() },
  { name: "Numbered list", words: "ordered", run: (chain) => chain.toggleOrderedList() },
  { name: "Task list", words: "todo checkbox", run: (chain) => chain.toggleTaskList() },
  { name: "Quote", words: "blockquote", run: (chain) => chain.toggleBlockquote() },
  { name: "Code", words: "pre program", run: (chain) => chain.setCodeBlock() },
  {
    name: "Table",
    words: "grid rows columns",
    run: (chain) => chain.insertTable({ rows: 3, cols: 3, withHeaderRow: true }),
  },
  { name: "Details", words: "fold toggle summary", run: (chain) => chain.setDetails() },
  { name: "Image", words: "picture photo upload", run: (chain) => chain.chooseImages() },
  { name: "Line", words: "rule divider", run: (chain) => chain.setHorizontalRule() },
  {
    name: "Chart",
    words: "vega diagram graph",
    run: (chain) =>
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

/** What can be done with the table that the cursor is in. */
export const TABLE_ACTS: readonly Choice[] = [
  { name: "Row above", run: (chain) => chain.addRowBefore() },
  { name: "Row below", run: (chain) => chain.addRowAfter() },
  { name: "Column before", run: (chain) => chain.addColumnBefore() },
  { name: "Column after", run: (chain) => chain.addColumnAfter() },
  { name: "Header row", run: (chain) => chain.toggleHeaderRow() },
  { name: "Merge or split cells", run: (chain) => chain.mergeOrSplit() },
  { name: "Delete the row", run: (chain) => chain.deleteRow() },
  { name: "Delete the column", run: (chain) => chain.deleteColumn() },
  { name: "Delete the table", run: (chain) => chain.deleteTable() },
];

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
