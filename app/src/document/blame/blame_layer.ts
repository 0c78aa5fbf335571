/** Draws over the text who wrote each run of what is in view: only blocks in view, so that documents of any length stay quick. */

import type { Editor } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import type { EditorState } from "@tiptap/pm/state";
import { Decoration, type DecorationSet, type EditorView } from "@tiptap/pm/view";
import * as Y from "yjs";
import { t } from "../../messages/messages";
import { nameOf } from "../../ui/authors";
import { exact } from "../../ui/moments";
import type { DocumentColours } from "../../ui/people";
import { bindingOf } from "../yjs_internals";
import type { AuthorIndex, Run } from "./author_index";
import type { Credit } from "./credits";
import { type Letters, lettersOf, shownChildren } from "./letters";
import type { CreditedBlock } from "./margin_notes";
import { drawing, drawnIn, type Overlay } from "./overlay";

interface Block extends CreditedBlock {
  readonly node: Node;
}

export type Watcher = {
  /** Other blocks are in view, or what is in them has changed. */
  shown: (blocks: readonly CreditedBlock[]) => void;
  /** The person looks at this run, or at none. */
  looked: (credit: Credit | null) => void;
};

export class BlameLayer implements Overlay {
  private readonly editor: Editor;
  private readonly index: AuthorIndex;
  private readonly colours: DocumentColours;
  private readonly watcher: Watcher;
  private readonly letters = new WeakMap<Node, Letters[]>();
  private readonly endings: (() => void)[];
  private chosen: ReadonlySet<string> = new Set();
  /** The first and the last block that are drawn, and of them those that are on the screen. */
  private range = { first: 0, last: -1, top: 0, bottom: -1 };
  private frame = 0;
  /** What is drawn is of before the last edit. */
  private isBehind = false;
  private isGone = false;

  constructor(editor: Editor, index: AuthorIndex, colours: DocumentColours, watcher: Watcher) {
    this.editor = editor;
    this.index = index;
    this.colours = colours;
    this.watcher = watcher;
    const look = () => this.look();
    const resized = new ResizeObserver(look);
    addEventListener("scroll", look, { capture: true, passive: true });
    resized.observe(editor.view.dom);
    this.endings = [() => removeEventListener("scroll", look, { capture: true }), () => resized.disconnect()];
    this.look();
  }

  destroy() {
    this.isGone = true;
    cancelAnimationFrame(this.frame);
    for (const end of this.endings) end();
    const { editor } = this;
    if (!editor.isDestroyed) editor.view.dispatch(drawing(editor.state, null));
  }

  /** Shows the authors with these keys alone; everybody where there is none. */
  choose(chosen: ReadonlySet<string>) {
    this.chosen = chosen;
    this.redraw();
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
    this.watcher.looked(block?.runs?.find(({ from, to }) => from <= at && at <= to) ?? null);
  }

  redraw() {
    const { editor } = this;
    if (editor.isDestroyed || this.isGone) return;
    const before = drawnIn(editor.state);
    if (!before || this.draw(before, editor.state) !== before) editor.view.dispatch(drawing(editor.state, this));
  }

  /** Looks in the next frame which blocks are in view. */
  look() {
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
      this.watcher.shown(this.blocks(this.editor.state));
    });
  }

  /** Returns the blocks in view with whose they are, and asks the server where nobody here knows. */
  private blocks(state: EditorState): Block[] {
    const { doc } = state;
    const { type, mapping } = bindingOf(state);
    const { first } = this.range;
    const last = Math.min(this.range.last, doc.childCount - 1);
    const children = shownChildren(type);
    const found: Block[] = [];
    let place = 0;
    for (let index = 0; index <= last; index++) {
      const node = doc.child(index);
      const child = children.next().value;
      if (index >= first) {
        const isBound = child instanceof Y.XmlElement && mapping.get(child) === node;
        const letters = isBound ? this.lettersOf(child, node) : node.textContent ? null : [];
        const isInView = index >= this.range.top && index <= this.range.bottom;
        found.push({ node, place, isInView, runs: letters && this.index.runs(letters) });
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

  private decorations(place: number, runs: readonly Run[]): Decoration[] {
    const { chosen } = this;
    return runs
      .filter(({ key }) => chosen.size === 0 || chosen.has(key))
      .map(({ from, to, key, author, at, moved }) => {
        const colour = this.colours.classOf({ id: author.userId, agent: author.agent });
        const attributes = {
          class: `written ${colour}${author.agent === null ? "" : " by-agent"}`,
          title: `${nameOf(author)}, ${timeOf(at)}${moved ? `; ${t.authors.movedBy(nameOf(moved.author), timeOf(moved.at))}` : ""}`,
          "data-author": key,
        };
        return Decoration.inline(place + from, place + to, attributes, {
          key: `${key} ${colour}`,
          title: attributes.title,
          inclusiveEnd: true,
        });
      });
  }
}

function timeOf(at: string): string {
  return exact(new Date(at));
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
