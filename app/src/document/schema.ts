/**
 * The schema of documents in TipTap's words: that of `documents/tree/schema.json`, and what a document holds beyond it.
 *
 * A `Growth` names the nodes, marks and attributes that only this document has. The schema takes them in, so that the
 * binding keeps what it would otherwise delete; nodes are drawn as locked boxes with their names.
 */

import { Extension, type Extensions, getSchema, Mark, Node } from "@tiptap/core";
import { Blockquote } from "@tiptap/extension-blockquote";
import { Bold } from "@tiptap/extension-bold";
import { Code } from "@tiptap/extension-code";
import { CodeBlock } from "@tiptap/extension-code-block";
import { Details, DetailsContent, DetailsSummary } from "@tiptap/extension-details";
import { Document } from "@tiptap/extension-document";
import { HardBreak } from "@tiptap/extension-hard-break";
import { Heading } from "@tiptap/extension-heading";
import { Highlight } from "@tiptap/extension-highlight";
import { HorizontalRule } from "@tiptap/extension-horizontal-rule";
import { Image } from "@tiptap/extension-image";
import { Italic } from "@tiptap/extension-italic";
import { Link } from "@tiptap/extension-link";
import { BulletList, ListItem, ListKeymap, OrderedList, TaskItem, TaskList } from "@tiptap/extension-list";
import { Mention } from "@tiptap/extension-mention";
import { Paragraph } from "@tiptap/extension-paragraph";
import { Strike } from "@tiptap/extension-strike";
import { Subscript } from "@tiptap/extension-subscript";
import { Superscript } from "@tiptap/extension-superscript";
import { Table, TableCell, TableHeader, TableRow } from "@tiptap/extension-table";
import { Text } from "@tiptap/extension-text";
import { TextAlign } from "@tiptap/extension-text-align";
import { TextStyle } from "@tiptap/extension-text-style";
import { Underline } from "@tiptap/extension-underline";
import { Dropcursor } from "@tiptap/extensions/drop-cursor";
import { Gapcursor } from "@tiptap/extensions/gap-cursor";
import type { Schema } from "@tiptap/pm/model";
import { t } from "../messages/messages";
import { mayLead, OUTWARD } from "./addresses";
import { linkRule, withStrictRules } from "./input_rules";

export type GrownNode = {
  readonly inline: boolean;
  /** A group of its own, by which content expressions name it: its name may be anything. */
  readonly group: string;
  readonly attributes: readonly string[];
  /** A content expression. */
  readonly content: string;
};

export type GrownMark = {
  readonly attributes: readonly string[];
  /** Several of it may lie on one text. */
  readonly overlaps: boolean;
};

/** What a schema has beyond the one of `documents/tree/schema.json`, by name. */
export type Growth = {
  readonly nodes: Readonly<Record<string, GrownNode>>;
  readonly marks: Readonly<Record<string, GrownMark>>;
  /** More attributes of nodes and marks that the schema has. */
  readonly attributes: Readonly<Record<string, readonly string[]>>;
  /** Other content expressions of nodes that the schema has. */
  readonly contents: Readonly<Record<string, string>>;
};

export const NO_GROWTH: Growth = { nodes: {}, marks: {}, attributes: {}, contents: {} };

const Comment = Mark.create({
  name: "comment",
  excludes: "",
  inclusive: false,
  addAttributes: () => ({ commentId: { default: null }, resolved: { default: false } }),
  parseHTML: () => [{ tag: "span[data-comment-id]" }],
  renderHTML: ({ HTMLAttributes }) => ["span", { class: "comment", "data-comment-id": HTMLAttributes.commentId }, 0],
});

