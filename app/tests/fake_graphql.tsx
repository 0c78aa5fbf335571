/** A server in the test's own hands: answers by the name of the operation, and events when the test says so. */

import { render } from "@testing-library/react";
import type { ReactNode } from "react";
import { vi } from "vitest";
import type { Connection, Events, ViewerEvent } from "../src/graphql/events";
import type { DriveName, Row } from "../src/graphql/generated";
import { makeQueries } from "../src/graphql/queries";
import { type Session, SessionProvider } from "../src/graphql/session";

type Variables = Record<string, unknown>;
type Answer = (variables: Variables) => unknown;

/** What a test answers with where the server would refuse. */
export class Refusal {
  constructor(
    readonly code: string,
    readonly message: string,
  ) {}
}

export class FakeGraphql {
  /** Every request, as `Operation {"variable":…}`. */
  readonly asked: string[] = [];
  readonly answers: Record<string, Answer>;
  /** Requests wait here while it is a promise. */
  gate: Promise<unknown> | null = null;

  constructor(answers: Record<string, Answer>) {
    this.answers = answers;
    vi.stubGlobal("fetch", (_: string, { body }: { body: string }) => this.respond(JSON.parse(body)));
  }

  private async respond({ operationName, variables }: { operationName: string; variables: Variables }) {
    this.asked.push(`${operationName} ${JSON.stringify(variables)}`);
    const answer = this.answers[operationName]?.(variables);
    await this.gate;
    if (answer === undefined) throw new TypeError(`nothing answers ${operationName}`);
    const error = answer instanceof Refusal && { message: answer.message, extensions: { code: answer.code } };
    return Response.json(error ? { data: null, errors: [error] } : { data: answer });
  }
}

export class FakeEvents implements Events {
  private readonly listeners = new Set<(event: ViewerEvent) => void>();
  private readonly watchers = new Set<() => void>();
  private connection: Connection = "live";

  follow(listener: (event: ViewerEvent) => void) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
  readonly subscribe = (watcher: () => void) => {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  };
  readonly read = () => this.connection;
  resume() {}
  async signedIn() {
    return "same" as const;
  }

  tell(event: Partial<ViewerEvent> & Pick<ViewerEvent, "type">) {
    const by = { userId: "ben", name: "Ben Franklin", agent: null };
    const nothing = { id: "1", itemId: null, driveId: null, at: "2026-01-02T00:00:00.000Z", by, details: {} };
    for (const listener of this.listeners) listener({ ...nothing, ...event });
  }

  turn(connection: Connection) {
    this.connection = connection;
    for (const watcher of this.watchers) watcher();
  }
}

export function sessionOf(events = new FakeEvents(), drives: DriveName[] = []): Session & { events: FakeEvents } {
  const viewer = {
    id: "ada",
    name: "Ada Lovelace",
    email: "ada@example.org",
    emailVerified: true,
    activeOrganization: null,
  };
  const page = { nodes: drives, pageInfo: { hasNextPage: false, endCursor: null } };
  return { viewer, csrf: "token", mails: true, drives: page, events, queries: makeQueries(events) };
}

/** Return what puts a hook or a component into a session. */
export function within(session: Session) {
  return ({ children }: { children: ReactNode }) => <SessionProvider session={session}>{children}</SessionProvider>;
}

export function shown(session: Session, children: ReactNode) {
  return render(children, { wrapper: within(session) });
}

export function row(id: string, more: Partial<Row> = {}): Row {
  return {
    id,
    name: id,
    driveItemType: "docs_workbook",
    driveId: "drive",
    parentId: null,
    updatedAt: "2026-01-01T00:00:00.000Z",
    updatedBy: { userId: "ada", name: "Ada Lovelace", agent: null },
    published: false,
    sharesTotal: null,
    trashedAt: null,
    isStarred: false,
    capabilities: [],
    ...more,
  };
}

export const END = { hasNextPage: false, endCursor: null };
