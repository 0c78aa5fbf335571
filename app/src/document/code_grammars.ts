/** Reads code by the grammars of the languages that the bar offers; loaded when a document has code. */

import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import go from "highlight.js/lib/languages/go";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import markdown from "highlight.js/lib/languages/markdown";
import python from "highlight.js/lib/languages/python";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { createLowlight } from "lowlight";
import { CHART } from "./charts";

/** A stretch of code and what it is: a keyword, a string. */
export type Piece = { readonly from: number; readonly to: number; readonly kind: string };

type Tree = ReturnType<ReturnType<typeof createLowlight>["highlight"]>["children"];

const lowlight = createLowlight({
  bash,
  c,
  cpp,
  css,
  diff,
  go,
  java,
  javascript,
  json,
  markdown,
  python,
  rust,
  sql,
  typescript,
  xml,
  yaml,
});
lowlight.registerAlias({ json: CHART });

/** Returns the pieces of code that are something in its language, the outer before the inner; none in an unknown language. */
export function piecesOf(language: string, code: string): Piece[] {
  const found: Piece[] = [];
  if (lowlight.registered(language)) collect(lowlight.highlight(language, code).children, 0, found);
  return found;
}

/** Returns where the tree ends that begins there. */
function collect(tree: Tree, from: number, found: Piece[]): number {
  let at = from;
  for (const each of tree) {
    if (each.type === "text") at += each.value.length;
    if (each.type !== "element") continue;
    const place = found.push({ from: at, to: at, kind: "" }) - 1;
    const to = collect(each.children, at, found);
    found[place] = { from: at, to, kind: String([each.properties.className].flat()[0] ?? "") };
    at = to;
  }
  return at;
}
