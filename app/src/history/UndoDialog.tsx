import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ask, failure } from "../graphql/ask";
import { DocumentTree, UndoChanges, type UndoChangesData } from "../graphql/generated";
import { t } from "../messages/messages";
import { Buttons, Close, Dialog, Fault } from "../ui/Dialog";
import { sentence } from "../ui/states";
import { ChangeText } from "./ChangeText";
import style from "./history.module.css";
import { type TreeNode, textAt } from "./tree";
import { useUndoable } from "./undo";

type Undone = UndoChangesData["undoChanges"];

/** What is taken back: some changes, or all of one author since a revision or a moment. */
export type Chosen =
  | { ids: string[] }
  | { userId: string; agent: string; revision: number }
  | { userId: string; agent: string; time: string };

type Props = { documentId: string; chosen: Chosen; close: () => void; done: () => void };

/** Shows what an undo would take back, and what of it stays, before it is done. */
export function UndoDialog({ documentId, chosen, close, done }: Props) {
  const { data: preview, error } = useQuery({
    queryKey: ["undo preview", documentId, chosen],
    queryFn: async ({ signal }) => {
      const { undoChanges } = await ask(UndoChanges, { documentId, ...chosen, dryRun: true }, signal);
      return { ...undoChanges, passages: await passagesOf(documentId, undoChanges.skipped) };
    },
    gcTime: 0, // others write meanwhile
  });
  const [refusal, setRefusal] = useState<string | null>(null);
  const fault = refusal ?? (error && sentence(error.failure.message));
  const [isSent, setSent] = useState(false);
  const notifyUndoable = useUndoable(documentId, done);

  async function undo() {
    setSent(true);
    try {
      const { undoChanges } = await ask(UndoChanges, { documentId, ...chosen, dryRun: false });
      await notifyUndoable(t.history.undoDone(undoChanges.changesTotal), undoChanges.revision);
      done();
      close();
    } catch (thrown) {
      setRefusal(sentence(failure(thrown).message));
      setSent(false);
    }
  }

  return (
    <Dialog title={preview ? t.history.undoCounted(preview.changesTotal) : t.history.undoTitle} close={close} isWide>
      <p>{t.history.undoNote}</p>
      {preview && preview.passages.length > 0 && (
        <ul className={style.kept} aria-label={t.history.notUndone}>
          {preview.passages.map((passage) => (
            <li key={passage}>{passage}</li>
          ))}
        </ul>
      )}
      <ol className={style.changes} aria-label={t.history.undone}>
        {preview?.changes.map((each) => (
          <li key={each.id}>
            <ChangeText change={each} isTakenBack />
          </li>
        ))}
      </ol>
      {fault && <Fault>{fault}</Fault>}
      <Buttons>
        <Close>{t.ui.cancel}</Close>
        <button type="button" disabled={isSent || !preview?.changes.length} onClick={() => void undo()}>
          {t.ui.undo}
        </button>
      </Buttons>
    </Dialog>
  );
}

/** Say of each passage that is not undone which it is, and why. */
async function passagesOf(documentId: string, skipped: Undone["skipped"]): Promise<string[]> {
  if (!skipped.length) return [];
  const { document } = await ask(DocumentTree, { id: documentId });
  const passages = skipped.map(({ path, reason }) => {
    const words = path && document ? textAt(document.prosemirrorDoc as TreeNode, path).trim() : "";
    return t.history.skipped[reason](words ? t.items.named(words) : t.history.aBlock);
  });
  return [...new Set(passages)];
}
