/**
 * The blame of one open document: who wrote each run of what is in view, letter by letter.
 *
 * The server says whose a letter is. What it has not said yet is one's own, or that of the person whose client is in
 * awareness; for the rest the server is asked again. Only blocks in view are drawn, so that documents of any length stay
 * quick.
 */

import type { Editor } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import type { EditorState } from "@tiptap/pm/state";
import { Decoration, type DecorationSet, type EditorView } from "@tiptap/pm/view";
import { ySyncPluginKey } from "y-prosemirror";
import type { Awareness } from "y-protocols/awareness";
import * as Y from "yjs";
import { boot } from "../../boot";
import { ask, failure } from "../../graphql/ask";
import { follow } from "../../graphql/changes";
import type { Failure } from "../../graphql/client";
import { DocumentCredits } from "../../graphql/generated";
import { type AuthorName, nameOf } from "../../ui/authors";
import { colourOf } from "../../ui/people.ts";
import type { Person } from "../carets.ts";
import { type Credit, Credits, keyOf } from "./credits.ts";
import { drawing, drawnIn, type Overlay } from "./layer.ts";
import { type Letters, lettersOf, shownChildren } from "./letters.ts";

/** A run of letters of one author; `at` is when its newest letter was written. */
interface Run extends Credit {
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

/** The authors of some blocks that follow each other, in the order in which they come. */
export interface Note {
  readonly credits: readonly Credit[];
  readonly isInView: boolean;
}

export interface BlameState {
  readonly authors: readonly AuthorName[];
  /** Keys of the authors that alone are shown; everybody is where there is none. */
  readonly chosen: ReadonlySet<string>;
  readonly notes: readonly Note[];
  /** Who wrote where the person looked last. */
  readonly told: Credit | null;
  /** The revision of the document that the server's word is about; null until it came. */
  readonly revision: number | null;
  readonly failure: Failure | null;
}

/** The places of the first and the last block of a note; they move with each letter, and nothing is drawn anew for that. */
interface Span {
  readonly first: number;
  readonly last: number;
}

interface Block {
  readonly node: Node;
  readonly place: number;
  /** Null where the editor and the Yjs document differ for a moment. */
  readonly runs: readonly Run[] | null;
}

const NOBODY_YET = new Credits({ revision: 0, authors: [], ranges: [], movers: [], moved: [] });

export class Blame implements Overlay {
  private state: BlameState = {
    authors: [],
    chosen: new Set(),
    notes: [],
    told: null,
    revision: null,
    failure: null,
  };
  private readonly listeners = new Set<() => void>();
  private readonly editor: Editor;
  private readonly awareness: Awareness;
  private readonly documentId: string;
  private readonly people = new Map<number, AuthorName>();
  private readonly letters = new WeakMap<Node, Letters[]>();
  private readonly resized = new ResizeObserver(() => this.look());
  private readonly endings: (() => void)[];
  private credits = NOBODY_YET;
  /** The first and the last block that are drawn, and of them those that are on the screen. */
  private range = { first: 0, last: -1, top: 0, bottom: -1 };
  private list: HTMLElement | null = null;
  /** Where the notes are, in their order. */
  private spans: Span[] = [];
  private frame = 0;
  private asking = false;
  private isStale = false;
  /** Updates of the document since the server was last asked. */
  private updates = 1;
  /** What is drawn is of before the last edit. */
  private isBehind = false;
  private isGone = false;

  constructor(editor: Editor, awareness: Awareness, documentId: string) {
    this.editor = editor;
    this.awareness = awareness;
    this.documentId = documentId;
    const { dom } = editor.view;
    const look = () => this.look();
    addEventListener("scroll", look, { capture: true, passive: true });
    this.resized.observe(dom);
    awareness.on("change", this.met);
    const { doc } = ySyncPluginKey.getState(editor.state) as { doc: Y.Doc };
    const counted = () => {
      this.updates += 1;
    };
    doc.on("update", counted);
    this.endings = [
      () => removeEventListener("scroll", look, { capture: true }),
      () => this.resized.disconnect(),
      () => awareness.off("change", this.met),
      () => doc.off("update", counted),
      follow(({ itemId, type }) => {
        if (itemId === documentId || type === "reload") this.refresh();
      }),
    ];
    this.met();
    this.refresh();
    this.look();
  }

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly read = (): BlameState => this.state;

