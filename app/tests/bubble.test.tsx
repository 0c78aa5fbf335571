// @vitest-environment happy-dom
/** What stands at the selection: tools over words, and where a link leads, by the name of what only its readers see. */

import { act, cleanup, fireEvent, renderHook, screen, waitFor, within } from "@testing-library/react";
import type { Editor } from "@tiptap/core";
import { afterEach, expect, test } from "vitest";
import { useBarKey } from "../src/document/Bar";
import { Bubble } from "../src/document/Bubble";
import { closeEditors, documentOf, editorOf } from "./editors";
import { FakeGraphql, Refusal, row, sessionOf } from "./fake_graphql";
import { screenOf, withSizes } from "./screens";

withSizes();
const HERE = `${location.origin}/doc/plan`;

afterEach(() => {
  cleanup();
  closeEditors();
  document.body.replaceChildren();
});

async function shown(html: string, mayEdit = true): Promise<Editor> {
  const editor = editorOf(documentOf([""]), mayEdit);
  editor.commands.setContent(html);
  screenOf(sessionOf(), <Bubble editor={editor} />);
  await screen.findByRole("main");
  act(() => editor.view.focus());
  return editor;
}

const select = (editor: Editor, from: number, to = from) =>
  act(() => void editor.commands.setTextSelection({ from, to }));
const leads = () => within(screen.getByRole("toolbar")).getByRole("link");
const bar = () => screen.queryByRole("toolbar")?.getAttribute("aria-label") ?? null;

test("selected words have tools over them, which say what they are and change them", async () => {
  const editor = await shown("<p>one two</p>");
  expect(bar()).toBe(null);
  select(editor, 1, 4);
  expect(bar()).toBe("Selected text");
  expect(screen.getAllByRole("button").map((each) => each.getAttribute("aria-label"))).toEqual([
    "Bold",
    "Italic",
    "Strike through",
    "Code",
    "Link",
  ]);
  fireEvent.click(screen.getByRole("button", { name: "Bold" }));
  expect(editor.getHTML()).toContain("<strong>one</strong> two");
  await screen.findByRole("button", { name: "Bold", pressed: true });
});

test("a key goes from the text to the tools at the selection, and from them to the bar above the text", async () => {
  const editor = await shown("<p>one two</p>");
  renderHook(() => useBarKey(editor));
  const above = document.createElement("div");
  above.dataset.bar = "";
  above.append(Object.assign(document.createElement("button"), { tabIndex: 0 }));
  document.body.prepend(above);
  select(editor, 1, 4);
  const press = () =>
    act(() => void fireEvent.keyDown(document.activeElement ?? document.body, { key: "F10", altKey: true }));
  press();
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Bold");
  fireEvent.keyDown(document.activeElement as Element, { key: "ArrowRight" });
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Italic");
  press();
  expect(document.activeElement).toBe(above.firstChild);
  expect(bar()).toBe("Selected text");
  press();
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Italic");
});

test("nothing stands at code, at what is no text, while the pointer selects, after Escape, and without the keyboard", async () => {
  const editor = await shown("<p>one</p><pre><code>two</code></pre><hr><p> </p>");
  select(editor, 6, 8);
  expect(bar()).toBe(null);
  act(() => void editor.commands.setNodeSelection(10));
  expect(bar()).toBe(null);
  select(editor, 1, 3);
  expect(bar()).toBe("Selected text");
  fireEvent.pointerDown(editor.view.dom);
  expect(bar()).toBe(null);
  fireEvent.pointerUp(editor.view.dom);
  expect(bar()).toBe("Selected text");
  fireEvent.keyDown(editor.view.dom, { key: "Escape" });
  expect(bar()).toBe(null);
  select(editor, 1, 4);
  expect(bar()).toBe("Selected text");
  act(() => editor.view.dom.blur());
  expect(bar()).toBe(null);
});

test("whoever may only read has no tools", async () => {
  const editor = await shown("<p>one <a href='https://a.example'>two</a></p>", false);
  select(editor, 1, 3);
  expect(bar()).toBe(null);
  select(editor, 6);
  expect(bar()).toBe(null);
});

test("a link says where it leads, and goes without its words", async () => {
  const editor = await shown("<p>one <a href='https://a.example/b'>two</a></p>");
  select(editor, 6);
  expect(bar()).toBe("Where the link leads");
  expect(leads().textContent).toBe("https://a.example/b");
  expect(screen.queryByRole("button", { name: "Show the name instead of the address" })).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Remove the link" }));
  expect(editor.getHTML()).toMatch(/>one two<\/p>$/);
  expect(bar()).toBe(null);
});

test("behind a link whose words are being written nothing stands", async () => {
  const editor = await shown("<p><a href='https://a.example'>two</a></p>");
  select(editor, 4);
  expect(bar()).toBe(null);
});

test("an address of this server is called what it leads to, and becomes its name in the text", async () => {
  const server = new FakeGraphql({
    ItemPlace: () => ({ driveItem: { ...row("Daily plan"), drive: null, ancestors: [] } }),
  });
  const editor = await shown(`<p><a href="${HERE}">${HERE}</a></p>`);
  select(editor, 1 + HERE.length);
  expect((await screen.findByRole("link", { name: "Daily plan" })).title).toBe(HERE);
  expect(server.asked).toEqual(['ItemPlace {"id":"plan"}']);
  fireEvent.click(screen.getByRole("button", { name: "Show the name instead of the address" }));
  expect(editor.getText()).toBe("Daily plan");
  expect(editor.getHTML()).toContain(`href="${HERE}"`);
});

test("whoever may not see the item sees its address alone", async () => {
  const server = new FakeGraphql({ ItemPlace: () => new Refusal("NOT_FOUND", "There is no such item.") });
  const editor = await shown(`<p><a href="${HERE}">${HERE}</a></p>`);
  select(editor, 3);
  await waitFor(() => expect(server.asked.length).toBe(1));
  expect(leads().textContent).toBe(HERE);
  expect(screen.queryByRole("button", { name: "Show the name instead of the address" })).toBeNull();
});
