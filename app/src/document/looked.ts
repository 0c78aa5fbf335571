/** Up to which revision the reader has seen each document, as this browser remembers it. */

import { boot } from "../boot";

const KEY = `looked-${boot.viewer.id}`;
const MOST = 500; // documents

/** Returns the revision at which the document was looked at last; null where this browser knows of none. */
export function lookedAt(documentId: string): number | null {
  return remembered().find(([id]) => id === documentId)?.[1] ?? null;
}

export function look(documentId: string, revision: number) {
  const others = remembered().filter(([id]) => id !== documentId);
  localStorage.setItem(KEY, JSON.stringify([[documentId, revision], ...others].slice(0, MOST)));
}

function remembered(): [string, number][] {
  try {
    const held: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(held) ? held.filter(isLook) : [];
  } catch {
    return []; // what this application did not write
  }
}

function isLook(each: unknown): each is [string, number] {
  return Array.isArray(each) && typeof each[0] === "string" && Number.isSafeInteger(each[1]) && each[1] >= 0;
}
