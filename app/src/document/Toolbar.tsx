/** The tools of the editor: one stop of the Tab key, arrows within, Alt+F10 from the text, Escape back to it. */

import type { Editor } from "@tiptap/core";
import { type KeyboardEvent, useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { BLOCKS, TOOLS } from "./blocks.ts";
import styles from "./DocumentScreen.module.css";

export function Toolbar({ editor }: { editor: Editor }) {
  const bar = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(0);
  const on = useOn(editor);

  useEffect(() => {
    const enter = (event: globalThis.KeyboardEvent) => {
      if (!event.altKey || event.key !== "F10") return;
      event.preventDefault();
      stops(bar.current)[current]?.focus();
    };
    const { dom } = editor.view;
    dom.addEventListener("keydown", enter);
    return () => dom.removeEventListener("keydown", enter);
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
          aria-pressed={isOn && on.includes(name)}
          tabIndex={tabIndex(index + 1)}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => run(editor)}
        >
          {sign}
        </button>
      ))}
    </div>
  );
}

/** Returns the names of the tools that are on at the selection; React draws nothing while they stay the same. */
function useOn(editor: Editor): string[] {
  const subscribe = useCallback(
    (changed: () => void) => {
      editor.on("transaction", changed);
      return () => editor.off("transaction", changed);
    },
    [editor],
  );
  const names = () =>
    TOOLS.filter(({ isOn }) => isOn?.(editor))
      .map(({ name }) => name)
      .join();
  return useSyncExternalStore(subscribe, names).split(",");
}

function stops(bar: HTMLElement | null): HTMLElement[] {
  return [...(bar?.querySelectorAll<HTMLElement>("select, button") ?? [])];
}
