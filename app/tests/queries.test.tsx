// @vitest-environment happy-dom
/** What is kept of the server's answers: when it is asked for, again, and what a reader sees meanwhile. */

import { useQuery } from "@tanstack/react-query";
import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { useDrives } from "../src/drive/drives";
import { useItemPlace } from "../src/drive/item_place";
import { touchesItems, useList, wholeList } from "../src/drive/list";
import { ask, Refused } from "../src/graphql/ask";
import { ItemPlace, TrashList, Viewer } from "../src/graphql/generated";
import { answer, pages, usePages } from "../src/graphql/queries";
import { useConnection, useSession, useViewer } from "../src/graphql/session";
import { END, FakeEvents, FakeGraphql, Refusal, row, sessionOf, within } from "./fake_graphql";

const SETTLED = 250; // milliseconds after an event in which it is asked again

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

async function pass(milliseconds: number) {
  await act(() => vi.advanceTimersByTimeAsync(milliseconds));
}

const place = (id: string, name = "Orbit plan") => ({
  driveItem: {
    ...row(id),
    name,
    drive: { id: "drive", name: "Engineering", role: "owner" },
    ancestors: [{ id: "up", name: "Up" }],
  },
});

describe("a request", () => {
  test("names its operation and throws what the server refuses, in its words", async () => {
    const server = new FakeGraphql({ ItemPlace: () => new Refusal("FORBIDDEN", "you may not") });
    const refused = await ask(ItemPlace, { id: "a" }).catch((fault: unknown) => fault);
    expect(refused).toBeInstanceOf(Refused);
    expect((refused as Refused).failure).toEqual({ code: "FORBIDDEN", message: "you may not" });
    expect(server.asked).toEqual(['ItemPlace {"id":"a"}']);
  });

  test("that nobody answers, or not in JSON, says so", async () => {
    new FakeGraphql({});
    await expect(ask(Viewer, {})).rejects.toMatchObject({ failure: { code: "NETWORK" } });
    vi.stubGlobal("fetch", async () => new Response("<html>", { status: 502 }));
    await expect(ask(Viewer, {})).rejects.toMatchObject({ failure: { code: "NETWORK" } });
    vi.stubGlobal("fetch", async () => new Response("", { status: 401 }));
    await expect(ask(Viewer, {})).rejects.toMatchObject({ failure: { code: "UNAUTHORIZED" } });
  });

  test("that is given up throws what it was given up with, and is no failure", async () => {
    new FakeGraphql({ Viewer: () => ({ viewer: { id: "ada" } }) });
    const given = new AbortController();
    const asked = ask(Viewer, {}, given.signal);
    given.abort(new Error("left"));
    await expect(asked).rejects.toThrow("left");
  });
});

describe("an answer", () => {
  test("is asked for again after an event that touches it, and after no other", async () => {
    let name = "Orbit plan";
    const server = new FakeGraphql({ ItemPlace: () => place("a", name) });
    const session = sessionOf();
    const { result } = renderHook(() => useItemPlace("a"), { wrapper: within(session) });
    await waitFor(() => expect(result.current.data?.name).toBe("Orbit plan"));
    for (const event of [
      { type: "documentEdited", itemId: "a" },
      { type: "itemRenamed", itemId: "b" },
    ] as const)
      session.events.tell(event);
    await pass(SETTLED);
    expect(server.asked.length).toBe(1);
    name = "Orbit";
    session.events.tell({ type: "itemRenamed", itemId: "up" });
    await pass(SETTLED);
    await waitFor(() => expect(result.current.data?.name).toBe("Orbit"));
    expect(server.asked.length).toBe(2);
  });

  test("that an event touches while it is asked for is asked for once more afterwards", async () => {
    let open = () => {};
    const server = new FakeGraphql({ ItemPlace: () => place("a") });
    server.gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const session = sessionOf();
    const { result } = renderHook(() => useItemPlace("a"), { wrapper: within(session) });
    await pass(0);
    session.events.tell({ type: "itemMoved", itemId: "a" });
    session.events.tell({ type: "itemRenamed", itemId: "a" });
    await pass(SETTLED);
    expect(server.asked.length).toBe(1);
    open();
    await waitFor(() => expect(result.current.data).toBeTruthy());
    await pass(SETTLED);
    expect(server.asked.length).toBe(2);
  });

  test("that is shown anew is there at once, and asked for where an event touched it meanwhile", async () => {
    const server = new FakeGraphql({ ItemPlace: () => place("a") });
    const session = sessionOf();
    const others = renderHook(() => useDrives(), { wrapper: within(session) });
    const first = renderHook(() => useItemPlace("a"), { wrapper: within(session) });
    await waitFor(() => expect(first.result.current.data).toBeTruthy());
    first.unmount();
    const second = renderHook(() => useItemPlace("a"), { wrapper: within(session) });
    expect(second.result.current.data?.name).toBe("Orbit plan");
    await pass(SETTLED);
    expect(server.asked.length).toBe(1);
    second.unmount();
    session.events.tell({ type: "itemRenamed", itemId: "a" });
    expect(server.asked.length).toBe(1);
    renderHook(() => useItemPlace("a"), { wrapper: within(session) });
    await pass(0);
    expect(server.asked.length, "at once, not when events have settled").toBe(2);
    others.unmount();
  });

  test("that was refused stays beside the refusal, and is asked for when the connection is back", async () => {
    let isAway = false;
    const server = new FakeGraphql({ ItemPlace: () => (isAway ? undefined : place("a")) });
    const session = sessionOf();
    const { result } = renderHook(() => useItemPlace("a"), { wrapper: within(session) });
    await waitFor(() => expect(result.current.data).toBeTruthy());
    isAway = true;
    session.events.turn("away");
    session.events.tell({ type: "reload" });
    await pass(SETTLED);
    await waitFor(() => expect(result.current.error?.failure.code).toBe("NETWORK"));
    expect(result.current.data?.name).toBe("Orbit plan");
    isAway = false;
    act(() => session.events.turn("live"));
    await waitFor(() => expect(result.current.error).toBe(null));
    expect(server.asked.length).toBe(3);
  });

  test("that no event touches is asked for wherever it is shown anew", async () => {
    const server = new FakeGraphql({ Viewer: () => ({ viewer: { id: "ada" } }) });
    const session = sessionOf();
    const who = answer(["who"], (signal) => ask(Viewer, {}, signal));
    for (let time = 1; time <= 2; time += 1) {
      const { result, unmount } = renderHook(() => useQuery(who), { wrapper: within(session) });
      await waitFor(() => expect(result.current.data).toBeTruthy());
      await waitFor(() => expect(server.asked.length).toBe(time));
      unmount();
    }
  });
});

