import type { DriveName } from "../graphql/generated";
import { t } from "../messages/messages";

/** What a drive is called: the reader's personal one is theirs by a name of the interface, since it bears their own. */
export function driveName({ name, kind, role }: Pick<DriveName, "name" | "kind" | "role">): string {
  return kind === "personal" && role !== null ? t.drives.own : name;
}
