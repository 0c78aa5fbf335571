/** The edge of the sidebar, which is dragged, or moved by arrows, to make it wider or narrower. */

import type { KeyboardEvent, PointerEvent } from "react";
import { t } from "../messages/messages";
import style from "./Shell.module.css";
import { LEAST_WIDTH, mostWidth } from "./useSidebar";

const STEP = 16; // pixels by which a key moves it

type Props = {
  /** Pixels of the sidebar. */
  width: number;
  /** Shows the sidebar with another width, which is kept where it `isDone`. */
  widen: (width: number, isDone: boolean) => void;
};

export function SidebarEdge({ width, widen }: Props) {
  function key(event: KeyboardEvent) {
    const widths: Record<string, number> = {
      ArrowLeft: width - STEP,
      ArrowRight: width + STEP,
      Home: LEAST_WIDTH,
      End: mostWidth(),
    };
    const next = widths[event.key];
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    widen(next, true);
  }

  function grab(event: PointerEvent) {
    if (event.button !== 0) return;
    event.preventDefault(); // else the text beside it is selected
    event.currentTarget.setPointerCapture(event.pointerId);
  }

  function drag({ currentTarget, pointerId, clientX, type }: PointerEvent) {
    if (currentTarget.hasPointerCapture(pointerId)) widen(clientX, type === "pointerup");
  }

  return (
    <div
      role="separator"
      tabIndex={0}
      className={style.edge}
      aria-label={t.shell.sidebarWidth}
      aria-controls="sidebar"
      aria-orientation="vertical"
      aria-valuemin={LEAST_WIDTH}
      aria-valuemax={mostWidth()}
      aria-valuenow={width}
      onKeyDown={key}
      onPointerDown={grab}
      onPointerMove={drag}
      onPointerUp={drag}
    />
  );
}
