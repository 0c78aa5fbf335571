/** What the Tab key does in the text, and how the keyboard leaves the text. */

import { type Editor, Extension } from "@tiptap/core";
import { Plugin } from "@tiptap/pm/state";

const INDENT = "  ";

/**
 * Keeps the keyboard in the text at Tab: it indents code, and does nothing where lists and tables have no use of it, which
 * `explain` says. Escape and then Tab go on to what follows the text.
 */
export function tabKey(explain: () => void): Extension {
  const stay = (isBack: boolean) => (given: { editor: Editor }) => {
    if (!indentCode(given.editor, isBack)) explain();
    return true;
  };
  return Extension.create({
    name: "tabKey",
    priority: 10, // behind lists and tables
    addKeyboardShortcuts: () => ({ Tab: stay(false), "Shift-Tab": stay(true) }),
    addProseMirrorPlugins: () => [leaving()],
  });
}

/** Leaves a Tab to the browser that follows an Escape which closed nothing. */
function leaving(): Plugin {
  let isLeaving = false;
  return new Plugin({
    props: {
      handleDOMEvents: {
        keydown: (_, { key }) => {
          if (key === "Shift") return false;
          const isLeft = key === "Tab" && isLeaving;
          isLeaving = false;
          return isLeft;
        },
      },
      handleKeyDown: (_, { key }) => {
        isLeaving ||= key === "Escape";
        return false;
      },
    },
  });
}

/** Indents the lines of the selected code, or takes an indentation from them; false outside of code. */
function indentCode({ state, view }: Editor, isBack: boolean): boolean {
  const { $from, $to, empty } = state.selection;
  if (!$from.parent.type.spec.code || !$from.sameParent($to)) return false;
  const { tr } = state;
  if (empty && !isBack) {
    tr.insertText(INDENT);
  } else {
    const text = $from.parent.textContent;
    for (const line of linesBetween(text, $from.parentOffset, $to.parentOffset).reverse()) {
      const at = $from.start() + line;
      if (!isBack && /^./.test(text.slice(line))) tr.insertText(INDENT, at);
      const indented = isBack ? (/^(\t| {1,2})/.exec(text.slice(line))?.[0].length ?? 0) : 0;
      if (indented) tr.delete(at, at + indented);
    }
  }
  if (tr.docChanged) view.dispatch(tr.scrollIntoView());
  return true;
}

/** Returns where the lines begin that have a part of a text. */
function linesBetween(text: string, from: number, to: number): number[] {
  const found = [text.lastIndexOf("\n", from - 1) + 1];
  for (let at = text.indexOf("\n", from); at !== -1 && at < to; at = text.indexOf("\n", at + 1)) found.push(at + 1);
  return found;
}
