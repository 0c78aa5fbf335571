/** The notes beside a document: the authors of blocks that follow each other, beside the first of them. */

import type { EditorView } from "@tiptap/pm/view";
import type { AuthorName } from "../../ui/authors";
import type { Run } from "./author_index";
import { type Credit, sameCredits } from "./credits";

/** The authors of some blocks that follow each other, in the order in which they come. */
export type Note = {
  readonly credits: readonly Credit[];
  readonly isInView: boolean;
};

/** A block of the document; `runs` is null where the editor and the Yjs document differ for a moment. */
export type CreditedBlock = {
  readonly place: number;
  readonly isInView: boolean;
  readonly runs: readonly Run[] | null;
};

/** The places of the first and the last block of a note; they move with each letter, and nothing is drawn anew for that. */
type Span = {
  readonly first: number;
  readonly last: number;
};

/** Returns the notes of blocks, of authors with these keys alone where there are any, and where each note begins and ends. */
export function notesOf(
  blocks: readonly CreditedBlock[],
  chosen: ReadonlySet<string>,
): { notes: Note[]; spans: Span[] } {
  const notes: Note[] = [];
  const spans: Span[] = [];
  for (const { place, isInView, runs } of blocks) {
    const credits = [...newest(runs ?? [], chosen).values()];
    if (!credits.length) continue;
    const [note, span] = [notes.at(-1), spans.at(-1)];
    if (note && span && sameCredits(note.credits, credits)) {
      notes[notes.length - 1] = { credits, isInView: note.isInView || isInView };
      spans[spans.length - 1] = { first: span.first, last: place };
    } else {
      notes.push({ credits, isInView });
      spans.push({ first: place, last: place });
    }
  }
  return { notes, spans };
}

/** Returns the authors of some blocks, by their keys. */
export function authorsIn(blocks: readonly CreditedBlock[]): Map<string, AuthorName> {
  return new Map(blocks.flatMap(({ runs }) => (runs ?? []).map(({ key, author }) => [key, author] as const)));
}

function newest(runs: readonly Run[], chosen: ReadonlySet<string>): Map<string, Credit> {
  const found = new Map<string, Credit>();
  for (const { key, author, at } of runs) {
    if (chosen.size && !chosen.has(key)) continue;
    const known = found.get(key);
    if (!known || known.at < at) found.set(key, { author, at });
  }
  return found;
}

/** Keeps the list of the notes beside the blocks that they are about. */
export class MarginNotes {
  private readonly view: () => EditorView | null;
  private list: HTMLElement | null = null;
  private spans: readonly Span[] = [];

  /** `view` returns null where the editor is gone. */
  constructor(view: () => EditorView | null) {
    this.view = view;
  }

  /** Returns the notes of these blocks, which `place` puts beside them. */
  write(blocks: readonly CreditedBlock[], chosen: ReadonlySet<string>): Note[] {
    const { notes, spans } = notesOf(blocks, chosen);
    this.spans = spans;
    return notes;
  }

  readonly placeIn = (list: HTMLElement | null) => {
    this.list = list;
    this.place();
  };

  place() {
    const { list } = this;
    const view = this.view();
    if (!list || !view) return;
    const { top: begin } = list.getBoundingClientRect();
    let free = 0;
    this.spans.forEach(({ first, last }, index) => {
      const item = list.children[index];
      if (!(item instanceof HTMLElement)) return;
      const [upper, lower] = [boxOf(view, first), boxOf(view, last)];
      if (!upper || !lower) return;
      const top = Math.max(upper.top - begin, free);
      item.style.setProperty("--top", `${top}px`);
      item.style.setProperty("--height", `${Math.max(lower.bottom - begin - top, 0)}px`);
      const { height } = item.firstElementChild?.getBoundingClientRect() ?? { height: 0 };
      free = top + height;
    });
  }
}

function boxOf(view: EditorView, place: number): DOMRect | null {
  const dom = view.nodeDOM(place);
  return dom instanceof HTMLElement ? dom.getBoundingClientRect() : null;
}
