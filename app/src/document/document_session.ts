/** One open document: its connection, what an editor may be bound to, and what a person needs to know of both. */

import { HocuspocusProvider } from "@hocuspocus/provider";
import { Awareness } from "y-protocols/awareness";
import * as Y from "yjs";
import { ask } from "../graphql/ask";
import { delayAfter } from "../graphql/backoff";
import { DocumentAuthorIds } from "../graphql/generated";
import type { Session } from "../graphql/session";
import { DocumentColours } from "../ui/people";
import type { Person } from "./carets";
import { fragmentOf } from "./guard";
import { Queue } from "./queue";
import { isLong } from "./reading";
import { type Held, Relay } from "./relay";
import { after, closing, type Ended, endedBy, type Happening, type Status } from "./session_states";
import { countingSocket, type Outstanding } from "./socket";
import { KeptUnseen, type Unseen, withUnseen } from "./unseen";
import { socketOf, takeAsOwn } from "./yjs_internals";

export type DocumentState = {
  /** Null until the document has come. */
  readonly held: Held | null;
  readonly mayEdit: boolean;
  /** Every edit made here has been in the server's log for a moment. */
  readonly isSaved: boolean;
  /** There has been no connection for some seconds. */
  readonly isAway: boolean;
  readonly ended: Ended | null;
  readonly people: readonly Person[];
  /** What was written here and went with a block that somebody else deleted, until the person says what becomes of it. */
  readonly unseen: readonly Unseen[];
};

/** Who else is in a document, and the colours of its people. */
export type Company = Pick<DocumentSession, "awareness" | "colours">;

const AWAY_MS = 5000;
/** While somebody types, the window does not turn from "Saving…" to "Saved" and back at each letter. */
const QUIET_MS = 500;
const LONGEST_FRAME_MS = 100;
const NO_AUTHORS = { documentAuthorIds: null };

/** A document that is open in this window. */
export class DocumentSession {
  readonly awareness: Awareness;
  readonly colours = new DocumentColours();
  private readonly documentId: string;
  private readonly readerId: string;
  private readonly events: Session["events"];
  private readonly net = new Y.Doc();
  private readonly queue: Queue;
  private readonly unseen: KeptUnseen;
  private readonly provider: HocuspocusProvider;
  private readonly listeners = new Set<() => void>();
  private relay: Relay | null = null;
  private beginning: Y.XmlFragment | null = null;
  private status: Status = "connecting";
  private state: DocumentState = {
    held: null,
    mayEdit: false,
    isSaved: true,
    isAway: false,
    ended: null,
    people: [],
    unseen: [],
  };
  private outstanding: Outstanding | null = null;
  private away: ReturnType<typeof setTimeout> | undefined;
  private saving: ReturnType<typeof setTimeout> | undefined;
  private reconnecting: ReturnType<typeof setTimeout> | undefined;
  /** Connections that were lost since the last one over which the document was synced. */
  private failures = 0;
  private isGone = false;
  private edits = 0;
  /** Edits that are being put into the queue. */
  private adding: Promise<unknown> = Promise.resolve();

  constructor(documentId: string, { viewer, events }: Pick<Session, "viewer" | "events">) {
    this.documentId = documentId;
    this.events = events;
    this.readerId = viewer.id;
    takeAsOwn(this.net);
    this.queue = new Queue(viewer.id, documentId);
    this.unseen = new KeptUnseen(viewer.id, documentId);
    this.state = { ...this.state, unseen: this.unseen.read() };
    this.awareness = new Awareness(this.net);
    this.provider = new HocuspocusProvider({
      url: `${location.origin.replace(/^http/, "ws")}/collaboration/${documentId}`,
      name: documentId,
      document: this.net,
      awareness: this.awareness,
      token: "",
      WebSocketPolyfill: countingSocket((outstanding) => this.counted(outstanding)),
      onAuthenticated: ({ scope }) => this.set({ mayEdit: scope === "read-write" }),
      onAuthenticationFailed: () => this.happen("gone"),
      onSynced: () => this.synced(),
      onStateless: ({ payload }) => this.told(payload),
      onClose: ({ event }) => this.closed(event),
      onAwarenessChange: () => this.met(),
    } as ConstructorParameters<typeof HocuspocusProvider>[0]);
    this.net.on("update", this.written);
    addEventListener("offline", this.wentOffline);
    addEventListener("online", this.cameOnline);
  }

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly read = (): DocumentState => this.state;

