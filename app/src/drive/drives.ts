import { useQuery } from "@tanstack/react-query";
import { ask } from "../graphql/ask";
import { ofTypes } from "../graphql/events";
import { Sidebar, type SidebarData } from "../graphql/generated";
import { answer } from "../graphql/queries";
import { useSession } from "../graphql/session";

type Page = SidebarData["drives"];
type Drives = Page["nodes"];

const touchedBy = ofTypes(
  "driveCreated",
  "driveDeleted",
  "driveRenamed",
  "memberSet",
  "memberRemoved",
  "accessChanged",
  "reload",
);

const DRIVES = answer(["drives"], load, touchedBy);

async function load(signal: AbortSignal): Promise<Drives> {
  const found: Drives = [];
  let next: Page["pageInfo"] = { hasNextPage: true, endCursor: null };
  while (next.hasNextPage) {
    const { nodes, pageInfo } = (await ask(Sidebar, { after: next.endCursor }, signal)).drives;
    found.push(...nodes);
    next = pageInfo;
  }
  return found;
}

/** Return the drives that the reader is a member of, as they are now; the first ones came with the page. */
export function useDrives(): Drives {
  const { nodes, pageInfo } = useSession().drives;
  const first = pageInfo.hasNextPage ? { placeholderData: nodes } : { initialData: nodes };
  return useQuery({ ...DRIVES, ...first }).data ?? nodes;
}
