/** Bars of the text: each one stop of the Tab key, arrows within, Alt+F10 from the text and on to the next, Escape back to it. */

import type { Editor } from "@tiptap/core";
import { type KeyboardEvent, type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from "react";
import { useKeydown } from "../ui/keys";

type Props = {
  editor: Editor;
  label: string;
  className: string | undefined;
  /** Gets the element of the bar. */
  element?: RefObject<HTMLDivElement | null>;
  children: ReactNode;
};

export function Bar({ editor, label, className, element, children }: Props) {
  const own = useRef<HTMLDivElement>(null);
  const bar = element ?? own;
  const [current, setCurrent] = useState(0);
  useLayoutEffect(() => {
    const places = stops(bar.current);
    const at = Math.min(current, places.length - 1); // what was gone to may have been of a table
    for (const [index, each] of places.entries()) each.tabIndex = index === at ? 0 : -1;
  });

  function move(event: KeyboardEvent) {
    if (event.key === "Escape") return void editor.commands.focus();
    const places = stops(bar.current);
    const at = places.indexOf(event.target as HTMLElement);
    const steps: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 };
    const step = steps[event.key];
    if (step === undefined || (event.target instanceof HTMLSelectElement && !event.key.startsWith("Arrow"))) return;
    event.preventDefault();
    const next = (step + places.length) % places.length;
    setCurrent(next);
    places[next]?.focus();
  }

  return (
    <div ref={bar} role="toolbar" aria-label={label} className={className} data-bar="" onKeyDown={move} tabIndex={-1}>
      {children}
    </div>
  );
}

/** Whether something lies in a bar of the text. */
export function isInBar(target: unknown): boolean {
  return target instanceof Element && target.closest("[data-bar]") !== null;
}

/** Has Alt+F10 go from the text to a bar: to what stands at the selection, or to what stands above the text. */
export function useBarKey({ view }: Editor) {
  useKeydown((event) => {
    const { target } = event;
    if (!event.altKey || event.key !== "F10" || !(target instanceof Element)) return;
    if (!view.dom.contains(target) && !isInBar(target)) return;
    event.preventDefault();
    const bars = [...document.querySelectorAll("[data-bar]")].reverse();
    const next = (bars.findIndex((each) => each.contains(target)) + 1) % bars.length;
    bars[next]?.querySelector<HTMLElement>("[tabindex='0']")?.focus();
  });
}

function stops(bar: HTMLElement | null): HTMLElement[] {
  return [...(bar?.querySelectorAll<HTMLElement>("select, button, a[href]") ?? [])];
}
