import { useEffect, useRef } from "react";
import style from "./access.module.css";
import type { Acts, Said } from "./acts";

/** Tells what was done last in the dialog, with Undo where it can be taken back. Where what was pressed is gone, it has the keyboard. */
export function Told({ acts, at }: { acts: Acts; at: string }) {
  const { said } = acts;
  const line = useRef<HTMLDivElement>(null);
  const told = useRef<Said | null>(null);

  // what was pressed may be gone with its row
  useEffect(() => {
    if (said?.undo && !said.stays && said !== told.current) line.current?.focus();
    told.current = said;
  }, [said]);

  return (
    <div ref={line} role="status" tabIndex={-1} className={style.told}>
      {said && (
        <>
          <span>{said.text}</span>
          {said.undo && (
            <button
              type="button"
              className="quiet"
              onClick={() => {
                line.current?.focus(); // this button goes
                if (said.undo) void acts.act(at, said.undo, "Taken back.");
              }}
            >
              Undo
            </button>
          )}
        </>
      )}
    </div>
  );
}
