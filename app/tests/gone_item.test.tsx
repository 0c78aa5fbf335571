// @vitest-environment happy-dom
import { act, cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { GoneItem, useLastSeen } from "../src/drive/GoneItem";
import type { ViewerEvent } from "../src/graphql/events";
import type { Row } from "../src/graphql/generated";
import { Toasts } from "../src/ui/toasts";
import { FakeEvents, FakeGraphql, Refusal, row, sessionOf, shown } from "./fake_graphql";

const PLACED = {
  ...row("doc", { name: "Minutes", capabilities: ["trash"] }),
  drive: { id: "drive", name: "Engineering", kind: "shared", role: "contributor" },
  ancestors: [{ id: "folder", name: "Projects" }],
};

afterEach(cleanup);

function Screen() {
  const last = useLastSeen("doc");
  if (last.item === null) return <p>Loading</p>;
  return <GoneItem id="doc" last={last} unsaved={<p>not saved</p>} />;
}

const ENDED = { by: { userId: "ben", name: "Ben Franklin", agent: null }, at: "2026-01-02T00:00:00.000Z" };

function begun(trash: Row[] = [], accessEnd: typeof ENDED | null = null) {
  const events = new FakeEvents();
  const answers = [{ driveItem: PLACED }, new Refusal("NOT_FOUND", "not found")];
  const server = new FakeGraphql({
    AccessEnd: () => ({ viewer: { accessEnd } }),
    ItemPlace: () => (answers.length > 1 ? answers.shift() : answers[0]),
    TrashList: () => ({ trash: { nodes: trash, pageInfo: { hasNextPage: false, endCursor: null } } }),
  });
  shown(
    sessionOf(events),
    <Toasts>
      <Screen />
    </Toasts>,
  );
  return { events, server };
}

test.each([
  [{ type: "itemDeleted", itemId: "doc" }, "Ben Franklin deleted “Minutes” forever"],
  [{ type: "itemMoved", itemId: "doc" }, "Ben Franklin moved “Minutes” to a place that you cannot see"],
  [{ type: "itemTrashed", itemId: "folder" }, "Ben Franklin moved “Projects” to the trash"],
] as [Partial<ViewerEvent> & Pick<ViewerEvent, "type">, string][])(
  "after %o it says who did what",
  async (event, words) => {
    const { events } = begun();
    await screen.findByText(/Your access to “Minutes” ended/);
    await act(async () => events.tell(event));
    expect((await screen.findByText(/Ben Franklin/)).textContent).toContain(words);
    screen.getByText("not saved");
  },
);

test("it says who ended one's access, where the server tells", async () => {
  begun([], ENDED);
  const words = await screen.findByText(/Ben Franklin ended your access to “Minutes”/);
  expect(words.textContent).toContain("Ask whoever may share it");
});

test("whoever ended it oneself reads so", async () => {
  begun([], { ...ENDED, by: { ...ENDED.by, userId: "ada", name: "Ada Lovelace" } });
  await screen.findByText(/You ended your access to “Minutes”/);
});

test("what is in the trash is restored by whoever may", async () => {
  const { events } = begun([{ ...PLACED, trashedAt: "2026-01-02T00:00:00.000Z" }]);
  await screen.findByText(/It was moved there/);
  await act(async () => events.tell({ type: "itemTrashed", itemId: "doc" }));
  await screen.findByText("“Minutes” is in the trash");
  screen.getByText(/Ben Franklin moved it there/);
  screen.getByRole("button", { name: "Restore" });
});

test("what happens elsewhere is no word about it", async () => {
  const { events } = begun();
  await screen.findByText(/Your access to “Minutes” ended/);
  await act(async () => events.tell({ type: "itemTrashed", itemId: "another" }));
  screen.getByText(/Your access to “Minutes” ended/);
});
