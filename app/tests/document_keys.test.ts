// @vitest-environment happy-dom
/** Are the keys of the editor those that `?` shows? */

import { type Editor, getExtensionField } from "@tiptap/core";
import { expect, test } from "vitest";
import { KEYS, type Key } from "../src/ui/key_table";
import { documentOf, editorOf } from "./editors";

/** What the keys of any text do, which no list of shortcuts names. */
const PLAIN =
  /^((Mod|Shift|Alt|Ctrl|Ctrl-Alt)-)?(Backspace|Delete|Enter|ArrowUp|ArrowDown|ArrowLeft|ArrowRight|a|d|e|h)$/;
const SHOWN = new Set(Object.values(KEYS).flatMap(({ keys }: Key) => (keys ?? []).map(normal)));

/** Return a key with what is held in one order, and its letter small. */
function normal(key: string): string {
  const parts = key.split(/-(?=.)/);
  const last = parts.pop() as string;
  return [...parts.sort(), last.length === 1 ? last.toLowerCase() : last].join("-");
}

function boundIn(editor: Editor): string[] {
  return editor.extensionManager.extensions.flatMap((extension) => {
    const { name, options, storage } = extension;
    const given = { name, options, storage, editor, type: editor.schema.nodes[name] ?? editor.schema.marks[name] };
    const keys = getExtensionField<(() => object) | undefined>(extension, "addKeyboardShortcuts", given);
    return Object.keys(keys?.() ?? {}).map(normal);
  });
}

test("every key that the editor binds is shown", () => {
  const bound = boundIn(editorOf(documentOf(["words"])));
  expect(bound.length).toBeGreaterThan(40);
  expect([...new Set(bound)].filter((key) => !SHOWN.has(key) && !PLAIN.test(key))).toEqual([]);
});

test("every key of the editor that is shown is bound", () => {
  const bound = new Set(boundIn(editorOf(documentOf(["words"]))));
  expect([...SHOWN].filter((key) => !bound.has(key))).toEqual([]);
});
