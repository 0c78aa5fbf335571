import { ask } from "../graphql/ask";
import { DriveFolders, type FolderName, FoldersBelow, type Next, SharedList } from "../graphql/generated";
import { NOTHING, type PageSource } from "../graphql/pages";
import { inDrive } from "./list";

/** A place in the tree of folders: a drive, a folder, or all that is shared with the reader, which lies in many drives. */
export type Branch = { kind: "drive" | "folder"; id: string; driveId: string } | { kind: "shared" };

type Folders = { nodes: FolderName[]; pageInfo: Next };

/** Return the source of the folders that lie directly in a place. */
export function foldersIn(branch: Branch): PageSource<FolderName> {
  let shown: FolderName[] = [];
  return {
    async load(after) {
      const found = await loadFrom(branch, after);
      if (!found) return NOTHING;
      shown = after === null ? found.nodes : [...shown, ...found.nodes];
      return { entries: found.nodes, next: found.pageInfo };
    },
    concerns: (change) =>
      change.type !== "documentEdited" && inDrive(branch.kind === "shared" ? undefined : branch.driveId, change, shown),
  };
}

async function loadFrom(branch: Branch, after: string | null): Promise<Folders | undefined> {
  if (branch.kind === "shared") {
    const { nodes, pageInfo } = (await ask(SharedList, { after })).sharedWithMe;
    return { nodes: nodes.filter((row) => row.driveItemType === "folder"), pageInfo };
  }
  const { id } = branch;
  if (branch.kind === "drive") return (await ask(DriveFolders, { id, after })).drive?.items;
  return (await ask(FoldersBelow, { id, after })).driveItem?.children;
}
