import type { ErrorComponentProps } from "@tanstack/react-router";
import { isNotLoaded, NOT_LOADED } from "./lazy_dialog";
import style from "./states.module.css";
import { useTitle } from "./title";

/** Takes the place of a screen that failed: what happened, and a way on. */
export function ErrorPage({ error }: ErrorComponentProps) {
  useTitle("Error");
  return (
    <section className={style.state} role="alert">
      <h1>This page cannot be shown</h1>
      <p>{isNotLoaded(error) ? NOT_LOADED : `Something unexpected happened: ${wordsOf(error)}`}</p>
      <p>What you wrote in documents is kept.</p>
      <button type="button" onClick={() => location.reload()}>
        Reload
      </button>
    </section>
  );
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
