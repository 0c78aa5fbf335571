/** One document, to read and write together with others. */

import type { Editor } from "@tiptap/core";
import { PanelRight } from "lucide-react";
import {
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { createPortal } from "react-dom";
import { useSession } from "../graphql/session";
import { t } from "../messages/messages";
import { FindingContext } from "../ui/finding";
import { IconButton } from "../ui/IconButton";
import { MarkdownContext } from "../ui/markdown";
import { type Coloured, ColoursContext } from "../ui/people";
import { useToast } from "../ui/toasts";
import { Banner, Unsaved } from "./Banner";
import { useBlame } from "./blame/useBlame";
import style from "./DocumentScreen.module.css";
import "./document.css";
import { DocumentSession, type DocumentState } from "./document_session";
import { begin, goTo, makeEditor, type Place, placeIn } from "./editor";
import { LinkDialog } from "./LinkDialog";
import { itemsBeside } from "./linked_items";
import { markdownOf, treeOf } from "./markdown";
import { type Mark, MarksContext } from "./marks";
import { Outline } from "./Outline";
import type { Opening } from "./opening";
import { Panel } from "./Panel";
import { People } from "./People";
import { isHistory, type PanelName } from "./panels";
import { peopleOf } from "./people";
import { beginningOf, drawn } from "./reading";
import type { Held } from "./relay";
import { SinceLooked } from "./SinceLooked";
import { useFinding, usePanel, useSaveKey } from "./screen_keys";
import { sendImage } from "./send_image";
import { TextTools } from "./TextTools";
import { Toolbar } from "./Toolbar";
import { UnseenText } from "./UnseenText";
import { useChangeMarks } from "./useChangeMarks";
import { WordCount } from "./WordCount";

export { DocumentSession };

const BlameAuthors = lazy(() => import("./blame").then(({ BlameAuthors }) => ({ default: BlameAuthors })));
const BlameNotes = lazy(() => import("./blame").then(({ BlameNotes }) => ({ default: BlameNotes })));

type ScreenProps = {
  documentId: string;
  opening: Opening;
  /** The name of the document; undefined until it is known. */
  title: ReactNode;
  /** Who changed it last, and when. */
  byline: ReactNode;
  /** Where the document lies. */
  place: ReactNode;
  /** The documents that link to it. */
  linkedFrom: ReactNode;
  /** What can be done with it beside writing. */
  actions: ReactNode;
  /** What is shown beside the text. */
  panel: PanelName | undefined;
  /** Of the panel, where it shows changes or versions. */
  history: ReactNode;
  /** The text of a version, in the place of the present one. */
  version: ReactNode;
  /** Whether the reader may see its history. */
  hasHistory: boolean;
  /** Says what became of it where it can no longer be seen; gets what was written here and not saved. */
  gone: (unsaved: ReactNode) => ReactNode;
};

export function DocumentScreen({ documentId, opening, ...shown }: ScreenProps) {
  const session = useSession();
  const [opened, setOpened] = useState<DocumentSession | null>(null);
  const [times, setTimes] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `times` opens the document anew
  useEffect(() => {
    const document = opening.take(documentId, () => new DocumentSession(documentId, session));
    setOpened(document);
    return () => {
      setOpened(null);
      opening.close(documentId, document);
    };
  }, [documentId, times, session, opening]);
  const again = useCallback(() => setTimes((before) => before + 1), []);
  return opened && <Opened document={opened} documentId={documentId} again={again} {...shown} />;
}

type OpenedProps = Omit<ScreenProps, "opening"> & { document: DocumentSession; again: () => void };

function Opened({ document, documentId, title, byline, place, actions, again, hasHistory, ...shown }: OpenedProps) {
  const { panel, history, version, linkedFrom, gone } = shown;
  const state = useSyncExternalStore(document.subscribe, document.read);
  const [tools, setTools] = useState<HTMLElement | null>(null);
  const [editor, setEditor] = useState<Editor | null>(null);
  const [marks, setMarks] = useState<readonly Mark[]>([]);
  const toggle = useRef<HTMLButtonElement>(null);
  const { warn, notify } = useToast();
  const { held, ended } = state;
  const open = usePanel(documentId, panel);
  useSaveKey(() => notify(savedNote(state)));
  const { finding, bar } = useFinding(shown.version ? null : editor, notify);
  const failed = () => warn(t.states.notLoaded);
  const blame = useBlame(panel === "authors", editor, document, documentId, failed);
  useChangeMarks(editor, marks, failed);
  // biome-ignore lint/correctness/useExhaustiveDependencies: people are met by these; another function has all drawn anew
  const colours = useMemo(
    () => (person: Coloured) => document.colours.classOf(person),
    [document, state.people, blame],
  );
  const markdown = useMemo(
    () =>
      editor && {
        hasSelection: () => !editor.state.selection.empty,
        read: () => markdownOf(editor, documentId),
      },
    [editor, documentId],
  );
  if (ended === "missing") return gone(state.isSaved ? null : <Unsaved document={document} />);

  function close() {
    toggle.current?.focus();
    open(undefined);
  }

  const hasTools = (!held || state.mayEdit) && !version;
  return (
    <ColoursContext value={colours}>
      <article className={style.screen} aria-busy={!held} data-tools={hasTools} data-panel={panel !== undefined}>
        <header className={style.head}>
          <div className={style.place}>{place}</div>
          <p className={style.state} role="status">
            {saying(state)}
          </p>
          <People people={state.people} colours={document.colours} />
          <MarkdownContext value={version ? null : markdown}>
            <FindingContext value={finding}>{actions}</FindingContext>
          </MarkdownContext>
          <IconButton
            ref={toggle}
            label={t.document.panel}
            Icon={PanelRight}
            aria-expanded={panel !== undefined}
            aria-controls={panel && "panel"}
            title={hasHistory ? t.document.panelHistory : t.document.panelOutline}
            onClick={() => open(panel ? undefined : hasHistory ? "changes" : "outline")}
          />
        </header>
        {hasTools && <div ref={setTools} className={style.tools} />}
        <div className={style.body}>
          {bar}
          <div className={style.page}>
            <h1 className={style.title}>{title ?? <span className="unseen">{t.ui.loading}</span>}</h1>
            {byline}
            <Banner document={document} state={state} again={again} />
            {editor &&
              state.unseen.map((each) => (
                <UnseenText
                  key={each.revision}
                  unseen={each}
                  editor={editor}
                  mayEdit={state.mayEdit && isOpen(state)}
                  forget={() => document.forget(each)}
                />
              ))}
            {state.mayEdit && <SinceLooked documentId={documentId} />}
            {version}
            <div hidden={!!version}>
              {!editor && !(held && "misfit" in held) && <Beginning document={document} />}
              {held && "misfit" in held && <Unfit document={document} misfit={held.misfit} />}
              {held && "mine" in held && (
                <Editing
                  document={document}
                  documentId={documentId}
                  held={held}
                  mayEdit={state.mayEdit && isOpen(state)}
                  tools={tools}
                  editor={editor}
                  setEditor={setEditor}
                />
              )}
            </div>
          </div>
          {panel && (
            <Panel documentId={documentId} shown={panel} hasHistory={hasHistory} close={close}>
              <MarksContext value={setMarks}>
                {panel === "outline" && editor && (
                  <>
                    <Outline editor={editor} show={() => version && open(panel)} />
                    {!version && <WordCount editor={editor} />}
                    {!version && linkedFrom}
                  </>
                )}
                <Suspense>
                  {panel === "authors" && blame && (
                    <>
                      <BlameAuthors blame={blame} documentId={documentId} hasHistory={hasHistory} />
                      <BlameNotes blame={blame} />
                    </>
                  )}
                </Suspense>
                {isHistory(panel) && history}
              </MarksContext>
            </Panel>
          )}
        </div>
      </article>
    </ColoursContext>
  );
}

function savedNote({ isSaved, isAway, ended, unseen }: DocumentState): string {
  if (isSaved) return unseen.length > 0 ? t.document.someUnseen : t.document.allSaved;
  if (isAway) return t.document.away;
  return ended ? t.document.someUnsaved : t.document.stillSaving;
}

/** Typing goes on while the connection or the session is away: what is written is kept. */
function isOpen({ ended }: DocumentState): boolean {
  return ended === null || ended === "signedOut";
}

function saying({ held, mayEdit, isSaved, isAway, ended, unseen }: DocumentState): string {
  if (!held) return t.document.opening;
  if (ended) return isSaved ? "" : t.document.notSaved;
  if (isAway) return t.document.offline;
  if (!mayEdit) return t.document.readOnly;
  if (!isSaved) return t.document.saving;
  return unseen.length > 0 ? t.document.unseen : t.document.saved;
}

type Bound = Extract<Held, { mine: unknown }>;

type EditingProps = {
  document: DocumentSession;
  documentId: string;
  held: Bound;
  mayEdit: boolean;
  /** Holds the toolbar, above the name of the document. */
  tools: HTMLElement | null;
  editor: Editor | null;
  setEditor: (editor: Editor | null) => void;
};

function Editing({ document, documentId, held, mayEdit, tools, editor, setEditor }: EditingProps) {
  const element = useRef<HTMLDivElement>(null);
  const place = useRef<Place | null>(null);
  const [isLinking, setLinking] = useState(false);
  const mayEditNow = useRef(mayEdit);
  const toast = useToast();
  const toastNow = useRef(toast);
  const isExplained = useRef(false);
  useLayoutEffect(() => {
    mayEditNow.current = mayEdit;
    toastNow.current = toast;
  });
  useEffect(() => {
    if (!element.current) return;
    const made = makeEditor(element.current, held, document, mayEditNow.current, {
      sending: {
        send: (file) => sendImage(documentId, file),
        warn: (words) => toastNow.current.warn(words),
      },
      people: () => peopleOf(documentId),
      findItems: itemsBeside(documentId),
      askForLink: () => setLinking(true),
      reading: {
        read: treeOf,
        warn: (words) => toastNow.current.warn(words),
        notify: (...offered) => toastNow.current.notify(...offered),
      },
      explainTab: () => {
        if (!isExplained.current) toastNow.current.notify(t.document.tabStays);
        isExplained.current = true;
      },
    });
    if (place.current) goTo(made, place.current);
    else begin(made);
    setEditor(made);
    return () => {
      place.current = placeIn(made);
      setEditor(null);
      made.destroy();
    };
  }, [document, documentId, held, setEditor]);
  useEffect(() => {
    editor?.setEditable(mayEdit, false);
  }, [editor, mayEdit]);
  return (
    <>
      {editor && mayEdit && tools && createPortal(<Toolbar editor={editor} />, tools)}
      <div className={style.text}>
        <div ref={element} />
        {editor && mayEdit && <TextTools editor={editor} />}
      </div>
      {isLinking && editor && <LinkDialog editor={editor} close={() => setLinking(false)} />}
    </>
  );
}

/** The first blocks of a long document, to read until its editor is there. */
function Beginning({ document }: { document: DocumentSession }) {
  const fragment = useSyncExternalStore(document.subscribe, document.readBeginning);
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (fragment) element.current?.replaceChildren(beginningOf(fragment));
  }, [fragment]);
  return fragment && <div ref={element} className={`ProseMirror ${style.beginning}`} />;
}

/** A document that the editor would damage: everything in it, to read. */
function Unfit({ document, misfit }: { document: DocumentSession; misfit: string }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => document.watch((fragment) => element.current?.replaceChildren(drawn(fragment))), [document]);
  return (
    <>
      <p className={style.bar}>{t.document.unfit(<em>{misfit}</em>)}</p>
      <div ref={element} className="ProseMirror" />
    </>
  );
}
