import { type RefObject, useRef, useState } from "react";
import { failure } from "../graphql/ask";
import { sentence } from "../ui/states";

export type Undo = () => Promise<unknown>;
export type Outcome = { text: string; undo: Undo | null };

export type Actions = {
  /** What was done last, for the line that tells it. */
  outcome: Outcome | null;
  /** That line. */
  line: RefObject<HTMLDivElement | null>;
  /** What was refused, and at which field. */
  fault: { at: string; text: string } | null;
  /** An act runs; another one is not begun. Controls stay enabled, since a disabled one loses the keyboard for good. */
  isBusy: boolean;
  /**
   * Do something, ask again for what is shown, and tell what was done; returns whether it was done. What was pressed is gone
   * afterwards, where there is an undo, unless it `stays`: the line has the keyboard then.
   */
  run: (at: string, action: () => Promise<unknown>, text: string, undo?: Undo, stays?: boolean) => Promise<boolean>;
  refuse: (at: string, text: string) => void;
  clear: () => void;
};

/** What is done in a dialog about access: one act at a time, told in a line, refused beside its field. */
export function useAccessActions(reload: () => Promise<unknown>): Actions {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [fault, setFault] = useState<Actions["fault"]>(null);
  const [isBusy, setBusy] = useState(false);
  const isRunning = useRef(false);
  const line = useRef<HTMLDivElement>(null);

  return {
    outcome,
    line,
    fault,
    isBusy,
    async run(at, action, text, undo, stays = false) {
      if (isRunning.current) return false;
      isRunning.current = true;
      setBusy(true);
      setFault(null);
      const pressed = document.activeElement;
      const goes = !!undo && !stays;
      // before it goes: a dialog takes the keyboard to its beginning where what has it is gone
      if (goes) line.current?.focus();
      let refused: string | null = null;
      try {
        await action();
      } catch (thrown) {
        refused = sentence(failure(thrown).message);
      }
      await reload(); // what is told can be seen
      if (refused === null) setOutcome({ text, undo: undo ?? null });
      else {
        setOutcome(null);
        setFault({ at, text: refused });
        if (goes && pressed instanceof HTMLElement) pressed.focus();
      }
      isRunning.current = false;
      setBusy(false);
      return refused === null;
    },
    refuse: (at, text) => setFault({ at, text }),
    clear: () => {
      setOutcome(null);
      setFault(null);
    },
  };
}
