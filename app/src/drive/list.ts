import { useCallback, useEffect, useRef, useState } from "react";
import { failure } from "../graphql/ask";
import { type Change, follow } from "../graphql/changes";
import type { Failure } from "../graphql/client";
import type { Next, Row } from "../graphql/generated";

/** A part of a list, with what its screen shows above it. */
export type Part<Head> = { head: Head; rows: Row[]; next: Next };

/** Where a list comes from: `load` gives the part after a cursor; `concerns` says which changes may touch it. */
export type Source<Head> = {
  load: (after: string | null) => Promise<Part<Head>>;
  concerns: (change: Change, rows: Row[]) => boolean;
};

export type List<Head> = {
  head: Head | undefined;
  rows: Row[];
  isWhole: boolean;
  failure: Failure | null;
  reload: () => void;
  remove: (ids: Set<string>) => void;
};

const SETTLE = 200; // milliseconds in which changes are gathered before the list is asked for again

type Shown<Head> = { head: Head | undefined; rows: Row[]; isWhole: boolean; failure: Failure | null };

/**
 * Loads a list part by part and keeps it as it is on the server. The first parts are shown as they come; when the list is asked
 * for again, what is shown stays until all of it is there. `source` must be the same while the list is the same.
 */
export function useList<Head>(source: Source<Head>): List<Head> {
  const [shown, setShown] = useState<Shown<Head>>({ head: undefined, rows: [], isWhole: false, failure: null });
  const present = useRef(shown);
  present.current = shown;
  const run = useRef<{ isDue: boolean } | null>(null);

  // what changes while the list is loaded is loaded afterwards: however often it changes, it is whole at some time
  const load = useCallback(async () => {
    if (run.current) {
      run.current.isDue = true;
      return;
    }
    const mine = { isDue: true };
    run.current = mine;
    let isFirst = !present.current.isWhole;
    while (mine.isDue) {
      mine.isDue = false;
      const rows: Row[] = [];
      let after: string | null = null;
      try {
        do {
          const part: Part<Head> = await source.load(after);
          if (run.current !== mine) return;
          rows.push(...part.rows);
          after = part.next.hasNextPage ? part.next.endCursor : null;
          if (isFirst || after === null) {
            setShown({ head: part.head, rows: [...rows], isWhole: after === null, failure: null });
          }
        } while (after !== null);
        isFirst = false;
      } catch (fault) {
        if (run.current !== mine) return;
        setShown((before) => ({ ...before, failure: failure(fault) }));
      }
    }
    run.current = null;
  }, [source]);

  useEffect(() => {
    setShown({ head: undefined, rows: [], isWhole: false, failure: null });
    present.current = { head: undefined, rows: [], isWhole: false, failure: null };
    void load();
    let due: ReturnType<typeof setTimeout> | undefined;
    const unfollow = follow((change) => {
      if (due === undefined && source.concerns(change, present.current.rows)) {
        due = setTimeout(() => {
          due = undefined;
          void load();
        }, SETTLE);
      }
    });
    return () => {
      run.current = null;
      clearTimeout(due);
      unfollow();
    };
  }, [load, source]);

  return {
    ...shown,
    reload: () => void load(),
    remove: (ids) => setShown((before) => ({ ...before, rows: before.rows.filter((row) => !ids.has(row.id)) })),
  };
}

/** Whether a change can touch a list of what lies in a drive: everything that happened in the drive, and every notice. */
export function inDrive(driveId: string | undefined, change: Change, rows: Row[]): boolean {
  if (change.type === "accessChanged" || change.type === "reload") return true;
  if (change.type === "documentEdited") return rows.some((row) => row.id === change.itemId);
  return driveId === undefined || change.driveId === driveId || rows.some((row) => row.id === change.itemId);
}
