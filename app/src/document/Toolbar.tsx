/** The tools of the editor: one stop of the Tab key, arrows within, Alt+F10 from the text, Escape back to it. */

import type { Editor } from "@tiptap/core";
import { TextSelection } from "@tiptap/pm/state";
import { type KeyboardEvent, useEffect, useReducer, useRef, useState } from "react";
import { BLOCKS, TOOLS } from "./blocks.ts";
import styles from "./DocumentScreen.module.css";

export function Toolbar({ editor }: { editor: Editor }) {
  const bar = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(0);
  const [, redraw] = useReducer((count: number) => count + 1, 0);

  useEffect(() => {
    const enter = (event: globalThis.KeyboardEvent) => {
      if (!event.altKey || event.key !== "F10") return;
      event.preventDefault();
      takeSelection(editor);
      stops(bar.current)[current]?.focus();
    };
    editor.on("selectionUpdate", redraw);
    editor.view.dom.addEventListener("keydown", enter);
    const { dom } = editor.view;
    return () => {
      editor.off("selectionUpdate", redraw);
      dom.removeEventListener("keydown", enter);
    };
  }, [editor, current]);

  function move(event: KeyboardEvent) {
    if (event.key === "Escape") return void editor.commands.focus();
    const all = stops(bar.current);
    const steps: Record<string, number> = { ArrowRight: current + 1, ArrowLeft: current - 1, Home: 0, End: -1 };
    const step = steps[event.key];
    if (step === undefined || (event.target instanceof HTMLSelectElement && !event.key.startsWith("Arrow"))) return;
    event.preventDefault();
    const next = (step + all.length) % all.length;
    setCurrent(next);
    all[next]?.focus();
  }

  const tabIndex = (index: number) => (index === current ? 0 : -1);
  return (
    <div ref={bar} role="toolbar" aria-label="Formatting" className={styles.tools} onKeyDown={move} tabIndex={-1}>
      <select
        aria-label="Insert"
        value=""
        tabIndex={tabIndex(0)}
        onChange={({ target }) => {
          const block = BLOCKS.find(({ name }) => name === target.value);
          if (block) block.insert(editor.chain().focus()).run();
        }}
      >
        <option value="">Insert…</option>
        {BLOCKS.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      {TOOLS.map(({ name, sign, keys, run, isOn }, index) => (
        <button
          key={name}
          type="button"
          aria-label={name}
          title={keys ? `${name} (${keys})` : name}
          aria-keyshortcuts={keys}
          aria-pressed={isOn?.(editor)}
          tabIndex={tabIndex(index + 1)}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            run(editor);
            redraw();
          }}
        >
          {sign}
        </button>
      ))}
    </div>
  );
}

/**
 * Make the browser's selection of text that of the editor. ProseMirror reads it at the browser's `selectionchange`, which
 * comes after the key that selected, and is passed over once the focus is elsewhere.
 */
function takeSelection({ state, view }: Editor) {
  const { anchorNode, anchorOffset, focusNode, focusOffset } = view.dom.ownerDocument.getSelection() ?? {};
  if (!(state.selection instanceof TextSelection) || !anchorNode || !focusNode) return;
  if (!view.dom.contains(anchorNode) || !view.dom.contains(focusNode)) return;
  const anchor = view.posAtDOM(anchorNode, anchorOffset ?? 0);
  const head = view.posAtDOM(focusNode, focusOffset ?? 0);
  view.dispatch(state.tr.setSelection(TextSelection.between(state.doc.resolve(anchor), state.doc.resolve(head))));
}

function stops(bar: HTMLElement | null): HTMLElement[] {
  return [...(bar?.querySelectorAll<HTMLElement>("select, button") ?? [])];
}
