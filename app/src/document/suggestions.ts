/** What typing offers: blocks after "/" and people after "@", in a list box that the text controls. */

import { Extension } from "@tiptap/core";
import { Mention, type MentionNodeAttrs } from "@tiptap/extension-mention";
import { Suggestion, type SuggestionProps } from "@tiptap/suggestion";
import { t } from "../messages/messages";
import { type Block, found, toolLabel, wordsBegin } from "./blocks";
import type { Person } from "./people";

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
        render: menu(
          () => t.document.blocks,
          ({ name }: Block) => toolLabel(name),
        ),
      }),
    ];
  },
});

/** The node of mentions, which offers people; `load` gets those that can be mentioned. */
export function mentions(load: () => Promise<readonly Person[]>) {
  let people = load;
  return Mention.configure({
    suggestion: {
      async items({ query }) {
        if (query === "") {
          const loading = load();
          people = () => loading;
        }
        const known = await people().catch(() => []);
        const meant = known.filter(({ name }) => wordsBegin(name, query)).slice(0, OFFERED);
        return meant.map(({ userId, name }) => ({ id: userId, label: name }));
      },
      render: menu(
        () => t.document.people,
        ({ label }: MentionNodeAttrs) => label ?? "",
      ),
    },
  });
}

function menu<Item>(label: () => string, nameOf: (item: Item) => string) {
  return () => menuOf(label(), nameOf);
}

function menuOf<Item>(label: string, nameOf: (item: Item) => string) {
  const list = document.createElement("ul");
  list.className = "suggestions";
  list.id = "suggestions";
  list.role = "listbox";
  list.ariaLabel = label;
  list.tabIndex = 0; // so that whoever has no wheel can scroll it
  let shown: SuggestionProps<Item, Item> | null = null;
  let at = 0;

  function draw(props: SuggestionProps<Item, Item>) {
    shown = props;
    at = Math.min(at, Math.max(props.items.length - 1, 0));
    list.replaceChildren(
      ...props.items.map((item, index) => {
        const option = document.createElement("li");
        option.className = "suggestion";
        option.role = "option";
        option.id = `suggestion-${index}`;
        option.ariaSelected = String(index === at);
        option.textContent = nameOf(item);
        option.addEventListener("mousedown", (event) => {
          event.preventDefault();
          props.command(item);
        });
        return option;
      }),
    );
    list.hidden = props.items.length === 0;
    list.children[at]?.scrollIntoView({ block: "nearest" });
    const { dom } = props.editor.view;
    dom.setAttribute("aria-controls", list.id);
    dom.setAttribute("aria-activedescendant", `suggestion-${at}`);
    place(props.clientRect?.() ?? null);
  }

  function place(rect: DOMRect | null) {
    if (!rect) return;
    const below = innerHeight - rect.bottom > list.offsetHeight + 8;
    const top = below ? rect.bottom + 4 : Math.max(rect.top - list.offsetHeight - 4, 4);
    list.style.setProperty("inset-block-start", `${top}px`);
    list.style.setProperty(
      "inset-inline-start",
      `${Math.max(Math.min(rect.left, innerWidth - list.offsetWidth - 8), 8)}px`,
    );
  }

  return {
    onStart(props: SuggestionProps<Item, Item>) {
      at = 0;
      (props.editor.view.dom.closest("main") ?? document.body).append(list);
      draw(props);
    },
    onUpdate: draw,
    onKeyDown({ event }: { event: KeyboardEvent }) {
      const count = shown?.items.length ?? 0;
      if (!shown || count === 0) return false;
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        at = (at + (event.key === "ArrowDown" ? 1 : count - 1)) % count;
        draw(shown);
        return true;
      }
      const item = shown.items[at];
      if ((event.key !== "Enter" && event.key !== "Tab") || item === undefined) return false;
      shown.command(item);
      return true;
    },
    onExit() {
      const dom = shown?.editor.isDestroyed ? null : shown?.editor.view.dom;
      dom?.removeAttribute("aria-controls");
      dom?.removeAttribute("aria-activedescendant");
      list.remove();
      shown = null;
    },
  };
}
