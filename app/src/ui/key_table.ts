/** A key of the application. `press` binds it; a key without one is bound by the list, tree or editor that it is of, which `keys` names. */
export type Key = {
  where: "everywhere" | "list" | "tree" | "page" | "document";
  /** The key as `pressed` names it, or two that are pressed one after the other. */
  press?: string;
  /** The keys of the editor, as its keymaps name them. */
  keys?: readonly string[];
};

/** Every key of the application: what binds them. `?` and docs/app.md show them in this order, with the words of the catalogue. */
export const KEYS = {
  palette: { where: "everywhere", press: "Mod+k" },
  search: { where: "everywhere", press: "/" },
  keys: { where: "everywhere", press: "?" },
  home: { where: "everywhere", press: "g h" },
  shared: { where: "everywhere", press: "g s" },
  recent: { where: "everywhere", press: "g r" },
  starred: { where: "everywhere", press: "g f" },
  trash: { where: "everywhere", press: "g t" },
  agents: { where: "everywhere", press: "g a" },
  walk: { where: "list" },
  find: { where: "list" },
  select: { where: "list" },
  open: { where: "list" },
  newDocument: { where: "list", press: "n" },
  newFolder: { where: "list", press: "Shift+N" },
  rename: { where: "list", press: "F2" },
  share: { where: "list", press: "s" },
  star: { where: "list", press: "Shift+S" },
  move: { where: "list", press: "m" },
  discard: { where: "list", press: "Delete" },
  menu: { where: "list" },
  places: { where: "tree" },
  unfold: { where: "tree" },
  visit: { where: "tree" },
  treeMenu: { where: "tree" },
  renamePage: { where: "page", press: "F2" },
  sharePage: { where: "page", press: "s" },
  publishPage: { where: "page", press: "p" },
  starPage: { where: "page", press: "Shift+S" },
  movePage: { where: "page", press: "m" },
  copyPage: { where: "page", press: "d" },
  copyMarkdown: { where: "page", press: "c" },
  print: { where: "page" },
  download: { where: "page", press: "Shift+D" },
  discardPage: { where: "page", press: "Shift+Delete" },
  blocks: { where: "document" },
  people: { where: "document" },
  emoji: { where: "document" },
  linkItem: { where: "document" },
  pastePlain: { where: "document" },
  text: { where: "document", keys: ["Mod-Alt-0"] },
  headings: { where: "document", keys: ["Mod-Alt-1", "Mod-Alt-2", "Mod-Alt-3", "Mod-Alt-4", "Mod-Alt-5", "Mod-Alt-6"] },
  lists: { where: "document", keys: ["Mod-Shift-7", "Mod-Shift-8", "Mod-Shift-9"] },
  quote: { where: "document", keys: ["Mod-Shift-b"] },
  codeBlock: { where: "document", keys: ["Mod-Alt-c"] },
  marks: { where: "document", keys: ["Mod-b", "Mod-i", "Mod-u"] },
  strike: { where: "document", keys: ["Mod-Shift-s"] },
  code: { where: "document", keys: ["Mod-e"] },
  highlight: { where: "document", keys: ["Mod-Shift-h"] },
  small: { where: "document", keys: ["Mod-,", "Mod-."] },
  clear: { where: "document", keys: ["Mod-\\"] },
  align: { where: "document", keys: ["Mod-Shift-l", "Mod-Shift-e", "Mod-Shift-r", "Mod-Shift-j"] },
  link: { where: "document", keys: ["Mod-k"] },
  openLink: { where: "document", keys: ["Alt-Enter"] },
  blockMenu: { where: "document", keys: ["Mod-Shift-Enter"] },
  moveBlock: { where: "document", keys: ["Alt-ArrowUp", "Alt-ArrowDown"] },
  indent: { where: "document", keys: ["Tab", "Shift-Tab"] },
  leave: { where: "document" },
  newLine: { where: "document", keys: ["Shift-Enter"] },
  tick: { where: "document", keys: ["Mod-Enter"] },
  end: { where: "document", keys: ["Mod-End", "Meta-ArrowDown"] },
  undo: { where: "document", keys: ["Mod-z"] },
  redo: { where: "document", keys: ["Mod-y", "Shift-Mod-z"] },
  findWords: { where: "document" },
  replaceWords: { where: "document" },
  save: { where: "document" },
  authors: { where: "document" },
  tools: { where: "document" },
} as const satisfies Record<string, Key>;

type Table = typeof KEYS;
export type KeyName = keyof Table;
/** The keys that are bound wherever the keyboard is. */
export type GlobalKey = {
  [Name in keyof Table]: Table[Name]["where"] extends "everywhere" ? Name : never;
}[keyof Table];

/** Return the names of the keys of a place, in their order. */
export function keysIn(place: Key["where"]): KeyName[] {
  return (Object.keys(KEYS) as KeyName[]).filter((name) => KEYS[name].where === place);
}
