/** How a list is sorted and which kinds of items it shows, as its address says. */

import type { DriveItemType, Row } from "../graphql/generated";
import { formats } from "../messages/messages";
import { nameOf } from "../ui/authors";
import { isKind, KINDS } from "./actions";

export type Column = "name" | "by" | "changed";
/** A column; with a minus, its greatest first. */
export type Sort = Column | `-${Column}`;

/** What a list is narrowed to: items of a kind, or what software changed last. */
export type Narrowing = { type: DriveItemType } | { by: "agents" };

export type Arrangement = {
  sort?: Sort;
  type?: DriveItemType;
  by?: "agents";
};

const COMPARE: Record<Column, (one: Row, other: Row) => number> = {
  name: (one, other) => formats.compare(one.name, other.name),
  by: (one, other) => formats.compare(nameOf(one.updatedBy), nameOf(other.updatedBy)),
  changed: (one, other) => changedAt(one) - changedAt(other),
};
export const COLUMNS = Object.keys(COMPARE) as Column[];

function isSort(given: unknown): given is Sort {
  return typeof given === "string" && Object.hasOwn(COMPARE, given.replace(/^-/, ""));
}

/** Read the search of an address; what is no arrangement is left out. */
export function arrangementOf({ sort, type, by }: Record<string, unknown>): Arrangement {
  return {
    ...(isSort(sort) && { sort }),
    ...(isKind(type) && { type }),
    ...(by === "agents" && { by }),
  };
}

/** Return what makes a difference to these rows, with that which they are narrowed to now. */
export function narrowingsOf(rows: readonly Row[], { type, by }: Arrangement): Narrowing[] {
  const differs = (holds: (row: Row) => boolean) => rows.some(holds) && !rows.every(holds);
  const kinds = KINDS.filter((kind) => kind === type || differs((row) => row.driveItemType === kind));
  return [
    ...kinds.map((type) => ({ type })),
    ...(by || differs((row) => row.updatedBy.agent !== null) ? [{ by: "agents" } as const] : []),
  ];
}

/** Return the rows that are shown, in order, by name folders first; `own` is the order that they are given in, where a column has it. */
export function arranged(rows: Row[], { sort, type, by }: Arrangement, own: Sort | undefined): Row[] {
  const shown = rows.filter((row) => (!type || row.driveItemType === type) && (!by || row.updatedBy.agent !== null));
  const sorted = inOrder(shown, sort, own);
  const order = sort ?? own;
  if (order === undefined || columnOf(order) !== "name") return sorted;
  return [...sorted.filter(isFolder), ...sorted.filter((row) => !isFolder(row))];
}

function inOrder(shown: Row[], sort: Sort | undefined, own: Sort | undefined): Row[] {
  if (sort === undefined || sort === own) return shown;
  if (own !== undefined && columnOf(sort) === columnOf(own)) return shown.toReversed();
  const sorted = shown.toSorted(COMPARE[columnOf(sort)]);
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
