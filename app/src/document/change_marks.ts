/** Draws over the text what changes inserted, and where what they deleted stood: by the Yjs clocks that the server names. */

import type { Editor } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import type { EditorState } from "@tiptap/pm/state";
import { Decoration, DecorationSet, type EditorView } from "@tiptap/pm/view";
import * as Y from "yjs";
import { childrenOf, type Letters, walked } from "./blame/letters";
import { drawing, type Overlay } from "./blame/overlay";
import type { Mark } from "./marks";
import { bindingOf } from "./yjs_internals";

type Range = { readonly clock: number; readonly end: number; readonly text: string };
/** What is marked in a block, in places counted from the block's own. */
type Parts = {
  readonly come: readonly { from: number; to: number }[];
  readonly gone: readonly { from: number; text: string; key: string }[];
};
type Ranges = ReadonlyMap<number, readonly Range[]>;

/** Blocks that hold blocks of one kind alone: what was deleted in them is shown before them. */
const STRICT: ReadonlySet<string> = new Set(["bulletList", "orderedList", "taskList", "table", "tableRow", "details"]);

export class ChangeMarks implements Overlay {
  private readonly editor: Editor;
  private inserted: Ranges = new Map();
  private deleted: Ranges = new Map();
  private known = new WeakMap<Node, Parts>();
  /** What is drawn is of before the last edit. */
  private isBehind = false;
  private frame = 0;

  constructor(editor: Editor) {
    this.editor = editor;
  }

  destroy() {
    cancelAnimationFrame(this.frame);
    const { editor } = this;
    if (!editor.isDestroyed) editor.view.dispatch(drawing(editor.state, null));
  }

  show(marks: readonly Mark[]) {
    this.known = new WeakMap();
    this.inserted = rangesOf(marks.flatMap(({ insertedRanges }) => insertedRanges as number[][]));
    this.deleted = rangesOf(marks.flatMap(({ deletedRanges }) => deletedRanges as (number | string)[][]));
    this.redraw();
  }

  draw(drawn: DecorationSet, state: EditorState): DecorationSet {
    const { doc } = state;
    const { type, mapping } = bindingOf(state);
    const found: Decoration[] = [];
    const gone: Parts["gone"][number][] = [];
    let [place, index] = [0, 0];
    this.isBehind = false;
    for (const child of childrenOf(type)) {
      if (child instanceof Y.Item) {
        const { client, clock } = child.id;
        if (child.deleted) gone.push(...goneIn(this.deleted, { client, clock, length: child.length }, place));
        continue;
      }
      const node = index < doc.childCount ? doc.child(index) : null;
      if (!node) break;
      const isBound = child instanceof Y.XmlElement && mapping.get(child) === node;
      const parts = isBound ? this.partsOf(child, node) : null;
      if (parts) found.push(...decorationsOf(doc, place, parts));
      else {
        this.isBehind = true;
        found.push(...drawn.find(place, place + node.nodeSize));
      }
      index += 1;
      place += node.nodeSize;
    }
    return DecorationSet.create(doc, [...found, ...decorationsOf(doc, 0, { come: [], gone })]);
  }

  updated(view: EditorView, before: EditorState) {
    if (view.state.doc === before.doc || !this.isBehind || this.frame) return;
    // the binding writes what was typed here after this
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      if (!view.composing) this.redraw();
    });
  }

  clicked() {
    // the marks say all that there is to say
  }

  private redraw() {
    const { editor } = this;
    if (!editor.isDestroyed) editor.view.dispatch(drawing(editor.state, this));
  }

  private partsOf(element: Y.XmlElement, node: Node): Parts | null {
    const known = this.known.get(node);
    if (known) return known;
    const found = walked(element, node);
    if (!found) return null;
    const parts = {
      come: found.letters.flatMap((run) => insertedIn(this.inserted, run)),
      gone: found.gone.flatMap(({ from, ...item }) => goneIn(this.deleted, item, from)),
    };
    this.known.set(node, parts);
    return parts;
  }
}

function insertedIn(inserted: Ranges, { from, client, clock, length }: Letters): Parts["come"] {
  return (inserted.get(client) ?? [])
    .filter((each) => each.clock < clock + length && clock < each.end)
    .map((each) => ({
      from: from + Math.max(each.clock, clock) - clock,
      to: from + Math.min(each.end, clock + length) - clock,
    }));
}

function goneIn(deleted: Ranges, { client, clock, length }: Omit<Letters, "from">, from: number): Parts["gone"] {
  return (deleted.get(client) ?? [])
    .filter((each) => clock <= each.clock && each.clock < clock + length)
    .map(({ text, clock: first }) => ({ from, text, key: `${client} ${first} ${text}` }));
}

function decorationsOf(doc: Node, place: number, { come, gone }: Parts): Decoration[] {
  return [
    ...come.map(({ from, to }) => Decoration.inline(place + from, place + to, { nodeName: "ins", class: "come" })),
    ...gone.map(({ from, text, key }) => {
      const at = allowed(doc, place + from);
      const isBlock = !doc.resolve(at).parent.inlineContent;
      return Decoration.widget(at, () => deletion(text, isBlock), { side: -1, key });
    }),
  ];
}

function rangesOf(given: readonly (readonly (number | string)[])[]): Ranges {
  const found = new Map<number, Range[]>();
  for (const [client, clock, length, text] of given as [number, number, number, string?][]) {
    const known = found.get(client) ?? [];
    known.push({ clock, end: clock + length, text: text ?? "" });
    found.set(client, known);
  }
  return found;
}

/** Returns the place itself, or the one before what holds blocks of one kind alone. */
function allowed(doc: Node, place: number): number {
  let at = doc.resolve(place);
  while (at.depth > 0 && STRICT.has(at.parent.type.name)) at = doc.resolve(at.before());
  return at.pos;
}

function deletion(text: string, isBlock: boolean): HTMLElement {
  const made = document.createElement("del");
  made.className = "gone";
  made.textContent = text;
  if (!isBlock) return made;
  const block = document.createElement("p");
  block.append(made);
  return block;
}
