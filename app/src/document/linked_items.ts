/** Links to documents and folders by their names: offered after "[[", and after "@" where nobody is called so. */

import { type Editor, Extension, type JSONContent, type Range } from "@tiptap/core";
import { PluginKey } from "@tiptap/pm/state";
import { Suggestion } from "@tiptap/suggestion";
import { ask } from "../graphql/ask";
import { FoundItems, type FoundItemsData, ItemPlace } from "../graphql/generated";
import { answer } from "../graphql/queries";
import { t } from "../messages/messages";
import { wordsBegin } from "./blocks";
import { menu } from "./suggestion_menu";

/** An item that can be linked. */
export type LinkedItem = FoundItemsData["search"]["nodes"][number];

/** Finds what the reader sees by words; without words what was changed last. */
export type FindItems = (words: string, signal: AbortSignal) => Promise<readonly LinkedItem[]>;

const MOST = 100; // letters of a name that is looked for
export const PAUSE = 120; // milliseconds without a letter after which the server is asked

/** Find items but the document itself. */
export function itemsBeside(documentId: string): FindItems {
  return async (words, signal) =>
    (await ask(FoundItems, { text: words }, signal)).search.nodes.filter(({ id }) => id !== documentId);
}

export function linkedItems(find: FindItems) {
  return Extension.create({
    name: "linkedItems",
    addProseMirrorPlugins() {
      return [
        Suggestion<LinkedItem, LinkedItem>({
          pluginKey: new PluginKey("linkedItems"),
          editor: this.editor,
          char: "[[",
          allowSpaces: true,
          allowedPrefixes: null,
          debounce: PAUSE,
          allow: ({ editor, state, range }) =>
            editor.isEditable && !state.doc.resolve(range.from).parent.type.spec.code,
          items: async ({ query, signal }) => [...(await found(find, query, signal))],
          command: ({ editor, range, props }) => linkItem(editor, range, props),
          render: menu(() => t.document.items, {
            nameOf,
            besideOf: pathOf,
            nothing: () => t.document.nothingFound,
          }),
        }),
      ];
    },
  });
}

/** What the server says of an item to whoever reads; asked anew each time, since who may see it changes. */
export function linkedItem(id: string) {
  return answer(["linked item", id], async (signal) => (await ask(ItemPlace, { id }, signal)).driveItem);
}

/** Find items of whose names these are the beginnings of words; nothing where the server does not answer. */
export async function found(find: FindItems, query: string, signal: AbortSignal): Promise<readonly LinkedItem[]> {
  if (query.length > MOST || query.includes("]")) return [];
  const items = await find(query.trim(), signal).catch(() => []);
  return items.filter((item) => wordsBegin(nameOf(item), query));
}

/** Write a link with the name of an item in the place of what was typed. */
export function linkItem(editor: Editor, range: Range, item: LinkedItem) {
  write(editor, range, { type: "text", text: item.name, marks: [{ type: "link", attrs: { href: hrefOf(item) } }] });
}

/** Write something in the place of what was typed, with one space behind it. */
export function write(editor: Editor, { from, to }: Range, content: JSONContent) {
  const hasSpace = editor.state.selection.$to.nodeAfter?.text?.startsWith(" ");
  editor
    .chain()
    .focus()
    .insertContentAt({ from, to: hasSpace ? to + 1 : to }, [content, { type: "text", text: " " }])
    .run();
  const selected = editor.view.dom.ownerDocument.getSelection();
  if (selected?.rangeCount) selected.collapseToEnd(); // else the browser selects the mention
}

/** The whole address, which leads here from wherever the text is copied to. */
function hrefOf({ id, driveItemType }: LinkedItem): string {
  return `${location.origin}/${driveItemType === "folder" ? "folder" : "doc"}/${id}`;
}

export function nameOf({ name }: LinkedItem): string {
  return name;
}

export function pathOf({ path }: LinkedItem): string {
  return path?.map((step) => step.name).join(" / ") ?? "";
}
