/** The tools of the editor, above the text or, on phones, above the keyboard. */

import type { Editor } from "@tiptap/core";
import { ChevronDown, Ellipsis } from "lucide-react";
import { type ReactElement, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { t } from "../messages/messages";
import { useIsTouch } from "../ui/media";
import { Bar, useBarKey } from "./Bar";
import { undoManagerOf } from "./binding";
import { toolLabel } from "./blocks";
import style from "./DocumentScreen.module.css";
import { followKeyboard, followTools } from "./keyboard";
import { type Button, type Chooser, OTHER_PHONE_TOOLS, PHONE_TOOLS, TOOLS, type Tool } from "./tools";

const ON = "on";
/** Of a button that does nothing now. */
const OFF = "off";

export function Toolbar({ editor }: { editor: Editor }) {
  const isTouch = useIsTouch();
  const [hasRest, setRest] = useState(false);
  const first = useStates(editor, isTouch ? PHONE_TOOLS : TOOLS);
  const rest = useStates(editor, isTouch && hasRest ? OTHER_PHONE_TOOLS : NO_TOOLS);
  const more: Tool = { name: "moreTools", sign: Ellipsis, run: () => setRest(!hasRest), isOn: () => hasRest };
  const all = isTouch ? [...first, { tool: more, state: hasRest ? ON : "", off: [] }, ...rest] : first;
  const drawn = drawnTools(editor, all);
  const end = PHONE_TOOLS.length + 1;
  const bar = useRef<HTMLDivElement>(null);
  useEffect(followKeyboard, []);
  useEffect(() => (isTouch && bar.current ? followTools(bar.current) : undefined), [isTouch]);
  useBarKey(editor);
  return (
    <Bar editor={editor} label={t.document.formatting} className={style.toolbar} element={bar}>
      {isTouch ? (
        <>
          <div className={style.row}>{drawn.slice(0, end)}</div>
          {hasRest && <div className={style.rest}>{drawn.slice(end)}</div>}
        </>
      ) : (
        drawn
      )}
    </Bar>
  );
}

/** Tools as they stand in a bar. */
export function Tools({ editor, tools }: { editor: Editor; tools: readonly Tool[] }) {
  return drawnTools(editor, useStates(editor, tools));
}

/** Returns the tools that are there. */
function drawnTools(editor: Editor, tools: readonly Shown[]): ReactElement[] {
  return tools
    .filter(isThere)
    .map(({ tool, state, off }) =>
      "choices" in tool ? (
        <Choose key={tool.name} editor={editor} chooser={tool} chosen={state} off={off} />
      ) : (
        <Press key={tool.name} editor={editor} button={tool} state={state} />
      ),
    );
}

type Stop = { editor: Editor };

function Press({ editor, button, state }: Stop & { button: Button & Tool; state: string }) {
  const { name, sign: Sign, keys, run, isOn, begins } = button;
  const label = t.tools[name];
  return (
    <button
      type="button"
      className={style.tool}
      aria-label={label}
      title={keys ? t.document.withKeys(label, keys) : label}
      aria-keyshortcuts={keys}
      aria-pressed={isOn && state === ON}
      aria-disabled={state === OFF}
      data-begins={begins}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => run(editor)}
    >
      <Sign aria-hidden size={16} />
    </button>
  );
}

type ChooseProps = Stop & { chooser: Chooser & Tool; chosen: string; off: readonly string[] };

function Choose({ editor, chooser, chosen, off }: ChooseProps) {
  const { name, sign: Sign, choices, begins } = chooser;
  const label = t.tools[name];
  const isKnown = chosen === "" || choices.some(({ name }) => name === chosen);
  const select = (
    <select
      className={Sign ? undefined : style.tool}
      aria-label={label}
      title={label}
      value={chosen}
      data-begins={Sign ? undefined : begins}
      onChange={({ target }) => {
        const choice = choices.find(({ name }) => name === target.value);
        if (!choice) return;
        editor.view.focus(); // the editor's own command waits for a frame, in which a key would choose again
        choice.run(editor.chain().focus()).run();
      }}
    >
      {chosen === "" && <option value="">{label}…</option>}
      {!isKnown && <option value={chosen}>{toolLabel(chosen)}</option>}
      {choices.map(({ name }) => (
        <option key={name} value={name} disabled={off.includes(name)}>
          {toolLabel(name)}
        </option>
      ))}
    </select>
  );
  if (!Sign) return select;
  return (
    <span className={`${style.tool} ${style.choose}`} data-begins={begins}>
      <Sign aria-hidden size={16} />
      <ChevronDown aria-hidden size={12} />
      {select}
    </span>
  );
}

function stateOf(tool: Button | Chooser, editor: Editor): string | null {
  if ("choices" in tool) return tool.chosen(editor);
  if (tool.mayRun && !tool.mayRun(editor)) return OFF;
  return tool.isOn?.(editor) ? ON : "";
}

/** A tool with what it shows, and the names of its choices that do nothing now. */
type Shown = { tool: Tool } & Look;
type Look = { state: string | null; off: readonly string[] };

function lookOf(tool: Tool, editor: Editor): Look {
  const state = stateOf(tool, editor);
  const choices = "choices" in tool && state !== null ? tool.choices : [];
  return { state, off: choices.filter(({ mayRun }) => mayRun?.(editor.state) === false).map(({ name }) => name) };
}

const NO_TOOLS: readonly Tool[] = [];
const NOT_THERE: Look = { state: null, off: [] };

function isThere(each: Shown): each is Shown & { state: string } {
  return each.state !== null;
}

/** Returns what each tool shows at the selection, null for one that is not there; React draws nothing while all stay the same. */
function useStates(editor: Editor, tools: readonly Tool[]): Shown[] {
  const store = useMemo(() => statesOf(editor, tools), [editor, tools]);
  const states = useSyncExternalStore(store.subscribe, store.read);
  return useMemo(() => {
    const found: Look[] = JSON.parse(states);
    return tools.map((tool, index) => ({ tool, ...(found[index] ?? NOT_THERE) }));
  }, [states, tools]);
}

/** The states of tools as text. They are looked up before the next frame, once for all that happened until then. */
function statesOf(editor: Editor, tools: readonly Tool[]) {
  const look = () => JSON.stringify(tools.map((tool) => lookOf(tool, editor)));
  let states = look();
  return {
    read: () => states,
    subscribe(changed: () => void) {
      const undone = undoManagerOf(editor);
      let frame = 0;
      const update = () => {
        frame = 0;
        const before = states;
        states = look();
        if (states !== before) changed();
      };
      const soon = () => {
        frame ||= requestAnimationFrame(update);
      };
      soon(); // for what happened since it was looked first
      editor.on("transaction", soon);
      for (const event of UNDO_EVENTS) undone.on(event, soon);
      return () => {
        cancelAnimationFrame(frame);
        editor.off("transaction", soon);
        for (const event of UNDO_EVENTS) undone.off(event, soon);
      };
    },
  };
}

const UNDO_EVENTS = ["stack-item-added", "stack-item-popped", "stack-cleared"] as const;
