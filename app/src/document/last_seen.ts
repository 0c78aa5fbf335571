/** Up to which revision the reader has seen each document, as this browser remembers it. */

const MOST = 500; // documents

/** Returns the revision at which the reader saw the document last; null where this browser knows of none. */
export function lastSeen(userId: string, documentId: string): number | null {
  return remembered(userId).find(([id]) => id === documentId)?.[1] ?? null;
}

export function remember(userId: string, documentId: string, revision: number) {
  const others = remembered(userId).filter(([id]) => id !== documentId);
  localStorage.setItem(keyOf(userId), JSON.stringify([[documentId, revision], ...others].slice(0, MOST)));
}

function keyOf(userId: string): string {
  return `looked-${userId}`;
}

function remembered(userId: string): [string, number][] {
  try {
    const held: unknown = JSON.parse(localStorage.getItem(keyOf(userId)) ?? "[]");
    return Array.isArray(held) ? held.filter(isEntry) : [];
  } catch {
    return []; // what this application did not write
  }
}

function isEntry(each: unknown): each is [string, number] {
  return Array.isArray(each) && typeof each[0] === "string" && Number.isSafeInteger(each[1]) && each[1] >= 0;
}