  destroy() {
    this.isGone = true;
    cancelAnimationFrame(this.frame);
    for (const end of this.endings) end();
    const { editor } = this;
    if (!editor.isDestroyed) editor.view.dispatch(drawing(editor.state, null));
  }

  /** Shows one author more alone, or not any more. */
  choose(author: AuthorName) {
    const key = keyOf(author);
    const { chosen } = this.state;
    this.set({ chosen: new Set(chosen.has(key) ? [...chosen].filter((each) => each !== key) : [...chosen, key]) });
    this.redraw();
  }

  tell(told: Credit | null) {
    const { told: before } = this.state;
    if (told && before && saying([told]) === saying([before]) && isMovedAlike(told, before)) return;
    this.set({ told });
  }

  /** Keeps the list of the notes beside the blocks that they are about. */
  readonly placeIn = (list: HTMLElement | null) => {
    this.list = list;
    this.place();
  };

  place() {
    const { list, editor } = this;
    if (!list || editor.isDestroyed) return;
    const { top: begin } = list.getBoundingClientRect();
    let free = 0;
    this.spans.forEach(({ first, last }, index) => {
      const item = list.children[index];
      if (!(item instanceof HTMLElement)) return;
      const [upper, lower] = [boxOf(editor.view, first), boxOf(editor.view, last)];
      if (!upper || !lower) return;
      const top = Math.max(upper.top - begin, free);
      item.style.setProperty("--top", `${top}px`);
      item.style.setProperty("--height", `${Math.max(lower.bottom - begin - top, 0)}px`);
      const { height } = item.firstElementChild?.getBoundingClientRect() ?? { height: 0 };
      free = top + height;
    });
  }

  draw(drawn: DecorationSet, state: EditorState): DecorationSet {
    const { doc } = state;
    const blocks = this.blocks(state);
    const stale = new Set(drawn.find());
    const added: Decoration[] = [];
    this.isBehind = blocks.some(({ runs }) => runs === null);
    for (const { node, place, runs } of blocks) {
      const before = drawn.find(place, place + node.nodeSize).filter((each) => each.to > place && stale.has(each));
      const wanted = runs && this.decorations(place, runs);
      if (wanted === null || isSame(before, wanted)) for (const each of before) stale.delete(each);
      else added.push(...wanted);
    }
    if (stale.size === 0 && added.length === 0) return drawn;
    return drawn.remove([...stale]).add(doc, added);
  }

  updated(view: EditorView, before: EditorState) {
    const { doc, selection } = view.state;
    if (doc === before.doc && selection.eq(before.selection)) return;
    // the binding has written by now what was typed here
    if (doc !== before.doc) this.look();
    if (doc !== before.doc && !view.composing) this.redraw();
    if (view.editable && view.hasFocus()) this.clicked(selection.head);
  }

  clicked(place: number) {
    const block = this.blocks(this.editor.state).find(({ node, place: begin }) => {
      return begin <= place && place <= begin + node.nodeSize;
    });
    const at = place - (block?.place ?? 0);
    this.tell(block?.runs?.find(({ from, to }) => from <= at && at <= to) ?? null);
  }

  /** Asks the server again, once where it is asked several times meanwhile. */
  async refresh() {
    if (this.isGone) return;
    this.isStale = true;
    if (this.asking) return;
    this.asking = true;
    while (this.isStale && !this.isGone) {
      this.isStale = false;
      this.updates = 0;
      await ask(DocumentCredits, { id: this.documentId }).then(
        ({ document }) => document && this.take(new Credits(document.credits)),
        (fault) => this.set({ failure: failure(fault) }),
      );
    }
    this.asking = false;
  }

