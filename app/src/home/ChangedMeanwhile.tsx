import { Link } from "@tanstack/react-router";
import { ItemLink } from "../drive/ItemLink";
import listStyle from "../drive/ListScreen.module.css";
import { ask } from "../graphql/ask";
import { ChangedSince, type ChangedSinceData, type Row } from "../graphql/generated";
import { pages, usePages } from "../graphql/queries";
import { useViewer } from "../graphql/session";
import { t } from "../messages/messages";
import { Author, type AuthorName, SignedAuthor } from "../ui/authors";
import { Moment } from "../ui/Moment";
import { ShowMore } from "../ui/ShowMore";
import { Failed, Loading } from "../ui/states";
import style from "./home.module.css";
import { useAwaySince, useIsNew } from "./visit";

type Edge = ChangedSinceData["search"]["edges"][number];
type Changed = { author: AuthorName; items: { row: Row; at: string }[] };

/** What was changed since a moment; what happens from now on is no news of then. */
function changedSince(since: string) {
  return pages<Edge>(["changed since", since], async (after, signal) => {
    const { search } = await ask(ChangedSince, { since, after }, signal);
    return { entries: search.edges, next: search.pageInfo };
  });
}

/** What others changed since the reader was here, by author: agents before people. */
export function ChangedMeanwhile() {
  const awaySince = useAwaySince();
  const list = usePages(changedSince(awaySince));
  const { entries, failure, reload } = list;
  const changed = byAuthor(entries ?? [], useViewer().id);
  const isNew = useIsNew();
  // nobody was away who was not here before
  if (isNew && !failure && changed.length === 0) return null;
  return (
    <section aria-labelledby="meanwhile">
      <h2 id="meanwhile" className={listStyle.section}>
        {t.home.away}
      </h2>
      <div className={style.changed}>
        <p>{t.home.awaySince(<Moment at={awaySince} isExact />)}</p>
        {failure && <Failed failure={failure} retry={reload} />}
        {!entries && !failure && <Loading />}
        {entries && changed.length === 0 && <p>{t.home.nothing}</p>}
        <ul>
          {changed.map(({ author, items }) => (
            <li key={keyOf(author)}>
              <ByWhom author={author} />
              <ul>
                {items.map(({ row, at }) => (
                  <li key={row.id}>
                    <ItemLink item={row} /> <Moment at={at} />
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ul>
        <ShowMore list={list} />
      </div>
    </section>
  );
}

function ByWhom({ author }: { author: AuthorName }) {
  const { id } = useViewer();
  if (author.agent === null || author.userId !== id) return <SignedAuthor author={author} />;
  return (
    <Link to="/agents/$name" params={{ name: author.agent }}>
      <Author author={author} />
    </Link>
  );
}

/** Each other author with what they changed: who wrote in it, and who renamed or moved it last. */
function byAuthor(edges: Edge[], reader: string): Changed[] {
  const found = new Map<string, Changed>();
  for (const { authors, node } of edges) {
    const last = { ...node.updatedBy, editedAt: node.updatedAt };
    for (const [key, author] of new Map([...authors, last].map((each) => [keyOf(each), each]))) {
      if (author.userId === reader && author.agent === null) continue;
      const changed = found.get(key) ?? { author, items: [] };
      changed.items.push({ row: node, at: author.editedAt });
      found.set(key, changed);
    }
  }
  const changed = [...found.values()];
  return [
    ...changed.filter(({ author }) => author.agent !== null),
    ...changed.filter(({ author }) => author.agent === null),
  ];
}

function keyOf({ userId, agent }: AuthorName): string {
  return `${userId} ${agent ?? ""}`;
}
