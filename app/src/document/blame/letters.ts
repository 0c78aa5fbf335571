/** Finds under which Yjs client and clock each letter of a block was written. */

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

/** Returns the letters of a block in their order; null where the block does not show the element as it is now. */
export function lettersOf(element: Y.XmlElement, block: Node): Letters[] | null {
  const found: Letters[] = [];
  return isWalked(element, block, 1, found) ? found : null;
}

/** Yields the elements and texts of a fragment that an editor shows. */
export function* shownChildren(fragment: Y.XmlFragment): Generator<Y.XmlElement | Y.XmlText> {
  for (let item = firstItemIn(fragment); item; item = item.right) {
    if (item.deleted || !(item.content instanceof Y.ContentType)) continue;
    const { type } = item.content;
    if (type instanceof Y.XmlElement || (type instanceof Y.XmlText && type.length > 0)) yield type;
  }
}

function isWalked(element: Y.XmlElement, node: Node, start: number, found: Letters[]): boolean {
  if (node.isLeaf) return true;
  let [at, index, edge] = [0, 0, 0];
  for (const child of shownChildren(element)) {
    if (child instanceof Y.XmlText) {
      for (let item = firstItemIn(child); item; item = item.right) {
        if (item.deleted || !(item.content instanceof Y.ContentString)) continue;
        found.push({ from: start + at, client: item.id.client, clock: item.id.clock, length: item.length });
        at += item.length;
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
