/** Whose letters are whose, by Yjs client and clock, as the server says it. */

import type { DocumentCreditsData } from "../../graphql/generated";
import type { AuthorName } from "../../ui/authors";

type Answer = NonNullable<DocumentCreditsData["document"]>["credits"];

/** An author and the minute in which they wrote. */
export interface Credit {
  readonly author: AuthorName;
  readonly at: string;
}

type Range = readonly [client: number, clock: number, length: number, author: number];

export class Credits {
  readonly revision: number;
  readonly all: readonly Credit[];
  private readonly clients = new Map<number, Range[]>();

  constructor({ revision, authors, ranges }: Answer) {
    this.revision = revision;
    this.all = authors.map(({ editedAt, ...author }) => ({ author, at: editedAt }));
    for (const range of ranges as Range[]) {
      const known = this.clients.get(range[0]);
      if (known) known.push(range);
      else this.clients.set(range[0], [range]);
    }
  }

  /** Yields how many of the letters from `clock` on are whose; null where the server did not say. */
  *of(client: number, clock: number, length: number): Generator<[number, Credit | null]> {
    const ranges = this.clients.get(client) ?? [];
    const stop = clock + length;
    for (let place = after(ranges, clock); clock < stop; place++) {
      const [, first, size, author] = ranges[place] ?? [client, stop, 0, -1];
      if (clock < first) {
        yield [Math.min(first, stop) - clock, null];
        clock = Math.min(first, stop);
      }
      const end = Math.min(first + size, stop);
      if (clock < end) yield [end - clock, this.all[author] ?? null];
      clock = Math.max(clock, end);
    }
  }
}

export function keyOf({ userId, agent }: AuthorName): string {
  return `${userId} ${agent ?? ""}`;
}

/** Returns the place of the first range that does not end before the clock. */
function after(ranges: Range[], clock: number): number {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const [, first, length] = ranges[middle] as Range;
    if (first + length <= clock) low = middle + 1;
    else high = middle;
  }
  return low;
}
