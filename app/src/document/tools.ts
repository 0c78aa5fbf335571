/** The tools of the bar above the text: buttons, and lists of which one is chosen. */

import type { ChainedCommands, Editor } from "@tiptap/core";
import {
  ArrowDown,
  ArrowUp,
  Baseline,
  Bold,
  Code,
  Highlighter,
  Image,
  Italic,
  Link,
  List,
  ListIndentIncrease,
  ListTodo,
  type LucideIcon,
  Plus,
  Redo2,
  Strikethrough,
  Subscript,
  Superscript,
  Table,
  TextAlignStart,
  Type,
  Underline,
  Undo2,
} from "lucide-react";
import { undoManagerOf } from "./binding";
import { blockAt, type Choice, INSERTS, TURNS } from "./blocks";
import { CHART } from "./charts";
import type {} from "./links";
import { moveBlock } from "./moving";

export type Button = {
  readonly name: string;
  readonly sign: LucideIcon;
  readonly keys?: string;
  readonly run: (editor: Editor) => unknown;
  /** Whether it is on; a button without this is never. */
  readonly isOn?: (editor: Editor) => boolean;
  readonly mayRun?: (editor: Editor) => boolean;
};

export type Chooser = {
  readonly name: string;
  /** Stands for the tool; without one the tool shows what is chosen. */
  readonly sign?: LucideIcon;
  readonly choices: readonly Choice[];
  /** Returns the name of what is chosen, "" for nothing; null where there is nothing to choose. */
  readonly chosen: (editor: Editor) => string | null;
};

export type Tool = (Button | Chooser) & {
  /** Whether a group of tools begins with it. */
  readonly begins?: boolean;
};

const mark = (kind: string, name: string, sign: LucideIcon, keys: string): Button => ({
  name,
  sign,
  keys,
  run: (editor) => editor.chain().focus().toggleMark(kind).run(),
  isOn: (editor) => editor.isActive(kind),
});

/** Choices of the values of one attribute. */
function values<Value>(
  named: Readonly<Record<string, Value>>,
  set: (value: Value) => (chain: ChainedCommands) => ChainedCommands,
): Choice[] {
  return Object.entries(named).map(([name, value]) => ({ name, run: set(value) }));
}

/** Returns the name of a value, or the value itself where it has none, as where another program wrote it. */
function nameIn(named: Readonly<Record<string, string | null | undefined>>, value: unknown): string {
  if (value === undefined) return "";
  return Object.keys(named).find((name) => named[name] === value) ?? String(value ?? "");
}

const COLOURS = {
  "As the text": undefined,
  Red: "#c2302a",
  Orange: "#a85b00",
  Green: "#2c7a35",
  Blue: "#1f5fbf",
  Purple: "#7540b8",
  Grey: "#656d76",
};
const HIGHLIGHTS = {
  "No highlight": undefined,
  "Yellow highlight": null,
  "Red highlight": "#ffc9c5",
  "Green highlight": "#c3ebc8",
  "Blue highlight": "#c5dcff",
  "Purple highlight": "#e2d0fa",
};
const ALIGNMENTS = { Left: null, Centre: "center", Right: "right", Justified: "justify" };
const LANGUAGES: Readonly<Record<string, string | null>> = {
  "No language": null,
  ...Object.fromEntries(
    "bash c cpp css diff go html java javascript json markdown python rust sql typescript yaml"
      .split(" ")
      .concat(CHART)
      .map((name) => [name, name]),
  ),
};

const colour = (kind: string) => (color: string | null | undefined) => (chain: ChainedCommands) =>
  color === undefined ? chain.unsetMark(kind) : chain.setMark(kind, { color });

/** Sinks or lifts the item of whichever list the cursor is in. */
const item = (act: "sinkListItem" | "liftListItem") => (chain: ChainedCommands) =>
  chain.command(({ commands }) => commands[act]("listItem") || commands[act]("taskItem"));

