// @vitest-environment happy-dom
/** What the screen of a list offers to make, and what it can be narrowed to. */

import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { ListScreen } from "../src/drive/ListScreen";
import { MembersButton } from "../src/drive/MembersButton";
import { Breadcrumbs } from "../src/drive/screens";
import type { Row } from "../src/graphql/generated";
import { row, sessionOf } from "./fake_graphql";
import { screenOf, withSizes } from "./screens";

beforeAll(withSizes);
afterEach(cleanup);

const AGENT = { userId: "ada", name: "Ada Lovelace", agent: "scribe" };
const MIXED = [row("Plan", { driveItemType: "folder" }), row("Minutes"), row("Notes", { updatedBy: AGENT })];

async function listOf(rows: Row[], isWritable = true) {
  const list = { head: {}, rows, isWhole: true, failure: null, reload: () => undefined, remove: () => undefined };
  const place = isWritable ? ({ kind: "folder", id: "folder" } as const) : null;
  const drawn = screenOf(
    sessionOf(),
    <ListScreen list={list} title="Orbit" place={place} empty="Nothing" own="name" />,
  );
  await screen.findByRole("heading", { name: "Orbit" });
  return drawn;
}

const buttons = () => screen.getAllByRole("button").map((each) => each.textContent.trim());

test("what can be made in a place is in one menu, with its keys", async () => {
  await listOf(MIXED);
  fireEvent.click(screen.getByRole("button", { name: "New" }));
  await screen.findByRole("menu");
  expect(screen.getAllByRole("menuitem").map((each) => each.textContent.trim())).toEqual([
    "New documentN",
    "New folderShift + N",
    "Import Markdown…",
  ]);
  fireEvent.click(screen.getByRole("menuitem", { name: "New folder" }));
  await screen.findByRole("dialog", { name: "New folder" });
});

test("an empty place offers each, and no menu", async () => {
  await listOf([]);
  expect(buttons()).toEqual(["New document", "New folder", "Import Markdown…"]);
});

test("a place in which one makes nothing offers nothing to make", async () => {
  await listOf(MIXED, false);
  expect(screen.queryByRole("button", { name: "New" })).toBeNull();
});

test("a list is narrowed to a kind, to what agents changed, and to everything again", async () => {
  const { path } = await listOf(MIXED);
  const chosen = () => screen.getByRole("button", { pressed: true }).textContent;
  expect(chosen()).toBe("All");
  for (const [name, address] of [
    ["Documents", "/?type=docs_workbook"],
    ["Changed by agents", "/?by=agents"],
    ["All", "/"],
  ] as const) {
    fireEvent.click(screen.getByRole("button", { name }));
    await waitFor(() => expect(path()).toBe(address));
    await waitFor(() => expect(chosen()).toBe(name));
  }
});

test("a list of one kind has nothing to be narrowed to", async () => {
  await listOf([row("Minutes"), row("Notes")]);
  expect(screen.queryByRole("group", { name: "Show" })).toBeNull();
});

test.each([
  [1, ["AL"], "Ada Lovelace"],
  [4, ["AL", "BF", "CS", "DL"], "Ada Lovelace, Ben Franklin, Cleo Strand, and Dora Lane"],
  [5, ["AL", "BF", "CS", "+2"], "Ada Lovelace, Ben Franklin, Cleo Strand and 2 more"],
  [1600, ["AL", "BF", "CS", "+1,597"], "Ada Lovelace, Ben Franklin, Cleo Strand and 1,597 more"],
])("of %i members the head of a drive shows these", async (totalCount, shown, title) => {
  const names = ["Ada Lovelace", "Ben Franklin", "Cleo Strand", "Dora Lane"].slice(0, totalCount);
  const members = { nodes: names.map((name) => ({ userId: name, name })), totalCount };
  const open = vi.fn();
  screenOf(sessionOf(), <MembersButton members={members} open={open} />);
  const button = await screen.findByRole("button", { name: "Members" });
  const seen = [...button.querySelectorAll("span span")].map((each) => each.dataset.initials ?? each.textContent);
  expect([seen, button.title]).toEqual([shown, title]);
  fireEvent.click(button);
  expect(open).toHaveBeenCalledOnce();
});

test.each([
  [3, ["Research", "Level 0", "Level 1", "Level 2"]],
  [4, ["Research", "…", "Level 2", "Level 3"]],
  [40, ["Research", "…", "Level 38", "Level 39"]],
])("a way through %i folders has these steps", async (depth, steps) => {
  const path = Array.from({ length: depth }, (_, level) => ({ id: `${level}`, name: `Level ${level}` }));
  const above = { drive: { id: "research", name: "Research", kind: "shared", role: "owner" } as const, path };
  const drawn = screenOf(sessionOf(), <Breadcrumbs above={above} />);
  const shown = await screen.findAllByRole("listitem");
  expect(shown.map((each) => each.textContent)).toEqual(steps);
  if (!steps.includes("…")) return;
  fireEvent.click(screen.getByRole("button", { name: "The folders between" }));
  const between = await screen.findAllByRole("menuitem");
  expect(between.map((each) => each.textContent)).toEqual(path.slice(0, -2).map(({ name }) => name));
  fireEvent.click(screen.getByRole("menuitem", { name: "Level 1" }));
  await waitFor(() => expect(drawn.path()).toBe("/folder/1"));
});
