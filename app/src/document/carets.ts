/** Draws where others are: people in one of eight colours, agents with ⌁ and a dashed line. */

import type { DecorationAttrs } from "@tiptap/pm/view";
import { t } from "../messages/messages";
import type { DocumentColours } from "../ui/people";

export type Person = {
  /** As the server says it; never what a client says of itself. */
  id?: string;
  name?: string;
  agent?: string | null;
};

export function nameOf({ name, agent }: Person): string {
  return agent ? `⌁${agent}` : (name ?? t.ui.somebody);
}

export function drawCaret(person: Person, colours: DocumentColours): HTMLElement {
  const caret = document.createElement("span");
  caret.className = `caret ${colours.classOf(person)}${person.agent ? " agent" : ""}`;
  caret.setAttribute("aria-hidden", "true");
  caret.dataset.name = nameOf(person);
  // INVARIANT: there is no text in it, where a click beside it would put the selection, and what is typed would be lost
  return caret;
}

export function selectionOf(person: Person, colours: DocumentColours): DecorationAttrs {
  return { class: `selected ${colours.classOf(person)}` };
}
