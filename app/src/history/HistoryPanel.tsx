/** Who changed what in a document, and what it was: in the panel beside its text. */

import { Link } from "@tanstack/react-router";
import type { VersionLine } from "../graphql/generated";
import { type Pages, usePages } from "../graphql/queries";
import { t } from "../messages/messages";
import { Author } from "../ui/authors";
import { Moment } from "../ui/Moment";
import { Failed, Loading, NotLive } from "../ui/states";
import { ChangeList } from "./ChangeList";
import style from "./history.module.css";
import { type HistorySearch, titleOf, versionsOf } from "./versions";

type Props = { documentId: string; panel: "changes" | "versions"; search: HistorySearch };

export function HistoryPanel({ documentId, panel, search }: Props) {
  const versions = usePages(versionsOf(documentId));
  if (versions.failure && !versions.entries) return <Failed failure={versions.failure} retry={versions.reload} />;
  if (!versions.entries) return <Loading />;
  return (
    <>
      <NotLive />
      {panel === "changes" ? (
        <ChangeList documentId={documentId} search={search} versions={versions.entries} />
      ) : (
        <VersionList versions={versions} documentId={documentId} search={search} />
      )}
    </>
  );
}

type Listed = { versions: Pages<VersionLine>; documentId: string; search: HistorySearch };

function VersionList({ versions, documentId, search }: Listed) {
  const document = { to: "/doc/$documentId", params: { documentId } } as const;
  return (
    <>
      {versions.entries?.length === 0 && <p className={style.faint}>{t.history.versionsHint}</p>}
      <ol className={style.versions} aria-label={t.history.versions}>
        {versions.entries?.map((version) => (
          <li key={version.number} className={style.version}>
            <Link
              {...document}
              search={{ panel: "versions", version: version.number }}
              {...(search.version === version.number && { "aria-current": "page" as const })}
            >
              {titleOf(version)}
            </Link>
            <span className={style.faint}>
              <Moment at={version.createdAt} isExact />
              {version.restoredFrom !== null && `, ${t.history.restoredFrom(version.restoredFrom)}`}
            </span>
            <ul className={style.authors}>
              {version.authors.map((author) => (
                <li key={`${author.userId} ${author.agent}`}>
                  <Author author={author} />
                </li>
              ))}
            </ul>
            <Link {...document} search={{ panel: "changes", since: version.number }} className={style.since}>
              {t.history.changesSince}
              <span className="unseen"> {titleOf(version)}</span>
            </Link>
          </li>
        ))}
      </ol>
      {versions.hasMore && (
        <button type="button" className="quiet" onClick={versions.more}>
          {t.history.older}
        </button>
      )}
      <Link {...document} search={{ panel: "changes", since: 0 }} className={style.all}>
        {t.history.all}
      </Link>
    </>
  );
}
