/** Says, and offers what to do, when edits do not reach the server. */

import { type ReactNode, useEffect, useRef, useState } from "react";
import { useViewer } from "../graphql/session";
import { t } from "../messages/messages";
import style from "./DocumentScreen.module.css";
import type { DocumentSession, DocumentState } from "./document_session";
import type { Ended } from "./session_states";

/** The words of the catalogue for each end of a connection. */
const SENTENCES = {
  signedOut: "signedOut",
  full: "full",
  driveFull: "driveFull",
  refused: "refused",
  notAllowed: "nowReadOnly",
  unsent: "nowReadOnly",
} as const satisfies Record<Exclude<Ended, "missing" | "otherUser">, string>;

export function Banner({
  document,
  state,
  again,
}: {
  document: DocumentSession;
  state: DocumentState;
  again: () => void;
}) {
  const { ended, isAway, held, mayEdit } = state;
  const { name } = useViewer();
  if (ended === "missing") return null;
  if (ended === "signedOut") {
    return (
      <Warning>
        <p>{t.document.signedOut}</p>
        <a href="/sign-in" target="_blank" rel="noreferrer">
          {t.document.signIn}
        </a>
        <button type="button" onClick={() => void document.retry()}>
          {t.document.signedIn}
        </button>
      </Warning>
    );
  }
  if (ended === "otherUser") {
    return (
      <Warning>
        <p>{t.document.otherUser(name)}</p>
        <Unsaved document={document} />
        <button type="button" onClick={() => location.reload()}>
          {t.ui.reload}
        </button>
      </Warning>
    );
  }
  if (ended) {
    return (
      <Warning>
        <p>{t.document[SENTENCES[ended]]}</p>
        {ended === "driveFull" && (
          <button type="button" onClick={() => void document.retry()}>
            {t.states.tryAgain}
          </button>
        )}
        <Unsaved document={document} />
        <button type="button" onClick={() => document.discard().then(again)}>
          {t.document.discard}
        </button>
      </Warning>
    );
  }
  if (isAway) return <Warning>{t.document.away}</Warning>;
  if (held && !mayEdit) return <p className={style.bar}>{t.document.mayOnlyRead}</p>;
  return null;
}

function Warning({ children }: { children: ReactNode }) {
  return (
    <div role="alert" className={`${style.bar} ${style.warning}`}>
      {children}
    </div>
  );
}

/** What was written here and the server did not take, to be copied; nothing where that is no text. */
export function Unsaved({ document }: { document: DocumentSession }) {
  const [text, setText] = useState("");
  useEffect(() => {
    let isShown = true;
    document.unsavedText().then((found) => isShown && setText(found));
    return () => {
      isShown = false;
    };
  }, [document]);
  const field = useRef<HTMLTextAreaElement>(null);

  function copy() {
    field.current?.select(); // where a page may not write to the clipboard, Ctrl+C does
    navigator.clipboard?.writeText(text).catch(() => undefined);
  }

  if (!text) return null;
  return (
    <>
      <textarea ref={field} readOnly aria-label={t.document.unsaved} value={text} />
      <button type="button" className="quiet" onClick={copy}>
        {t.ui.copy}
      </button>
    </>
  );
}
