/** Names the authors of a document: all of them above it, those of what is in view beside it. */

import { Link } from "@tanstack/react-router";
import { useLayoutEffect, useSyncExternalStore } from "react";
import { Author, nameOf } from "../../ui/authors";
import { Moment } from "../../ui/Moment";
import { colourOf } from "../../ui/people.ts";
import { Stale } from "../../ui/states";
import style from "./blame.module.css";
import type { Blame } from "./blame.ts";
import { keyOf } from "./credits.ts";

type Props = { blame: Blame; documentId: string; hasHistory: boolean };

export function BlameAuthors({ blame, documentId, hasHistory }: Props) {
  const { authors, chosen, told, revision, failure } = useSyncExternalStore(blame.subscribe, blame.read);
  return (
    <section className={style.above} aria-label="Who wrote what" aria-busy={revision === null} data-revision={revision}>
      {failure && <Stale failure={failure} retry={() => blame.refresh()} />}
      <ul className={style.authors} aria-label="Show one author alone">
        {authors.map((author) => (
          <li key={keyOf(author)}>
            <button
              type="button"
              className={`${style.chip} author-${colourOf({ id: author.userId, agent: author.agent })}`}
              aria-pressed={chosen.has(keyOf(author))}
              onClick={() => blame.choose(author)}
            >
              <Author author={author} />
            </button>
          </li>
        ))}
      </ul>
      <p className={style.told} role="status">
        {told ? (
          <>
            <Author author={told.author} />, <Moment at={told.at} isExact />
            {told.moved && (
              <>
                {" · moved by "}
                <Author author={told.moved.author} />, <Moment at={told.moved.at} isExact />
              </>
            )}
            {hasHistory && (
              <>
                {" · "}
                <Link
                  to="/doc/$documentId/history"
                  params={{ documentId }}
                  search={{
                    since: 0,
                    user: told.author.userId,
                    ...(told.author.agent !== null && { agent: told.author.agent }),
                  }}
                >
                  History<span className="unseen"> of {nameOf(told.author)}</span>
                </Link>
              </>
            )}
          </>
        ) : (
          "Put the cursor into the text, or go through the names beside it."
        )}
      </p>
    </section>
  );
}

export function BlameNotes({ blame }: Pick<Props, "blame">) {
  const { notes } = useSyncExternalStore(blame.subscribe, blame.read);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other notes stand elsewhere
  useLayoutEffect(() => blame.place(), [blame, notes]);
  return (
    <aside className={style.beside} aria-label="Authors of what is in view">
      <ol ref={blame.placeIn}>
        {notes.map(({ credits, isInView }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: notes have no identity but their order
          <li key={index} className={isInView ? undefined : style.away}>
            <ul>
              {credits.map((credit) => (
                <li key={keyOf(credit.author)}>
                  <button
                    type="button"
                    className={`${style.note} author-${colourOf({ id: credit.author.userId, agent: credit.author.agent })}`}
                    onFocus={() => blame.tell(credit)}
                    onClick={() => blame.tell(credit)}
                  >
                    <Author author={credit.author} /> <Moment at={credit.at} />
                  </button>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </aside>
  );
}
