/** What was written and is in no view, kept in this tab until its writer has answered: a reload of the page forgets nothing. */

import type { AuthorName } from "../ui/authors";

export type Unseen = {
  readonly text: string;
  /** Who deleted the block; null where that is not known. */
  readonly deletedBy: AuthorName | null;
  readonly revision: number;
};

export class KeptUnseen {
  private readonly key: string;

  constructor(readerId: string, documentId: string) {
    this.key = `unseen ${readerId} ${documentId}`;
  }

  read(): readonly Unseen[] {
    const kept: unknown = JSON.parse(sessionStorage.getItem(this.key) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  }

  write(unseen: readonly Unseen[]) {
    if (unseen.length) sessionStorage.setItem(this.key, JSON.stringify(unseen));
    else sessionStorage.removeItem(this.key);
  }
}

/** Adds what is told; text that goes on comes in parts. */
export function withUnseen(before: readonly Unseen[], told: Unseen): readonly Unseen[] {
  const last = before.at(-1);
  if (last && JSON.stringify(last.deletedBy) === JSON.stringify(told.deletedBy))
    return [...before.slice(0, -1), { ...told, text: last.text + told.text }];
  return [...before, told];
}
