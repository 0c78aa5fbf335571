// Changes the structure of documents in real editors, without a server: a line of JSON in, a line out.
//
// {"updates": [base64, …], "schema": …, "act": "split", "seed": 7} is answered with the updates that the act made of the document,
// none where there was nothing to do.

import { createInterface } from "node:readline"
import { canJoin, canSplit, findWrapping, liftTarget } from "prosemirror-transform"
import * as Y from "yjs"
import { Editor } from "./editor.mjs"

// Park and Miller's: the same numbers in every run of a seed.
const chances = (seed) => (most) => (seed = (seed * 48271) % 2147483647) % most

const found = (doc, is) => {
  const places = []
  doc.descendants((node, at) => void (is(node) && places.push({ node, at })))
  return places
}
const blocks = (doc) => found(doc, (node) => node.isTextblock && node.inlineContent && node.type.name !== "codeBlock")

function wrap({ doc, tr, schema }, chance, name) {
  const { at } = one(blocks(doc), chance)
  const range = doc.resolve(at + 1).blockRange()
  const around = range && findWrapping(range, schema.nodes[name])
  return around && tr.wrap(range, around)
}

const one = (list, chance) => list[chance(list.length)]

// Takes one of the children of a node out, and puts it in again before or behind another.
function moved({ doc, tr }, chance, parents) {
  const { node, at } = one(parents(doc).filter(({ node }) => node.childCount > 1), chance) ?? {}
  if (!node) return null
  const [from, to] = [chance(node.childCount), chance(node.childCount)]
  const places = []
  node.forEach((child, offset) => places.push(at + 1 + offset))
  const child = node.child(from)
  const into = to > from ? places[to] + node.child(to).nodeSize : places[to]
  if (from === to) return null
  tr.delete(places[from], places[from] + child.nodeSize)
  return tr.insert(tr.mapping.map(into), child)
}

const ACTS = {
  heading: ({ doc, tr, schema }, chance) => {
    const { at, node } = one(blocks(doc), chance)
    const type = node.type.name === "heading" ? schema.nodes.paragraph : schema.nodes.heading
    return tr.setBlockType(at + 1, at + 1, type, type.name === "heading" ? { level: 1 + chance(3) } : null)
  },
  list: (state, chance) => wrap(state, chance, one(["bulletList", "orderedList"], chance)),
  task: (state, chance) => wrap(state, chance, "taskList"),
  quote: (state, chance) => wrap(state, chance, "blockquote"),
  unwrap: ({ doc, tr }, chance) => {
    const nested = blocks(doc).filter(({ at }) => doc.resolve(at).depth > 0)
    const range = nested.length && doc.resolve(one(nested, chance).at + 1).blockRange()
    const depth = range ? liftTarget(range) : null
    return depth === null ? null : tr.lift(range, depth)
  },
  split: ({ doc, tr }, chance) => {
    const { at, node } = one(blocks(doc), chance)
    const place = at + 1 + chance(node.content.size + 1)
    return canSplit(doc, place) && tr.split(place)
  },
  join: ({ doc, tr }, chance) => {
    const { at } = one(blocks(doc), chance)
    return at > 0 && canJoin(doc, at) && tr.join(at)
  },
  move: (state, chance) => moved(state, chance, (doc) => [{ node: doc, at: -1 }]),
  items: (state, chance) => moved(state, chance, (doc) => found(doc, (node) => /List$/.test(node.type.name))),
  row: (state, chance) => moved(state, chance, (doc) => found(doc, (node) => node.type.name === "table")),
}

function answered({ updates, schema, act, seed }) {
  const doc = new Y.Doc()
  for (const update of updates) Y.applyUpdate(doc, Buffer.from(update, "base64"))
  const editor = new Editor(doc.getXmlFragment("default"), schema)
  const made = []
  doc.on("update", (update) => made.push(Buffer.from(update).toString("base64")))
  const { tr } = editor.state
  const transaction = ACTS[act]({ doc: editor.state.doc, tr, schema: editor.schema }, chances(seed))
  if (transaction?.docChanged) editor.dispatch(transaction)
  return { updates: made }
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(answered(JSON.parse(line)))}\n`)
}
