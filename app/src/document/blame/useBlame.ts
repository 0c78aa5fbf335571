import type { Editor } from "@tiptap/core";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useSession } from "../../graphql/session";
import type { DocumentSession } from "../document_session";
import type { Blame } from "./blame";

/** Returns the blame of what the editor shows, as soon as it is loaded; null while it is off. `failed`: it cannot be loaded. */
export function useBlame(
  isOn: boolean,
  editor: Editor | null,
  document: DocumentSession,
  documentId: string,
  failed: () => void,
) {
  const onFailure = useRef(failed);
  useLayoutEffect(() => {
    onFailure.current = failed;
  });
  const session = useSession();
  const [blame, setBlame] = useState<Blame | null>(null);
  useEffect(() => {
    if (!isOn || !editor) return;
    let made: Blame | null = null;
    let isGone = false;
    import("./index").then(
      ({ Blame }) => {
        if (isGone) return;
        made = new Blame(editor, document, documentId, session);
        setBlame(made);
      },
      () => isGone || onFailure.current(),
    );
    return () => {
      isGone = true;
      made?.destroy();
      setBlame(null);
    };
  }, [isOn, editor, document, documentId, session]);
  return blame;
}
