/** Draws charts: a frame is told what a block of code holds. */

import type { Node } from "@tiptap/pm/model";
import { t } from "../messages/messages";

/** The language of code blocks that are charts. */
export const CHART = "vega-lite";
const QUIET_MS = 300;
/** How far from the window a chart is drawn ahead. */
const MARGIN = "50% 0px";

/** Returns the language of a block of code as the server's pages read it: with options, the first word counts. */
export function languageOf({ attrs: { language } }: Node): string {
  return typeof language === "string" ? (language.trim().split(/\s+/)[0] ?? "") : "";
}

/** Returns a figure whose frame draws a specification while it is in sight. */
export function draw(specification: string) {
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