test("the drives come with the page, and anew after each event of drives and members", async () => {
  const drive = { id: "d", name: "Mine", kind: "personal", role: "owner", capabilities: [] } as const;
  const server = new FakeGraphql({
    Sidebar: () => ({ drives: { nodes: [{ ...drive, name: "Ours" }], pageInfo: END } }),
  });
  const session = sessionOf(new FakeEvents(), [{ ...drive, capabilities: [] }]);
  const { result } = renderHook(() => useDrives(), { wrapper: within(session) });
  expect(result.current.map(({ name }) => name)).toEqual(["Mine"]);
  session.events.tell({ type: "itemCreated", driveId: "d" });
  await pass(SETTLED);
  expect(server.asked).toEqual([]);
  session.events.tell({ type: "driveRenamed", driveId: "d" });
  await pass(SETTLED);
  await waitFor(() => expect(result.current.map(({ name }) => name)).toEqual(["Ours"]));
});

test("of more drives than come with the page the others are asked for", async () => {
  const drives = ["a", "b", "c"].map(
    (id) => ({ id, name: id, kind: "shared", role: "owner", capabilities: [] }) as const,
  );
  const pageAt = (at: number) => ({
    nodes: drives.slice(at, at + 1).map((drive) => ({ ...drive, capabilities: [] })),
    pageInfo: at + 1 < drives.length ? { hasNextPage: true, endCursor: drives[at]?.id ?? null } : END,
  });
  const server = new FakeGraphql({
    Sidebar: ({ after }) => ({ drives: pageAt(drives.findIndex(({ id }) => id === after) + 1) }),
  });
  const session = { ...sessionOf(), drives: pageAt(0) };
  const { result } = renderHook(() => useDrives().map(({ id }) => id), { wrapper: within(session) });
  expect(result.current).toEqual(["a"]);
  await waitFor(() => expect(result.current).toEqual(["a", "b", "c"]));
  expect(server.asked.length).toBe(3);
});

describe("a list of pages", () => {
  const PAGES = ["a", "b", "c"];
  const list = pages<string>(
    ["letters"],
    async (after, signal) => {
      const { trash } = await ask(TrashList, { after }, signal);
      return { entries: trash.nodes.map(({ name }) => name), next: trash.pageInfo };
    },
    (event) => event.type === "itemTrashed",
  );
  const trash = ({ after }: { after?: unknown }) => {
    const at = after === null ? 0 : PAGES.indexOf(String(after)) + 1;
    const next = at + 1 < PAGES.length ? { hasNextPage: true, endCursor: PAGES[at] } : END;
    return { trash: { nodes: [row(PAGES[at] as string)], pageInfo: next } };
  };

  test("grows as the reader asks for more, and is as long as before when it is asked for again", async () => {
    const server = new FakeGraphql({ TrashList: trash });
    const session = sessionOf();
    const { result } = renderHook(() => usePages(list), { wrapper: within(session) });
    expect(result.current.entries).toBe(null);
    await waitFor(() => expect(result.current.entries).toEqual(["a"]));
    act(() => result.current.more());
    await waitFor(() => expect(result.current.entries).toEqual(["a", "b"]));
    expect(result.current.hasMore).toBe(true);
    session.events.tell({ type: "itemTrashed" });
    await pass(SETTLED);
    await waitFor(() => expect(server.asked.length).toBe(4));
    expect(result.current.entries).toEqual(["a", "b"]);
    act(() => result.current.more());
    await waitFor(() => expect(result.current.entries).toEqual(["a", "b", "c"]));
    expect(result.current.hasMore).toBe(false);
  });

  test("keeps what it has where more of it is refused", async () => {
    const server = new FakeGraphql({ TrashList: trash });
    const session = sessionOf();
    const { result } = renderHook(() => usePages(list), { wrapper: within(session) });
    await waitFor(() => expect(result.current.entries).toEqual(["a"]));
    server.answers.TrashList = () => new Refusal("RATE_LIMITED", "too many requests");
    act(() => result.current.more());
    await waitFor(() => expect(result.current.failure?.message).toBe("too many requests"));
    expect(result.current.entries).toEqual(["a"]);
  });
});

