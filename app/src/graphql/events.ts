import { createClient } from "graphql-ws";
import { ask, failure } from "./ask";
import { delayAfter, LONGEST } from "./backoff";
import { Changes, type ChangesData, type EventType, Viewer } from "./generated";

/** Something that happened to what the reader sees, or a notice that it is another than before. */
export type ViewerEvent = ChangesData["changes"];
type Listener = (event: ViewerEvent) => void;

/** Whether events come as they happen. `away`: not now, for some seconds; `ended`: whom the page was made for signed out. */
export type Connection = "live" | "away" | "ended";

/** Who is signed in now: whom this page was made for, somebody else, nobody; or the server did not say. */
export type SignedIn = "same" | "other" | "nobody" | "unknown";

const AWAY = 5_000; // milliseconds without a connection that nobody is told of

/** What the application asks of the stream of events. */
export type Events = Pick<EventStream, "follow" | "resume" | "subscribe" | "read" | "signedIn">;

/** Everything that happens to what a reader sees: one subscription, which after a lost connection goes on where it was. */
export class EventStream {
  private readonly viewerId: string;
  private last: string;
  private readonly listeners = new Set<Listener>();
  private readonly watchers = new Set<() => void>();
  private readonly sockets: ReturnType<typeof createClient>;
  private isBegun = false;
  private connection: Connection = "live";
  private away: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;

  /** `after` is the place behind the page's first data. */
  constructor(viewerId: string, after: string) {
    this.viewerId = viewerId;
    this.last = after;
    this.sockets = createClient({
      url: `${location.origin.replace(/^http/, "ws")}/graphql`,
      retryAttempts: 0, // it would begin again where it began first; below it goes on where it was
      on: {
        connected: () => {
          this.settle();
          this.turn("live");
        },
      },
    });
  }

  /** Hear of everything from the page's first data on; returns what ends that. */
  follow(listener: Listener): () => void {
    this.listeners.add(listener);
    if (!this.isBegun) {
      // the browser knows before the connection does
      addEventListener("offline", () => this.connection === "live" && this.turn("away"));
      addEventListener("online", () => this.connection === "away" && this.sockets.terminate());
      this.begin();
    }
    return () => this.listeners.delete(listener);
  }

  /** Go on after the reader, who was signed out, has signed in again. */
  resume() {
    if (this.connection !== "ended") return;
    this.turn("away");
    this.begin();
  }

  readonly subscribe = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  };

  readonly read = (): Connection => this.connection;

  /** Ask who is signed in: sessions end, and others begin, in other windows of the browser. */
  async signedIn(): Promise<SignedIn> {
    try {
      return (await ask(Viewer, {})).viewer.id === this.viewerId ? "same" : "other";
    } catch (fault) {
      return failure(fault).code === "UNAUTHORIZED" ? "nobody" : "unknown";
    }
  }

  private begin() {
    this.isBegun = true;
    const begun = performance.now();
    this.away ??= setTimeout(() => this.turn("away"), AWAY);
    const lost = () => {
      this.away ??= setTimeout(() => this.turn("away"), AWAY);
      if (performance.now() - begun > LONGEST) this.failures = 0;
      this.again();
    };
    this.sockets.subscribe<ChangesData>(
      { query: Changes, variables: { after: this.last } },
      {
        next: ({ data }) => {
          if (!data) return;
          this.failures = 0;
          this.last = data.changes.id;
          for (const listener of this.listeners) listener(data.changes);
        },
        // a server that closes the connection in order ends the subscription without an error
        error: lost,
        complete: lost,
      },
    );
  }

  private again() {
    setTimeout(() => void this.goOn(), delayAfter(this.failures));
    this.failures += 1;
  }

  private async goOn() {
    const found = await this.signedIn();
    if (found === "same") this.begin();
    else if (found === "unknown") this.again();
    else {
      this.settle();
      this.turn("ended");
    }
  }

  private settle() {
    clearTimeout(this.away);
    this.away = undefined;
  }

  private turn(to: Connection) {
    this.connection = to;
    for (const watcher of this.watchers) watcher();
  }
}

/** Return what tells whether an event is of one of these types. */
export function ofTypes(...types: EventType[]): (event: Pick<ViewerEvent, "type">) => boolean {
  const known: ReadonlySet<EventType> = new Set(types);
  return ({ type }) => known.has(type);
}

/** Whether an event says that anything may be another than before. */
export const isNotice = ofTypes("accessChanged", "reload");
