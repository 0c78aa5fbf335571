/** Which changes are marked in the text: the list of changes says it, and the editor draws it. */

import { createContext, useContext, useEffect } from "react";
import type { MarkedChange } from "../graphql/generated";

/** A change with where its text stands in the Yjs document. */
export type Mark = Pick<MarkedChange, "id" | "insertedRanges" | "deletedRanges">;

export const MarksContext = createContext<(marks: readonly Mark[]) => void>(() => undefined);

/** Marks these changes in the text, as long as this is shown. */
export function useMarks(marks: readonly Mark[] | null) {
  const mark = useContext(MarksContext);
  useEffect(() => {
    mark(marks ?? []);
    return () => mark([]);
  }, [mark, marks]);
}
