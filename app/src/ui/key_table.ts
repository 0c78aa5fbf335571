/** A key of the application. `press` binds it; a key without one is bound by the list, tree or editor that it is of. */
export type Key = {
  where: "everywhere" | "list" | "tree" | "document";
  /** The key as `pressed` names it, or two that are pressed one after the other. */
  press?: string;
};

/** Every key of the application: what binds them. `?` and docs/app.md show them in this order, with the words of the catalogue. */
export const KEYS = {
  palette: { where: "everywhere", press: "Mod+k" },
  search: { where: "everywhere", press: "/" },
  keys: { where: "everywhere", press: "?" },
  home: { where: "everywhere", press: "g h" },
  shared: { where: "everywhere", press: "g s" },
  recent: { where: "everywhere", press: "g r" },
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
  move: { where: "list", press: "m" },
  discard: { where: "list", press: "Delete" },
  menu: { where: "list" },
  places: { where: "tree" },
  unfold: { where: "tree" },
  visit: { where: "tree" },
  blocks: { where: "document" },
  people: { where: "document" },
  pastePlain: { where: "document" },
  link: { where: "document" },
  openLink: { where: "document" },
  moveBlock: { where: "document" },
  tick: { where: "document" },
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
