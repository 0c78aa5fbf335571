/**
 * Who wrote the letters of one open document.
 *
 * The server says whose a letter is. What it has not known yet is one's own, or that of the person whose client is in
 * awareness; for the rest the server is asked again.
 */

import type { Awareness } from "y-protocols/awareness";
import type * as Y from "yjs";
import { ask, type Failure, failure } from "../../graphql/ask";
import type { Events } from "../../graphql/events";
import { DocumentCredits } from "../../graphql/generated";
import type { AuthorName } from "../../ui/authors";
import type { Person } from "../carets";
import { type Credit, Credits, isMovedAlike, keyOf } from "./credits";
import type { Letters } from "./letters";

/** A run of letters of one author; `at` is when its newest letter was written. */
export interface Run extends Credit {
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

export type Sources = {
  readonly documentId: string;
  /** Whoever writes here. */
  readonly reader: AuthorName;
  readonly doc: Y.Doc;
  readonly awareness: Awareness;
  readonly events: Pick<Events, "follow">;
};

const NOBODY_YET = new Credits({ revision: 0, authors: [], ranges: [], movers: [], moved: [] });

export class AuthorIndex {
  private readonly sources: Sources;
  /** Calls with what the server known, or why it did not. */
  private readonly answered: (word: { revision: number } | { failure: Failure }) => void;
  private readonly people = new Map<number, AuthorName>();
  private readonly endings: (() => void)[];
  private credits = NOBODY_YET;
  private asking = false;
  private isStale = false;
  /** Updates of the document since the server was last asked. */
  private updates = 1;
  private isGone = false;

  constructor(sources: Sources, answered: (word: { revision: number } | { failure: Failure }) => void) {
    this.sources = sources;
    this.answered = answered;
    const { doc, awareness, events, documentId } = sources;
    const met = () => this.meet();
    const counted = () => {
      this.updates += 1;
    };
    awareness.on("change", met);
    doc.on("update", counted);
    this.endings = [
      () => awareness.off("change", met),
      () => doc.off("update", counted),
      events.follow(({ itemId, type }) => {
        if (itemId === documentId || type === "reload") void this.refresh();
      }),
    ];
    this.meet();
    void this.refresh();
  }

  destroy() {
    this.isGone = true;
    for (const end of this.endings) end();
  }

  /** Everybody whom the server named, by their keys. */
  authors(): Map<string, AuthorName> {
    return new Map(this.credits.all.map(({ author }) => [keyOf(author), author]));
  }

  /** Returns who wrote these letters, and asks the server where nobody here knows. */
  runs(letters: readonly Letters[]): Run[] {
    const runs: Run[] = [];
    for (const { from, client, clock, length } of letters) {
      let at = from;
      for (const [size, known] of this.credits.of(client, clock, length)) {
        const credit = known ?? this.live(client);
        const before = runs.at(-1);
        const key = credit ? keyOf(credit.author) : "";
        if (!credit) {
          // what came is in the server's log, so it knows
          if (this.updates > 0) void this.refresh();
        } else if (before && before.to === at && before.key === key && isMovedAlike(before, credit)) {
          runs[runs.length - 1] = { ...before, to: at + size, at: before.at < credit.at ? credit.at : before.at };
        } else runs.push({ ...credit, key, from: at, to: at + size });
        at += size;
      }
    }
    return runs;
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
      await ask(DocumentCredits, { id: this.sources.documentId }).then(
        ({ document }) => document && this.take(new Credits(document.credits)),
        (fault) => this.isGone || this.answered({ failure: failure(fault) }),
      );
    }
    this.asking = false;
  }

  private take(credits: Credits) {
    if (this.isGone) return;
    this.credits = credits;
    this.answered({ revision: credits.revision });
  }

  private meet() {
    const { awareness } = this.sources;
    for (const [client, { user }] of awareness.getStates()) {
      const { id, name = "", agent = null }: Person = user ?? {};
      if (id && client !== awareness.clientID) this.people.set(client, { userId: id, name, agent });
    }
  }

  /** Returns who is writing under this client id now. */
  private live(client: number): Credit | null {
    const { awareness, reader } = this.sources;
    const author = client === awareness.clientID ? reader : this.people.get(client);
    return author ? { author, at: `${new Date().toISOString().slice(0, 16)}:00.000Z` } : null;
  }
}
