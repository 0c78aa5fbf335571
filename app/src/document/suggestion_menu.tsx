/** The list box of what typing offers, which the text controls. */

import type { SuggestionProps } from "@tiptap/suggestion";
import type { ReactNode } from "react";
import { flushSync } from "react-dom";
import { createRoot, type Root } from "react-dom/client";
import { wordsBegin } from "./blocks";
import { lowerEdge } from "./keyboard";

/** How an item looks. */
type Look<Item> = {
  nameOf: (item: Item) => string;
  /** Where an item lies, or what tells it from others of its name. */
  besideOf?: (item: Item) => string;
  /** Stands before the name. */
  signOf?: (item: Item) => ReactNode;
  /** The keys that do the same, as they are shown. */
  keysOf?: (item: Item) => string;
  /** What is said where nothing is found; without it, the list goes. */
  nothing?: () => string;
};

export function menu<Item>(label: () => string, look: Look<Item>) {
  return () => menuOf(label(), look);
}

const MOST_WORDS = 4; // that a name is looked for by: of more, the text is no name

function menuOf<Item>(label: string, { nameOf, besideOf, signOf, keysOf, nothing }: Look<Item>) {
  const list = document.createElement("div");
  let root: Root | null = null;
  list.className = "suggestions";
  list.id = `suggestions-${Math.random().toString(36).slice(2)}`; // two may be open at a time
  list.role = "listbox";
  list.ariaLabel = label;
  list.tabIndex = 0; // so that whoever has no wheel can scroll it
  // a list box holds what can be chosen alone, and what is said must be there before it says something
  const said = document.createElement("p");
  said.role = "status";
  said.className = "unseen";
  let shown: SuggestionProps<Item, Item> | null = null;
  let at = 0;

  function draw(props: SuggestionProps<Item, Item>) {
    shown = props;
    // an editor that is made anew may have the caret in what was typed: it tells of no start
    root ??= createRoot(list);
    if (!list.isConnected) (props.editor.view.dom.closest("main") ?? document.body).append(list, said);
    at = Math.min(at, Math.max(props.items.length - 1, 0));
    const options = props.items.map((item, index) => {
      const id = `${list.id}-${index}`;
      const beside = besideOf?.(item);
      const keys = keysOf?.(item);
      return (
        <div
          key={id}
          id={id}
          className="suggestion"
          role="option"
          aria-selected={index === at}
          aria-keyshortcuts={keys || undefined}
          onMouseDown={(event) => {
            event.preventDefault();
            props.command(item);
          }}
        >
          {signOf?.(item)}
          <span>
            {nameOf(item)}
            {beside && <small> {beside}</small>}
          </span>
          {keys && <kbd aria-hidden>{keys}</kbd>}
        </div>
      );
    });
    const isNothing = options.length === 0 && !props.loading && isName(props.query);
    const words = isNothing ? (nothing?.() ?? "") : "";
    flushSync(() =>
      root?.render(
        words ? (
          <div aria-hidden className="suggestion">
            {words}
          </div>
        ) : (
          options
        ),
      ),
    );
    said.textContent = words;
    list.hidden = options.length === 0 && !words;
    list.children[at]?.scrollIntoView({ block: "nearest" });
    const { dom } = props.editor.view;
    if (options.length === 0) release(dom);
    else {
      dom.setAttribute("aria-controls", list.id);
      dom.setAttribute("aria-activedescendant", `${list.id}-${at}`);
    }
    place(props.clientRect?.() ?? null);
  }

  function place(rect: DOMRect | null) {
    if (!rect) return;
    const below = lowerEdge() - rect.bottom > list.offsetHeight + 8;
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
      draw(props);
    },
    onUpdate(props: SuggestionProps<Item, Item>) {
      // until the answer is there, those of the last one that are still meant are offered
      const kept = shown?.items.filter((item) => wordsBegin(nameOf(item), props.query)) ?? [];
      draw(props.loading ? { ...props, items: kept } : props);
    },
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
      if (dom) release(dom);
      list.remove();
      said.remove();
      root?.unmount();
      root = null;
      shown = null;
    },
  };
}

/** Whether what was typed can be meant as a name. */
function isName(query: string): boolean {
  return query.trim() !== "" && !query.includes("]") && query.trim().split(/\s+/).length <= MOST_WORDS;
}

function release(text: Element) {
  text.removeAttribute("aria-controls");
  text.removeAttribute("aria-activedescendant");
}
