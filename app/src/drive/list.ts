import { useCallback, useEffect, useRef, useState } from "react";
import { failure } from "../graphql/ask";
import { type Change, follow, useBack } from "../graphql/changes";
import type { Failure } from "../graphql/client";
import type { Next, Row } from "../graphql/generated";
import { Refresh } from "../graphql/refresh";

/** An item with what lists of many places tell: the folders above it, and who shared it with the reader. */
export type Listed = Row & { path?: { id: string; name: string }[] | null; sharedBy?: { name: string } | null };

/** A part of a list, with what its screen shows above it. */
export type Part<Head> = { head: Head; rows: Row[]; next: Next };

/** Where a list comes from: `load` gives the part after a cursor; `concerns` says which changes may touch it. */
export type Source<Head> = {
  load: (after: string | null) => Promise<Part<Head>>;
  concerns: (change: Change, rows: Row[]) => boolean;
  /** The rows come in the order in which they were changed. */
  isByChange?: boolean;
};

export type List<Head> = {
  head: Head | undefined;
  rows: Row[];
  isWhole: boolean;
  failure: Failure | null;
  reload: () => void;
  remove: (ids: Set<string>) => void;
};

type Shown<Head> = { head: Head | undefined; rows: Row[]; isWhole: boolean; failure: Failure | null };

/**
 * Loads a list part by part and keeps it as it is on the server. The first parts are shown as they come; when the list is asked
 * for again, what is shown stays until all of it is there. Who edits a document is told by the change, so that nothing is asked.
 * `source` must be the same while the list is the same.
 */
export function useList<Head>(source: Source<Head>): List<Head> {
  const [shown, setShown] = useState<Shown<Head>>({ head: undefined, rows: [], isWhole: false, failure: null });
  const present = useRef(shown);
  present.current = shown;
  const run = useRef<Run | null>(null);
  const edits = useRef(new Map<string, Edit>());

  // what changes while the list is loaded is loaded afterwards: however often it changes, it is whole at some time
  const load = useCallback((): Promise<number> => {
    if (run.current) {
      run.current.isDue = true;
      return run.current.done;
    }
    const mine: Run = { isDue: true, done: Promise.resolve(0) };
    run.current = mine;

    async function loaded(): Promise<number> {
      let isFirst = !present.current.isWhole;
      let requests = 0;
      while (mine.isDue) {
        mine.isDue = false;
        const rows: Row[] = [];
        let after: string | null = null;
        try {
          do {
            requests += 1;
            const part: Part<Head> = await source.load(after);
            if (run.current !== mine) return requests;
            rows.push(...part.rows);
            after = part.next.hasNextPage ? part.next.endCursor : null;
            if (isFirst || after === null) {
              const shown = rows.map((row) => edited(row, edits.current.get(row.id)));
              setShown({ head: part.head, rows: shown, isWhole: after === null, failure: null });
            }
          } while (after !== null);
          isFirst = false;
        } catch (fault) {
          if (run.current !== mine) return requests;
          setShown((before) => ({ ...before, failure: failure(fault) }));
        }
      }
      run.current = null;
      return requests;
    }

    mine.done = loaded();
    return mine.done;
  }, [source]);

  useEffect(() => {
    setShown({ head: undefined, rows: [], isWhole: false, failure: null });
    present.current = { head: undefined, rows: [], isWhole: false, failure: null };
    edits.current.clear();
    void load();
    const refresh = new Refresh(load);
    const unfollow = follow((change) => {
      if (!source.concerns(change, present.current.rows)) return;
      const { type, itemId, at, by } = change;
      if (type !== "documentEdited" || source.isByChange || !itemId || !at || !by) return refresh.ask();
      const edit = { updatedAt: at, updatedBy: by };
      edits.current.set(itemId, edit);
      setShown((before) => ({
        ...before,
        rows: before.rows.map((row) => (row.id === itemId ? edited(row, edit) : row)),
      }));
    });
    return () => {
      run.current = null;
      refresh.end();
      unfollow();
    };
  }, [load, source]);
  useBack(() => present.current.failure && void load());

  return {
    ...shown,
    reload: () => void load(),
    remove: (ids) => setShown((before) => ({ ...before, rows: before.rows.filter((row) => !ids.has(row.id)) })),
  };
}

type Run = { isDue: boolean; done: Promise<number> };
type Edit = Pick<Row, "updatedAt" | "updatedBy">;

function edited(row: Row, edit: Edit | undefined): Row {
  return edit && edit.updatedAt > row.updatedAt ? { ...row, ...edit } : row;
}

/** Whether a change can touch a list of what lies in a drive: everything that happened in the drive, and every notice. */
export function inDrive(driveId: string | undefined, change: Change, rows: { id: string }[]): boolean {
  if (change.type === "accessChanged" || change.type === "reload") return true;
  if (change.type === "documentEdited") return rows.some((row) => row.id === change.itemId);
  return driveId === undefined || change.driveId === driveId || rows.some((row) => row.id === change.itemId);
}
