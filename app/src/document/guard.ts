/**
 * Finds what an editor would lose of a Yjs document, so that opening it changes nothing.
 *
 * y-prosemirror deletes what its schema does not allow, and the deletion is credited to the reader. `misfit` tells
 * whether a schema holds a stretch of the document whole; `grow` finds the schema that does, where there is one.
 */

import type { ContentMatch, MarkType, NodeType, Schema } from "@tiptap/pm/model";
import * as Y from "yjs";
import { t } from "../messages/messages";
import { type GrownMark, type GrownNode, type Growth, NO_GROWTH, schemaOf } from "./schema";
import { itemOf } from "./yjs_internals";

type Child = Y.XmlElement | Y.XmlText;

export type Survey = { schema: Schema; growth: Growth } | { misfit: string };

const OURS = schemaOf(NO_GROWTH);
const HASHED = /^(.*)--[a-zA-Z0-9+/=]{8}$/;
const MAX_SPAN = 1000;
/** Names that a plain object or y-prosemirror takes for something else. */
const RESERVED = new Set(["__proto__", "constructor", "prototype", "hasOwnProperty", "toString", "valueOf", "ychange"]);
/** ProseMirror's tables take any row for a row of cells. */
const FIXED = new Set(["table", "tableRow", "image", "horizontalRule", "hardBreak", "mention"]);

/** Returns the fragment that an editor shows: `default`, or `prosemirror` where `default` is empty. */
export function fragmentOf(document: Y.Doc): Y.XmlFragment {
  const first = document.getXmlFragment("default");
  const second = document.getXmlFragment("prosemirror");
  return first.length === 0 && second.length > 0 ? second : first;
}

/** Returns the first thing in the fragment that the schema would lose, in a few words; null where it holds all. */
export function misfit(schema: Schema, fragment: Y.XmlFragment): string | null {
  return misfitBelow(schema, fragment, schema.topNodeType, () => true);
}

/** As `misfit`, for what a transaction changed of a fragment that the schema held before. */
export function misfitSince(schema: Schema, fragment: Y.XmlFragment, transaction: Y.Transaction): string | null {
  const isNew = (child: Child) => {
    const id = itemOf(child)?.id;
    return id === undefined || id.clock >= (transaction.beforeState.get(id.client) ?? 0);
  };
  for (const changed of transaction.changed.keys()) {
    const type: unknown = changed instanceof Y.XmlText ? changed.parent : changed;
    if (type === fragment) {
      const found = misfitBelow(schema, fragment, schema.topNodeType, isNew);
      if (found) return found;
    } else if (type instanceof Y.XmlElement && isShown(type as unknown as Y.AbstractType<unknown>, fragment)) {
      const changedText = changed instanceof Y.XmlText ? changed : null;
      const found = misfitOf(schema, type, (child) => child === changedText || isNew(child));
      if (found) return found;
    }
  }
  return null;
}

/** Finds the schema that holds the whole fragment, or what no schema can hold. */
export function grow(fragment: Y.XmlFragment): Survey {
  const found = misfit(OURS, fragment);
  if (found === null) return { schema: OURS, growth: NO_GROWTH };
  const growth = new Needs(OURS, fragment).growth();
  try {
    const schema = schemaOf(growth);
    const left = misfit(schema, fragment);
    return left === null ? { schema, growth } : { misfit: left };
  } catch {
    return { misfit: found }; // blocks among text
  }
}

function isShown(type: Y.AbstractType<unknown>, fragment: Y.XmlFragment): boolean {
  for (let at: Y.AbstractType<unknown> | null = type; at; at = at.parent as Y.AbstractType<unknown> | null) {
    if (at === (fragment as unknown)) return true;
    if (itemOf(at)?.deleted) return false;
  }
  return false;
}

function misfitOf(schema: Schema, element: Y.XmlElement, looksInto: (child: Child) => boolean): string | null {
  const name = element.nodeName;
  const type = nodeType(schema, name);
  if (!type) return name;
  for (const [key, value] of Object.entries(element.getAttributes())) {
    if (RESERVED.has(key) || !Object.hasOwn(type.spec.attrs ?? {}, key)) return t.document.misfits.of(key, name);
    if (!isDrawable(name, key, value)) return t.document.misfits.of(key, name);
  }
  return misfitBelow(schema, element, type, looksInto);
}

