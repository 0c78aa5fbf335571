/** What can be put into a document, once: the menu of blocks and the toolbar offer the same. */

import type { ChainedCommands, Editor } from "@tiptap/core";
import { NodeSelection } from "@tiptap/pm/state";
import { CHART } from "./charts";
import type {} from "./uploads";

export type Choice = {
  readonly name: string;
  readonly run: (chain: ChainedCommands) => ChainedCommands;
};

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

/** What the block of the cursor can become. */
export const TURNS: readonly Block[] = [
  { name: "Text", words: "paragraph plain", run: (chain) => chain.clearNodes() },
  { name: "Heading 1", words: "title h1", run: heading(1) },
  { name: "Heading 2", words: "h2", run: heading(2) },
  { name: "Heading 3", words: "h3", run: heading(3) },
  { name: "Bullet list", words: "unordered", run: (chain) => chain.toggleBulletList() },
  { name: "Numbered list", words: "ordered", run: (chain) => chain.toggleOrderedList() },
  { name: "Task list", words: "todo checkbox", run: (chain) => chain.toggleTaskList() },
  { name: "Quote", words: "blockquote", run: (chain) => chain.toggleBlockquote() },
  { name: "Code", words: "pre program", run: (chain) => chain.setCodeBlock() },
];

/** What can be put where the cursor is. */
export const INSERTS: readonly Block[] = [
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

export const BLOCKS: readonly Block[] = [...TURNS, ...INSERTS];

/** Returns the blocks of whose names or words every typed word begins one. */
export function found(query: string): readonly Block[] {
  return BLOCKS.filter(({ name, words }) => wordsBegin(`${name} ${words}`, query));
}

/** What a node is to whoever stands in it; of lists the items say it, so that the innermost counts. */
const NAMES: Readonly<Record<string, string>> = {
  bulletList: "Bullet list",
  orderedList: "Numbered list",
  taskList: "Task list",
  blockquote: "Quote",
  detailsSummary: "Details",
  detailsContent: "Details",
  image: "Image",
  horizontalRule: "Line",
};

/** Returns the name of the block that the cursor is in, or that is selected. */
export function blockAt({ state: { selection } }: Editor): string {
  const { $from } = selection;
  const above = Array.from({ length: $from.depth }, (_, up) => $from.node($from.depth - up));
  const nodes = selection instanceof NodeSelection ? [selection.node, ...above] : above;
  for (const { type, attrs } of nodes) {
    if (type.name === "heading") return `Heading ${attrs.level}`;
    if (type.name === "codeBlock") return attrs.language === CHART ? "Chart" : "Code";
    const name = NAMES[type.name];
    if (name) return name;
  }
  return "Text";
}

/** Whether every word that was typed begins one of the words. */
export function wordsBegin(words: string, typed: string): boolean {
  const own = words.toLowerCase().split(/\s+/);
  const begun = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return begun.every((each) => own.some((word) => word.startsWith(each)));
}
