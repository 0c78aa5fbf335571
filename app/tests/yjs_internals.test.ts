import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { EditorState } from "@tiptap/pm/state";
import { test } from "vitest";
import { ySyncPlugin } from "y-prosemirror";
import * as Y from "yjs";
import { NO_GROWTH, schemaOf } from "../src/document/schema.ts";
import { bindingOf, firstItemIn, itemOf, takeAsOwn } from "../src/document/yjs_internals.ts";

/** After raising one of these, read what `yjs_internals.ts` uses of it in the new version, and name that here. */
const READ = { yjs: "13.6.33", "y-prosemirror": "1.3.7", "@hocuspocus/provider": "4.8.0" };
const APP = new URL("..", import.meta.url);

test("the versions are those whose private parts were read", () => {
  const { dependencies } = JSON.parse(readFileSync(new URL("package.json", APP), "utf-8"));
  for (const [name, version] of Object.entries(READ)) assert.equal(dependencies[name], version, name);
});

test("no other file reads a private part", () => {
  const sources = new URL("src/", APP);
  const reading = readdirSync(sources, { recursive: true, encoding: "utf-8" })
    .filter(
      (name) => /\.tsx?$/.test(name) && /[\w)\]]\??\._[a-zA-Z]/.test(readFileSync(new URL(name, sources), "utf-8")),
    )
    .sort();
  assert.deepEqual(reading, ["document/yjs_internals.ts"]);
});

test("no other file reads the binding or what it maps out of the state of y-prosemirror's plugin", () => {
  const sources = new URL("src/", APP);
  const reading = readdirSync(sources, { recursive: true, encoding: "utf-8" }).filter(
    (name) =>
      /\.tsx?$/.test(name) &&
      /\{[^{}]*\b(binding|mapping|doc|type)\b[^{}]*\} = ySyncPluginKey\.getState|ySyncPluginKey\.getState\([^)]*\)\??\.(binding|doc|type)\b/.test(
        readFileSync(new URL(name, sources), "utf-8"),
      ),
  );
  assert.deepEqual(reading, ["document/yjs_internals.ts"]);
});

test("types have their items where they are read", () => {
  const text = new Y.Doc().getText("t");
  assert.equal(itemOf(text), null);
  assert.equal(firstItemIn(text), null);
  text.insert(0, "ab");
  assert.equal(firstItemIn(text)?.length, 2);
});

test("the binding has what is replaced in it", () => {
  const fragment = new Y.Doc().getXmlFragment("f");
  const binding = bindingOf(EditorState.create({ schema: schemaOf(NO_GROWTH), plugins: [ySyncPlugin(fragment)] }));
  assert.equal(typeof binding._observeFunction, "function");
  assert.equal(binding.type, fragment);
  assert.ok(binding.mapping instanceof Map);
  assert.ok("beforeTransactionSelection" in binding);
});

test("a document that takes updates as its own keeps its client id and finds each place again", () => {
  const [mine, other] = [new Y.Doc(), new Y.Doc()];
  takeAsOwn(mine);
  mine.clientID = other.clientID;
  const text = other.getText("t");
  for (let place = 0; place < 100; place += 1) {
    text.insert(place % 7, String(place % 10));
    Y.applyUpdate(mine, Y.encodeStateAsUpdate(other, Y.encodeStateVector(mine)));
    assert.equal(mine.getText("t").toString(), text.toString());
  }
  assert.equal(mine.clientID, other.clientID);
});
