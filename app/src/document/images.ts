/** Draws images of this server, with a caption and a width; the address of any other stands as a link, as on published pages. */

import type { Node } from "@tiptap/pm/model";
import { NodeSelection } from "@tiptap/pm/state";
import { t } from "../messages/messages";
import { imageHere, isElsewhere, OUTWARD } from "./addresses";
import { imageTools } from "./image_tools";
import { imageRule } from "./input_rules";
import { AlignedImage, isAlignment } from "./schema";

export const ServerImage = AlignedImage.extend({
  addNodeView() {
    return ({ node, editor, getPos }) => {
      const dom = document.createElement("figure");
      let shown = node;
      const tools = imageTools(
        (attributes) => {
          const at = getPos();
          if (at === undefined || !editor.isEditable) return;
          const { tr } = editor.state;
          for (const [name, value] of Object.entries(attributes)) tr.setNodeAttribute(at, name, value);
          editor.view.dispatch(tr);
        },
        () => editor.commands.focus(),
      );
      draw(dom, node);
      return {
        dom,
        update: (next) => {
          if (next.type !== shown.type) return false;
          if (!next.hasMarkup(shown.type, shown.attrs, shown.marks)) {
            draw(dom, next);
            tools.follow(dom, next);
          }
          shown = next;
          return true;
        },
        selectNode: () => {
          dom.classList.add("ProseMirror-selectednode");
          if (editor.isEditable) tools.show(dom, shown);
        },
        deselectNode: () => {
          dom.classList.remove("ProseMirror-selectednode");
          tools.hide();
        },
        stopEvent: ({ target }) => tools.hold(target),
        ignoreMutation: ({ type }) => type !== "selection",
      };
    };
  },
  addInputRules: () => [imageRule],
  addKeyboardShortcuts() {
    return {
      Enter: ({ editor: { state, view } }) => {
        const { selection } = state;
        if (!(selection instanceof NodeSelection) || selection.node.type !== this.type) return false;
        const field = (view.nodeDOM(selection.from) as HTMLElement | null)?.querySelector("input");
        field?.focus();
        return field != null;
      },
    };
  },
});

function draw(figure: HTMLElement, { attrs }: Node) {
  const { src, alt, title, width, height, align } = attrs;
  figure.dataset.align = isAlignment(align) ? align : "";
  const path = imageHere(src);
  if (path === null) {
    figure.className = "elsewhere";
    redraw(figure, t.document.image(String(alt || src || t.document.noAddress)), linkTo(src));
    return;
  }
  const image = document.createElement("img");
  image.src = path;
  image.alt = String(alt ?? "");
  image.loading = "lazy";
  if (Number(width) > 0) image.width = Number(width);
  if (Number(height) > 0) image.height = Number(height);
  figure.className = "image";
  const caption = Object.assign(document.createElement("figcaption"), {
    dir: "auto",
    textContent: String(title ?? ""),
  });
  const frame = document.createElement("div");
  frame.className = "image-frame";
  frame.append(image);
  redraw(figure, frame, ...(title ? [caption] : []));
}

/** Replaces all but the tools, which may be in use. */
function redraw(figure: HTMLElement, ...shown: (HTMLElement | string)[]) {
  const isSelected = figure.querySelector("[data-tool]") !== null; // which the class says, too
  for (const child of [...figure.childNodes])
    if (!(child instanceof Element && child.matches("[data-tool]"))) child.remove();
  figure.prepend(...shown);
  figure.classList.toggle("ProseMirror-selectednode", isSelected);
}

function linkTo(src: unknown): HTMLElement | string {
  if (!isElsewhere(src)) return "";
  return Object.assign(document.createElement("a"), OUTWARD, { href: src, textContent: ` ${t.document.openImage}` });
}
