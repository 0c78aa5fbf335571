/** When the reader was here before, as this browser remembers it. */

import { useSyncExternalStore } from "react";
import { boot } from "../boot";

/** In milliseconds since 1970: the end of the visit before this one, and when this one was last seen. */
type Visit = { since: number; seen: number };

const KEY = `visit-${boot.viewer.id}`;
/** A window that nobody saw for so long begins another visit. */
const APART = 30 * 60_000;
const FIRST = 7 * 24 * 60 * 60_000;

const watchers = new Set<() => void>();
let visit = begun();

document.addEventListener("visibilitychange", () => {
  if (document.hidden) remember({ ...visit, seen: Date.now() });
  else {
    visit = begun();
    for (const tell of watchers) tell();
  }
});

/** Return the moment of RFC 3339 after which the reader was away; a week ago, where this browser knows of no visit. */
export function useAwaySince(): string {
  return new Date(useSyncExternalStore(watch, () => visit.since)).toISOString();
}

function begun(): Visit {
  const now = Date.now();
  const before = remembered() ?? { since: now - FIRST, seen: now };
  const visit = { since: now - before.seen > APART ? before.seen : before.since, seen: now };
  remember(visit);
  return visit;
}

function remembered(): Visit | null {
  try {
    const { since, seen } = JSON.parse(localStorage.getItem(KEY) ?? "null");
    return Number.isSafeInteger(since) && Number.isSafeInteger(seen) ? { since, seen } : null;
  } catch {
    return null; // nothing, or what this application did not write
  }
}

function remember(visit: Visit) {
  localStorage.setItem(KEY, JSON.stringify(visit));
}

function watch(tell: () => void): () => void {
  watchers.add(tell);
  return () => watchers.delete(tell);
}
