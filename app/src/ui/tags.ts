/** The HTML element that shows a block of a document where it is only read, by the block's name; of others there is none. */
export const TAGS: Readonly<Record<string, string>> = {
  paragraph: "p",
  blockquote: "blockquote",
  bulletList: "ul",
  orderedList: "ol",
  taskList: "ul",
  listItem: "li",
  taskItem: "li",
  codeBlock: "pre",
  horizontalRule: "hr",
  hardBreak: "br",
  table: "table",
  tableRow: "tr",
  tableCell: "td",
  tableHeader: "th",
  details: "div",
  detailsSummary: "p",
  detailsContent: "div",
};

/** The HTML element that shows a mark of a text where it is only read, by the mark's name; of others there is none. */
export const MARK_TAGS: Readonly<Record<string, string>> = {
  bold: "strong",
  italic: "em",
  strike: "s",
  underline: "u",
  code: "code",
  subscript: "sub",
  superscript: "sup",
  highlight: "mark",
};
