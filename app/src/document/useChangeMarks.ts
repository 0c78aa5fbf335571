import type { Editor } from "@tiptap/core";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { ChangeMarks } from "./change_marks";
import type { Mark } from "./marks";

/** Draws changes in the text of an editor, while there are any. `failed`: what draws them cannot be loaded. */
export function useChangeMarks(editor: Editor | null, marks: readonly Mark[], failed: () => void) {
  const onFailure = useRef(failed);
  useLayoutEffect(() => {
    onFailure.current = failed;
  });
  const [drawn, setDrawn] = useState<ChangeMarks | null>(null);
  const isOn = marks.length > 0;
  useEffect(() => {
    if (!isOn || !editor) return;
    let made: ChangeMarks | null = null;
    let isGone = false;
    import("./change_marks").then(
      ({ ChangeMarks }) => {
        if (isGone) return;
        made = new ChangeMarks(editor);
        setDrawn(made);
      },
      () => isGone || onFailure.current(),
    );
    return () => {
      isGone = true;
      made?.destroy();
      setDrawn(null);
    };
  }, [isOn, editor]);
  useEffect(() => drawn?.show(marks), [drawn, marks]);
}
