import { Link, useNavigate } from "@tanstack/react-router";
import { ask } from "../graphql/ask";
import type { ViewerEvent } from "../graphql/events";
import {
  DriveList,
  type DriveName,
  FolderList,
  type Next,
  RecentList,
  type Row,
  SharedList,
  StarredList,
  TrashList,
} from "../graphql/generated";
import { useViewer } from "../graphql/session";
import { t } from "../messages/messages";
import { inBytes } from "../ui/bytes";
import { useCommands } from "../ui/commands";
import { driveName } from "../ui/drive_name";
import { Menu, MenuItem } from "../ui/menu";
import { Missing } from "../ui/states";
import { hrefOf } from "./actions";
import { DriveMenu } from "./DriveMenu";
import type { PlacedItem } from "./item_place";
import { ListScreen } from "./ListScreen";
import style from "./ListScreen.module.css";
import { type List, touchesItems, useList, wholeList } from "./list";
import type { Members } from "./MembersButton";
import { STARRED_KEY } from "./stars";

const MISSING = { head: null, rows: [], next: { hasNextPage: false, endCursor: null } };

type DriveHead = DriveName & { storage: { used: number; limit: number } | null; membersConnection: Members };

function driveList(driveId: string) {
  return wholeList<DriveHead | null>(
    ["items", "drive", driveId],
    async (after, signal) => {
      const { drive } = await ask(DriveList, { id: driveId, after }, signal);
      return drive ? { head: drive, rows: drive.items.nodes, next: drive.items.pageInfo } : MISSING;
    },
    (event, list) => touchesItems(driveId, event, list?.rows),
  );
}

export function DriveScreen({ driveId }: { driveId: string }) {
  const list = useList(driveList(driveId));
  const drive = list.head;
  if (drive === null) return <Missing />;
  return (
    <ListScreen
      list={list}
      title={drive && driveName(drive)}
      note={drive && noteOf(list, drive.storage)}
      place={drive?.capabilities.includes("createItem") ? { kind: "drive", id: driveId } : null}
      drive={drive?.kind === "shared" && drive.role !== null ? drive : null}
      menu={drive && <DriveMenu drive={drive} />}
      empty={t.lists.empty}
      own="name"
    />
  );
}

/** How many items there are, and what a drive stores. */
function noteOf({ rows, isWhole }: List<unknown>, storage?: DriveHead["storage"]): string {
  const notes = [];
  if (rows.length) notes.push(t.lists.counted(rows.length, isWhole));
  if (storage) notes.push(t.lists.stored(inBytes(storage.used), inBytes(storage.limit)));
  return notes.join(" · ");
}

type FolderHead = {
  name: string;
  mayCreate: boolean;
  drive: PlacedItem["drive"];
  path: Step[];
};
type Step = { id: string; name: string };

function folderList(folderId: string) {
  return wholeList<FolderHead | null>(
    ["items", "folder", folderId],
    async (after, signal) => {
      const { driveItem } = await ask(FolderList, { id: folderId, after }, signal);
      if (!driveItem) return MISSING;
      if (driveItem.driveItemType !== "folder") location.replace(hrefOf(driveItem));
      const { name, drive, ancestors, capabilities } = driveItem;
      const head = { name, drive, path: ancestors, mayCreate: capabilities.includes("createChild") };
      return { head, rows: driveItem.children.nodes, next: driveItem.children.pageInfo };
    },
    (event, list) =>
      touchesItems(list?.head?.drive.id, event, list?.rows) ||
      (event.itemId === folderId && event.type !== "documentEdited"),
  );
}

export function FolderScreen({ folderId }: { folderId: string }) {
  const list = useList(folderList(folderId));
  const navigate = useNavigate();
  useCommands([
    {
      name: t.lists.searchHere,
      run: () => void navigate({ to: "/search", search: { q: "", folder: folderId } }),
    },
  ]);
  if (list.head === null) return <Missing />;
  return (
    <ListScreen
      list={list}
      title={list.head?.name}
      above={list.head && <Breadcrumbs above={list.head} />}
      note={list.head && noteOf(list)}
      place={list.head?.mayCreate ? { kind: "folder", id: folderId } : null}
      empty={t.lists.empty}
      own="name"
    />
  );
}

