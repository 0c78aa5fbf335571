// Yjs, as what the library of the server is compared with. A line of JSON in, one out:
//
// {"seed": …, "steps": …} answers the updates of several clients that change one document at random, each with what a server of
// Yjs says after it: its tree and its state vector. With an update comes what that server deleted of formats itself, and where one
// cuts a surrogate pair, that server is not given it.
// {"updates": […]} answers what Yjs makes of these.
import { createInterface } from 'node:readline'
import * as Y from 'yjs'

const CLIENTS = 3
const TEXTS = ['a', 'word ', 'é', '😀', 'a😀b', 'e\u0301', '👩‍👩‍👧', 'x'.repeat(50), '\ufffd']
const KEYS = ['level', 'align', 'x']
const MARKS = ['bold', 'link', 'comment--abc']
const VALUES = [1, 2.5, 'left', null, true, { a: [1, { b: 'c' }] }, [], 'é😀']

// Park and Miller's: the same numbers in every run of a seed.
const chances = (seed) => {
  let state = (seed % 2147483646) + 1
  return (most) => (state = (state * 48271) % 2147483647) % most
}

const plain = (value) => (value instanceof Y.AbstractType ? tree(value) : value === undefined ? null : value)

const tree = (type) => {
  if (type instanceof Y.XmlText || type instanceof Y.Text) {
    return type.toDelta().map(({ insert, attributes }) => [plain(insert), attributes ?? {}])
  }
  if (type instanceof Y.XmlElement) {
    const attributes = Object.fromEntries(Object.entries(type.getAttributes()).map(([key, value]) => [key, plain(value)]))
    return { name: type.nodeName, attributes, children: type.toArray().map(tree) }
  }
  if (type instanceof Y.XmlFragment) return type.toArray().map(tree)
  if (type instanceof Y.Map) return { map: Object.fromEntries([...type.entries()].map(([key, value]) => [key, plain(value)])) }
  if (type instanceof Y.Array) return { array: type.toArray().map(plain) }
  return String(type)
}

const says = (doc) => ({
  tree: { default: tree(doc.getXmlFragment('default')), map: tree(doc.getMap('map')), list: tree(doc.getArray('list')) },
  vector: Object.fromEntries(Y.decodeStateVector(Y.encodeStateVector(doc))),
})

const types = (root) =>
  root.toArray().flatMap((child) => (child instanceof Y.XmlElement ? [child, ...types(child)] : child instanceof Y.XmlText ? [child] : []))

// Where a place in a text falls between the halves of a pair.
const isInside = (said, at) => at > 0 && /[\udc00-\udfff]/.test(said.charAt(at)) && /[\ud800-\udbff]/.test(said.charAt(at - 1))

const letters = (text) => text.toDelta().map(({ insert }) => (typeof insert === 'string' ? insert : '\ufffc')).join('')

const changeText = (text, chance, cuts) => {
  const said = letters(text)
  const inside = [...Array(said.length).keys()].filter((at) => isInside(said, at))
  const place = () => {
    const at = chance(said.length + 1)
    return isInside(said, at) ? at + 1 : at
  }
  let from = place()
  if (cuts && inside.length) from = inside[chance(inside.length)]
  const to = Math.min(said.length, Math.max(from, place()))
  const kind = chance(10)
  if (kind < 5 || from === to) {
    if (chance(20) === 0) text.insertEmbed(from, chance(2) ? new Y.XmlElement('br') : { image: 'i' })
    else text.insert(from, TEXTS[chance(TEXTS.length)], chance(3) ? undefined : { [MARKS[chance(MARKS.length)]]: {} })
  } else if (kind < 8) text.delete(from, to - from)
  else text.format(from, to - from, { [MARKS[chance(MARKS.length)]]: chance(2) ? null : { a: chance(3) } })
}

