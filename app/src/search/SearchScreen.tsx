import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { ItemIcon } from "../drive/ItemIcon";
import { ItemLink } from "../drive/ItemLink";
import style from "../drive/ListScreen.module.css";
import { ask } from "../graphql/ask";
import { SearchList, type SearchListData } from "../graphql/generated";
import { NO_PAGE, pages, usePages } from "../graphql/queries";
import { t } from "../messages/messages";
import { SignedAuthor } from "../ui/authors";
import { driveName } from "../ui/drive_name";
import { Moment } from "../ui/Moment";
import { ShowMore } from "../ui/ShowMore";
import { Empty, Failed, Loading, Stale } from "../ui/states";
import { useTitle } from "../ui/title";
import { type SearchAddress, variablesOf } from "./address";
import { FilterBar } from "./FilterBar";

type Found = SearchListData["search"]["edges"][number]["node"];

/** Where a result lies, as far as the reader sees it. */
function placeOf({ drive, path }: Found): string {
  const steps = (path ?? []).map((step) => step.name);
  return [drive.role ? driveName(drive) : t.shell.shared, ...steps].join(" / ");
}

type Edge = SearchListData["search"]["edges"][number];

function found(asked: SearchAddress, now: number) {
  const variables = variablesOf(asked, now);
  return pages<Edge>(["search", variables], async (after, signal) => {
    if (!isLimited(asked)) return NO_PAGE;
    const { search } = await ask(SearchList, { ...variables, after }, signal);
    return { entries: search.edges, next: search.pageInfo };
  });
}

/** Whether anything is asked for. */
function isLimited({ q, ...filters }: SearchAddress): boolean {
  return q !== "" || Object.keys(filters).length > 0;
}

/** Items that have the words that were asked for, the best first; without words the last changed first. */
export function SearchScreen({ asked }: { asked: SearchAddress }) {
  const { q: text, ...filters } = asked;
  const isFiltered = Object.keys(filters).length > 0;
  const isAsked = isLimited(asked);
  // what is found stays as it was asked for: its order would change while somebody reads
  const options = useMemo(() => found(asked, Date.now()), [asked]);
  const list = usePages({ ...options, gcTime: 0 });
  const { entries, failure, more, reload } = list;
  useTitle(text ? t.search.windowTitle(text) : t.search.title);

  if (failure && !entries) return <Failed failure={failure} retry={reload} />;
  return (
    <div className={style.screen}>
      <div className={style.top}>
        <h1 className={style.titles}>{text ? t.search.resultsFor(text) : t.search.title}</h1>
        <FilterBar asked={asked} />
      </div>
      {!isAsked && (
        <Empty>
          <p>{t.search.hint}</p>
        </Empty>
      )}
      {failure && <Stale failure={failure} retry={more} />}
      {!entries && <Loading />}
      {isAsked && entries?.length === 0 && (
        <Empty>
          <p>{isFiltered ? t.search.nothingMatches : t.search.nothingHasWords}</p>
          {text && isFiltered && (
            <p>
              <Link to="/search" search={{ q: text }}>
                {t.search.everything}
              </Link>
            </p>
          )}
        </Empty>
      )}
      {entries && entries.length > 0 && (
        <ul className={style.found}>
          {entries.map(({ node, excerpt }) => (
            <li key={node.id}>
              <div className={style.result}>
                <ItemIcon type={node.driveItemType} />
                <div>
                  <ItemLink item={node} />
                  <p>
                    {placeOf(node)} ·{" "}
                    <span className={style.signed}>
                      <SignedAuthor author={node.updatedBy} />
                    </span>{" "}
                    · <Moment at={node.updatedAt} />
                  </p>
                  {excerpt.length > 0 && (
                    <p>
                      {excerpt.map((part, index) => {
                        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of an excerpt never change
                        return part.hit ? <mark key={index}>{part.text}</mark> : part.text;
                      })}
                    </p>
                  )}
                </div>
              </div>
            </li>
          ))}
          {list.hasMore && (
            <li>
              <ShowMore list={list} />
            </li>
          )}
        </ul>
      )}
    </div>
  );
}
