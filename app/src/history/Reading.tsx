import { createElement, type ReactNode } from "react";
import { imageHere, isElsewhere, mayLead, OUTWARD } from "../document/addresses";
import { t } from "../messages/messages";
import { MARK_TAGS, TAGS } from "../ui/tags";
import style from "./history.module.css";
import type { TreeNode } from "./tree";

const EMPTY = new Set(["hr", "br"]);

/** A document's tree, to read: what is no text, list, table or image of this server is a box that says what it is. */
export function Reading({ root }: { root: TreeNode }) {
  return <div className="ProseMirror">{children(root)}</div>;
}

function children(node: TreeNode): ReactNode[] {
  // biome-ignore lint/suspicious/noArrayIndexKey: a tree of the past never changes
  return (node.content ?? []).map((each, index) => <Node key={index} node={each} />);
}

function Node({ node }: { node: TreeNode }): ReactNode {
  if (node.text !== undefined) return marked(node);
  if (node.type === "table")
    return (
      <div className="tableWrapper">
        <table>
          <tbody>{children(node)}</tbody>
        </table>
      </div>
    );
  if (node.type === "taskList") return <ul data-type="taskList">{children(node)}</ul>;
  if (node.type === "taskItem") return <Task node={node} />;
  if (node.type === "image") return <Picture {...node.attrs} />;
  const tag = node.type === "heading" ? `h${Number(node.attrs?.level ?? 1)}` : TAGS[node.type];
  if (tag && EMPTY.has(tag)) return createElement(tag);
  if (tag) return createElement(tag, null, children(node));
  return (
    <span className={style.box}>
      {String(node.attrs?.label ?? node.attrs?.alt ?? node.type)} {children(node)}
    </span>
  );
}

function Task({ node }: { node: TreeNode }) {
  const isDone = node.attrs?.checked === true;
  return (
    <li data-checked={isDone}>
      <label>
        <input type="checkbox" checked={isDone} disabled aria-label={isDone ? t.document.done : t.document.toDo} />
      </label>
      <div>{children(node)}</div>
    </li>
  );
}

/** An image of this server; the address of any other stands as a link, as in the editor. */
function Picture({ src, alt }: { src?: unknown; alt?: unknown }) {
  const path = imageHere(src);
  if (path !== null) return <img src={path} alt={String(alt ?? "")} loading="lazy" className={style.picture} />;
  return (
    <p className={style.box}>
      {t.document.image(String(alt || src || t.document.noAddress))}{" "}
      {isElsewhere(src) && (
        <a href={src} {...OUTWARD}>
          {t.document.openImage}
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
    const tag = MARK_TAGS[type];
    if (tag) shown = createElement(tag, null, shown);
  }
  return shown;
}
