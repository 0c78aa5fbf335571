import { ask } from "../graphql/ask";
import {
  type BranchName,
  DriveBranch,
  type DriveItemType,
  FolderBranch,
  type Next,
  SharedList,
} from "../graphql/generated";
import { NO_PAGE, pages } from "../graphql/queries";
import { touchesItems } from "./list";

/** A place in the tree of folders: a drive, a folder, or all that is shared with the reader, which lies in many drives. */
export type Branch = { kind: "drive" | "folder"; id: string; driveId: string } | { kind: "shared" };

type Names = { nodes: BranchName[]; pageInfo: Next };

const FOLDERS: DriveItemType[] = ["folder"];
const DOCUMENTS: DriveItemType[] = ["docs_workbook", "viz_workbook"];

/** The folders that lie directly in a place. */
export function foldersIn(branch: Branch) {
  return namesIn(branch, FOLDERS);
}

/** The documents that lie directly in a place. */
export function documentsIn(branch: Branch) {
  return namesIn(branch, DOCUMENTS);
}

function namesIn(branch: Branch, types: DriveItemType[]) {
  return pages<BranchName>(
    ["branch", types, branch],
    async (after, signal) => {
      const found = await loadFrom(branch, types, after, signal);
      return found ? { entries: found.nodes, next: found.pageInfo } : NO_PAGE;
    },
    (event, shown) => touchesItems(branch.kind === "shared" ? undefined : branch.driveId, event, shown),
  );
}

async function loadFrom(
  branch: Branch,
  types: DriveItemType[],
  after: string | null,
  signal: AbortSignal,
): Promise<Names | undefined> {
  if (branch.kind === "shared") {
    const { nodes, pageInfo } = (await ask(SharedList, { after }, signal)).sharedWithMe;
    return { nodes: nodes.filter((row) => types.includes(row.driveItemType)), pageInfo };
  }
  const { id } = branch;
  if (branch.kind === "drive") return (await ask(DriveBranch, { id, types, after }, signal)).drive?.items;
  return (await ask(FolderBranch, { id, types, after }, signal)).driveItem?.children;
}
