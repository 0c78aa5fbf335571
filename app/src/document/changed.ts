/** What changed of a document, as little as it is: the binding draws all of it anew where others write. */

import type { Node } from "@tiptap/pm/model";
import type { Transaction } from "@tiptap/pm/state";
import { Mapping, StepMap } from "@tiptap/pm/transform";
import { ySyncPluginKey } from "y-prosemirror";

/** Returns the stretch in which two documents differ; null where they do not. */
export function changedIn(before: Node, doc: Node): { from: number; beforeTo: number; to: number } | null {
  const from = doc.content.findDiffStart(before.content);
  const end = doc.content.findDiffEnd(before.content);
  if (from === null || end === null) return null;
  // what is repeated can be counted to both sides
  const overlap = Math.max(0, from - Math.min(end.a, end.b));
  return { from, to: end.a + overlap, beforeTo: end.b + overlap };
}

/** Returns where places are after a transaction, also one that drew what others wrote. */
export function mappingOf(transaction: Transaction): Mapping {
  const { before, doc, mapping } = transaction;
  if (!transaction.docChanged || transaction.getMeta(ySyncPluginKey) === undefined) return mapping;
  const changed = changedIn(before, doc);
  if (!changed) return new Mapping();
  const { from, beforeTo, to } = changed;
  return new Mapping([new StepMap([from, beforeTo - from, to - from])]);
}
