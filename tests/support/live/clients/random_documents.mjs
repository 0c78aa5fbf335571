// Prints documents that three writers changed at random at the same time, a line each: the update, and the tree that
// y-prosemirror reads from it. Takes a seed and a number of documents.
import * as Y from 'yjs'
import { yXmlFragmentToProsemirrorJSON } from 'y-prosemirror'

const ROUNDS = 3
const NODES = [
  'paragraph', 'heading', 'bulletList', 'listItem', 'codeBlock', 'table', 'tableRow', 'tableCell', 'taskItem', 'image',
  'hardBreak', 'mention', 'details', 'unknownBlock', 'doc',
]
// y-prosemirror appends `--` and a hash to the name of a mark that may occur twice on one text
const MARKS = [
  'bold', 'italic', 'code', 'link', 'strike', 'textStyle', 'comment', 'comment--AbCd+/12', 'comment--12345678',
  'unknownMark', 'unknownMark--notahash', 'a--b--AAAAAAAA', 'bold--short', 'ychange',
]
const NAMES = ['level', 'textAlign', 'href', 'checked', 'start', 'colwidth', 'unknown', 'ychange']
const TEXTS = ['a', 'hello ', '😀', 'e\u0301', ' ', '\n', 'tab\t', '&<>', '*x*', '中文', '0']
// no number has more than 15 digits: in the attributes of marks the library rounds longer ones in the last digit
const VALUES = ['', 'left', 'é😀', 'a\nb', 'http://e.example/a?b=c', 0, 7, 2.625, -0, 2 ** 53, true, false, null]

let state = Number(process.argv[2])
const random = () => {
  state = (state * 1664525 + 1013904223) % 2 ** 32
  return state / 2 ** 32
}
const below = (end) => Math.floor(random() * end)
const one = (values) => values[below(values.length)]
const often = (part) => random() < part

const value = (depth = 0) => {
  if (depth > 2 || often(0.8)) return one(VALUES)
  const inside = Array.from({ length: below(3) }, () => value(depth + 1))
  return often(0.5) ? inside : Object.fromEntries(inside.map((each, index) => [`k${index}`, each]))
}

const mark = () => (often(0.5) ? {} : often(0.8) ? { [one(['href', 'color', 'id'])]: value(1) } : one([true, 'x', 1]))

const write = (text) => {
  for (let steps = below(5); steps > 0; steps--) {
    const at = below(text.length + 1)
    const length = Math.min(text.length - at, 1 + below(4))
    if (!length || often(0.5)) text.insert(at, one(TEXTS), one([undefined, {}, { [one(MARKS)]: mark() }]))
    else if (often(0.7)) text.format(at, length, { [one(MARKS)]: often(0.25) ? null : mark() })
    else text.delete(at, length)
  }
}

const describe = (element) => {
  for (let steps = below(3); steps > 0; steps--) element.setAttribute(one(NAMES), often(0.1) ? undefined : value())
  if (often(0.1)) element.removeAttribute(one(NAMES))
}

// what y-prosemirror cannot read itself is left out: text that lies in the root
const fill = (parent, depth) => {
  for (let steps = below(4); steps > 0; steps--) {
    const at = below(parent.length + 1)
    if (depth < 5 && often(0.5)) {
      const element = new Y.XmlElement(one(NODES))
      parent.insert(at, [element])
      describe(element)
      fill(element, depth + 1)
    } else if (depth > 0) {
      const text = new Y.XmlText()
      parent.insert(at, [text])
      write(text)
    }
  }
}

const within = (parent) => parent.toArray().flatMap((each) => [each, ...(each instanceof Y.XmlElement ? within(each) : [])])

const change = (doc) =>
  doc.transact(() => {
    const root = doc.getXmlFragment('default')
    const found = one([root, ...within(root)])
    if (found instanceof Y.XmlText) return write(found)
    if (found !== root) describe(found)
    if (found.length && often(0.3)) found.delete(below(found.length), 1)
    else fill(found, found === root ? 0 : 2)
  })

const exchange = (docs) => {
  for (const to of docs) for (const from of docs) Y.applyUpdate(to, Y.encodeStateAsUpdate(from, Y.encodeStateVector(to)))
}

for (let number = Number(process.argv[3]); number > 0; number--) {
  const docs = [1, 2, 3].map((client) => Object.assign(new Y.Doc(), { clientID: 10 * number + client }))
  for (let round = 0; round < ROUNDS; round++) {
    for (const doc of docs) for (let changes = 0; changes < 4; changes++) change(doc)
    exchange(docs)
  }
  const [doc] = docs
  const update = Buffer.from(Y.encodeStateAsUpdate(doc)).toString('base64')
  console.log(JSON.stringify({ update, tree: yXmlFragmentToProsemirrorJSON(doc.getXmlFragment('default')) }))
}
