/** Yjs documents of every kind, and an editor without a screen to open them in. */

import { EditorState, type Plugin, type Transaction } from "@tiptap/pm/state";
import { tableEditing } from "@tiptap/pm/tables";
import type { EditorView } from "@tiptap/pm/view";
import * as Y from "yjs";
import { syncing } from "../src/document/binding.ts";
import { type Held, Relay } from "../src/document/relay.ts";
import { NO_GROWTH, schemaOf } from "../src/document/schema.ts";
import { takeAsOwn } from "../src/document/yjs_internals.ts";

export type Chance = (below: number) => number;

/** Returns numbers from 0 to below; the same for the same seed. */
export function chanceOf(seed: number): Chance {
  let state = (seed * 2654435761 + 1) >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const pick = <T>(chance: Chance, from: readonly T[]): T => from[chance(from.length)] as T;

const INLINE = ["mention", "hardBreak", "sparkle", "foot-note"];
const BLOCKS = [
  ...["paragraph", "paragraph", "heading", "codeBlock", "blockquote", "bulletList", "orderedList", "taskList"],
  ...["table", "details", "image", "horizontalRule", "callout", "my-columns", "listItem", "tableCell", "Ω"],
];
const KEYS = [
  "level",
  "textAlign",
  "checked",
  "src",
  "colspan",
  "color",
  "data-x",
  "__proto__",
  "order",
  "class",
  "id",
  "rowspan",
  "ychange",
  "align",
  "colwidth",
  "width",
  "height",
  "title",
  "alt",
  "language",
];
const VALUES = [1, 2, "a", "center", true, null, 0.5, { a: [1, "b"] }, [3], [120], "120", 240, -1];
/** The attributes that the schema has, by node. */
const OWN = Object.fromEntries(
  Object.entries(schemaOf(NO_GROWTH).nodes).map(([name, { spec }]) => [name, Object.keys(spec.attrs ?? {})]),
);
const MARKS = [
  "bold",
  "italic",
  "code",
  "link",
  "comment--AbCdEf12",
  "spoiler",
  "fog--AbCdEf12",
  "highlight",
  "textStyle",
];
const MARK_VALUES = [
  ...Array.from({ length: 16 }, () => ({})),
  ...[true, { color: "red" }, { href: "https://a.example", depth: 2 }, "x", 1],
];
const INSIDE: Readonly<Record<string, readonly string[]>> = {
  bulletList: ["listItem"],
  orderedList: ["listItem"],
  taskList: ["taskItem"],
  listItem: ["paragraph"],
  taskItem: ["paragraph"],
  table: ["tableRow"],
  tableRow: ["tableCell", "tableHeader"],
  details: ["detailsSummary", "detailsContent"],
};
const TEXTBLOCKS = ["paragraph", "heading", "codeBlock", "detailsSummary"];

/** Adds blocks to the fragment, most of them as editors make them and some as none does. */
export function scribble(fragment: Y.XmlFragment, chance: Chance, blocks: number) {
  for (let count = 0; count < blocks; count++) {
    fragment.insert(chance(fragment.length + 1), [element(chance, pick(chance, BLOCKS), 0)]);
  }
}

function element(chance: Chance, name: string, depth: number): Y.XmlElement {
  const made = new Y.XmlElement(name);
  const own = OWN[name]?.length && chance(2) ? OWN[name] : KEYS;
  // biome-ignore lint/suspicious/noExplicitAny: attributes hold any JSON, whatever the types of Yjs say
  if (chance(6) === 0) made.setAttribute(pick(chance, own), pick(chance, VALUES) as any);
  if (TEXTBLOCKS.includes(name) || (!(name in INSIDE) && chance(8) === 0)) {
    const parts = Array.from({ length: 1 + chance(2) }, () =>
      chance(5) ? text(chance) : new Y.XmlElement(pick(chance, INLINE)),
    );
    made.insert(0, parts);
  } else if (name === "details" && chance(8)) {
    made.insert(
      0,
      ["detailsSummary", "detailsContent"].map((each) => element(chance, each, depth + 1)),
    );
  } else if (depth < 3 && (name in INSIDE || chance(2))) {
    const names = chance(12) ? (INSIDE[name] ?? BLOCKS) : BLOCKS;
    const children = Array.from({ length: chance(8) ? 1 + chance(2) : 0 }, () =>
      element(chance, pick(chance, names), depth + 1),
    );
    made.insert(0, children);
  }
  return made;
}

function text(chance: Chance): Y.XmlText {
  const made = new Y.XmlText();
  const parts = Array.from({ length: 1 + chance(3) }, (_, index) => ({
    insert: pick(chance, ["a", "é", "漢字", "🙂", "word "]) + index,
    attributes: chance(4) ? {} : { [pick(chance, MARKS)]: pick(chance, MARK_VALUES) },
  }));
  made.applyDelta(parts);
  return made;
}

/** Returns everything that the fragment holds, for comparison. */
export function everything(fragment: Y.XmlFragment): unknown {
  return (fragment.toArray() as unknown[]).map((child) => {
    if (child instanceof Y.XmlText) return child.toDelta();
    if (child instanceof Y.XmlElement) return [child.nodeName, { ...child.getAttributes() }, everything(child)];
    return child;
  });
}

export class Screenless {
  state: EditorState;
  views: ReturnType<NonNullable<Plugin["spec"]["view"]>>[] = [];

  constructor({ fragment, growth }: Extract<Held, { mine: Y.Doc }>) {
    this.state = EditorState.create({ schema: schemaOf(growth), plugins: [syncing(fragment), tableEditing()] });
    this.views = this.state.plugins.flatMap(({ spec }) => spec.view?.(this as unknown as EditorView) ?? []);
  }

  dispatch(transaction: Transaction) {
    const before = this.state;
    this.state = this.state.apply(transaction);
    for (const view of this.views) view.update?.(this as unknown as EditorView, before);
  }

  hasFocus() {
    return false;
  }

  destroy() {
    for (const view of this.views) view.destroy?.();
  }

  /** Writes a letter into some text, or a paragraph where there is none. */
  type(chance: Chance, letter: string) {
    const { doc, tr, schema } = this.state;
    const places: number[] = [];
    doc.descendants((node, position, parent) => {
      if (node.isText && parent) places.push(position + (chance(2) ? 0 : node.nodeSize));
    });
    if (places.length && chance(3)) return this.dispatch(tr.insertText(letter, pick(chance, places)));
    const paragraph = schema.nodes.paragraph?.create(null, schema.text(letter));
    if (paragraph) this.dispatch(tr.insert(doc.content.size, paragraph));
  }
}

/** One window: its document of the network, and an editor that is made anew when the relay says so. */
export class Window {
  readonly net = new Y.Doc();
  readonly sent: Uint8Array[] = [];
  readonly relay: Relay;
  editor: Screenless | null = null;
  private readonly receiving = Symbol("receiving");

  constructor(state: Uint8Array) {
    takeAsOwn(this.net);
    Y.applyUpdate(this.net, state);
    this.net.on("update", (update: Uint8Array, origin: unknown) => origin !== this.receiving && this.sent.push(update));
    this.relay = new Relay(this.net, (held) => this.bind(held));
    this.bind(this.relay.held);
  }

  receive(update: Uint8Array) {
    Y.applyUpdate(this.net, update, this.receiving);
  }

  private bind(held: Held) {
    this.editor?.destroy();
    this.editor = "mine" in held ? new Screenless(held) : null;
  }
}
