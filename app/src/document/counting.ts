/**
 * Words and letters of a document and of what is selected in it, as the scripts of the world have them.
 *
 * They are counted while the browser is idle. What a block has is kept as long as the block stays, so that after a key one block is
 * read again, and a long document is read in slices.
 */

import type { Editor } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { type Slice, whenIdle } from "../ui/idle";

export type Count = { readonly words: number; readonly characters: number };

/** `selected` is null where nothing is. */
export type Counts = { readonly all: Count; readonly selected: Count | null };

/** What blocks have that were counted. */
export type Known = WeakMap<Node, Count>;

const PAUSE = 300; // milliseconds without a change or a movement
const NOTHING: Count = { words: 0, characters: 0 };
const PLAIN = /^[\x20-\x7e]*$/;

const words = new Intl.Segmenter(undefined, { granularity: "word" });
const letters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Count a text: as letters count what people see as one, and no line breaks. */
export function countOf(text: string): Count {
  let found = 0;
  for (const { isWordLike } of words.segment(text)) if (isWordLike) found += 1;
  return { words: found, characters: lettersOf(text.replaceAll("\n", "")) };
}

function lettersOf(text: string): number {
  return PLAIN.test(text) ? text.length : [...letters.segment(text)].length;
}

/** Count the document and its selection; null where the time ended before: what was counted until then is kept. */
export function counted({ state: { doc, selection } }: Editor, known: Known, { hasTime }: Slice): Counts | null {
  const blocks: { node: Node; from: number; to: number }[] = [];
  doc.descendants((node, at) => {
    if (node.isTextblock) blocks.push({ node, from: at + 1, to: at + 1 + node.content.size });
    return !node.isTextblock;
  });
  let all = NOTHING;
  let hasCounted = false;
  for (const { node } of blocks) {
    if (!known.has(node)) {
      if (hasCounted && !hasTime()) return null;
      hasCounted = true;
      known.set(node, countOf(textOf(node, 0, node.content.size)));
    }
    all = sum(all, known.get(node) ?? NOTHING);
  }
  if (selection.empty) return { all, selected: null };
  let selected = NOTHING;
  for (const { $from, $to } of selection.ranges)
    for (const { node, from, to } of blocks) {
      const [begin, end] = [Math.max($from.pos, from), Math.min($to.pos, to)];
      if (begin >= end) continue;
      const isWhole = begin === from && end === to;
      selected = sum(selected, (isWhole && known.get(node)) || countOf(textOf(node, begin - from, end - from)));
    }
  return { all, selected };
}

function sum(one: Count, other: Count): Count {
  return { words: one.words + other.words, characters: one.characters + other.characters };
}

/** The text of a part of a block; of a mention the name. */
function textOf(block: Node, from: number, to: number): string {
  return block.textBetween(from, to, "", ({ attrs: { label } }) => (typeof label === "string" ? label : "\n"));
}

/** Counts whenever the text or the selection has rested, while the browser is idle; returns what ends that. */
export function keepCounted(editor: Editor, told: (counts: Counts) => void): () => void {
  const known: Known = new WeakMap();
  let paused: ReturnType<typeof setTimeout> | undefined;
  let stop: () => void = () => undefined;

  function count(slice: Slice) {
    const counts = counted(editor, known, slice);
    if (counts) told(counts);
    else stop = whenIdle(count);
  }

  function changed() {
    clearTimeout(paused);
    stop();
    paused = setTimeout(() => {
      stop = whenIdle(count);
    }, PAUSE);
  }

  stop = whenIdle(count);
  editor.on("update", changed);
  editor.on("selectionUpdate", changed);
  return () => {
    clearTimeout(paused);
    stop();
    editor.off("update", changed);
    editor.off("selectionUpdate", changed);
  };
}
