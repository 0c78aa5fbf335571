import type { Editor } from "@tiptap/core";
import { useEffect, useState } from "react";
import { t } from "../messages/messages";
import { type Counts, keepCounted } from "./counting";
import style from "./Panel.module.css";

/** How many words and letters the text has, and what is selected of it. */
export function WordCount({ editor }: { editor: Editor }) {
  const counts = useCounts(editor);
  if (!counts) return null;
  const { all, selected } = counts;
  return (
    <section className={style.count} aria-label={t.document.wordCount}>
      <p>{t.document.counted(all.words, all.characters)}</p>
      {selected && <p>{t.document.countedSelected(selected.words, selected.characters)}</p>}
    </section>
  );
}

/** Returns null until the text is counted. */
export function useCounts(editor: Editor): Counts | null {
  const [counts, setCounts] = useState<Counts | null>(null);
  useEffect(() => keepCounted(editor, setCounts), [editor]);
  return counts;
}
