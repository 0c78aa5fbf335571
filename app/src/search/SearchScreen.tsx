import { useMemo } from "react";
import { ItemLink } from "../drive/ItemLink";
import style from "../drive/ListScreen.module.css";
import { ask } from "../graphql/ask";
import { SearchList, type SearchListData } from "../graphql/generated";
import { NOTHING, usePages } from "../graphql/pages";
import { Empty, Failed, Loading, Stale } from "../ui/states";
import { useTitle } from "../ui/title";

type Edge = SearchListData["search"]["edges"][number];

/** Items that hold the words that were asked for, the best first. */
export function SearchScreen({ text }: { text: string }) {
  const { entries, failure, hasMore, more, reload } = usePages<Edge>(
    useMemo(
      () => ({
        async load(after) {
          if (!text) return NOTHING;
          const { search } = await ask(SearchList, { text, after });
          return { entries: search.edges, next: search.pageInfo };
        },
        concerns: () => false, // the order would change while somebody reads
      }),
      [text],
    ),
  );
  useTitle(text ? `Search: ${text}` : "Search");

  if (failure && !entries) return <Failed failure={failure} retry={reload} />;
  return (
    <div className={style.screen}>
      <div className={style.top}>
        <h1>{text ? `Found for “${text}”` : "Search"}</h1>
      </div>
      {!text && (
        <Empty>
          <p>Write words in the field above. Each may be only begun.</p>
        </Empty>
      )}
      {failure && <Stale failure={failure} retry={more} />}
      {!entries && <Loading />}
      {text && entries?.length === 0 && (
        <Empty>
          <p>Nothing that you can see has all of these words.</p>
        </Empty>
      )}
      {entries && entries.length > 0 && (
        <ul className={style.found}>
          {entries.map(({ node, excerpt }) => (
            <li key={node.id}>
              <ItemLink item={node} />
              {node.path && node.path.length > 0 && <span> in {node.path.map((step) => step.name).join(" / ")}</span>}
              {excerpt.length > 0 && (
                <p>
                  {excerpt.map((part, index) => {
                    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of an excerpt never change
                    return part.hit ? <mark key={index}>{part.text}</mark> : part.text;
                  })}
                </p>
              )}
            </li>
          ))}
          {hasMore && (
            <li>
              <button type="button" className="quiet" onClick={more}>
                Show more
              </button>
            </li>
          )}
        </ul>
      )}
    </div>
  );
}
