/**
 * Reads what is pasted and dropped. Each program writes lists, tasks and highlights in a way of its own; they are rewritten
 * to what the schema reads. What was copied here says all by itself.
 */

import { Extension } from "@tiptap/core";
import { DOMParser, type ParseOptions, type Slice } from "@tiptap/pm/model";
import { Plugin } from "@tiptap/pm/state";

export const Paste = Extension.create({
  name: "pastedContent",
  addProseMirrorPlugins() {
    const { schema } = this.editor;
    const clipboardParser = new ClipboardParser(schema, DOMParser.fromSchema(schema).rules);
    return [new Plugin({ props: { transformPastedHTML: renameRefused, clipboardParser } })];
  },
});

/** Where the text of a style attribute is kept. */
const STYLE = "data-style";
/** What style sheets become. */
const SHEET = "x-style";
const TAG = /<\/?[a-z](?:"[^"]*"|'[^']*'|[^"'<>])*>/gi;
const SHEETS_TAG = /(?<=^<\/?)style\b/i;
const QUOTED_OR_REFUSED = /"[^"]*"|'[^']*'|(?<=\s|["']|^<\w+\/)(?:style|on[a-z]+)(?=\s*=)/gi;

/** The policy of the page reports styles and handlers in what is only read: they have other names then. */
function renameRefused(html: string): string {
  return html.replace(TAG, (tag) =>
    tag
      .replace(SHEETS_TAG, SHEET)
      .replace(QUOTED_OR_REFUSED, (found) => (/^["']/.test(found) ? found : `data-${found.toLowerCase()}`)),
  );
}

class ClipboardParser extends DOMParser {
  override parseSlice(dom: HTMLElement, options?: ParseOptions): Slice {
    for (const each of dom.querySelectorAll<HTMLElement>(`[${STYLE}]`)) each.style.cssText = styleOf(each);
    if (!dom.querySelector("[data-pm-slice]")) for (const rewrite of REWRITES) rewrite(dom);
    return super.parseSlice(dom, options);
  }
}

/** The style of an element as it was written, with the properties that no browser knows. */
function styleOf(element: Element): string {
  return element.getAttribute(STYLE) ?? "";
}

const REWRITES: readonly ((dom: HTMLElement) => void)[] = [
  dropUnseen,
  dropLocalAddresses,
  dropLooks,
  markHighlights,
  nameParagraphs,
  nestListsOfWord,
  markTasks,
  tidyCode,
];

function dropUnseen(dom: HTMLElement) {
  // Word writes an empty paragraph as a space in an element of its own
  for (const each of dom.querySelectorAll(`o\\:p, ${SHEET}`)) each.remove();
  for (const each of dom.querySelectorAll<HTMLElement>(`[${STYLE}]`)) {
    if (each.style.display === "none" || styleOf(each).includes("mso-hide:all")) each.remove();
  }
}

/** Addresses that lead nowhere from here, or name files of the person. */
function dropLocalAddresses(dom: HTMLElement) {
  for (const each of dom.querySelectorAll("img[src^='file:']")) each.remove();
  for (const each of dom.querySelectorAll("a[href^='#'], a[href^='file:']")) each.replaceWith(...each.childNodes);
}

/** The colours of text are those of the other program's page, whose headings are bold and whose links are underlined. */
function dropLooks(dom: HTMLElement) {
  for (const { style } of dom.querySelectorAll<HTMLElement>(`[${STYLE}]`)) style.removeProperty("color");
  for (const { style } of dom.querySelectorAll<HTMLElement>(":is(h1, h2, h3, h4, h5, h6, th)")) {
    style.removeProperty("font-weight");
  }
  for (const { style } of dom.querySelectorAll<HTMLElement>(`a[${STYLE}], a [${STYLE}]`)) {
    style.removeProperty("text-decoration-line");
  }
}

/** A background is a highlight where the program has no other use of it: Word, LibreOffice and Google Docs. */
function markHighlights(dom: HTMLElement) {
  for (const each of dom.querySelectorAll<HTMLElement>(`span[${STYLE}]`)) {
    const isHighlight = /^background:|mso-highlight:/.test(styleOf(each)) || each.closest("[id^=docs-internal-guid]");
    const { backgroundColor } = each.style;
    if (!isHighlight || !backgroundColor || backgroundColor === "transparent") continue;
    renamed(each, "mark").style.backgroundColor = backgroundColor;
  }
}

function nameParagraphs(dom: HTMLElement) {
  for (const each of dom.querySelectorAll<HTMLElement>("p.MsoTitle")) renamed(each, "h1");
  for (const each of dom.querySelectorAll<HTMLElement>("p.MsoQuote, p.MsoIntenseQuote")) renamed(each, "blockquote");
}

const LEVEL = /mso-list:\s*l\d+\s+level(\d+)/;
const NUMBER = /^\W?([0-9]+|[a-z]{1,5})[.)]/i;

/** Word writes the items of lists as paragraphs with a level, each with its bullet or number in the text. */
function nestListsOfWord(dom: HTMLElement) {
  let open: HTMLElement[] = []; // the lists that the last item was in, the innermost last
  let last: Element | null = null;
  for (const paragraph of dom.querySelectorAll<HTMLElement>(`p[${STYLE}*="mso-list:"]`)) {
    const level = Number(LEVEL.exec(styleOf(paragraph))?.[1]);
    if (!level) continue;
    const marker = paragraph.querySelector(`[${STYLE}*="mso-list:Ignore"]`);
    const [, number] = NUMBER.exec(marker?.textContent ?? "") ?? [];
    const kind = number ? "OL" : "UL";
    marker?.remove();
    if (paragraph.previousElementSibling !== last) open = [];
    open.length = Math.min(open.length, level);
    if (open.length === level && open.at(-1)?.nodeName !== kind) open.pop();
    const item = dom.ownerDocument.createElement("li");
    let list = open.at(-1);
    if (!list || open.length < level) {
      const inner = dom.ownerDocument.createElement(kind);
      if (Number(number) > 1) inner.setAttribute("start", String(Number(number)));
      if (list?.lastElementChild) list.lastElementChild.append(inner);
      else paragraph.before(inner);
      open.push(inner);
      list = inner;
    }
    list.append(item);
    item.append(paragraph);
    last = open[0] ?? null;
  }
}

const BRACKETS = /^\s*\[([ xX])\]\s+/;

function markTasks(dom: HTMLElement) {
  for (const item of dom.querySelectorAll("li")) {
    const isDone = isTaskDone(item);
    if (isDone === null) continue;
    item.dataset.type = "taskItem";
    item.dataset.checked = String(isDone);
  }
  for (const list of new Set([...dom.querySelectorAll("[data-type=taskItem]")].map((each) => each.parentElement))) {
    if (list) splitTasks(list);
  }
}

/** Whether the task of an item is done; null where it is none. GitHub has boxes, Google Docs roles, Notion brackets. */
function isTaskDone(item: HTMLElement): boolean | null {
  const box = item.querySelector<HTMLInputElement>(":scope > input[type=checkbox], :scope > p > input[type=checkbox]");
  if (box) return box.checked;
  if (item.role === "checkbox") return item.ariaChecked === "true";
  const text = item.ownerDocument.createTreeWalker(item, NodeFilter.SHOW_TEXT).nextNode() as Text | null;
  const found = BRACKETS.exec(text?.data ?? "");
  if (!text || !found) return null;
  text.data = text.data.slice(found[0].length);
  return found[1] !== " ";
}

/** Tasks and other items have lists of their own. What stands in a list beside its items goes with the item before. */
function splitTasks(list: HTMLElement) {
  let part: HTMLElement | null = null;
  for (const each of [...list.children]) {
    const isTask = each.nodeName === "LI" ? (each as HTMLElement).dataset.type === "taskItem" : null;
    if (!part || (isTask !== null && isTask !== (part.dataset.type === "taskList"))) {
      part = list.ownerDocument.createElement(isTask ? "ul" : list.nodeName);
      if (isTask) part.dataset.type = "taskList";
      list.before(part);
    }
    part.append(each);
  }
  list.remove();
}

/** GitHub names the language of code in a class around it; the line end before the end of code is not of it. */
function tidyCode(dom: HTMLElement) {
  for (const pre of dom.querySelectorAll("pre")) {
    const [, language] = /highlight-source-([\w-]+)/.exec(pre.parentElement?.className ?? "") ?? [];
    const code = dom.ownerDocument.createElement("code");
    code.className = language ? `language-${language}` : (pre.querySelector("code")?.className ?? "");
    code.textContent = (pre.textContent ?? "").replace(/\n$/, "");
    pre.replaceChildren(code);
  }
}

function renamed(element: HTMLElement, name: string): HTMLElement {
  const made = element.ownerDocument.createElement(name);
  made.append(...element.childNodes);
  element.replaceWith(made);
  return made;
}
