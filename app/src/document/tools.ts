/** The tools of the bar above the text: buttons, and lists of which one is chosen. */

import type { ChainedCommands, Editor } from "@tiptap/core";
import type { EditorState } from "@tiptap/pm/state";
import { mergeCells, splitCell } from "@tiptap/pm/tables";
import {
  ArrowDown,
  ArrowUp,
  Baseline,
  Bold,
  Code,
  GripVertical,
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
import { blockAt, type Choice, INSERTS, type ToolName, TURNS } from "./blocks";
import { CHART } from "./charts";
import { aligned } from "./formatting_keys";
import { openMenu } from "./held_block";
import type {} from "./links";
import { moveBlock } from "./moving";
import { type Line, mayDeleteLines, mayMoveLines, moveLines } from "./table_moves";
import { alignColumns, freeColumns, widenColumns } from "./tables";

export type Button = {
  readonly name: ToolName;
  readonly sign: LucideIcon;
  readonly keys?: string;
  readonly run: (editor: Editor) => unknown;
  /** Whether it is on; a button without this is never. */
  readonly isOn?: (editor: Editor) => boolean;
  readonly mayRun?: (editor: Editor) => boolean;
};

export type Chooser = {
  readonly name: ToolName;
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

const mark = (kind: string, name: ToolName, sign: LucideIcon, keys: string): Button => ({
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

type Named = Partial<Record<ToolName, string | null | undefined>>;

const COLOURS = {
  defaultColour: undefined,
  red: "#c2302a",
  orange: "#a85b00",
  green: "#2c7a35",
  blue: "#1f5fbf",
  purple: "#7540b8",
  grey: "#656d76",
} satisfies Named;
const HIGHLIGHTS = {
  noHighlight: undefined,
  yellowHighlight: null,
  redHighlight: "#ffc9c5",
  greenHighlight: "#c3ebc8",
  blueHighlight: "#c5dcff",
  purpleHighlight: "#e2d0fa",
} satisfies Named;
const ALIGNMENTS = { left: null, centre: "center", right: "right", justified: "justify" } satisfies Named;
const LANGUAGES: Readonly<Record<string, string | null>> = {
  noLanguage: null,
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

/** Something that is done with a row or a column; `isOfFirst` is for the first one alone. */
type LineChoice = Choice & { readonly isOfFirst?: boolean };

function moving(name: ToolName, line: Line, step: -1 | 1): LineChoice {
  const mayRun = (state: EditorState) => mayMoveLines(state, line, step);
  const run = (chain: ChainedCommands) =>
    chain.command(({ editor, tr, dispatch }) => {
      if (!mayRun(editor.state)) return false;
      if (dispatch) moveLines(editor, line, step);
      tr.setMeta("preventDispatch", true); // it is done in steps of its own
      return true;
    });
  return { name, mayRun, run };
}

const ROW_ADDS: readonly Choice[] = [
  { name: "rowAbove", run: (chain) => chain.addRowBefore() },
  { name: "rowBelow", run: (chain) => chain.addRowAfter() },
];
const COLUMN_ADDS: readonly Choice[] = [
  { name: "columnBefore", run: (chain) => chain.addColumnBefore() },
  { name: "columnAfter", run: (chain) => chain.addColumnAfter() },
];
const ROW_MOVES = [moving("rowUp", "row", -1), moving("rowDown", "row", 1)];
const COLUMN_MOVES = [moving("columnLeft", "column", -1), moving("columnRight", "column", 1)];
const HEADER_ROW: LineChoice = { name: "headerRow", isOfFirst: true, run: (chain) => chain.toggleHeaderRow() };
const HEADER_COLUMN: LineChoice = {
  name: "headerColumn",
  isOfFirst: true,
  run: (chain) => chain.toggleHeaderColumn(),
};
const COLUMN_LOOKS: readonly Choice[] = [
  { name: "alignLeft", run: alignColumns(null) },
  { name: "alignCentre", run: alignColumns("center") },
  { name: "alignRight", run: alignColumns("right") },
  { name: "wider", run: widenColumns(1) },
  { name: "narrower", run: widenColumns(-1) },
];
const DELETE_ROW: Choice = {
  name: "deleteRow",
  mayRun: (state) => mayDeleteLines(state, "row"),
  run: (chain) => chain.deleteRow(),
};
const DELETE_COLUMN: Choice = {
  name: "deleteColumn",
  mayRun: (state) => mayDeleteLines(state, "column"),
  run: (chain) => chain.deleteColumn(),
};

/** What the handle of a row offers. */
export const ROW_CHOICES: readonly LineChoice[] = [...ROW_ADDS, ...ROW_MOVES, HEADER_ROW, DELETE_ROW];
/** What the handle of a column offers. */
export const COLUMN_CHOICES: readonly LineChoice[] = [
  ...COLUMN_ADDS,
  ...COLUMN_MOVES,
  HEADER_COLUMN,
  ...COLUMN_LOOKS,
  DELETE_COLUMN,
];

const TABLE_CHOICES: readonly Choice[] = [
  ...ROW_ADDS,
  ...COLUMN_ADDS,
  ...ROW_MOVES,
  ...COLUMN_MOVES,
  HEADER_ROW,
  HEADER_COLUMN,
  ...COLUMN_LOOKS,
  { name: "freeWidths", run: freeColumns },
  {
    name: "mergeOrSplit",
    mayRun: (state) => mergeCells(state) || splitCell(state),
    run: (chain) => chain.mergeOrSplit(),
  },
  DELETE_ROW,
  DELETE_COLUMN,
  { name: "deleteTable", run: (chain) => chain.deleteTable() },
];

export const TOOLS: readonly Tool[] = [
  { name: "block", choices: TURNS, chosen: blockAt },
  { name: "insert", sign: Plus, choices: INSERTS, chosen: () => "" },
  {
    name: "undo",
    begins: true,
    sign: Undo2,
    keys: "Control+Z",
    run: (editor) => undoManagerOf(editor).undo(),
    mayRun: (editor) => undoManagerOf(editor).canUndo(),
  },
  {
    name: "redo",
    sign: Redo2,
    keys: "Control+Y",
    run: (editor) => undoManagerOf(editor).redo(),
    mayRun: (editor) => undoManagerOf(editor).canRedo(),
  },
  { ...mark("bold", "bold", Bold, "Control+B"), begins: true },
  mark("italic", "italic", Italic, "Control+I"),
  mark("underline", "underline", Underline, "Control+U"),
  mark("strike", "strike", Strikethrough, "Control+Shift+S"),
  mark("code", "code", Code, "Control+E"),
  mark("subscript", "subscript", Subscript, "Control+,"),
  mark("superscript", "superscript", Superscript, "Control+."),
  {
    name: "link",
    sign: Link,
    keys: "Control+K",
    run: (editor) => editor.commands.editLink(),
    isOn: (editor) => editor.isActive("link"),
  },
  { name: "moveUp", begins: true, sign: ArrowUp, keys: "Alt+ArrowUp", run: (editor) => moveBlock(editor, -1) },
  { name: "moveDown", sign: ArrowDown, keys: "Alt+ArrowDown", run: (editor) => moveBlock(editor, 1) },
  {
    name: "colour",
    begins: true,
    sign: Baseline,
    choices: values(COLOURS, colour("textStyle")),
    chosen: (editor) => nameIn(COLOURS, editor.getAttributes("textStyle").color),
  },
  {
    name: "highlight",
    sign: Highlighter,
    choices: values(HIGHLIGHTS, colour("highlight")),
    chosen: (editor) => nameIn(HIGHLIGHTS, editor.getAttributes("highlight").color),
  },
  {
    name: "alignment",
    sign: TextAlignStart,
    choices: values<string | null>(ALIGNMENTS, aligned),
    chosen: (editor) => {
      const { textAlign } = { ...editor.getAttributes("heading"), ...editor.getAttributes("paragraph") };
      const { align } = editor.getAttributes("image");
      return editor.isActive("codeBlock") ? null : nameIn(ALIGNMENTS, align ?? textAlign ?? undefined);
    },
  },
  {
    name: "language",
    begins: true,
    choices: values(LANGUAGES, (language) => (chain) => chain.updateAttributes("codeBlock", { language })),
    chosen: (editor) =>
      editor.isActive("codeBlock") ? nameIn(LANGUAGES, editor.getAttributes("codeBlock").language) : null,
  },
  {
    name: "list",
    begins: true,
    sign: ListIndentIncrease,
    choices: [
      { name: "indent", run: item("sinkListItem") },
      { name: "outdent", run: item("liftListItem") },
    ],
    chosen: (editor) => (editor.isActive("listItem") || editor.isActive("taskItem") ? "" : null),
  },
  {
    name: "table",
    sign: Table,
    choices: TABLE_CHOICES,
    chosen: (editor) => (editor.isActive("table") ? "" : null),
  },
];

/** The tools at a selection. */
export const SELECTION_TOOLS: readonly Tool[] = [
  { ...toolOf("bold"), begins: false },
  toolOf("italic"),
  toolOf("strike"),
  toolOf("code"),
  { ...toolOf("link"), begins: true },
];

/** The tools that a phone shows above the keyboard; the rest is behind one more. */
export const PHONE_TOOLS: readonly Tool[] = [
  toolOf("insert"),
  { ...toolOf("block"), sign: Type },
  toolOf("bold"),
  {
    name: "bulletList",
    sign: List,
    run: (editor) => editor.chain().focus().toggleBulletList().run(),
    isOn: (editor) => editor.isActive("bulletList"),
  },
  {
    name: "taskList",
    sign: ListTodo,
    run: (editor) => editor.chain().focus().toggleTaskList().run(),
    isOn: (editor) => editor.isActive("taskList"),
  },
  toolOf("link"),
  { name: "image", sign: Image, run: (editor) => editor.chain().focus().chooseImages().run() },
  toolOf("undo"),
];

export const OTHER_PHONE_TOOLS: readonly Tool[] = [
  ...TOOLS.filter(({ name }) => !PHONE_TOOLS.some((each) => each.name === name)),
  { name: "blockMenu", begins: true, sign: GripVertical, keys: "Control+Shift+Enter", run: openMenu },
];

function toolOf(name: ToolName): Tool {
  const found = TOOLS.find((each) => each.name === name);
  if (!found) throw new Error(`there is no tool ${name}`);
  return found;
}
