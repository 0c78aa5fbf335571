/** One document, to read and write together with others. */

import type { Editor } from "@tiptap/core";
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useQuery } from "urql";
import { boot } from "../boot";
import { ItemPlace } from "../graphql/generated";
import { Missing } from "../ui/states";
import { Banner } from "./Banner";
import { colourOf, nameOf } from "./carets.ts";
import styles from "./DocumentScreen.module.css";
import "./document.css";
import { goTo, makeEditor, type Place, placeIn } from "./editor.ts";
import { type DocumentState, keyOf, OpenDocument } from "./open_document.ts";
import { drawn } from "./reading.ts";
import type { Held } from "./relay.ts";
import { Toolbar } from "./Toolbar";

const OPENING: DocumentState = { held: null, mayEdit: false, isSaved: true, isAway: false, ended: null, people: [] };

export function DocumentScreen({ documentId }: { documentId: string }) {
  const [opened, setOpened] = useState<OpenDocument | null>(null);
  const [times, setTimes] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `times` opens the document anew
  useEffect(() => {
    const document = new OpenDocument(documentId, boot.viewer.id);
    setOpened(document);
    return () => {
      setOpened(null);
      document.destroy();
    };
  }, [documentId, times]);
  const again = useCallback(() => setTimes((before) => before + 1), []);
  return opened && <Opened document={opened} documentId={documentId} again={again} />;
}

function Opened({ document, documentId, again }: { document: OpenDocument; documentId: string; again: () => void }) {
  const state = useSyncExternalStore(document.subscribe, document.read, () => OPENING);
  const [{ data }] = useQuery({ query: ItemPlace, variables: { id: documentId } });
  const { held, ended } = state;
  const name = data?.driveItem?.name ?? "";
  if (ended === "missing") return <Missing />;
  return (
    <article className={styles.screen} aria-busy={!held}>
      <header className={styles.head}>
        <h1>{name}</h1>
        <People state={state} />
        <p className={styles.state} role="status">
          {saying(state)}
        </p>
      </header>
      <Banner document={document} state={state} again={again} />
      {held && "misfit" in held && <Unfit document={document} misfit={held.misfit} />}
      {held && "mine" in held && <Editing document={document} held={held} mayEdit={state.mayEdit && isOpen(state)} />}
    </article>
  );
}

/** Typing goes on while the connection or the session is away: what is written is kept. */
function isOpen({ ended }: DocumentState): boolean {
  return ended === null || ended === "signedOut";
}

function saying({ held, mayEdit, isSaved, ended }: DocumentState): string {
  if (!held) return "Opening…";
  if (ended) return isSaved ? "" : "Not saved";
  if (!mayEdit) return "You may read";
  return isSaved ? "Saved" : "Saving…";
}

function People({ state: { people } }: { state: DocumentState }) {
  return (
    <ul className={styles.people} aria-label="Here now">
      {people.map((person) => (
        <li key={keyOf(person)} className={`author-${colourOf(person)}`}>
          {nameOf(person)}
        </li>
      ))}
    </ul>
  );
}

type Bound = Extract<Held, { mine: unknown }>;

function Editing({ document, held, mayEdit }: { document: OpenDocument; held: Bound; mayEdit: boolean }) {
  const element = useRef<HTMLDivElement>(null);
  const place = useRef<Place | null>(null);
  const [editor, setEditor] = useState<Editor | null>(null);
  const mayEditNow = useRef(mayEdit);
  mayEditNow.current = mayEdit;
  useEffect(() => {
    if (!element.current) return;
    const made = makeEditor(element.current, held, document.awareness, mayEditNow.current);
    if (place.current) goTo(made, place.current);
    setEditor(made);
    return () => {
      place.current = placeIn(made);
      setEditor(null);
      made.destroy();
    };
  }, [document, held]);
  useEffect(() => {
    editor?.setEditable(mayEdit, false);
  }, [editor, mayEdit]);
  return (
    <>
      {editor && mayEdit && <Toolbar editor={editor} />}
      <div ref={element} />
    </>
  );
}

/** A document that the editor would damage: everything in it, to read. */
function Unfit({ document, misfit }: { document: OpenDocument; misfit: string }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => document.watch((fragment) => element.current?.replaceChildren(drawn(fragment))), [document]);
  return (
    <>
      <p className={styles.bar}>
        This document holds what this editor would lose: <em>{misfit}</em>. Read it here, edit it as Markdown, or repair
        a copy.
      </p>
      <div ref={element} className="ProseMirror" />
    </>
  );
}
