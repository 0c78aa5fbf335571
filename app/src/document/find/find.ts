/**
 * Words that are looked for in the text, drawn over it and replaced.
 *
 * Finding writes nothing. After a change, its own or another's, only the blocks that changed are read again. The package
 * prosemirror-search reads the whole document at each change of text or selection.
 */

import { type Editor, Extension } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { Plugin, PluginKey } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import { changedIn } from "../changed";

export type Query = {
  readonly words: string;
  readonly matchesCase: boolean;
  readonly isWhole: boolean;
};

type Match = { readonly from: number; readonly to: number };

type Found = {
  readonly pattern: RegExp;
  /** In the order of the text. */
  readonly matches: readonly Match[];
  /** Which of them is the current one; -1 for none. */
  readonly at: number;
  readonly drawn: DecorationSet;
};

/** What is looked for from now on, which match is the current one, or the place from which on it is the first. */
type Asked = { readonly query: Query | null } | { readonly at: number } | { readonly from: number };

const MAX_DRAWN = 500; // matches: those around the current one
const OBJECT = "\ufffc"; // stands for what is no text
const LETTER = "[\\p{L}\\p{M}\\p{N}_]";
const FIND = new PluginKey<Found | null>("find");

export const Find = Extension.create({
  name: "find",
  addProseMirrorPlugins: () => [
    new Plugin<Found | null>({
      key: FIND,
      state: {
        init: () => null,
        apply: (transaction, found, { doc: before }, { doc, selection }) => {
          const asked: Asked | undefined = transaction.getMeta(FIND);
          if (asked && "query" in asked) return asked.query && started(asked.query, doc, selection.from);
          const present = found && before !== doc ? followed(found, before, doc) : found;
          if (!asked || !present) return present;
          const at = "at" in asked ? asked.at : firstFrom(present.matches, asked.from, 0);
          return drawn(doc, present.pattern, present.matches, at);
        },
      },
      props: { decorations: (state) => FIND.getState(state)?.drawn },
    }),
  ],
});

/** Looks for words; null for nothing. The first match from the caret on is the current one. */
export function find({ state, view }: Editor, query: Query | null) {
  view.dispatch(state.tr.setMeta(FIND, { query: query?.words ? query : null }));
}

/** Returns how many matches there are, and which of them is the current one; null where nothing is looked for. */
export function foundIn({ state }: Editor): { at: number; count: number } | null {
  const found = FIND.getState(state);
  return found ? { at: found.at, count: found.matches.length } : null;
}

/** Makes the match so many steps on the current one; behind the last one is the first. */
export function step({ state, view }: Editor, steps: number) {
  const found = FIND.getState(state);
  const count = found?.matches.length;
  if (!found || !count) return;
  const from = found.at < 0 && steps < 0 ? 0 : found.at;
  view.dispatch(state.tr.setMeta(FIND, { at: (from + steps + count) % count }));
}

/** Writes something in the place of the current match, and goes to the one behind it. */
export function replaceOne({ state, view, isEditable }: Editor, words: string) {
  const match = currentOf(FIND.getState(state));
  if (!match || !isEditable) return;
  const { tr } = state;
  replace(tr, match, words);
  view.dispatch(tr.setMeta(FIND, { from: match.from + words.length }));
}

/** Writes something in the place of every match, as one step to undo; returns how many there were. */
export function replaceAll({ state, view, isEditable }: Editor, words: string): number {
  const matches = FIND.getState(state)?.matches ?? [];
  if (!matches.length || !isEditable) return 0;
  const { tr } = state;
  for (const match of matches.toReversed()) replace(tr, match, words);
  view.dispatch(tr);
  return matches.length;
}

/** Scrolls to the current match, and opens the details that it is in. */
export function reveal({ view }: Editor) {
  const { dom } = view;
  const element = dom.querySelector<HTMLElement>(".found-current");
  if (!element) return;
  const focused = dom.ownerDocument.activeElement;
  for (let each = element.parentElement; each && each !== dom; each = each.parentElement) {
    if (each.dataset.type !== "details" || each.classList.contains("is-open")) continue;
    each.querySelector<HTMLElement>(":scope > button")?.click();
    // the button gives the keyboard to the text in the next frame
    requestAnimationFrame(() => focused instanceof HTMLElement && focused.focus({ preventScroll: true }));
  }
  element.scrollIntoView({ block: "center", inline: "nearest" });
}

