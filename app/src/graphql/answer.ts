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
  const asked = useRef(0);
  const answered = useRef(0); // the last question that is answered; an earlier one's answer is old

  const reload = useCallback(async () => {
    asked.current += 1;
    const mine = asked.current;
    const isOld = () => mine < answered.current;
    try {
      const value = await source.load();
      if (isOld()) return;
      answered.current = mine;
      present.current = value;
      setShown({ value, failure: null });
    } catch (fault) {
      if (!isOld()) setShown((before) => ({ ...before, failure: failure(fault) }));
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
      asked.current += 1;
      answered.current = asked.current;
      unfollow();
    };
  }, [reload, source]);

  return { ...shown, reload };
}
