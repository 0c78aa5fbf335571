/** Says, and offers what to do, when edits do not reach the server. */

import { type ReactNode, useEffect, useRef, useState } from "react";
import { useViewer } from "../graphql/session";
import style from "./DocumentScreen.module.css";
import type { DocumentSession, DocumentState } from "./document_session";
import type { Ended } from "./session_states";

const NOT_SAVED = "You may only read this document now. What you wrote last was not saved.";
const SENTENCES: Readonly<Record<Exclude<Ended, "missing" | "otherUser">, string>> = {
  signedOut: "You are signed out. What you write stays in this browser until you sign in again.",
  full: "This document is full: the server did not take what you wrote last.",
  driveFull:
    "The storage of this drive is full: the server did not take what you wrote last. It stays in this browser. Delete something in the trash of the drive for ever, wait some seconds, and try again.",
  refused: "The server refused what you wrote last.",
  notAllowed: NOT_SAVED,
  unsent: NOT_SAVED,
};

function otherUser(name: string): string {
  return `Somebody else is signed in now. What ${name} wrote and the server has not taken is not sent in another name: it stays in this browser until they open this document again.`;
}

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
        <p>{SENTENCES.signedOut}</p>
        <a href="/sign-in" target="_blank" rel="noreferrer">
          Sign in
        </a>
        <button type="button" onClick={() => void document.retry()}>
          I have signed in
        </button>
      </Warning>
    );
  }
  if (ended === "otherUser") {
    return (
      <Warning>
        <p>{otherUser(name)}</p>
        <Unsaved document={document} />
        <button type="button" onClick={() => location.reload()}>
          Reload
        </button>
      </Warning>
    );
  }
  if (ended) {
    return (
      <Warning>
        <p>{SENTENCES[ended]}</p>
        {ended === "driveFull" && (
          <button type="button" onClick={() => void document.retry()}>
            Try again
          </button>
        )}
        <Unsaved document={document} />
        <button type="button" onClick={() => document.discard().then(again)}>
          Open it without them
        </button>
      </Warning>
    );
  }
  if (isAway)
    return <Warning>The server cannot be reached. What you write stays in this browser until it can.</Warning>;
  if (held && !mayEdit) return <p className={style.bar}>You may read this document, not change it.</p>;
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
      <textarea ref={field} readOnly aria-label="What was not saved" value={text} />
      <button type="button" className="quiet" onClick={copy}>
        Copy it
      </button>
    </>
  );
}
