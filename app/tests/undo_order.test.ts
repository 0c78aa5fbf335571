/** What one person undoes and redoes in blocks that come and go, beside somebody else who types, reads the same to both. */

import assert from "node:assert/strict";
import { test } from "vitest";
import * as Y from "yjs";
import { mendUndo } from "../src/document/yjs_internals.ts";

const STEPS = 14;
const FOUND = [7487, 7539, 14219, 14882, 14931, 16844, 17503]; // among the first 20,000 walks, with Yjs alone

test("with Yjs alone they read different orders", () => {
  for (const seed of FOUND) assert.notEqual(...walk(seed));
});

test("mended, they read the same", () => {
  mended(() => {
    for (const seed of [...FOUND, ...Array(1_000).keys()]) assert.equal(...walk(seed));
  });
});

test("with Yjs alone an undo in a restored block that others deleted throws", () => {
  assert.throws(undoInDeleted, TypeError);
});

test("mended, it restores nothing, and the one after it does its work", () => {
  mended(() => assert.deepEqual(undoInDeleted(), ["<paragraph>b</paragraph>", "<paragraph></paragraph>"]));
});

function mended(ask: () => void) {
  const { integrate, gc } = Y.Item.prototype;
  mendUndo();
  try {
    ask();
  } finally {
    Object.assign(Y.Item.prototype, { integrate, gc });
  }
}

/** Returns what two undos lead to, of which the first restores a letter of a block that is not there any more. */
function undoInDeleted(): string[] {
  const document = new Y.Doc();
  const root = document.getXmlFragment("default");
  const history = new Y.UndoManager(root, { trackedOrigins: new Set(["mine"]), captureTimeout: 0 });
  const write = (edit: () => void) => document.transact(edit, "mine");
  root.insert(0, [paragraph("a"), paragraph("")]);
  write(() => textAt(root, 1)?.insert(0, "b"));
  write(() => textAt(root, 0)?.delete(0, 1));
  write(() => root.delete(0, 1));
  history.undo();
  write(() => textAt(root, 0)?.insert(0, "c"));
  history.undo();
  write(() => textAt(root, 1)?.insert(1, "d")); // nothing can be redone any more, so that Yjs lets go of the block
  root.delete(0, 1);
  history.undo();
  return [history, history].map((stack) => {
    stack.undo();
    return root.toString();
  });
}

const paragraph = (text: string) => {
  const made = new Y.XmlElement("paragraph");
  made.insert(0, [new Y.XmlText(text)]);
  return made;
};

/** Returns what the two read in the end. */
function walk(seed: number): [string, string] {
  const chance = chances(seed * 7919 + 13);
  for (let time = 0; time < 5; time += 1) chance(10);
  const [mine, other] = [new Y.Doc(), new Y.Doc()];
  mine.clientID = 10 + chance(5) * 10;
  other.clientID = 25;
  for (const [from, to] of [
    [mine, other],
    [other, mine],
  ] as const)
    from.on("update", (update: Uint8Array, origin: unknown) => origin !== from && Y.applyUpdate(to, update, to));
  const [root, others] = [mine.getXmlFragment("default"), other.getXmlFragment("default")];
  const history = new Y.UndoManager(root, { trackedOrigins: new Set(["mine"]), captureTimeout: 0 });
  const write = (edit: () => void) => mine.transact(edit, "mine");
  write(() => root.insert(0, [paragraph("abcd")]));
  for (let step = 0; step < STEPS; step += 1) {
    const kind = chance(10);
    const at = root.length ? chance(root.length) : 0;
    const text = textAt(root, at);
    if (kind < 2 && text) {
      const place = chance(text.length + 1);
      write(() => text.insert(place, String.fromCharCode(65 + step)));
    } else if (kind < 4 && text?.length) {
      const place = chance(text.length);
      const length = Math.min(1 + chance(2), text.length - place);
      write(() => text.delete(place, length));
    } else if (kind < 5 && text) {
      write(() => root.delete(0, 1));
    } else if (kind < 6 && text) {
      write(() => {
        root.insert(at, [paragraph(text.toString())]);
        root.delete(at + 1, 1);
      });
    } else if (kind < 8) history.undo();
    else if (kind < 9) history.redo();
    else if (text) {
      const first = textAt(others, 0);
      first?.insert(chance(first.length + 1), "é");
    }
  }
  return [root.toString(), others.toString()];
}

function textAt(fragment: Y.XmlFragment, at: number): Y.XmlText | null {
  if (!fragment.length) return null;
  return (fragment.get(at) as Y.XmlElement).get(0) as Y.XmlText;
}

function chances(seed: number) {
  let now = seed;
  return (most: number): number => {
    now = (now * 48271) % 2147483647;
    return now % most;
  };
}
