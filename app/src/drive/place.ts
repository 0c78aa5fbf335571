import { useMemo } from "react";
import { type Answer, type AnswerSource, useAnswer } from "../graphql/answer";
import { ask } from "../graphql/ask";
import { ItemPlace, type ItemPlaceData } from "../graphql/generated";

export type PlacedItem = NonNullable<ItemPlaceData["driveItem"]>;

/** Keeps an item with where it lies, as it is now; null where the reader sees no such item. */
export function useItemPlace(id: string): Answer<PlacedItem | null> {
  const source = useMemo<AnswerSource<PlacedItem | null>>(
    () => ({
      load: async () => (await ask(ItemPlace, { id })).driveItem,
      concerns({ type, itemId, driveId }, shown) {
        if (type === "documentEdited") return false;
        if (itemId === null) return driveId === null || driveId === shown?.drive.id;
        return itemId === id || !!shown?.ancestors.some((step) => step.id === itemId);
      },
    }),
    [id],
  );
  return useAnswer(source);
}