export const TOOLS: readonly Tool[] = [
  { name: "Block", choices: TURNS, chosen: blockAt },
  { name: "Insert", sign: Plus, choices: INSERTS, chosen: () => "" },
  {
    name: "Undo",
    begins: true,
    sign: Undo2,
    keys: "Control+Z",
    run: (editor) => undoManagerOf(editor).undo(),
    mayRun: (editor) => undoManagerOf(editor).canUndo(),
  },
  {
    name: "Redo",
    sign: Redo2,
    keys: "Control+Y",
    run: (editor) => undoManagerOf(editor).redo(),
    mayRun: (editor) => undoManagerOf(editor).canRedo(),
  },
  { ...mark("bold", "Bold", Bold, "Control+B"), begins: true },
  mark("italic", "Italic", Italic, "Control+I"),
  mark("underline", "Underline", Underline, "Control+U"),
  mark("strike", "Strike through", Strikethrough, "Control+Shift+S"),
  mark("code", "Code", Code, "Control+E"),
  mark("subscript", "Subscript", Subscript, "Control+,"),
  mark("superscript", "Superscript", Superscript, "Control+."),
  {
    name: "Link",
    sign: Link,
    keys: "Control+K",
    run: (editor) => editor.commands.editLink(),
    isOn: (editor) => editor.isActive("link"),
  },
  { name: "Move up", begins: true, sign: ArrowUp, keys: "Alt+ArrowUp", run: (editor) => moveBlock(editor, -1) },
  { name: "Move down", sign: ArrowDown, keys: "Alt+ArrowDown", run: (editor) => moveBlock(editor, 1) },
  {
    name: "Colour",
    begins: true,
    sign: Baseline,
    choices: values(COLOURS, colour("textStyle")),
    chosen: (editor) => nameIn(COLOURS, editor.getAttributes("textStyle").color),
  },
  {
    name: "Highlight",
    sign: Highlighter,
    choices: values(HIGHLIGHTS, colour("highlight")),
    chosen: (editor) => nameIn(HIGHLIGHTS, editor.getAttributes("highlight").color),
  },
  {
    name: "Alignment",
    sign: TextAlignStart,
    choices: values<string | null>(
      ALIGNMENTS,
      (textAlign) => (chain) =>
        chain.updateAttributes("paragraph", { textAlign }).updateAttributes("heading", { textAlign }),
    ),
    chosen: (editor) => {
      const { textAlign } = { ...editor.getAttributes("heading"), ...editor.getAttributes("paragraph") };
      return editor.isActive("codeBlock") ? null : nameIn(ALIGNMENTS, textAlign ?? undefined);
    },
  },
  {
    name: "Language",
    begins: true,
    choices: values(LANGUAGES, (language) => (chain) => chain.updateAttributes("codeBlock", { language })),
    chosen: (editor) =>
      editor.isActive("codeBlock") ? nameIn(LANGUAGES, editor.getAttributes("codeBlock").language) : null,
  },
  {
    name: "List",
    begins: true,
    sign: ListIndentIncrease,
    choices: [
      { name: "Indent", run: item("sinkListItem") },
      { name: "Outdent", run: item("liftListItem") },
    ],
    chosen: (editor) => (editor.isActive("listItem") || editor.isActive("taskItem") ? "" : null),
  },
  {
    name: "Table",
    sign: Table,
    choices: [
      { name: "Row above", run: (chain) => chain.addRowBefore() },
      { name: "Row below", run: (chain) => chain.addRowAfter() },
      { name: "Column before", run: (chain) => chain.addColumnBefore() },
      { name: "Column after", run: (chain) => chain.addColumnAfter() },
      { name: "Header row", run: (chain) => chain.toggleHeaderRow() },
      { name: "Merge or split cells", run: (chain) => chain.mergeOrSplit() },
      { name: "Delete the row", run: (chain) => chain.deleteRow() },
      { name: "Delete the column", run: (chain) => chain.deleteColumn() },
      { name: "Delete the table", run: (chain) => chain.deleteTable() },
    ],
    chosen: (editor) => (editor.isActive("table") ? "" : null),
  },
];

/** The tools that a phone shows above the keyboard; the rest is behind one more. */
export const PHONE_TOOLS: readonly Tool[] = [
  toolOf("Insert"),
  { ...toolOf("Block"), sign: Type },
  toolOf("Bold"),
  {
    name: "Bullet list",
    sign: List,
    run: (editor) => editor.chain().focus().toggleBulletList().run(),
    isOn: (editor) => editor.isActive("bulletList"),
  },
  {
    name: "Task list",
    sign: ListTodo,
    run: (editor) => editor.chain().focus().toggleTaskList().run(),
    isOn: (editor) => editor.isActive("taskList"),
  },
  toolOf("Link"),
  { name: "Image", sign: Image, run: (editor) => editor.chain().focus().chooseImages().run() },
  toolOf("Undo"),
];

export const OTHER_PHONE_TOOLS: readonly Tool[] = TOOLS.filter(
  ({ name }) => !PHONE_TOOLS.some((each) => each.name === name),
);

function toolOf(name: string): Tool {
  const found = TOOLS.find((each) => each.name === name);
  if (!found) throw new Error(`there is no tool ${name}`);
  return found;
}
