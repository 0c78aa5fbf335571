import { ask } from "../graphql/ask";
import { DriveFolders, type FolderName, FoldersBelow, type Next, SharedList } from "../graphql/generated";
import { NO_PAGE, pages } from "../graphql/queries";
import { touchesItems } from "./list";

/** A place in the tree of folders: a drive, a folder, or all that is shared with the reader, which lies in many drives. */
export type Branch = { kind: "drive" | "folder"; id: string; driveId: string } | { kind: "shared" };

type Folders = { nodes: FolderName[]; pageInfo: Next };

/** The folders that lie directly in a place. */
export function foldersIn(branch: Branch) {
  return pages<FolderName>(
    ["folders", branch],
    async (after, signal) => {
      const found = await loadFrom(branch, after, signal);
      return found ? { entries: found.nodes, next: found.pageInfo } : NO_PAGE;
    },
    (event, shown) => touchesItems(branch.kind === "shared" ? undefined : branch.driveId, event, shown),
  );
}

async function loadFrom(branch: Branch, after: string | null, signal: AbortSignal): Promise<Folders | undefined> {
  if (branch.kind === "shared") {
    const { nodes, pageInfo } = (await ask(SharedList, { after }, signal)).sharedWithMe;
    return { nodes: nodes.filter((row) => row.driveItemType === "folder"), pageInfo };
  }
  const { id } = branch;
  if (branch.kind === "drive") return (await ask(DriveFolders, { id, after }, signal)).drive?.items;
  return (await ask(FoldersBelow, { id, after }, signal)).driveItem?.children;
}
