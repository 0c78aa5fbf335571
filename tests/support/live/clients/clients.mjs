// How tests drive the real clients: one line of JSON in, one out, for as long as the tests want.
//
// {"do": "open", "as": "a", "client": "4", "url": …, "document": …, "headers": {…}, "token": …} opens a client; the
// other acts name it by `as`. An act that waits for something fails after the seconds that the command line names.

import { createInterface } from "node:readline"
import { HocuspocusProvider as Provider4, HocuspocusProviderWebsocket as Socket4 } from "@hocuspocus/provider"
import { HocuspocusProvider as Provider3, HocuspocusProviderWebsocket as Socket3 } from "hocuspocus-provider-3"
import { HocuspocusProvider as Provider2, HocuspocusProviderWebsocket as Socket2 } from "hocuspocus-provider-2"
import { WebsocketProvider } from "y-websocket"
import WebSocket from "ws"
import * as decoding from "lib0/decoding"
import * as encoding from "lib0/encoding"
import * as Y from "yjs"
import { Editor } from "./editor.mjs"

const HOCUSPOCUS = { 4: [Provider4, Socket4], 3: [Provider3, Socket3], 2: [Provider2, Socket2] }
const PATIENCE = 1000 * Number(process.argv[2])
const clients = new Map()
const sockets = new Map()

// The type of a Hocuspocus message, and that of a sync message, behind the document's name.
function typesOf(data) {
  const decoder = decoding.createDecoder(new Uint8Array(data))
  decoding.readVarUint8Array(decoder)
  return [decoder.arr[decoder.pos], decoder.arr[decoder.pos + 1]]
}

const SYNC = 0, STEP1 = 0, SYNC_STATUS = 8

const withHeaders = (headers) =>
  class extends WebSocket {
    // Updates sent and not acknowledged. Providers start anew at 1 when they connect, though updates that were made offline are
    // sent one by one: so they are down to 0 when the first of those is acknowledged.
    unacknowledged = 0

    constructor(url, protocols) {
      super(url, protocols, { headers })
      this.on("error", () => {}) // a provider may let go of one that is not connected yet, which ends a process unheard
      this.on("message", (data) => typesOf(data)[0] === SYNC_STATUS && (this.unacknowledged -= 1))
    }

    send(data, ...options) {
      const [type, sync] = typesOf(data)
      if (type === SYNC && sync !== STEP1) this.unacknowledged += 1
      super.send(data, ...options)
    }
  }

async function until(look, patience = PATIENCE) {
  for (const end = Date.now() + patience; Date.now() < end; ) {
    const found = look()
    if (found) return found
    await new Promise((resume) => setTimeout(resume, 2))
  }
  throw new Error(`not in time: ${look}`)
}

// Park and Miller's: the same numbers in every run of a seed.
const chances = (seed) => (most) => (seed = (seed * 48271) % 2147483647) % most

const fragment = ({ doc }) => doc.getXmlFragment("default")

function paragraph(client) {
  const root = fragment(client)
  if (client.text) return client.text
  client.doc.transact(() => {
    const made = new Y.XmlElement("paragraph")
    client.text = new Y.XmlText()
    made.insert(0, [client.text])
    root.insert(root.length, [made])
  })
  return client.text
}

// y-websocket is told of no acknowledgements: the answer to a question behind its edits comes when they are durable.
async function answered(provider, doc) {
  await until(() => provider.synced)
  provider.synced = false // the provider sets it at the next answer
  provider.ws.send(
    encoding.encode((encoder) => {
      encoding.writeVarUint(encoder, SYNC)
      encoding.writeVarUint(encoder, STEP1)
      encoding.writeVarUint8Array(encoder, Y.encodeStateVector(doc))
    }),
  )
  await until(() => provider.synced)
}

