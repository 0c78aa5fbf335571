/** What can be put into a document, once: the menu of blocks and the toolbar offer the same. */

import type { ChainedCommands, Editor } from "@tiptap/core";
import { type EditorState, NodeSelection } from "@tiptap/pm/state";
import {
  ChartColumn,
  Code,
  Heading1,
  Heading2,
  Heading3,
  Image,
  List,
  ListCollapse,
  ListOrdered,
  ListTodo,
  type LucideIcon,
  Minus,
  Pilcrow,
  Table,
  TextQuote,
} from "lucide-react";
import { type Messages, t } from "../messages/messages";
import { CHART } from "./charts";
import type {} from "./uploads";

/** A tool, a block, or what one of them can be set to, as the catalogue names it. */
export type ToolName = keyof Messages["tools"];

export type Choice = {
  /** A `ToolName`, or what has the same name in all languages, such as a language of code. */
  readonly name: string;
  readonly run: (chain: ChainedCommands) => ChainedCommands;
  /** Whether it does anything now; without this it always does. */
  readonly mayRun?: (state: EditorState) => boolean;
};

export type Block = Choice & {
  readonly name: keyof Messages["blockWords"];
  readonly sign: LucideIcon;
  /** As the keymap of the editor has them. */
  readonly keys?: string;
};

/** Return the words for a choice. */
export function toolLabel(name: string): string {
  return Object.hasOwn(t.tools, name) ? t.tools[name as ToolName] : name;
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
  { name: "text", sign: Pilcrow, keys: "Mod-Alt-0", run: (chain) => chain.clearNodes() },
  { name: "heading1", sign: Heading1, keys: "Mod-Alt-1", run: heading(1) },
  { name: "heading2", sign: Heading2, keys: "Mod-Alt-2", run: heading(2) },
  { name: "heading3", sign: Heading3, keys: "Mod-Alt-3", run: heading(3) },
  { name: "bulletList", sign: List, keys: "Mod-Shift-8", run: (chain) => chain.toggleBulletList() },
  { name: "orderedList", sign: ListOrdered, keys: "Mod-Shift-7", run: (chain) => chain.toggleOrderedList() },
  { name: "taskList", sign: ListTodo, keys: "Mod-Shift-9", run: (chain) => chain.toggleTaskList() },
  { name: "quote", sign: TextQuote, keys: "Mod-Shift-b", run: (chain) => chain.toggleBlockquote() },
  { name: "code", sign: Code, keys: "Mod-Alt-c", run: (chain) => chain.setCodeBlock() },
];

/** What can be put where the cursor is. */
export const INSERTS: readonly Block[] = [
  {
    name: "table",
    sign: Table,
    run: (chain) => chain.insertTable({ rows: 3, cols: 3, withHeaderRow: true }),
  },
  { name: "details", sign: ListCollapse, run: (chain) => chain.setDetails() },
  { name: "image", sign: Image, run: (chain) => chain.chooseImages() },
  { name: "line", sign: Minus, run: (chain) => chain.setHorizontalRule() },
  {
    name: "chart",
    sign: ChartColumn,
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
  return BLOCKS.filter(({ name }) => wordsBegin(`${toolLabel(name)} ${t.blockWords[name]}`, query));
}

/** What a node is to whoever stands in it; of lists the items say it, so that the innermost counts. */
const NAMES: Readonly<Record<string, ToolName>> = {
  bulletList: "bulletList",
  orderedList: "orderedList",
  taskList: "taskList",
  blockquote: "quote",
  detailsSummary: "details",
  detailsContent: "details",
  image: "image",
  horizontalRule: "line",
};

/** Returns the name of the block that the cursor is in, or that is selected. */
export function blockAt({ state: { selection } }: Editor): string {
  const { $from } = selection;
  const above = Array.from({ length: $from.depth }, (_, up) => $from.node($from.depth - up));
  const nodes = selection instanceof NodeSelection ? [selection.node, ...above] : above;
  for (const { type, attrs } of nodes) {
    if (type.name === "heading") return `heading${attrs.level}`;
    if (type.name === "codeBlock") return attrs.language === CHART ? "chart" : "code";
    const name = NAMES[type.name];
    if (name) return name;
  }
  return "text";
}

/** Whether every word that was typed begins one of the words. */
export function wordsBegin(words: string, typed: string): boolean {
  const own = words.toLowerCase().split(/\s+/);
  const begun = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return begun.every((each) => own.some((word) => word.startsWith(each)));
}