  private take(credits: Credits) {
    if (this.isGone) return;
    this.credits = credits;
    this.set({ revision: credits.revision, failure: null });
    this.redraw();
    this.look();
  }

  private readonly met = () => {
    for (const [client, { user }] of this.awareness.getStates()) {
      const { id, name = "", agent = null }: Person = user ?? {};
      if (id && client !== this.awareness.clientID) this.people.set(client, { userId: id, name, agent });
    }
  };

  private redraw() {
    const { editor } = this;
    if (editor.isDestroyed || this.isGone) return;
    const before = drawnIn(editor.state);
    if (!before || this.draw(before, editor.state) !== before) editor.view.dispatch(drawing(editor.state, this));
  }

  /** Looks in the next frame which blocks are in view. */
  private look() {
    if (this.frame || this.isGone) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      const { view } = this.editor;
      if (this.editor.isDestroyed) return;
      if (view.composing) this.look();
      const range = rangeOf(view);
      const isMoved = range.first !== this.range.first || range.last !== this.range.last;
      this.range = range;
      if ((isMoved || this.isBehind) && !view.composing) this.redraw();
      this.write();
      this.place();
    });
  }

  /** Makes the notes and the list of authors for what is in view. */
  private write() {
    const blocks = this.blocks(this.editor.state);
    const { chosen } = this.state;
    const authors = new Map(this.credits.all.map(({ author }) => [keyOf(author), author]));
    const notes: Note[] = [];
    const spans: Span[] = [];
    blocks.forEach(({ place, runs }, index) => {
      const inBlock = new Map<string, Credit>();
      for (const { key, author, at } of runs ?? []) {
        authors.set(key, author);
        if (chosen.size && !chosen.has(key)) continue;
        const known = inBlock.get(key);
        if (!known || known.at < at) inBlock.set(key, { author, at });
      }
      const credits = [...inBlock.values()];
      if (!credits.length) return;
      const number = this.range.first + index;
      const isInView = number >= this.range.top && number <= this.range.bottom;
      const [note, span] = [notes.at(-1), spans.at(-1)];
      if (note && span && saying(note.credits) === saying(credits)) {
        notes[notes.length - 1] = { credits, isInView: note.isInView || isInView };
        spans[spans.length - 1] = { first: span.first, last: place };
      } else {
        notes.push({ credits, isInView });
        spans.push({ first: place, last: place });
      }
    });
    this.spans = spans;
    // React reads the whole text of an editor that has the focus each time it draws
    const change = { authors: [...authors.values()], notes };
    const shown = { authors: this.state.authors, notes: this.state.notes };
    if (JSON.stringify(change) !== JSON.stringify(shown)) this.set(change);
  }

  /** Returns the blocks in view with whose they are, and asks the server where nobody here knows. */
  private blocks(state: EditorState): Block[] {
    const { doc } = state;
    const { type, binding } = ySyncPluginKey.getState(state) as {
      type: Y.XmlFragment;
      binding: { mapping: Map<unknown, unknown> };
    };
    const { first } = this.range;
    const last = Math.min(this.range.last, doc.childCount - 1);
    const children = shownChildren(type);
    const found: Block[] = [];
    let place = 0;
    for (let index = 0; index <= last; index++) {
      const node = doc.child(index);
      const child = children.next().value;
      if (index >= first) {
        const isBound = child instanceof Y.XmlElement && binding.mapping.get(child) === node;
        const letters = isBound ? this.lettersOf(child, node) : node.textContent ? null : [];
        found.push({ node, place, runs: letters && this.runs(letters) });
      }
      place += node.nodeSize;
    }
    return found;
  }

  private lettersOf(element: Y.XmlElement, node: Node): Letters[] | null {
    const known = this.letters.get(node);
    if (known) return known;
    const found = lettersOf(element, node);
    if (found) this.letters.set(node, found);
    return found;
  }

  private runs(letters: readonly Letters[]): Run[] {
    const runs: Run[] = [];
    for (const { from, client, clock, length } of letters) {
      let at = from;
      for (const [size, said] of this.credits.of(client, clock, length)) {
        const credit = said ?? this.live(client);
        const before = runs.at(-1);
        const key = credit ? keyOf(credit.author) : "";
        if (!credit) {
          // what came is in the server's log, so it knows
          if (this.updates > 0) this.refresh();
        } else if (before && before.to === at && before.key === key && isMovedAlike(before, credit)) {
          runs[runs.length - 1] = { ...before, to: at + size, at: before.at < credit.at ? credit.at : before.at };
        } else runs.push({ ...credit, key, from: at, to: at + size });
        at += size;
      }
    }
    return runs;
  }

  /** Returns who is writing under this client id now. */
  private live(client: number): Credit | null {
    const own =
      client === this.awareness.clientID ? { userId: boot.viewer.id, name: boot.viewer.name, agent: null } : null;
    const author = own ?? this.people.get(client);
    return author ? { author, at: `${new Date().toISOString().slice(0, 16)}:00.000Z` } : null;
  }

  private decorations(place: number, runs: readonly Run[]): Decoration[] {
    const { chosen } = this.state;
    return runs
      .filter(({ key }) => chosen.size === 0 || chosen.has(key))
      .map(({ from, to, key, author, at, moved }) => {
        const attributes = {
          class: `written author-${colourOf({ id: author.userId, agent: author.agent })}${author.agent === null ? "" : " by-agent"}`,
          title: `${nameOf(author)}, ${timeOf(at)}${moved ? `; moved by ${nameOf(moved.author)}, ${timeOf(moved.at)}` : ""}`,
          "data-author": key,
        };
        return Decoration.inline(place + from, place + to, attributes, {
          key,
          title: attributes.title,
          inclusiveEnd: true,
        });
      });
  }

  private set(change: Partial<BlameState>) {
    if (this.isGone) return;
    this.state = { ...this.state, ...change };
    for (const listener of this.listeners) listener();
  }
}

