import { useLayoutEffect, useRef, useState } from "react";
import { t } from "../messages/messages";
import style from "./access.module.css";

type Props = {
  /** What is left, such as “the drive”. */
  what: string;
  /** What leaving does. */
  warning: string;
  isBusy: boolean;
  /** Leaves; returns whether that was done. */
  leave: () => Promise<boolean>;
};

/** Asks before the reader gives up their own access. The keyboard goes along with what is asked. */
export function LeaveButton({ what, warning, isBusy, leave }: Props) {
  const [isAsked, setAsked] = useState(false);
  const wasAsked = useRef(false);
  const button = useRef<HTMLButtonElement>(null);

  useLayoutEffect(() => {
    if (isAsked !== wasAsked.current) button.current?.focus();
    wasAsked.current = isAsked;
  }, [isAsked]);

  if (!isAsked)
    return (
      <button ref={button} type="button" className="quiet" onClick={() => setAsked(true)}>
        {t.access.openLeave}
      </button>
    );
  return (
    <div className={style.row} role="group" aria-label={t.access.leaveWhat(what)}>
      <p className={style.grow}>{warning}</p>
      <button
        ref={button}
        type="button"
        aria-disabled={isBusy}
        onClick={async () => {
          if (!(await leave())) setAsked(false);
        }}
      >
        {t.access.leave}
      </button>
      <button type="button" className="quiet" onClick={() => setAsked(false)}>
        {t.access.stay}
      </button>
    </div>
  );
}