  /** Returns what a long document holds, to show its first blocks until its editor is made; the state would draw the whole screen anew. */
  readonly readBeginning = (): Y.XmlFragment | null => this.beginning;

  /** Calls with what the server has, now and whenever it changes. */
  watch(show: (fragment: Y.XmlFragment) => void): () => void {
    const again = () => show(fragmentOf(this.net));
    again();
    this.net.on("update", again);
    return () => this.net.off("update", again);
  }

  /** Connects again after the person mended what kept the server from taking edits. */
  retry(): Promise<void> {
    return this.identify();
  }

  /** Forgets what the server did not take; the document must be opened anew afterwards. */
  async discard(): Promise<void> {
    await this.adding;
    await this.queue.clear();
  }

  /** Ends the notice of text that is in no view. */
  forget(done: Unseen) {
    this.keep(this.state.unseen.filter((each) => each !== done));
  }

  /** Returns the text of the edits that the server has not acknowledged. */
  async unsavedText(): Promise<string> {
    await this.adding;
    return textOf(await this.queue.own());
  }

  destroy() {
    this.isGone = true;
    removeEventListener("offline", this.wentOffline);
    removeEventListener("online", this.cameOnline);
    clearTimeout(this.away);
    clearTimeout(this.saving);
    clearTimeout(this.reconnecting);
    this.net.off("update", this.written);
    this.relay?.destroy();
    this.provider.destroy();
    this.adding.finally(() => this.queue.close());
    this.net.destroy();
  }

  private readonly written = (update: Uint8Array, origin: unknown) => {
    if (origin === this.provider) return;
    // What a socket that is closing did not take is sent by the next one.
    if (this.outstanding && socketOf(this.provider)?.readyState !== WebSocket.OPEN) this.outstanding.isWhole = false;
    this.edits += 1;
    if (origin !== this.queue) this.adding = this.adding.then(() => this.queue.add(update));
    clearTimeout(this.saving);
    this.set({ isSaved: false });
  };

  /** The browser knows before the connection does, which would end only when the server has not been heard for long. */
  private readonly wentOffline = () => {
    if (this.state.ended) return;
    this.set({ isAway: true });
    this.happen("offline");
  };

  private readonly cameOnline = () => {
    if (this.state.ended || !this.state.isAway) return;
    void this.identify();
  };

  private async synced() {
    this.happen("synced");
    if (this.relay) return;
    const fragment = fragmentOf(this.net);
    if (isLong(fragment)) {
      this.beginning = fragment;
      this.tell();
      await painted();
      if (this.isGone) return;
    }
    void this.giveColours(); // not before, or the server would answer this first
    const kept = await this.queue.takeOver();
    if (this.isGone || this.relay) return;
    // Only whoever may edit can bring them in; they stay where they are for everybody else.
    if (this.state.mayEdit) for (const update of kept) Y.applyUpdate(this.net, update, this.queue);
    else if (kept.length) {
      this.set({ isSaved: false });
      this.happen("unsent");
    }
    this.relay = new Relay(this.net, (held) => this.set({ held }));
    this.set({ held: this.relay.held });
  }

  /** Takes what the server says outside of the document: docs/collaboration.md names it. */
  private told(payload: string) {
    const { type, ...unseen }: { type?: unknown } & Unseen = JSON.parse(payload);
    if (type === "unseen") this.keep(withUnseen(this.state.unseen, unseen));
  }

  private keep(unseen: readonly Unseen[]) {
    this.set({ unseen }); // first, since storage may be full
    this.unseen.write(unseen);
  }

