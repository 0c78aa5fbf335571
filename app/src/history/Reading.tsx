import { createElement, type ReactNode } from "react";
import { TAGS } from "../ui/tags";
import style from "./history.module.css";

/** A node of a document's ProseMirror tree. */
export type TreeNode = {
  type: string;
  attrs?: Record<string, unknown>;
  content?: TreeNode[];
  text?: string;
  marks?: { type: string; attrs?: Record<string, unknown> }[];
};

const MARKS: Readonly<Record<string, string>> = {
  bold: "strong",
  italic: "em",
  strike: "s",
  underline: "u",
  code: "code",
  subscript: "sub",
  superscript: "sup",
  highlight: "mark",
};
const EMPTY = new Set(["hr", "br"]);

/** A document's tree, to read: what is no text, list or table is a box that says what it is. */
export function Reading({ root }: { root: TreeNode }) {
  return <div className={style.reading}>{children(root)}</div>;
}

function children(node: TreeNode): ReactNode[] {
  // biome-ignore lint/suspicious/noArrayIndexKey: a tree of the past never changes
  return (node.content ?? []).map((each, index) => <Node key={index} node={each} />);
}

function Node({ node }: { node: TreeNode }): ReactNode {
  if (node.text !== undefined) return marked(node);
  if (node.type === "table")
    return (
      <table>
        <tbody>{children(node)}</tbody>
      </table>
    );
  const tag = node.type === "heading" ? `h${Math.min(6, Number(node.attrs?.level ?? 1) + 2)}` : TAGS[node.type];
  if (tag && EMPTY.has(tag)) return createElement(tag);
  if (tag)
    return createElement(tag, null, node.type === "taskItem" && (node.attrs?.checked ? "☑ " : "☐ "), children(node));
  return (
    <span className={style.box}>
      {String(node.attrs?.label ?? node.attrs?.alt ?? node.type)} {children(node)}
    </span>
  );
}

function marked(node: TreeNode): ReactNode {
  let shown: ReactNode = node.text;
  for (const { type } of node.marks ?? []) {
    const tag = MARKS[type];
    if (tag) shown = createElement(tag, null, shown);
  }
  return shown;
}
