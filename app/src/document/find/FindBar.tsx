/** Looks for words in the text of a document, and replaces them. */

import type { Editor } from "@tiptap/core";
import {
  ArrowDown,
  ArrowUp,
  CaseSensitive,
  ChevronDown,
  ChevronUp,
  Replace,
  ReplaceAll,
  WholeWord,
  X,
} from "lucide-react";
import { type KeyboardEvent, type RefObject, useEffect, useState } from "react";
import { t } from "../../messages/messages";
import { IconButton } from "../../ui/IconButton";
import { useMedia } from "../../ui/media";
import { useEditorValue } from "../useEditorValue";
import style from "./FindBar.module.css";
import { find, foundIn, leave, replaceAll, replaceOne, reveal, step } from "./find";

type Props = {
  editor: Editor;
  /** How often it was asked for from the text: each time the words that are selected there are looked for. */
  times: number;
  /** Whether there is a field for what is written in the place of matches. */
  replaces: boolean;
  /** Asks for that field, or to find alone. */
  setReplaces: (replaces: boolean) => void;
  /** The field for the words. */
  field: RefObject<HTMLInputElement | null>;
  close: () => void;
  notify: (words: string) => void;
};

const MAX_SELECTED = 200; // letters that are looked for since they are selected

export function FindBar({ editor, times, replaces, setReplaces, field, close, notify }: Props) {
  const [words, setWords] = useState("");
  const [replacement, setReplacement] = useState("");
  const [matchesCase, setCase] = useState(false);
  const [isWhole, setWhole] = useState(false);
  const found = useFound(editor);
  const [begun, setBegun] = useState(-1); // how often it was asked for when the words were taken

  if (begun !== times) {
    setBegun(times);
    const selected = selectedIn(editor);
    if (selected) setWords(selected);
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time
  useEffect(() => field.current?.select(), [field, times]);
  useEffect(() => {
    find(editor, { words, matchesCase, isWhole });
    reveal(editor);
  }, [editor, words, matchesCase, isWhole]);
  useEffect(() => () => void (editor.isDestroyed || find(editor, null)), [editor]);

  function go(steps: number) {
    step(editor, steps);
    reveal(editor);
  }

  function replaceCurrent() {
    replaceOne(editor, replacement);
    reveal(editor);
  }

  function pressed(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") {
      leave(editor);
      close();
    } else if (isFindKey(event)) field.current?.select();
    else if (isReplaceKey(event)) setReplaces(editor.isEditable);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  function onEnter(run: (isBack: boolean) => void) {
    return (event: KeyboardEvent) => {
      if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
      event.preventDefault();
      run(event.shiftKey);
    };
  }

  const hasFound = !!found?.count;
  const isNarrow = useMedia("(max-width: 30rem)");
  const isReplacing = replaces && editor.isEditable;
  const ReplaceToo = isNarrow ? (isReplacing ? ChevronUp : ChevronDown) : Replace;
  const options = (
    <>
      <IconButton
        isSmall
        label={t.find.matchCase}
        Icon={CaseSensitive}
        aria-pressed={matchesCase}
        onClick={() => setCase(!matchesCase)}
      />
      <IconButton
        isSmall
        label={t.find.wholeWord}
        Icon={WholeWord}
        aria-pressed={isWhole}
        onClick={() => setWhole(!isWhole)}
      />
      {editor.isEditable && (
        <IconButton
          isSmall
          label={t.find.replaceToo}
          Icon={ReplaceToo}
          aria-pressed={replaces}
          onClick={() => setReplaces(!replaces)}
        />
      )}
    </>
  );
  const replaceEach = () => hasFound && notify(t.find.replaced(replaceAll(editor, replacement)));
  return (
    <section className={style.bar} aria-label={t.find.title} onKeyDown={pressed}>
      <div className={style.row}>
        <input
          ref={field}
          type="text"
          aria-label={t.find.words}
          placeholder={t.find.words}
          value={words}
          onChange={({ target }) => setWords(target.value)}
          onKeyDown={onEnter((isBack) => go(isBack ? -1 : 1))}
          autoComplete="off"
          spellCheck={false}
          maxLength={1000}
        />
        <output className={style.count}>{found && t.find.count(found.at + 1, found.count)}</output>
        <IconButton isSmall label={t.find.previous} Icon={ArrowUp} aria-disabled={!hasFound} onClick={() => go(-1)} />
        <IconButton isSmall label={t.find.next} Icon={ArrowDown} aria-disabled={!hasFound} onClick={() => go(1)} />
        {!isNarrow && options}
        <IconButton
          isSmall
          label={t.find.close}
          Icon={X}
          onClick={() => {
            leave(editor);
            close();
          }}
        />
      </div>
      {(isReplacing || isNarrow) && (
        <div className={style.row}>
          {isNarrow && options}
          {isReplacing && (
            <>
              <input
                type="text"
                aria-label={t.find.replacement}
                placeholder={t.find.replacement}
                value={replacement}
                onChange={({ target }) => setReplacement(target.value)}
                onKeyDown={onEnter(replaceCurrent)}
                autoComplete="off"
                maxLength={1000}
              />
              {isNarrow ? (
                <>
                  <IconButton
                    label={t.find.replace}
                    Icon={Replace}
                    aria-disabled={!hasFound}
                    onClick={replaceCurrent}
                  />
                  <IconButton
                    label={t.find.replaceAll}
                    Icon={ReplaceAll}
                    aria-disabled={!hasFound}
                    onClick={replaceEach}
                  />
                </>
              ) : (
                <>
                  <button type="button" className="quiet" aria-disabled={!hasFound} onClick={replaceCurrent}>
                    {t.find.replace}
                  </button>
                  <button type="button" className="quiet" aria-disabled={!hasFound} onClick={replaceEach}>
                    <ReplaceAll aria-hidden size={16} /> {t.find.replaceAll}
                  </button>
                </>
              )}
            </>
          )}
        </div>
      )}
    </section>
  );
}

type Pressed = Pick<KeyboardEvent, "code" | "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

export function isFindKey({ key, ctrlKey, metaKey, altKey, shiftKey }: Pressed): boolean {
  return (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === "f";
}

/** Ctrl+H, or ⌥⌘F where ⌘H hides the program. */
export function isReplaceKey({ code, key, ctrlKey, metaKey, altKey, shiftKey }: Pressed): boolean {
  if (shiftKey) return false;
  return (ctrlKey && !metaKey && !altKey && key.toLowerCase() === "h") || (metaKey && altKey && code === "KeyF");
}

/** Returns what is found in the text of an editor; React draws nothing while it stays the same. */
export function useFound(editor: Editor): ReturnType<typeof foundIn> {
  return useEditorValue(editor, foundIn);
}

/** The words of a selection within a block, which are looked for first. */
function selectedIn({ state: { doc, selection } }: Editor): string {
  const { $from, $to, from, to } = selection;
  if (!$from.sameParent($to) || !$from.parent.isTextblock || to - from > MAX_SELECTED) return "";
  return doc.textBetween(from, to);
}
