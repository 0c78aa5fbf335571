import type { ErrorComponentProps } from "@tanstack/react-router";
import { t } from "../messages/messages";
import { isNotLoaded } from "./lazy_dialog";
import style from "./states.module.css";
import { useTitle } from "./title";

/** Takes the place of a screen that failed: what happened, and a way on. */
export function ErrorPage({ error }: ErrorComponentProps) {
  useTitle(t.states.error);
  return (
    <section className={style.state} role="alert">
      <h1>{t.states.broken}</h1>
      <p>{isNotLoaded(error) ? t.states.notLoaded : t.states.unexpected(wordsOf(error))}</p>
      <p>{t.states.kept}</p>
      <button type="button" onClick={() => location.reload()}>
        {t.ui.reload}
      </button>
    </section>
  );
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
