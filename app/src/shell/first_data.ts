import { itemPlace } from "../drive/item_place";
import { type FirstData, makeSession, type Session } from "../graphql/session";

/** Make the session of a page, which knows what its first data told. */
export function sessionFrom(first: FirstData, path: string): Session {
  const session = makeSession(first);
  const [, kind, id] = path.split("/");
  if (kind === "doc" && id && first.item !== undefined)
    session.queries.setQueryData(itemPlace(id).queryKey, first.item);
  return session;
}
