// @vitest-environment happy-dom
/** Items are linked by their names: what is typed finds them, and one key writes the link. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { itemsBeside, type LinkedItem, linkItem } from "../src/document/linked_items";
import { closeEditors, documentOf, editorOf } from "./editors";
import { FakeGraphql } from "./fake_graphql";
import { withSizes } from "./screens";

withSizes();
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  closeEditors();
  document.body.replaceChildren();
});

const item = (name: string, more: Partial<LinkedItem> = {}): LinkedItem => ({
  id: name.toLowerCase().replaceAll(" ", "-"),
  name,
  driveItemType: "docs_workbook",
  path: [{ id: "handbook", name: "Handbook" }],
  ...more,
});
const PLAN = item("Daily plan");
const PLANS = item("Plans", { driveItemType: "folder", path: [] });

/** Type into an empty paragraph behind `begun`, and wait until the server is asked. */
async function typing(typed: string, people: { userId: string; name: string }[] = []) {
  const asked: string[] = [];
  const editor = editorOf(documentOf([""]), true, {
    people: async () => people,
    findItems: async (words) => {
      asked.push(words);
      return [PLAN, PLANS];
    },
  });
  for (const letter of typed) {
    editor.commands.insertContent(letter === " " ? { type: "text", text: " " } : letter);
    await vi.advanceTimersByTimeAsync(10);
  }
  await vi.advanceTimersByTimeAsync(1000);
  const options = () => [...document.querySelectorAll("[role=option]")].map(({ textContent }) => textContent);
  const press = (key: string) => {
    const event = new KeyboardEvent("keydown", { key });
    return editor.view.someProp("handleKeyDown", (handle) => handle(editor.view, event)) ?? false;
  };
  return { editor, asked, options, press };
}

test.each(["[[daily pl", "@dail"])("%s offers items, and Enter writes the link", async (typed) => {
  const { editor, asked, options, press } = await typing(typed);
  expect(asked.at(-1)).toBe(typed.slice(typed.startsWith("[[") ? 2 : 1));
  expect(options()).toEqual(["Daily plan Handbook"]); // what only holds the words is not meant
  press("Enter");
  expect(editor.getHTML()).toContain(`href="${location.origin}/doc/daily-plan"`);
  expect(editor.getText()).toBe("Daily plan ");
  expect(editor.isActive("link")).toBe(false);
  expect(options()).toEqual([]);
});

test("the server is asked once for what is typed without a pause", async () => {
  const { asked } = await typing("[[plan");
  expect(asked).toEqual(["plan"]);
});

test("@ offers people first, and items where nobody is called so", async () => {
  const ada = { userId: "ada", name: "Ada Lovelace" };
  const { options, asked, press, editor } = await typing("@ad", [ada]);
  expect(options()).toEqual(["Ada Lovelace"]);
  expect(asked).toEqual([]);
  press("Enter");
  expect(editor.getText()).toBe("@Ada Lovelace ");
});

test.each(["[[plan]]", "[[", "a[b"])("what is typed as %s stays as it is", async (typed) => {
  const { editor, press } = await typing(typed);
  if (typed !== "[[") press("Enter");
  expect(editor.getText()).toContain(typed.slice(0, 3));
});

test("a folder is linked as one, and a space that is there is not written again", () => {
  const editor = editorOf(documentOf(["see [[pl now"]));
  editor.commands.setTextSelection(9);
  linkItem(editor, { from: 5, to: 9 }, PLANS);
  expect(editor.getText()).toBe("see Plans now");
  expect(editor.getHTML()).toContain("/folder/plans");
});

test("a document is not offered to itself", async () => {
  const server = new FakeGraphql({ FoundItems: () => ({ search: { nodes: [PLAN, PLANS] } }) });
  expect(await itemsBeside(PLAN.id)("plan", new AbortController().signal)).toEqual([PLANS]);
  expect(server.asked).toEqual(['FoundItems {"text":"plan"}']);
});
