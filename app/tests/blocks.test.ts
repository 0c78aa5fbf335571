// @vitest-environment happy-dom
/** The blocks that "/" offers are found by the words that people search for, and say the keys that do the same. */

import { screen, waitFor } from "@testing-library/dom";
import { afterEach, expect, test, vi } from "vitest";
import { BLOCKS, blockAt, found } from "../src/document/blocks";
import { shownKeys } from "../src/document/shown_keys";
import { speak } from "../src/messages/messages";
import { closeEditors, documentOf, editorOf } from "./editors";
import { withSizes } from "./screens";

withSizes();

afterEach(() => {
  vi.unstubAllGlobals();
  closeEditors();
  document.body.replaceChildren();
});

const offered = (words: string) => found(words).map(({ name }) => name);

test.each([
  ["todo", "taskList"],
  ["to-do", "taskList"],
  ["checkbox", "taskList"],
  ["checkl", "taskList"],
  ["hr", "line"],
  ["divider", "line"],
  ["separ", "line"],
  ["h1", "heading1"],
  ["title", "heading1"],
  ["##", "heading2"],
  ["picture", "image"],
  ["img", "image"],
  ["ul", "bulletList"],
  ["ol", "orderedList"],
  ["toggle", "details"],
  ["collaps", "details"],
  ["snippet", "code"],
  ["```", "code"],
  ["citation", "quote"],
  ["graph", "chart"],
  ["plain", "text"],
])("%s finds %s first", (words, name) => {
  expect(offered(words)[0]).toBe(name);
});

test("German words find blocks, and English ones, too", async () => {
  await speak("de", ["de"]);
  for (const [words, name] of [
    ["checkl", "taskList"],
    ["aufkl", "details"],
    ["trenn", "line"],
    ["foto", "image"],
    ["todo", "taskList"],
    ["quote", "quote"],
    ["table", "table"],
  ])
    expect(offered(words as string)[0]).toBe(name);
});

test("the keys that a block shows make it", () => {
  const editor = editorOf(documentOf(["words"]));
  for (const { name, keys } of BLOCKS) {
    if (!keys) continue;
    editor.commands.setContent(name === "text" ? "<h1>words</h1>" : "<p>words</p>");
    editor.commands.setTextSelection(2);
    editor.commands.keyboardShortcut(keys);
    expect(blockAt(editor), keys).toBe(name);
  }
});

test("the menu shows each block with its sign and its keys", async () => {
  const editor = editorOf(documentOf([""]));
  editor.commands.insertContent("/");
  const options = await screen.findAllByRole("option");
  expect(options.length).toBe(BLOCKS.length);
  expect(options.every((each) => each.firstElementChild?.tagName === "svg")).toBe(true);
  expect(options[1]?.textContent).toBe("Heading 1Ctrl+Alt+1");
  expect(options.at(-1)?.textContent).toBe("Chart");
  editor.commands.setContent("<p></p>");
  await waitFor(() => expect(screen.queryAllByRole("option")).toEqual([]));
  editor.commands.insertContent("/task");
  expect((await screen.findAllByRole("option")).map(({ textContent }) => textContent)).toEqual([
    "Task listCtrl+Shift+9",
  ]);
});

test("keys are written as the reader's keyboard has them", async () => {
  expect(shownKeys("Mod-Shift-b")).toBe("Ctrl+Shift+B");
  await speak("de", ["de"]);
  expect(shownKeys("Mod-Shift-b")).toBe("Strg+Umschalt+B");
  vi.stubGlobal("navigator", { platform: "MacIntel", userAgent: "" });
  expect(shownKeys("Mod-Shift-b")).toBe("⌘⇧B");
});
