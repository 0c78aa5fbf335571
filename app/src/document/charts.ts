/** Draws charts beside their sources: each code block that is one has a frame, which is told what the block holds. */

import { Extension } from "@tiptap/core";
import { DOMSerializer, type Node } from "@tiptap/pm/model";
import { Plugin } from "@tiptap/pm/state";
import type { NodeView } from "@tiptap/pm/view";
import { t } from "../messages/messages";

/** The language of code blocks that are charts. */
export const CHART = "vega-lite";
const QUIET_MS = 300;
/** How far from the window a chart is drawn ahead. */
const MARGIN = "50% 0px";

export const Charts = Extension.create({
  name: "charts",
  addProseMirrorPlugins: () => [new Plugin({ props: { nodeViews: { codeBlock: viewOf } } })],
});

function viewOf(node: Node): NodeView {
  const block = node.type.spec.toDOM?.(node) ?? ["pre", ["code", 0]];
  const { dom: source, contentDOM } = DOMSerializer.renderSpec(document, block);
  if (!isChart(node)) return { dom: source, contentDOM };
  const dom = document.createElement("div");
  const drawing = draw(node.textContent);
  dom.className = "charted";
  dom.append(source, drawing.figure);
  return {
    dom,
    contentDOM,
    update: (next) => {
      if (!next.sameMarkup(node)) return false;
      drawing.follow(next.textContent);
      return true;
    },
    ignoreMutation: ({ type, target }) => type !== "selection" && drawing.figure.contains(target),
    destroy: drawing.end,
  };
}

/** As the server's pages read it: of a language with options, the first word counts. */
function isChart({ attrs: { language } }: Node): boolean {
  return typeof language === "string" && language.trim().split(/\s+/)[0] === CHART;
}

/** Returns a figure whose frame draws a specification while it is in sight. */
function draw(specification: string) {
  const figure = document.createElement("figure");
  figure.contentEditable = "false";
  let [shown, quiet] = [specification, 0];
  // the frame is of no origin that could be named, and what it is told is what it is for
  const send = () => figure.querySelector("iframe")?.contentWindow?.postMessage(shown, "*");
  const sight = new IntersectionObserver(
    (seen) => figure.replaceChildren(...(seen.at(-1)?.isIntersecting ? [frame(send)] : [])),
    { rootMargin: MARGIN },
  );
  sight.observe(figure);
  return {
    figure,
    follow(next: string) {
      if (next === shown) return;
      shown = next;
      clearTimeout(quiet);
      quiet = window.setTimeout(send, QUIET_MS);
    },
    end() {
      clearTimeout(quiet);
      sight.disconnect();
    },
  };
}

function frame(onload: () => void): HTMLIFrameElement {
  const made = document.createElement("iframe");
  made.title = t.document.chart;
  made.sandbox.add("allow-scripts");
  made.src = "/chart";
  made.addEventListener("load", onload);
  return made;
}
