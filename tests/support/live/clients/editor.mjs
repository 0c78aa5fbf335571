// A ProseMirror editor without a screen: its state, and the binding that keeps it and the Yjs document the same.

import { Node, Schema } from "prosemirror-model"
import { EditorState, Selection } from "prosemirror-state"
import { canJoin, canSplit, findWrapping } from "prosemirror-transform"
import { relativePositionToAbsolutePosition, ySyncPlugin, ySyncPluginKey, yXmlFragmentToProseMirrorRootNode } from "y-prosemirror"
import * as Y from "yjs"

const LETTERS = ["a", "b", "c", "é", "漢", "🙂", " ", "word "]

// ProseMirror may join what differs in kind, too, but not where one of the two is not told what it becomes.
const joins = (doc, place) => canJoin(doc, place) && doc.resolve(place).nodeBefore.type === doc.resolve(place).nodeAfter.type

// Nobody's cursor stands inside of a character.
const between = (doc, place) => (/[\uD800-\uDBFF]/.test(doc.textBetween(Math.max(place - 1, 0), place)) ? place - 1 : place)

// As our application does it: undo in Yjs alone may write what its own editor and all others read in different orders,
// and throws where it would restore text into a restored block that was deleted and collected since.
const { integrate, gc } = Y.Item.prototype
const restored = new WeakSet()
Y.Item.prototype.integrate = function (transaction, offset) {
  if (transaction.local && this.id.client === transaction.doc.clientID && this.left && !follows(this.left, this.right)) {
    this.right = this.left.right
    this.rightOrigin = this.right?.id ?? null
  }
  integrate.call(this, transaction, offset)
  if (!(transaction.origin instanceof Y.UndoManager)) return
  for (let item = this; item && !restored.has(item); item = item.parent._item) restored.add(item)
}
Y.Item.prototype.gc = function (...collected) {
  if (!restored.has(this)) gc.call(this, ...collected)
}

const follows = (left, right) => {
  let item = left.right
  while (item && item !== right) item = item.right
  return item === right
}

export class Editor {
  constructor(fragment, schema) {
    this.fragment = fragment
    this.schema = new Schema(schema)
    this.state = EditorState.create({ schema: this.schema, plugins: [ySyncPlugin(fragment)] })
    this.views = this.state.plugins.map((plugin) => plugin.spec.view(this))
  }

  // What the binding asks of a view.
  dispatch(transaction) {
    this.state = this.state.apply(transaction)
    for (const view of this.views ?? []) view.update(this)
  }

  hasFocus() {
    return false
  }

  write(text) {
    const { tr, doc, schema } = this.state
    this.dispatch(tr.insert(doc.content.size, schema.node("paragraph", null, [schema.text(text)])))
  }

  // Edits as one person does, who writes each letter once, so that each can be followed; now and then takes an edit back.
  person(chance, letters) {
    this.history ??= new Y.UndoManager(this.fragment, { trackedOrigins: new Set([ySyncPluginKey]), captureTimeout: 0 })
    if (chance(12) === 0) return Boolean(this.history.undo())
    return this.edit(chance, () => letters.shift() ?? "", true)
  }

  // The text up to a cursor of somebody else, in its block; as the plugin that draws cursors finds it.
  before({ anchor, head }) {
    const { doc, type, binding } = ySyncPluginKey.getState(this.state)
    const places = [anchor, head].map((place) =>
      relativePositionToAbsolutePosition(doc, type, Y.createRelativePositionFromJSON(place), binding.mapping),
    )
    if (places[0] === null || places[0] !== places[1]) return null
    const at = this.state.doc.resolve(places[0])
    return at.parent.textBetween(0, at.parentOffset)
  }

  // Where a document that was read is another one than this: what stands there in each, and as the binding reads Yjs anew; or null.
  differs(tree) {
    const read = Node.fromJSON(this.schema, tree)
    read.check()
    const at = read.content.findDiffStart(this.state.doc.content)
    if (at === null) return null
    const anew = yXmlFragmentToProseMirrorRootNode(this.fragment, this.schema)
    return [read, this.state.doc, anew].map((doc) => String(doc.cut(Math.max(at - 20, 0), Math.min(at + 20, doc.content.size))))
  }

  // One random edit, as people make them; false where there was nothing to do at the place.
  edit(chance, letter = () => LETTERS[chance(LETTERS.length)], isPerson = false) {
    const { doc, schema, tr } = this.state
    const { nodes, marks } = schema
    const at = Selection.near(doc.resolve(between(doc, chance(doc.content.size + 1)))).$from
    if (!at.parent.isTextblock) {
      this.write(isPerson ? letter() : "begun")
      return true
    }
    const end = between(doc, Math.min(at.pos + 1 + chance(6), at.end()))
    const isText = doc.textBetween(at.pos, end).length === end - at.pos // the binding does not share marks of a line break
    const range = at.blockRange()
    const acts = [
      () => tr.insertText(letter(), at.pos),
      () => tr.insertText(letter(), at.pos),
      () => tr.insertText(letter(), at.pos),
      () => end > at.pos && tr.delete(at.pos, end),
      () => canSplit(doc, at.pos) && tr.split(at.pos),
      () => joins(doc, at.before()) && tr.join(at.before()),
      () => end > at.pos && isText && tr.addMark(at.pos, end, marks[["bold", "italic", "strike"][chance(3)]].create()),
      () => end > at.pos && isText && tr.removeMark(at.pos, end, marks.bold),
      () => tr.setBlockType(at.pos, at.pos, nodes.heading, { level: 1 + chance(3) }),
      () => tr.setBlockType(at.pos, at.pos, nodes.paragraph),
      () => at.parent.inlineContent && at.parent.type !== nodes.codeBlock && tr.insert(at.pos, nodes.hardBreak.create()),
      () => {
        const around = range && at.depth < 8 && findWrapping(range, nodes[["bulletList", "blockquote"][chance(2)]])
        return around && tr.wrap(range, around)
      },
    ]
    const made = acts[chance(acts.length)]()
    if (!made?.docChanged) return false
    this.dispatch(made)
    return true
  }
}
