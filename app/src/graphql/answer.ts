import { useCallback, useEffect, useRef, useState } from "react";
import { failure } from "./ask";
import { type Change, follow } from "./changes";
import type { Failure } from "./client";

export type AnswerSource<Value> = {
  load: () => Promise<Value>;
  /** Which changes may touch the answer; gets the one that is shown. */
  concerns: (change: Change, shown: Value | undefined) => boolean;
};

export type Answer<Value> = { value: Value | undefined; failure: Failure | null; reload: () => Promise<void> };

/** Keeps one answer as it is on the server. `source` must be the same while the question is the same. */
export function useAnswer<Value>(source: AnswerSource<Value>): Answer<Value> {
  const [shown, setShown] = useState<Omit<Answer<Value>, "reload">>({ value: undefined, failure: null });
  const present = useRef<Value | undefined>(undefined);
  const run = useRef(0);

  const reload = useCallback(async () => {
    run.current += 1;
    const mine = run.current;
    try {
      const value = await source.load();
      if (mine !== run.current) return;
      present.current = value;
      setShown({ value, failure: null });
    } catch (fault) {
      if (mine === run.current) setShown((before) => ({ ...before, failure: failure(fault) }));
    }
  }, [source]);

  useEffect(() => {
    present.current = undefined;
    setShown({ value: undefined, failure: null });
    void reload();
    const unfollow = follow((change) => {
      if (source.concerns(change, present.current)) void reload();
    });
    return () => {
      run.current += 1;
      unfollow();
    };
  }, [reload, source]);

  return { ...shown, reload };
}
