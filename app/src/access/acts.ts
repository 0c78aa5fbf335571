import { type RefObject, useRef, useState } from "react";
import { failure } from "../graphql/ask";
import { sentence } from "../ui/states";

export type Undo = () => Promise<unknown>;
export type Said = { text: string; undo: Undo | null };

export type Acts = {
  /** What was done last, for the line that tells it. */
  said: Said | null;
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
  act: (at: string, run: () => Promise<unknown>, text: string, undo?: Undo, stays?: boolean) => Promise<boolean>;
  refuse: (at: string, text: string) => void;
  clear: () => void;
};

/** What is done in a dialog about access: one act at a time, told in a line, refused beside its field. */
export function useAccessActs(reload: () => Promise<void>): Acts {
  const [said, setSaid] = useState<Said | null>(null);
  const [fault, setFault] = useState<Acts["fault"]>(null);
  const [isBusy, setBusy] = useState(false);
  const isRunning = useRef(false);
  const line = useRef<HTMLDivElement>(null);

  return {
    said,
    line,
    fault,
    isBusy,
    async act(at, run, text, undo, stays = false) {
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
        await run();
      } catch (thrown) {
        refused = sentence(failure(thrown).message);
      }
      await reload(); // what is told can be seen
      if (refused === null) setSaid({ text, undo: undo ?? null });
      else {
        setSaid(null);
        setFault({ at, text: refused });
        if (goes && pressed instanceof HTMLElement) pressed.focus();
      }
      isRunning.current = false;
      setBusy(false);
      return refused === null;
    },
    refuse: (at, text) => setFault({ at, text }),
    clear: () => {
      setSaid(null);
      setFault(null);
    },
  };
}
