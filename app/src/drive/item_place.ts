import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { ask } from "../graphql/ask";
import { ItemPlace, type ItemPlaceData, type Row, TrashList } from "../graphql/generated";
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
