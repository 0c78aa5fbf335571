/** Details: open when they are made, and entered from their summary. */

import { type Editor, findParentNode } from "@tiptap/core";
import { Details } from "@tiptap/extension-details";
import { TextSelection } from "@tiptap/pm/state";

const OPEN = "is-open";

export const OpenedDetails = Details.extend({
  addCommands() {
    const { setDetails, ...others } = this.parent?.() ?? {};
    return {
      ...others,
      setDetails: () => (props) => {
        const isDone = setDetails?.()(props) ?? false;
        // it is drawn when the command is over
        if (isDone && props.dispatch) queueMicrotask(() => openDetails(props.editor));
        return isDone;
      },
    };
  },
  addKeyboardShortcuts() {
    return { ...this.parent?.(), Enter: ({ editor }) => enterDetails(editor) };
  },
});

/** Opens the details that the caret is in, unless they are. */
export function openDetails(editor: Editor) {
  const found = findParentNode(({ type }) => type.name === "details")(editor.state.selection);
  const dom = found && editor.view.nodeDOM(found.pos);
  if (!(dom instanceof HTMLElement) || dom.classList.contains(OPEN)) return;
  dom.querySelector<HTMLElement>(":scope > button")?.click();
}

/** Puts the caret of a summary into an empty first paragraph below it; false where it is in none. */
function enterDetails(editor: Editor): boolean {
  const { $head } = editor.state.selection;
  const content = $head.depth ? $head.node(-1).maybeChild(1) : null;
  const { paragraph, detailsSummary, detailsContent } = editor.schema.nodes;
  if (!paragraph || $head.parent.type !== detailsSummary || content?.type !== detailsContent) return false;
  openDetails(editor);
  const at = $head.after() + 1;
  const { tr } = editor.state;
  const first = content?.firstChild;
  if (first?.type !== paragraph || first.content.size) tr.insert(at, paragraph.create());
  editor.view.dispatch(tr.setSelection(TextSelection.create(tr.doc, at + 1)).scrollIntoView());
  return true;
}
