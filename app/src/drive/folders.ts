import { ask } from "../graphql/ask";
import { DriveList, FolderList, type Next, type Row, SharedList } from "../graphql/generated";
import { inDrive, type Source } from "./list";

/** A place in the tree of folders: a drive, a folder, or all that is shared with the reader, which lies in many drives. */
export type Branch = { kind: "drive" | "folder"; id: string; driveId: string } | { kind: "shared" };

type Nodes = { nodes: Row[]; pageInfo: Next };
const NONE: Nodes = { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } };

/** Return the source of the folders that lie directly in a place. */
export function foldersIn(branch: Branch): Source<true> {
  return {
    async load(after) {
      const { nodes, pageInfo } = await itemsIn(branch, after);
      return { head: true, rows: nodes.filter((row) => row.driveItemType === "folder"), next: pageInfo };
    },
    concerns: (change, rows) =>
      change.type !== "documentEdited" && inDrive(branch.kind === "shared" ? undefined : branch.driveId, change, rows),
  };
}

async function itemsIn(branch: Branch, after: string | null): Promise<Nodes> {
  if (branch.kind === "shared") return (await ask(SharedList, { after })).sharedWithMe;
  const { id } = branch;
  if (branch.kind === "drive") return (await ask(DriveList, { id, after })).drive?.items ?? NONE;
  return (await ask(FolderList, { id, after })).driveItem?.children ?? NONE;
}
