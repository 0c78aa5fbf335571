import { ChevronDown, ChevronRight, Folder, HardDrive, Users } from "lucide-react";
import { type KeyboardEvent, type RefObject, useId, useMemo, useState } from "react";
import type { Row } from "../../graphql/generated";
import type { Target } from "../acts";
import { useDrives } from "../drives";
import { foldersIn, type Branch as Place } from "../folders";
import { useList } from "../list";
import style from "./move.module.css";

/** What all branches share; a branch is named by the way to it, since a folder can be in a drive and shared, too. */
type Tree = {
  id: string;
  cursor: string;
  chosen: string | null;
  open: ReadonlySet<string>;
  fold: (way: string) => void;
  choose: (way: string, target: Target) => void;
  focus: () => void;
};

type Props = {
  field: RefObject<HTMLDivElement | null>;
  /** The drive that is unfolded at first. */
  driveId: string | undefined;
  choose: (target: Target) => void;
  describedBy: string | undefined;
};

/**
 * A tree of drives and folders to choose one of. The keyboard stays on the tree, and its cursor is the active descendant: arrows
 * walk and unfold, Home and End, letters, Enter or Space to choose.
 */
export function FolderTree({ field, driveId, choose, describedBy }: Props) {
  const drives = useDrives();
  const start = drives.find((drive) => drive.id === driveId) ?? drives[0];
  const first = start?.id ?? SHARED;
  const [cursor, setCursor] = useState(first);
  const [chosen, setChosen] = useState<string | null>(null);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set([first]));
  const id = useId();

  const tree: Tree = {
    id,
    cursor,
    chosen,
    open,
    fold(way) {
      const next = new Set(open);
      if (!next.delete(way)) next.add(way);
      setOpen(next);
      setCursor(way);
    },
    choose(way, target) {
      setCursor(way);
      setChosen(way);
      choose(target);
    },
    focus: () => field.current?.focus(),
  };

  function key(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const shown = [...event.currentTarget.querySelectorAll<HTMLElement>("[role=treeitem]")];
    const at = Math.max(
      0,
      shown.findIndex((each) => each.dataset.way === cursor),
    );
    const here = shown[at];
    const way = here?.dataset.way;
    if (!here || way === undefined) return;
    const go = (to: HTMLElement | undefined) => {
      if (!to?.dataset.way) return;
      setCursor(to.dataset.way);
      to.scrollIntoView({ block: "nearest" });
    };
    if (event.key === "ArrowDown") go(shown[at + 1]);
    else if (event.key === "ArrowUp") go(shown[at - 1]);
    else if (event.key === "Home") go(shown[0]);
    else if (event.key === "End") go(shown.at(-1));
    else if (event.key === "ArrowRight" && !open.has(way)) tree.fold(way);
    else if (event.key === "ArrowRight") go(shown.find((each) => parentOf(each) === way));
    else if (event.key === "ArrowLeft" && open.has(way)) tree.fold(way);
    else if (event.key === "ArrowLeft") go(shown.find((each) => each.dataset.way === parentOf(here)));
    else if (event.key === "Enter" || event.key === " ") here.click();
    else if (event.key.length === 1) {
      const letter = event.key.toLowerCase();
      go([...shown.slice(at + 1), ...shown.slice(0, at)].find((each) => nameIn(each).startsWith(letter)));
    } else return;
    event.preventDefault();
  }

  return (
    <div
      ref={field}
      role="tree"
      tabIndex={0}
      aria-label="Where to"
      aria-activedescendant={`${id}-${cursor}`}
      aria-invalid={describedBy ? true : undefined}
      aria-describedby={describedBy}
      className={style.tree}
      onKeyDown={key}
    >
      {drives.map((drive) => (
        <Branch
          key={drive.id}
          tree={tree}
          way={drive.id}
          target={{ kind: "drive", id: drive.id, driveId: drive.id, name: drive.name }}
        />
      ))}
      <Branch tree={tree} way={SHARED} target={null} />
    </div>
  );
}

const SHARED = "shared";
const BELOW = "_"; // between the steps of a way

function nameIn(item: HTMLElement): string {
  return item.innerText.toLowerCase();
}

function parentOf(item: HTMLElement): string | undefined {
  return item.dataset.way?.split(BELOW).slice(0, -1).join(BELOW) || undefined;
}

/** A place with what lies in it, once it is unfolded; without a target, what is shared, where nothing can be put. */
function Branch({ tree, way, target }: { tree: Tree; way: string; target: Target | null }) {
  const isOpen = tree.open.has(way);
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  const Icon = target === null ? Users : target.kind === "drive" ? HardDrive : Folder;
  const name = target?.name ?? "Shared with you";
  return (
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the tree hears the keys */}
      <div
        role="treeitem"
        tabIndex={-1}
        id={`${tree.id}-${way}`}
        data-way={way}
        data-cursor={tree.cursor === way || undefined}
        aria-level={way.split(BELOW).length}
        aria-expanded={isOpen}
        aria-selected={tree.chosen === way}
        className={style.branch}
        onClick={() => {
          tree.focus();
          if (target) tree.choose(way, target);
          else tree.fold(way);
        }}
      >
        {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: the tree hears the keys */}
        <span
          className={style.fold}
          onClick={(event) => {
            event.stopPropagation();
            tree.focus();
            tree.fold(way);
          }}
        >
          <Chevron aria-hidden size={16} />
        </span>
        <Icon aria-hidden size={16} className={style.icon} />
        <span className={style.name}>{name}</span>
      </div>
      {isOpen && <Below tree={tree} way={way} place={target ?? { kind: "shared" }} />}
    </>
  );
}

function Below({ tree, way, place }: { tree: Tree; way: string; place: Place }) {
  const { kind, id, driveId } = place.kind === "shared" ? { kind: place.kind, id: "", driveId: "" } : place;
  const source = useMemo(() => foldersIn(kind === "shared" ? { kind } : { kind, id, driveId }), [kind, id, driveId]);
  const { rows, isWhole } = useList(source);
  if (isWhole && !rows.length) return <div className={style.none}>No folders</div>;
  return (
    <div className={style.below}>
      {rows.map((row) => (
        <Branch key={row.id} tree={tree} way={way + BELOW + row.id} target={targetOf(row)} />
      ))}
    </div>
  );
}

function targetOf(row: Row): Target {
  return { kind: "folder", id: row.id, driveId: row.driveId, name: row.name };
}