  private async counted(outstanding: Outstanding) {
    this.outstanding = outstanding;
    if (outstanding.isRefused) return this.happen("readOnly");
    if (outstanding.count > 0 || !outstanding.isWhole) return;
    clearTimeout(this.saving);
    this.saving = setTimeout(() => this.set({ isSaved: true }), QUIET_MS);
    const { edits } = this;
    await this.adding;
    // What was written meanwhile stays in the queue until it is acknowledged, too.
    if (this.edits === edits && this.outstanding === outstanding) await this.queue.clear();
  }

  private closed({ code, reason }: { code: number; reason?: string }) {
    this.outstanding = null;
    this.happen(closing(code, reason));
  }

  private happen(what: Happening) {
    const next = after(this.status, what);
    if (next === null || this.isGone) return;
    this.status = next;
    this.set({ ended: endedBy(next) });
    if (next === "connecting") this.connect();
    else if (next === "live") this.settle();
    else if (next === "waiting") this.wait();
    else if (next !== "unsent") this.end(); // who may only read goes on reading
  }

  private connect() {
    this.provider.connect();
    this.events.resume();
  }

  private settle() {
    clearTimeout(this.away);
    this.away = undefined;
    this.failures = 0;
    this.set({ isAway: false });
  }

  private wait() {
    this.away ??= setTimeout(() => this.set({ isAway: true }), AWAY_MS);
    // The provider tells of it amidst its own closing, after which it would connect again.
    this.provider.disconnect();
    clearTimeout(this.reconnecting);
    this.reconnecting = setTimeout(() => void this.identify(), delayAfter(this.failures));
    this.failures += 1;
  }

  private end() {
    clearTimeout(this.away);
    clearTimeout(this.reconnecting);
    this.away = undefined;
    this.set({ isAway: false });
    this.provider.disconnect();
  }

  /** Asks who is signed in before it connects again. */
  private async identify() {
    clearTimeout(this.reconnecting);
    this.happen(await this.events.signedIn());
  }

  private async giveColours() {
    const { documentAuthorIds } = await ask(DocumentAuthorIds, { id: this.documentId }).catch(() => NO_AUTHORS);
    this.colours.begin(documentAuthorIds ?? []);
    // what was drawn before is drawn again
    this.set({ people: [...this.state.people] });
    const updated = [...this.awareness.getStates().keys()];
    this.awareness.emit("change", [{ added: [], updated, removed: [] }, "local"]);
  }

  private met() {
    const states = [...this.awareness.getStates()].filter(([client]) => client !== this.net.clientID);
    const people = new Map(states.map(([, { user = {} }]) => [keyOf(user as Person), user as Person]));
    const isSame = [...people.keys()].join() === this.state.people.map(keyOf).join();
    if (isSame) return;
    if (people.size) this.colours.meet([this.readerId, ...[...people.values()].map(({ id }) => id)]);
    this.set({ people: [...people.values()] });
  }

  private set(change: Partial<DocumentState>) {
    const names = Object.keys(change) as (keyof DocumentState)[];
    if (this.isGone || names.every((name) => change[name] === this.state[name])) return;
    this.state = { ...this.state, ...change };
    this.tell();
  }

  private tell() {
    for (const listener of this.listeners) listener();
  }
}

export function keyOf({ id, agent }: Person): string {
  return `${id} ${agent ?? ""}`;
}

/** Waits for the next frame; no longer than one may take, since a window behind others draws none. */
function painted(): Promise<void> {
  return new Promise((seen) => {
    requestAnimationFrame(() => setTimeout(seen));
    setTimeout(seen, LONGEST_FRAME_MS);
  });
}

function textOf(updates: Uint8Array[]): string {
  const structs = updates.flatMap((update) => Y.decodeUpdate(update).structs);
  return structs
    .map((struct) => {
      if (!(struct instanceof Y.Item)) return "";
      if (struct.content instanceof Y.ContentString) return struct.content.str;
      return struct.content instanceof Y.ContentType ? "\n" : "";
    })
    .join("")
    .trim()
    .replace(/\n+/g, "\n");
}
