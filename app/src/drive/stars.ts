import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { ask, failure } from "../graphql/ask";
import { type Row, StarItem, UnstarItem } from "../graphql/generated";
import { t } from "../messages/messages";
import { sentence } from "../ui/states";
import { useToast } from "../ui/toasts";
import { itemPlace } from "./item_place";
import type { ListData } from "./list";

export const STARRED_KEY = ["items", "starred"] as const;

type Starred = Pick<Row, "id" | "name" | "isStarred">;

/** Return what stars items, or takes the stars from them where all have one; the note about it takes that back. */
export function useStars() {
  const queries = useQueryClient();
  const { notify, warn } = useToast();

  /** Return those that were starred, or unstarred; what is refused of others is told. */
  async function mark(items: Starred[], isStarred: boolean): Promise<Starred[]> {
    const done: Starred[] = [];
    for (const item of items) {
      try {
        const asked = { itemId: item.id };
        await (isStarred ? ask(StarItem, asked) : ask(UnstarItem, asked));
        done.push(item);
      } catch (fault) {
        warn(t.items.refused(item.name, sentence(failure(fault).message)));
      }
    }
    show(queries, new Set(done.map(({ id }) => id)), isStarred);
    return done;
  }

  return async (items: Starred[]) => {
    const isStarred = !areStarred(items);
    const done = await mark(
      items.filter((item) => item.isStarred !== isStarred),
      isStarred,
    );
    if (done.length === 0) return;
    const [first] = done;
    const what = done.length === 1 && first ? t.items.named(first.name) : t.items.counted(done.length);
    const told = isStarred ? t.stars.starred : t.stars.unstarred;
    notify(told(what, done.length), () => void mark(done, !isStarred));
  };
}

export function areStarred(items: Pick<Row, "isStarred">[]): boolean {
  return items.every((item) => item.isStarred);
}

/** Show stars wherever items are kept. Nobody is told of a star by an event: not even other windows of the same person. */
function show(queries: QueryClient, ids: ReadonlySet<string>, isStarred: boolean) {
  const shown = <Item extends Pick<Row, "id" | "isStarred">>(item: Item) =>
    ids.has(item.id) ? { ...item, isStarred } : item;
  queries.setQueriesData<ListData<unknown>>(
    { queryKey: ["items"] },
    (list) => list && { ...list, rows: list.rows.map(shown) },
  );
  for (const id of ids) queries.setQueryData(itemPlace(id).queryKey, (item) => item && shown(item));
  void queries.invalidateQueries({ queryKey: STARRED_KEY });
}
