/** What typing turns into marks, links, tasks and images: only what Markdown reads so, and never at the cost of a letter. */

import { Extension, InputRule, type Mark, markInputRule } from "@tiptap/core";
import { TaskItem } from "@tiptap/extension-list";
import { Fragment, type Node } from "@tiptap/pm/model";
import { type EditorState, Plugin, TextSelection, type Transaction } from "@tiptap/pm/state";
import { addressOf, imageHere, isElsewhere } from "./addresses";

/** What stands around the text of a mark, with no space inside. */
const DELIMITERS: Readonly<Record<string, readonly string[]>> = {
  bold: ["**", "__"],
  italic: ["*", "_"],
  strike: ["~~"],
  highlight: ["=="],
};

/** Returns the mark with rules that leave `2 * 3 * 4` alone. */
export function withStrictRules(mark: Mark): Mark {
  const delimiters = DELIMITERS[mark.name];
  if (!delimiters) return mark;
  return mark.extend({
    addInputRules() {
      return delimiters.map((each) => markInputRule({ find: around(each), type: this.type }));
    },
  });
}

function around(delimiter: string): RegExp {
  const written = delimiter.replace(/\*/g, "\\*");
  const other = `[^${delimiter[0]}]`;
  return new RegExp(`(?:^|\\s)(${written}((?!\\s)${other}*(?<!\\s))${written})$`);
}

/** Takes the rule of an underscore back where a letter follows, as in `_my_name`. */
export const Underscores = Extension.create({
  name: "underscores",
  priority: 1_000, // before the rules
  addProseMirrorPlugins() {
    const { editor } = this;
    return [
      new Plugin({
        props: {
          handleTextInput: ({ state, dispatch }, _from, _to, text) => {
            if (!/^[\p{L}\p{N}]/u.test(text) || lastRuleOf(state) !== "_") return false;
            editor.commands.undoInputRule();
            dispatch(editor.state.tr.insertText(text));
            return true;
          },
        },
      }),
    ];
  },
});

/** Returns the letter that made a rule run, if nothing was done since; each extension has a plugin for its rules. */
function lastRuleOf(state: EditorState): string | undefined {
  const rules = state.plugins.filter(({ spec }) => "isInputRules" in spec);
  return rules.map((each) => each.getState(state)?.text).find((text) => text !== undefined);
}

const LINK = /(?<!!)\[([^[\]]*[^[\]\s][^[\]]*)\]\((\S+)\)$/;
const SCHEME_OR_PATH = /^[a-z]+:|^\//i;

/** `[words](address)`, where the address is one that a link may have. */
export function linkRule(type: Mark): Mark {
  return type.extend({
    addInputRules() {
      return [
        new InputRule({
          find: LINK,
          handler: ({ state: { tr }, range: { from, to }, match: [, words = "", typed = ""] }) => {
            const href = addressOf(typed);
            if (href === null || !SCHEME_OR_PATH.test(href)) return null;
            tr.delete(from + 1 + words.length, to).delete(from, from + 1);
            tr.addMark(from, from + words.length, this.type.create({ href })).removeStoredMark(this.type);
          },
        }),
      ];
    },
  });
}

const BOX = /^\s*\[([ xX]?)\]\s$/;

/** `[ ]` at the beginning of a paragraph, and of an item of any list. */
export const TypedTask = TaskItem.extend({
  addInputRules() {
    return [
      new InputRule({
        find: BOX,
        handler: ({ state, range, match, chain }) => {
          const attrs = { checked: /x/i.test(match[1] ?? "") };
          const { tr } = state;
          const { parent, depth } = tr.doc.resolve(range.from);
          if (parent.type.name !== "paragraph") return null;
          if (depth > 1 && tr.doc.resolve(range.from).node(-1).type.name === "listItem") {
            if (tr.doc.resolve(range.from).index(-1) > 0) return null;
            itemToTask(tr.delete(range.from, range.to), range.from, attrs);
            return;
          }
          chain().deleteRange(range).wrapInList("taskList").updateAttributes("taskItem", attrs).run();
        },
      }),
    ];
  },
}).configure({ nested: true });

/** Makes the item of a list whose first paragraph begins at a place a task, in a list between the other items. */
function itemToTask(tr: Transaction, place: number, attrs: { checked: boolean }) {
  const $place = tr.doc.resolve(place);
  const { taskList, taskItem } = tr.doc.type.schema.nodes;
  if (!taskList || !taskItem) return;
  const list = $place.node(-2);
  const index = $place.index(-2);
  const tasks = taskList.create(null, taskItem.create(attrs, $place.node(-1).content));
  const items = list.children;
  const above = part(list, items.slice(0, index));
  const below = part(list, items.slice(index + 1));
  const at = $place.before(-2);
  tr.replaceWith(at, $place.after(-2), [...above, tasks, ...below]);
  const first = at + Fragment.from(above).size;
  tr.setSelection(TextSelection.create(tr.doc, first + 3)); // in the list, the item and the paragraph
  if (tr.doc.resolve(first).nodeBefore?.type === taskList) tr.join(first);
}

function part(list: Node, items: readonly Node[]): Node[] {
  return items.length ? [list.copy(Fragment.from(items))] : [];
}

const IMAGE = /(?:^|\s)(!\[([^[\]]*)\]\((\S+)\))$/;

/** `![description](address)` becomes an image with the caret behind it. */
export const imageRule = new InputRule({
  find: IMAGE,
  handler: ({ state, range, match: [, written = "", alt = "", src = ""] }) => {
    const { tr, schema } = state;
    const { image, paragraph } = schema.nodes;
    const at = range.to - (written.length - 1); // the last letter is not written yet
    const $at = tr.doc.resolve(at);
    const index = $at.index(-1);
    if (!image || !paragraph || $at.parent.type !== paragraph || !(imageHere(src) || isElsewhere(src))) return null;
    if (!$at.node(-1).canReplaceWith(index + 1, index + 1, image)) return null;
    tr.delete(at, range.to).split(at);
    tr.insert(at + 1, image.create({ src, alt: alt || null }));
    tr.setSelection(TextSelection.create(tr.doc, at + 3));
    const isLeft = at === $at.start() && $at.node(-1).canReplaceWith(index, index, image);
    if (isLeft) tr.delete($at.before(), at + 1);
  },
});
