import { createElement, type ReactNode } from "react";
import { imageHere, isElsewhere, mayLead, OUTWARD } from "../document/addresses";
import { TAGS } from "../ui/tags";
import style from "./history.module.css";
import type { TreeNode } from "./tree";

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

/** A document's tree, to read: what is no text, list, table or image of this server is a box that says what it is. */
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
  if (node.type === "image") return <Picture {...node.attrs} />;
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

/** An image of this server; the address of any other stands as a link, as in the editor. */
function Picture({ src, alt }: { src?: unknown; alt?: unknown }) {
  const path = imageHere(src);
  if (path !== null) return <img src={path} alt={String(alt ?? "")} loading="lazy" className={style.picture} />;
  return (
    <p className={style.box}>
      Image: {String(alt || src || "no address")}{" "}
      {isElsewhere(src) && (
        <a href={src} {...OUTWARD}>
          Open
        </a>
      )}
    </p>
  );
}

function marked(node: TreeNode): ReactNode {
  let shown: ReactNode = node.text;
  for (const { type, attrs } of node.marks ?? []) {
    if (type === "link" && mayLead(attrs?.href))
      shown = (
        <a href={attrs.href} {...OUTWARD}>
          {shown}
        </a>
      );
    const tag = MARKS[type];
    if (tag) shown = createElement(tag, null, shown);
  }
  return shown;
}
