// @vitest-environment happy-dom
/** What home offers to go on with. */

import { cleanup, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeAll, expect, test } from "vitest";
import { LastDocuments } from "../src/home/LastDocuments";
import { FakeEvents, FakeGraphql, row, sessionOf } from "./fake_graphql";
import { screenOf, withSizes } from "./screens";

beforeAll(withSizes);
afterEach(cleanup);

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
