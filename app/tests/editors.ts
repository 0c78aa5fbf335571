/** Editors of documents in a page without a screen. */

import type { Editor } from "@tiptap/core";
import { Awareness } from "y-protocols/awareness";
import * as Y from "yjs";
import { type Helpers, makeEditor } from "../src/document/editor";
import { NO_GROWTH } from "../src/document/schema";
import { DocumentColours } from "../src/ui/people";

export const CLIENT = 7;

/** A document with these blocks, each a heading of a level or a paragraph, written by one client. */
export function documentOf(...blocks: [words: string, level?: number][]): Y.Doc {
  const doc = new Y.Doc();
  doc.clientID = CLIENT;
  const made = blocks.map(([words, level]) => {
    const element = new Y.XmlElement<{ level: number }>(level === undefined ? "paragraph" : "heading");
    if (level !== undefined) element.setAttribute("level", level);
    element.insert(0, [new Y.XmlText(words)]);
    return element as unknown as Y.XmlElement;
  });
  doc.getXmlFragment("default").insert(0, made);
  return doc;
}

const opened: Editor[] = [];

/** Close all editors, after a test. */
export function closeEditors() {
  for (const editor of opened.splice(0)) editor.destroy();
}

/** Open an editor of a document, as the screen does. */
export function editorOf(mine: Y.Doc, mayEdit = true, more: Partial<Helpers> = {}): Editor {
  const element = document.body.appendChild(document.createElement("div"));
  const fragment = mine.getXmlFragment("default");
  const editor = makeEditor(
    element,
    { fragment, growth: NO_GROWTH, composing: () => undefined },
    { awareness: new Awareness(mine), colours: new DocumentColours() },
    mayEdit,
    {
      sending: { send: () => Promise.reject(new Error("no image is sent here")), warn: () => undefined },
      people: async () => [],
      findItems: async () => [],
      askForLink: () => undefined,
      explainTab: () => undefined,
      ...more,
    },
  );
  opened.push(editor);
  return editor;
}
