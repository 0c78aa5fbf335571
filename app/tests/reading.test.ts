// @vitest-environment happy-dom
/** What is shown of a document where no editor is bound to it: all of it, or its beginning until the editor is there. */

import { expect, test } from "vitest";
import * as Y from "yjs";
import { beginningOf, drawn, isLong } from "../src/document/reading";

type Block = { name: string; attributes?: Record<string, string>; below?: (Block | Y.XmlText)[] };

function element({ name, attributes = {}, below = [] }: Block): Y.XmlElement {
  const made = new Y.XmlElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.insert(
    0,
    below.map((each) => (each instanceof Y.XmlText ? each : element(each))),
  );
  return made;
}

function fragmentOf(...blocks: Block[]): Y.XmlFragment {
  const fragment = new Y.Doc().getXmlFragment("default");
  fragment.insert(0, blocks.map(element));
  return fragment;
}

const paragraph = (words: string): Block => ({ name: "paragraph", below: [new Y.XmlText(words)] });

function htmlOf(made: DocumentFragment): string {
  const box = document.createElement("div");
  box.append(made);
  return box.innerHTML;
}

test("the beginning has the first blocks with their marks, up to one that looks otherwise in the editor", () => {
  const text = new Y.XmlText();
  const fragment = fragmentOf(
    { name: "heading", attributes: { level: "2" }, below: [new Y.XmlText("Goals")] },
    { name: "paragraph", below: [text] },
    { name: "bulletList", below: [{ name: "listItem", below: [paragraph("one")] }] },
    { name: "taskList", below: [] },
    paragraph("behind"),
  );
  text.insert(0, "bold", { bold: true, italic: true });
  text.insert(4, " and <b>", { bold: null, italic: null, sparkle: true });
  expect(htmlOf(beginningOf(fragment))).toBe(
    '<h2 dir="auto">Goals</h2><p dir="auto"><em><strong>bold</strong></em> and &lt;b&gt;</p><ul><li><p dir="auto">one</p></li></ul>',
  );
});

test("a block with an attribute that the editor shows ends the beginning, also inside of another", () => {
  const aligned: Block = { ...paragraph("right"), attributes: { textAlign: "right" } };
  expect(htmlOf(beginningOf(fragmentOf(paragraph("left"), aligned)))).toBe('<p dir="auto">left</p>');
  expect(htmlOf(beginningOf(fragmentOf({ name: "blockquote", below: [aligned] })))).toBe("");
});

test("a numbered list begins with its number, and a list of more items than a screen shows ends the beginning", () => {
  const list = (name: string, items: number): Block => ({
    name,
    below: Array.from({ length: items }, () => ({ name: "listItem", below: [paragraph("one")] })),
  });
  const fragment = fragmentOf(list("orderedList", 1), list("bulletList", 41));
  (fragment.get(0) as Y.XmlElement<{ start: number }>).setAttribute("start", 5);
  expect(htmlOf(beginningOf(fragment))).toBe('<ol start="5"><li><p dir="auto">one</p></li></ol>');
});

test("of a long document no more is drawn than a screen shows, and a short one waits for its editor", () => {
  const blocks = Array.from({ length: 200 }, (_, number) => paragraph(`${number}`));
  const long = fragmentOf(...blocks);
  expect([isLong(long), beginningOf(long).childElementCount]).toEqual([true, 40]);
  expect(isLong(fragmentOf(...blocks.slice(1).map((_, number) => paragraph(`${number}`))))).toBe(false);
});

test("a document that no editor may hold is drawn whole, unknown blocks with their names", () => {
  const fragment = fragmentOf(
    { name: "callout", attributes: { label: "Note" }, below: [paragraph("words")] },
    paragraph("behind"),
  );
  expect(htmlOf(drawn(fragment))).toBe(
    '<div class="locked" data-name="callout">Note<p dir="auto">words</p></div><p dir="auto">behind</p>',
  );
});
