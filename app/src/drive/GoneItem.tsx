/** Says what became of an item that is open and can no longer be seen: what happened, by whom, and what one can do. */

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { ask, failure } from "../graphql/ask";
import type { ViewerEvent } from "../graphql/events";
import { type EventType, RestoreItem } from "../graphql/generated";
import { useSession } from "../graphql/session";
import { t } from "../messages/messages";
import { nameOf } from "../ui/authors";
import { Fault } from "../ui/Dialog";
import { driveName } from "../ui/drive_name";
import { Moment } from "../ui/Moment";
import { Loading, Missing, sentence } from "../ui/states";
import { useToast } from "../ui/toasts";
import { accessEnd, type PlacedItem, trashedItem, useItemPlace } from "./item_place";
import style from "./ListScreen.module.css";

/** What can happen to an item that is open, as the catalogue names it where the reader no longer sees the item. */
const HAPPENED: Readonly<Partial<Record<EventType, "trashed" | "deleted" | "moved">>> = {
  itemTrashed: "trashed",
  itemDeleted: "deleted",
  itemMoved: "moved",
};

/** An item as it was seen last, and the last thing that happened to it. */
export type LastSeen = { item: PlacedItem | null; event: ViewerEvent | null };

/** Keeps what the reader saw of an item last; a note tells who moved it meanwhile. */
export function useLastSeen(id: string): LastSeen {
  const { events, viewer } = useSession();
  const { data, refetch } = useItemPlace(id);
  const { notify } = useToast();
  const notifyNow = useRef(notify);
  useLayoutEffect(() => {
    notifyNow.current = notify;
  });
  const [item, setItem] = useState<PlacedItem | null>(null);
  const [event, setEvent] = useState<ViewerEvent | null>(null);

  useEffect(() => {
    if (data) setItem(data);
  }, [data]);

  useEffect(
    () =>
      events.follow((each) => {
        if (!HAPPENED[each.type]) return;
        if (each.itemId !== id && !item?.ancestors.some((step) => step.id === each.itemId)) return;
        setEvent(each);
        if (each.type !== "itemMoved" || each.itemId !== id || each.by?.userId === viewer.id) return;
        const who = each.by ? nameOf(each.by) : t.ui.somebody;
        void refetch().then(({ data: there, isError }) => {
          if (isError || !there) return; // what was known before is no answer
          setEvent(null);
          notifyNow.current(t.gone.movedHere(who, there.ancestors.at(-1)?.name ?? driveName(there.drive)));
        });
      }),
    [events, viewer.id, id, item, refetch],
  );
  return { item, event };
}

/** `unsaved` is what the server did not take of what was written here. */
export function GoneItem({ id, last, unsaved }: { id: string; last: LastSeen; unsaved: ReactNode }) {
  const { data: trashed, isPending } = useQuery(trashedItem(id));
  const { viewer, events } = useSession();
  const [fault, setFault] = useState<string | null>(null);
  const { item, event } = last;
  const happened = event && HAPPENED[event.type];
  const { data: end, isPending: isAsking } = useQuery({ ...accessEnd(id), enabled: !happened });

  // by whomever, here or elsewhere
  useEffect(
    () => events.follow(({ type, itemId }) => type === "itemRestored" && itemId === id && location.reload()),
    [events, id],
  );

  async function restore() {
    try {
      await ask(RestoreItem, { itemId: id });
      location.reload();
    } catch (thrown) {
      setFault(sentence(failure(thrown).message));
    }
  }

  const by = event?.by ?? end?.by;
  const isOwn = by?.userId === viewer.id && by.agent === null;
  const who = by ? (isOwn ? t.ui.you : nameOf(by)) : t.ui.somebody;
  if (isPending || (!happened && isAsking)) return <Loading />;
  if (trashed?.trashedAt)
    return (
      <section className={style.gone}>
        <h1>{t.gone.inTrash(trashed.name)}</h1>
        <p>
          {happened
            ? t.gone.trashedBy(who, <Moment at={trashed.trashedAt} />)
            : t.gone.trashedAt(<Moment at={trashed.trashedAt} />)}
        </p>
        {unsaved}
        {fault && <Fault>{fault}</Fault>}
        <p className={style.choices}>
          {trashed.capabilities.includes("trash") && (
            <button type="button" onClick={() => void restore()}>
              {t.gone.restore}
            </button>
          )}
          <a href="/trash">{t.gone.openTrash}</a>
        </p>
      </section>
    );
  if (!item) return <Missing />;
  return (
    <section className={style.gone}>
      <h1>{t.gone.title}</h1>
      {happened && event.itemId !== null ? (
        <p>
          {told(
            t.gone[happened](who, event.itemId === id ? item.name : nameIn(item, event.itemId)),
            event.at,
            t.gone.next[happened],
          )}
        </p>
      ) : (
        <p>{end ? told(t.gone.endedBy(who, item.name), end.at, t.gone.next.ended) : t.gone.ended(item.name)}</p>
      )}
      {unsaved}
      <p>
        <a href="/">{t.states.toDrives}</a>
      </p>
    </section>
  );
}

function told(what: string, at: string | null, next: string): ReactNode {
  return at === null ? t.gone.happenedOnce(what, next) : t.gone.happened(what, <Moment at={at} />, next);
}

/** The name of a folder above an item. */
function nameIn(item: PlacedItem, folderId: string): string {
  return item.ancestors.find(({ id }) => id === folderId)?.name ?? item.name;
}
