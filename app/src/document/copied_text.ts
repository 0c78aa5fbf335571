/** Writes what is copied as plain text: blocks with an empty line between them, the items of a list and the rows of a table without. */

import { Extension } from "@tiptap/core";
import type { Node, Slice } from "@tiptap/pm/model";
import { Plugin } from "@tiptap/pm/state";

export const CopiedText = Extension.create({
  name: "copiedText",
  priority: 1000, // before the library's own
  addProseMirrorPlugins: () => [new Plugin({ props: { clipboardTextSerializer: textOf } })],
});

export function textOf({ content }: Slice): string {
  const only = onlyTextblock(content.firstChild, content.childCount);
  return only ? inlineText(only) : blocksText(content.content);
}

/** The one text that all of the content is, as words within an item are; null where there are several. */
function onlyTextblock(node: Node | null, among: number): Node | null {
  if (!node || among !== 1) return null;
  return node.isTextblock ? node : onlyTextblock(node.firstChild, node.childCount);
}

const LISTS = ["bulletList", "orderedList", "taskList"];

function blocksText(blocks: readonly Node[]): string {
  return blocks.map(blockText).join("\n\n");
}

function blockText(node: Node): string {
  if (node.isTextblock) return inlineText(node);
  if (LISTS.includes(node.type.name)) return listText(node);
  if (node.type.name === "table") return rows(node).join("\n");
  return node.isLeaf ? leafText(node) : blocksText(node.content.content);
}

function listText(list: Node): string {
  return list.content.content.map((item, index) => itemText(item, markerOf(list, item, index))).join("\n");
}

function markerOf(list: Node, item: Node, index: number): string {
  if (list.type.name === "taskList") return item.attrs.checked ? "- [x] " : "- [ ] ";
  return list.type.name === "orderedList" ? `${Number(list.attrs.start ?? 1) + index}. ` : "- ";
}

/** An item with what lies in it below it, further in. */
function itemText(item: Node, marker: string): string {
  const lines = item.content.content.map(blockText).join("\n").split("\n");
  const indent = " ".repeat(marker.startsWith("- ") ? 2 : marker.length);
  return lines.map((line, index) => (index === 0 ? marker : line && indent) + line).join("\n");
}

function rows(table: Node): string[] {
  const cell = (node: Node) => blocksText(node.content.content).replace(/\s*\n\s*/g, " ");
  return table.content.content.map((row) => row.content.content.map(cell).join("\t"));
}

function inlineText(node: Node): string {
  return node.content.content.map((each) => (each.isText ? (each.text ?? "") : leafText(each))).join("");
}

function leafText(node: Node): string {
  if (node.type.name === "hardBreak") return "\n";
  const { toText, leafText } = node.type.spec as { toText?: (props: { node: Node }) => string; leafText?: Leaf };
  return toText?.({ node }) ?? leafText?.(node) ?? String(node.attrs.alt ?? "");
}

type Leaf = (node: Node) => string;
