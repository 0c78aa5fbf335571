import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { boot } from "../boot";
import { ask } from "../graphql/ask";
import { DriveList, FolderList, SharedList, TrashList } from "../graphql/generated";
import { Missing } from "../ui/states";
import { useTitle } from "../ui/title";
import { hrefOf } from "./acts";
import { useDrives } from "./drives";
import { ListScreen } from "./ListScreen";
import style from "./ListScreen.module.css";
import { inDrive, type Source, useList } from "./list";

/** Where somebody begins: their drives, and what is shared with them. */
export function HomeScreen() {
  const drives = useDrives();
  useTitle("Home");
  return (
    <>
      <h1 className={style.section}>Welcome, {boot.viewer.name}</h1>
      {!boot.viewer.emailVerified && (
        <p className={style.note}>
          Your address is not confirmed yet: what others share with it waits. <a href="/settings/profile">Confirm it</a>
          .
        </p>
      )}
      <h2 className={style.section}>Your drives</h2>
      <ul className={style.cards}>
        {drives.map((drive) => (
          <li key={drive.id}>
            <Link to="/drive/$driveId" params={{ driveId: drive.id }}>
              <strong>{drive.name}</strong>
              {drive.kind === "personal" ? "your own" : `shared, you are its ${drive.role}`}
            </Link>
          </li>
        ))}
        <li>
          <Link to="/shared">
            <strong>Shared with you</strong>
            what others gave you, one by one
          </Link>
        </li>
      </ul>
      <h2 className={style.section}>Go on</h2>
      <ul className={style.cards}>
        <li>
          <a href="/settings/agents">
            <strong>Connect an agent</strong>
            software that works beside you
          </a>
        </li>
        <li>
          <a href="/settings/organizations">
            <strong>Organizations</strong>
            members, roles and invitations
          </a>
        </li>
        <li>
          <a href="/settings/keys">
            <strong>API keys</strong>
            for scripts and the command line
          </a>
        </li>
      </ul>
    </>
  );
}

export function DriveScreen({ driveId }: { driveId: string }) {
  const source = useMemo<Source<{ name: string; mayCreate: boolean; isShared: boolean } | null>>(
    () => ({
      async load(after) {
        const { drive } = await ask(DriveList, { id: driveId, after });
        if (!drive) return { head: null, rows: [], next: { hasNextPage: false, endCursor: null } };
        const head = {
          name: drive.name,
          mayCreate: drive.capabilities.includes("createItem"),
          isShared: drive.kind === "shared" && drive.role !== null,
        };
        return { head, rows: drive.items.nodes, next: drive.items.pageInfo };
      },
      concerns: (change, rows) => inDrive(driveId, change, rows),
    }),
    [driveId],
  );
  const list = useList(source);
  if (list.head === null) return <Missing />;
  return (
    <ListScreen
      list={list}
      title={list.head?.name}
      place={list.head?.mayCreate ? { kind: "drive", id: driveId } : null}
      drive={list.head?.isShared ? { id: driveId, name: list.head.name } : null}
      empty="Nothing here yet."
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
  if (list.head === null) return <Missing />;
  return (
    <ListScreen
      list={list}
      title={list.head?.name}
      above={list.head && <Breadcrumbs above={list.head} />}
      place={list.head?.mayCreate ? { kind: "folder", id: folderId } : null}
      empty="Nothing here yet."
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

const SHARED: Source<true> = {
  async load(after) {
    const { sharedWithMe } = await ask(SharedList, { after });
    return { head: true, rows: sharedWithMe.nodes, next: sharedWithMe.pageInfo };
  },
  concerns: (change, rows) => inDrive(undefined, change, rows),
};

export function SharedScreen() {
  return <ListScreen list={useList(SHARED)} title="Shared with you" empty="Nothing is shared with you." />;
}

const TRASH: Source<true> = {
  async load(after) {
    const { trash } = await ask(TrashList, { after });
    return { head: true, rows: trash.nodes, next: trash.pageInfo };
  },
  concerns: (change, rows) => inDrive(undefined, change, rows),
};

export function TrashScreen() {
  return <ListScreen list={useList(TRASH)} title="Trash" empty="The trash is empty." isTrash />;
}
