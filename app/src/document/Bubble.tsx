/** What stands at the selection: tools over selected text, and where a link leads below it. */

import { useQuery } from "@tanstack/react-query";
import { type Editor, getMarkRange } from "@tiptap/core";
import { AllSelection, TextSelection } from "@tiptap/pm/state";
import { Check, Link2Off, Pencil, TextCursorInput } from "lucide-react";
import { type FormEvent, type KeyboardEvent as KeyEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { t } from "../messages/messages";
import { useIsTouch } from "../ui/media";
import { itemHere, OUTWARD } from "./addresses";
import { Bar, isInBar } from "./Bar";
import type { BesideProps } from "./BlockHandle";
import style from "./Bubble.module.css";
import { linkedItem } from "./linked_items";
import { linkAt } from "./links";
import { Tools } from "./Toolbar";
import { SELECTION_TOOLS } from "./tools";
import { useEditorValue } from "./useEditorValue";
import { useLinkAddress } from "./useLinkAddress";

/** What is shown for a stretch of the text; of a link where it leads. */
type Shown = { readonly from: number; readonly to: number; readonly href: string | null };

const GAP = 8; // pixels
const READ = 1_000; // letters of a selection, in which there are words or none

export function Bubble({ editor, pointer = null }: BesideProps) {
  const shown = useShown(editor, pointer);
  const isTouch = useIsTouch();
  if (!shown) return null;
  if (shown.href !== null) return <LinkBar key={shown.href} editor={editor} {...shown} href={shown.href} />;
  return isTouch ? null : <MarkBar editor={editor} {...shown} />; // a phone shows its own menu at a selection
}

function MarkBar({ editor, ...at }: Shown & { editor: Editor }) {
  const bar = usePlace(editor, at);
  return (
    <Bar editor={editor} label={t.document.selection} className={style.bubble} element={bar}>
      <Tools editor={editor} tools={SELECTION_TOOLS} />
    </Bar>
  );
}

function LinkBar({ editor, href, ...at }: Shown & { editor: Editor; href: string }) {
  const id = itemHere(href);
  const name = useQuery({ ...linkedItem(id ?? ""), enabled: id !== null }).data?.name;
  const bar = usePlace(editor, { ...at, href });
  const isBare = editor.state.doc.textBetween(at.from, at.to) === href;
  const button = { type: "button", className: style.act, onMouseDown: keep } as const;
  const [isEdited, setEdited] = useState(false);

  function leave() {
    setEdited(false);
    editor.commands.focus();
  }

  function lead(href: string) {
    const { state, view } = editor;
    const link = state.schema.marks.link as (typeof state.schema.marks)[string];
    const present = link.isInSet(state.doc.resolve(at.from + 1).marks());
    view.dispatch(state.tr.addMark(at.from, at.to, link.create({ ...present?.attrs, href })));
    leave();
  }

  function rename(words: string) {
    const { state, view } = editor;
    const marks = state.doc.resolve(at.from + 1).marks();
    view.dispatch(state.tr.replaceWith(at.from, at.to, state.schema.text(words, marks)));
    editor.commands.focus();
  }

  function remove() {
    const { state, view } = editor;
    view.dispatch(state.tr.removeMark(at.from, at.to, state.schema.marks.link));
    editor.commands.focus();
  }

  return (
    <Bar editor={editor} label={t.document.linkBar} className={style.bubble} element={bar}>
      {isEdited ? (
        <AddressField href={href} lead={lead} remove={remove} leave={leave} close={() => setEdited(false)} />
      ) : (
        <a className={style.address} href={href} {...OUTWARD} title={href}>
          {name ?? href}
        </a>
      )}
      {name !== undefined && isBare && !isEdited && (
        <button {...button} onClick={() => rename(name)} aria-label={t.document.nameLink} title={t.document.nameLink}>
          <TextCursorInput aria-hidden size={16} />
        </button>
      )}
      {!isEdited && (
        <button
          {...button}
          onClick={() => setEdited(true)}
          aria-label={t.document.editLink}
          title={t.document.editLink}
        >
          <Pencil aria-hidden size={16} />
        </button>
      )}
      <button {...button} onClick={remove} aria-label={t.document.removeLink} title={t.document.removeLink}>
        <Link2Off aria-hidden size={16} />
      </button>
    </Bar>
  );
}

type AddressProps = {
  href: string;
  lead: (href: string) => void;
  remove: () => void;
  /** Gives the text the keyboard. */
  leave: () => void;
  /** Something else has the keyboard. */
  close: () => void;
};

/** Takes another address for a link, in the place of the one that is shown: Enter keeps it, Escape does not. */
function AddressField({ href, lead, remove, leave, close }: AddressProps) {
  const { input, fault, read } = useLinkAddress(href);
  const field = input.ref;
  useLayoutEffect(() => field.current?.select(), [field]);

  function submit(event: FormEvent) {
    event.preventDefault();
    const next = read();
    if (next) lead(next);
    else if (next === null) remove();
  }

  function key(event: KeyEvent) {
    event.stopPropagation(); // the bar walks with arrows, too
    if (event.key === "Escape") leave();
  }

  return (
    <form
      className={style.edited}
      onSubmit={submit}
      noValidate
      onBlur={({ relatedTarget }) => isInBar(relatedTarget) || close()}
    >
      <input {...input} aria-label={t.document.linkAddress} onKeyDown={key} />
      <button
        type="submit"
        className={style.act}
        onMouseDown={keep}
        aria-label={t.document.saveLink}
        title={t.document.saveLink}
      >
        <Check aria-hidden size={16} />
      </button>
      {fault}
    </form>
  );
}

/** The text keeps the keyboard where its tools are pressed. */
function keep(event: { preventDefault: () => void }) {
  event.preventDefault();
}

/** Returns the bar that is to stand above a selection, or below a link, and moves it there. */
function usePlace({ view }: Editor, { from, to, href }: Shown) {
  const bar = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = bar;
    const page = current?.offsetParent;
    if (!current || !page || view.isDestroyed) return;
    const [start, end, around] = [view.coordsAtPos(from), view.coordsAtPos(to, -1), page.getBoundingClientRect()];
    const { offsetWidth: width, offsetHeight: height } = current;
    const head = page.closest("article")?.querySelector("header")?.getBoundingClientRect().bottom ?? 0;
    const above = start.top - height - GAP;
    const below = Math.min(end.bottom + GAP, innerHeight - height - GAP);
    const top = href === null && above > head + TOOLS ? above : below;
    const left = href === null && start.top === end.top ? (start.left + end.left - width) / 2 : start.left;
    current.style.setProperty("top", `${top - around.top}px`);
    current.style.setProperty("left", `${Math.max(Math.min(left, innerWidth - width - GAP), GAP) - around.left}px`);
  });
  return bar;
}