function open({ as, client, url, document, headers, token, socket, options }) {
  const doc = new Y.Doc()
  const made = { as, doc, closes: [], denied: null, edits: 0, told: [] }
  doc.on("update", (_update, _origin, _doc, { local }) => (made.edits += local))
  clients.set(as, made)
  if (client === "y") {
    made.provider = new WebsocketProvider(url, document, doc, {
      WebSocketPolyfill: withHeaders(headers),
      disableBc: true,
      maxBackoffTime: 200,
    })
    made.provider.on("connection-close", (event) => event && made.closes.push(event.code))
    made.awareness = made.provider.awareness
    made.socket = () => made.provider.ws
    made.synced = () => made.provider.synced
    made.acknowledged = () => answered(made.provider, doc)
    made.reconnect = {
      off: () => made.provider.disconnect(),
      on: () => made.provider.connect(),
      isOff: () => !made.provider.wsconnected,
    }
    return {}
  }
  const [Provider, Socket] = HOCUSPOCUS[client]
  if (!sockets.has(socket ?? as)) {
    sockets.set(
      socket ?? as,
      new Socket({ url, WebSocketPolyfill: withHeaders(headers), delay: 100, minDelay: 50, maxDelay: 200, factor: 1 }),
    )
  }
  const websocketProvider = sockets.get(socket ?? as)
  made.provider = new Provider({
    websocketProvider,
    name: document,
    document: doc,
    token,
    onAuthenticationFailed: ({ reason }) => (made.denied = reason),
    onClose: ({ event }) => made.closes.push(event.code),
    onStateless: ({ payload }) => made.told.push(JSON.parse(payload)),
    ...options,
  })
  made.provider.attach?.()
  made.socket = () => websocketProvider.webSocket
  made.awareness = made.provider.awareness
  made.synced = () => made.provider.synced
  made.acknowledged = () => until(() => made.unsynced() <= 0)
  made.unsynced = () => Math.max(made.provider.unsyncedChanges, websocketProvider.webSocket?.unacknowledged ?? 0)
  made.reconnect = {
    off: () => websocketProvider.disconnect(),
    on: () => websocketProvider.connect(),
    isOff: () => websocketProvider.status !== "connected", // while it waits to try again it stays "connecting"
  }
  return {}
}

