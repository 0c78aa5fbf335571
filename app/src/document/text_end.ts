/** The room below the last block: a click there, and the key to the end, put the caret behind the text. */

import { Extension } from "@tiptap/core";
import { GapCursor } from "@tiptap/pm/gapcursor";
import type { Node } from "@tiptap/pm/model";
import { Plugin, Selection } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";

/** The nodes whose last child ends them. */
const HOLDERS = ["blockquote", "bulletList", "orderedList", "taskList", "listItem", "taskItem"];

export const TextEnd = Extension.create({
  name: "textEnd",
  addKeyboardShortcuts() {
    const toEnd = () => !endsWithText(this.editor.state.doc) && goBelow(this.editor.view);
    return { "Mod-End": toEnd, "Meta-ArrowDown": toEnd };
  },
  addProseMirrorPlugins: () => [
    new Plugin({
      view: (view) => {
        const clicked = (event: MouseEvent) => isBelow(view, event) && goBelow(view);
        const { ownerDocument } = view.dom;
        ownerDocument.addEventListener("click", clicked);
        return { destroy: () => ownerDocument.removeEventListener("click", clicked) };
      },
    }),
  ],
});

/** Whether the browser's own key finds the end of the text. */
function endsWithText({ lastChild }: Node): boolean {
  if (!lastChild) return false;
  return lastChild.isTextblock || (HOLDERS.includes(lastChild.type.name) && endsWithText(lastChild));
}

/** Whether a click, which selected nothing, was on what the text stands on, below its last block. */
function isBelow({ dom, editable }: EditorView, { target, clientY, button, detail }: MouseEvent): boolean {
  const bottom = dom.lastElementChild?.getBoundingClientRect().bottom ?? 0;
  if (!editable || button !== 0 || detail > 1 || getSelection()?.isCollapsed === false) return false;
  return target instanceof Element && target.contains(dom) && clientY > bottom;
}

/**
 * Puts the caret at the end of a paragraph or a heading that ends the text, or below anything else, where the first letter makes a
 * paragraph: whoever only looks changes nothing.
 */
function goBelow(view: EditorView): true {
  const { doc, tr } = view.state;
  const isText = doc.lastChild?.isTextblock && !doc.lastChild.type.spec.code;
  view.dispatch(
    tr.setSelection(isText ? Selection.atEnd(doc) : new GapCursor(doc.resolve(doc.content.size))).scrollIntoView(),
  );
  view.focus();
  return true;
}
