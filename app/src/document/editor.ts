/** Makes the editor of one document: the schema as it has grown, the binding, and what typing does beside it. */

import { Editor } from "@tiptap/core";
import { Placeholder } from "@tiptap/extensions/placeholder";
import { relativePositionToAbsolutePosition } from "y-prosemirror";
import { t } from "../messages/messages";
import { binding } from "./binding";
import { OverlayPlugin } from "./blame/overlay";
import { CodeBlocks } from "./code_blocks";
import { CodeColours } from "./code_colours";
import { composition } from "./composition";
import { CopiedText } from "./copied_text";
import { OpenedDetails } from "./details";
import type { Company } from "./document_session";
import { Edges } from "./edges";
import { Emoji } from "./emoji";
import { Find } from "./find/find";
import { FormattingKeys } from "./formatting_keys";
import { HeldBlock } from "./held_block";
import { ServerImage } from "./images";
import { TypedTask, Underscores } from "./input_rules";
import { lastWritten } from "./last_written";
import { type FindItems, linkedItems } from "./linked_items";
import { links } from "./links";
import { MoveBlock } from "./moving";
import { Paste } from "./paste";
import { type MarkdownReading, pastedMarkdown } from "./pasted_markdown";
import type { Person } from "./people";
import type { Held } from "./relay";
import { extensions } from "./schema";
import { ReadSelection } from "./selection";
import { mentions, SlashMenu } from "./suggestions";
import { tabKey } from "./tab";
import { ColumnWidths, ScrolledTable } from "./tables";
import { TickTask } from "./tasks";
import { TextEnd } from "./text_end";
import { imageUploads, type Sending } from "./uploads";
import { bindingOf, relativeSelectionOf } from "./yjs_internals";

type Bound = Extract<Held, { mine: unknown }>;

/** What the editor asks of the screen around it. */
export type Helpers = {
  sending: Sending;
  people: () => Promise<readonly Person[]>;
  findItems: FindItems;
  askForLink: () => void;
  reading: MarkdownReading;
  /** Says how the keyboard leaves the text. */
  explainTab: () => void;
};

const BAR = 96; // pixels

/** Where a person was in an editor that is made anew. */
export type Place = {
  selection: ReturnType<typeof relativeSelectionOf>;
  hasFocus: boolean;
};

export function makeEditor(
  element: HTMLElement,
  { fragment, growth, composing }: Bound,
  { awareness, colours }: Company,
  mayEdit: boolean,
  { sending, people, findItems, askForLink, reading, explainTab }: Helpers,
): Editor {
  return new Editor({
    element,
    editable: mayEdit,
    injectCSS: false,
    // the server reads what is pasted as Markdown
    enablePasteRules: ["link"],
    extensions: [
      ...extensions(growth, [ServerImage, ScrolledTable, OpenedDetails, TypedTask, mentions(people, findItems)]),
      binding(fragment, awareness, colours),
      composition(fragment, composing),
      lastWritten(fragment),
      Placeholder.configure({ placeholder: t.document.placeholder }),
      SlashMenu,
      linkedItems(findItems),
      Emoji,
      ReadSelection,
      OverlayPlugin,
      Find,
      CodeBlocks,
      CodeColours,
      Paste,
      pastedMarkdown(reading),
      CopiedText,
      imageUploads(sending),
      links(askForLink),
      ColumnWidths,
      TickTask,
      MoveBlock,
      HeldBlock,
      tabKey(explainTab),
      FormattingKeys,
      TextEnd,
      Edges,
      Underscores,
    ],
    editorProps: {
      // the head and the bar cover lines above or, on phones, the bar those below the text
      scrollThreshold: BAR,
      scrollMargin: BAR,
      attributes: { role: "textbox", "aria-multiline": "true", "aria-label": t.document.label },
    },
  });
}

/** Puts the caret into a document without words, unless the keyboard is somewhere. */
export function begin({ view, state: { doc }, isEditable }: Editor) {
  const { activeElement } = view.dom.ownerDocument;
  // Tiptap's `isEmpty` looks at each block
  const isEmpty = doc.childCount <= 1 && (doc.firstChild?.content.size ?? 0) === 0 && !doc.firstChild?.isLeaf;
  if (isEditable && isEmpty && (activeElement?.contains(view.dom) ?? true)) view.focus();
}

export function placeIn(editor: Editor): Place {
  return { selection: relativeSelectionOf(editor.state), hasFocus: editor.isFocused };
}

export function goTo(editor: Editor, { selection, hasFocus }: Place) {
  const { doc, type, mapping } = bindingOf(editor.state);
  const [from, to] = [selection.anchor, selection.head].map((each) =>
    each ? relativePositionToAbsolutePosition(doc, type, each, mapping) : null,
  );
  if (from != null && to != null) editor.commands.setTextSelection({ from, to });
  if (hasFocus) editor.commands.focus(null, { scrollIntoView: false });
}
