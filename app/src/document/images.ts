/** Draws images of this server; the address of any other stands as a link, as on published pages. */

import { Image } from "@tiptap/extension-image";
import type { Node } from "@tiptap/pm/model";
import { NodeSelection } from "@tiptap/pm/state";
import { t } from "../messages/messages";
import { imageHere, isElsewhere, OUTWARD } from "./addresses";
import { imageRule } from "./input_rules";

export const ServerImage = Image.extend({
  addNodeView() {
    return ({ node, editor, getPos }) => {
      const dom = document.createElement("figure");
      let shown = node;
      draw(dom, node);
      const description = describe(
        () => String(shown.attrs.alt ?? ""),
        (alt) => {
          const at = getPos();
          if (at === undefined || !editor.isEditable) return;
          editor.view.dispatch(editor.state.tr.setNodeAttribute(at, "alt", alt || null));
        },
        () => editor.commands.focus(),
      );
      return {
        dom,
        update: (next) => {
          if (next.type !== shown.type) return false;
          if (!next.hasMarkup(shown.type, shown.attrs, shown.marks)) draw(dom, next);
          shown = next;
          return true;
        },
        selectNode: () => {
          dom.classList.add("ProseMirror-selectednode");
          if (editor.isEditable) description.show(dom);
        },
        deselectNode: () => {
          dom.classList.remove("ProseMirror-selectednode");
          description.hide();
        },
        stopEvent: ({ target }) => target instanceof HTMLInputElement,
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

/** The field below a selected image in which it is described; Enter and Escape lead back to the text. */
function describe(read: () => string, write: (alt: string) => void, leave: () => void) {
  const field = document.createElement("input");
  field.type = "text";
  field.maxLength = 500;
  field.placeholder = t.document.describeImage;
  field.ariaLabel = t.document.imageDescription;
  const save = () => field.value !== read() && write(field.value);
  field.addEventListener("change", save);
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault();
    if (event.key === "Escape") field.value = read();
    save();
    leave();
  });
  return {
    show: (figure: HTMLElement) => {
      field.value = read();
      figure.append(field);
    },
    hide: () => field.remove(),
  };
}

function draw(figure: HTMLElement, { attrs }: Node) {
  const { src, alt, title, width, height } = attrs;
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
  if (title) image.title = String(title);
  if (Number(width) > 0) image.width = Number(width);
  if (Number(height) > 0) image.height = Number(height);
  figure.className = "image";
  redraw(figure, image);
}

/** Replaces all but the field, which may be in use. */
function redraw(figure: HTMLElement, ...shown: (HTMLElement | string)[]) {
  const field = figure.querySelector("input");
  for (const child of [...figure.childNodes]) if (child !== field) child.remove();
  figure.prepend(...shown);
}

function linkTo(src: unknown): HTMLElement | string {
  if (!isElsewhere(src)) return "";
  return Object.assign(document.createElement("a"), OUTWARD, { href: src, textContent: ` ${t.document.openImage}` });
}
