/**
 * The private parts of Yjs, y-prosemirror and the provider that are used here: nothing else in the application reads a
 * member that begins with an underscore. `tests/yjs_internals.test.ts` names the versions that have them.
 */

import type { HocuspocusProvider } from "@hocuspocus/provider";
import type { EditorState } from "@tiptap/pm/state";
import { getRelativeSelection, type relativePositionToAbsolutePosition, ySyncPluginKey } from "y-prosemirror";
import * as Y from "yjs";

const { integrate, gc } = Y.Item.prototype;

/**
 * Lets a document take updates as if they were its own: two documents share one client id, which Yjs would change, and
 * Yjs would tidy formats up after others' updates, which would make the reader an author.
 */
export function takeAsOwn(document: Y.Doc) {
  document.on("beforeObserverCalls", (transaction: Y.Transaction) => {
    if (transaction.local) return;
    transaction.local = true;
    // of others' updates Yjs forgets where in a type it was last; otherwise the next letter lands elsewhere
    for (const type of transaction.changed.keys()) forgetPlaces(type);
  });
}

function forgetPlaces(type: { _searchMarker?: unknown[] | null }) {
  if (type._searchMarker) type._searchMarker.length = 0;
}

/**
 * Mends two faults of undo in Yjs. Of a block that was deleted and restored several times, it may take for the neighbour
 * on the right what stands on the left (https://github.com/yjs/yjs/issues/794): then only the one who undid reads that
 * order. And it throws where it would restore text into a restored block that was deleted and collected since.
 */
export function mendUndo() {
  if (Y.Item.prototype.gc !== gc) return;
  const restored = new WeakSet<Y.Item>(); // and what they stand in

  Y.Item.prototype.integrate = function (this: Y.Item, transaction: Y.Transaction, offset: number) {
    const isWritten = transaction.local && this.id.client === transaction.doc.clientID;
    if (isWritten && this.left && !follows(this.left, this.right)) {
      this.right = this.left.right;
      this.rightOrigin = this.right?.id ?? null;
    }
    integrate.call(this, transaction, offset);
    if (!(transaction.origin instanceof Y.UndoManager)) return;
    let item: Y.Item | null = this;
    while (item && !restored.has(item)) {
      restored.add(item);
      item = item.parent instanceof Y.AbstractType ? itemOf(item.parent) : null;
    }
  };

  Y.Item.prototype.gc = function (this: Y.Item, ...collected) {
    if (!restored.has(this)) gc.call(this, ...collected);
  };
}

function follows(left: Y.Item, right: Y.Item | null): boolean {
  let item = left.right;
  while (item && item !== right) item = item.right;
  return item === right;
}

/** Returns the item that holds a type in its parent; null where the type is a root. */
export function itemOf(type: { _item: Y.Item | null }): Y.Item | null {
  return type._item;
}

/** Returns the first item in a type, deleted ones included; `right` leads on. */
export function firstItemIn(type: { _start: Y.Item | null }): Y.Item | null {
  return type._start;
}

/** y-prosemirror's binding, as far as it is used here; its own types leave this out. */
export type Binding = {
  readonly doc: Y.Doc;
  readonly type: Y.XmlFragment;
  readonly mapping: Parameters<typeof relativePositionToAbsolutePosition>[3];
  beforeTransactionSelection: { anchor: Y.RelativePosition | null } | null;
  _observeFunction: Observe;
};

type Observe = (events: unknown[], transaction: Y.Transaction) => void;

export function bindingOf(state: EditorState): Binding {
  return ySyncPluginKey.getState(state).binding;
}

/** Has all that is dispatched meanwhile be one update: by it the server knows that what goes and comes was moved. */
export function inOneUpdate(state: EditorState, dispatch: () => void) {
  bindingOf(state).doc.transact(dispatch, ySyncPluginKey);
}

/** Returns what is selected, as places that stay where others write. */
export function relativeSelectionOf(state: EditorState): ReturnType<typeof getRelativeSelection> {
  return getRelativeSelection(ySyncPluginKey.getState(state).binding, state);
}

/** Puts a function in the place of what the binding calls for the changes of the document; it gets the one before. */
export function replaceObserver(binding: Binding, replacing: (before: Observe) => Observe) {
  binding._observeFunction = replacing(binding._observeFunction);
}

/** Returns the socket that a provider sends over now. */
export function socketOf(provider: HocuspocusProvider): WebSocket | null {
  return provider.configuration.websocketProvider.webSocket as WebSocket | null;
}
