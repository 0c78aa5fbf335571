/** What typing offers: blocks after "/" and people after "@", in a list box that the text controls. */

import { type Editor, Extension, type Range } from "@tiptap/core";
import { Mention, type MentionNodeAttrs } from "@tiptap/extension-mention";
import { Suggestion } from "@tiptap/suggestion";
import { createElement } from "react";
import { t } from "../messages/messages";
import { type Block, found, toolLabel, wordsBegin } from "./blocks";
import { type FindItems, found as foundItems, type LinkedItem, linkItem, PAUSE, pathOf, write } from "./linked_items";
import type { Person } from "./people";
import { shownKeys } from "./shown_keys";
import { menu } from "./suggestion_menu";

const OFFERED = 8; // people at once

export const SlashMenu = Extension.create({
  name: "slashMenu",
  addProseMirrorPlugins() {
    return [
      Suggestion<Block, Block>({
        editor: this.editor,
        char: "/",
        allow: ({ editor, state, range }) => editor.isEditable && !state.doc.resolve(range.from).parent.type.spec.code,
        items: ({ query }) => [...found(query)],
        command: ({ editor, range, props }) => props.run(editor.chain().focus().deleteRange(range)).run(),
        render: menu(() => t.document.blocks, {
          nameOf: ({ name }: Block) => toolLabel(name),
          signOf: ({ sign }) => createElement(sign, { "aria-hidden": true, size: 16 }),
          keysOf: ({ keys }) => (keys ? shownKeys(keys) : ""),
        }),
      }),
    ];
  },
});

/** Somebody who can be mentioned, or an item that can be linked. */
type Meant = MentionNodeAttrs & { item?: LinkedItem };

/** The node of mentions, which offers people, and items where nobody is meant; `load` gets those that can be mentioned. */
export function mentions(load: () => Promise<readonly Person[]>, find: FindItems) {
  let people = load;
  return Mention.configure({
    suggestion: {
      async items({ query, signal }): Promise<Meant[]> {
        if (query === "") {
          const loading = load();
          people = () => loading;
        }
        const known = await people().catch(() => []);
        const meant = known.filter(({ name }) => wordsBegin(name, query)).slice(0, OFFERED);
        if (meant.length || query === "") return meant.map(({ userId, name }) => ({ id: userId, label: name }));
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
        if (signal.aborted) return [];
        return (await foundItems(find, query, signal)).map((item) => ({ id: item.id, label: item.name, item }));
      },
      command({ editor, range, props: meant }: { editor: Editor; range: Range; props: Meant }) {
        if (meant.item) linkItem(editor, range, meant.item);
        else write(editor, range, { type: "mention", attrs: { ...meant, mentionSuggestionChar: "@" } });
      },
      render: menu(() => t.document.people, {
        nameOf: ({ label }: Meant) => label ?? "",
        besideOf: ({ item }) => (item ? pathOf(item) : ""),
        nothing: () => t.document.nothingFound,
      }),
    },
  });
}
