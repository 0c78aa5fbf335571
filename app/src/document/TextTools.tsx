import type { Editor } from "@tiptap/core";
import { useEffect, useState } from "react";
import type { Beside } from "./beside";
import { loadLinkify } from "./linkify";

/** What is heard before somebody needs the tools beside the text: those of a selection, and those of a block. */
const USES = ["pointermove", "pointerdown", "pointerup", "keydown", "selectionchange"] as const;

type Loaded = { Beside: typeof Beside; pointer: PointerEvent | null };

/** The tools beside the text and what finds addresses in it, loaded when somebody first uses it; they begin with where the pointer is. */
export function TextTools({ editor }: { editor: Editor }) {
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  useEffect(() => {
    if (loaded) return;
    let pointer: PointerEvent | null = null;
    let isAsked = false;
    let isGone = false;
    const used = (event: Event) => {
      if (event instanceof PointerEvent) pointer = event;
      if (isAsked) return;
      isAsked = true;
      // without them the tools above the text are there, and Ctrl+K makes links
      loadLinkify().catch(() => undefined);
      import("./beside").then(
        ({ Beside }) => !isGone && setLoaded({ Beside, pointer }),
        () => undefined,
      );
    };
    for (const name of USES) document.addEventListener(name, used);
    return () => {
      isGone = true;
      for (const name of USES) document.removeEventListener(name, used);
    };
  }, [loaded]);
  return loaded && <loaded.Beside editor={editor} pointer={loaded.pointer} />;
}
