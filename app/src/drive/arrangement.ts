/** How a list is sorted and which kinds of items it shows, as its address says. */

import type { DriveItemType, Row } from "../graphql/generated";
import { nameOf } from "../ui/authors";
import { KINDS } from "./actions";

export type Column = "name" | "by" | "changed";
/** A column; with a minus, its greatest first. */
export type Sort = Column | `-${Column}`;

export type Arrangement = {
  sort?: Sort;
  type?: DriveItemType;
};

const { compare } = new Intl.Collator("en");

const COLUMNS: Record<Column, { title: string; compare: (one: Row, other: Row) => number }> = {
  name: { title: "Name", compare: (one, other) => compare(one.name, other.name) },
  by: { title: "Changed by", compare: (one, other) => compare(nameOf(one.updatedBy), nameOf(other.updatedBy)) },
  changed: { title: "Changed", compare: (one, other) => changedAt(one) - changedAt(other) },
};
export const TITLES = Object.entries(COLUMNS).map(([name, { title }]) => [name as Column, title] as const);

export const SORTS: Record<Sort, string> = {
  name: "Name, first to last",
  "-name": "Name, last to first",
  by: "Changed by, first to last",
  "-by": "Changed by, last to first",
  "-changed": "Newest first",
  changed: "Oldest first",
};

/** Read the search of an address; what is no arrangement is left out. */
export function arrangementOf({ sort, type }: Record<string, unknown>): Arrangement {
  return {
    ...(typeof sort === "string" && Object.hasOwn(SORTS, sort) && { sort: sort as Sort }),
    ...(typeof type === "string" && Object.hasOwn(KINDS, type) && { type: type as DriveItemType }),
  };
}

/** Return the rows that are shown, in order, by name folders first; `own` is the order that they are given in, where a column has it. */
export function arranged(rows: Row[], { sort, type }: Arrangement, own: Sort | undefined): Row[] {
  const shown = type ? rows.filter((row) => row.driveItemType === type) : rows;
  const sorted = inOrder(shown, sort, own);
  const order = sort ?? own;
  if (order === undefined || columnOf(order) !== "name") return sorted;
  return [...sorted.filter(isFolder), ...sorted.filter((row) => !isFolder(row))];
}

function inOrder(shown: Row[], sort: Sort | undefined, own: Sort | undefined): Row[] {
  if (sort === undefined || sort === own) return shown;
  if (own !== undefined && columnOf(sort) === columnOf(own)) return shown.toReversed();
  const sorted = shown.toSorted(COLUMNS[columnOf(sort)].compare);
  return isDescending(sort) ? sorted.toReversed() : sorted;
}

function isFolder({ driveItemType }: Row): boolean {
  return driveItemType === "folder";
}

/** The order that the header of a column leads to: times begin with the newest, words with the first. */
export function sortBy(column: Column, present: Sort | undefined): Sort {
  if (present === column) return `-${column}`;
  return column === "changed" && present !== "-changed" ? "-changed" : column;
}

export function columnOf(sort: Sort): Column {
  return sort.replace("-", "") as Column;
}

export function isDescending(sort: Sort): boolean {
  return sort.startsWith("-");
}

/** The moment that the list shows, in milliseconds since 1970. */
function changedAt({ trashedAt, updatedAt }: Row): number {
  return Date.parse(trashedAt ?? updatedAt);
}
