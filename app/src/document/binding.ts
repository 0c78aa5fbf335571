/** Binds the editor to a Yjs document with y-prosemirror itself, and draws the carets of the others. */

import { type Editor, Extension } from "@tiptap/core";
import { type EditorState, NodeSelection, type Plugin, Selection, type Transaction } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import {
  redoCommand,
  relativePositionToAbsolutePosition,
  undoCommand,
  yCursorPlugin,
  ySyncPlugin,
  ySyncPluginKey,
  yUndoPlugin,
  yUndoPluginKey,
} from "y-prosemirror";
import type { Awareness } from "y-protocols/awareness";
import type * as Y from "yjs";
import type { DocumentColours } from "../ui/people";
import { drawCaret, selectionOf } from "./carets";
import { caretAfterUndo, undoSteps } from "./undo";
import { type Binding, bindingOf, mendUndo, replaceObserver } from "./yjs_internals";

const NOWHERE = { anchor: null };

/** Returns the extension that keeps the editor and the fragment the same; the fragment holds nothing the schema lacks. */
export function binding(fragment: Y.XmlFragment, awareness: Awareness, colours: DocumentColours): Extension {
  mendUndo();
  return Extension.create({
    name: "binding",
    priority: 1000,
    addProseMirrorPlugins: () => [
      undoSteps(),
      syncing(fragment),
      yUndoPlugin(),
      caretAfterUndo(),
      yCursorPlugin(awareness, {
        cursorBuilder: (person) => drawCaret(person, colours),
        selectionBuilder: (person) => selectionOf(person, colours),
      }),
    ],
    addKeyboardShortcuts() {
      const run = (command: typeof undoCommand) => () => command(this.editor.state, this.editor.view.dispatch);
      return { "Mod-z": run(undoCommand), "Mod-y": run(redoCommand), "Shift-Mod-z": run(redoCommand) };
    },
  });
}

/** Returns what this person wrote in the editor and can take back, and what they took back. */
export function undoManagerOf({ state }: Editor): Y.UndoManager {
  const kept = yUndoPluginKey.getState(state);
  if (!kept) throw new Error("the editor is not bound");
  return kept.undoManager;
}

/** y-prosemirror's plugin, but nothing is written, and nobody's selection is changed, by what others do. */
export function syncing(fragment: Y.XmlFragment): Plugin {
  const sync = ySyncPlugin(fragment);
  const begin = sync.spec.view;
  if (!begin) throw new Error("y-prosemirror's plugin has no view");
  sync.spec.view = (view: EditorView) => {
    const binding = bindingOf(view.state);
    answeringOnlyEdits(view.state.plugins);
    keepSelectedNode(view, binding);
    // the selection of the empty editor is none in the document: with one from before, the binding leaves it alone
    binding.beforeTransactionSelection = NOWHERE;
    const bound = begin(view);
    binding.beforeTransactionSelection = null;
    // A document that others emptied is not filled with a paragraph by whoever looks at it: only edits are written.
    let settled = view.state.doc;
    const settle = (now: EditorView, before: EditorState, isSecond = false) => {
      const { doc } = now.state;
      if (doc === settled) return;
      if (ySyncPluginKey.getState(now.state).isChangeOrigin) {
        settled = doc;
        return;
      }
      bound.update?.(now, before);
      if (isSecond || binding.mapping.get(binding.type) === doc) settled = doc;
      // a letter that came while another's was being drawn, when the binding writes nothing
      else queueMicrotask(() => !now.isDestroyed && settle(now, before, true));
    };
    return { update: (now: EditorView, before: EditorState) => settle(now, before), destroy: () => bound.destroy?.() };
  };
  return sync;
}

/** Without this the binding selects whatever follows a selected node that others deleted, and fails where nothing does. */
function keepSelectedNode(view: EditorView, binding: Binding) {
  replaceObserver(binding, (observe) => (events, transaction) => {
    const { selection, doc: shown } = view.state;
    const before = binding.beforeTransactionSelection;
    if (!(selection instanceof NodeSelection) || !before) return observe(events, transaction);
    binding.beforeTransactionSelection = null;
    observe(events, transaction);
    const { doc, tr } = view.state;
    if (doc === shown) {
      // this editor's own edit
      binding.beforeTransactionSelection = before;
      return;
    }
    const found = relativePositionToAbsolutePosition(binding.doc, binding.type, before.anchor, binding.mapping) ?? 0;
    const place = Math.min(found, doc.content.size);
    const isThere = doc.nodeAt(place)?.hasMarkup(selection.node.type, selection.node.attrs);
    const next = isThere ? NodeSelection.create(doc, place) : Selection.near(doc.resolve(place), -1);
    view.dispatch(tr.setSelection(next).setMeta("addToHistory", false));
  });
}

/**
 * Lets plugins add to what this person does, never to what others wrote: ProseMirror's tables repair, links link, and
 * that would be written as the reader.
 */
function answeringOnlyEdits(plugins: readonly Plugin[]) {
  for (const plugin of plugins) {
    const append = plugin.spec.appendTransaction;
    if (!append) continue;
    plugin.spec.appendTransaction = (transactions, before, after) =>
      transactions.some(isEdit) ? append.call(plugin, transactions, before, after) : null;
  }
}

function isEdit(transaction: Transaction): boolean {
  const origin = transaction.getMeta("appendedTransaction") ?? transaction;
  return transaction.docChanged && !isReceived(transaction) && !isReceived(origin);
}

function isReceived(transaction: Transaction): boolean {
  return transaction.getMeta(ySyncPluginKey) !== undefined;
}