const acts = {
  open,
  synced: (client) => until(() => client.synced()).then(() => ({ scope: client.provider.authorizedScope ?? null })),
  denied: (client) => until(() => client.denied).then((reason) => ({ reason })),
  closed: (client) => until(() => client.closes.length && client.closes).then((codes) => ({ codes })),
  acknowledged: (client) => client.acknowledged().then(() => ({})),
  unsynced: (client) => ({ number: client.unsynced() }),
  type: (client, { text, times = 1 }) => {
    for (let time = 0; time < times; time++) paragraph(client).insert(paragraph(client).length, text)
    return {}
  },
  paragraph: (client, { text }) => {
    client.text = null
    paragraph(client).insert(0, text)
    return {}
  },
  // Pastes an image that is stored already.
  image: (client, { src }) => {
    const made = new Y.XmlElement("image")
    made.setAttribute("src", src)
    fragment(client).insert(fragment(client).length, [made])
    return {}
  },
  // Types at the end of a block's text, or removes a block.
  into: (client, { block, text }) => {
    const node = fragment(client).get(block).get(0)
    node.insert(node.length, text)
    return {}
  },
  remove: (client, { block }) => (fragment(client).delete(block, 1), {}),
  // Makes a heading, changes its level and removes it, in an editor that can undo that.
  reconsider: (client) => {
    const root = fragment(client)
    client.history = new Y.UndoManager(root, { captureTimeout: 0 })
    const heading = new Y.XmlElement("heading")
    root.insert(root.length, [heading])
    heading.insert(0, [new Y.XmlText("undone")])
    heading.setAttribute("level", 1)
    heading.setAttribute("level", 2)
    root.delete(root.length - 1, 1)
    return {}
  },
  undo: (client) => (client.history.undo(), {}),
  // What a slow network does: what others say comes late, while one's own words go out.
  deaf: (client) => until(() => client.socket()).then((socket) => (socket.pause(), {})),
  hears: (client) => (client.socket()?.resume(), {}),
  told: (client, { times = 1 }) => until(() => client.told.length >= times).then(() => ({ told: client.told })),
  // What only a client does that counts in units of UTF-16 and does not look at them: it cuts the emoji of its text in half.
  cut: (client, { form }) => {
    const text = client.text ?? fragment(client).get(0).get(0)
    const second = text.toString().search(/[\udc00-\udfff]/)
    const forms = {
      insert: () => text.insert(second, "X"),
      first: () => text.delete(second - 1, 1),
      second: () => (text.delete(second, 1), text.insert(second, "X")),
      format: () => text.format(second, 2, { bold: {} }),
    }
    client.doc.transact(forms[form])
    return {}
  },
  scribble: (client, { times, seed }) => {
    // as two editors would: in any place, and taking away now and then
    const chance = chances(seed)
    const root = fragment(client)
    for (let time = 0; time < times; time++) {
      if (!root.length || chance(40) === 0) {
        const made = new Y.XmlElement("paragraph")
        made.insert(0, [new Y.XmlText()])
        root.insert(chance(root.length + 1), [made])
      }
      const text = root.get(chance(root.length)).get(0)
      if (text.length > 4 && chance(4) === 0) text.delete(chance(text.length - 2), 1 + chance(2))
      else text.insert(chance(text.length + 1), String.fromCharCode(97 + chance(26)))
    }
    return {}
  },
  edits: (client, { schema }) => ((client.editor = new Editor(fragment(client), schema)), {}),
  edit: async (client, { times, seed }) => {
    const chance = chances(seed)
    for (let made = 0; made < times; await new Promise(setImmediate)) made += client.editor.edit(chance)
    return {}
  },
  person: async (client, { times, seed, letters }) => {
    const chance = chances(seed)
    for (let made = 0; made < times; await new Promise((resume) => setTimeout(resume, chance(8)))) made += client.editor.person(chance, letters)
    return {}
  },
  edited: (client) => ({ times: client.edits }),
  write: (client, { text }) => (client.editor.write(text), {}),
  differs: (client, { tree }) => ({ there: client.editor.differs(tree) }),
  idle: async (client, { seconds }) => {
    await new Promise((resume) => setTimeout(resume, seconds * 1000))
    return { codes: client.closes }
  },
  stream: (client, { every, mark, most = Infinity }) => {
    // types numbers in order, each behind the mark, and remembers up to which all of them were acknowledged
    client.typed = client.safe = 0
    client.streaming = setInterval(() => {
      if (client.synced() && client.unsynced?.() === 0) client.safe = client.typed
      if (client.typed === most) return
      client.typed += 1
      paragraph(client).insert(paragraph(client).length, `${mark}${client.typed};`)
    }, every)
    return {}
  },
  typed: (client, { least }) => until(() => client.typed >= least).then(() => ({ typed: client.typed })),
  streamed: (client, { least }) => until(() => client.safe >= least).then(() => ({ safe: client.safe })),
  halt: (client) => (clearInterval(client.streaming), { typed: client.typed, safe: client.safe }),
  text: (client) => ({ text: fragment(client).toString() }),
  sees: (client, { text }) => until(() => fragment(client).toString().includes(text)).then(() => ({})),
  same: (client, { text }) => until(() => fragment(client).toString() === text).then(() => ({})),
  show: (client, { state }) => (client.awareness.setLocalState(state), { client: client.doc.clientID }),
  shown: (client, { client: id }) =>
    until(() => client.awareness.getStates().get(id)?.user).then(() => ({ state: client.awareness.getStates().get(id) })),
  unshown: (client, { client: id }) => until(() => !client.awareness.getStates().has(id)).then(() => ({})),
  // The state of somebody in whose cursor this text stands before it in its block; waits for it.
  cursor: (client, { user, before }) =>
    until(() =>
      [...client.awareness.getStates()].find(
        ([, state]) => state.user?.name === user && state.cursor && client.editor.before(state.cursor) === before,
      ),
    ).then(([id, state]) => ({ client: id, state })),
  states: (client) => ({ states: [...client.awareness.getStates().values()].filter((state) => state.user) }),
  // Where the cursor of somebody, or of their agent, stands once it is shown: the text before it in its block of the editor, if
  // there is one; null where it is nowhere.
  place: (client, { user, agent = null }) =>
    until(() =>
      [...client.awareness.getStates().values()].find(
        (state) => state.user?.name === user && state.user.agent === agent && state.cursor !== undefined,
      ),
    ).then(({ cursor }) => ({ before: cursor && client.editor ? client.editor.before(cursor) : null })),
  off: (client) => (client.reconnect.off(), until(() => client.reconnect.isOff()).then(() => ((client.closes.length = 0), {}))),
  on: (client) => (client.reconnect.on(), {}),
  forge: (client, { clientID }) => ((client.doc.clientID = clientID), (client.text = null), {}),
  id: (client) => ({ client: client.doc.clientID }),
  whole: (client) => ({ update: Buffer.from(Y.encodeStateAsUpdate(client.doc)).toString("base64") }),
  gone: (client) => (client.provider.destroy(), sockets.get(client.as)?.destroy(), sockets.delete(client.as), clients.delete(client.as), {}),
}

for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line)
  Promise.resolve()
    .then(() => (asked.do === "open" ? open(asked) : acts[asked.do](clients.get(asked.as), asked)))
    .then(
      (answer) => process.stdout.write(`${JSON.stringify({ id: asked.id, ...answer })}\n`),
      (error) => process.stdout.write(`${JSON.stringify({ id: asked.id, error: String(error?.stack ?? error) })}\n`),
    )
}
process.exit(0)
