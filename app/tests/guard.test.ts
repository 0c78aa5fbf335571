import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "vitest";
import * as Y from "yjs";
import { fragmentOf, grow } from "../src/document/guard.ts";
import { NO_GROWTH, schemaOf } from "../src/document/schema.ts";
import { chanceOf, everything, type Screenless, scribble, Window } from "./documents.ts";

const ROUNDS = Number(process.env.CODRIVE_ROUNDS ?? 1);
const CASES = readFileSync(new URL("../../tests/documents/samples/cases.jsonl", import.meta.url), "utf-8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

function scribbled(seed: number, blocks = 4): Y.Doc {
  const document = new Y.Doc();
  scribble(document.getXmlFragment("default"), chanceOf(seed), blocks);
  return document;
}

function documentOf(build: (fragment: Y.XmlFragment) => void): Y.Doc {
  const document = new Y.Doc();
  build(document.getXmlFragment("default"));
  return document;
}

function node(name: string, attributes: Record<string, string> = {}, ...children: (Y.XmlElement | Y.XmlText)[]) {
  const made = new Y.XmlElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.insert(0, children);
  return made;
}

test("the editor's schema is documents/tree/schema.json, in its order", () => {
  const theirs = JSON.parse(readFileSync(new URL("../../documents/tree/schema.json", import.meta.url), "utf-8"));
  const schema = schemaOf(NO_GROWTH);
  const said = (specs: object, names: string[]) =>
    Object.entries(specs).map(([name, spec]) => [
      name,
      Object.fromEntries(
        names.filter((each) => spec[each]?.valueOf() || each in (spec ?? {})).map((each) => [each, spec[each]]),
      ),
    ]);
  for (const kind of ["nodes", "marks"] as const) {
    const ours = Object.fromEntries(
      Object.entries(schema[kind]).map(([name, { spec }]) => [name, JSON.parse(JSON.stringify(spec))]),
    );
    assert.deepEqual(Object.keys(ours), Object.keys(theirs[kind]));
    for (const [name, spec] of Object.entries<object>(theirs[kind])) {
      const known = said({ [name]: ours[name] }, Object.keys(spec));
      assert.deepEqual(known, said({ [name]: spec }, Object.keys(spec)));
      assert.deepEqual(ours[name].attrs ?? {}, (spec as { attrs?: object }).attrs ?? {}, name);
    }
  }
});

for (const { name, update } of CASES) {
  test(`opening the sample ${name} sends nothing`, () => {
    const window = new Window(Buffer.from(update, "base64"));
    assert.deepEqual(window.sent, []);
  });
}

test("opening any document sends nothing, and the editor's copy is the document", () => {
  let shown = 0;
  for (let seed = 1; seed <= 400 * ROUNDS; seed++) {
    const document = scribbled(seed);
    const window = new Window(Y.encodeStateAsUpdate(document));
    assert.deepEqual(window.sent, [], `seed ${seed}`);
    const { held } = window.relay;
    if ("misfit" in held) continue;
    shown += 1;
    assert.deepEqual(everything(held.fragment), everything(fragmentOf(document)), `seed ${seed}`);
  }
  assert.ok(shown > 100 * ROUNDS, `only ${shown} could be shown`);
});

test("typing beside what is unknown keeps it", () => {
  let typed = 0;
  for (let seed = 1; seed <= 300 * ROUNDS; seed++) {
    const chance = chanceOf(seed);
    const window = new Window(Y.encodeStateAsUpdate(scribbled(seed)));
    if (!window.editor) continue;
    const before = strange(fragmentOf(window.net));
    for (let count = 0; count < 3; count++) window.editor?.type(chance, "ß");
    assert.deepEqual(strange(fragmentOf(window.net)), before, `seed ${seed}`);
    assert.ok(JSON.stringify(everything(fragmentOf(window.net))).includes("ß"), `seed ${seed}`);
    typed += 1;
  }
  assert.ok(typed > 50 * ROUNDS);
});

test("an unknown attribute of a mark is not given to others of its name by typing beside them", () => {
  const text = new Y.XmlText();
  const document = documentOf((fragment) => fragment.insert(0, [node("paragraph", {}, text)]));
  const parts = [
    { insert: "one ", attributes: { fog: { colour: "grey" } } },
    { insert: "other", attributes: { fog: {} } },
    { insert: "bright", attributes: { highlight: { color: "red", glow: 1 } } },
    { insert: "plain", attributes: { highlight: { color: null } } },
  ];
  text.applyDelta(parts);
  const window = new Window(Y.encodeStateAsUpdate(document));
  window.editor?.dispatch(window.editor.state.tr.insertText("ß", 1));
  assert.deepEqual(((fragmentOf(window.net).get(0) as Y.XmlElement).get(0) as Y.XmlText).toDelta(), [
    { insert: "ß" },
    ...parts,
  ]);
});

test("what others write live, known or not, is shown and never answered", () => {
  let shown = 0;
  for (let seed = 1; seed <= 200 * ROUNDS; seed++) {
    const chance = chanceOf(seed);
    const other = scribbled(seed, 2);
    const window = new Window(Y.encodeStateAsUpdate(other));
    other.on("update", (update: Uint8Array) => window.receive(update));
    for (let count = 0; count < 4; count++) {
      const fragment = other.getXmlFragment("default");
      if (chance(3) === 0 && fragment.length) fragment.delete(chance(fragment.length), 1);
      else scribble(fragment, chance, 1);
      assert.deepEqual(window.sent, [], `seed ${seed}`);
    }
    const { held } = window.relay;
    // what an editor that is opened now would show is shown in the one that was open
    const opened = "growth" in grow(other.getXmlFragment("default"));
    assert.equal("mine" in held, opened, `seed ${seed}: ${JSON.stringify("misfit" in held && held.misfit)}`);
    if ("mine" in held) assert.deepEqual(everything(held.fragment), everything(other.getXmlFragment("default")));
    shown += Number(opened);
  }
  assert.ok(shown > 40 * ROUNDS, `only ${shown} could be shown`);
});

for (const [what, attributes, marks] of [
  ["mark", {}, { fog: { depth: 2 } }],
  ["attribute of a mark", {}, { highlight: { color: "red", glow: 1 } }],
  ["attribute of a block", { shade: "7" }, {}],
] as const) {
  test(`an unknown ${what} that arrives in a new block is shown, and kept by typing on`, () => {
    const other = documentOf((fragment) => fragment.insert(0, [node("paragraph", {}, new Y.XmlText("typed"))]));
    const window = new Window(Y.encodeStateAsUpdate(other));
    const type = (place: number) => window.editor?.dispatch(window.editor.state.tr.insertText("ß", place));
    type(1);
    other.on("update", (update: Uint8Array) => window.receive(update));
    const arriving = new Y.XmlText();
    arriving.applyDelta([{ insert: "plain " }, { insert: "strange", attributes: marks }]);
    other.getXmlFragment("default").insert(1, [node("paragraph", attributes, arriving)]);
    assert.equal(window.editor?.state.doc.textContent, "ßtypedplain strange");
    type(window.editor.state.doc.child(0).nodeSize + 1);
    const [first, second] = fragmentOf(window.net).toArray() as [Y.XmlElement, Y.XmlElement];
    assert.equal(textIn(first), "ßtyped");
    assert.deepEqual(second.getAttributes(), attributes);
    const beside = Object.keys(marks).length ? [{ insert: "strange", attributes: marks }] : [];
    assert.deepEqual((second.get(0) as Y.XmlText).toDelta(), [
      { insert: beside.length ? "ßplain " : "ßplain strange" },
      ...beside,
    ]);
  });
}

for (const [what, change] of [
  ["mark", (_, text) => text.format(4, 5, { fog: { depth: 2 } })],
  ["attribute", (block) => block.setAttribute("shade", "7")],
] as [string, (block: Y.XmlElement, text: Y.XmlText) => void][]) {
  test(`an unknown ${what} that others give to what is shown already is kept by typing on`, () => {
    const text = new Y.XmlText("two words");
    const block = node("paragraph", {}, text);
    const other = documentOf((fragment) => fragment.insert(0, [block]));
    const window = new Window(Y.encodeStateAsUpdate(other));
    other.on("update", (update: Uint8Array) => window.receive(update));
    change(block, text);
    window.editor?.dispatch(window.editor.state.tr.insertText("ß", 1));
    const [[name, attributes, [delta]]] = everything(fragmentOf(window.net)) as [[string, object, [object[]]]];
    assert.deepEqual([name, attributes], ["paragraph", block.getAttributes()]);
    const [first, ...rest] = text.toDelta();
    assert.deepEqual(delta, [{ insert: `ß${first.insert}` }, ...rest]);
  });
}

test("two editors in one paragraph write each letter where it was typed, once", () => {
  for (let seed = 1; seed <= 50 * ROUNDS; seed++) {
    const chance = chanceOf(seed);
    const server = documentOf((fragment) => fragment.insert(0, [node("paragraph", {}, new Y.XmlText("start"))]));
    const windows = [0, 1].map(() => new Window(Y.encodeStateAsUpdate(server)));
    for (let count = 0; count < 60; count++) {
      const window = windows[chance(2)] as Window;
      if (chance(3) === 0) {
        for (const update of window.sent.splice(0)) for (const each of windows) each.receive(update);
        continue;
      }
      const { state } = window.editor as Screenless;
      window.editor?.dispatch(state.tr.insertText("abc"[chance(3)] as string, 1 + chance(state.doc.content.size - 1)));
      assert.equal(textIn(fragmentOf(window.net)), window.editor?.state.doc.textContent, `seed ${seed}`);
    }
    for (const { sent } of windows) for (const update of sent) for (const each of windows) each.receive(update);
    assert.deepEqual(
      everything(fragmentOf((windows[0] as Window).net)),
      everything(fragmentOf((windows[1] as Window).net)),
    );
  }
});

function textIn(fragment: Y.XmlFragment): string {
  return fragment.toString().replace(/<[^>]*>/g, "");
}

test("formats that are written twice are not tidied up by a reader", () => {
  const one = documentOf((fragment) => fragment.insert(0, [node("paragraph", {}, new Y.XmlText("bold words"))]));
  const two = new Y.Doc();
  Y.applyUpdate(two, Y.encodeStateAsUpdate(one));
  const textOf = (document: Y.Doc) => (document.getXmlFragment("default").get(0) as Y.XmlElement).get(0) as Y.XmlText;
  textOf(one).format(0, 6, { bold: {} });
  textOf(two).format(2, 8, { bold: {} });
  const window = new Window(Y.encodeStateAsUpdate(one));
  window.receive(Y.encodeStateAsUpdate(two));
  assert.deepEqual(window.sent, []);
});

test("lists that concurrent deletions emptied stay editable", () => {
  const document = documentOf((fragment) => fragment.insert(0, [node("bulletList"), node("paragraph")]));
  const survey = grow(document.getXmlFragment("default"));
  assert.ok("growth" in survey);
});

test("what no schema holds is named", () => {
  const misfits: [Y.XmlElement, RegExp][] = [
    [node("table", {}, node("tableRow", {}, node("columns"))), /columns in tableRow/],
    [node("bulletList", {}, new Y.XmlText("loose")), /text in bulletList|in bulletList/],
    [node("table", {}, node("tableRow", {}, node("tableCell", { colspan: "100000000" }))), /colspan of tableCell/],
  ];
  for (const [block, said] of misfits) {
    const survey = grow(documentOf((fragment) => fragment.insert(0, [block])).getXmlFragment("default"));
    assert.ok("misfit" in survey && said.test(survey.misfit), JSON.stringify(survey));
  }
});

/** The names and attributes of what the schema of documents has not, in the order of the document. */
function strange(fragment: Y.XmlFragment): unknown[] {
  const { nodes, marks } = schemaOf(NO_GROWTH);
  return (fragment.toArray() as unknown[]).flatMap((child): unknown[] => {
    if (child instanceof Y.XmlElement) {
      const type = nodes[child.nodeName];
      const unknown = Object.entries(child.getAttributes()).filter(
        ([key, value]) => value !== null && !type?.spec.attrs?.[key],
      );
      return [...(type && !unknown.length ? [] : [child.nodeName, unknown]), ...strange(child)];
    }
    if (!(child instanceof Y.XmlText)) return [];
    const parts: { insert: string; attributes?: Record<string, unknown> }[] = child.toDelta();
    return parts.flatMap(({ insert, attributes }) =>
      Object.entries(attributes ?? {})
        .filter(([key]) => !marks[key.replace(/--.{8}$/, "")])
        // y-prosemirror makes the hash of a mark that may overlap anew
        .flatMap(([key, value]) =>
          [...insert.replaceAll("ß", "")].map((letter) => [key.replace(/--.{8}$/, ""), value, letter]),
        ),
    );
  });
}

for (const [name, attributes] of [
  ["image", { src: "/a.png", width: 240, height: 120, align: "center", alt: "Alt", title: "Title" }],
  ["codeBlock", { language: "python" }],
  ["tableCell", { colwidth: [120], align: "right" }],
  ["tableCell", { colspan: 2, colwidth: [120, 240] }],
] as [string, Record<string, unknown>][]) {
  test(`typing keeps ${JSON.stringify(attributes)} of ${name} as they are`, () => {
    const block = node(name, {}, ...(name === "tableCell" ? [node("paragraph", {}, new Y.XmlText("cell"))] : []));
    for (const [key, value] of Object.entries(attributes)) block.setAttribute(key, value as string);
    const shown = name === "tableCell" ? node("table", {}, node("tableRow", {}, block)) : block;
    const window = new Window(
      Y.encodeStateAsUpdate(documentOf((fragment) => fragment.insert(0, [shown, node("paragraph")]))),
    );
    window.editor?.type(() => 1, "ß");
    const [first] = window.editor?.state.doc.children ?? [];
    const seen = name === "tableCell" ? first?.firstChild?.firstChild : first;
    for (const [key, value] of Object.entries(attributes)) assert.deepEqual(seen?.attrs[key], value);
    let kept: unknown = fragmentOf(window.net).get(0);
    while (kept instanceof Y.XmlElement && kept.nodeName !== name) kept = kept.get(0);
    assert.deepEqual((kept as Y.XmlElement).getAttributes(), attributes);
    assert.ok(fragmentOf(window.net).toString().includes("ß"));
  });
}
