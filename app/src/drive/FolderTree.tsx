import { Link, useLocation } from "@tanstack/react-router";
import { ChevronDown, ChevronRight, Folder, HardDrive, Users } from "lucide-react";
import {
  type ComponentProps,
  type ComponentType,
  type Dispatch,
  type KeyboardEvent,
  type RefObject,
  type SetStateAction,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import type { BranchName } from "../graphql/generated";
import { usePages } from "../graphql/queries";
import { t } from "../messages/messages";
import { driveName } from "../ui/drive_name";
import { useIsOfEveryScreen } from "../ui/keys";
import { useMenuPress } from "../ui/long_press";
import { hrefOf, type Target } from "./actions";
import { useDrag } from "./drag";
import { useDrives } from "./drives";
import style from "./FolderTree.module.css";
import { documentsIn, foldersIn, type Branch as Place } from "./folders";
import { ItemIcon } from "./ItemIcon";

/** The way to what is open: its drive, and in it the folders above it and the item itself. */
export type OpenWay = { driveId: string; steps: readonly BranchName[] };

/** The menu of an item: of which, beside what part of the window, and what has the keyboard after it. */
export type ItemMenuProps = { asked: Asked; after: () => HTMLElement | true };
type Asked = { itemId: string; at: DOMRect };

/** What all branches share; a branch is named by the way to it, since a folder can be in a drive and shared, too. */
type Tree = {
  id: string;
  cursor: string;
  setCursor: Dispatch<SetStateAction<string | undefined>>;
  chosen: string | null;
  open: ReadonlySet<string>;
  fold: (way: string) => void;
  walk: (way: string) => void;
  hasDocuments: boolean;
  openWay: OpenWay | undefined;
  /** What is scrolled to once it is there. */
  sought: string | null;
  seek: (way: string | null) => void;
  /** Takes what is chosen; null where each place is a link to its screen. */
  choose: ((way: string, target: Target) => void) | null;
};

type Props = {
  label: string;
  field?: RefObject<HTMLDivElement | null>;
  /** The drive that is unfolded at first. */
  driveId?: string | undefined;
  /** Gets the place that is chosen; without it each place is a link to its screen. */
  choose?: (target: Target) => void;
  describedBy?: string | undefined;
  /** Whether what is shared with the reader is among the places. */
  hasShared?: boolean;
  /** Whether documents are shown, too. */
  hasDocuments?: boolean;
  /** To this the tree is unfolded and scrolled. */
  openWay?: OpenWay | undefined;
  /** The menu that an item has; without one the browser shows its own. */
  Menu?: ComponentType<ItemMenuProps>;
};

/**
 * A tree of drives and folders, whose folders are asked for when one is unfolded, 200 at once. The keyboard stays on the tree, and
 * its cursor is the active descendant: arrows walk and unfold, Home and End, letters, Enter or Space to choose or to open.
 */
export function FolderTree({ label, field, driveId, choose, describedBy, openWay, ...rest }: Props) {
  const { hasShared = false, hasDocuments = false, Menu } = rest;
  const drives = useDrives();
  const isOfEveryScreen = useIsOfEveryScreen();
  const [walked, setCursor] = useState(driveId);
  const [chosen, setChosen] = useState<string | null>(null);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set(driveId && [driveId]));
  const own = useRef<HTMLDivElement>(null);
  const element = field ?? own;
  const id = useId();
  const [sought, setSought] = useState<string | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const isKept = useRef(false); // the cursor, when the keyboard comes back from a menu
  const root = walked?.split(BELOW)[0];
  const isThere = root === SHARED || drives.some(({ id }) => id === root); // a guest is no member of the drive
  const cursor = (isThere && walked) || (drives[0]?.id ?? SHARED);
  const reached = openWay && [openWay.driveId, ...openWay.steps.map((step) => step.id)].join(BELOW);

  // what is open is seen, until its reader folds something
  useEffect(() => {
    setSought(reached ?? null);
    if (!reached) return;
    const above = reached.split(BELOW).slice(0, -1);
    setOpen((before) => new Set([...before, ...above.map((_, index) => above.slice(0, index + 1).join(BELOW))]));
  }, [reached]);

  const tree: Tree = {
    id,
    hasDocuments,
    cursor,
    setCursor,
    chosen,
    open,
    openWay,
    sought,
    seek: setSought,
    walk(way) {
      element.current?.focus();
      setCursor(way);
    },
    fold(way) {
      const next = new Set(open);
      if (!next.delete(way)) next.add(way);
      setOpen(next);
      setSought(null);
      setCursor(way);
    },
    choose:
      choose === undefined
        ? null
        : (way, target) => {
            setCursor(way);
            setChosen(way);
            choose(target);
          },
  };

  /** Give the tree the keyboard back, whose cursor stays where it is. */
  function back() {
    isKept.current = true;
    return element.current ?? true;
  }

  const press = useMenuPress((target, at) => {
    const here = target.closest<HTMLElement>("[role=treeitem]");
    return here !== null && openMenu(here, at);
  });

  /** Open the menu of an item; returns whether it has one. */
  function openMenu(here: HTMLElement, at = here.getBoundingClientRect()): boolean {
    const way = here.dataset.way;
    const itemId = way?.split(BELOW).slice(1).at(-1);
    if (!Menu || way === undefined || itemId === undefined || itemId === MORE) return false;
    tree.walk(way);
    setAsked({ itemId, at });
    return true;
  }

  function key(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey || isOfEveryScreen(event)) return;
    const shown = itemsOf(event.currentTarget);
    const at = Math.max(
      0,
      shown.findIndex((each) => each.dataset.way === cursor),
    );
    const here = shown[at];
    const way = here?.dataset.way;
    if (!here || way === undefined) return;
    if (event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey)) {
      if (openMenu(here)) event.preventDefault();
      return;
    }
    const isFolded = here.ariaExpanded === "false";
    const go = (to: HTMLElement | undefined) => {
      if (!to?.dataset.way) return;
      setCursor(to.dataset.way);
      to.scrollIntoView({ block: "nearest" });
    };
    if (event.key === "ArrowDown") go(shown[at + 1]);
    else if (event.key === "ArrowUp") go(shown[at - 1]);
    else if (event.key === "Home") go(shown[0]);
    else if (event.key === "End") go(shown.at(-1));
    else if (event.key === "ArrowRight" && isFolded) tree.fold(way);
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
    <>
      <div
        ref={element}
        role="tree"
        tabIndex={0}
        aria-label={label}
        aria-activedescendant={`${id}-${cursor}`}
        aria-invalid={describedBy ? true : undefined}
        aria-describedby={describedBy}
        className={choose ? `${style.tree} ${style.field}` : style.tree}
        onKeyDown={key}
        {...press}
        onFocus={({ target, currentTarget }) => {
          if (target !== currentTarget) return;
          const present = isKept.current ? undefined : itemsOf(currentTarget).find((each) => each.ariaCurrent);
          if (present?.dataset.way) setCursor(present.dataset.way);
          isKept.current = false;
        }}
      >
        {drives.map((drive) => (
          <Branch
            key={drive.id}
            tree={tree}
            way={drive.id}
            target={{ kind: "drive", id: drive.id, driveId: drive.id, name: driveName(drive) }}
          />
        ))}
        {hasShared && <Branch tree={tree} way={SHARED} target={null} />}
      </div>
      {Menu && asked && <Menu key={asked.itemId} asked={asked} after={back} />}
    </>
  );
}

