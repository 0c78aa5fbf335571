import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { ask } from "../graphql/ask";
import { isNotice } from "../graphql/events";
import {
  AccessEnd,
  type AccessEndData,
  ItemPlace,
  type ItemPlaceData,
  type Row,
  TrashList,
} from "../graphql/generated";
import { answer } from "../graphql/queries";

export type PlacedItem = NonNullable<ItemPlaceData["driveItem"]>;

/** An item with where it lies; null where the reader sees no such item. */
export function itemPlace(id: string) {
  return answer<PlacedItem | null>(
    ["place", id],
    async (signal) => (await ask(ItemPlace, { id }, signal)).driveItem,
    ({ type, itemId, driveId }, item) => {
      if (type === "documentEdited") return false;
      if (itemId === null) return driveId === null || driveId === item?.drive.id;
      return itemId === id || !!item?.ancestors.some((step) => step.id === itemId);
    },
  );
}

/** Who ended the reader's access to an item, and when; null where the server tells of nobody. */
export function accessEnd(id: string) {
  return answer<AccessEndData["viewer"]["accessEnd"]>(
    ["access-end", id],
    async (signal) => (await ask(AccessEnd, { id }, signal)).viewer.accessEnd,
    isNotice,
  );
}

/** An item that was moved to the trash, where the reader sees it there among the last; null where they do not. */
export function trashedItem(id: string) {
  return answer<Row | null>(
    ["trashed", id],
    async (signal) => (await ask(TrashList, {}, signal)).trash.nodes.find((row) => row.id === id) ?? null,
    ({ itemId }) => itemId === id,
  );
}

/** Keeps an item with where it lies, as it is now. */
export function useItemPlace(id: string): UseQueryResult<PlacedItem | null> {
  return useQuery(itemPlace(id));
}
