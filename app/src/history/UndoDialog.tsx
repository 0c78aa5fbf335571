import { useEffect, useState } from "react";
import { boot } from "../boot";
import { ask, change, failure } from "../graphql/ask";
import { ChangesSince, type SkipReason, UndoChanges, type UndoChangesData } from "../graphql/generated";
import { Buttons, Close, Dialog, Fault } from "../ui/Dialog";
import { sentence } from "../ui/states";
import { useToast } from "../ui/toasts";
import { ChangeText } from "./ChangeList";
import style from "./history.module.css";

type Undone = UndoChangesData["undoChanges"];

const REASONS: Readonly<Record<SkipReason, string>> = {
  others_inside: "a block stays, since others wrote in it",
  content_gone: "some text is no longer stored",
  place_gone: "some text was in a block that somebody deleted",
  formatting: "some formatting was changed too often",
};

type Props = { documentId: string; ids: string[]; close: () => void; done: () => void };

/** Shows what an undo would take back, and what of it stays, before it is done. */
export function UndoDialog({ documentId, ids, close, done }: Props) {
  const [preview, setPreview] = useState<Undone | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [isSent, setSent] = useState(false);
  const { tell, warn } = useToast();

  useEffect(() => {
    let isCurrent = true;
    change(UndoChanges, { documentId, ids, dryRun: true })
      .then(({ undoChanges }) => isCurrent && setPreview(undoChanges))
      .catch((thrown) => isCurrent && setFault(sentence(failure(thrown).message)));
    return () => {
      isCurrent = false;
    };
  }, [documentId, ids]);

  async function undo() {
    setSent(true);
    try {
      const { undoChanges } = await change(UndoChanges, { documentId, ids, dryRun: false });
      const own = await changesMade(documentId, undoChanges.revision);
      tell(`${counted(undoChanges.changesTotal)} undone.`, async () => {
        try {
          await change(UndoChanges, { documentId, ids: own, dryRun: false });
          tell("The undo is taken back.");
        } catch (thrown) {
          warn(sentence(failure(thrown).message));
        }
        done();
      });
      done();
      close();
    } catch (thrown) {
      setFault(sentence(failure(thrown).message));
      setSent(false);
    }
  }

  const reasons = [...new Set(preview?.skipped.map(({ reason }) => reason))];
  return (
    <Dialog title={preview ? `Undo ${counted(preview.changesTotal)}?` : "Undo"} close={close} isWide>
      <p>What others wrote stays. This is an edit of yours, which can be undone, too.</p>
      {reasons.length > 0 && <p>Not everything is undone: {reasons.map((reason) => REASONS[reason]).join("; ")}.</p>}
      <ol className={style.changes}>
        {preview?.changes.map((each) => (
          <li key={each.id}>
            <ChangeText change={each} />
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

/** Return the ids of the changes that the reader's edit of a revision made. */
async function changesMade(documentId: string, revision: number): Promise<string[]> {
  const { documentChanges } = await ask(ChangesSince, {
    id: documentId,
    revision: revision - 1,
    userId: boot.viewer.id,
  });
  return documentChanges?.nodes.map(({ id }) => id) ?? [];
}

function counted(number: number): string {
  return number === 1 ? "1 change" : `${number} changes`;
}
