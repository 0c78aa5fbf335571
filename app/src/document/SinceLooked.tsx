import { Link } from "@tanstack/react-router";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { ask } from "../graphql/ask";
import { ChangesSinceLooked, DocumentRevision } from "../graphql/generated";
import { useSession } from "../graphql/session";
import { t } from "../messages/messages";
import { Author, type AuthorName } from "../ui/authors";
import style from "./DocumentScreen.module.css";
import { lastSeen, remember } from "./last_seen";

/** What others changed since a revision: each author with how many places, agents first. */
type News = {
  readonly since: number;
  readonly changed: readonly { author: AuthorName; places: number }[];
  readonly hasMore: boolean;
};

/**
 * Tells what others changed since the reader looked last. Leaving the document, pressing Seen or showing the changes is to
 * have looked; what happens while the window is hidden is not looked at.
 */
export function SinceLooked({ documentId }: { documentId: string }) {
  const { viewer, events } = useSession();
  const userId = viewer.id;
  const [news, setNews] = useState<News | null>(null);
  /** Since when there is news that was not seen yet. */
  const unseen = useRef<number | null>(null);
  useLayoutEffect(() => {
    unseen.current = news?.since ?? null;
  });
  useEffect(() => {
    let isGone = false;
    let latest: number | null = null;
    let since = lastSeen(userId, documentId);
    const count = async () => {
      const { driveItem } = await ask(DocumentRevision, { id: documentId });
      latest = Math.max(driveItem?.revision ?? 0, latest ?? 0);
    };
    const compare = async () => {
      if (document.hidden) return;
      await count();
      if (since === null || latest === null || latest <= since) return;
      const { documentChanges } = await ask(ChangesSinceLooked, { id: documentId, revision: since });
      const changed = byAuthor(documentChanges?.nodes ?? [], userId);
      const hasMore = documentChanges?.pageInfo.hasNextPage ?? false;
      if (!isGone && changed.length) setNews({ since, changed, hasMore });
    };
    const leave = () => latest !== null && remember(userId, documentId, latest);
    const begin = () => void compare().catch(() => undefined); // the document's own screen says what is wrong
    const hide = async () => {
      await count().catch(() => undefined); // then it was seen as far as is known
      since = unseen.current ?? latest ?? since;
    };
    const turned = () => {
      if (document.hidden) void hide();
      else begin();
    };
    begin();
    const unfollow = events.follow(({ itemId }) => {
      if (itemId === documentId && !document.hidden) count().catch(() => undefined);
    });
    addEventListener("pagehide", leave);
    document.addEventListener("visibilitychange", turned);
    return () => {
      isGone = true;
      unfollow();
      removeEventListener("pagehide", leave);
      document.removeEventListener("visibilitychange", turned);
      leave();
    };
  }, [documentId, userId, events]);
  if (!news) return null;
  return (
    <section className={style.bar} aria-label={t.document.since}>
      <ul className={style.news}>
        {news.changed.map(({ author, places }) => (
          <li key={`${author.userId} ${author.agent}`}>
            {t.document.changedPlaces(<Author author={author} />, places, news.hasMore)}
          </li>
        ))}
      </ul>
      <Link
        to="/doc/$documentId"
        params={{ documentId }}
        search={{ panel: "changes", revision: news.since }}
        onClick={() => setNews(null)}
      >
        {t.document.showChanges}
      </Link>
      <button type="button" className="quiet" onClick={() => setNews(null)}>
        {t.document.seen}
      </button>
    </section>
  );
}

function byAuthor(changes: readonly { by: AuthorName | null }[], reader: string): News["changed"] {
  const found = new Map<string, { author: AuthorName; places: number }>();
  for (const { by: author } of changes) {
    if (!author || (author.userId === reader && author.agent === null)) continue;
    const key = `${author.userId} ${author.agent}`;
    found.set(key, { author, places: (found.get(key)?.places ?? 0) + 1 });
  }
  return [...found.values()].sort(
    (one, other) => Number(one.author.agent === null) - Number(other.author.agent === null),
  );
}
