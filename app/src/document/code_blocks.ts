/** Blocks of code: each has a button that copies it, and a chart its drawing beside the source. */

import { Extension } from "@tiptap/core";
import { DOMSerializer, type Node } from "@tiptap/pm/model";
import { Plugin } from "@tiptap/pm/state";
import type { EditorView, NodeView } from "@tiptap/pm/view";
import { t } from "../messages/messages";
import { CHART, draw, languageOf } from "./charts";

export const CodeBlocks = Extension.create({
  name: "codeBlocks",
  addProseMirrorPlugins: () => [new Plugin({ props: { nodeViews: { codeBlock: viewOf } }, view: followEditable })],
});

/** Where the text can be written, a place for Tab would be in the way of who leaves it: the menu of the block copies there. */
function placeForTab({ editable }: EditorView): number {
  return editable ? -1 : 0;
}

function followEditable(view: EditorView) {
  let wasEditable = view.editable;
  return {
    update() {
      if (view.editable === wasEditable) return;
      wasEditable = view.editable;
      for (const button of view.dom.querySelectorAll<HTMLElement>(".copy")) button.tabIndex = placeForTab(view);
    },
  };
}

function viewOf(node: Node, view: EditorView): NodeView {
  let shown = node;
  const dom = document.createElement("div");
  const block = node.type.spec.toDOM?.(node) ?? ["pre", ["code", 0]];
  const { dom: source, contentDOM } = DOMSerializer.renderSpec(document, block);
  const drawing = languageOf(node) === CHART ? draw(node.textContent) : null;
  const held = document.createElement("div");
  const copy = copyButton(() => shown.textContent);
  copy.tabIndex = placeForTab(view);
  held.className = "code";
  held.append(source, copy);
  dom.className = drawing ? "charted" : "";
  dom.append(held, ...(drawing ? [drawing.figure] : []));
  const isBeside = (target: globalThis.Node) => copy.contains(target) || drawing?.figure.contains(target) === true;
  return {
    dom,
    contentDOM,
    update: (next) => {
      if (!next.sameMarkup(node)) return false;
      shown = next;
      drawing?.follow(next.textContent);
      return true;
    },
    stopEvent: ({ target }) => copy.contains(target as globalThis.Node),
    ignoreMutation: ({ type, target }) => type !== "selection" && isBeside(target),
    destroy: drawing?.end,
  };
}

/** Says that it copied until the pointer or the keyboard leaves it. */
function copyButton(read: () => string): HTMLElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.contentEditable = "false";
  const say = (words: string) => {
    button.dataset.words = words; // drawn by the style sheet: it is no text of the document
    button.ariaLabel = words === t.ui.copy ? t.document.copyCode : words;
  };
  say(t.ui.copy);
  button.addEventListener("mousedown", (event) => event.preventDefault()); // the text keeps the keyboard
  button.addEventListener("click", () => {
    navigator.clipboard.writeText(read()).then(
      () => say(t.document.codeCopied),
      () => say(t.document.codeNotCopied),
    );
  });
  for (const left of ["pointerleave", "blur"]) button.addEventListener(left, () => say(t.ui.copy));
  return button;
}
