/**
 * Draws Yjs fragments for reading alone: any as it is, where no schema holds it, so that nothing may be bound to it; and the first
 * blocks of a long one while its editor is made.
 */

import * as Y from "yjs";
import { MARK_TAGS, TAGS } from "../ui/tags";

const LEVELS = ["h1", "h2", "h3", "h4", "h5", "h6"];
const TEXTS = new Set(["paragraph", "heading"]);

const LONG = 200; // blocks, from which on making the editor takes so long that the first ones are shown before
const FIRST = 40; // blocks, and items of one: more than a screen shows
/** The blocks that look here as they do in the editor, with no other attributes than these. */
const ALIKE = new Set([
  "paragraph",
  "heading",
  "blockquote",
  "bulletList",
  "orderedList",
  "listItem",
  "horizontalRule",
]);
const ALIKE_WITH = new Set(["level", "start"]);

/** Returns whether the first blocks of a document are to be seen before its editor is made. */
export function isLong(fragment: Y.XmlFragment): boolean {
  return fragment.length >= LONG;
}

/** Draws the first blocks of a document, as far as they look as in the editor. */
export function beginningOf(fragment: Y.XmlFragment): DocumentFragment {
  const made = document.createDocumentFragment();
  for (const child of fragment.slice(0, FIRST) as unknown[]) {
    if (!isAlike(child)) break;
    made.append(element(child));
  }
  return made;
}

function isAlike(block: unknown): block is Y.XmlElement {
  if (!(block instanceof Y.XmlElement) || !ALIKE.has(block.nodeName) || block.length > FIRST) return false;
  if (Object.keys(block.getAttributes()).some((name) => !ALIKE_WITH.has(name))) return false;
  return (block.toArray() as unknown[]).every((child) => child instanceof Y.XmlText || isAlike(child));
}

export function drawn(fragment: Y.XmlFragment): DocumentFragment {
  const made = document.createDocumentFragment();
  for (const child of fragment.toArray() as unknown[]) {
    if (child instanceof Y.XmlElement) made.append(element(child));
    else if (child instanceof Y.XmlText) made.append(...textOf(child));
  }
  return made;
}

function element(from: Y.XmlElement): HTMLElement {
  const attributes: Record<string, unknown> = from.getAttributes();
  const heading = from.nodeName === "heading" ? (LEVELS[Number(attributes.level ?? 1) - 1] ?? "h1") : undefined;
  const tag = heading ?? TAGS[from.nodeName];
  const made = document.createElement(tag ?? "div");
  if (!tag) {
    made.className = "locked";
    made.dataset.name = from.nodeName;
  }
  if (TEXTS.has(from.nodeName)) made.dir = "auto";
  if (made instanceof HTMLOListElement && Number.isInteger(attributes.start)) made.start = Number(attributes.start);
  const label = attributes.label ?? attributes.alt;
  if (typeof label === "string") made.append(label);
  made.append(drawn(from));
  return made;
}

function textOf(text: Y.XmlText): (string | HTMLElement)[] {
  const parts: { insert: unknown; attributes?: object }[] = text.toDelta();
  return parts.map(({ insert, attributes }) => {
    const words = typeof insert === "string" ? insert : "□";
    return Object.keys(attributes ?? {}).reduce<string | HTMLElement>(marked, words);
  });
}

function marked(words: string | HTMLElement, mark: string): string | HTMLElement {
  const tag = MARK_TAGS[mark];
  if (!tag) return words;
  const made = document.createElement(tag);
  made.append(words);
  return made;
}
