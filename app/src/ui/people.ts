/** How people and agents are told apart at a glance. */

import { createContext } from "react";

const COLOURS = 8;

/** A person, alone or by an agent of theirs. */
export type Coloured = { id?: string | undefined; agent?: string | null | undefined };

/** Returns the class of an author's colour, which is the same in every window; all agents have one that no person has. */
export function colourClassOf({ id, agent }: Coloured): string {
  return agent ? "author-agent" : `author-${preferred(id)}`;
}

/** Returns the class of a person's colour where they are shown: a document has colours of its own. */
export const ColoursContext = createContext(colourClassOf);

/**
 * The colours of the people of one document. Each has the one of their id, or the next that nobody in it has, and keeps it; the
 * ninth has one again, with a pattern. Its authors come first, so that all windows give them the same.
 */
export class DocumentColours {
  private readonly numbers = new Map<string, number>();
  /** Who was met before the authors were known. */
  private waiting: string[] | null = [];

  /** Gives colours to the authors, in the order of their first edits, and then to whoever was met meanwhile. */
  begin(authorIds: readonly string[]) {
    for (const id of authorIds) this.give(id);
    const waiting = this.waiting ?? [];
    this.waiting = null;
    this.meet(waiting);
  }

  /** Gives colours to those of these people who have none. */
  meet(ids: Iterable<string | undefined>) {
    const known = [...ids].filter((id) => id !== undefined);
    if (this.waiting) this.waiting.push(...known);
    else for (const id of known.sort()) this.give(id);
  }

  /** Returns the class of the colour; of somebody who was not met the one that they have elsewhere. */
  readonly classOf = ({ id, agent }: Coloured): string => {
    const number = agent || id === undefined ? undefined : this.numbers.get(id);
    if (number === undefined) return colourClassOf({ id, agent });
    return `author-${number % COLOURS}${number < COLOURS ? "" : " author-again"}`;
  };

  private give(id: string) {
    if (!this.numbers.has(id)) this.numbers.set(id, this.free(id));
  }

  private free(id: string): number {
    const taken = new Set(this.numbers.values());
    const first = COLOURS * Math.floor(taken.size / COLOURS);
    let number = preferred(id);
    while (taken.has(first + number)) number = (number + 1) % COLOURS;
    return first + number;
  }
}

function preferred(id: string | undefined): number {
  let sum = 0;
  for (const letter of `${id} `) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) >>> 0;
  return sum % COLOURS;
}

/** Returns the first letters of the first and the last word of a name. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends.map((word) => [...(word ?? "")][0]?.toUpperCase() ?? "").join("");
}
