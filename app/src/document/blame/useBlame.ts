/** Turns the blame of a document on and off: by the keys Ctrl+Alt+B, or a button. */

import type { Editor } from "@tiptap/core";
import { useEffect, useRef, useState } from "react";
import type { OpenDocument } from "../open_document.ts";
import type { Blame } from "./blame.ts";

/** Returns whether blame is on, and what turns it on or off. */
export function useToggle(): [boolean, () => void] {
  const [isOn, setOn] = useState(false);
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.code !== "KeyB" || !event.altKey || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
      event.preventDefault();
      setOn((before) => !before);
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
  return [isOn, () => setOn((before) => !before)];
}

/** Returns the blame of what the editor shows, as soon as it is loaded; null while it is off. `failed`: it cannot be loaded. */
export function useBlame(
  isOn: boolean,
  editor: Editor | null,
  document: OpenDocument,
  documentId: string,
  failed: () => void,
) {
  const tell = useRef(failed);
  tell.current = failed;
  const [blame, setBlame] = useState<Blame | null>(null);
  useEffect(() => {
    if (!isOn || !editor) return;
    let made: Blame | null = null;
    let isGone = false;
    import("./index.ts").then(
      ({ Blame }) => {
        if (isGone) return;
        made = new Blame(editor, document.awareness, documentId);
        setBlame(made);
      },
      () => isGone || tell.current(),
    );
    return () => {
      isGone = true;
      made?.destroy();
      setBlame(null);
    };
  }, [isOn, editor, document, documentId]);
  return blame;
}
