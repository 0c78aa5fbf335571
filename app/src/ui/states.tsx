import type { ReactNode } from "react";
import type { Failure } from "../graphql/ask";
import { useConnection, useViewer } from "../graphql/session";
import { t } from "../messages/messages";
import style from "./states.module.css";

/** What is missing and what is hidden is one page. */
export function Missing() {
  const { email } = useViewer();
  return (
    <section className={style.state}>
      <h1>{t.states.missing}</h1>
      <p>{t.states.missingWhy(email)}</p>
      <p>
        <a href="/">{t.states.toDrives}</a>
      </p>
    </section>
  );
}

/** A request failed: the server's own sentence, and a way to try again or to sign in. */
export function Failed({ failure, retry }: { failure: Failure; retry: () => void }) {
  if (failure.code === "NOT_FOUND") return <Missing />;
  const isSignedOut = failure.code === "UNAUTHORIZED";
  return (
    <section className={style.state} role="alert">
      <h1>{isSignedOut ? t.states.signedOut : t.states.failed}</h1>
      {!isSignedOut && <p>{sentence(failure.message)}</p>}
      {isSignedOut ? (
        <p>
          <a href={signIn()}>{t.states.signIn}</a>
        </p>
      ) : (
        <button type="button" onClick={retry}>
          {t.states.tryAgain}
        </button>
      )}
    </section>
  );
}

/** What is shown may be old: the server did not answer for it again. */
export function Stale({ failure, retry }: { failure: Failure; retry: () => void }) {
  return (
    <p className={style.stale} role="status">
      {t.states.stale(sentence(failure.message))}{" "}
      {failure.code === "UNAUTHORIZED" ? (
        <a href={signIn()}>{t.states.signIn}</a>
      ) : (
        <button type="button" className="quiet" onClick={retry}>
          {t.states.tryAgain}
        </button>
      )}
    </p>
  );
}

/** What is shown may be old: changes do not come as they happen. */
export function NotLive() {
  const connection = useConnection();
  if (connection === "live") return null;
  return (
    <p className={style.stale} role="status">
      {connection === "away" ? (
        t.states.away
      ) : (
        <>
          {t.states.ended} <a href={signIn()}>{t.states.signIn}</a>
        </>
      )}
    </p>
  );
}

/** Where the reader signs in, to come back here. */
function signIn(): string {
  return `/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`;
}

export function Empty({ children }: { children: ReactNode }) {
  return <div className={style.empty}>{children}</div>;
}

/** Lines in the place of rows; they appear after 150 ms, so that a quick answer shows none. */
export function Loading() {
  return (
    <div className={style.loading} role="status">
      <span className="unseen">{t.ui.loading}</span>
      {["a", "b", "c", "d", "e"].map((each) => (
        <span key={each} className={style.line} />
      ))}
    </div>
  );
}

/** A message of the server as a sentence. */
export function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
