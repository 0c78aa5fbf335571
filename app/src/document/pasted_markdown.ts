/**
 * Reads Markdown that is pasted as text by the server's own rules. The text comes at once, and what it says takes its place when
 * the server has answered, unless somebody changed it meanwhile; each is a step of its own for undo.
 */

import { type Editor, Extension } from "@tiptap/core";
import { type Fragment, type Node, Slice } from "@tiptap/pm/model";
import { Plugin } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { absolutePositionToRelativePosition, relativePositionToAbsolutePosition } from "y-prosemirror";
import { t } from "../messages/messages";
import { undoManagerOf } from "./binding";
import { looksLikeMarkdown } from "./markdown_likeness";
import { bindingOf } from "./yjs_internals";

/** What reads Markdown; `read` throws an Error whose message is a sentence. */
export type MarkdownReading = {
  read: (markdown: string) => Promise<unknown>;
  warn: (sentence: string) => void;
  /** Says what was done, and offers what takes its place, by that one's name. */
  notify: (sentence: string, instead: () => void, name: string) => void;
};

/** Before the extension of code blocks, which makes one of whatever an editor of code has copied. */
const PRIORITY = 1000;
/** What an editor of code says of what was copied there. */
const OF_CODE = "vscode-editor-data";

export function pastedMarkdown(reading: MarkdownReading): Extension {
  return Extension.create({
    name: "pastedMarkdown",
    priority: PRIORITY,
    addProseMirrorPlugins() {
      const { editor } = this;
      let given: string | null = null; // by the paste under way
      return [
        new Plugin({
          props: {
            handleDOMEvents: {
              paste: () => {
                given = null;
                return false;
              },
            },
            // called where no HTML is there, or none is wanted, and not for code
            clipboardTextParser(text, _context, isPlain) {
              given = !isPlain && looksLikeMarkdown(text) ? text : null;
              return null as unknown as Slice; // as it is parsed otherwise
            },
            handlePaste(view, event, slice) {
              const markdown = given ?? (isInCode(view) ? null : copiedFromSource(event));
              given = null;
              if (markdown === null) return false;
              void pasteMarkdown(editor, markdown, slice, reading);
              return true;
            },
          },
        }),
      ];
    },
  });
}

function isInCode({ state }: EditorView): boolean {
  return state.selection.$from.parent.type.spec.code === true;
}

/** The Markdown that was copied from a source of it in an editor of code. */
function copiedFromSource({ clipboardData }: ClipboardEvent): string | null {
  const said = clipboardData?.getData(OF_CODE);
  if (!said) return null;
  try {
    return JSON.parse(said).mode === "markdown" ? clipboardData?.getData("text/plain") || null : null;
  } catch {
    return null;
  }
}

/** Pastes the text, and puts what it says in its place once that is read. */
export async function pasteMarkdown(
  editor: Editor,
  markdown: string,
  slice: Slice,
  { read, warn, notify }: MarkdownReading,
) {
  const undo = undoManagerOf(editor);
  undo.stopCapturing();
  const { tr } = editor.state;
  const start = tr.selection.from;
  editor.view.dispatch(tr.replaceSelection(slice).scrollIntoView());
  const pasted = new Pasted(editor, tr.mapping.map(start, -1), editor.state.selection.to);
  undo.stopCapturing();
  try {
    const tree = await read(markdown);
    const converted = canWrite(editor) ? put(editor, tree, pasted) : null;
    if (converted) notify(t.document.markdownRead, () => putPlain(editor, slice, converted), t.document.pastePlain);
  } catch (fault) {
    if (!(fault instanceof Error)) throw fault;
    warn(fault.message);
  }
}

type Range = { from: number; to: number };

/** Text between two places that others may move. */
class Pasted {
  private readonly editor: Editor;
  private readonly from: unknown;
  private readonly to: unknown;
  private readonly behind: number;
  private readonly text: string;

  constructor(editor: Editor, from: number, to: number) {
    this.editor = editor;
    // of the last letter: what is typed behind it is not of what was pasted
    this.behind = editor.state.doc.resolve(to).parentOffset > 0 ? 1 : 0;
    this.from = relative(editor, from);
    this.to = relative(editor, to - this.behind);
    this.text = textBetween(editor, from, to);
  }

  /** Where it is now; null where it was changed. */
  range(): Range | null {
    const from = absolute(this.editor, this.from);
    const to = absolute(this.editor, this.to);
    if (from === null || to === null || from > to) return null;
    const end = to + this.behind;
    if (end > this.editor.state.doc.content.size || textBetween(this.editor, from, end) !== this.text) return null;
    return { from, to: end };
  }
}

function relative({ state }: Editor, place: number): unknown {
  const { type, mapping } = bindingOf(state);
  return absolutePositionToRelativePosition(place, type, mapping);
}

function absolute({ state }: Editor, place: unknown): number | null {
  const { doc, type, mapping } = bindingOf(state);
  return relativePositionToAbsolutePosition(doc, type, place as never, mapping);
}

function textBetween({ state: { doc } }: Editor, from: number, to: number): string {
  return doc.textBetween(from, to, "\n", "\ufffc");
}

/** How deep the text behind what is pasted may join it: a paragraph, also one at the end of a list. */
function depthOfEnd(content: Fragment): number {
  let depth = 0;
  for (let node = content.lastChild; node && !node.isLeaf && !node.type.spec.isolating; node = node.lastChild) {
    depth++;
    if (node.isTextblock) return isParagraph(node) ? depth : 0;
  }
  return 0;
}

function isParagraph(node: Node | null): boolean {
  return node?.type.name === "paragraph";
}

/** Puts what the Markdown says in the place of its text; returns where that is now, null where nothing was put. */
function put(editor: Editor, tree: unknown, pasted: Pasted): Pasted | null {
  const range = pasted.range();
  const { content } = editor.state.schema.nodeFromJSON(tree);
  if (!range || !content.size) return null;
  return replace(editor, range, new Slice(content, isParagraph(content.firstChild) ? 1 : 0, depthOfEnd(content)));
}

function putPlain(editor: Editor, slice: Slice, converted: Pasted) {
  const range = canWrite(editor) ? converted.range() : null;
  if (range) replace(editor, range, slice);
  if (!editor.isDestroyed) editor.view.focus();
}

/** A step of its own for undo. */
function replace(editor: Editor, { from, to }: Range, slice: Slice): Pasted {
  const undo = undoManagerOf(editor);
  undo.stopCapturing();
  const tr = editor.state.tr.replaceRange(from, to, slice);
  editor.view.dispatch(tr.scrollIntoView());
  undo.stopCapturing();
  return new Pasted(editor, tr.mapping.map(from, -1), tr.mapping.map(to));
}

function canWrite(editor: Editor): boolean {
  return !editor.isDestroyed && editor.isEditable;
}
