/** The keys that align text and clear its formatting. */

import { type ChainedCommands, type Editor, Extension } from "@tiptap/core";

/** The marks that are looks: links and comments stay. */
const LOOKS = ["bold", "italic", "underline", "strike", "code", "subscript", "superscript", "textStyle", "highlight"];

export const FormattingKeys = Extension.create({
  name: "formattingKeys",
  addKeyboardShortcuts: () => ({
    "Mod-Shift-l": ({ editor }) => align(editor, null),
    "Mod-Shift-e": ({ editor }) => align(editor, "center"),
    "Mod-Shift-r": ({ editor }) => align(editor, "right"),
    "Mod-Shift-j": ({ editor }) => align(editor, "justify"),
    "Mod-\\": ({ editor }) => clearFormatting(editor),
  }),
});

/** Aligns the selected blocks. The key is taken in any block: the browser has uses of its own for it. */
export function align(editor: Editor, alignment: string | null): true {
  aligned(alignment)(editor.chain()).run();
  return true;
}

/** Returns what aligns the selected paragraphs and headings, or the selected image, which cannot be justified. */
export function aligned(textAlign: string | null) {
  return (chain: ChainedCommands) =>
    chain
      .updateAttributes("paragraph", { textAlign })
      .updateAttributes("heading", { textAlign })
      .updateAttributes("image", { align: textAlign === "justify" ? null : textAlign });
}

function clearFormatting({ state, view, schema }: Editor): true {
  const { tr } = state;
  for (const { $from, $to } of state.selection.ranges) {
    for (const name of LOOKS) tr.removeMark($from.pos, $to.pos, schema.marks[name]);
  }
  if (state.selection.empty) tr.setStoredMarks([]);
  view.dispatch(tr);
  return true;
}
