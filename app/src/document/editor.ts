/** Makes the editor of one document: the schema as it has grown, the binding, and what typing does beside it. */

import { Editor } from "@tiptap/core";
import { Placeholder } from "@tiptap/extensions";
import { getRelativeSelection, relativePositionToAbsolutePosition, ySyncPluginKey } from "y-prosemirror";
import type { Awareness } from "y-protocols/awareness";
import { binding } from "./binding.ts";
import { BlameLayer } from "./blame/layer.ts";
import { Charts } from "./charts.ts";
import { ServerImage } from "./images.ts";
import { links } from "./links.ts";
import { MoveBlock } from "./moving.ts";
import { Paste } from "./paste.ts";
import type { Person } from "./people.ts";
import type { Held } from "./relay.ts";
import { extensions } from "./schema.ts";
import { ReadSelection } from "./selection.ts";
import { mentions, SlashMenu } from "./suggestions.ts";
import { ScrolledTable } from "./tables.ts";
import { TickTask } from "./tasks.ts";
import { imageUploads, type Sending } from "./uploads.ts";

type Bound = Extract<Held, { mine: unknown }>;

/** What the editor asks of the screen around it. */
export interface Helpers {
  sending: Sending;
  people: () => Promise<readonly Person[]>;
  askForLink: () => void;
}

const BAR = 96; // pixels

/** Where a person was in an editor that is made anew. */
export interface Place {
  selection: ReturnType<typeof getRelativeSelection>;
  hasFocus: boolean;
}

export function makeEditor(
  element: HTMLElement,
  { fragment, growth }: Bound,
  awareness: Awareness,
  mayEdit: boolean,
  { sending, people, askForLink }: Helpers,
): Editor {
  return new Editor({
    element,
    editable: mayEdit,
    injectCSS: false,
    extensions: [
      ...extensions(growth, [ServerImage, ScrolledTable, mentions(people)]),
      binding(fragment, awareness),
      Placeholder.configure({ placeholder: "Write, or press / for blocks" }),
      SlashMenu,
      ReadSelection,
      BlameLayer,
      Charts,
      Paste,
      imageUploads(sending),
      links(askForLink),
      TickTask,
      MoveBlock,
    ],
    editorProps: {
      // the head and the bar cover lines above or, on phones, the bar those below the text
      scrollThreshold: BAR,
      scrollMargin: BAR,
      attributes: { role: "textbox", "aria-multiline": "true", "aria-label": "Document" },
    },
  });
}

export function placeIn(editor: Editor): Place {
  const { binding } = ySyncPluginKey.getState(editor.state);
  return { selection: getRelativeSelection(binding, editor.state), hasFocus: editor.isFocused };
}

export function goTo(editor: Editor, { selection, hasFocus }: Place) {
  const { doc, type, binding } = ySyncPluginKey.getState(editor.state);
  const [from, to] = [selection.anchor, selection.head].map((each) =>
    each ? relativePositionToAbsolutePosition(doc, type, each, binding.mapping) : null,
  );
  if (from != null && to != null) editor.commands.setTextSelection({ from, to });
  if (hasFocus) editor.commands.focus(null, { scrollIntoView: false });
}
