// @vitest-environment happy-dom
/** Emoji are offered by their names after ":", and nothing else that is typed with a colon becomes one. */

import { screen, waitFor } from "@testing-library/dom";
import { gemoji } from "gemoji";
import { afterEach, expect, test } from "vitest";
import { found, named } from "../src/document/emoji";
import { GERMAN_EMOJI } from "../src/messages/german_emoji";
import { emojiNames, speak } from "../src/messages/messages";
import { closeEditors, documentOf, editorOf } from "./editors";
import { withSizes } from "./screens";

withSizes();

afterEach(() => {
  closeEditors();
  document.body.replaceChildren();
});

test.each([
  ["tada", "🎉"],
  ["smile", "😄"],
  ["heart", "❤️"],
  ["+1", "👍"],
  ["thumbsup", "👍"],
  ["TADA", "🎉"],
  ["rocke", "🚀"],
  ["party", "🥳"],
  ["germ", "🇩🇪"],
])(":%s finds %s", (typed, emoji) => {
  const offered = found(gemoji, typed).map((each) => each.emoji);
  expect(offered).toContain(emoji);
  expect(offered.length).toBeLessThanOrEqual(8);
});

test("the shorter of two names is offered first", () => {
  expect(found(gemoji, "hea")[0]?.emoji).toBe("❤️");
});

test.each([
  ["rakete", "🚀"],
  ["straße", undefined],
  ["müll", "🗑️"],
  ["daumen", "👍"],
  ["kaffee", "☕"],
  ["tada", "🎉"],
])("in German, :%s finds %s", async (typed, emoji) => {
  await speak("de", ["de-DE"]);
  expect(found(named(gemoji, await emojiNames()), typed)[0]?.emoji).toBe(emoji);
});

test("each German name is that of an emoji, and other languages have none of them", async () => {
  const known = new Set(gemoji.map(({ emoji }) => emoji));
  expect(Object.keys(GERMAN_EMOJI).filter((emoji) => !known.has(emoji))).toEqual([]);
  expect(await emojiNames()).toEqual({});
});

test("a German name is written with its umlauts, and shown", async () => {
  await speak("de", ["de-DE"]);
  const editor = editorOf(documentOf(["so :glü"]));
  editor.commands.setTextSelection(8);
  editor.commands.insertContent("h");
  expect((await screen.findAllByRole("option"))[0]?.textContent).toBe("💡idee");
});

test("Enter writes the first one in the place of what was typed", async () => {
  const editor = editorOf(documentOf(["so :ta"]));
  editor.commands.setTextSelection(7);
  editor.commands.insertContent("d");
  expect((await screen.findAllByRole("option"))[0]?.textContent).toBe("🎉tada");
  const event = new KeyboardEvent("keydown", { key: "Enter" });
  editor.view.someProp("handleKeyDown", (handle) => handle(editor.view, event));
  expect(editor.getText()).toBe("so 🎉 ");
  await waitFor(() => expect(screen.queryAllByRole("option")).toEqual([]));
});

test.each(["at 10:30", "see https:", ":D", ": da", "note :)", "a:tada"])("%s stays as typed", async (words) => {
  const editor = editorOf(documentOf([words.slice(0, -1)]));
  editor.commands.setTextSelection(words.length);
  editor.commands.insertContent({ type: "text", text: words.slice(-1) });
  await Promise.resolve();
  expect(screen.queryAllByRole("option")).toEqual([]);
  expect(editor.getText()).toBe(words);
});
