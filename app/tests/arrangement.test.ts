import { expect, test } from "vitest";
import { type Arrangement, arranged, arrangementOf, narrowingsOf, type Sort, sortBy } from "../src/drive/arrangement";
import type { DriveItemType } from "../src/graphql/generated";
import { row } from "./fake_graphql";

const ROWS = (
  [
    ["Figs", "viz_workbook", 4],
    ["Pears", "docs_workbook", 1],
    ["quinces", "docs_workbook", 3],
    ["Sacks", "folder", 2],
  ] as [string, DriveItemType, number][]
).map(([name, driveItemType, day]) => row(name, { name, driveItemType, updatedAt: `2026-01-0${day}T00:00:00.000Z` }));

test.each([
  [{}, "name", "Sacks Figs Pears quinces"],
  [{ sort: "-name" }, "name", "Sacks quinces Pears Figs"],
  [{ sort: "name" }, "-changed", "Sacks Figs Pears quinces"],
  [{ sort: "-changed" }, "name", "Figs quinces Sacks Pears"],
  [{ sort: "changed" }, "name", "Pears Sacks quinces Figs"],
  [{ type: "docs_workbook" }, "name", "Pears quinces"],
  [{}, undefined, "Figs Pears quinces Sacks"],
] as [Arrangement, Sort | undefined, string][])("%o of a list by %s is %s", (arrangement, own, names) => {
  expect(
    arranged(ROWS, arrangement, own)
      .map(({ name }) => name)
      .join(" "),
  ).toBe(names);
});

test("an address that names no order and no kind has none", () => {
  expect(arrangementOf({ sort: "colour", type: "toString", by: "people" })).toEqual({});
  expect(arrangementOf({ sort: "-by", type: "folder", other: 1 })).toEqual({ sort: "-by", type: "folder" });
});

test("a header reverses its own order, and times begin with the newest", () => {
  expect([sortBy("name", "changed"), sortBy("name", "name"), sortBy("name", "-name")]).toEqual([
    "name",
    "-name",
    "name",
  ]);
  expect([sortBy("changed", "name"), sortBy("changed", "-changed")]).toEqual(["-changed", "changed"]);
});

test("a list is narrowed by what some of its rows are, and by what is chosen", () => {
  const kinds = [{ type: "folder" }, { type: "docs_workbook" }, { type: "viz_workbook" }];
  expect(narrowingsOf(ROWS, {})).toEqual(kinds);
  expect(narrowingsOf(ROWS.slice(1, 3), {})).toEqual([]);
  expect(narrowingsOf(ROWS.slice(1, 3), { type: "folder" })).toEqual([{ type: "folder" }]);
  const byAgent = row("Notes", { updatedBy: { userId: "ada", name: "Ada", agent: "scribe" } });
  expect(narrowingsOf([row("Minutes"), byAgent], {})).toEqual([{ by: "agents" }]);
  expect(arranged([...ROWS, byAgent], { by: "agents" }, "name")).toEqual([byAgent]);
});
