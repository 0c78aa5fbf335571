/** Binds the keys that work on every screen. */

import { createContext, type ReactNode, useContext, useEffect, useLayoutEffect, useRef, useState } from "react";
import { type GlobalKey, KEYS } from "./key_table";

const SETTING = "single-keys";
const WAIT = 5_000; // milliseconds in which the second of two keys is pressed

type Bound = Partial<Record<GlobalKey, () => void>>;
type Pressed = Pick<KeyboardEvent, "key" | "target">;

const NAMES = new Map(
  Object.entries(KEYS).flatMap(([name, { where, ...key }]) =>
    where === "everywhere" && "press" in key ? [[key.press as string, name as GlobalKey]] : [],
  ),
);
const FIRSTS = new Set([...NAMES.keys()].flatMap((press) => (press.includes(" ") ? [press.split(" ")[0]] : [])));

/** The keys that were pressed, of which two can be one command. */
export class KeySequence {
  private first: { key: string; at: number } | null = null;

  /** Whether a key is one of every screen, or begins or ends one: a list or a tree leaves it to them. */
  readonly takes = ({ key, target }: Pressed): boolean =>
    hasSingleKeys() && !isInDialog(target) && (this.waiting() !== null || FIRSTS.has(key) || NAMES.has(key));

  /** Take a key that was pressed; returns what is run for it, "first" where it waits for another, null where it is no key of ours. */
  press(event: KeyboardEvent): GlobalKey | "first" | null {
    if (event.defaultPrevented || event.altKey || /^(Shift|Control|Meta|Alt)$/.test(event.key)) return null;
    const isCommand = event.ctrlKey || event.metaKey;
    const before = isCommand ? null : this.waiting();
    this.first = null;
    if (isInDialog(event.target)) return null;
    if (isCommand ? isSelectedText(event.target) : isWriting(event.target) || !hasSingleKeys()) return null;
    const key = isCommand ? `Mod+${event.key.toLowerCase()}` : event.key;
    const name = NAMES.get(before ? `${before} ${key}` : key);
    if (name) return name;
    if (before || !FIRSTS.has(key)) return null;
    this.first = { key, at: performance.now() };
    return "first";
  }

  private waiting(): string | null {
    return this.first && performance.now() - this.first.at < WAIT ? this.first.key : null;
  }
}

const Context = createContext<KeySequence | null>(null);

/** Runs what is `bound` to keys, wherever in the page they are pressed. */
export function KeysProvider({ bound, children }: { bound: Bound; children: ReactNode }) {
  const [sequence] = useState(() => new KeySequence());
  useKeydown((event) => {
    const found = sequence.press(event);
    if (found === null) return;
    if (found !== "first") bound[found]?.();
    event.preventDefault();
  });
  return <Context value={sequence}>{children}</Context>;
}

/** Return what tells which keys a list or a tree leaves to the whole page. */
export function useIsOfEveryScreen(): (pressed: Pressed) => boolean {
  return useContext(Context)?.takes ?? (() => false);
}

/** Runs what is `bound` to keys that are named as in `KEYS`, while a screen is shown; text is written with all but those like `F2`. */
export function useKeys(bound: Readonly<Record<string, () => void>>) {
  const isOfEveryScreen = useIsOfEveryScreen();
  useKeydown((event) => {
    const { key, target } = event;
    const run = bound[`${event.shiftKey ? "Shift+" : ""}${key}`];
    if (!run || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isInDialog(target) || isOfEveryScreen(event) || (isWriting(target) && !/^F\d/.test(key))) return;
    if (key.length === 1 && !hasSingleKeys()) return;
    run();
    event.preventDefault();
  });
}

/** Calls what was given last for each key that is pressed, wherever in the page. */
export function useKeydown(hear: (event: KeyboardEvent) => void) {
  const present = useRef(hear);
  useLayoutEffect(() => {
    present.current = hear;
  });
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => present.current(event);
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
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
