/**
 * Colours code by its language. Colours are drawn over the text: the document holds none of them.
 *
 * Typing waits for none of it: what changed is coloured a moment later, a bounded part at a time.
 */

import { Extension } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { Plugin, PluginKey } from "@tiptap/pm/state";
import { Decoration, DecorationSet, type EditorView } from "@tiptap/pm/view";
import { mappingOf } from "./changed";
import { languageOf } from "./charts";
import type { Piece } from "./code_grammars";

/** Letters of code that are coloured at a time; a longer block has no colours. */
const MOST = 50_000;
const QUIET_MS = 40;

type Block = { readonly node: Node; readonly at: number };

/** Blocks that were read, and the colours of each. */
type Coloured = { readonly blocks: readonly Block[]; readonly drawn: readonly Decoration[] };

const COLOURS = new PluginKey<DecorationSet>("codeColours");

export const CodeColours = Extension.create({
  name: "codeColours",
  addProseMirrorPlugins: () => [
    new Plugin<DecorationSet>({
      key: COLOURS,
      state: {
        init: () => DecorationSet.empty,
        apply: (transaction, colours, _, { doc }) => {
          const coloured: Coloured | undefined = transaction.getMeta(COLOURS);
          const present = colours.map(mappingOf(transaction), doc);
          if (!coloured) return present;
          const old = coloured.blocks.flatMap(({ node, at }) => present.find(at, at + node.nodeSize));
          return present.remove(old).add(doc, [...coloured.drawn]);
        },
      },
      props: { decorations: (state) => COLOURS.getState(state) },
      view: colour,
    }),
  ],
});

function colour(view: EditorView) {
  const done = new WeakSet<Node>();
  let grammars: typeof import("./code_grammars") | null = null;
  let [waiting, isGone] = [0, false];
  const wait = () => {
    clearTimeout(waiting);
    waiting = window.setTimeout(read, QUIET_MS);
  };
  const load = () =>
    import("./code_grammars").then(
      (loaded) => {
        grammars = loaded;
        if (!isGone) read();
      },
      () => undefined, // without them code is read as it is
    );

  function read() {
    if (view.composing) return wait(); // an input method loses its place in what is drawn anew
    const blocks = nextOf(view.state.doc, done);
    if (blocks.length === 0) return;
    if (!grammars && blocks.some(({ node }) => languageOf(node))) return void load();
    const drawn = blocks.flatMap(({ node, at }) => {
      const pieces = node.content.size > MOST ? [] : grammars?.piecesOf(languageOf(node), node.textContent);
      return decorations(pieces ?? [], at + 1);
    });
    for (const { node } of blocks) done.add(node);
    view.dispatch(view.state.tr.setMeta(COLOURS, { blocks, drawn } satisfies Coloured));
    wait();
  }

  wait();
  return {
    update: ({ state }: EditorView, { doc }: { doc: Node }) => void (state.doc !== doc && wait()),
    destroy: () => {
      isGone = true;
      clearTimeout(waiting);
    },
  };
}

/** Returns the first blocks of code that are not done, with as many letters as are coloured at a time. */
function nextOf(doc: Node, done: WeakSet<Node>): Block[] {
  const found: Block[] = [];
  let letters = 0;
  doc.descendants((node, at) => {
    if (letters >= MOST) return false;
    if (!node.type.spec.code || done.has(node)) return !node.isTextblock;
    found.push({ node, at });
    letters += Math.min(node.content.size, MOST);
    return false;
  });
  return found;
}

function decorations(pieces: readonly Piece[], start: number): Decoration[] {
  return pieces.map(({ from, to, kind }) => Decoration.inline(start + from, start + to, { class: kind }));
}
