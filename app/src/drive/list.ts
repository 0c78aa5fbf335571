import {
  type QueryKey,
  queryOptions,
  experimental_streamedQuery as streamedQuery,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useMemo } from "react";
import type { Failure } from "../graphql/ask";
import { isNotice, type ViewerEvent } from "../graphql/events";
import type { Next, Row } from "../graphql/generated";
import { type Edit, LAST_EDITS, type TouchedBy } from "../graphql/queries";

/** An item with what lists of many places tell: the folders above it, and who shared it with the reader. */
export type Listed = Row & { path?: { id: string; name: string }[] | null; sharedBy?: { name: string } | null };

/** A part of a list, with what its screen shows above it. */
export type Part<Head> = { head: Head; rows: Row[]; next: Next };

/** What is kept of a list: `parts` is how many requests it took. */
export type ListData<Head> = { head: Head | undefined; rows: Row[]; isWhole: boolean; parts: number };

export type List<Head> = {
  head: Head | undefined;
  rows: Row[];
  isWhole: boolean;
  failure: Failure | null;
  reload: () => void;
  remove: (ids: Set<string>) => void;
};

/**
 * A list that is loaded whole, part by part: `load` gives the part after a cursor. The first parts are shown as they come; when the
 * list is asked for again, what is shown stays until all of it is there.
 */
export function wholeList<Head>(
  queryKey: QueryKey,
  load: (after: string | null, signal: AbortSignal) => Promise<Part<Head>>,
  touchedBy: TouchedBy<ListData<Head>>,
) {
  return queryOptions({
    queryKey,
    queryFn: streamedQuery<Part<Head>, ListData<Head>>({
      async *streamFn({ signal }) {
        let after: string | null = null;
        do {
          const part: Part<Head> = await load(after, signal);
          yield part;
          after = part.next.hasNextPage ? part.next.endCursor : null;
        } while (after !== null);
      },
      refetchMode: "replace",
      initialValue: { head: undefined, rows: [], isWhole: false, parts: 0 },
      reducer: ({ rows, parts }, { head, rows: more, next }) => ({
        head,
        rows: [...rows, ...more],
        isWhole: !next.hasNextPage,
        parts: parts + 1,
      }),
    }),
    structuralSharing: false, // of ten thousand rows it would compare each with each that came before
    meta: { touchedBy: touchedBy as TouchedBy<unknown> },
  });
}

/** Keeps a list as it is on the server. Who edits a document is told by the event, so that nothing is asked. */
export function useList<Head>(options: ReturnType<typeof wholeList<Head>>): List<Head> {
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(options);
  const { data: edits = {} } = useQuery(LAST_EDITS);
  const rows = useMemo(() => (data?.rows ?? []).map((row) => edited(row, edits[row.id])), [data, edits]);
  return {
    head: data?.head,
    rows,
    isWhole: data?.isWhole ?? false,
    failure: error?.failure ?? null,
    reload: () => void refetch(),
    remove: (ids) =>
      queries.setQueryData(
        options.queryKey,
        (before) => before && { ...before, rows: before.rows.filter((row) => !ids.has(row.id)) },
      ),
  };
}

function edited(row: Row, edit: Edit | undefined): Row {
  return edit && edit.updatedAt > row.updatedAt ? { ...row, ...edit } : row;
}

/** Whether an event can touch a list of what lies in a drive, or anywhere: all but edits, which `useList` shows by themselves. */
export function touchesItems(driveId: string | undefined, event: ViewerEvent, rows: readonly { id: string }[] = []) {
  if (isNotice(event)) return true;
  if (event.type === "documentEdited") return false;
  return driveId === undefined || event.driveId === driveId || rows.some(({ id }) => id === event.itemId);
}
