/** What waits while somebody composes with an input method, and until when. */

import { expect, test } from "vitest";
import * as Y from "yjs";
import { Window } from "./documents";

function paragraphs(...words: string[]): Y.Doc {
  const document = new Y.Doc();
  const blocks = words.map((each) => {
    const block = new Y.XmlElement("paragraph");
    block.insert(0, [new Y.XmlText(each)]);
    return block;
  });
  document.getXmlFragment("default").insert(0, blocks);
  return document;
}

function textOf(document: Y.Doc, index: number): Y.XmlText {
  return (document.getXmlFragment("default").get(index) as Y.XmlElement).get(0) as Y.XmlText;
}

/** A window of a document that others edit, with what somebody composes in by number of the block. */
function opened(...words: string[]) {
  const other = paragraphs(...words);
  const window = new Window(Y.encodeStateAsUpdate(other));
  other.on("update", (update: Uint8Array) => window.receive(update));
  const { held } = window.relay;
  if ("misfit" in held) throw new Error(held.misfit);
  const compose = (index: number | null) =>
    held.composing(index === null ? null : (held.fragment.get(index) as Y.XmlElement));
  const shown = () => window.editor?.state.doc.children.map(({ textContent }) => textContent);
  return { other, compose, shown };
}

test("what waits for a composition is shown when the next one begins in another block", () => {
  const { other, compose, shown } = opened("first", "second");
  compose(0);
  textOf(other, 0).insert(5, " word");
  expect(shown()).toEqual(["first", "second"]);
  compose(0); // the next word of the same block
  expect(shown()).toEqual(["first", "second"]);
  compose(1);
  expect(shown()).toEqual(["first word", "second"]);
  textOf(other, 1).insert(6, " word");
  expect(shown()).toEqual(["first word", "second"]);
  compose(null);
  expect(shown()).toEqual(["first word", "second word"]);
});
