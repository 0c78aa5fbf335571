import { useCallback, useEffect, useRef, useState } from "react";
import { failure } from "./ask";
import { type Change, follow, useBack } from "./changes";
import type { Failure } from "./client";
import type { Next } from "./generated";
import { Refresh } from "./refresh";

export type Page<Entry> = { entries: Entry[]; next: Next };

/** Where a list comes from: `load` gives the page after a cursor; `concerns` says which changes may touch the list. */
export type PageSource<Entry> = {
  load: (after: string | null) => Promise<Page<Entry>>;
  concerns: (change: Change, entries: readonly Entry[]) => boolean;
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

type Shown<Entry> = { entries: Entry[] | null; after: string | null; failure: Failure | null };

/**
 * Loads a list page by page, as the reader asks for more; what was shown is there again when the list is asked for anew. `source`
 * must be the same while the list is the same.
 */
export function usePages<Entry>(source: PageSource<Entry>): Pages<Entry> {
  const [shown, setShown] = useState<Shown<Entry>>({ entries: null, after: null, failure: null });
  const present = useRef(shown);
  present.current = shown;
  const run = useRef(0);
  /** How many entries the reader asked for. */
  const wanted = useRef(0);

  const load = useCallback(
    async (before: Entry[], from: string | null) => {
      run.current += 1;
      const mine = run.current;
      const entries = [...before];
      let after = from;
      let requests = 0;
      try {
        do {
          requests += 1;
          const page = await source.load(after);
          if (mine !== run.current) return requests;
          entries.push(...page.entries);
          after = page.next.hasNextPage ? page.next.endCursor : null;
        } while (after !== null && entries.length < wanted.current);
        setShown({ entries, after, failure: null });
      } catch (fault) {
        if (mine === run.current) setShown((shown) => ({ ...shown, failure: failure(fault) }));
      }
      return requests;
    },
    [source],
  );
  const anew = useCallback(() => {
    wanted.current = Math.max(wanted.current, present.current.entries?.length ?? 0);
    return load([], null);
  }, [load]);
  const reload = useCallback(() => void anew(), [anew]);

  useEffect(() => {
    setShown({ entries: null, after: null, failure: null });
    present.current = { entries: null, after: null, failure: null };
    wanted.current = 0;
    reload();
    const refresh = new Refresh(anew);
    const unfollow = follow((change) => {
      if (source.concerns(change, present.current.entries ?? [])) refresh.ask();
    });
    return () => {
      run.current += 1;
      refresh.end();
      unfollow();
    };
  }, [anew, reload, source]);
  useBack(() => present.current.failure && reload());

  const { entries, after } = shown;
  return {
    entries,
    failure: shown.failure,
    hasMore: after !== null,
    more: () => {
      wanted.current = (entries?.length ?? 0) + 1;
      void load(entries ?? [], after);
    },
    reload,
  };
}