function misfitBelow(
  schema: Schema,
  parent: Y.XmlFragment,
  type: NodeType,
  looksInto: (child: Child) => boolean,
): string | null {
  let match: ContentMatch | null = type.contentMatch;
  const children = parent.toArray() as unknown[];
  for (const child of children) {
    if (child instanceof Y.XmlElement) {
      const found = looksInto(child) ? misfitOf(schema, child, () => true) : null;
      if (found) return found;
      const childType = nodeType(schema, child.nodeName);
      match = childType ? match.matchType(childType) : null;
      if (!match) return t.document.misfits.in(child.nodeName, type.name);
    } else if (child instanceof Y.XmlText) {
      if (child.length === 0) continue;
      const text: NodeType | undefined = schema.nodes.text;
      match = text ? match.matchType(text) : null;
      if (!match) return t.document.misfits.textIn(type.name);
      const found = looksInto(child) ? misfitOfText(schema, child, type) : null;
      if (found) return found;
    } else {
      return t.document.misfits.somethingIn(type.name);
    }
  }
  // an empty document is shown as one paragraph that is written with its first letter
  const isEmptyDocument = type === schema.topNodeType && children.length === 0;
  return match.validEnd || isEmptyDocument ? null : t.document.misfits.noContent(type.name);
}

function misfitOfText(schema: Schema, text: Y.XmlText, parent: NodeType): string | null {
  for (const { insert, attributes } of delta(text)) {
    if (typeof insert !== "string") return t.document.misfits.objectIn(parent.name);
    for (const [key, value] of Object.entries(attributes ?? {})) {
      const { name, isHashed } = markName(key);
      const type = RESERVED.has(name) ? undefined : markType(schema, name);
      if (!type) return name;
      if (isHashed && type.excludes(type)) return key;
      if (!parent.allowsMarkType(type)) return t.document.misfits.in(name, parent.name);
      // as other editors write a mark without attributes; of an unknown mark it may say something
      if (value === true && Object.hasOwn(OURS.marks, name)) continue;
      if (typeof value !== "object" || value === null || Array.isArray(value))
        return t.document.misfits.noAttributes(name);
      const unknown = Object.keys(value).find((each) => !Object.hasOwn(type.spec.attrs ?? {}, each));
      if (unknown !== undefined) return t.document.misfits.of(unknown, name);
    }
  }
  return null;
}

/** Collects what a fragment holds beyond the schema. */
class Needs {
  private readonly nodes = new Map<string, { inline: boolean; attributes: Set<string>; children: Set<string> }>();
  private readonly marks = new Map<string, { attributes: Set<string>; overlaps: boolean }>();
  private readonly attributes = new Map<string, Set<string>>();
  private readonly contents = new Map<string, { children: Set<string>; isEmpty: boolean }>();

  private readonly schema: Schema;

  constructor(schema: Schema, fragment: Y.XmlFragment) {
    this.schema = schema;
    this.below(fragment, schema.topNodeType);
  }

  growth(): Growth {
    const names = [...this.nodes.keys()];
    const token = (name: string) => (this.nodes.has(name) ? `grown${names.indexOf(name)}` : name);
    const choice = (children: Iterable<string>) => `(${[...children].map(token).join(" | ")})`;
    const nodes = names.map((name, index): [string, GrownNode] => {
      const { inline, attributes, children } = this.nodes.get(name) as NonNullable<ReturnType<typeof this.nodes.get>>;
      const content = children.size ? `${choice(children)}*` : "";
      return [name, { inline, group: `grown${index}`, attributes: [...attributes], content }];
    });
    const marks = [...this.marks].map(([name, { attributes, overlaps }]): [string, GrownMark] => [
      name,
      { attributes: [...attributes], overlaps },
    ]);
    const contents = [...this.contents].map(([name, { children, isEmpty }]): [string, string] => {
      const type = this.schema.nodes[name] as NodeType;
      return [name, choice(new Set([...alternatives(type), ...children])) + (isEmpty ? "*" : "+")];
    });
    return {
      nodes: Object.fromEntries(nodes),
      marks: Object.fromEntries(marks),
      attributes: Object.fromEntries([...this.attributes].map(([name, keys]) => [name, [...keys]])),
      contents: Object.fromEntries(contents),
    };
  }

  private below(parent: Y.XmlFragment, type: NodeType | undefined) {
    const children = (parent.toArray() as unknown[]).filter(
      (child): child is Child => child instanceof Y.XmlElement || (child instanceof Y.XmlText && child.length > 0),
    );
    const inline = type ? type.inlineContent : children.some((child) => this.isInline(child));
    for (const child of children) {
      if (child instanceof Y.XmlText) this.text(child);
      else this.element(child, inline);
    }
    if (type && !FIXED.has(type.name)) this.content(type, children);
    // as concurrent deletions of rows may leave it
    if (type?.name === "table" && children.length === 0)
      this.contents.set("table", { children: new Set(), isEmpty: true });
  }

