import { useQuery } from "@tanstack/react-query";
import { ask } from "../graphql/ask";
import { ofTypes } from "../graphql/events";
import { Sidebar, type SidebarData } from "../graphql/generated";
import { answer } from "../graphql/queries";
import { useSession } from "../graphql/session";

type Drives = SidebarData["drives"]["nodes"];

const touchedBy = ofTypes(
  "driveCreated",
  "driveDeleted",
  "driveRenamed",
  "memberSet",
  "memberRemoved",
  "accessChanged",
  "reload",
);

const DRIVES = answer(["drives"], async (signal) => (await ask(Sidebar, {}, signal)).drives.nodes, touchedBy);

/** Return the drives that the reader is a member of, as they are now; the first ones came with the page. */
export function useDrives(): Drives {
  const { drives } = useSession();
  return useQuery({ ...DRIVES, initialData: drives }).data;
}
