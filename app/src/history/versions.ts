/** The versions of a document. */

import { ask } from "../graphql/ask";
import { isNotice, type ViewerEvent } from "../graphql/events";
import { DocumentVersions, type VersionLine } from "../graphql/generated";
import { NO_PAGE, pages } from "../graphql/queries";
import { t } from "../messages/messages";

/**
 * What the address asks for: the text of a version, or the changes since one and until another, of everybody or of one
 * author; with `revision`, those since that revision; with `time`, those since that moment.
 */
export type HistorySearch = {
  version?: number;
  since?: number;
  until?: number;
  revision?: number;
  time?: string;
  user?: string;
  agent?: string;
};

/** Returns what an address asks for, without what is none of it. */
export function historyOf(given: Readonly<Record<string, unknown>>): HistorySearch {
  return {
    ...(isNumber(given.version) && { version: given.version }),
    ...(isNumber(given.since) && { since: given.since }),
    ...(isNumber(given.until) && { until: given.until }),
    ...(isNumber(given.revision) && { revision: given.revision }),
    ...(isMoment(given.time) && { time: given.time }),
    ...(given.user !== undefined && { user: String(given.user) }),
    // a person alone is one without an agent
    ...(given.agent ? { agent: String(given.agent) } : {}),
  };
}

function isNumber(given: unknown): given is number {
  return typeof given === "number" && Number.isSafeInteger(given) && given >= 0;
}

function isMoment(given: unknown): given is string {
  return typeof given === "string" && !Number.isNaN(Date.parse(given));
}

/** Changes that are undone at once. */
export const MAX_UNDONE = 500;

export function versionsOf(documentId: string) {
  return pages<VersionLine>(
    ["versions", documentId],
    async (after, signal) => {
      const { documentVersions } = await ask(DocumentVersions, { id: documentId, after }, signal);
      return documentVersions ? { entries: documentVersions.nodes, next: documentVersions.pageInfo } : NO_PAGE;
    },
    (event) => touchesHistory(documentId, event),
  );
}

/** Whether an event may touch what is told of a document's history. */
export function touchesHistory(documentId: string, event: ViewerEvent): boolean {
  return event.itemId === documentId || isNotice(event);
}

export function titleOf(version: Pick<VersionLine, "name" | "number">): string {
  return version.name ?? t.history.version(version.number);
}
