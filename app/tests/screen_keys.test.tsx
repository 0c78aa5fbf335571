// @vitest-environment happy-dom
/** The keys of a document's screen work from anywhere in it, and those that find from its text alone. */

import { act, cleanup, fireEvent, render, renderHook, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, test } from "vitest";
import type { PanelName } from "../src/document/panels";
import { useFinding, usePanel, useSaveKey } from "../src/document/screen_keys";
import { closeEditors, documentOf, editorOf } from "./editors";
import { sessionOf } from "./fake_graphql";
import { screenOf, withSizes } from "./screens";

withSizes();

afterEach(() => {
  cleanup();
  closeEditors();
  document.body.replaceChildren();
});

test("Ctrl+S says whether all is saved, once for a key that is held", () => {
  let told = 0;
  renderHook(() => useSaveKey(() => (told += 1)));
  expect(fireEvent.keyDown(window, { key: "s", ctrlKey: true })).toBe(false);
  fireEvent.keyDown(window, { key: "s", ctrlKey: true, repeat: true });
  fireEvent.keyDown(window, { key: "s", ctrlKey: true, shiftKey: true });
  fireEvent.keyDown(window, { key: "s" });
  expect(told).toBe(1);
});

test("Ctrl+Alt+B shows the authors in the address, and hides them", async () => {
  function Beside() {
    const [panel] = useState<PanelName>("authors");
    usePanel("plan", panel);
    return "shown";
  }
  const hidden = screenOf(sessionOf(), <Beside />, "/doc/plan?panel=authors");
  await screen.findByText("shown");
  await act(async () => void fireEvent.keyDown(window, { code: "KeyB", ctrlKey: true, altKey: true }));
  expect(hidden.path()).toBe("/doc/plan");
});

test("Ctrl+F and Ctrl+H in the text open the bar that finds and replaces, elsewhere they are the browser's", () => {
  const editor = editorOf(documentOf(["words"]));
  const beside = document.body.appendChild(document.createElement("input"));
  function Finding() {
    return useFinding(editor, () => undefined).bar;
  }
  render(<Finding />);
  expect(fireEvent.keyDown(beside, { key: "f", ctrlKey: true })).toBe(true);
  expect(screen.queryAllByRole("button")).toEqual([]);
  expect(fireEvent.keyDown(editor.view.dom, { key: "f", ctrlKey: true })).toBe(false);
  expect(screen.queryByRole("button", { name: "Replace" })).toBeNull();
  fireEvent.keyDown(editor.view.dom, { key: "h", ctrlKey: true });
  screen.getByRole("button", { name: "Replace" });
});
