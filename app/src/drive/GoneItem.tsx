/** Says what became of an item that is open and can no longer be seen: what happened, by whom, and what one can do. */

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { ask, failure } from "../graphql/ask";
import type { ViewerEvent } from "../graphql/events";
import { type EventType, RestoreItem } from "../graphql/generated";
import { useSession } from "../graphql/session";
import { nameOf } from "../ui/authors";
import { Fault } from "../ui/Dialog";
import { Moment } from "../ui/Moment";
import { Loading, Missing, sentence } from "../ui/states";
import { useToast } from "../ui/toasts";
import { type PlacedItem, trashedItem, useItemPlace } from "./item_place";
import style from "./ListScreen.module.css";

/** What can happen to an item that is open, and the words for it where the reader no longer sees it. */
const HAPPENED: Readonly<Partial<Record<EventType, { did: (name: string) => string; next: string }>>> = {
  itemTrashed: {
    did: (name) => `moved “${name}” to the trash`,
    next: "What is in the trash can be restored for 30 days, by whoever may edit it.",
  },
  itemDeleted: { did: (name) => `deleted “${name}” for ever`, next: "It cannot be restored." },
  itemMoved: {
    did: (name) => `moved “${name}” to a place that you cannot see`,
    next: "Ask them to share it with you.",
  },
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
        const who = each.by ? nameOf(each.by) : "Somebody";
        void refetch().then(({ data: there, isError }) => {
          if (isError || !there) return; // what was known before is no answer
          setEvent(null);
          notifyNow.current(`${who} moved this to “${there.ancestors.at(-1)?.name ?? there.drive.name}”.`);
        });
      }),
    [events, viewer.id, id, item, refetch],
  );
  return { item, event };
}

/** `unsaved` is what the server did not take of what was written here. */
export function GoneItem({ id, last, unsaved }: { id: string; last: LastSeen; unsaved: ReactNode }) {
  const { data: trashed, isPending } = useQuery(trashedItem(id));
  const { viewer } = useSession();
  const [fault, setFault] = useState<string | null>(null);
  const { item, event } = last;
  const happened = event && HAPPENED[event.type];

  async function restore() {
    try {
      await ask(RestoreItem, { itemId: id });
      location.reload();
    } catch (thrown) {
      setFault(sentence(failure(thrown).message));
    }
  }

  const who = event?.by
    ? event.by.userId === viewer.id && event.by.agent === null
      ? "You"
      : nameOf(event.by)
    : "Somebody";
  if (isPending) return <Loading />;
  if (trashed?.trashedAt)
    return (
      <section className={style.gone}>
        <h1>“{trashed.name}” is in the trash</h1>
        <p>
          {happened ? `${who} moved it there` : "It was moved there"} <Moment at={trashed.trashedAt} />. It can be
          restored for 30 days.
        </p>
        {unsaved}
        {fault && <Fault>{fault}</Fault>}
        <p className={style.choices}>
          {trashed.capabilities.includes("trash") && (
            <button type="button" onClick={() => void restore()}>
              Restore
            </button>
          )}
          <a href="/trash">Open the trash</a>
        </p>
      </section>
    );
  if (!item) return <Missing />;
  return (
    <section className={style.gone}>
      <h1>You can no longer see this</h1>
      {happened && event.itemId !== null ? (
        <p>
          {who} {happened.did(event.itemId === id ? item.name : nameIn(item, event.itemId))}
          {event.at && (
            <>
              {" "}
              <Moment at={event.at} />
            </>
          )}
          . {happened.next}
        </p>
      ) : (
        // the server tells nobody of what they do not see, nor who ended that
        <p>Your access to “{item.name}” ended. Ask whoever shared it with you, or a member of its drive.</p>
      )}
      {unsaved}
      <p>
        <a href="/">Go to your drives</a>
      </p>
    </section>
  );
}

/** The name of a folder above an item. */
function nameIn(item: PlacedItem, folderId: string): string {
  return item.ancestors.find(({ id }) => id === folderId)?.name ?? item.name;
}
