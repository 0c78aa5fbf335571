/** Draws where others are: people in one of eight colours, agents with ⌁ and a dashed line. */

import type { DecorationAttrs } from "@tiptap/pm/view";

export interface Person {
  /** As the server says it; never what a client says of itself. */
  id?: string;
  name?: string;
  agent?: string | null;
}

const COLOURS = 8;

/** Returns the number of an author's colour, which is the same in every window. */
export function colourOf({ id, agent }: Person): number {
  let sum = 0;
  for (const letter of `${id} ${agent ?? ""}`) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) >>> 0;
  return sum % COLOURS;
}

export function nameOf({ name, agent }: Person): string {
  return agent ? `⌁${agent}` : (name ?? "Somebody");
}

export function drawCaret(person: Person): HTMLElement {
  const caret = document.createElement("span");
  caret.className = `caret author-${colourOf(person)}${person.agent ? " agent" : ""}`;
  caret.setAttribute("aria-hidden", "true");
  caret.dataset.name = nameOf(person);
  // INVARIANT: there is no text in it, where a click beside it would put the selection, and what is typed would be lost
  return caret;
}

export function selectionOf(person: Person): DecorationAttrs {
  return { class: `selected author-${colourOf(person)}` };
}
