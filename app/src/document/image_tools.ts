/** What stands at a selected image: its description, its caption, its place and its width, which its edge is dragged for, too. */

import type { Node } from "@tiptap/pm/model";
import { t } from "../messages/messages";

type Attributes = {
  alt?: string | null;
  title?: string | null;
  width?: number | null;
  height?: null;
  align?: string | null;
};

/** Pixels; the page is 720 wide. */
const WIDTHS = { imageSmall: 240, imageMedium: 480, imageLarge: 720, imageOriginal: null } as const;
const ALIGNMENTS = { left: null, centre: "center", right: "right" } as const;
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
  const choices = [
    choice(
      t.document.imageWidth,
      Object.entries(WIDTHS).map(([name, width]) => ({
        label: t.document[name as keyof typeof WIDTHS],
        isOn: () => width === (Number(attributes.width) > 0 ? Number(attributes.width) : null),
        choose: () => write({ width, height: null }),
      })),
    ),
    choice(
      t.document.imageAlignment,
      Object.entries(ALIGNMENTS).map(([name, align]) => ({
        label: t.tools[name as keyof typeof ALIGNMENTS],
        isOn: () => align === (attributes.align ?? null),
        choose: () => write({ align }),
      })),
    ),
  ];
  bar.className = "image-tools";
  bar.dataset.tool = "";
  bar.append(...fields.map(({ row }) => row), ...choices.map(({ group }) => group));
  edge.className = "image-edge";
  edge.dataset.tool = "";
  edge.addEventListener("pointerdown", (event) => drag(event, edge, (width) => write({ width, height: null })));
  edge.addEventListener("mousedown", (event) => event.preventDefault());

  /** Shows what the image is now, which may be drawn anew. */
  function follow(figure: HTMLElement, { attrs }: Node) {
    attributes = attrs;
    if (bar.parentElement === figure) figure.querySelector(".image-frame")?.append(edge);
    for (const each of choices) each.read();
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

type Choice = { label: string; isOn: () => boolean; choose: () => void };

function choice(label: string, choices: readonly Choice[]) {
  const group = document.createElement("div");
  const buttons = choices.map(({ label, choose }) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "image-choice";
    button.textContent = label;
    button.addEventListener("mousedown", (event) => event.preventDefault());
    button.addEventListener("click", choose);
    return button;
  });
  group.className = "image-choices";
  group.role = "group";
  group.ariaLabel = label;
  group.append(...buttons);
  return {
    group,
    read: () => {
      for (const [index, each] of choices.entries()) buttons[index]?.setAttribute("aria-pressed", String(each.isOn()));
    },
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
