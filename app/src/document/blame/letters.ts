/** Finds under which Yjs client and clock each letter of a block was written, and where text was deleted. */

import type { Node } from "@tiptap/pm/model";
import * as Y from "yjs";
import { firstItemIn } from "../yjs_internals";

/** A run of letters of one Yjs item; `from` is its place in the document, counted from the block's own. */
export type Letters = {
  readonly from: number;
  readonly client: number;
  readonly clock: number;
  readonly length: number;
};

/** The letters of a block, and what was deleted in it: its `from` is where it stood. */
export type Walked = { readonly letters: Letters[]; readonly gone: Letters[] };

/** Returns the letters of a block in their order; null where the block does not show the element as it is now. */
export function lettersOf(element: Y.XmlElement, block: Node): Letters[] | null {
  return walked(element, block)?.letters ?? null;
}

/** Returns the letters of a block and what was deleted in it, as `lettersOf`. */
export function walked(element: Y.XmlElement, block: Node): Walked | null {
  const found = { letters: [], gone: [] };
  return isWalked(element, block, 1, found) ? found : null;
}

/** Yields the elements and texts of a fragment that an editor shows. */
export function* shownChildren(fragment: Y.XmlFragment): Generator<Y.XmlElement | Y.XmlText> {
  for (const each of childrenOf(fragment)) if (!(each instanceof Y.Item)) yield each;
}

/** Yields the elements and texts of a fragment that an editor shows, and between them the items that were deleted. */
export function* childrenOf(fragment: Y.XmlFragment): Generator<Y.XmlElement | Y.XmlText | Y.Item> {
  for (let item = firstItemIn(fragment); item; item = item.right) {
    if (item.deleted) yield item;
    else if (item.content instanceof Y.ContentType) {
      const { type } = item.content;
      if (type instanceof Y.XmlElement) yield type;
      else if (type instanceof Y.XmlText) {
        if (type.length > 0) yield type;
        else yield* itemsOf(type);
      }
    }
  }
}

function* itemsOf(text: Y.XmlText): Generator<Y.Item> {
  for (let item = firstItemIn(text); item; item = item.right) yield item;
}

function isWalked(element: Y.XmlElement, node: Node, start: number, found: Walked): boolean {
  if (node.isLeaf) return true;
  let [at, index, edge] = [0, 0, 0];
  for (const child of childrenOf(element)) {
    if (child instanceof Y.Item) {
      if (child.deleted) found.gone.push(lettersAt(child, start + at));
    } else if (child instanceof Y.XmlText) {
      for (const item of itemsOf(child)) {
        if (item.deleted) found.gone.push(lettersAt(item, start + at));
        else if (item.content instanceof Y.ContentString) {
          found.letters.push(lettersAt(item, start + at));
          at += item.length;
        }
      }
      // of two texts side by side the editor makes one node
      for (; edge < at && index < node.childCount; index++) {
        if (!node.child(index).isText) return false;
        edge += node.child(index).nodeSize;
      }
    } else {
      const shown = edge === at && index < node.childCount ? node.child(index) : null;
      if (!shown || shown.isText || !isWalked(child, shown, start + at + 1, found)) return false;
      index += 1;
      edge += shown.nodeSize;
      at = edge;
    }
  }
  return at === node.content.size;
}

function lettersAt({ id, length }: Y.Item, from: number): Letters {
  return { from, client: id.client, clock: id.clock, length };
}