const SHARED = "shared";
const MORE = "more";
const BELOW = "_"; // between the steps of a way
const MAX_INDENTED = 6; // levels, so that names have room

function itemsOf(tree: Element): HTMLElement[] {
  return [...tree.querySelectorAll<HTMLElement>("[role=treeitem]")];
}

function nameIn(item: HTMLElement): string {
  return item.innerText.toLowerCase();
}

function parentOf(item: HTMLElement): string | undefined {
  return item.dataset.way === undefined ? undefined : wayAbove(item.dataset.way);
}

function wayAbove(way: string): string | undefined {
  return way.split(BELOW).slice(0, -1).join(BELOW) || undefined;
}

/** A place with what lies in it, once it is unfolded; without a target, what is shared, where nothing can be put. */
function Branch({ tree, way, target }: { tree: Tree; way: string; target: Target | null }) {
  const isOpen = tree.open.has(way);
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  const Icon = target === null ? Users : target.kind === "drive" ? HardDrive : Folder;
  const { choose } = tree;
  useLeave(tree, way);
  const inner = (
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: the tree hears the keys */}
      <span
        className={style.fold}
        data-fold
        onClick={(event) => {
          event.preventDefault();
          event.stopPropagation();
          tree.walk(way);
          tree.fold(way);
        }}
      >
        <Chevron aria-hidden size={16} />
      </span>
      <Icon aria-hidden size={16} className={style.icon} />
      <span className={style.name}>{target?.name ?? t.shell.shared}</span>
    </>
  );
  return (
    <>
      {target && !choose ? (
        <PlaceLink
          target={target}
          role="treeitem"
          {...attributes(tree, way)}
          aria-expanded={isOpen}
          onClick={() => tree.walk(way)}
        >
          {inner}
        </PlaceLink>
      ) : (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the tree hears the keys
        <div
          role="treeitem"
          {...attributes(tree, way)}
          aria-expanded={isOpen}
          aria-selected={tree.chosen === way}
          onClick={() => {
            tree.walk(way);
            if (target && choose) choose(way, target);
            else tree.fold(way);
          }}
        >
          {inner}
        </div>
      )}
      {isOpen && <Below tree={tree} way={way} place={target ?? { kind: "shared" }} />}
    </>
  );
}

/** Take the cursor along, when what it is at is gone, to what that lay in. */
function useLeave({ id, setCursor }: Tree, way: string) {
  useEffect(
    () => () => {
      if (document.getElementById(`${id}-${way}`)) return;
      setCursor((cursor) => (`${cursor}${BELOW}`.startsWith(way + BELOW) ? wayAbove(way) : cursor));
    },
    [id, setCursor, way],
  );
}