const MAX_STEPS = 3; // folders of a way that are shown side by side

/** The way to an item: from its drive, or from what is shared where the reader is no member of it; a long one is folded in its middle. */
export function Breadcrumbs({ above }: { above: Pick<FolderHead, "drive" | "path"> }) {
  const navigate = useNavigate();
  const folded = above.path.length > MAX_STEPS ? above.path.slice(0, 1 - MAX_STEPS) : [];
  return (
    <nav aria-label={t.lists.breadcrumbs} className={style.crumbs}>
      <ol>
        <li>
          {above.drive.role ? (
            <Link to="/drive/$driveId" params={{ driveId: above.drive.id }}>
              {driveName(above.drive)}
            </Link>
          ) : (
            <Link to="/shared">{t.shell.shared}</Link>
          )}
        </li>
        {folded.length > 0 && (
          <li>
            <Menu
              within="main"
              trigger={
                <button type="button" className={style.folded} aria-label={t.lists.between}>
                  …
                </button>
              }
            >
              {folded.map(({ id, name }) => (
                <MenuItem key={id} onClick={() => void navigate({ to: "/folder/$folderId", params: { folderId: id } })}>
                  {name}
                </MenuItem>
              ))}
            </Menu>
          </li>
        )}
        {above.path.slice(folded.length).map((step) => (
          <li key={step.id}>
            <Link to="/folder/$folderId" params={{ folderId: step.id }} title={step.name}>
              {step.name}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** A list of items that lie in many drives. */
function itemsEverywhere(
  queryKey: readonly ["items", string],
  load: (after: string | null, signal: AbortSignal) => Promise<{ nodes: Row[]; pageInfo: Next }>,
  touchedByEdit: (event: ViewerEvent, rows: readonly Row[]) => boolean = () => false,
) {
  return wholeList<true>(
    queryKey,
    async (after, signal) => {
      const { nodes, pageInfo } = await load(after, signal);
      return { head: true, rows: nodes, next: pageInfo };
    },
    (event, list) =>
      event.type === "documentEdited" ? touchedByEdit(event, list?.rows ?? []) : touchesItems(undefined, event),
  );
}

/** Whether somebody edited what is in a list that has the last edited first. */
function reorders({ itemId }: ViewerEvent, rows: readonly Row[]): boolean {
  return rows.some(({ id }) => id === itemId);
}

const SHARED = itemsEverywhere(
  ["items", "shared"],
  async (after, signal) => (await ask(SharedList, { after }, signal)).sharedWithMe,
);
const STARRED = {
  ...itemsEverywhere(STARRED_KEY, async (after, signal) => (await ask(StarredList, { after }, signal)).viewer.starred),
  // no event tells what was starred in another window
  refetchOnMount: "always",
  refetchOnWindowFocus: "always",
} as const;
const TRASHED = itemsEverywhere(
  ["items", "trash"],
  async (after, signal) => (await ask(TrashList, { after }, signal)).trash,
  reorders,
);

/** What somebody made or wrote in: the first page is all that is shown. */
function recent(userId: string) {
  return itemsEverywhere(
    ["items", "recent"],
    async (_, signal) => {
      const { nodes } = (await ask(RecentList, { userId }, signal)).search;
      return { nodes, pageInfo: { hasNextPage: false, endCursor: null } };
    },
    (event, rows) => event.by?.userId === userId || reorders(event, rows),
  );
}

export function SharedScreen() {
  return <ListScreen list={useList(SHARED)} title={t.shell.shared} empty={t.lists.nothingShared} />;
}

/** What the reader starred, the last starred first. */
export function StarredScreen() {
  return <ListScreen list={useList(STARRED)} title={t.shell.starred} empty={t.stars.nothing} />;
}

export function TrashScreen() {
  return (
    <ListScreen list={useList(TRASHED)} title={t.shell.trash} empty={t.lists.nothingTrashed} isTrash own="-changed" />
  );
}

/** What the reader made or wrote in, the last changed first. */
export function RecentScreen() {
  const { id } = useViewer();
  return <ListScreen list={useList(recent(id))} title={t.shell.recent} empty={t.lists.nothingRecent} own="-changed" />;
}
