/** The menu of blocks that "/" opens at the beginning of a word: a list box that the text controls. */

import { Extension } from "@tiptap/core";
import { Suggestion, type SuggestionProps } from "@tiptap/suggestion";
import { type Block, found } from "./blocks.ts";

export const SlashMenu = Extension.create({
  name: "slashMenu",
  addProseMirrorPlugins() {
    return [
      Suggestion<Block, Block>({
        editor: this.editor,
        char: "/",
        allow: ({ editor, state, range }) => editor.isEditable && !state.doc.resolve(range.from).parent.type.spec.code,
        items: ({ query }) => [...found(query)],
        command: ({ editor, range, props }) => props.insert(editor.chain().focus().deleteRange(range)).run(),
        render: menu,
      }),
    ];
  },
});

function menu() {
  const list = document.createElement("ul");
  list.className = "slash";
  list.id = "slash-menu";
  list.role = "listbox";
  list.ariaLabel = "Blocks";
  list.tabIndex = 0; // so that whoever has no wheel can scroll it
  let shown: SuggestionProps<Block, Block> | null = null;
  let at = 0;

  function draw(props: SuggestionProps<Block, Block>) {
    shown = props;
    at = Math.min(at, Math.max(props.items.length - 1, 0));
    list.replaceChildren(
      ...props.items.map((block, index) => {
        const option = document.createElement("li");
        option.className = "slash-option";
        option.role = "option";
        option.id = `slash-${index}`;
        option.ariaSelected = String(index === at);
        option.textContent = block.name;
        option.addEventListener("mousedown", (event) => {
          event.preventDefault();
          props.command(block);
        });
        return option;
      }),
    );
    list.hidden = props.items.length === 0;
    list.children[at]?.scrollIntoView({ block: "nearest" });
    const { dom } = props.editor.view;
    dom.setAttribute("aria-controls", list.id);
    dom.setAttribute("aria-activedescendant", `slash-${at}`);
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
    onStart(props: SuggestionProps<Block, Block>) {
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
      const block = shown.items[at];
      if ((event.key !== "Enter" && event.key !== "Tab") || !block) return false;
      shown.command(block);
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
