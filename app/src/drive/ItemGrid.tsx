import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown, ArrowUp, Globe, ListChecks, type LucideIcon, Star, Users, X } from "lucide-react";
import {
  type KeyboardEvent,
  memo,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { Row } from "../graphql/generated";
import { t } from "../messages/messages";
import { SignedAuthor } from "../ui/authors";
import { driveName } from "../ui/drive_name";
import { hasSingleKeys, useIsOfEveryScreen } from "../ui/keys";
import { Moment } from "../ui/Moment";
import { type Point, RowMenu } from "../ui/menu";
import type { Target } from "./actions";
import { COLUMNS, type Column, columnOf, isDescending, type Sort, sortBy } from "./arrangement";
import { useDrag } from "./drag";
import { useDrives } from "./drives";
import { targetOf } from "./FolderTree";
import style from "./ItemGrid.module.css";
import { ItemIcon } from "./ItemIcon";
import { ItemLink } from "./ItemLink";
import type { Listed } from "./list";
import { SelectionTool } from "./SelectionTool";

const HEIGHT = 44; // pixels of a row
const FORGET = 700; // milliseconds after which type-ahead begins anew
export type GridActions = {
  open: (row: Row) => void;
  /** By key, such as `F2` or `Delete`; gets the selected items, or the one with the cursor. */
  keys: Record<string, (rows: Row[]) => void>;
  /** What the menu of an item does; `rows` are all that are selected, where the item is one of them, else the item alone. */
  menu: (row: Row, rows: Row[]) => ReactNode;
  /** What can be done with the items that are selected. */
  selection: (rows: Row[]) => ReactNode;
  /** Takes items that are dropped on a place; without it none can be dragged. */
  drop?: (rows: Row[], target: Target) => void;
};

type Props = {
  rows: Row[];
  label: string;
  actions: GridActions;
  /** The title of the column of moments. */
  when?: string;
  order: Order;
};

/** How the rows are sorted, where a column has it, and what sorts them. */
export type Order = { sort: Sort | undefined; sortAs: (sort: Sort) => void };

/**
 * A list of items of any length; only what is in sight is in the page. The keyboard stays on the grid, and its cursor is the
 * active descendant: arrows, Home, End, Page Up and Down, letters, Space and Shift to select, Enter to open. What is selected has a
 * bar of its own above the list, and is dragged together.
 */
export function ItemGrid({ rows, label, actions, when, order }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const [cursor, setCursor] = useState<string | null>(null);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const anchor = useRef<number | null>(null);
  const typed = useRef({ text: "", at: Number.NEGATIVE_INFINITY });
  const id = useId();
  const isOfEveryScreen = useIsOfEveryScreen();
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => HEIGHT,
    overscan: 8,
    getItemKey: (index) => rows[index]?.id ?? index,
  });
  const among = useMemo(() => rows.filter((row) => selected.has(row.id)), [rows, selected]);
  const found = rows.findIndex((row) => row.id === cursor);
  const at = found < 0 ? 0 : found;
  const last = useRef(0);
  const point = useRef<Point | null>(null);

  // the cursor's row is gone: its place is taken by the one that came after it
  useEffect(() => {
    if (cursor !== null && found < 0) setCursor(rows[Math.min(last.current, rows.length - 1)]?.id ?? null);
    else last.current = at;
  }, [cursor, found, at, rows]);

  // the keyboard goes on from the list that was left to this one
  useEffect(() => {
    if (document.activeElement?.id === "main") scroller.current?.focus({ preventScroll: true });
  }, []);

  // the list is empty, or not sorted yet: the keyboard stays on the screen
  useLayoutEffect(() => {
    const grid = scroller.current;
    return () => {
      if (grid?.contains(document.activeElement)) document.getElementById("main")?.focus({ preventScroll: true });
    };
  }, []);

  // these two stay the same while the list is scrolled, so that a row that stays in sight is not drawn again
  const go = useCallback(
    (to: number, isExtending: boolean) => {
      const index = Math.max(0, Math.min(rows.length - 1, to));
      const row = rows[index];
      if (!row) return;
      if (isExtending) {
        anchor.current ??= at;
        const [from, until] = anchor.current < index ? [anchor.current, index] : [index, anchor.current];
        setSelected(new Set(rows.slice(from, until + 1).map((each) => each.id)));
      } else {
        anchor.current = null;
        setSelected((before) => (before.size ? new Set() : before));
      }
      setCursor(row.id);
      virtual.scrollToIndex(index);
    },
    [rows, at, virtual],
  );

  const toggle = useCallback((row: Row) => {
    setSelected((before) => {
      const next = new Set(before);
      if (!next.delete(row.id)) next.add(row.id);
      return next;
    });
    setCursor(row.id);
  }, []);

  function selectAll() {
    setSelected(new Set(rows.map((each) => each.id)));
  }

  function chosen(): Row[] {
    const one = rows[at];
    return among.length ? among : one ? [one] : [];
  }

  function isTyping(): boolean {
    return performance.now() - typed.current.at < FORGET;
  }

  function find(letter: string) {
    const begun = isTyping() ? typed.current.text + letter : letter;
    typed.current = { text: begun, at: performance.now() };
    const from = begun.length === 1 ? at + 1 : at;
    const order = [...rows.keys()].map((index) => (from + index) % rows.length);
    const hit = order.find((index) => rows[index]?.name.toLowerCase().startsWith(begun.toLowerCase()));
    if (hit !== undefined) go(hit, false);
  }

  function key(event: KeyboardEvent) {
    if (event.target !== event.currentTarget) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? HEIGHT) / HEIGHT) - 1);
    const to: Record<string, number> = {
      ArrowDown: at + (cursor === null ? 0 : 1),
      ArrowUp: at - 1,
      Home: 0,
      End: rows.length - 1,
      PageDown: at + page,
      PageUp: at - page,
    };
    const row = rows[at];
    const isCommand = event.ctrlKey || event.metaKey;
    const named = `${event.shiftKey ? "Shift+" : ""}${event.key}`;
    if (event.key in to) go(to[event.key] ?? 0, event.shiftKey);
    else if (isCommand && event.key === "a") selectAll();
    else if (isCommand || event.altKey || (!isTyping() && isOfEveryScreen(event))) return;
    else if (event.key === "Enter" && row) actions.open(row);
    else if (event.key === " " && !isTyping() && row) toggle(row);
    else if (event.key === "Escape" && selected.size) setSelected(new Set());
    else if ((named === "Shift+F10" || event.key === "ContextMenu") && row) openMenu(row);
    else if (actions.keys[named] && !(event.key.length === 1 && (isTyping() || !hasSingleKeys())))
      actions.keys[named](chosen());
    else if (event.key.length === 1) find(event.key);
    else return;
    event.preventDefault();
  }

  const openMenu = useCallback((row: Row, at: Point | null = null) => {
    point.current = at;
    scroller.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(row.id)}"] [data-menu]`)?.click();
  }, []);

  return (
    <div className={style.frame}>
      <p role="status" className="unseen">
        {among.length > 0 && t.lists.selected(among.length)}
      </p>
      {among.length > 0 && (
        <div role="toolbar" aria-label={t.lists.selection} className={style.selection}>
          <strong title={t.lists.selected(among.length)}>
            <span className={style.words}>{t.lists.selected(among.length)}</span>
            <span aria-hidden className={style.count}>
              {among.length}
            </span>
          </strong>
          {actions.selection(among)}
          {among.length < rows.length && (
            <SelectionTool name={t.lists.selectAll} Icon={ListChecks} onClick={selectAll} />
          )}
          <SelectionTool
            name={t.lists.selectNothing}
            Icon={X}
            isSign
            onClick={() => {
              setSelected(new Set());
              scroller.current?.focus(); // the bar goes
            }}
          />
        </div>
      )}
      <div
        ref={scroller}
        className={style.scroller}
        role="grid"
        tabIndex={0}
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-multiselectable
        aria-activedescendant={rows.length && cursor !== null ? `${id}-${rows[at]?.id}` : undefined}
        onKeyDown={key}
        onBlur={() => {
          typed.current.at = Number.NEGATIVE_INFINITY;
        }}
        onFocus={(event) => {
          if (event.target === event.currentTarget && cursor === null) setCursor(rows[0]?.id ?? null);
        }}
      >
        <div role="row" aria-rowindex={1} className={style.head} tabIndex={-1}>
          {COLUMNS.map((column) => (
            <Header
              key={column}
              column={column}
              title={(column === "changed" && when) || t.lists.columns[column]}
              order={order}
            />
          ))}
          <span role="columnheader">{t.lists.access}</span>
          <span role="columnheader">
            <span className="unseen">{t.lists.actions}</span>
          </span>
        </div>
        <div role="rowgroup" className={style.rows} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((each) => {
            const row = rows[each.index];
            if (!row) return null;
            return (
              <GridRow
                key={row.id}
                row={row}
                id={`${id}-${row.id}`}
                index={each.index}
                selected={selected.has(row.id) ? among : null}
                hasCursor={row.id === cursor}
                actions={actions}
                go={go}
                toggle={toggle}
                openMenu={openMenu}
                point={point}
                grid={scroller}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

type RowProps = {
  row: Row;
  id: string;
  index: number;
  /** All that are selected, where this row is one of them. */
  selected: Row[] | null;
  hasCursor: boolean;
  actions: GridActions;
  go: (to: number, isExtending: boolean) => void;
  toggle: (row: Row) => void;
  openMenu: (row: Row, at: Point) => void;
  /** Where the pointer was pressed for a menu; null where it is opened by its button or by a key. */
  point: RefObject<Point | null>;
  grid: RefObject<HTMLElement | null>;
};

/** A row of the grid; it is drawn again only where one of its properties has changed. */
const GridRow = memo(
  ({ row, id, index, selected, hasCursor, actions, go, toggle, openMenu, point, grid }: RowProps) => {
    const together = selected ?? [row];
    const drag = useDrag();
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the grid hears the keys
      <div
        id={id}
        data-id={row.id}
        role="row"
        tabIndex={-1}
        aria-rowindex={index + 2}
        aria-selected={selected !== null}
        data-cursor={hasCursor || undefined}
        className={style.row}
        style={{ transform: `translateY(${index * HEIGHT}px)`, height: HEIGHT }}
        onClick={(event) => {
          if ((event.target as Element).closest("a, button, label, [role=menu]")) return;
          grid.current?.focus();
          if (event.ctrlKey || event.metaKey) toggle(row);
          else go(index, event.shiftKey);
        }}
        onDoubleClick={() => actions.open(row)}
        onContextMenu={(event) => {
          if ((event.target as Element).closest("[role=menu]")) return;
          event.preventDefault(); // in place of the browser's own menu
          grid.current?.focus();
          if (selected === null) go(index, false);
          openMenu(row, { x: event.clientX, y: event.clientY });
        }}
        {...(actions.drop && drag.dragging(together, actions.drop))}
        {...(actions.drop && row.driveItemType === "folder" && drag.dropping(targetOf(row)))}
      >
        <Cells row={row} menu={actions.menu(row, together)} point={point} grid={grid}>
          <label className={style.check}>
            <input
              type="checkbox"
              tabIndex={-1}
              aria-label={t.lists.select(row.name)}
              checked={selected !== null}
              onChange={() => {
                toggle(row);
                grid.current?.focus();
              }}
            />
          </label>
        </Cells>
      </div>
    );
  },
);

function Header({ column, title, order: { sort, sortAs } }: { column: Column; title: string; order: Order }) {
  const isSorted = sort !== undefined && columnOf(sort) === column;
  const Arrow = isSorted && isDescending(sort) ? ArrowDown : ArrowUp;
  return (
    <span role="columnheader" aria-sort={isSorted ? (isDescending(sort) ? "descending" : "ascending") : "none"}>
      <button type="button" className={style.sort} onClick={() => sortAs(sortBy(column, sort))}>
        {title} {isSorted && <Arrow aria-hidden size={14} />}
      </button>
    </span>
  );
}

type Step = { id: string; name: string };

/** Where an item lies, in a list of items that lie in many places, and who shared it. */
function ItemLocation({ driveId, path, sharedBy }: Pick<Listed, "driveId" | "sharedBy"> & { path: Step[] }) {
  const drive = useDrives().find(({ id }) => id === driveId);
  const steps = [...(drive ? [driveName(drive)] : []), ...path.map(({ name }) => name)].join(" / ");
  const words = [steps && t.lists.in(steps), sharedBy && t.lists.sharedBy(sharedBy.name)].filter(Boolean).join(", ");
  return words && <small className={style.location}>{words}</small>;
}

/** Who sees an item besides those who see the place that it is in. */
function Access({ row: { published, sharesTotal } }: { row: Row }) {
  return (
    <>
      {published && <Sign Icon={Globe} label={t.lists.published} words={t.lists.isPublic} />}
      {sharesTotal !== null && sharesTotal > 0 && (
        <Sign Icon={Users} label={t.lists.sharedWith(sharesTotal)} words={String(sharesTotal)} />
      )}
    </>
  );
}

function Sign({ Icon, label, words }: { Icon: LucideIcon; label: string; words: string }) {
  return (
    <span className={style.sign} title={label}>
      <Icon size={15} role="img" aria-label={label} />
      <span aria-hidden>{words}</span>
    </span>
  );
}

type CellsProps = Pick<RowProps, "row" | "point" | "grid"> & { menu: ReactNode; children: ReactNode };

function Cells({ row, menu, point, grid, children }: CellsProps) {
  const { path, sharedBy }: Listed = row;
  return (
    <>
      <span role="gridcell" className={style.name}>
        {children}
        <ItemIcon type={row.driveItemType} className={style.icon} />
        <span className={style.names}>
          <ItemLink item={row} className={style.link} tabIndex={-1} />
          {path && <ItemLocation driveId={row.driveId} path={path} sharedBy={sharedBy} />}
        </span>
        {row.isStarred && <Star size={15} className={style.icon} role="img" aria-label={t.stars.isStarred} />}
      </span>
      <span role="gridcell" className={style.by}>
        <SignedAuthor author={row.updatedBy} />
      </span>
      <span role="gridcell" className={style.at}>
        <Moment at={row.trashedAt ?? row.updatedAt} />
      </span>
      <span role="gridcell" className={style.access}>
        <Access row={row} />
      </span>
      <span
        role="gridcell"
        className={style.more}
        onPointerDownCapture={() => {
          point.current = null;
        }}
      >
        <RowMenu within="main" label={t.lists.actionsFor(row.name)} after={() => grid.current} at={point}>
          {menu}
        </RowMenu>
      </span>
    </>
  );
}
