/** When the reader was here before, as this browser remembers it. */

import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { useViewer } from "../graphql/session";

/** In milliseconds since 1970: the end of the visit before this one, and when this one was last seen. */
type Visit = { since: number; seen: number };

/** A window that nobody saw for so long begins another visit. */
const APART = 30 * 60_000;
const FIRST = 7 * 24 * 60 * 60_000;

const Context = createContext<Visit | null>(null);

/** Keeps count of the visits of the whole page, whichever screen it shows. */
export function VisitProvider({ children }: { children: ReactNode }) {
  const { id } = useViewer();
  const [visit, setVisit] = useState(() => begun(id));
  useEffect(() => {
    const turned = () => {
      if (document.hidden) remember(id, { ...visit, seen: Date.now() });
      else setVisit(begun(id));
    };
    document.addEventListener("visibilitychange", turned);
    return () => document.removeEventListener("visibilitychange", turned);
  }, [id, visit]);
  return <Context value={visit}>{children}</Context>;
}

/** Return the moment of RFC 3339 after which the reader was away; a week ago, where this browser knows of no visit. */
export function useAwaySince(): string {
  return new Date(useVisit().since).toISOString();
}

/** Return whether this browser knows of no visit before this one, or of none for as long as that. */
export function useIsNew(): boolean {
  const { since, seen } = useVisit();
  return seen - since >= FIRST;
}

function useVisit(): Visit {
  const visit = useContext(Context);
  if (visit === null) throw new Error("no visit is kept here");
  return visit;
}

function begun(userId: string): Visit {
  const now = Date.now();
  const before = remembered(userId) ?? { since: now - FIRST, seen: now };
  const visit = { since: now - before.seen > APART ? before.seen : before.since, seen: now };
  remember(userId, visit);
  return visit;
}

function remembered(userId: string): Visit | null {
  try {
    const { since, seen } = JSON.parse(localStorage.getItem(keyOf(userId)) ?? "null");
    return Number.isSafeInteger(since) && Number.isSafeInteger(seen) ? { since, seen } : null;
  } catch {
    return null; // nothing, or what this application did not write
  }
}

function remember(userId: string, visit: Visit) {
  localStorage.setItem(keyOf(userId), JSON.stringify(visit));
}

function keyOf(userId: string): string {
  return `visit-${userId}`;
}