const COLOUR = /^(#[0-9a-f]{3,8}|[a-z]{3,30}|(rgb|hsl)a?\([0-9., %/deg]{1,50}\))$/i;
const ALIGNMENTS = ["left", "center", "right", "justify"];

/** An attribute that sets one property of the style, only to what is a value of it: anybody may write anything. */
function styled(name: string, property: string, isValue: (value: string) => boolean) {
  return {
    [name]: {
      default: null,
      parseHTML: (element: HTMLElement) => element.style.getPropertyValue(property) || null,
      // the second is for the style sheet, which makes colours fit the paper
      renderHTML: ({ [name]: value }: Record<string, unknown>) =>
        typeof value === "string" && isValue(value) ? { style: `${property}: ${value}; --${property}: ${value}` } : {},
    },
  };
}

const isColour = (value: string) => COLOUR.test(value);
export const isAlignment = (value: unknown) => ALIGNMENTS.some((each) => each === value);

/** Each block of text is written from the side that its first letter is written from. */
const WRITTEN = { HTMLAttributes: { dir: "auto" } };

/** Links open beside the document, whatever it says of how they open and look. */
function outward(link: Mark): Mark {
  return link.extend({
    addAttributes() {
      const given = this.parent?.() ?? {};
      return {
        ...given,
        target: { ...given.target, renderHTML: () => ({ target: OUTWARD.target }) },
        rel: { ...given.rel, renderHTML: () => ({ rel: OUTWARD.rel }) },
        class: { ...given.class, rendered: false },
      };
    },
  });
}

/** Cells and images are aligned by an alignment alone: the kit writes whatever anybody put into a cell there into the style. */
function aligned<Options>(node: Node<Options>): Node<Options> {
  return node.extend({
    addAttributes() {
      return { ...this.parent?.(), ...styled("align", "text-align", isAlignment) };
    },
  });
}

export const AlignedImage = aligned(Image);

const KIT: Extensions = [
  withStrictRules(Bold),
  Blockquote,
  BulletList,
  withStrictRules(Code),
  CodeBlock,
  Document,
  Dropcursor.configure({ color: false, width: 3 }),
  Gapcursor,
  HardBreak,
  Heading.configure(WRITTEN),
  HorizontalRule,
  withStrictRules(Italic),
  ListItem,
  ListKeymap,
  linkRule(outward(Link.configure({ openOnClick: false, defaultProtocol: "https", isAllowedUri: mayLead }))),
  OrderedList,
  Paragraph.configure(WRITTEN),
  withStrictRules(Strike),
  Text,
  withStrictRules(Underline),
  Table,
  aligned(TableCell),
  aligned(TableHeader),
  TableRow,
  TaskList,
  TaskItem.configure({ nested: true }),
  AlignedImage,
  Details.configure({ persist: false }),
  DetailsSummary.configure(WRITTEN),
  DetailsContent,
  Mention,
  // to merge styles it would write style attributes, which the policy of the page refuses
  TextStyle.extend({ addAttributes: () => styled("color", "color", isColour) }).configure({
    mergeNestedSpanStyles: false,
  }),
  withStrictRules(Highlight.extend({ addAttributes: () => styled("color", "background-color", isColour) })),
  Subscript,
  Superscript,
  TextAlign.extend({
    addGlobalAttributes: () => [
      { types: ["heading", "paragraph"], attributes: styled("textAlign", "text-align", isAlignment) },
    ],
  }),
  Comment,
];

/** Returns the extensions whose schema has the growth; `replaced` stand for those of the same name. */
export function extensions(growth: Growth, replaced: Extensions = []): Extensions {
  const others = new Map(replaced.map((each) => [each.name, each]));
  const known = KIT.map((each) => {
    const part = others.get(each.name) ?? each;
    const content = growth.contents[each.name];
    return content === undefined ? part : (part as Node).extend({ content });
  });
  return [
    ...known,
    ...Object.entries(growth.nodes).map(([name, grown]) => lockedNode(name, grown)),
    ...Object.entries(growth.marks).map(([name, grown]) => strangeMark(name, grown)),
    Extension.create({
      name: "grownAttributes",
      addGlobalAttributes: () =>
        Object.entries(growth.attributes).map(([name, names]) => ({ types: [name], attributes: hidden(names) })),
      onBeforeCreate() {
        omitGrownDefaults(this.editor.schema, growth); // the editor makes a schema of its own
      },
    }),
  ];
}

export function schemaOf(growth: Growth): Schema {
  const schema = getSchema(extensions(growth));
  omitGrownDefaults(schema, growth);
  return schema;
}

/**
 * Has marks lack the grown attributes that they are not given. ProseMirror would add each as null, and that would be written
 * to all of a text in which somebody types.
 */
function omitGrownDefaults({ marks }: Schema, growth: Growth) {
  for (const type of Object.values(marks)) {
    const grown = growth.marks[type.name]?.attributes ?? growth.attributes[type.name];
    if (!grown) continue;
    const create = type.create.bind(type);
    type.create = (given) => {
      const mark = create(given ?? {});
      const attrs = Object.entries(mark.attrs).filter(
        ([name]) => !grown.includes(name) || Object.hasOwn(given ?? {}, name),
      );
      return Object.assign(mark, { attrs: Object.fromEntries(attrs) });
    };
  }
}

function hidden(names: readonly string[]) {
  return Object.fromEntries(names.map((each) => [each, { default: null, rendered: false, keepOnSplit: false }]));
}

function lockedNode(name: string, { inline, group, attributes, content }: GrownNode): Node {
  return Node.create({
    name,
    content,
    inline,
    group: `${inline ? "inline" : "block"} ${group}`,
    atom: true,
    isolating: true,
    addAttributes: () => hidden(attributes),
    parseHTML: () => [],
    renderHTML: () => [
      inline ? "span" : "div",
      { class: "locked", contenteditable: "false", "data-name": name, "aria-label": t.document.kept(name) },
      ...(content ? [[inline ? "span" : "div", 0]] : []),
    ],
  });
}

function strangeMark(name: string, { attributes, overlaps }: GrownMark): Mark {
  return Mark.create({
    name,
    ...(overlaps ? { excludes: "" } : {}),
    inclusive: false,
    addAttributes: () => hidden(attributes),
    parseHTML: () => [],
    renderHTML: () => ["span", { class: "strange", title: name }, 0],
  });
}
