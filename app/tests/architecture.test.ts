import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test, vi } from "vitest";

const SRC = new URL("../src/", import.meta.url);
const MODULES = readdirSync(SRC, { recursive: true, encoding: "utf-8" })
  .filter((name) => /\.tsx?$/.test(name))
  .sort();

/** The layers, the uppermost first: what is in one imports from its own folder and from those below. */
const LAYERS = [
  ["main.tsx", "graphiql"],
  ["shell"],
  ["commands"],
  ["access", "agents", "document", "drive", "history", "home", "search"],
  ["ui"],
  ["graphql"],
  ["messages"],
];

/** The features that another one may import from. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  agents: ["drive"],
  drive: ["access"],
  history: ["drive", "document"],
  home: ["drive"],
  search: ["drive"],
};

function importsOf(module: string): string[] {
  const text = readFileSync(new URL(module, SRC), "utf-8");
  const found = [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].map(([, path]) => path as string);
  return found
    .map((path) => normalize(join(dirname(module), path)))
    .map((path) => [path, `${path}.ts`, `${path}.tsx`].find((each) => MODULES.includes(each)))
    .filter((each) => each !== undefined);
}

function layerOf(module: string): number {
  return LAYERS.findIndex((folders) => folders.includes(module.split("/")[0] as string));
}

test("each folder is in a layer, and imports from those below it alone", () => {
  const wrong: string[] = [];
  for (const module of MODULES) {
    expect(layerOf(module), module).toBeGreaterThanOrEqual(0);
    const folder = module.split("/")[0] as string;
    for (const other of importsOf(module)) {
      const beside = other.split("/")[0] as string;
      const isAllowed =
        folder === beside || layerOf(other) > layerOf(module) || (BESIDE[folder]?.includes(beside) ?? false);
      if (!isAllowed) wrong.push(`${module} imports ${other}`);
    }
  }
  expect(wrong).toEqual([]);
});

test("no modules import each other in a circle", () => {
  const done = new Set<string>();
  const circles: string[] = [];
  function visit(module: string, way: readonly string[]) {
    if (way.includes(module)) return void circles.push([...way.slice(way.indexOf(module)), module].join(" > "));
    if (done.has(module)) return;
    for (const other of importsOf(module)) visit(other, [...way, module]);
    done.add(module);
  }
  for (const module of MODULES) visit(module, []);
  expect(circles).toEqual([]);
});

test("importing a module reads nothing of a page, of which Node has none, and no words, whose language is chosen later", async () => {
  expect("document" in globalThis || "localStorage" in globalThis || "addEventListener" in globalThis).toBe(false);
  const modules = import.meta.glob("../src/**/*.{ts,tsx}");
  expect(Object.keys(modules).length).toBe(MODULES.length);
  vi.resetModules(); // the words of the tests' own language are in a module that is loaded by now
  for (const [name, load] of Object.entries(modules)) if (!name.endsWith("/main.tsx")) await load();
  expect(await modules["../src/messages/messages.ts"]?.()).toMatchObject({ t: undefined });
});

/** The language of a page, which is chosen once, before anything is drawn, and a library that is loaded once. */
const KEPT = ["messages/messages.ts", "document/linkify.ts"];

test("no module keeps state of its own", () => {
  const kept = MODULES.filter((module) => !KEPT.includes(module)).flatMap((module) => {
    const text = readFileSync(new URL(module, SRC), "utf-8");
    const found = text.match(
      /^(export )?(let|var) .*|^(export )?const .*= new (Map|Set|WeakMap|WeakSet)(<.*>)?\(\);/gm,
    );
    return (found ?? []).map((line) => `${module}: ${line}`);
  });
  expect(kept).toEqual([]);
});

test("each hook is named in a test without a browser, or is of a module alone of which another name is", () => {
  const own = new URL("./", import.meta.url);
  const tests = readdirSync(own)
    .filter((name) => /\.test\.tsx?$/.test(name))
    .map((name) => readFileSync(new URL(name, own), "utf-8"))
    .join();
  const isNamed = (name: string) => new RegExp(`\\b${name}\\b`).test(tests);
  const hooks = MODULES.flatMap((module) => {
    const text = readFileSync(new URL(module, SRC), "utf-8");
    const offered = [...text.matchAll(/^export (?:function|const) (\w+)/gm)].map(([, name]) => name as string);
    return [...text.matchAll(/^(export )?(?:function|const) (use[A-Z]\w+)/gm)].map(([, exported, hook]) => ({
      hook: `${module}: ${hook}`,
      isTested: exported ? isNamed(hook as string) : offered.some(isNamed),
    }));
  });
  expect(hooks.length).toBeGreaterThan(40);
  expect(hooks.filter(({ isTested }) => !isTested).map(({ hook }) => hook)).toEqual([]);
});
