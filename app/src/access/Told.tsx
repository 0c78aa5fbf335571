import style from "./access.module.css";
import type { Acts } from "./acts";

/** Tells what was done last in the dialog, with Undo where it can be taken back. */
export function Told({ acts, at }: { acts: Acts; at: string }) {
  const { said, line } = acts;
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
