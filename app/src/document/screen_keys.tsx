/** The keys of a document's screen, and what they show. */

import { useNavigate } from "@tanstack/react-router";
import type { Editor } from "@tiptap/core";
import { useCallback, useMemo, useRef, useState } from "react";
import { useKeydown } from "../ui/keys";
import { FindBar, isFindKey, isReplaceKey } from "./find/FindBar";
import type { PanelName } from "./panels";

/** Returns what shows another panel, or none; Ctrl+Alt+B shows the authors, and hides them. */
export function usePanel(documentId: string, panel: PanelName | undefined) {
  const navigate = useNavigate();
  const open = useCallback(
    (name: PanelName | undefined) =>
      void navigate({ to: "/doc/$documentId", params: { documentId }, search: name ? { panel: name } : {} }),
    [documentId, navigate],
  );
  useKeydown((event) => {
    if (event.code !== "KeyB" || !event.altKey || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
    event.preventDefault();
    open(panel === "authors" ? undefined : "authors");
  });
  return open;
}

/** Calls where somebody presses Ctrl+S or ⌘S, at which the browser would save the page. */
export function useSaveKey(told: () => void) {
  useKeydown((event) => {
    if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    if (!event.repeat) told();
  });
}

/** Returns what begins to find in the text, and the bar that does, while it is open; Ctrl+F opens it, and Ctrl+H to replace. */
export function useFinding(editor: Editor | null, notify: (words: string) => void) {
  const [open, setOpen] = useState<"find" | "replace" | null>(null);
  const [times, setTimes] = useState(0); // that the text was left to find something
  const field = useRef<HTMLInputElement>(null);
  useKeydown((event) => {
    if (!editor || event.defaultPrevented) return; // on a Mac, Ctrl+H deletes a letter
    const { dom } = editor.view;
    const replaces = isReplaceKey(event);
    const { target } = event;
    if (!(replaces ? editor.isEditable : isFindKey(event)) || !(target instanceof Node)) return;
    // what holds the text has the keyboard where nobody may write
    if (!dom.contains(target) && !target.contains(dom)) return;
    event.preventDefault();
    setOpen(replaces ? "replace" : "find");
    setTimes((before) => before + 1);
  });
  const finding = useMemo(() => editor && { open: () => setOpen("find"), field }, [editor]);
  const bar = editor && open && (
    <FindBar
      editor={editor}
      times={times}
      replaces={open === "replace"}
      setReplaces={(replaces) => setOpen(replaces ? "replace" : "find")}
      field={field}
      close={() => setOpen(null)}
      notify={notify}
    />
  );
  return { finding, bar };
}
