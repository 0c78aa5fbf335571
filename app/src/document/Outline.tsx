/** The headings of a document, which lead to where they stand. */

import type { Editor } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { useCallback, useMemo, useSyncExternalStore } from "react";
import { t } from "../messages/messages";
import style from "./Panel.module.css";

type Heading = { level: number; text: string };

/** `show` is called when a heading is gone to. */
export function Outline({ editor, show }: { editor: Editor; show: () => void }) {
  const headings = useHeadings(editor);

  function goTo(index: number) {
    const place = placesOf(editor.state.doc)[index];
    if (place === undefined) return;
    show();
    if (editor.isEditable)
      editor
        .chain()
        .setTextSelection(place.at + 1)
        .focus(null, { scrollIntoView: false })
        .run();
    const element = editor.view.nodeDOM(place.at);
    if (element instanceof HTMLElement) element.scrollIntoView({ block: "start" });
  }

  if (!headings.length) return <p className={style.note}>{t.document.noHeadings}</p>;
  const first = Math.min(...headings.map(({ level }) => level));
  return (
    <ul className={style.outline}>
      {headings.map(({ level, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: headings have no identity but their order
        <li key={index} data-level={Math.min(level - first, 3)}>
          <button type="button" onClick={() => goTo(index)}>
            {text || t.document.untitledHeading}
          </button>
        </li>
      ))}
    </ul>
  );
}

function placesOf(doc: Node): (Heading & { at: number })[] {
  const found: (Heading & { at: number })[] = [];
  doc.descendants((node, at) => {
    if (node.type.name === "heading")
      found.push({ at, level: Number(node.attrs.level), text: node.textContent.trim() });
    return !node.isTextblock;
  });
  return found;
}

/** Returns the headings; React draws nothing while they stay the same. */
function useHeadings(editor: Editor): Heading[] {
  const subscribe = useCallback(
    (changed: () => void) => {
      editor.on("update", changed);
      return () => editor.off("update", changed);
    },
    [editor],
  );
  const read = () => JSON.stringify(placesOf(editor.state.doc).map(({ level, text }) => ({ level, text })));
  const headings = useSyncExternalStore(subscribe, read);
  return useMemo(() => JSON.parse(headings), [headings]);
}
