import { createClient } from "graphql-ws";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { boot } from "../boot";
import { delayAfter, LONGEST } from "./backoff";
import { Changes, type ChangesData } from "./generated";
import { signedIn } from "./session";

export type Change = ChangesData["changes"];
type Listener = (change: Change) => void;

/** Whether changes come as they happen. `away`: not now, for some seconds; `ended`: whom the page was made for signed out. */
export type Following = "live" | "away" | "ended";

const AWAY = 5_000; // milliseconds without a connection that nobody is told of

const listeners = new Set<Listener>();
const watchers = new Set<() => void>();
const sockets = createClient({
  url: `${location.origin.replace(/^http/, "ws")}/graphql`,
  retryAttempts: 0, // it would begin again where it began first; below it goes on where it was
  on: {
    connected: () => {
      clearTimeout(away);
      away = undefined;
      turn("live");
    },
  },
});
let last = boot.changesCursor;
let isBegun = false;
let following: Following = "live";
let away: ReturnType<typeof setTimeout> | undefined;
let failures = 0;

/** Hear of everything that happens to what the reader sees, from the page's first data on; returns what ends that. */
export function follow(listener: Listener): () => void {
  listeners.add(listener);
  if (!isBegun) {
    // the browser knows before the connection does
    addEventListener("offline", () => following === "live" && turn("away"));
    addEventListener("online", () => following === "away" && sockets.terminate());
    begin();
  }
  return () => listeners.delete(listener);
}

/** Go on after the reader, who was signed out, has signed in again. */
export function followAgain() {
  if (following !== "ended") return;
  turn("away");
  begin();
}

export function useFollowing(): Following {
  return useSyncExternalStore(watch, () => following);
}

/** Calls `again` when changes come as they happen again. */
export function useBack(again: () => void) {
  const following = useFollowing();
  const before = useRef(following);
  const present = useRef(again);
  present.current = again;
  useEffect(() => {
    if (following === "live" && before.current !== "live") present.current();
    before.current = following;
  }, [following]);
}

/** One subscription for the whole application; after a lost connection it goes on exactly where it was. */
function begin() {
  isBegun = true;
  const begun = performance.now();
  away ??= setTimeout(() => turn("away"), AWAY);
  const lost = () => {
    away ??= setTimeout(() => turn("away"), AWAY);
    if (performance.now() - begun > LONGEST) failures = 0;
    setTimeout(() => void goOn(), delayAfter(failures));
    failures += 1;
  };
  sockets.subscribe<ChangesData>(
    { query: String(Changes), variables: { after: last } },
    {
      next({ data }) {
        if (!data) return;
        failures = 0;
        last = data.changes.id;
        for (const listener of listeners) listener(data.changes);
      },
      // a server that closes the connection in order ends the subscription without an error
      error: lost,
      complete: lost,
    },
  );
}

async function goOn() {
  const found = await signedIn();
  if (found === "same") begin();
  else if (found === "unknown") {
    setTimeout(() => void goOn(), delayAfter(failures));
    failures += 1;
  } else {
    clearTimeout(away);
    away = undefined;
    turn("ended");
  }
}

function turn(to: Following) {
  following = to;
  for (const tell of watchers) tell();
}

function watch(tell: () => void): () => void {
  watchers.add(tell);
  return () => watchers.delete(tell);
}
