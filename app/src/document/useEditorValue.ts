import type { Editor } from "@tiptap/core";
import { useCallback, useSyncExternalStore } from "react";

/** Returns what `read` finds in an editor, a value of JSON; React draws nothing while transactions leave it the same. */
export function useEditorValue<Value>(editor: Editor, read: (editor: Editor) => Value): Value {
  const subscribe = useCallback(
    (changed: () => void) => {
      editor.on("transaction", changed);
      return () => void editor.off("transaction", changed);
    },
    [editor],
  );
  return JSON.parse(useSyncExternalStore(subscribe, () => JSON.stringify(read(editor))));
}
