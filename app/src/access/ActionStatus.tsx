import { t } from "../messages/messages";
import style from "./access.module.css";
import type { Actions } from "./actions";

/** Tells what was done last in the dialog, with Undo where it can be taken back. */
export function ActionStatus({ actions, at }: { actions: Actions; at: string }) {
  const { outcome, line } = actions;
  return (
    <div ref={line} role="status" tabIndex={-1} className={style.outcome}>
      {outcome && (
        <>
          <span>{outcome.text}</span>
          {outcome.undo && (
            <button
              type="button"
              className="quiet"
              onClick={() => {
                line.current?.focus(); // this button goes
                if (outcome.undo) void actions.run(at, outcome.undo, t.ui.undone);
              }}
            >
              {t.ui.undo}
            </button>
          )}
        </>
      )}
    </div>
  );
}
