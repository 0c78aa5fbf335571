/** The versions of a document. */

import { ask } from "../graphql/ask";
import { isNotice, type ViewerEvent } from "../graphql/events";
import { DocumentVersions, type VersionLine } from "../graphql/generated";
import { NO_PAGE, pages } from "../graphql/queries";

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
  return version.name ?? `Version ${version.number}`;
}
