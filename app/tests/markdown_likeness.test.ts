/** Which text is taken for Markdown where it is pasted: the cases are those of which the server's tests say what they read. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { looksLikeMarkdown } from "../src/document/markdown_likeness";

type Case = { name: string; text: string; reads?: string };

const CASES: Case[] = JSON.parse(
  readFileSync(new URL("../../tests/app/pasted/markdown.json", import.meta.url), "utf-8"),
);

test.each(CASES)("$name", ({ text, reads }) => {
  expect(looksLikeMarkdown(text)).toBe(reads !== undefined);
});

test("long text is judged in a time that its length bounds", () => {
  const traps = ["*", "`", "[", "![", "](", "~~", "#", "> ", "- ", "|", ":-", " ", "a", "[a](", "**a"];
  for (const trap of traps) looksLikeMarkdown(trap.repeat(100_000 / trap.length));
});
