/** Whose letters are whose, by Yjs client and clock, as the server says it. */

import type { DocumentCreditsData } from "../../graphql/generated";
import type { AuthorName } from "../../ui/authors";

type Answer = NonNullable<DocumentCreditsData["document"]>["credits"];

/** An author and the minute in which they wrote; with who moved the text to where it is, and when, if anybody did. */
export type Credit = {
  readonly author: AuthorName;
  readonly at: string;
  readonly moved?: Omit<Credit, "moved">;
};

type Range = readonly [client: number, clock: number, length: number, author: number];

type CreditedRange = {
  readonly clock: number;
  readonly length: number;
  readonly credit: Credit;
};

export class Credits {
  readonly revision: number;
  readonly all: readonly Credit[];
  private readonly clients = new Map<number, CreditedRange[]>();

  constructor({ revision, authors, ranges, movers, moved }: Answer) {
    this.revision = revision;
    this.all = authors.map(creditOf);
    const people = movers.map(creditOf);
    const moves = new Map((moved as Range[]).map(([client, clock, , mover]) => [`${client} ${clock}`, people[mover]]));
    for (const [client, clock, length, author] of ranges as Range[]) {
      const credit = this.all[author];
      if (!credit) continue;
      const mover = moves.get(`${client} ${clock}`);
      const range = { clock, length, credit: mover ? { ...credit, moved: mover } : credit };
      const known = this.clients.get(client);
      if (known) known.push(range);
      else this.clients.set(client, [range]);
    }
  }

  /** Yields how many of the letters from `clock` on are whose; null where the server did not say. */
  *of(client: number, clock: number, length: number): Generator<[number, Credit | null]> {
    const ranges = this.clients.get(client) ?? [];
    const stop = clock + length;
    for (let place = after(ranges, clock); clock < stop; place++) {
      const { clock: first, length: size, credit } = ranges[place] ?? { clock: stop, length: 0, credit: null };
      if (clock < first) {
        yield [Math.min(first, stop) - clock, null];
        clock = Math.min(first, stop);
      }
      const end = Math.min(first + size, stop);
      if (clock < end) yield [end - clock, credit];
      clock = Math.max(clock, end);
    }
  }
}

function creditOf({ editedAt, ...author }: Answer["authors"][number]): Credit {
  return { author, at: editedAt };
}

export function keyOf({ userId, agent }: AuthorName): string {
  return `${userId} ${agent ?? ""}`;
}

/** Whether these are of the same authors, of the same minutes. */
export function sameCredits(some: readonly Credit[], others: readonly Credit[]): boolean {
  return named(some) === named(others);
}

/** Whether the text was moved by the same author, or by nobody. */
export function isMovedAlike({ moved: one }: Credit, { moved: other }: Credit): boolean {
  return sameCredits(one ? [one] : [], other ? [other] : []);
}

function named(credits: readonly Credit[]): string {
  return credits.map(({ author, at }) => `${keyOf(author)} ${at}`).join();
}

/** Returns the place of the first range that does not end before the clock. */
function after(ranges: CreditedRange[], clock: number): number {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const { clock: first, length } = ranges[middle] as CreditedRange;
    if (first + length <= clock) low = middle + 1;
    else high = middle;
  }
  return low;
}