describe("a list that is loaded whole", () => {
  const PARTS = 3;
  let rows = 2;
  const part = ({ after }: { after?: unknown }) => {
    const at = after === null ? 0 : Number(after);
    const nodes = Array.from({ length: rows }, (_, index) => row(`${at}-${index}`));
    return { trash: { nodes, pageInfo: at + 1 < PARTS ? { hasNextPage: true, endCursor: String(at + 1) } : END } };
  };
  const list = wholeList<true>(
    ["items"],
    async (after, signal) => {
      const { nodes, pageInfo } = (await ask(TrashList, { after }, signal)).trash;
      return { head: true, rows: nodes, next: pageInfo };
    },
    (event, data) => touchesItems("drive", event, data?.rows),
  );

  test("shows its first parts as they come, and stays as it is while it is loaded again", async () => {
    rows = 2;
    const server = new FakeGraphql({ TrashList: part });
    const session = sessionOf();
    const lengths: number[] = [];
    const { result } = renderHook(
      () => {
        const shown = useList(list);
        if (lengths.at(-1) !== shown.rows.length) lengths.push(shown.rows.length);
        return shown;
      },
      { wrapper: within(session) },
    );
    await waitFor(() => expect(result.current.isWhole).toBe(true));
    expect(lengths[0]).toBe(0);
    expect(lengths.at(-1)).toBe(6);
    rows = 1;
    let open = () => {};
    server.gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    session.events.tell({ type: "itemTrashed", driveId: "drive" });
    await pass(SETTLED);
    expect(server.asked.length).toBe(PARTS + 1);
    expect(result.current.rows.length).toBe(6);
    lengths.length = 0;
    open();
    await waitFor(() => expect(result.current.rows.length).toBe(3));
    expect(lengths).toEqual([3]);
    expect(server.asked.length).toBe(2 * PARTS);
  });

  test("rests a second for each of its requests before it is loaded once more", async () => {
    rows = 1;
    const server = new FakeGraphql({ TrashList: part });
    const session = sessionOf();
    const { result } = renderHook(() => useList(list), { wrapper: within(session) });
    await waitFor(() => expect(result.current.isWhole).toBe(true));
    for (const [milliseconds, requests] of [
      [SETTLED, 2 * PARTS],
      [1_500, 2 * PARTS],
      [2_000, 3 * PARTS],
    ] as const) {
      session.events.tell({ type: "itemCreated", driveId: "drive" });
      await pass(milliseconds);
      expect(server.asked.length).toBe(requests);
    }
  });

  test("shows who edited what by the event alone, also where an answer is older", async () => {
    rows = 1;
    const server = new FakeGraphql({ TrashList: part });
    const session = sessionOf();
    const { result } = renderHook(() => useList(list), { wrapper: within(session) });
    await waitFor(() => expect(result.current.isWhole).toBe(true));
    const editor = () => result.current.rows.find(({ id }) => id === "1-0")?.updatedBy.name;
    session.events.tell({ type: "itemCreated", driveId: "drive" });
    await act(async () => session.events.tell({ type: "documentEdited", driveId: "drive", itemId: "1-0" }));
    await waitFor(() => expect(editor()).toBe("Ben Franklin"));
    expect(server.asked.length).toBe(PARTS);
    await pass(SETTLED);
    await waitFor(() => expect(server.asked.length).toBe(2 * PARTS));
    expect(editor()).toBe("Ben Franklin");
  });

  test("is without a row that was taken out of it, before the server says so", async () => {
    rows = 1;
    new FakeGraphql({ TrashList: part });
    const { result } = renderHook(() => useList(list), { wrapper: within(sessionOf()) });
    await waitFor(() => expect(result.current.isWhole).toBe(true));
    act(() => result.current.remove(new Set(["0-0"])));
    await waitFor(() => expect(result.current.rows.map(({ id }) => id)).toEqual(["1-0", "2-0"]));
  });
});

test("a session is what its provider holds, with whether events come; without one there is none", async () => {
  const session = sessionOf();
  const { result } = renderHook(() => [useSession(), useViewer().name, useConnection()], { wrapper: within(session) });
  expect(result.current).toEqual([session, "Ada Lovelace", "live"]);
  act(() => session.events.turn("away"));
  expect(result.current[2]).toBe("away");
  vi.spyOn(console, "error").mockImplementation(() => undefined); // what React says of the error below
  expect(() => renderHook(() => useSession())).toThrow("there is no session here");
});
