/** What is searched for and what that is limited to, as the address says. */

import { isKind } from "../drive/actions";
import type { DriveItemType, SearchListVariables } from "../graphql/generated";

export type Period = "day" | "week" | "month" | "year";

export type SearchAddress = {
  /** Words; none where everything that the rest allows is listed. */
  q: string;
  /** Items in this drive, or below this folder. */
  drive?: string;
  folder?: string;
  type?: DriveItemType;
  changed?: Period;
  /** What this user made or wrote in: alone, or by this agent. */
  user?: string;
  agent?: string;
};

const DAY = 86_400_000; // milliseconds
/** How many days each period is long. */
const PERIODS: Record<Period, number> = { day: 1, week: 7, month: 31, year: 366 };

/** Read the search of an address; what says nothing is left out. */
export function searchOf({ q, drive, folder, type, changed, user, agent }: Record<string, unknown>): SearchAddress {
  return {
    q: String(q ?? ""),
    ...(folder ? { folder: String(folder) } : drive ? { drive: String(drive) } : {}),
    ...(isKind(type) && { type }),
    ...(typeof changed === "string" && Object.hasOwn(PERIODS, changed) && { changed: changed as Period }),
    ...(user ? { user: String(user), ...(agent ? { agent: String(agent) } : {}) } : {}),
  };
}

/** Return what the server is asked for, at this moment in milliseconds since 1970. */
export function variablesOf({ q, drive, folder, type, changed, user, agent }: SearchAddress, now: number) {
  return {
    text: q,
    ...(drive && { driveId: drive }),
    ...(folder && { folderId: folder }),
    ...(type && { types: [type] }),
    ...(changed && { changedSince: new Date(now - PERIODS[changed] * DAY).toISOString() }),
    ...(user && { by: user, agent: agent ?? "" }),
  } satisfies SearchListVariables;
}
