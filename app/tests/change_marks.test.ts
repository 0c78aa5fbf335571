import { Schema } from "@tiptap/pm/model";
import { expect, test } from "vitest";
import * as Y from "yjs";
import { childrenOf, lettersOf, walked } from "../src/document/blame/letters";

const SCHEMA = new Schema({
  nodes: {
    doc: { content: "(paragraph | list)+" },
    paragraph: { content: "text*" },
    list: { content: "item+" },
    item: { content: "paragraph+" },
    text: {},
  },
});

function paragraph(...words: string[]): Y.XmlElement {
  const made = new Y.XmlElement("paragraph");
  made.insert(
    0,
    words.map((each) => new Y.XmlText(each)),
  );
  return made;
}

function shown(words: string) {
  return SCHEMA.node("paragraph", null, words ? [SCHEMA.text(words)] : []);
}

function fragmentWith(...blocks: Y.XmlElement[]): Y.XmlFragment {
  const doc = new Y.Doc();
  doc.clientID = 7;
  const fragment = doc.getXmlFragment("default");
  fragment.insert(0, blocks);
  return fragment;
}

test("what was deleted stands where it stood, between the letters that stay", () => {
  const fragment = fragmentWith(paragraph("hello"));
  const element = fragment.get(0) as Y.XmlElement;
  (element.get(0) as Y.XmlText).delete(1, 3);
  const found = walked(element, shown("ho"));
  expect(found?.letters.map(({ from, length }) => [from, length])).toEqual([
    [1, 1],
    [2, 1],
  ]);
  expect(found?.gone.map(({ from, length }) => [from, length])).toEqual([[2, 3]]);
  const [first, last] = found?.letters ?? [];
  expect([found?.gone[0]?.client, found?.gone[0]?.clock]).toEqual([7, (first?.clock ?? 0) + 1]);
  expect(last?.clock).toBe((first?.clock ?? 0) + 4);
});

test("a text of which nothing is left still says where its letters stood", () => {
  const fragment = fragmentWith(paragraph("gone", "here"));
  const element = fragment.get(0) as Y.XmlElement;
  (element.get(0) as Y.XmlText).delete(0, 4);
  const found = walked(element, shown("here"));
  expect(found?.gone.map(({ from, length }) => [from, length])).toEqual([[1, 4]]);
  expect(found?.letters.map(({ from, length }) => [from, length])).toEqual([[1, 4]]);
});

test("a deleted block is between those that are there, and a deleted item in its list", () => {
  const list = new Y.XmlElement("list");
  for (const words of ["one", "two"]) {
    const item = new Y.XmlElement("item");
    item.insert(0, [paragraph(words)]);
    list.push([item]);
  }
  const fragment = fragmentWith(paragraph("a"), paragraph("b"), list);
  fragment.delete(1, 1);
  (fragment.get(1) as Y.XmlElement).delete(1, 1);
  const kinds = [...childrenOf(fragment)].map((each) => (each instanceof Y.Item ? "gone" : "there"));
  expect(kinds).toEqual(["there", "gone", "there"]);
  const node = SCHEMA.node("list", null, [SCHEMA.node("item", null, [shown("one")])]);
  expect(walked(fragment.get(1) as Y.XmlElement, node)?.gone.map(({ from }) => from)).toEqual([node.nodeSize - 1]);
});

test("where the editor shows another text there is nothing to say", () => {
  const element = fragmentWith(paragraph("hello")).get(0) as Y.XmlElement;
  expect(walked(element, shown("hell"))).toBe(null);
  expect(lettersOf(element, shown("hello"))).toHaveLength(1);
});