function attributes(tree: Tree, way: string) {
  return {
    tabIndex: -1,
    id: `${tree.id}-${way}`,
    "data-way": way,
    "data-cursor": tree.cursor === way || undefined,
    "aria-level": way.split(BELOW).length,
    className: style.branch,
  };
}

/** A place as a link to its screen, which takes items that are dropped on it. */
function PlaceLink({ target, ...rest }: { target: Target } & Omit<ComponentProps<"a">, "target">) {
  const to = pathOf(target);
  const isPresent = useLocation({ select: ({ pathname }) => pathname === to });
  const drag = useDrag();
  return <Link to={to as string} {...rest} {...drag.dropping(target)} aria-current={isPresent ? "page" : undefined} />;
}

function pathOf({ kind, id }: Target): string {
  return `/${kind}/${id}`;
}

function Below({ tree, way, place }: { tree: Tree; way: string; place: Place }) {
  const { kind, id, driveId } = place.kind === "shared" ? { kind: place.kind, id: "", driveId: "" } : place;
  const branch = kind === "shared" ? { kind } : { kind, id, driveId };
  const folders = usePages(foldersIn(branch));
  // after the last folder
  const isWhole = folders.entries !== null && !folders.hasMore;
  const isWithDocuments = tree.hasDocuments && isWhole;
  const documents = usePages({ ...documentsIn(branch), enabled: isWithDocuments });
  // another tree may have loaded them
  const listed = [...(folders.entries ?? []), ...((isWithDocuments && documents.entries) || [])];
  // what is open is shown, too, where it comes after the part that is loaded
  const step = stepBelow(way, tree.openWay);
  const isLoaded = folders.entries !== null && !(isWithDocuments && documents.entries === null);
  const shown = step && isLoaded && !listed.some(({ id }) => id === step.id) ? [...listed, step] : listed;
  const { hasMore, more } = isWithDocuments ? documents : folders;
  const isKnown = tree.hasDocuments ? documents.entries !== null : isWhole;
  if (isKnown && !shown.length && !hasMore)
    return <div className={style.none}>{tree.hasDocuments ? t.drives.empty : t.drives.noFolders}</div>;
  const last = listed.at(-1);
  return (
    <div className={way.split(BELOW).length > MAX_INDENTED ? undefined : style.below}>
      {shown.map((each) =>
        each.driveItemType === "folder" ? (
          <Branch key={each.id} tree={tree} way={way + BELOW + each.id} target={targetOf(each)} />
        ) : (
          <Leaf key={each.id} tree={tree} way={way + BELOW + each.id} item={each} />
        ),
      )}
      {hasMore && (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the tree hears the keys
        <div
          role="treeitem"
          {...attributes(tree, way + BELOW + MORE)}
          onClick={() => {
            tree.walk(last ? way + BELOW + last.id : way); // this item goes
            more();
          }}
        >
          <span className={style.more}>{t.ui.more}</span>
        </div>
      )}
    </div>
  );
}

/** Return what lies in a place on the way to what is open; nothing where the way leads elsewhere. */
function stepBelow(place: string, openWay: OpenWay | undefined): BranchName | undefined {
  let way = openWay?.driveId;
  return openWay?.steps.find(({ id }) => {
    const isBelow = way === place;
    way += BELOW + id;
    return isBelow;
  });
}

/** A document, which leads to its screen. */
function Leaf({ tree, way, item }: { tree: Tree; way: string; item: BranchName }) {
  const to = hrefOf(item);
  const link = useRef<HTMLAnchorElement>(null);
  const isSought = tree.sought === way;
  const { seek } = tree;
  useEffect(() => {
    if (!isSought || !link.current) return;
    return onceShown(link.current, (shown) => {
      scrollTo(shown);
      seek(null);
    });
  }, [isSought, seek]);
  const isPresent = useLocation({ select: ({ pathname }) => pathname === to });
  useLeave(tree, way);
  return (
    <Link
      ref={link}
      to={to}
      role="treeitem"
      {...attributes(tree, way)}
      aria-current={isPresent ? "page" : undefined}
      onClick={() => tree.walk(way)}
    >
      <span className={style.fold} />
      <ItemIcon type={item.driveItemType} size={16} className={style.icon} isHidden />
      <span className={style.name}>{item.name}</span>
    </Link>
  );
}

/** Run something as soon as an element has a place on the page: in a drawer it has none until that is opened. */
function onceShown(element: HTMLElement, run: (element: HTMLElement) => void): () => void {
  const watch = new ResizeObserver(() => {
    if (!element.checkVisibility()) return;
    watch.disconnect();
    run(element);
  });
  watch.observe(element);
  return () => watch.disconnect();
}

/** Scroll to what cannot be seen; what is seen in part is only made whole. */
function scrollTo(item: HTMLElement) {
  const { top, bottom } = item.getBoundingClientRect();
  const seen = item.closest("nav")?.getBoundingClientRect();
  const isOut = seen && (bottom <= seen.top || top >= seen.bottom);
  item.scrollIntoView({ block: isOut ? "center" : "nearest" });
}

export function targetOf({ id, driveId, name }: Pick<BranchName, "id" | "driveId" | "name">): Target {
  return { kind: "folder", id, driveId, name };
}
