/** Draws images of this server; the address of any other stands as a link, as on published pages. */

import { Image } from "@tiptap/extension-image";
import type { Node } from "@tiptap/pm/model";

const OURS = /^\/images\/[\w-]+$/;

export const ServerImage = Image.extend({
  addNodeView() {
    return ({ node }) => {
      const dom = document.createElement("figure");
      let shown = node;
      draw(dom, node);
      return {
        dom,
        update: (next) => {
          if (next.type !== shown.type) return false;
          if (!next.hasMarkup(shown.type, shown.attrs, shown.marks)) draw(dom, next);
          shown = next;
          return true;
        },
        selectNode: () => dom.classList.add("ProseMirror-selectednode"),
        deselectNode: () => dom.classList.remove("ProseMirror-selectednode"),
      };
    };
  },
});

function draw(figure: HTMLElement, { attrs }: Node) {
  const { src, alt, title, width, height } = attrs;
  const path = typeof src === "string" ? pathHere(src) : null;
  if (path === null) {
    figure.className = "elsewhere";
    figure.replaceChildren(`Image: ${alt || src || "no address"}`, linkTo(src));
    return;
  }
  const image = document.createElement("img");
  image.src = path;
  image.alt = String(alt ?? "");
  image.loading = "lazy";
  if (title) image.title = String(title);
  if (Number(width) > 0) image.width = Number(width);
  if (Number(height) > 0) image.height = Number(height);
  figure.className = "image";
  figure.replaceChildren(image);
}

function pathHere(src: string): string | null {
  try {
    const url = new URL(src, location.origin);
    return url.origin === location.origin && OURS.test(url.pathname) ? url.pathname : null;
  } catch {
    return null;
  }
}

function linkTo(src: unknown): HTMLElement | string {
  if (typeof src !== "string" || !/^https?:\/\//i.test(src)) return "";
  const link = document.createElement("a");
  link.href = src;
  link.rel = "noopener noreferrer nofollow";
  link.target = "_blank";
  link.textContent = " Open";
  return link;
}
