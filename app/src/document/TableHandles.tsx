/** Handles at the row and the column that the cursor is in, each with a menu of what can be done with it; Alt+F10 goes to them. */

import type { Editor } from "@tiptap/core";
import { CellSelection, isInTable, selectedRect } from "@tiptap/pm/tables";
import { Ellipsis, EllipsisVertical } from "lucide-react";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { t } from "../messages/messages";
import { useIsTouch } from "../ui/media";
import { MenuItem, ShownMenu } from "../ui/menu";
import { Bar } from "./Bar";
import { toolLabel } from "./blocks";
import style from "./TableHandles.module.css";
import { COLUMN_CHOICES, ROW_CHOICES } from "./tools";
import { useEditorValue } from "./useEditorValue";

const SIZE = 24; // pixels of a handle
const INSIDE = 6; // pixels by which the handle of a column lies over its first cell

/** The cell of the cursor: its place in the document, and whether its row and its column are the first. */
type Cell = { readonly at: number; readonly isFirst: { readonly row: boolean; readonly column: boolean } };
type Line = keyof Cell["isFirst"];

const LINES: readonly Line[] = ["row", "column"];

export function TableHandles({ editor }: { editor: Editor }) {
  const cell = useEditorValue(editor, cellAt);
  const isTouch = useIsTouch(); // a phone has them among its tools
  return cell && !isTouch ? <Handles editor={editor} cell={cell} /> : null;
}

function Handles({ editor, cell: { at, isFirst } }: { editor: Editor; cell: Cell }) {
  const { view } = editor;
  const [open, setOpen] = useState<Line | null>(null);
  const row = useRef<HTMLButtonElement>(null);
  const column = useRef<HTMLButtonElement>(null);
  const place = useCallback(() => {
    const dom = view.isDestroyed ? null : view.nodeDOM(at);
    const around = row.current?.offsetParent?.getBoundingClientRect();
    const table = dom instanceof HTMLElement && dom.closest("table");
    if (!around || !table || !(dom instanceof HTMLElement)) return;
    const own = dom.getBoundingClientRect();
    const whole = table.getBoundingClientRect();
    const seen = (table.parentElement ?? table).getBoundingClientRect(); // a wide table is scrolled in it
    const middle = Math.min(Math.max(own.left + own.width / 2, seen.left), seen.right);
    move(row.current, Math.min(whole.right, seen.right) - SIZE / 2, own.top + own.height / 2 - SIZE / 2, around);
    move(column.current, middle - SIZE / 2, whole.top - SIZE + INSIDE, around);
  }, [view, at]);

  useLayoutEffect(place);
  useEffect(() => {
    const changed = new ResizeObserver(place);
    changed.observe(view.dom);
    editor.on("transaction", place);
    document.addEventListener("scroll", place, true);
    return () => {
      changed.disconnect();
      editor.off("transaction", place);
      document.removeEventListener("scroll", place, true);
    };
  }, [editor, view, place]);

  function choose(run: (typeof ROW_CHOICES)[number]["run"]) {
    view.focus(); // before the menu is gone, so that a key at once finds the cursor where it is
    run(editor.chain()).run();
  }

  const handles = {
    row: { ref: row, label: t.document.rowMenu, Sign: EllipsisVertical, choices: ROW_CHOICES },
    column: { ref: column, label: t.document.columnMenu, Sign: Ellipsis, choices: COLUMN_CHOICES },
  } as const;
  return (
    <>
      <Bar editor={editor} label={t.document.tableHandles} className={undefined}>
        {LINES.map((line) => {
          const { ref, label, Sign } = handles[line];
          return (
            <button
              key={line}
              ref={ref}
              type="button"
              className={style.handle}
              aria-haspopup="menu"
              aria-label={label}
              title={label}
              onMouseDown={(event) => event.preventDefault()} // the text keeps the keyboard
              onClick={() => setOpen(line)}
            >
              <Sign aria-hidden size={16} />
            </button>
          );
        })}
      </Bar>
      <ShownMenu
        isOpen={open !== null}
        close={() => setOpen(null)}
        anchor={() => (open && handles[open].ref.current?.getBoundingClientRect()) ?? new DOMRect()}
        within="main"
        after={() => view.dom}
      >
        {open &&
          handles[open].choices
            .filter(({ isOfFirst }) => !isOfFirst || isFirst[open])
            .map(({ name, run, mayRun }) => (
              <MenuItem key={name} disabled={mayRun?.(editor.state) === false} onClick={() => choose(run)}>
                {toolLabel(name)}
              </MenuItem>
            ))}
      </ShownMenu>
    </>
  );
}

function move(element: HTMLElement | null, left: number, top: number, around: DOMRect) {
  element?.style.setProperty("left", `${left - around.left}px`);
  element?.style.setProperty("top", `${top - around.top}px`);
}

function cellAt({ state, isEditable }: Editor): Cell | null {
  if (!isEditable || !isInTable(state)) return null;
  const { map, tableStart, top, left } = selectedRect(state);
  const at = state.selection instanceof CellSelection ? state.selection.$headCell.pos : undefined;
  const offset = map.map[top * map.width + left];
  if (offset === undefined) return null;
  return { at: at ?? tableStart + offset, isFirst: { row: top === 0, column: left === 0 } };
}
