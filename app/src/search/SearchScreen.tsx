import { useCallback, useEffect, useState } from "react";
import { ItemLink } from "../drive/ItemLink";
import style from "../drive/ListScreen.module.css";
import { ask, failure } from "../graphql/ask";
import type { Failure } from "../graphql/client";
import { SearchList, type SearchListData } from "../graphql/generated";
import { Empty, Failed, Loading } from "../ui/states";
import { useTitle } from "../ui/title";

type Edge = SearchListData["search"]["edges"][number];
type Found = { edges: Edge[]; after: string | null };

/** Items that hold the words that were asked for, the best first. */
export function SearchScreen({ text }: { text: string }) {
  const [found, setFound] = useState<Found | null>(null);
  const [fault, setFault] = useState<Failure | null>(null);
  useTitle(text ? `Search: ${text}` : "Search");

  const load = useCallback(
    async (before: Edge[], after: string | null) => {
      try {
        const { search } = await ask(SearchList, { text, after });
        const next = search.pageInfo.hasNextPage ? search.pageInfo.endCursor : null;
        return { edges: [...before, ...search.edges], after: next };
      } catch (thrown) {
        setFault(failure(thrown));
        return null;
      }
    },
    [text],
  );

  useEffect(() => {
    let isCurrent = true;
    setFound(null);
    setFault(null);
    if (text) load([], null).then((first) => isCurrent && setFound(first));
    return () => {
      isCurrent = false;
    };
  }, [load, text]);

  async function more() {
    if (found) setFound((await load(found.edges, found.after)) ?? found);
  }

  if (fault) return <Failed failure={fault} retry={() => location.reload()} />;
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
      {text && !found && <Loading />}
      {found && !found.edges.length && (
        <Empty>
          <p>Nothing that you can see has all of these words.</p>
        </Empty>
      )}
      {found && found.edges.length > 0 && (
        <ul className={style.found}>
          {found.edges.map(({ node, excerpt }) => (
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
          {found.after && (
            <li>
              <button type="button" className="quiet" onClick={() => void more()}>
                Show more
              </button>
            </li>
          )}
        </ul>
      )}
    </div>
  );
}
