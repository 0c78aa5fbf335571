/** What a document was, who changed what in it, and the way back. */

import { Link } from "@tanstack/react-router";
import { useItemPlace } from "../drive/item_place";
import { Breadcrumbs } from "../drive/screens";
import type { VersionLine } from "../graphql/generated";
import { type Pages, usePages } from "../graphql/queries";
import { Author } from "../ui/authors";
import { Moment } from "../ui/Moment";
import { Failed, Loading, Missing, NotLive } from "../ui/states";
import { useTitle } from "../ui/title";
import { ChangeList } from "./ChangeList";
import style from "./history.module.css";
import { VersionView } from "./VersionView";
import { type HistorySearch, titleOf, versionsOf } from "./versions";

export function HistoryScreen({ documentId, search }: { documentId: string; search: HistorySearch }) {
  const place = useItemPlace(documentId);
  const versions = usePages(versionsOf(documentId));
  const item = place.data;
  useTitle(item ? `History of ${item.name}` : undefined);
  const failure = place.error?.failure ?? versions.failure;

  function retry() {
    void place.refetch();
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
