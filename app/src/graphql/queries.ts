/** The server's state as the application keeps it: under keys, until an event touches it. */

import {
  infiniteQueryOptions,
  type Query,
  QueryClient,
  type QueryKey,
  queryOptions,
  skipToken,
  useInfiniteQuery,
} from "@tanstack/react-query";
import { useMemo } from "react";
import { type Failure, Refused } from "./ask";
import type { Events, ViewerEvent } from "./events";
import type { Next, Row } from "./generated";
import { Refresh } from "./refresh";

/** Whether an event may make an answer old; gets what is kept, undefined where nothing is yet. */
export type TouchedBy<Data> = (event: ViewerEvent, data: Data | undefined) => boolean;

declare module "@tanstack/react-query" {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface is merged with the library's
  interface Register {
    defaultError: Refused;
    queryMeta: {
      /** Without it the answer is old at once: it is asked for again wherever it is shown anew. */
      touchedBy?: (event: ViewerEvent, data: unknown) => boolean;
    };
  }
}

export function makeQueries(events: Pick<Events, "read">): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: ({ meta }) => (meta?.touchedBy && events.read() === "live" ? Number.POSITIVE_INFINITY : 0),
        retry: false,
        // the server's events say what is old, and its connection when it is back
        networkMode: "always",
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        throwOnError: (error) => !(error instanceof Refused),
      },
    },
  });
}

/** The last edit of a document, as the event of it told. */
export type Edit = Pick<Row, "updatedAt" | "updatedBy">;

/** The last edits since the page was opened, by the documents' ids: nobody asks the server for them. */
export const LAST_EDITS = queryOptions<Readonly<Record<string, Edit>>>({
  queryKey: ["last edits"],
  queryFn: skipToken,
  initialData: {},
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

/** One answer of the server. */
export function answer<Data>(
  queryKey: QueryKey,
  load: (signal: AbortSignal) => Promise<Data>,
  touchedBy?: TouchedBy<Data>,
) {
  return queryOptions({ queryKey, queryFn: ({ signal }) => load(signal), meta: metaOf(touchedBy) });
}

export type Page<Entry> = { entries: Entry[]; next: Next };
export const NO_PAGE: Page<never> = { entries: [], next: { hasNextPage: false, endCursor: null } };

type Kept<Entry> = { pages: Page<Entry>[] };

/** A list that is loaded page by page, as the reader asks for more: `load` gives the page after a cursor. */
export function pages<Entry>(
  queryKey: QueryKey,
  load: (after: string | null, signal: AbortSignal) => Promise<Page<Entry>>,
  touchedBy?: TouchedBy<Entry[]>,
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => load(pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => (next.hasNextPage ? next.endCursor : null),
    meta: metaOf<Kept<Entry>>(touchedBy && ((event, data) => touchedBy(event, data && entriesOf(data)))),
  });
}

export type Pages<Entry> = {
  /** Null until the first page is there. */
  entries: Entry[] | null;
  hasMore: boolean;
  failure: Failure | null;
  more: () => void;
  reload: () => void;
};

export function usePages<Entry>(options: ReturnType<typeof pages<Entry>>): Pages<Entry> {
  const { data, error, hasNextPage, fetchNextPage, refetch, isFetching } = useInfiniteQuery(options);
  const entries = useMemo(() => (data ? entriesOf(data) : null), [data]);
  return {
    entries,
    hasMore: hasNextPage,
    failure: error?.failure ?? null,
    // what is asked for already comes first: a page does not take its place
    more: () => void (isFetching ? refetch({ cancelRefetch: false }) : Promise.resolve()).then(() => fetchNextPage()),
    reload: () => void refetch(),
  };
}

function entriesOf<Entry>({ pages }: Kept<Entry>): Entry[] {
  return pages.flatMap(({ entries }) => entries);
}

function metaOf<Data>(touchedBy: TouchedBy<Data> | undefined) {
  return touchedBy ? { touchedBy: touchedBy as TouchedBy<unknown> } : {};
}

/**
 * Ask again for what events touch, as soon as it is shown: the one way from the server's events to what is kept. Returns what
 * ends that.
 */
export function refreshBy(events: Pick<Events, "follow" | "subscribe" | "read">, queries: QueryClient): () => void {
  const refreshes = new WeakMap<Query, Refresh>();
  const cache = queries.getQueryCache();

  function refreshOf(query: Query): Refresh {
    const refresh = refreshes.get(query) ?? new Refresh(() => refetched(query));
    refreshes.set(query, refresh);
    return refresh;
  }

  /** Fetch what is shown once more; returns how many requests that took. */
  async function refetched(query: Query): Promise<number> {
    await query.promise?.catch(() => undefined); // what was asked for before the event may be older than it
    query.invalidate();
    if (!query.isActive()) return 0;
    await queries.refetchQueries({ queryKey: query.queryKey, exact: true });
    return requestsOf(query.state.data);
  }

  const unfollow = events.follow((event) => {
    const { type, itemId, at, by } = event;
    if (type === "documentEdited" && itemId && at && by)
      queries.setQueryData(LAST_EDITS.queryKey, (before = {}) => ({
        ...before,
        [itemId]: { updatedAt: at, updatedBy: by },
      }));
    for (const query of cache.getAll()) {
      if (!query.meta?.touchedBy?.(event, query.state.data)) continue;
      query.invalidate();
      refreshOf(query).ask();
    }
  });
  const unsubscribe = events.subscribe(() => {
    if (events.read() !== "live") return;
    void queries.refetchQueries({ type: "active", predicate: ({ state }) => state.status === "error" });
  });
  return () => {
    unfollow();
    unsubscribe();
  };
}

/** How many requests an answer takes. */
function requestsOf(data: unknown): number {
  const { pages, parts } = (data ?? {}) as Partial<Kept<unknown> & { parts: number }>;
  return pages?.length ?? parts ?? 1;
}
