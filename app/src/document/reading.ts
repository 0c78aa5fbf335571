/** Draws any Yjs fragment as it is, for reading alone: where no schema holds it, nothing may be bound to it. */

import * as Y from "yjs";
import { TAGS } from "../ui/tags";

const LEVELS = ["h1", "h2", "h3", "h4", "h5", "h6"];

export function drawn(fragment: Y.XmlFragment): DocumentFragment {
  const made = document.createDocumentFragment();
  for (const child of fragment.toArray() as unknown[]) {
    if (child instanceof Y.XmlElement) made.append(element(child));
    else if (child instanceof Y.XmlText) made.append(textOf(child));
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
  const label = attributes.label ?? attributes.alt;
  if (typeof label === "string") made.append(label);
  made.append(drawn(from));
  return made;
}

function textOf(text: Y.XmlText): string {
  const parts: { insert: unknown }[] = text.toDelta();
  return parts.map(({ insert }) => (typeof insert === "string" ? insert : "□")).join("");
}