  private element(element: Y.XmlElement, inline: boolean) {
    const name = element.nodeName;
    const type = nodeType(this.schema, name);
    const keys = Object.keys(element.getAttributes());
    if (type) {
      this.known(name, type.spec.attrs, keys);
    } else {
      const grown = this.nodes.get(name) ?? { inline, attributes: new Set(), children: new Set() };
      this.nodes.set(name, grown);
      for (const key of keys) grown.attributes.add(key);
      for (const child of element.toArray() as unknown[]) {
        if (child instanceof Y.XmlElement) grown.children.add(child.nodeName);
        else if (child instanceof Y.XmlText && child.length) grown.children.add("text");
      }
    }
    this.below(element, type);
  }

  private content(type: NodeType, children: Child[]) {
    const names = children.map((child) => (child instanceof Y.XmlText ? "text" : child.nodeName));
    let match: ContentMatch | null = type.contentMatch;
    for (const name of names) {
      const child = nodeType(this.schema, name, true);
      // an unknown child is in the group of its place
      match = child ? (match?.matchType(child) ?? null) : match && fits(match, type.inlineContent ? "inline" : "block");
    }
    const isEmptyDocument = type === this.schema.topNodeType && names.length === 0;
    if (match?.validEnd || isEmptyDocument) return;
    const content = this.contents.get(type.name) ?? { children: new Set(), isEmpty: false };
    this.contents.set(type.name, content);
    for (const name of names) content.children.add(name);
    content.isEmpty ||= names.length === 0;
  }

  private text(text: Y.XmlText) {
    for (const { attributes } of delta(text)) {
      for (const [key, value] of Object.entries(attributes ?? {})) {
        const { name, isHashed } = markName(key);
        const keys = typeof value === "object" && value !== null ? Object.keys(value) : [];
        const type = markType(this.schema, name);
        if (type) {
          this.known(name, type.spec.attrs, keys);
        } else {
          const grown = this.marks.get(name) ?? { attributes: new Set(), overlaps: isHashed };
          this.marks.set(name, grown);
          for (const each of keys) grown.attributes.add(each);
        }
      }
    }
  }

  private known(name: string, has: object | undefined, keys: string[]) {
    for (const key of keys) {
      if (Object.hasOwn(has ?? {}, key)) continue;
      const grown = this.attributes.get(name) ?? new Set();
      this.attributes.set(name, grown.add(key));
    }
  }

  private isInline(child: Child): boolean {
    return child instanceof Y.XmlText || (nodeType(this.schema, child.nodeName)?.isInline ?? false);
  }
}

/** Returns the match after a node of the group, where one may stand; which of the group it is makes no difference. */
function fits(match: ContentMatch, group: string): ContentMatch | null {
  for (let index = 0; index < match.edgeCount; index++) {
    const { type, next } = match.edge(index);
    if (type.isInGroup(group)) return next;
  }
  return null;
}

/** Returns the names of everything that may stand in the node, in the order of its expression. */
function alternatives(type: NodeType): Set<string> {
  const found = new Set<string>();
  const seen = new Set<ContentMatch>();
  const follow = (match: ContentMatch) => {
    if (seen.has(match)) return;
    seen.add(match);
    for (let index = 0; index < match.edgeCount; index++) {
      found.add(match.edge(index).type.name);
      follow(match.edge(index).next);
    }
  };
  follow(type.contentMatch);
  return found;
}

/** Tables with such cells, or with such widths, make ProseMirror fail or hang. */
function isDrawable(name: string, key: string, value: unknown): boolean {
  if (value instanceof Y.AbstractType) return false;
  if (name !== "tableCell" && name !== "tableHeader") return true;
  if (key === "colspan" || key === "rowspan") {
    return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_SPAN;
  }
  if (key === "colwidth")
    return value === null || (Array.isArray(value) && value.every((each) => Number.isFinite(each)));
  return true;
}

function nodeType(schema: Schema, name: string, withText = false): NodeType | undefined {
  const type = Object.hasOwn(schema.nodes, name) && !RESERVED.has(name) ? schema.nodes[name] : undefined;
  return type === schema.topNodeType || (type?.isText && !withText) ? undefined : type;
}

function markType(schema: Schema, name: string): MarkType | undefined {
  return Object.hasOwn(schema.marks, name) ? schema.marks[name] : undefined;
}

/** Splits the hash off under which y-prosemirror stores a mark that may overlap itself. */
function markName(key: string): { name: string; isHashed: boolean } {
  const name = HASHED.exec(key)?.[1];
  return { name: name ?? key, isHashed: name !== undefined };
}

function delta(text: Y.XmlText): { insert: unknown; attributes?: Record<string, unknown> }[] {
  return text.toDelta();
}
