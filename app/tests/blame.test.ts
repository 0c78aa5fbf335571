import { afterEach, expect, test, vi } from "vitest";
import { Awareness } from "y-protocols/awareness";
import * as Y from "yjs";
import { AuthorIndex, type Run } from "../src/document/blame/author_index";
import { Credits } from "../src/document/blame/credits";
import { type CreditedBlock, notesOf } from "../src/document/blame/margin_notes";
import { FakeEvents, FakeGraphql, Refusal } from "./fake_graphql";

const ADA = { userId: "ada", name: "Ada Lovelace", agent: null };
const BEN = { userId: "ben", name: "Ben Franklin", agent: null };
const AGENT = { userId: "ada", name: "Ada Lovelace", agent: "research-assistant" };
const AT = "2026-01-01T10:00:00.000Z";

function credited(revision: number, ranges: [number, number, number, number][], moved: typeof ranges = []) {
  const authors = [ADA, BEN, AGENT].map((author) => ({ ...author, editedAt: AT }));
  return { revision, authors, ranges, movers: authors, moved };
}

afterEach(() => vi.useRealTimers());

function indexOf(server: FakeGraphql, told = vi.fn()) {
  const doc = new Y.Doc();
  const awareness = new Awareness(doc);
  const events = new FakeEvents();
  const index = new AuthorIndex({ documentId: "plan", reader: ADA, doc, awareness, events }, told);
  return { index, doc, awareness, events, told, server };
}

const names = (runs: readonly Run[]) => runs.map(({ from, to, author }) => [from, to, author.agent ?? author.name]);

test("letters are credited range by range, and those between are nobody's", () => {
  const credits = new Credits(
    credited(
      7,
      [
        [1, 0, 3, 0],
        [1, 5, 2, 1],
      ],
      [[1, 5, 2, 2]],
    ),
  );
  const found = [...credits.of(1, 1, 7)].map(([length, credit]) => [length, credit?.author.name ?? null]);
  expect(found).toEqual([
    [2, "Ada Lovelace"],
    [2, null],
    [2, "Ben Franklin"],
    [1, null],
  ]);
  expect([...credits.of(1, 5, 1)][0]?.[1]?.moved?.author).toMatchObject(AGENT);
  expect([...credits.of(2, 0, 4)]).toEqual([[4, null]]);
});

test("what the server has not said is the reader's, or of whoever is here with that client, and asked for otherwise", async () => {
  const server = new FakeGraphql({ DocumentCredits: () => ({ document: { credits: credited(3, [[9, 0, 2, 1]]) } }) });
  const { index, doc, awareness, told } = indexOf(server);
  await vi.waitFor(() => expect(told).toHaveBeenCalledWith({ revision: 3 }));
  awareness.states.set(5, { user: { id: "ada", name: "Ada Lovelace", agent: "research-assistant" } });
  awareness.emit("change", [{ added: [5], updated: [], removed: [] }, "test"]);
  const letters = [
    { from: 1, client: 9, clock: 0, length: 2 },
    { from: 3, client: doc.clientID, clock: 0, length: 1 },
    { from: 4, client: 5, clock: 0, length: 3 },
  ];
  expect(names(index.runs(letters))).toEqual([
    [1, 3, "Ben Franklin"],
    [3, 4, "Ada Lovelace"],
    [4, 7, "research-assistant"],
  ]);
  expect(server.asked.length).toBe(1);
  const unknown = [{ from: 1, client: 77, clock: 0, length: 1 }];
  expect(index.runs(unknown)).toEqual([]);
  expect(server.asked.length, "nothing came since the server was asked").toBe(1);
  doc.getText("t").insert(0, "a");
  index.runs(unknown);
  expect(server.asked.length).toBe(2);
});

test("the server is asked again after an event of the document, once for all that come meanwhile, and not when it is gone", async () => {
  let open = () => {};
  const server = new FakeGraphql({ DocumentCredits: () => ({ document: { credits: credited(3, []) } }) });
  server.gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const { index, events, told } = indexOf(server);
  for (let time = 0; time < 5; time += 1) events.tell({ type: "documentEdited", itemId: "plan" });
  events.tell({ type: "documentEdited", itemId: "other" });
  expect(server.asked.length).toBe(1);
  open();
  await vi.waitFor(() => expect(told).toHaveBeenCalledTimes(2));
  expect(server.asked.length).toBe(2);
  index.destroy();
  events.tell({ type: "reload" });
  await index.refresh();
  expect(server.asked.length).toBe(2);
});

test("what the server refuses is told", async () => {
  const { told } = indexOf(new FakeGraphql({ DocumentCredits: () => new Refusal("NOT_FOUND", "nothing is here") }));
  const failure = { code: "NOT_FOUND", message: "nothing is here" };
  await vi.waitFor(() => expect(told).toHaveBeenCalledWith({ failure }));
});

test("blocks of the same authors that follow each other have one note, and those of nobody none", () => {
  const run = (author: typeof ADA, at = AT) => ({ author, at, key: author.userId, from: 0, to: 1 });
  const blocks: CreditedBlock[] = [
    { place: 0, isInView: false, runs: [run(ADA)] },
    { place: 5, isInView: true, runs: [run(ADA)] },
    { place: 9, isInView: true, runs: [] },
    { place: 11, isInView: true, runs: null },
    { place: 14, isInView: true, runs: [run(BEN), run(ADA), run(BEN, "2026-01-01T11:00:00.000Z")] },
  ];
  const all = notesOf(blocks, new Set());
  expect(all.spans).toEqual([
    { first: 0, last: 5 },
    { first: 14, last: 14 },
  ]);
  expect(all.notes.map(({ isInView }) => isInView)).toEqual([true, true]);
  expect(all.notes[1]?.credits.map(({ author, at }) => [author.name, at.slice(11, 13)])).toEqual([
    ["Ben Franklin", "11"],
    ["Ada Lovelace", "10"],
  ]);
  expect(notesOf(blocks, new Set(["ben"])).spans).toEqual([{ first: 14, last: 14 }]);
});