const TOOLS = 40; // pixels, of the bar above the text

/**
 * Returns what stands at the selection while the text or a bar has the keyboard; Escape hides it until the selection changes.
 * `first` is what the pointer did before.
 */
function useShown(editor: Editor, first: PointerEvent | null): Shown | null {
  const [isHeld, setHeld] = useState(
    () => first !== null && first.buttons !== 0 && isIn(editor.view.dom, first.target),
  ); // the pointer is selecting
  const [hasFocus, setFocus] = useState(editor.isFocused);
  const [hidden, setHidden] = useState("");
  const found = useEditorValue(editor, shownAt);
  const shown = JSON.stringify(found);
  useEffect(() => {
    const { dom } = editor.view;
    const isOfText = (target: unknown) => isIn(dom, target) || isInBar(target);
    const events: readonly [keyof DocumentEventMap, (event: Event) => void][] = [
      ["pointerdown", ({ target }) => setHeld(isIn(dom, target))],
      ["pointerup", () => setHeld(false)],
      ["pointercancel", () => setHeld(false)],
      ["focusin", ({ target }) => setFocus(isOfText(target))],
      ["focusout", (event) => setFocus(isOfText((event as FocusEvent).relatedTarget))],
      ["keydown", (event) => (event as KeyboardEvent).key === "Escape" && setHidden(shown)],
    ];
    for (const [name, heard] of events) document.addEventListener(name, heard);
    return () => {
      for (const [name, heard] of events) document.removeEventListener(name, heard);
    };
  }, [editor, shown]);
  return isHeld || !hasFocus || shown === hidden ? null : found;
}

function isIn(dom: Element, target: unknown): boolean {
  return target instanceof Node && dom.contains(target);
}

function shownAt(editor: Editor): Shown | null {
  const { doc, selection, schema } = editor.state;
  const { $from, from, to, empty } = selection;
  const isText = selection instanceof TextSelection || selection instanceof AllSelection;
  if (!editor.isEditable || !isText || editor.isActive("codeBlock")) return null;
  if (!empty) return doc.textBetween(from, Math.min(to, from + READ), " ").trim() ? { from, to, href: null } : null;
  const href = linkAt(editor);
  const range = href === null ? undefined : getMarkRange($from, schema.marks.link as (typeof schema.marks)[string]);
  if (href === null || !range) return null;
  // behind a link its words are being written, unless it is an address of here, which may become a name
  const isWritten = range.to === from && (itemHere(href) === null || doc.textBetween(range.from, from) !== href);
  return isWritten ? null : { ...range, href };
}
