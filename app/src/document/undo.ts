/** The steps in which a person takes back what they wrote, and where the caret is after one. */

import {
  type EditorState,
  NodeSelection,
  Plugin,
  PluginKey,
  type Selection,
  TextSelection,
  type Transaction,
} from "@tiptap/pm/state";
import { ReplaceStep } from "@tiptap/pm/transform";
import {
  type getRelativeSelection,
  relativePositionToAbsolutePosition,
  ySyncPluginKey,
  yUndoPluginKey,
} from "y-prosemirror";
import { bindingOf } from "./yjs_internals";

export const PAUSE = 1_000; // milliseconds after which the next letter begins a step
const READ = 64; // letters before a new one, in which the word is found that it is of
const WORDS = new Intl.Segmenter(undefined, { granularity: "word" });

/** Changes of the same kind, one after the other, are one step. */
type Step = { readonly kind: string; readonly number: number };

const STEP = new PluginKey<Step>("undoStep");

/** Begins a step at each word, at each pause, and at each change that is not of one letter. It comes before the binding. */
export function undoSteps(): Plugin<Step> {
  return new Plugin({
    key: STEP,
    state: {
      init: () => ({ kind: "", number: 0 }),
      apply: (transaction, step, before) => {
        if (isReceived(transaction) || transaction.getMeta("appendedTransaction") || transaction.getMeta(STEP))
          return step;
        if (!transaction.docChanged) return transaction.selectionSet ? { ...step, kind: "" } : step;
        const { kind, isBegun } = changeIn(transaction, before);
        return isBegun || kind !== step.kind ? { kind, number: step.number + 1 } : step;
      },
    },
    view: ({ state }) => {
      const { undoManager } = yUndoPluginKey.getState(state) ?? {};
      if (undoManager) undoManager.captureTimeout = PAUSE;
      let last = 0;
      return {
        update: ({ state }) => {
          const number = STEP.getState(state)?.number ?? 0;
          if (number !== last) undoManager?.stopCapturing();
          last = number;
        },
      };
    },
  });
}

/** Has a change be taken back together with the one before it. */
export function continued(transaction: Transaction): Transaction {
  return transaction.setMeta(STEP, true);
}

/** Returns of which kind a change is, and whether it begins a step even behind one of its kind. */
function changeIn(transaction: Transaction, { selection }: EditorState): { kind: string; isBegun: boolean } {
  const composition = transaction.getMeta("composition");
  if (composition !== undefined) return { kind: `composition ${composition}`, isBegun: false };
  const [step] = transaction.steps;
  if (transaction.steps.length === 1 && step instanceof ReplaceStep && !step.slice.openStart && !step.slice.openEnd) {
    const { from, to, slice } = step;
    const [$from, $to] = [from, to].map((each) => transaction.before.resolve(each));
    const added = slice.content.firstChild;
    if (!added && selection.empty && $to && $from?.sameParent($to)) return { kind: "deleting", isBegun: false };
    if (added?.isText && slice.content.childCount === 1 && from === to && $from) {
      const offset = $from.parentOffset;
      const text = $from.parent.textBetween(Math.max(0, offset - READ), offset, null, " ");
      return { kind: "typing", isBegun: beginsWord(text, added.text ?? "") };
    }
  }
  return { kind: "other", isBegun: true };
}

/** Whether a word begins with what was typed behind a text. */
function beginsWord(text: string, typed: string): boolean {
  const found = WORDS.segment(text + typed).containing(text.length);
  return found?.index === text.length && found.isWordLike === true;
}

type Kept = ReturnType<typeof getRelativeSelection>;

/** Puts the caret where it was before what is taken back or done again. It comes behind the plugin that undoes. */
export function caretAfterUndo(): Plugin<Selection | null> {
  const key = new PluginKey<Selection | null>("caretAfterUndo");
  return new Plugin<Selection | null>({
    key,
    state: {
      init: () => null,
      /** The selection before the last undo or redo. */
      apply: (transaction, kept, { selection }) =>
        transaction.getMeta(ySyncPluginKey)?.isUndoRedoOperation ? selection : kept,
    },
    view: (view) => {
      const { undoManager } = yUndoPluginKey.getState(view.state) ?? {};
      undoManager?.on("stack-item-added", ({ stackItem, origin }) => {
        const binding = bindingOf(view.state);
        // y-prosemirror looks for it where the document has changed already
        if (origin === undoManager) stackItem.meta.set(binding, binding.beforeTransactionSelection);
      });
      undoManager?.on("stack-item-popped", ({ stackItem }) => {
        const binding = bindingOf(view.state);
        // kept, it would be the selection after the next change of others
        binding.beforeTransactionSelection = null;
        const { doc, tr } = view.state;
        const selection =
          found(view.state, stackItem.meta.get(binding)) ??
          TextSelection.near(doc.resolve(Math.min(key.getState(view.state)?.head ?? 0, doc.content.size)));
        view.dispatch(tr.setSelection(selection).setMeta("addToHistory", false).scrollIntoView());
      });
      return {};
    },
  });
}

function found(state: EditorState, kept: Kept | undefined): Selection | null {
  const { doc, type, mapping } = bindingOf(state);
  const [anchor, head] = [kept?.anchor, kept?.head].map((each) =>
    each ? relativePositionToAbsolutePosition(doc, type, each, mapping) : null,
  );
  if (anchor == null || head == null || Math.max(anchor, head) > state.doc.content.size) return null;
  if (kept?.type === "node" && state.doc.nodeAt(anchor)) return NodeSelection.create(state.doc, anchor);
  return TextSelection.between(state.doc.resolve(anchor), state.doc.resolve(head));
}

function isReceived(transaction: Transaction): boolean {
  return transaction.getMeta(ySyncPluginKey) !== undefined;
}