const change = (client, chance, cuts) => {
  const { doc } = client
  const root = doc.getXmlFragment('default')
  const found = types(root)
  const texts = found.filter((each) => each instanceof Y.XmlText)
  const elements = found.filter((each) => each instanceof Y.XmlElement)
  const kind = chance(20)
  if (kind < 9 && texts.length) changeText(texts[chance(texts.length)], chance, cuts)
  else if (kind < 12 && elements.length) {
    const element = elements[chance(elements.length)]
    if (chance(4)) element.setAttribute(KEYS[chance(KEYS.length)], VALUES[chance(VALUES.length)])
    else element.removeAttribute(KEYS[chance(KEYS.length)])
  } else if (kind < 14) {
    const map = doc.getMap('map')
    const key = KEYS[chance(KEYS.length)]
    const inner = map.get(key)
    if (inner instanceof Y.Map && chance(2)) inner.set(KEYS[chance(KEYS.length)], VALUES[chance(VALUES.length)])
    else if (chance(5) === 0) map.delete(key)
    else map.set(key, chance(4) ? VALUES[chance(VALUES.length)] : new Y.Map([['in', 1]]))
  } else if (kind < 15) {
    const list = doc.getArray('list')
    if (list.length && chance(3) === 0) list.delete(chance(list.length), 1)
    else list.insert(chance(list.length + 1), [VALUES[chance(VALUES.length)], 'two'])
  } else if (kind < 16 && chance(2)) client.undo[chance(2) ? 'undo' : 'redo']()
  else {
    const nested = elements.filter((each) => each.nodeName === 'list')
    const parent = nested.length && chance(3) === 0 ? nested[chance(nested.length)] : root
    if (parent.length > 6 && chance(2)) parent.delete(chance(parent.length - 1), 1 + chance(2))
    else {
      const made = new Y.XmlElement(chance(4) ? 'p' : 'list')
      if (made.nodeName === 'p') made.insert(0, [new Y.XmlText(TEXTS[chance(TEXTS.length)])])
      parent.insert(chance(parent.length + 1), [made])
    }
  }
}

const joined = (number, log) => {
  const doc = new Y.Doc({ gc: number % 3 !== 2 })
  doc.clientID = number
  for (const update of log) Y.applyUpdate(doc, update)
  const client = { doc, sent: [], seen: log.length, cuts: false }
  client.undo = new Y.UndoManager([doc.getXmlFragment('default'), doc.getMap('map')], { captureTimeout: 0 })
  doc.on('update', (update, _origin, _doc, transaction) => transaction.local && client.sent.push(update))
  return client
}

const run = ({ seed, steps }) => {
  const chance = chances(seed)
  const server = new Y.Doc()
  // formats that stand around nothing any more: Yjs deletes them in an edit of its own, where a format came from elsewhere
  const mended = []
  server.on('update', (update, _origin, _doc, transaction) => transaction.local && mended.push(update))
  const log = []
  const told = []
  let next = 1 + chance(1000)
  const clients = Array.from({ length: CLIENTS }, () => joined((next += 1 + chance(50)), log))
  const send = (client) => {
    let update = client.sent.shift()
    if (chance(5) === 0) update = Y.mergeUpdates([update, ...client.sent.splice(0)])
    Y.applyUpdate(server, update)
    if (mended.length) update = Y.mergeUpdates([update, ...mended.splice(0)])
    log.push(update)
    told.push({ update: Buffer.from(update).toString('base64'), cuts: false, ...says(server) })
  }
  for (let step = 0; step < steps; step++) {
    const at = chance(clients.length)
    const client = clients[at]
    const what = chance(10)
    if (what === 0) {
      // somebody who counts in units of UTF-16 and does not look at them; nothing of it is taken
      while (client.sent.length) send(client)
      const before = client.sent.length
      client.doc.transact(() => {
        const texts = types(client.doc.getXmlFragment('default')).filter((each) => each instanceof Y.XmlText)
        const split = texts.find((each) => [...letters(each)].some((letter) => letter.length > 1))
        if (!split) return
        const said = letters(split)
        const at = [...Array(said.length).keys()].find((place) => isInside(said, place))
        const form = chance(4)
        if (form === 0) split.insert(at, 'X')
        else if (form === 1) split.delete(at, 1)
        else if (form === 2) split.delete(at - 1, 1)
        else split.format(at, said.length - at, { cut: {} })
      })
      for (const update of client.sent.splice(before)) told.push({ update: Buffer.from(update).toString('base64'), cuts: true, ...says(server) })
      clients[at] = joined((next += 1 + chance(50)), log)
    } else if (what < 6) change(client, chance, false)
    else if (what < 8 && client.sent.length) send(client)
    else for (const end = log.length - chance(3); client.seen < end; client.seen++) Y.applyUpdate(client.doc, log[client.seen])
  }
  for (const client of clients) while (client.sent.length) send(client)
  return { told, state: Buffer.from(Y.encodeStateAsUpdate(server)).toString('base64') }
}

for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line)
  let answer
  try {
    if (asked.updates) {
      const doc = new Y.Doc()
      for (const update of asked.updates) Y.applyUpdate(doc, Buffer.from(update, 'base64'))
      answer = says(doc)
    } else answer = run(asked)
  } catch (error) {
    answer = { error: String(error.stack) }
  }
  console.log(JSON.stringify(answer))
}
