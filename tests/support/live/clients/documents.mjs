// Opens documents with Yjs: a line each on standard input, as `tests/documents/fuzz_worker.py` writes them. Prints what is
// wrong with each of the first that cannot be opened or reach another state vector, and how many documents there were.
import { createInterface } from 'node:readline'
import * as Y from 'yjs'

const MAX_TOLD = 10

const bytes = (written) => Buffer.from(written, 'base64')

const opened = (updates, vector) => {
  const doc = new Y.Doc()
  for (const update of updates) Y.applyUpdate(doc, bytes(update))
  const found = Y.decodeStateVector(Y.encodeStateVector(doc))
  const said = Object.entries(vector)
  if (found.size !== said.length || said.some(([client, clock]) => found.get(Number(client)) !== clock)) {
    throw new Error(`the state vector is ${JSON.stringify([...found])} and not ${JSON.stringify(vector)}`)
  }
  const again = new Y.Doc()
  Y.applyUpdate(again, Y.encodeStateAsUpdate(doc))
}

let documents = 0
let wrong = 0
for await (const line of createInterface({ input: process.stdin })) {
  const [state, vector, ...updates] = line.split(' ')
  documents += 1
  try {
    opened(updates, JSON.parse(vector))
    if (state) opened([state], JSON.parse(vector))
  } catch (error) {
    wrong += 1
    if (wrong <= MAX_TOLD) {
      console.log(JSON.stringify({ error: String(error), updates: updates.map((each) => bytes(each).toString('hex')) }))
    }
  }
}
console.log(JSON.stringify({ documents, wrong }))
