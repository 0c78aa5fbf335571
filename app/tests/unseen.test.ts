// @vitest-environment happy-dom
import { beforeEach, expect, test } from "vitest";
import { KeptUnseen, withUnseen } from "../src/document/unseen";

const HELPER = { userId: "ada", name: "Ada Lovelace", agent: "helper" };
const WORDS = { text: "and ", deletedBy: HELPER, revision: 3 };

beforeEach(() => sessionStorage.clear());

test("words that come in parts are one notice, those that somebody else deleted another", () => {
  const joined = withUnseen([WORDS], { ...WORDS, text: "bread", revision: 4 });
  expect(joined).toEqual([{ ...WORDS, text: "and bread", revision: 4 }]);
  expect(withUnseen(joined, { ...WORDS, deletedBy: null })).toHaveLength(2);
});

test("a reload finds them for the same person and document alone, until they are answered", () => {
  const kept = new KeptUnseen("ada", "plan");
  kept.write([WORDS]);
  expect(new KeptUnseen("ada", "plan").read()).toEqual([WORDS]);
  expect(new KeptUnseen("ben", "plan").read()).toEqual([]);
  expect(new KeptUnseen("ada", "notes").read()).toEqual([]);
  kept.write([]);
  expect(kept.read()).toEqual([]);
  expect(sessionStorage.length).toBe(0);
});
