/** The states of an open document's connection, as a table: nothing else says what follows what. */

/** Why the server takes nothing more from this window, until the person does something. */
export type Ended = "signedOut" | "otherUser" | "missing" | "full" | "driveFull" | "refused" | "notAllowed" | "unsent";

/**
 * `connecting`: a connection is being made; `live`: it is there, and the document is that of the server; `waiting`: there is none
 * until it is tried again.
 */
export type Status = "connecting" | "live" | "waiting" | Ended;

export type Happening =
  /** The document is that of the server. */
  | "synced"
  /** The connection is gone, for no reason that the server named. */
  | "lost"
  /** The browser says that there is no network. */
  | "offline"
  /** What the server closed the connection for, or refused. */
  | "sessionEnded"
  | "gone"
  | "overFull"
  | "driveOverFull"
  | "refused"
  | "readOnly"
  /** There are edits of an earlier window here, and this person may only read by now. */
  | "unsent"
  /** Who is signed in, before a connection is made again. */
  | "same"
  | "other"
  | "nobody"
  | "unknown";

type Row = { readonly [What in Happening]?: Status };

const ENDINGS = {
  sessionEnded: "signedOut",
  gone: "missing",
  overFull: "full",
  driveOverFull: "driveFull",
  refused: "refused",
  readOnly: "notAllowed",
} as const satisfies Row;

const NEXT: Readonly<Record<Status, Row>> = {
  connecting: { synced: "live", lost: "waiting", offline: "waiting", ...ENDINGS },
  live: { lost: "waiting", offline: "waiting", unsent: "unsent", ...ENDINGS },
  // what was written here is never sent in the name of another
  waiting: { same: "connecting", other: "otherUser", nobody: "signedOut", unknown: "waiting", ...ENDINGS },
  signedOut: { same: "connecting", other: "otherUser", unknown: "waiting" },
  otherUser: {},
  missing: {},
  full: {},
  // somebody may have made room meanwhile
  driveFull: { same: "connecting", other: "otherUser", nobody: "signedOut" },
  refused: {},
  notAllowed: {},
  unsent: {},
};

const CLOSES: Readonly<Record<number, Happening>> = {
  1009: "refused",
  4401: "sessionEnded",
  4403: "refused",
  4404: "gone",
  4413: "overFull",
  4422: "refused",
};

/** Return the state that follows; null where this changes nothing in it. */
export function after(status: Status, what: Happening): Status | null {
  return NEXT[status][what] ?? null;
}

/** Return what the code and the reason say that a WebSocket was closed with. */
export function closing(code: number, reason = ""): Happening {
  return reason === "STORAGE_FULL" ? "driveOverFull" : (CLOSES[code] ?? "lost");
}

/** Return why nothing more is taken; null while something is, or will be. */
export function endedBy(status: Status): Ended | null {
  return status === "connecting" || status === "live" || status === "waiting" ? null : status;
}
