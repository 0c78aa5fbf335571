/** What a document was, who changed what in it, and the way back. */

import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { useItemPlace } from "../drive/place";
import { Breadcrumbs } from "../drive/screens";
import { ask } from "../graphql/ask";
import type { Change } from "../graphql/changes";
import { DocumentVersions, type VersionLine } from "../graphql/generated";
import { NOTHING, type Pages, usePages } from "../graphql/pages";
import { Author } from "../ui/authors";
import { Moment } from "../ui/Moment";
import { Failed, Loading, Missing, NotLive } from "../ui/states";
import { useTitle } from "../ui/title";
import { ChangeList } from "./ChangeList";
import style from "./history.module.css";
import { VersionView } from "./VersionView";

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

export function HistoryScreen({ documentId, search }: { documentId: string; search: HistorySearch }) {
  const place = useItemPlace(documentId);
  const versions = useVersions(documentId);
  const item = place.value;
  useTitle(item ? `History of ${item.name}` : undefined);
  const failure = place.failure ?? versions.failure;

  function retry() {
    void place.reload();
    versions.reload();
  }

  if (failure && !versions.entries) return <Failed failure={failure} retry={retry} />;
  if (item === null) return <Missing />;
  if (!item || !versions.entries) return <Loading />;
  const shown = versions.entries.find(({ number }) => number === search.version);
  return (
    <div className={style.screen}>
      <div className={style.top}>
        <div className={style.titles}>
          <Breadcrumbs above={{ drive: item.drive, path: item.ancestors }} />
          <h1>History of {item.name}</h1>
        </div>
        <a href={`/doc/${documentId}`}>Open the document</a>
      </div>
      <NotLive />
      <div className={style.body}>
        <VersionList versions={versions} documentId={documentId} search={search} />
        <section className={style.main} aria-labelledby="shown">
          {search.version === undefined ? (
            <ChangeList documentId={documentId} search={search} versions={versions.entries} />
          ) : (
            <VersionView
              key={search.version}
              documentId={documentId}
              number={search.version}
              line={shown}
              mayRestore={item.capabilities.includes("edit")}
            />
          )}
        </section>
      </div>
    </div>
  );
}

/** Whether a change may touch what is told of a document's history. */
export function inDocument(documentId: string, change: Change): boolean {
  return change.itemId === documentId || change.type === "accessChanged" || change.type === "reload";
}

function useVersions(documentId: string): Pages<VersionLine> {
  return usePages(
    useMemo(
      () => ({
        async load(after) {
          const { documentVersions } = await ask(DocumentVersions, { id: documentId, after });
          if (!documentVersions) return NOTHING;
          return { entries: documentVersions.nodes, next: documentVersions.pageInfo };
        },
        concerns: (change) => inDocument(documentId, change),
      }),
      [documentId],
    ),
  );
}

type Listed = { versions: Pages<VersionLine>; documentId: string; search: HistorySearch };

function VersionList({ versions, documentId, search }: Listed) {
  const history = { to: "/doc/$documentId/history", params: { documentId } } as const;
  return (
    <nav className={style.versions} aria-label="Versions">
      <ol>
        {versions.entries?.map((version) => (
          <li key={version.number} className={style.version}>
            <Link
              {...history}
              search={{ version: version.number }}
              {...(search.version === version.number && { "aria-current": "page" as const })}
            >
              {titleOf(version)}
            </Link>
            <span className={style.faint}>
              <Moment at={version.createdAt} isExact />
              {version.restoredFrom !== null && `, version ${version.restoredFrom} restored`}
            </span>
            <ul className={style.authors}>
              {version.authors.map((author) => (
                <li key={`${author.userId} ${author.agent}`}>
                  <Author author={author} />
                </li>
              ))}
            </ul>
            <Link {...history} search={{ since: version.number }} className={style.since}>
              Changes since<span className="unseen"> {titleOf(version)}</span>
            </Link>
          </li>
        ))}
      </ol>
      {versions.hasMore && (
        <button type="button" className="quiet" onClick={versions.more}>
          Show older versions
        </button>
      )}
      <Link {...history} search={{ since: 0 }}>
        All changes
      </Link>
    </nav>
  );
}

export function titleOf(version: Pick<VersionLine, "name" | "number">): string {
  return version.name ?? `Version ${version.number}`;
}
