/**
 * Reads what is pasted and dropped. Each program writes lists, tasks, code and highlights in a way of its own; one table of rules
 * rewrites them to what the schema reads. What was copied here says all by itself.
 */

import { Extension } from "@tiptap/core";
import { DOMParser, type ParseOptions, type Slice } from "@tiptap/pm/model";
import { Plugin } from "@tiptap/pm/state";
import { imageHere } from "./addresses";

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
    if (!dom.querySelector("[data-pm-slice]"))
      for (const { selector, rewrite } of RULES) rewrite(found(dom, selector), dom);
    return super.parseSlice(dom, options);
  }
}

/** The style of an element as it was written, with the properties that no browser knows. */
function styleOf(element: Element): string {
  return element.getAttribute(STYLE) ?? "";
}

type Rule = {
  /** The elements that are rewritten. */
  selector: string;
  rewrite: (found: readonly HTMLElement[], dom: HTMLElement) => void;
};

const STYLED = `[${STYLE}]`;
const HEADINGS = ":is(h1,h2,h3,h4,h5,h6,th)";

/** In their order: each finds what those before it have left. */
const RULES: readonly Rule[] = [
  // Excel
  { selector: SHEET, rewrite: applyToCells },
  // KaTeX (ChatGPT), MathJax, Wikipedia
  { selector: ".katex, mjx-container, .mwe-math-element, math", rewrite: each(writeFormula) },
  // Word writes an empty paragraph as a space in an element of its own
  { selector: `o\\:p, ${SHEET}, button, select, svg`, rewrite: each((one) => one.remove()) },
  { selector: STYLED, rewrite: each(dropUnseen) },
  // Google, Outlook, Slack
  { selector: "a[href]", rewrite: each(unwrapAddress) },
  // addresses that lead nowhere from here, or name files of the person
  { selector: "a[href^='#'], a[href^='file:']", rewrite: each((link) => link.replaceWith(...link.childNodes)) },
  { selector: "img", rewrite: each(dropImage) },
  // the colours of text are those of the other program's page, whose headings are bold and whose links are underlined
  { selector: STYLED, rewrite: each(({ style }) => style.removeProperty("color")) },
  { selector: HEADINGS + STYLED, rewrite: each(({ style }) => style.removeProperty("font-weight")) },
  { selector: `a${STYLED}, a ${STYLED}`, rewrite: each(({ style }) => style.removeProperty("text-decoration-line")) },
  // Word, LibreOffice, Google Docs
  { selector: `span${STYLED}`, rewrite: each(markHighlight) },
  { selector: "p.MsoTitle", rewrite: each((one) => renamed(one, "h1")) },
  { selector: "p.MsoQuote, p.MsoIntenseQuote", rewrite: each((one) => renamed(one, "blockquote")) },
  { selector: `p[${STYLE}*='mso-list:']`, rewrite: nestListsOfWord },
  // Slack, Quill
  { selector: "li[data-stringify-indent], li[class*='ql-indent-']", rewrite: each(nestItem) },
  // GitHub, Google Docs, Notion
  { selector: "li", rewrite: markTasks },
  // VS Code
  { selector: `div${STYLED}`, rewrite: each(gatherLines) },
  // GitHub, ChatGPT
  { selector: "pre", rewrite: each(tidyCode) },
];

function found(dom: HTMLElement, selector: string): HTMLElement[] {
  return [...dom.querySelectorAll<HTMLElement>(selector)];
}

function each(rewrite: (one: HTMLElement) => unknown): Rule["rewrite"] {
  return (found, dom) => {
    // what lies in an element that a rule has replaced is gone
    for (const one of found) if (dom.contains(one)) rewrite(one);
  };
}

const OF_CLASS = /\.([\w-]+)\s*\{([^}]*)\}/g;
const LOOKS = ["font-weight", "font-style", "text-decoration"];

/** Gives cells what their classes say of their text. */
function applyToCells(sheets: readonly HTMLElement[], dom: HTMLElement) {
  const looks = dom.ownerDocument.createElement("p").style;
  for (const sheet of sheets)
    for (const [, name = "", style = ""] of sheet.innerHTML.matchAll(OF_CLASS)) {
      looks.cssText = style;
      for (const cell of dom.querySelectorAll<HTMLElement>(`:is(td, th).${CSS.escape(name)}`))
        for (const property of LOOKS) {
          const value = looks.getPropertyValue(property);
          if (value && !cell.style.getPropertyValue(property)) cell.style.setProperty(property, value);
        }
    }
}

const DISPLAY_STYLE = /^\{\\displaystyle\s([\s\S]*)\}$/;

/** Writes a formula once, as TeX where its program says it: it is there for readers of screens, too. */
function writeFormula(formula: HTMLElement) {
  const math = formula.querySelector("math") ?? formula.closest("math");
  const said =
    formula.querySelector("annotation[encoding='application/x-tex']")?.textContent ?? math?.getAttribute("alttext");
  const shown = formula.querySelector(".katex-html") ?? math ?? formula;
  const sign = formula.closest(".katex-display, mjx-container[display=true], [display=block]") ? "$$" : "$";
  const tex = said?.trim().replace(DISPLAY_STYLE, "$1").trim();
  formula.replaceWith(tex ? sign + tex + sign : (shown.textContent ?? ""));
}

function dropUnseen(element: HTMLElement) {
  if (element.style.display === "none" || styleOf(element).includes("mso-hide:all")) element.remove();
}

