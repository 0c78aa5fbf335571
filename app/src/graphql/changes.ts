import { boot } from "../boot";
import { client } from "./client";
import { Changes, type ChangesData } from "./generated";

export type Change = ChangesData["changes"];
type Listener = (change: Change) => void;

const listeners = new Set<Listener>();
const RETRY = 2_000; // milliseconds
let last = boot.changesCursor;
let following = false;

/** Hear of everything that happens to what the reader sees, from the page's first data on; returns what ends that. */
export function follow(listener: Listener): () => void {
  listeners.add(listener);
  if (!following) begin();
  return () => listeners.delete(listener);
}

/** One subscription for the whole application; after a lost connection it goes on exactly where it was. */
function begin() {
  following = true;
  const { unsubscribe } = client.subscription(Changes, { after: last }).subscribe(({ data, error }) => {
    if (data) {
      last = data.changes.id;
      for (const listener of listeners) listener(data.changes);
    }
    if (error) {
      unsubscribe();
      setTimeout(begin, RETRY);
    }
  });
}
