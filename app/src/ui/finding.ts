import { createContext, type RefObject } from "react";

/** Looks for words in the text that is shown. */
export type Finding = {
  open: () => void;
  /** The field for the words, where it is shown. */
  field: RefObject<HTMLInputElement | null>;
};

/** What looks for words in the text that is shown; null where there is none. */
export const FindingContext = createContext<Finding | null>(null);
