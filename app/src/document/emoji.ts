/** Emoji that are written by their names after ":". */

import { Extension } from "@tiptap/core";
import { PluginKey } from "@tiptap/pm/state";
import { Suggestion } from "@tiptap/suggestion";
import type { Gemoji } from "gemoji";
import { createElement } from "react";
import { emojiNames, t } from "../messages/messages";
import { write } from "./linked_items";
import { menu } from "./suggestion_menu";

/** Letters from which on emoji are offered: fewer are a smiley that somebody types, or a list of words. */
const LEAST = 2;
const OFFERED = 8; // at once
const NAME = /^[\p{L}\p{N}_+-]+$/u;

export const Emoji = Extension.create({
  name: "emoji",
  addProseMirrorPlugins() {
    return [
      Suggestion<Gemoji, Gemoji>({
        pluginKey: new PluginKey("emoji"),
        editor: this.editor,
        char: ":",
        minQueryLength: LEAST,
        allow: ({ editor, state, range }) => editor.isEditable && !state.doc.resolve(range.from).parent.type.spec.code,
        items: async ({ query }) => (NAME.test(query) ? found(await load(), query) : []),
        command: ({ editor, range, props }) => write(editor, range, { type: "text", text: props.emoji }),
        render: menu(() => t.document.emoji, {
          nameOf: ({ names }: Gemoji) => names[0] ?? "",
          signOf: ({ emoji }) => createElement("span", { "aria-hidden": true, className: "emoji" }, emoji),
        }),
      }),
    ];
  },
});

/** Without the list, of which there is one of its own, what is typed stays as it is. */
async function load(): Promise<readonly Gemoji[]> {
  try {
    const [{ gemoji }, own] = await Promise.all([import("gemoji"), emojiNames()]);
    return named(gemoji, own);
  } catch {
    return [];
  }
}

/** Returns emoji with names of another language before those that they have. */
export function named(list: readonly Gemoji[], own: Readonly<Record<string, string>>): Gemoji[] {
  return list.map((each) => ({ ...each, names: [...(own[each.emoji]?.split(" ") ?? []), ...each.names] }));
}

/** Returns the emoji that are called so, or that one of their words begins so: those of that name first, then the shorter. */
export function found(list: readonly Gemoji[], query: string): Gemoji[] {
  const typed = query.toLowerCase();
  const begins = (words: readonly string[]) => words.some((each) => each.startsWith(typed));
  const ranks = [
    ({ names }: Gemoji) => names.includes(typed),
    ({ names }: Gemoji) => begins(names),
    ({ names, tags, description }: Gemoji) =>
      begins([...names.flatMap((each) => each.split("_")), ...tags, ...description.toLowerCase().split(" ")]),
  ];
  const byLength = list.toSorted((one, other) => shortest(one) - shortest(other));
  return [...new Set(ranks.flatMap((isMeant) => byLength.filter(isMeant)))].slice(0, OFFERED);
}

function shortest({ names }: Gemoji): number {
  return Math.min(...names.map(({ length }) => length));
}
