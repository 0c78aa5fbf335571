/** Binds the keys that work on every screen. */

import { useEffect, useRef } from "react";
import { type GlobalKey, KEYS } from "./table";

const SETTING = "single-keys";
const WAIT = 5_000; // milliseconds in which the second of two keys is pressed

type Bound = Partial<Record<GlobalKey, () => void>>;

const bindings = new Set<{ current: Bound }>();
let first: { key: string; at: number } | null = null;

const NAMES = new Map(
  Object.entries(KEYS).flatMap(([name, { where, ...key }]) =>
    where === "everywhere" && "press" in key ? [[key.press as string, name as GlobalKey]] : [],
  ),
);
const FIRSTS = new Set([...NAMES.keys()].flatMap((press) => (press.includes(" ") ? [press.split(" ")[0]] : [])));

/** Run a function for a key that works on every screen, while the component that asks for it is shown. */
export function useKeys(bound: Bound) {
  const present = useRef(bound);
  present.current = bound;
  useEffect(() => {
    if (!bindings.size) addEventListener("keydown", hear);
    bindings.add(present);
    return () => {
      bindings.delete(present);
      if (!bindings.size) removeEventListener("keydown", hear);
    };
  }, []);
}

/** Whether keys of a single character do something (WCAG 2.1.4): each person decides in each browser. */
export function hasSingleKeys(): boolean {
  return localStorage.getItem(SETTING) !== "off";
}

export function setSingleKeys(isOn: boolean) {
  if (isOn) localStorage.removeItem(SETTING);
  else localStorage.setItem(SETTING, "off");
}

/** Whether a key is one of every screen, or begins or ends one: a list or a tree leaves it to them. */
export function isOfEveryScreen({ key, target }: Pressed): boolean {
  return hasSingleKeys() && !isInDialog(target) && (waiting() !== null || FIRSTS.has(key) || NAMES.has(key));
}

type Pressed = Pick<KeyboardEvent, "key" | "target">;

function waiting(): string | null {
  return first && performance.now() - first.at < WAIT ? first.key : null;
}

function hear(event: KeyboardEvent) {
  if (event.defaultPrevented || event.altKey || /^(Shift|Control|Meta|Alt)$/.test(event.key)) return;
  const isCommand = event.ctrlKey || event.metaKey;
  const before = isCommand ? null : waiting();
  first = null;
  if (isInDialog(event.target)) return;
  if (isCommand ? isSelectedText(event.target) : isWriting(event.target) || !hasSingleKeys()) return;
  const key = isCommand ? `Mod+${event.key.toLowerCase()}` : event.key;
  const name = NAMES.get(before ? `${before} ${key}` : key);
  const run = name && [...bindings].flatMap(({ current }) => current[name] ?? [])[0];
  if (run) run();
  else if (!before && FIRSTS.has(key)) first = { key, at: performance.now() };
  else return;
  event.preventDefault();
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("[role=dialog], [role=alertdialog], [role=menu]") !== null;
}

/** Whether keys that are pressed there write text. */
function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName))
  );
}

/** Whether text of a document is selected, which keys with Ctrl or ⌘ are for then. */
function isSelectedText(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.isContentEditable && getSelection()?.isCollapsed === false;
}