/** What stands in the place of an address, and the parameter that has it. */
const WRAPPERS: readonly (readonly [RegExp, string])[] = [
  [/^https?:\/\/(www\.)?google\.[a-z.]+\/url\?/, "q"],
  [/^https?:\/\/(www\.)?google\.[a-z.]+\/url\?/, "url"],
  [/^https?:\/\/[\w.-]+\.safelinks\.protection\.outlook\.com\//, "url"],
  [/^https?:\/\/slack-redir\.net\/link\?/, "url"],
];

function unwrapAddress(link: HTMLElement) {
  const address = link.getAttribute("href") ?? "";
  for (const [wrapper, name] of WRAPPERS) {
    const inner = wrapper.test(address) && new URL(address).searchParams.get(name);
    if (inner && /^https?:/i.test(inner)) return link.setAttribute("href", inner);
  }
}

const EMOJI = /^\p{Extended_Pictographic}/u;

/** Images of other servers are not inserted; one in the place of a letter becomes that letter. */
function dropImage(image: HTMLElement) {
  if (imageHere(image.getAttribute("src"))) return;
  const { alt } = image as HTMLImageElement;
  const letter = EMOJI.test(alt) ? alt : image.dataset.stringifyEmoji;
  if (letter) image.replaceWith(letter);
  else image.remove();
}

/** A background is a highlight where the program has no other use of it. */
function markHighlight(element: HTMLElement) {
  const isHighlight =
    /^background:|mso-highlight:/.test(styleOf(element)) || element.closest("[id^=docs-internal-guid]");
  const { backgroundColor } = element.style;
  if (!isHighlight || !backgroundColor || backgroundColor === "transparent") return;
  renamed(element, "mark").style.backgroundColor = backgroundColor;
}

const LEVEL = /mso-list:\s*l\d+\s+level(\d+)/;
const NUMBER = /^\W?([0-9]+|[a-z]{1,5})[.)]/i;

/** Word writes the items of lists as paragraphs with a level, each with its bullet or number in the text. */
function nestListsOfWord(paragraphs: readonly HTMLElement[], dom: HTMLElement) {
  let open: HTMLElement[] = []; // the lists that the last item was in, the innermost last
  let last: Element | null = null;
  for (const paragraph of paragraphs) {
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

/** Puts an item of a flat list into the item before it that lies less deep: its class or an attribute says how deep it lies. */
function nestItem(item: HTMLElement) {
  const level = levelOf(item);
  const list = item.parentElement;
  if (!list) return;
  const before = item.previousElementSibling ?? lastItem(list.previousElementSibling);
  const parent = before && deepest(before, level);
  if (!parent) return joinList(list, before);
  const last = parent.lastElementChild;
  const isList = last?.nodeName === list.nodeName;
  const inner = isList ? last : parent.appendChild(item.ownerDocument.createElement(list.nodeName));
  inner.append(item);
  if (!list.childElementCount) list.remove();
}

/** Puts a list to the one before it, from which deeper items have parted it. */
function joinList(list: HTMLElement, before: Element | null) {
  const one = before?.parentElement;
  if (!one || one === list || one.nodeName !== list.nodeName) return;
  one.append(...list.childNodes);
  list.remove();
}

function levelOf({ dataset, className }: HTMLElement): number {
  return Number(dataset.stringifyIndent ?? /ql-indent-(\d)/.exec(className)?.[1] ?? 0);
}

function lastItem(list: Element | null): Element | null {
  return list?.matches("ul, ol") ? list.lastElementChild : null;
}

/** The item that lies less deep than a level, the last of those in an item and in its lists. */
function deepest(item: Element, level: number): Element | null {
  if (levelOf(item as HTMLElement) >= level) return null;
  const inner = lastItem(item.lastElementChild);
  return (inner && deepest(inner, level)) ?? item;
}

const BRACKETS = /^\s*\[([ xX])\]\s+/;

function markTasks(items: readonly HTMLElement[]) {
  for (const item of items) {
    const isDone = isTaskDone(item);
    if (isDone === null) continue;
    item.dataset.type = "taskItem";
    item.dataset.checked = String(isDone);
  }
  const tasks = items.filter(({ dataset }) => dataset.type === "taskItem");
  for (const list of new Set(tasks.map((each) => each.parentElement))) if (list) splitTasks(list);
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

/** Code that an editor of code copied is an element for each line. */
function gatherLines(block: HTMLElement) {
  if (block.style.whiteSpace !== "pre" || !/mono/i.test(block.style.fontFamily)) return;
  const lines = [...block.children].map((line) => (line.nodeName === "BR" ? "" : (line.textContent ?? "")));
  const code = block.ownerDocument.createElement(lines.length > 1 ? "pre" : "code");
  code.textContent = lines.join("\n");
  block.replaceWith(code);
}

/**
 * The language is in a class of the code or around it, and a header above the code is not of it, nor is the line end before its
 * end.
 */
function tidyCode(pre: HTMLElement) {
  const [, language] = /highlight-source-([\w-]+)/.exec(pre.parentElement?.className ?? "") ?? [];
  const [only, other] = found(pre, "code");
  const code = pre.ownerDocument.createElement("code");
  code.className = language ? `language-${language}` : (only?.className ?? "");
  code.textContent = ((only && !other ? only : pre).textContent ?? "").replace(/\n$/, "");
  pre.replaceChildren(code);
}

function renamed(element: HTMLElement, name: string): HTMLElement {
  const made = element.ownerDocument.createElement(name);
  made.append(...element.childNodes);
  element.replaceWith(made);
  return made;
}