const TIME = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short", hour12: false });

function timeOf(at: string): string {
  return TIME.format(new Date(at));
}

function saying(credits: readonly Credit[]): string {
  return credits.map(({ author, at }) => `${keyOf(author)} ${at}`).join();
}

function isMovedAlike({ moved: one }: Credit, { moved: other }: Credit): boolean {
  return saying(one ? [one] : []) === saying(other ? [other] : []);
}

function isSame(before: Decoration[], wanted: Decoration[]): boolean {
  return (
    before.length === wanted.length &&
    wanted.every(({ from, to, spec }, index) => {
      const other = before[index];
      return other?.from === from && other.to === to && other.spec.key === spec.key && other.spec.title === spec.title;
    })
  );
}

function boxOf(view: EditorView, place: number): DOMRect | null {
  const dom = view.nodeDOM(place);
  return dom instanceof HTMLElement ? dom.getBoundingClientRect() : null;
}

/** Returns the numbers of the blocks from one screen above the view to one below it, and of those in view. */
function rangeOf(view: EditorView): { first: number; last: number; top: number; bottom: number } {
  const { children } = view.dom;
  if (!children.length) return { first: 0, last: -1, top: 0, bottom: -1 };
  const [first, last, top, bottom] = [-innerHeight, 2 * innerHeight, 0, innerHeight].map((height) =>
    blockAt(view, firstBelow(children, height)),
  ) as [number, number, number, number];
  return { first, last, top, bottom };
}

/** Returns the first element that ends below this height of the window; the last one where none does. */
function firstBelow(children: HTMLCollection, height: number): Element {
  let [low, high] = [0, children.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((children[middle] as Element).getBoundingClientRect().bottom < height) low = middle + 1;
    else high = middle;
  }
  return children[low] as Element;
}

function blockAt(view: EditorView, element: Element): number {
  const place = view.posAtDOM(element, 0, -1);
  return view.state.doc.resolve(Math.max(0, Math.min(place, view.state.doc.content.size))).index(0);
}
