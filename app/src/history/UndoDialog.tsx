import { useEffect, useState } from "react";
import { boot } from "../boot";
import { ask, change, failure } from "../graphql/ask";
import {
  ChangesOfRevision,
  type ChangesOfRevisionData,
  type ChangesOfRevisionVariables,
  DocumentTree,
  type SkipReason,
  UndoChanges,
  type UndoChangesData,
} from "../graphql/generated";
import { Buttons, Close, Dialog, Fault } from "../ui/Dialog";
import { sentence } from "../ui/states";
import { useToast } from "../ui/toasts";
import { ChangeText, MOST } from "./ChangeList";
import style from "./history.module.css";
import { type TreeNode, textAt } from "./tree";

type Undone = UndoChangesData["undoChanges"];

const REASONS: Readonly<Record<SkipReason, string>> = {
  others_inside: "stays, since others wrote in it",
  content_gone: "stays in part: some text is no longer stored",
  place_gone: "was deleted by somebody, with some of the text",
  formatting: "keeps some formatting, which was changed too often",
};

/** What is taken back: some changes, or all of one author since a revision or a moment. */
export type Chosen =
  | { ids: string[] }
  | { userId: string; agent: string; revision: number }
  | { userId: string; agent: string; time: string };

type Props = { documentId: string; chosen: Chosen; close: () => void; done: () => void };

/** Shows what an undo would take back, and what of it stays, before it is done. */
export function UndoDialog({ documentId, chosen, close, done }: Props) {
  const [preview, setPreview] = useState<(Undone & { passages: string[] }) | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [isSent, setSent] = useState(false);
  const tellUndone = useUndoable(documentId, done);

  useEffect(() => {
    let isCurrent = true;
    const load = async () => {
      const { undoChanges } = await change(UndoChanges, { documentId, ...chosen, dryRun: true });
      const passages = await passagesOf(documentId, undoChanges.skipped);
      if (isCurrent) setPreview({ ...undoChanges, passages });
    };
    load().catch((thrown) => isCurrent && setFault(sentence(failure(thrown).message)));
    return () => {
      isCurrent = false;
    };
  }, [documentId, chosen]);

  async function undo() {
    setSent(true);
    try {
      const { undoChanges } = await change(UndoChanges, { documentId, ...chosen, dryRun: false });
      await tellUndone(`${counted(undoChanges.changesTotal)} undone.`, undoChanges.revision);
      done();
      close();
    } catch (thrown) {
      setFault(sentence(failure(thrown).message));
      setSent(false);
    }
  }

  return (
    <Dialog title={preview ? `Undo ${counted(preview.changesTotal)}?` : "Undo"} close={close} isWide>
      <p>What others wrote stays. This is an edit of yours, which can be undone, too.</p>
      {preview && preview.passages.length > 0 && (
        <ul className={style.kept} aria-label="Not undone">
          {preview.passages.map((passage) => (
            <li key={passage}>{passage}</li>
          ))}
        </ul>
      )}
      <ol className={style.changes} aria-label="Undone">
        {preview?.changes.map((each) => (
          <li key={each.id}>
            <ChangeText change={each} isTakenBack />
          </li>
        ))}
      </ol>
      {fault && <Fault>{fault}</Fault>}
      <Buttons>
        <Close>Cancel</Close>
        <button type="button" disabled={isSent || !preview?.changes.length} onClick={() => void undo()}>
          Undo
        </button>
      </Buttons>
    </Dialog>
  );
}

/** Returns what tells of an edit of the reader's that made a revision, with Undo in the note. */
export function useUndoable(documentId: string, done: () => void) {
  const { tell, warn } = useToast();
  return async (told: string, revision: number) => {
    const ids = await changesMade(documentId, revision);
    tell(told, async () => {
      try {
        for (let at = 0; at < ids.length; at += MOST)
          await change(UndoChanges, { documentId, ids: ids.slice(at, at + MOST), dryRun: false });
        tell("The undo is taken back.");
      } catch (thrown) {
        warn(sentence(failure(thrown).message));
      }
      done();
    });
  };
}

/** Say of each passage that is not undone which it is, and why. */
async function passagesOf(documentId: string, skipped: Undone["skipped"]): Promise<string[]> {
  if (!skipped.length) return [];
  const { document } = await ask(DocumentTree, { id: documentId });
  const said = skipped.map(({ path, reason }) => {
    const words = path && document ? textAt(document.prosemirrorDoc as TreeNode, path).trim() : "";
    return `${words ? `“${words}”` : "A block"} ${REASONS[reason]}.`;
  });
  return [...new Set(said)];
}

/** Return the ids of the changes that the reader's edit of a revision made, and nothing that they wrote afterwards. */
async function changesMade(documentId: string, revision: number): Promise<string[]> {
  const ids: string[] = [];
  let after: string | null = null;
  do {
    const asked: ChangesOfRevisionVariables = {
      id: documentId,
      since: revision - 1,
      until: revision,
      userId: boot.viewer.id,
      after,
    };
    const { documentChanges }: ChangesOfRevisionData = await ask(ChangesOfRevision, asked);
    if (!documentChanges) break;
    ids.push(...documentChanges.nodes.map(({ id }) => id));
    after = documentChanges.pageInfo.hasNextPage ? documentChanges.pageInfo.endCursor : null;
  } while (after !== null);
  return ids;
}

function counted(number: number): string {
  return number === 1 ? "1 change" : `${number} changes`;
}
