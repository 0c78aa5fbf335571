/** Items that are dragged onto a folder or a drive, and files that are dropped; menus and buttons do the same without a pointer. */

import type { DragEvent } from "react";
import type { Row } from "../graphql/generated";
import type { Target } from "./acts";

type Drag = { rows: Row[]; drop: (rows: Row[], target: Target) => void };

let present: Drag | null = null;

/** Return what makes an element begin to drag these items. */
export function dragging(rows: Row[], drop: Drag["drop"]) {
  return {
    draggable: rows.length > 0,
    onDragStart(event: DragEvent) {
      present = { rows, drop };
      event.dataTransfer.effectAllowed = "move";
      event.dataTransfer.setData("text/plain", rows.map(({ name }) => name).join("\n"));
    },
    onDragEnd() {
      present = null;
    },
  };
}

/** Return what makes an element take items that are dropped on it. */
export function dropping(target: Target) {
  return {
    onDragOver(event: DragEvent<HTMLElement>) {
      if (!present || present.rows.some(({ id }) => id === target.id)) return;
      event.preventDefault(); // it is taken
      event.dataTransfer.dropEffect = "move";
      event.currentTarget.dataset.over = "";
    },
    onDragLeave: leave,
    onDrop(event: DragEvent<HTMLElement>) {
      event.preventDefault();
      leave(event);
      present?.drop(present.rows, target);
    },
  };
}

/** Return what makes an element take files of other programs that are dropped on it or on anything in it. */
export function takingFiles(take: (files: FileList) => void) {
  return {
    onDragOver(event: DragEvent<HTMLElement>) {
      if (!event.dataTransfer.types.includes("Files")) return;
      event.preventDefault(); // they are taken, and the browser does not open them instead of the page
      event.dataTransfer.dropEffect = "copy";
    },
    onDrop(event: DragEvent<HTMLElement>) {
      if (!event.dataTransfer.files.length) return;
      event.preventDefault();
      take(event.dataTransfer.files);
    },
  };
}

function leave({ currentTarget }: DragEvent<HTMLElement>) {
  delete currentTarget.dataset.over;
}
