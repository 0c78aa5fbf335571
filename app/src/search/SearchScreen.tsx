import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { ItemLink } from "../drive/ItemLink";
import style from "../drive/ListScreen.module.css";
import { ask } from "../graphql/ask";
import { SearchList, type SearchListData } from "../graphql/generated";
import { NOTHING, usePages } from "../graphql/pages";
import { Empty, Failed, Loading, Stale } from "../ui/states";
import { useTitle } from "../ui/title";
import { type SearchAddress, variablesOf } from "./address";
import { FilterBar } from "./FilterBar";

type Edge = SearchListData["search"]["edges"][number];

/** Items that have the words that were asked for, the best first; without words the last changed first. */
export function SearchScreen({ asked }: { asked: SearchAddress }) {
  const { q: text, ...filters } = asked;
  const isFiltered = Object.keys(filters).length > 0;
  const isAsked = text !== "" || isFiltered;
  const { entries, failure, hasMore, more, reload } = usePages<Edge>(
    useMemo(() => {
      const variables = variablesOf(asked, Date.now());
      return {
        async load(after) {
          if (!isAsked) return NOTHING;
          const { search } = await ask(SearchList, { ...variables, after });
          return { entries: search.edges, next: search.pageInfo };
        },
        concerns: () => false, // the order would change while somebody reads
      };
    }, [asked, isAsked]),
  );
  useTitle(text ? `Search: ${text}` : "Search");

  if (failure && !entries) return <Failed failure={failure} retry={reload} />;
  return (
    <div className={style.screen}>
      <div className={style.top}>
        <h1 className={style.titles}>{text ? `Found for “${text}”` : "Search"}</h1>
        <FilterBar asked={asked} />
      </div>
      {!isAsked && (
        <Empty>
          <p>Write words in the field above, each of which may be only begun, or choose what to list.</p>
        </Empty>
      )}
      {failure && <Stale failure={failure} retry={more} />}
      {!entries && <Loading />}
      {isAsked && entries?.length === 0 && (
        <Empty>
          <p>Nothing that you can see {isFiltered ? "matches" : "has all of these words"}.</p>
          {text && isFiltered && (
            <p>
              <Link to="/search" search={{ q: text }}>
                Search everything
              </Link>
            </p>
          )}
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
