import { useCallback, useEffect, useRef, useState } from "react";
import { failure } from "./ask";
import { type Change, follow } from "./changes";
import type { Failure } from "./client";
import type { Next } from "./generated";

export type Page<Entry> = { entries: Entry[]; next: Next };

/** Where a list comes from: `load` gives the page after a cursor; `concerns` says which changes may touch the list. */
export type PageSource<Entry> = {
  load: (after: string | null) => Promise<Page<Entry>>;
  concerns: (change: Change) => boolean;
};

export type Pages<Entry> = {
  /** Null until the first page is there. */
  entries: Entry[] | null;
  hasMore: boolean;
  failure: Failure | null;
  more: () => void;
  reload: () => void;
};

export const NOTHING: Page<never> = { entries: [], next: { hasNextPage: false, endCursor: null } };
const SETTLE = 200; // milliseconds in which changes are gathered before the list is asked for again

type Shown<Entry> = { entries: Entry[] | null; after: string | null; failure: Failure | null };

/** Loads a list page by page, as the reader asks for more. `source` must be the same while the list is the same. */
export function usePages<Entry>(source: PageSource<Entry>): Pages<Entry> {
  const [shown, setShown] = useState<Shown<Entry>>({ entries: null, after: null, failure: null });
  const run = useRef(0);

  const load = useCallback(
    async (before: Entry[], from: string | null) => {
      run.current += 1;
      const mine = run.current;
      try {
        const { entries, next } = await source.load(from);
        if (mine !== run.current) return;
        const after = next.hasNextPage ? next.endCursor : null;
        setShown({ entries: [...before, ...entries], after, failure: null });
      } catch (fault) {
        if (mine === run.current) setShown((present) => ({ ...present, failure: failure(fault) }));
      }
    },
    [source],
  );
  const reload = useCallback(() => void load([], null), [load]);

  useEffect(() => {
    setShown({ entries: null, after: null, failure: null });
    reload();
    let due: ReturnType<typeof setTimeout> | undefined;
    const unfollow = follow((change) => {
      if (due !== undefined || !source.concerns(change)) return;
      due = setTimeout(() => {
        due = undefined;
        reload();
      }, SETTLE);
    });
    return () => {
      run.current += 1;
      clearTimeout(due);
      unfollow();
    };
  }, [reload, source]);

  const { entries, after } = shown;
  return {
    entries,
    failure: shown.failure,
    hasMore: after !== null,
    more: () => void load(entries ?? [], after),
    reload,
  };
}
