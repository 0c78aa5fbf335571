/** The blame of one open document: who wrote what is in view, letter by letter, over the text and beside it. */

import type { Editor } from "@tiptap/core";
import type { Failure } from "../../graphql/ask";
import type { Session } from "../../graphql/session";
import type { AuthorName } from "../../ui/authors";
import type { DocumentColours } from "../../ui/people";
import type { Company } from "../document_session";
import { bindingOf } from "../yjs_internals";
import { AuthorIndex } from "./author_index";
import { BlameLayer } from "./blame_layer";
import { type Credit, isMovedAlike, keyOf, sameCredits } from "./credits";
import { authorsIn, type CreditedBlock, MarginNotes, type Note } from "./margin_notes";

export type BlameState = {
  readonly authors: readonly AuthorName[];
  /** Keys of the authors that alone are shown; everybody is where there is none. */
  readonly chosen: ReadonlySet<string>;
  readonly notes: readonly Note[];
  /** Who wrote where the person looked last. */
  readonly inspected: Credit | null;
  /** The revision of the document that the server's word is about; null until it came. */
  readonly revision: number | null;
  readonly failure: Failure | null;
};

export class Blame {
  readonly notes: MarginNotes;
  readonly colours: DocumentColours;
  private state: BlameState = {
    authors: [],
    chosen: new Set(),
    notes: [],
    inspected: null,
    revision: null,
    failure: null,
  };
  private readonly listeners = new Set<() => void>();
  private readonly index: AuthorIndex;
  private readonly layer: BlameLayer;

  constructor(
    editor: Editor,
    { awareness, colours }: Company,
    documentId: string,
    { viewer, events }: Pick<Session, "viewer" | "events">,
  ) {
    this.colours = colours;
    const { doc } = bindingOf(editor.state);
    const reader = { userId: viewer.id, name: viewer.name, agent: null };
    this.index = new AuthorIndex({ documentId, reader, doc, awareness, events }, (word) => {
      if ("failure" in word) return this.set(word);
      this.colours.meet([viewer.id, ...[...this.index.authors().values()].map(({ userId }) => userId)]);
      this.set({ ...word, failure: null });
      this.layer.redraw();
      this.layer.look();
    });
    this.notes = new MarginNotes(() => (editor.isDestroyed ? null : editor.view));
    this.layer = new BlameLayer(editor, this.index, colours, {
      shown: (blocks) => this.write(blocks),
      looked: (credit) => this.inspect(credit),
    });
  }

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly read = (): BlameState => this.state;

  destroy() {
    this.index.destroy();
    this.layer.destroy();
    this.listeners.clear();
  }

  /** Asks the server again who wrote what. */
  refresh() {
    void this.index.refresh();
  }

  /** Shows one author more alone, or not any more. */
  choose(author: AuthorName) {
    const key = keyOf(author);
    const { chosen } = this.state;
    const others = [...chosen].filter((each) => each !== key);
    this.set({ chosen: new Set(chosen.has(key) ? others : [...chosen, key]) });
    this.layer.choose(this.state.chosen);
    this.layer.look();
  }

  /** Names whoever wrote where the person looks. */
  inspect(inspected: Credit | null) {
    const { inspected: before } = this.state;
    if (inspected && before && sameCredits([inspected], [before]) && isMovedAlike(inspected, before)) return;
    this.set({ inspected });
  }

  private write(blocks: readonly CreditedBlock[]) {
    const notes = this.notes.write(blocks, this.state.chosen);
    const authors = [...new Map([...this.index.authors(), ...authorsIn(blocks)]).values()];
    // React reads the whole text of an editor that has the focus each time it draws
    const shown = { authors: this.state.authors, notes: this.state.notes };
    if (JSON.stringify({ authors, notes }) !== JSON.stringify(shown)) this.set({ authors, notes });
    this.notes.place();
  }

  private set(change: Partial<BlameState>) {
    this.state = { ...this.state, ...change };
    for (const listener of this.listeners) listener();
  }
}