/** Ends finding: the current match is selected, and the text has the keyboard. */
export function leave(editor: Editor) {
  const match = currentOf(FIND.getState(editor.state));
  find(editor, null);
  if (match) editor.commands.setTextSelection(match);
  if (editor.isEditable) editor.view.focus();
  else editor.view.dom.closest("main")?.focus({ preventScroll: true });
}

function started(query: Query, doc: Node, caret: number): Found {
  const pattern = patternOf(query);
  const matches = matchesIn(doc, 0, doc.content.size, pattern);
  return drawn(doc, pattern, matches, firstFrom(matches, caret, 0));
}

/** Returns what is found after a change: in the blocks that changed anew, and elsewhere as before. */
function followed(found: Found, before: Node, doc: Node): Found {
  const changed = changedIn(before, doc);
  if (!changed) return found;
  const { from, beforeTo, to } = changed;
  const moved = doc.content.size - before.content.size;
  const first = blockEdge(before, from, -1);
  const last = blockEdge(before, beforeTo, 1);
  const matches = [
    ...found.matches.filter((each) => each.from < first),
    ...matchesIn(doc, first, blockEdge(doc, to, 1), found.pattern),
    ...found.matches
      .filter((each) => each.from >= last)
      .map((each) => ({ from: each.from + moved, to: each.to + moved })),
  ];
  const place = currentOf(found)?.from;
  if (place === undefined) return drawn(doc, found.pattern, matches, -1);
  const present = place <= from ? place : place >= beforeTo ? place + moved : from;
  return drawn(doc, found.pattern, matches, firstFrom(matches, present, matches.length - 1));
}

function drawn(doc: Node, pattern: RegExp, matches: readonly Match[], at: number): Found {
  const first = Math.max(0, Math.min(at - MAX_DRAWN / 2, matches.length - MAX_DRAWN));
  const decorations = matches
    .slice(first, first + MAX_DRAWN)
    .map(({ from, to }, index) =>
      Decoration.inline(from, to, { class: first + index === at ? "found found-current" : "found" }),
    );
  return { pattern, matches, at, drawn: DecorationSet.create(doc, decorations) };
}

function patternOf({ words, matchesCase, isWhole }: Query): RegExp {
  const literal = words.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replace(/[ \u00a0]/g, "[ \\u00a0]");
  return new RegExp(isWhole ? `(?<!${LETTER})${literal}(?!${LETTER})` : literal, matchesCase ? "gu" : "giu");
}

/** Returns the matches in the blocks of a stretch; what the editor does not know is not looked through. */
function matchesIn(doc: Node, from: number, to: number, pattern: RegExp): Match[] {
  const found: Match[] = [];
  doc.nodesBetween(from, to, (node, at) => {
    if (!node.isTextblock || node.isAtom) return !node.isAtom;
    for (const { index, 0: words } of textOf(node).matchAll(pattern))
      found.push({ from: at + 1 + index, to: at + 1 + index + words.length });
    return false;
  });
  return found;
}

/** The text of a block, in which each place is that of the document. */
function textOf(block: Node): string {
  return block.children.map((child) => child.text ?? OBJECT.repeat(child.nodeSize)).join("");
}

/** The edge of the outermost block at a place. */
function blockEdge(doc: Node, at: number, side: -1 | 1): number {
  const place = doc.resolve(at);
  if (!place.depth) return at;
  return side < 0 ? place.before(1) : place.after(1);
}

function currentOf(found: Found | null | undefined): Match | undefined {
  return found?.matches[found.at];
}

/** The first match from a place on, or another one where there is none; -1 where there are no matches. */
function firstFrom(matches: readonly Match[], place: number, otherwise: number): number {
  const first = matches.findIndex(({ from }) => from >= place);
  return first < 0 ? Math.min(otherwise, matches.length - 1) : first;
}

/** The words are as the first letter that they replace: bold, a link. */
function replace(tr: Editor["state"]["tr"], { from, to }: Match, words: string) {
  if (words) tr.replaceWith(from, to, tr.doc.type.schema.text(words, tr.doc.nodeAt(from)?.marks ?? []));
  else tr.delete(from, to);
}
