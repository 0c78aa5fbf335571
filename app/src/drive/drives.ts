import { useSyncExternalStore } from "react";
import { boot } from "../boot";
import { ask } from "../graphql/ask";
import { follow } from "../graphql/changes";
import { Sidebar, type SidebarData } from "../graphql/generated";

type Drives = SidebarData["drives"]["nodes"];

let drives: Drives = boot.drives.nodes;
let asked = 0;
let unfollow: (() => void) | null = null;
const waiting = new Set<() => void>();

async function refresh() {
  asked += 1;
  const mine = asked;
  const found = (await ask(Sidebar, {})).drives.nodes;
  if (mine !== asked) return; // a later answer has more
  drives = found;
  for (const tell of waiting) tell();
}

function subscribe(tell: () => void): () => void {
  waiting.add(tell);
  unfollow ??= follow((change) => {
    if (/^(drive|member|accessChanged|reload)/.test(change.type)) refresh().catch(() => undefined);
  });
  return () => {
    waiting.delete(tell);
    if (waiting.size) return;
    unfollow?.();
    unfollow = null;
  };
}

/** Return the drives that the reader is a member of, as they are now; the first ones came with the page. */
export function useDrives(): Drives {
  return useSyncExternalStore(subscribe, () => drives);
}
