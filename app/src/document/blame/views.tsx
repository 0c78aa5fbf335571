/** Names the authors of a document: all of them above it, those of what is in view beside it. */

import { Link } from "@tanstack/react-router";
import { useLayoutEffect, useSyncExternalStore } from "react";
import { t } from "../../messages/messages";
import { Author, nameOf } from "../../ui/authors";
import { Moment } from "../../ui/Moment";
import { Stale } from "../../ui/states";
import type { Blame } from "./blame";
import style from "./blame.module.css";
import { keyOf } from "./credits";

type Props = { blame: Blame; documentId: string; hasHistory: boolean };

export function BlameAuthors({ blame, documentId, hasHistory }: Props) {
  const { authors, chosen, inspected, revision, failure } = useSyncExternalStore(blame.subscribe, blame.read);
  return (
    <div className={style.above} aria-busy={revision === null} data-revision={revision}>
      {failure && <Stale failure={failure} retry={() => blame.refresh()} />}
      <ul className={style.authors} aria-label={t.authors.filter}>
        {authors.map((author) => (
          <li key={keyOf(author)}>
            <button
              type="button"
              className={`${style.chip} ${blame.colours.classOf({ id: author.userId, agent: author.agent })}`}
              aria-pressed={chosen.has(keyOf(author))}
              onClick={() => blame.choose(author)}
            >
              <Author author={author} />
            </button>
          </li>
        ))}
      </ul>
      <p className={style.inspected} role="status">
        {inspected ? (
          <>
            <Author author={inspected.author} />, <Moment at={inspected.at} isExact />
            {inspected.moved && (
              <>
                {` · ${t.authors.moved} `}
                <Author author={inspected.moved.author} />, <Moment at={inspected.moved.at} isExact />
              </>
            )}
            {hasHistory && (
              <>
                {" · "}
                <Link
                  to="/doc/$documentId"
                  params={{ documentId }}
                  search={{
                    panel: "changes",
                    since: 0,
                    user: inspected.author.userId,
                    ...(inspected.author.agent !== null && { agent: inspected.author.agent }),
                  }}
                >
                  {t.authors.history}
                  <span className="unseen"> {t.authors.historyOf(nameOf(inspected.author))}</span>
                </Link>
              </>
            )}
          </>
        ) : (
          t.authors.hint
        )}
      </p>
    </div>
  );
}

export function BlameNotes({ blame }: Pick<Props, "blame">) {
  const { notes } = useSyncExternalStore(blame.subscribe, blame.read);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other notes stand elsewhere
  useLayoutEffect(() => blame.notes.place(), [blame, notes]);
  return (
    <div className={style.beside}>
      <ol ref={blame.notes.placeIn} aria-label={t.authors.inView}>
        {notes.map(({ credits, isInView }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: notes have no identity but their order
          <li key={index} className={isInView ? undefined : style.away}>
            <ul>
              {credits.map((credit) => (
                <li key={keyOf(credit.author)}>
                  <button
                    type="button"
                    className={`${style.note} ${blame.colours.classOf({ id: credit.author.userId, agent: credit.author.agent })}`}
                    onFocus={() => blame.inspect(credit)}
                    onClick={() => blame.inspect(credit)}
                  >
                    <Author author={credit.author} /> <Moment at={credit.at} />
                  </button>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </div>
  );
}
