/** What stands at a selected image: its description, its caption and its width, which its edge is dragged for, too. */

import type { Node } from "@tiptap/pm/model";
import { t } from "../messages/messages";

type Attributes = { alt?: string | null; title?: string | null; width?: number | null; height?: null };

/** Pixels; the page is 720 wide. */
const WIDTHS = { imageSmall: 240, imageMedium: 480, imageLarge: 720, imageOriginal: null } as const;
const LEAST = 48;
const LONGEST = 500; // letters of a description or a caption

/** The words of each field. */
const FIELDS = {
  imageDescription: { short: "imageDescriptionShort", hint: "describeImage" },
  imageCaption: { short: "imageCaptionShort", hint: "captionImage" },
} as const;

/** Enter and Escape lead back to the text, which `leave` gives the keyboard. */
export function imageTools(write: (attributes: Attributes) => void, leave: () => void) {
  const bar = document.createElement("div");
  const edge = document.createElement("div");
  let attributes: Node["attrs"] = {};
  const fields = [
    field(
      "imageDescription",
      () => attributes.alt,
      (alt) => write({ alt }),
      leave,
    ),
    field(
      "imageCaption",
      () => attributes.title,
      (title) => write({ title }),
      leave,
    ),
  ];
  const sizes = document.createElement("div");
  const buttons = Object.entries(WIDTHS).map(([name, width]) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "image-size";
    button.textContent = t.document[name as keyof typeof WIDTHS];
    button.addEventListener("mousedown", (event) => event.preventDefault());
    button.addEventListener("click", () => write({ width, height: null }));
    return { button, width };
  });
  bar.className = "image-tools";
  bar.dataset.tool = "";
  sizes.className = "image-sizes";
  sizes.role = "group";
  sizes.ariaLabel = t.document.imageWidth;
  sizes.append(...buttons.map(({ button }) => button));
  bar.append(...fields.map(({ row }) => row), sizes);
  edge.className = "image-edge";
  edge.dataset.tool = "";
  edge.addEventListener("pointerdown", (event) => drag(event, edge, (width) => write({ width, height: null })));
  edge.addEventListener("mousedown", (event) => event.preventDefault());

  /** Shows what the image is now, which may be drawn anew. */
  function follow(figure: HTMLElement, { attrs }: Node) {
    attributes = attrs;
    if (bar.parentElement === figure) figure.querySelector(".image-frame")?.append(edge);
    for (const { button, width } of buttons)
      button.setAttribute("aria-pressed", String(width === (Number(attrs.width) > 0 ? Number(attrs.width) : null)));
  }

  return {
    follow,
    show(figure: HTMLElement, node: Node) {
      figure.append(figure.querySelector("img") ? bar : (fields[0]?.row ?? ""));
      follow(figure, node);
      for (const each of fields) each.read();
    },
    hide() {
      bar.remove();
      edge.remove();
      bar.prepend(...fields.map(({ row }) => row));
    },
    /** Whether what happens there is for the tools alone. */
    hold: (target: EventTarget | null) =>
      target instanceof globalThis.Node &&
      [bar, edge, ...fields.map(({ row }) => row)].some((each) => each.contains(target)),
  };
}

function field(
  name: keyof typeof FIELDS,
  read: () => unknown,
  write: (words: string | null) => void,
  leave: () => void,
) {
  const row = document.createElement("div");
  const label = document.createElement("span");
  const input = document.createElement("input");
  const { short, hint } = FIELDS[name];
  row.className = "image-field";
  row.dataset.tool = "";
  label.textContent = t.document[short];
  label.className = "image-label";
  label.ariaHidden = "true";
  row.append(label, input);
  input.type = "text";
  input.maxLength = LONGEST;
  input.placeholder = t.document[hint];
  input.ariaLabel = t.document[name];
  const present = () => String(read() ?? "");
  const save = () => input.value !== present() && write(input.value || null);
  input.addEventListener("change", save);
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault();
    if (event.key === "Escape") input.value = present();
    save();
    leave();
  });
  return {
    row,
    read: () => {
      input.value = present();
    },
  };
}

/** Follows the pointer with the width of the image, and writes it where the pointer is let go. */
function drag(start: PointerEvent, edge: HTMLElement, write: (width: number) => void) {
  const image = edge.parentElement?.querySelector("img");
  if (!image) return;
  start.preventDefault();
  edge.setPointerCapture(start.pointerId);
  const before = image.getBoundingClientRect().width;
  const widthAt = ({ clientX }: PointerEvent) => Math.max(LEAST, Math.round(before + clientX - start.clientX));
  const moved = (event: PointerEvent) => {
    image.width = widthAt(event);
    image.removeAttribute("height");
  };
  const ended = (event: PointerEvent) => {
    edge.removeEventListener("pointermove", moved);
    edge.removeEventListener("pointerup", ended);
    edge.removeEventListener("pointercancel", ended);
    if (event.type === "pointerup") write(widthAt(event));
  };
  edge.addEventListener("pointermove", moved);
  edge.addEventListener("pointerup", ended);
  edge.addEventListener("pointercancel", ended);
}
