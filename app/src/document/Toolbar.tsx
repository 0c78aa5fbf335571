/** The tools of the editor: one stop of the Tab key, arrows within, Alt+F10 from the text, Escape back to it. */

import type { Editor } from "@tiptap/core";
import { type KeyboardEvent, useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { BLOCKS, type Choice, TABLE_ACTS, TOOLS } from "./blocks.ts";
import styles from "./DocumentScreen.module.css";

const TABLE = "table";

export function Toolbar({ editor }: { editor: Editor }) {
  const bar = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(0);
  const on = useOn(editor);
  const isInTable = on.includes(TABLE);
  const last = TOOLS.length + (isInTable ? 1 : 0);
  const at = Math.min(current, last); // what was gone to may have been of a table

  useEffect(() => {
    const enter = (event: globalThis.KeyboardEvent) => {
      if (!event.altKey || event.key !== "F10") return;
      event.preventDefault();
      stops(bar.current)[at]?.focus();
    };
    const { dom } = editor.view;
    dom.addEventListener("keydown", enter);
    return () => dom.removeEventListener("keydown", enter);
  }, [editor, at]);

  function move(event: KeyboardEvent) {
    if (event.key === "Escape") return void editor.commands.focus();
    const all = stops(bar.current);
    const steps: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 };
    const step = steps[event.key];
    if (step === undefined || (event.target instanceof HTMLSelectElement && !event.key.startsWith("Arrow"))) return;
    event.preventDefault();
    const next = (step + all.length) % all.length;
    setCurrent(next);
    all[next]?.focus();
  }

  const tabIndex = (index: number) => (index === at ? 0 : -1);
  return (
    <div ref={bar} role="toolbar" aria-label="Formatting" className={styles.tools} onKeyDown={move} tabIndex={-1}>
      <Choose editor={editor} label="Insert" choices={BLOCKS} tabIndex={tabIndex(0)} />
      {TOOLS.map(({ name, sign, keys, run, isOn }, index) => (
        <button
          key={name}
          type="button"
          aria-label={name}
          title={keys ? `${name} (${keys})` : name}
          aria-keyshortcuts={keys}
          aria-pressed={isOn && on.includes(name)}
          tabIndex={tabIndex(index + 1)}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => run(editor)}
        >
          {sign}
        </button>
      ))}
      {isInTable && <Choose editor={editor} label="Table" choices={TABLE_ACTS} tabIndex={tabIndex(last)} />}
    </div>
  );
}

type ChooseProps = { editor: Editor; label: string; choices: readonly Choice[]; tabIndex: number };

function Choose({ editor, label, choices, tabIndex }: ChooseProps) {
  return (
    <select
      aria-label={label}
      value=""
      tabIndex={tabIndex}
      onChange={({ target }) => {
        const chosen = choices.find(({ name }) => name === target.value);
        if (chosen) chosen.run(editor.chain().focus()).run();
      }}
    >
      <option value="">{label}…</option>
      {choices.map(({ name }) => (
        <option key={name}>{name}</option>
      ))}
    </select>
  );
}

/** Returns the names of the tools that are on at the selection, and `TABLE` in one; React draws nothing while they stay the same. */
function useOn(editor: Editor): string[] {
  const subscribe = useCallback(
    (changed: () => void) => {
      editor.on("transaction", changed);
      return () => editor.off("transaction", changed);
    },
    [editor],
  );
  const names = () => {
    const on = TOOLS.filter(({ isOn }) => isOn?.(editor)).map(({ name }) => name);
    return [...on, ...(editor.isActive(TABLE) ? [TABLE] : [])].join();
  };
  return useSyncExternalStore(subscribe, names).split(",");
}

function stops(bar: HTMLElement | null): HTMLElement[] {
  return [...(bar?.querySelectorAll<HTMLElement>("select, button") ?? [])];
}
