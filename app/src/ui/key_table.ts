/** A key of the application. `press` binds it; a key without one is bound by the list, tree or editor that it is of. */
export type Key = {
  where: "everywhere" | "list" | "tree" | "document";
  shown: string;
  does: string;
  /** The key as `pressed` names it, or two that are pressed one after the other. */
  press?: string;
};

/** Every key of the application: what binds them, and what `?` and docs/app.md show. */
export const KEYS = {
  palette: { where: "everywhere", press: "Mod+k", shown: "Ctrl + K, ⌘ K", does: "find, go, do: the command palette" },
  search: { where: "everywhere", press: "/", shown: "/", does: "search" },
  keys: { where: "everywhere", press: "?", shown: "?", does: "show the keys" },
  home: { where: "everywhere", press: "g h", shown: "G, then H", does: "go home" },
  shared: { where: "everywhere", press: "g s", shown: "G, then S", does: "go to what is shared with you" },
  recent: { where: "everywhere", press: "g r", shown: "G, then R", does: "go to what is recent" },
  trash: { where: "everywhere", press: "g t", shown: "G, then T", does: "go to the trash" },
  agents: { where: "everywhere", press: "g a", shown: "G, then A", does: "go to your agents" },
  walk: { where: "list", shown: "↑ ↓ Page Up, Page Down, Home, End", does: "go through the list" },
  find: { where: "list", shown: "letters", does: "go to the next name that begins with them" },
  select: { where: "list", shown: "Space, Shift + ↑ ↓, Ctrl + A", does: "select; Escape selects nothing" },
  open: { where: "list", shown: "Enter", does: "open" },
  newDocument: { where: "list", press: "n", shown: "N", does: "new document" },
  newFolder: { where: "list", press: "Shift+N", shown: "Shift + N", does: "new folder" },
  rename: { where: "list", press: "F2", shown: "F2", does: "rename" },
  share: { where: "list", press: "s", shown: "S", does: "share" },
  move: { where: "list", press: "m", shown: "M", does: "move" },
  discard: {
    where: "list",
    press: "Delete",
    shown: "Delete",
    does: "move to the trash, or there delete for ever: all that is selected, or the item with the cursor",
  },
  menu: { where: "list", shown: "Shift + F10", does: "the menu of the item" },
  places: { where: "tree", shown: "↑ ↓ Home, End, letters", does: "go through the drives and folders" },
  unfold: { where: "tree", shown: "→ ←", does: "unfold and fold; go to what lies in it, or to what it lies in" },
  visit: { where: "tree", shown: "Enter", does: "open; where something is moved, choose" },
  blocks: { where: "document", shown: "/", does: "offer blocks, at the beginning of a word" },
  people: { where: "document", shown: "@", does: "offer people to mention, at the beginning of a word" },
  link: {
    where: "document",
    shown: "Ctrl + K",
    does: "link the selected text, or change the link that the cursor is in",
  },
  openLink: {
    where: "document",
    shown: "Alt + Enter, Ctrl or ⌘ + click",
    does: "open the link, of the cursor or the click",
  },
  moveBlock: { where: "document", shown: "Alt + ↑ ↓", does: "move the block or the item of the list" },
  tick: { where: "document", shown: "Ctrl + Enter", does: "tick the task, or no longer; leave code" },
  authors: { where: "document", shown: "Ctrl + Alt + B", does: "tell who wrote what, or no longer" },
  tools: { where: "document", shown: "Alt + F10", does: "go to the bar above the text; Escape goes back" },
} as const satisfies Record<string, Key>;

type Table = typeof KEYS;
/** The keys that are bound wherever the keyboard is. */
export type GlobalKey = {
  [Name in keyof Table]: Table[Name]["where"] extends "everywhere" ? Name : never;
}[keyof Table];
