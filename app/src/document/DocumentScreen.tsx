/** One document, to read and write together with others. */

import type { Editor } from "@tiptap/core";
import { Bot, UserPen } from "lucide-react";
import {
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { createPortal } from "react-dom";
import { useSession } from "../graphql/session";
import { IconButton } from "../ui/IconButton";
import { NOT_LOADED } from "../ui/lazy_dialog";
import { colourOf, initialsOf } from "../ui/people";
import { Missing } from "../ui/states";
import { useToast } from "../ui/toasts";
import { Banner } from "./Banner";
import frame from "./blame/blame.module.css";
import { useBlame, useToggle } from "./blame/useBlame";
import { nameOf } from "./carets";
import style from "./DocumentScreen.module.css";
import "./document.css";
import { DocumentSession, type DocumentState, keyOf } from "./document_session";
import { goTo, makeEditor, type Place, placeIn } from "./editor";
import { LinkDialog } from "./LinkDialog";
import { peopleOf } from "./people";
import { drawn } from "./reading";
import type { Held } from "./relay";
import { SinceLooked } from "./SinceLooked";
import { sendImage } from "./send_image";
import { Toolbar } from "./Toolbar";

const BlameAuthors = lazy(() => import("./blame").then(({ BlameAuthors }) => ({ default: BlameAuthors })));
const BlameNotes = lazy(() => import("./blame").then(({ BlameNotes }) => ({ default: BlameNotes })));

const OPENING: DocumentState = { held: null, mayEdit: false, isSaved: true, isAway: false, ended: null, people: [] };

type ScreenProps = {
  documentId: string;
  /** The name of the document; undefined until it is known. */
  title: ReactNode;
  /** Where the document lies. */
  place: ReactNode;
  /** What can be done with it beside writing. */
  actions: ReactNode;
};

export function DocumentScreen({ documentId, ...shown }: ScreenProps) {
  const session = useSession();
  const [opened, setOpened] = useState<DocumentSession | null>(null);
  const [times, setTimes] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `times` opens the document anew
  useEffect(() => {
    const document = new DocumentSession(documentId, session);
    setOpened(document);
    return () => {
      setOpened(null);
      document.destroy();
    };
  }, [documentId, times, session]);
  const again = useCallback(() => setTimes((before) => before + 1), []);
  return opened && <Opened document={opened} documentId={documentId} again={again} {...shown} />;
}

type OpenedProps = ScreenProps & { document: DocumentSession; again: () => void };

function Opened({ document, documentId, title, place, actions, again }: OpenedProps) {
  const state = useSyncExternalStore(document.subscribe, document.read, () => OPENING);
  const [isBlaming, toggleBlame] = useToggle();
  const [tools, setTools] = useState<HTMLElement | null>(null);
  const { held, ended } = state;
  if (ended === "missing") return <Missing />;
  return (
    <article className={style.screen} aria-busy={!held}>
      <header className={style.head}>
        <div className={style.place}>{place}</div>
        <p className={style.state} role="status">
          {saying(state)}
        </p>
        <People state={state} />
        {held && "mine" in held && (
          <IconButton
            label="Who wrote what"
            Icon={UserPen}
            aria-pressed={isBlaming}
            aria-keyshortcuts="Control+Alt+B"
            title="Who wrote what (Ctrl+Alt+B)"
            onClick={toggleBlame}
          />
        )}
        {actions}
      </header>
      {(!held || state.mayEdit) && <div ref={setTools} className={style.tools} />}
      <div className={style.page}>
        <h1 className={style.title}>{title ?? <span className="unseen">Loading</span>}</h1>
        <Banner document={document} state={state} again={again} />
        {state.mayEdit && <SinceLooked documentId={documentId} />}
        {held && "misfit" in held && <Unfit document={document} misfit={held.misfit} />}
        {held && "mine" in held && (
          <Editing
            document={document}
            documentId={documentId}
            held={held}
            mayEdit={state.mayEdit && isOpen(state)}
            isBlaming={isBlaming}
            tools={tools}
          />
        )}
      </div>
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
    <ul className={style.people} aria-label="Here now">
      {people.map((person) => (
        <li
          key={keyOf(person)}
          className={`author-${colourOf(person)}`}
          data-agent={person.agent !== null && person.agent !== undefined}
          title={nameOf(person)}
        >
          <span className="unseen">{nameOf(person)}</span>
          {person.agent ? <Bot aria-hidden size={14} /> : <span aria-hidden>{initialsOf(nameOf(person))}</span>}
        </li>
      ))}
    </ul>
  );
}

type Bound = Extract<Held, { mine: unknown }>;

type EditingProps = {
  document: DocumentSession;
  documentId: string;
  held: Bound;
  mayEdit: boolean;
  isBlaming: boolean;
  /** Holds the toolbar, above the name of the document. */
  tools: HTMLElement | null;
};

function Editing({ document, documentId, held, mayEdit, isBlaming, tools }: EditingProps) {
  const element = useRef<HTMLDivElement>(null);
  const place = useRef<Place | null>(null);
  const [editor, setEditor] = useState<Editor | null>(null);
  const [isLinking, setLinking] = useState(false);
  const mayEditNow = useRef(mayEdit);
  const { warn } = useToast();
  const warnNow = useRef(warn);
  useLayoutEffect(() => {
    mayEditNow.current = mayEdit;
    warnNow.current = warn;
  });
  useEffect(() => {
    if (!element.current) return;
    const made = makeEditor(element.current, held, document.awareness, mayEditNow.current, {
      sending: {
        send: (file) => sendImage(documentId, file),
        warn: (words) => warnNow.current(words),
      },
      people: () => peopleOf(documentId),
      askForLink: () => setLinking(true),
    });
    if (place.current) goTo(made, place.current);
    setEditor(made);
    return () => {
      place.current = placeIn(made);
      setEditor(null);
      made.destroy();
    };
  }, [document, documentId, held]);
  useEffect(() => {
    editor?.setEditable(mayEdit, false);
  }, [editor, mayEdit]);
  const blame = useBlame(isBlaming, editor, document, documentId, () => warnNow.current(NOT_LOADED));
  return (
    <>
      {editor && mayEdit && tools && createPortal(<Toolbar editor={editor} />, tools)}
      <div className={blame ? frame.frame : undefined}>
        <Suspense>{blame && <BlameAuthors blame={blame} documentId={documentId} hasHistory={mayEdit} />}</Suspense>
        <div ref={element} />
        <Suspense>{blame && <BlameNotes blame={blame} />}</Suspense>
      </div>
      {isLinking && editor && <LinkDialog editor={editor} close={() => setLinking(false)} />}
    </>
  );
}

/** A document that the editor would damage: everything in it, to read. */
function Unfit({ document, misfit }: { document: DocumentSession; misfit: string }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => document.watch((fragment) => element.current?.replaceChildren(drawn(fragment))), [document]);
  return (
    <>
      <p className={style.bar}>
        This document holds what this editor would lose: <em>{misfit}</em>. Read it here, edit it as Markdown, or repair
        a copy.
      </p>
      <div ref={element} className="ProseMirror" />
    </>
  );
}
