/** All words for people are in the catalogue, and every language has all of them. */

import { readdirSync, readFileSync } from "node:fs";
import { renderToString } from "react-dom/server";
import { parseSync } from "vite";
import { expect, test } from "vitest";
import { english } from "../src/messages/english";
import { formatsOf } from "../src/messages/formats";
import { german } from "../src/messages/german";
import { formats, languageFor, speak, t } from "../src/messages/messages";

const SRC = new URL("../src/", import.meta.url);
const MODULES = readdirSync(SRC, { recursive: true, encoding: "utf-8" })
  // GraphiQL has words of its own, in English
  .filter((name) => /\.tsx?$/.test(name) && !/^(messages|graphiql)\/|^graphql\/generated/.test(name))
  .sort();

type Node = { readonly type: string; readonly [key: string]: unknown };

/** Functions whose text is for programmers, or for the browser. */
const OF_CODE =
  /^(Error|querySelector|querySelectorAll|closest|matches|matchMedia|useMedia|RegExp|split|startsWith|includes|setProperty)$/;
/** Functions that keep answers under the key that is given first. */
const OF_KEYS = /^(answer|pages|wholeList)$/;
/** Attributes, properties and variables whose text is for the browser, or a key. */
const OF_BROWSER =
  /^(class|className|style|role|type|id|key|href|accept|rel|media|within|press|keys|selector|queryKey|data-.*|aria-(controls|live|autocomplete|current|keyshortcuts))$/;
/** What looks like words and is none: the product's name, and the data of the first chart. */
const NO_WORDS = new Set(["Codrive", "Jan"]);

/** Return the words for people that a module has. */
function wordsIn(module: string, text: string): string[] {
  const { program, errors } = parseSync(module, text);
  expect(errors, module).toEqual([]);
  const found: string[] = [];
  visit(program as unknown as Node, (words) => found.push(`${module}: ${words.trim()}`));
  return found;
}

function visit(node: Node, tell: (words: string) => void) {
  if (node.type === "JSXText") {
    const words = String(node.value).trim();
    if (/\p{L}/u.test(words) && !NO_WORDS.has(words)) tell(words);
    return;
  }
  if (isOfCode(node)) return;
  const text = textOf(node);
  if (text !== null) return isForPeople(text) && tell(text);
  const isKeyed = node.type === "CallExpression" && OF_KEYS.test(nameOf(node.callee));
  for (const [name, child] of Object.entries(node))
    for (const each of Array.isArray(child) ? child.slice(isKeyed && name === "arguments" ? 1 : 0) : [child])
      if (typeof each?.type === "string") visit(each, tell);
}

function textOf({ type, value }: Node): string | null {
  if (type === "Literal" && typeof value === "string") return value;
  return type === "TemplateElement" ? String((value as { cooked: string }).cooked) : null;
}

/** Two words, or one that begins with a capital letter. */
function isForPeople(text: string): boolean {
  return /\p{L}[,:;.…]? \p{L}|^\p{Lu}\p{Ll}+…?$/u.test(text) && !NO_WORDS.has(text);
}

/** Whether what is in a node is of the program: types, imports, comparisons, selectors, keys and messages of errors. */
function isOfCode(node: Node): boolean {
  if (/^TS(?!As|Satisfies|NonNull)|^Import(?!Expression)|^ExportAll/.test(node.type)) return true;
  if (node.type === "BinaryExpression") return /^(===|!==|in)$/.test(String(node.operator));
  if (node.type === "JSXAttribute") return OF_BROWSER.test(nameOf(node.name));
  if (node.type === "Property") return OF_BROWSER.test(nameOf(node.key));
  if (node.type === "VariableDeclarator") return OF_BROWSER.test(nameOf(node.id).toLowerCase());
  if (node.type === "AssignmentExpression") return OF_BROWSER.test(nameOf(node.left));
  return /^(Call|New)Expression$/.test(node.type) && OF_CODE.test(nameOf(node.callee));
}

/** The name of an attribute, a property, a variable or a function; "" where it is computed. */
function nameOf(node: unknown): string {
  const { name, value, property } = node as { name?: unknown; value?: unknown; property?: Node };
  return property ? nameOf(property) : String((name as Node)?.name ?? name ?? value ?? "");
}

test("words for people are in the catalogue alone", () => {
  expect(MODULES.flatMap((module) => wordsIn(module, readFileSync(new URL(module, SRC), "utf-8")))).toEqual([]);
});

test("words are found between tags, in labels, in sentences and in messages", () => {
  const module = `
    const title = "Undo";
    notify(\`\${count} items are in the trash.\`);
    export const Shown = () => <button aria-label="Close" className="quiet wide">Save it {count} times</button>;
    throw new Error("never seen");
  `;
  const found = ["Undo", "items are in the trash.", "Close", "Save it", "times"];
  expect(wordsIn("planted.tsx", module)).toEqual(found.map((words) => `planted.tsx: ${words}`));
});

/** What each message says, by its path; a message with values says them with some. */
function messagesIn(words: unknown, path = ""): [string, string][] {
  if (typeof words === "string") return [[path, words]];
  if (typeof words === "function") return [[path, renderToString(words(...VALUES.slice(0, words.length)))]];
  return Object.entries(words as object).flatMap(([name, each]) => messagesIn(each, `${path}.${name}`));
}

const VALUES = ["«a»", "«b»", "«c»"];
/** What has the same words in both languages. */
const ALIKE =
  /^\.ui\.(name|agent|titled)$|^\.(lists|agents)\.(in|reviewIn)$|^\.lists\.columns\.name$|^\.access\.links$|^\.keys\.|^\.document\.(link|offline|withKeys|misfits\.in)$|^\.tools\.(block|code|details|link|orange|text)$|^\.history\.version$|^\.gone\.happenedOnce$/;

test("every message is in both languages, with the same values", () => {
  const source = new Map(messagesIn(english(formatsOf("en"))));
  const other = new Map(messagesIn(german(formatsOf("de"))).filter(([path]) => !path.startsWith(".states.refused.")));
  expect([...other.keys()].sort()).toEqual([...source.keys()].sort());
  const valuesOf = (words = "") => [...new Set(words.match(/«.»/g))].sort();
  const wrong = [...source].filter(([path, words]) => {
    const said = other.get(path);
    return (said === words && !ALIKE.test(path)) || valuesOf(said).join() !== valuesOf(words).join();
  });
  expect(wrong).toEqual([]);
});

test("what a reader chose is spoken, else the first of the browser's languages that there is", () => {
  expect(languageFor(["fr-FR", "de-CH", "en"], null)).toBe("de");
  expect(languageFor(["fr-FR"], null)).toBe("en");
  expect(languageFor([], null)).toBe("en");
  expect(languageFor(["de"], "en")).toBe("en");
});

test("numbers and moments are those of the region that the browser names for the language", async () => {
  await speak("de", ["en-US", "de-CH"]);
  expect(formats.locale).toBe("de-CH");
  expect(t.lists.selected(12_345)).toMatch(/^12['’]345 ausgewählt$/);
  await speak("de", ["en-US"]);
  expect(t.lists.selected(12_345)).toBe("12.345 ausgewählt");
  expect(t.items.counted(1)).toBe("1 Element");
  await speak("en", ["en-GB"]);
  expect(formats.exact.format(new Date(2026, 0, 2, 15, 4))).toBe("2 Jan 2026, 15:04");
});
