import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useSyncExternalStore } from "react";
import { type Connection, EventStream, type Events } from "./events";
import type { ItemPlaceData, SidebarData } from "./generated";
import { makeQueries, refreshBy } from "./queries";

/** The page's first data, which the server writes into it (`web/application_page.py`). */
export type FirstData = SidebarData & {
  changesCursor: string;
  csrf: string;
  mails: boolean;
  /** Of the page of a document. */
  item?: ItemPlaceData["driveItem"];
};
export type Viewer = SidebarData["viewer"];

/** Who reads this page, with what they saw first, what happens to that, and what is kept of the server's answers. */
export type Session = {
  viewer: Viewer;
  csrf: string;
  /** Whether the server sends mail. */
  mails: boolean;
  /** The first ones, as they were when the page was made. */
  drives: SidebarData["drives"];
  events: Events;
  queries: QueryClient;
};

export function makeSession({ viewer, drives, csrf, mails, changesCursor }: FirstData): Session {
  const events = new EventStream(viewer.id, changesCursor);
  return { viewer, csrf, mails, drives, events, queries: makeQueries(events) };
}

/** Read the first data of a page; throws where it has none. */
export function firstDataIn(page: Document): FirstData {
  const held = page.getElementById("boot")?.textContent;
  if (!held) throw new Error("the page has no first data");
  return JSON.parse(held) as FirstData;
}

const Context = createContext<Session | null>(null);

export function SessionProvider({ session, children }: { session: Session; children: ReactNode }) {
  const { events, queries } = session;
  useEffect(() => refreshBy(events, queries), [events, queries]);
  return (
    <Context value={session}>
      <QueryClientProvider client={queries}>{children}</QueryClientProvider>
    </Context>
  );
}

export function useSession(): Session {
  const session = useContext(Context);
  if (!session) throw new Error("there is no session here");
  return session;
}

export function useViewer(): Viewer {
  return useSession().viewer;
}

export function useConnection(): Connection {
  const { events } = useSession();
  return useSyncExternalStore(events.subscribe, events.read);
}
