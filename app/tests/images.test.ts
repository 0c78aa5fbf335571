// @vitest-environment happy-dom
/** A selected image is described, captioned and sized in its place. */

import type { Editor } from "@tiptap/core";
import { afterEach, expect, test } from "vitest";
import * as Y from "yjs";
import { align } from "../src/document/formatting_keys";
import { closeEditors, documentOf, editorOf } from "./editors";
import { withSizes } from "./screens";

withSizes();

afterEach(() => {
  closeEditors();
  document.body.replaceChildren();
});

function withImage(attrs: object, mayEdit = true): { editor: Editor; figure: HTMLElement; mine: Y.Doc } {
  const mine = documentOf(["top"]);
  const writer = editorOf(mine);
  writer.commands.insertContentAt(5, { type: "image", attrs });
  const editor = mayEdit ? writer : editorOf(mine, false);
  editor.commands.setNodeSelection(5);
  return { editor, figure: editor.view.dom.querySelector("figure") as HTMLElement, mine };
}

const attributes = (editor: Editor) => editor.state.doc.child(1).attrs;
const fields = (figure: HTMLElement) => [...figure.querySelectorAll("input")];
const pressed = (figure: HTMLElement) =>
  [...figure.querySelectorAll("button[aria-pressed=true]")].map(({ textContent }) => textContent);
const button = (figure: HTMLElement, name: string) =>
  [...figure.querySelectorAll("button")].find(({ textContent }) => textContent === name);

function fill(input: HTMLInputElement | undefined, words: string) {
  if (!input) throw new Error("there is no field");
  input.value = words;
  input.dispatchEvent(new Event("change"));
}

test("an image has the caption below it that is written in its field, and one is taken away", () => {
  const { editor, figure } = withImage({ src: "/images/a" });
  expect(figure.querySelector("figcaption")).toBe(null);
  fill(fields(figure)[1], "A meadow in May");
  expect(attributes(editor)).toMatchObject({ title: "A meadow in May", alt: null });
  expect(figure.querySelector("figcaption")?.textContent).toBe("A meadow in May");
  expect(fields(figure).length).toBe(2);
  fill(fields(figure)[1], "");
  expect(attributes(editor).title).toBe(null);
  expect(figure.querySelector("figcaption")).toBe(null);
});

test("an image is as wide as chosen, in its own proportions, and says which width it has", () => {
  const { editor, figure } = withImage({ src: "/images/a", width: 999, height: 10 });
  button(figure, "Medium")?.click();
  expect(attributes(editor)).toMatchObject({ width: 480, height: null });
  expect(pressed(figure)).toEqual(["Medium", "Left"]);
  expect(figure.querySelector("img")?.getAttribute("width")).toBe("480");
  expect(figure.querySelector("img")?.hasAttribute("height")).toBe(false);
  button(figure, "Original size")?.click();
  expect(attributes(editor).width).toBe(null);
});

test("what others write of a selected image is shown", () => {
  const { editor, figure, mine } = withImage({ src: "/images/a" });
  const other = new Y.Doc();
  Y.applyUpdate(other, Y.encodeStateAsUpdate(mine));
  (other.getXmlFragment("default").get(1) as Y.XmlElement).setAttribute("title", "theirs");
  Y.applyUpdate(mine, Y.encodeStateAsUpdate(other));
  expect(attributes(editor).title).toBe("theirs");
  expect(figure.isConnected && figure.querySelector("figcaption")?.textContent).toBe("theirs");
});

test("an image of another server is described alone, and whoever may only read has no tools", () => {
  const { editor, figure } = withImage({ src: "https://a.example/b.png" });
  expect(fields(figure).length).toBe(1);
  expect(button(figure, "Medium")).toBe(undefined);
  fill(fields(figure)[0], "b");
  expect(attributes(editor).alt).toBe("b");
  const { figure: read } = withImage({ src: "/images/a", title: "Shown" }, false);
  expect(read.querySelector("figcaption")?.textContent).toBe("Shown");
  expect(fields(read).length).toBe(0);
});

test("an image is aligned by its buttons and by what aligns text, and justified by neither", () => {
  const { editor, figure } = withImage({ src: "/images/a" });
  button(figure, "Centre")?.click();
  expect(attributes(editor).align).toBe("center");
  expect(figure.dataset.align).toBe("center");
  expect(pressed(figure)).toEqual(["Original size", "Centre"]);
  align(editor, "right");
  expect(pressed(figure)).toEqual(["Original size", "Right"]);
  align(editor, "justify");
  expect(attributes(editor).align).toBe(null);
  expect(figure.dataset.align).toBe("");
});

test("an alignment that nobody knows is none, and stays in the document", () => {
  const { editor, figure } = withImage({ src: "/images/a", align: "nowhere" });
  expect(figure.dataset.align).toBe("");
  expect(attributes(editor).align).toBe("nowhere");
});
