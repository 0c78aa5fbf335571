import { Link, useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { boot } from "../boot";
import { ask } from "../graphql/ask";
import type { Change } from "../graphql/changes";
import {
  DriveList,
  type DriveName,
  FolderList,
  type Next,
  RecentList,
  type Row,
  SharedList,
  TrashList,
} from "../graphql/generated";
import { useOffer } from "../palette/acts";
import { Missing } from "../ui/states";
import { hrefOf } from "./acts";
import type { Sort } from "./arrangement";
import { DriveMenu } from "./DriveMenu";
import { ListScreen } from "./ListScreen";
import style from "./ListScreen.module.css";
import { inDrive, type Source, useList } from "./list";

export function DriveScreen({ driveId }: { driveId: string }) {
  const source = useMemo<Source<DriveName | null>>(
    () => ({
      async load(after) {
        const { drive } = await ask(DriveList, { id: driveId, after });
        if (!drive) return { head: null, rows: [], next: { hasNextPage: false, endCursor: null } };
        return { head: drive, rows: drive.items.nodes, next: drive.items.pageInfo };
      },
      concerns: (change, rows) => inDrive(driveId, change, rows),
    }),
    [driveId],
  );
  const list = useList(source);
  const drive = list.head;
  if (drive === null) return <Missing />;
  return (
    <ListScreen
      list={list}
      title={drive?.name}
      place={drive?.capabilities.includes("createItem") ? { kind: "drive", id: driveId } : null}
      drive={drive?.kind === "shared" && drive.role !== null ? drive : null}
      menu={drive && <DriveMenu drive={drive} />}
      empty="Nothing here yet. Create a document, or drop a Markdown file."
      own="name"
    />
  );
}

type Above = {
  name: string;
  mayCreate: boolean;
  drive: { id: string; name: string; role: string | null };
  path: Step[];
};
type Step = { id: string; name: string };

export function FolderScreen({ folderId }: { folderId: string }) {
  const source = useMemo<Source<Above | null>>(() => {
    let driveId: string | undefined;
    return {
      async load(after) {
        const { driveItem } = await ask(FolderList, { id: folderId, after });
        if (!driveItem) return { head: null, rows: [], next: { hasNextPage: false, endCursor: null } };
        if (driveItem.driveItemType !== "folder") location.replace(hrefOf(driveItem));
        driveId = driveItem.drive.id;
        const { name, drive, ancestors, capabilities } = driveItem;
        const head = { name, drive, path: ancestors, mayCreate: capabilities.includes("createChild") };
        return { head, rows: driveItem.children.nodes, next: driveItem.children.pageInfo };
      },
      concerns: (change, rows) => inDrive(driveId, change, rows) || change.itemId === folderId,
    };
  }, [folderId]);
  const list = useList(source);
  const navigate = useNavigate();
  useOffer([
    {
      name: "Search in this folder",
      run: () => void navigate({ to: "/search", search: { q: "", folder: folderId } }),
    },
  ]);
  if (list.head === null) return <Missing />;
  return (
    <ListScreen
      list={list}
      title={list.head?.name}
      above={list.head && <Breadcrumbs above={list.head} />}
      place={list.head?.mayCreate ? { kind: "folder", id: folderId } : null}
      empty="Nothing here yet. Create a document, or drop a Markdown file."
      own="name"
    />
  );
}

/** The way to an item: from its drive, or from what is shared where the reader is no member of it. */
export function Breadcrumbs({ above }: { above: Pick<Above, "drive" | "path"> }) {
  return (
    <nav aria-label="Breadcrumbs" className={style.crumbs}>
      <ol>
        <li>
          {above.drive.role ? (
            <Link to="/drive/$driveId" params={{ driveId: above.drive.id }}>
              {above.drive.name}
            </Link>
          ) : (
            <Link to="/shared">Shared with you</Link>
          )}
        </li>
        {above.path.map((step) => (
          <li key={step.id}>
            <Link to="/folder/$folderId" params={{ folderId: step.id }}>
              {step.name}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}

type Everywhere = { title: string; empty: string; isTrash?: boolean; own?: Sort };

/** Return the screen of a list of items that lie in many drives. */
function everywhere(
  load: (after: string | null) => Promise<{ nodes: Row[]; pageInfo: Next }>,
  shown: Everywhere,
  concerns: (change: Change) => boolean = () => false,
) {
  const source: Source<true> = {
    async load(after) {
      const { nodes, pageInfo } = await load(after);
      return { head: true, rows: nodes, next: pageInfo };
    },
    concerns: (change, rows) => inDrive(undefined, change, rows) || concerns(change),
    isByChange: shown.own === "-changed",
  };
  return function EverywhereScreen() {
    return <ListScreen list={useList(source)} {...shown} />;
  };
}

export const SharedScreen = everywhere(async (after) => (await ask(SharedList, { after })).sharedWithMe, {
  title: "Shared with you",
  empty: "Nothing is shared with you.",
});

export const TrashScreen = everywhere(async (after) => (await ask(TrashList, { after })).trash, {
  title: "Trash",
  empty: "The trash is empty.",
  isTrash: true,
  own: "-changed",
});

/** What the reader made or wrote in, the last changed first: the first page is all that is shown. */
export const RecentScreen = everywhere(
  async () => {
    const { nodes } = (await ask(RecentList, { userId: boot.viewer.id })).search;
    return { nodes, pageInfo: { hasNextPage: false, endCursor: null } };
  },
  { title: "Recent", empty: "Nothing that you can see was made or written in by you.", own: "-changed" },
  (change) => change.by?.userId === boot.viewer.id,
);
