// @vitest-environment happy-dom
/** The tools beside the text are loaded when somebody first uses it, and know what the pointer did until then. */

import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { TextTools } from "../src/document/TextTools";
import { closeEditors, documentOf, editorOf } from "./editors";
import { sessionOf } from "./fake_graphql";
import { screenOf, withSizes } from "./screens";

withSizes();

afterEach(() => {
  cleanup();
  closeEditors();
  document.body.replaceChildren();
});

async function opened() {
  const editor = editorOf(documentOf(["one two"]));
  screenOf(sessionOf(), <TextTools editor={editor} />);
  await screen.findByRole("main");
  return editor;
}

test("words that are selected before the tools are there have them as soon as they are", async () => {
  const editor = await opened();
  act(() => {
    editor.view.focus();
    editor.commands.setTextSelection({ from: 1, to: 4 });
  });
  fireEvent.keyDown(editor.view.dom, { key: "Shift" });
  expect((await screen.findByRole("toolbar")).getAttribute("aria-label")).toBe("Selected text");
});

test("while the pointer still selects there are none, and then they are there", async () => {
  const editor = await opened();
  act(() => {
    editor.view.focus();
    editor.commands.setTextSelection({ from: 1, to: 4 });
  });
  fireEvent.pointerDown(editor.view.dom, { buttons: 1 });
  await act(() => import("../src/document/beside"));
  expect(screen.queryByRole("toolbar")).toBe(null);
  fireEvent.pointerUp(document.body);
  await screen.findByRole("toolbar");
});
