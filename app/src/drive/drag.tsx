/** Items that are dragged onto a folder or a drive, and files that are dropped; menus and buttons do the same without a pointer. */

import { createContext, type DragEvent, type ReactNode, useContext, useState } from "react";
import type { Row } from "../graphql/generated";
import type { Target } from "./actions";

type Drag = { rows: Row[]; drop: (rows: Row[], target: Target) => void };

/** What is dragged now, from one part of the page to another. */
class DragState {
  private present: Drag | null = null;

  /** Return what makes an element begin to drag these items. */
  dragging(rows: Row[], drop: Drag["drop"]) {
    return {
      draggable: rows.length > 0,
      onDragStart: (event: DragEvent) => {
        this.present = { rows, drop };
        event.dataTransfer.effectAllowed = "move";
        event.dataTransfer.setData("text/plain", rows.map(({ name }) => name).join("\n"));
      },
      onDragEnd: () => {
        this.present = null;
      },
    };
  }

  /** Return what makes an element take items that are dropped on it. */
  dropping(target: Target) {
    return {
      onDragOver: (event: DragEvent<HTMLElement>) => {
        if (!this.present || this.present.rows.some(({ id }) => id === target.id)) return;
        event.preventDefault(); // it is taken
        event.dataTransfer.dropEffect = "move";
        event.currentTarget.dataset.over = "";
      },
      onDragLeave: leave,
      onDrop: (event: DragEvent<HTMLElement>) => {
        event.preventDefault();
        leave(event);
        this.present?.drop(this.present.rows, target);
      },
    };
  }
}

const Context = createContext<DragState | null>(null);

/** The part of the page in which items can be dragged. */
export function DragProvider({ children }: { children: ReactNode }) {
  const [state] = useState(() => new DragState());
  return <Context value={state}>{children}</Context>;
}

export function useDrag(): DragState {
  const state = useContext(Context);
  if (!state) throw new Error("nothing can be dragged here");
  return state;
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
