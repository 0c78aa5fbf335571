// @vitest-environment happy-dom
/** What home offers to go on with. */

import { cleanup, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import type { Row } from "../src/graphql/generated";
import { ChangedMeanwhile } from "../src/home/ChangedMeanwhile";
import { LastDocuments } from "../src/home/LastDocuments";
import { VisitProvider } from "../src/home/visit";
import { END, FakeEvents, FakeGraphql, row, sessionOf } from "./fake_graphql";
import { screenOf, withSizes } from "./screens";

beforeAll(withSizes);
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  localStorage.clear();
});

const AGENT = { userId: "ada", name: "Ada Lovelace", agent: "scribe" };
const DRIVE = { id: "drive", name: "Research", kind: "shared", role: "owner", capabilities: [] } as const;

test("the documents that one wrote in last are cards with their place and who changed them", async () => {
  const rows = [
    { ...row("Minutes"), path: [{ id: "orbit", name: "Orbit" }] },
    { ...row("Notes", { updatedBy: AGENT, driveId: "of others" }), path: null },
  ];
  const server = new FakeGraphql({ LastDocuments: () => ({ search: { nodes: rows } }) });
  const events = new FakeEvents();
  screenOf(sessionOf(events, [{ ...DRIVE, capabilities: [] }]), <LastDocuments />);
  await screen.findByRole("heading", { name: "Continue" });
  const [minutes, notes] = screen.getAllByRole("link").map((each) => [each.getAttribute("href"), each.textContent]);
  expect(minutes).toEqual(["/doc/Minutes", expect.stringMatching(/^MinutesResearch \/ OrbitYou · /)]);
  expect(notes).toEqual(["/doc/Notes", expect.stringMatching(/^Notesscribe for Ada Lovelace · /)]);
  events.tell({ type: "documentEdited", itemId: "elsewhere" });
  events.tell({ type: "documentEdited", itemId: "Notes" });
  await waitFor(() => expect(server.asked).toHaveLength(2));
});

test("whoever wrote nothing yet has nothing to go on with", async () => {
  const server = new FakeGraphql({ LastDocuments: () => ({ search: { nodes: [] } }) });
  screenOf(sessionOf(), <LastDocuments />);
  await waitFor(() => expect(server.asked).toHaveLength(1));
  expect(screen.queryByRole("heading")).toBeNull();
});

test("whoever was never here was not away, unless others changed something", async () => {
  const found: { authors: unknown[]; node: Row }[] = [];
  const server = new FakeGraphql({ ChangedSince: () => ({ search: { edges: found, pageInfo: END } }) });
  const visit = async () => {
    cleanup();
    const before = server.asked.length;
    screenOf(
      sessionOf(),
      <VisitProvider>
        <ChangedMeanwhile />
      </VisitProvider>,
    );
    await waitFor(() => expect(server.asked).toHaveLength(before + 1));
  };
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-01-08T12:00:00Z") });
  await visit();
  expect(screen.queryByRole("heading", { name: "While you were away" })).toBeNull();
  found.push({ authors: [], node: row("Plan", { updatedBy: { userId: "ben", name: "Ben", agent: null } }) });
  await visit();
  await screen.findByRole("link", { name: "Plan" });
  found.pop();
  vi.setSystemTime(Date.parse("2026-01-08T14:00:00Z"));
  await visit();
  await screen.findByText("Nothing new.");
});
