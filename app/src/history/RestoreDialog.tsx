import { useEffect, useState } from "react";
import { ask, change, failure } from "../graphql/ask";
import { DocumentChanges, type DocumentChangesData, RestoreVersion } from "../graphql/generated";
import { Buttons, Close, Dialog, Fault } from "../ui/Dialog";
import { sentence } from "../ui/states";
import { ChangeText } from "./ChangeList";
import style from "./history.module.css";
import { useUndoable } from "./UndoDialog";

type Props = { documentId: string; number: number; title: string; close: () => void };

/** Shows what was changed since a version, all of which its restoring takes back, before it is done. */
export function RestoreDialog({ documentId, number, title, close }: Props) {
  const [changed, setChanged] = useState<DocumentChangesData["documentChanges"]>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [isSent, setSent] = useState(false);
  const tellUndone = useUndoable(documentId, () => undefined);

  useEffect(() => {
    let isCurrent = true;
    ask(DocumentChanges, { id: documentId, version: number })
      .then(({ documentChanges }) => isCurrent && setChanged(documentChanges))
      .catch((thrown) => isCurrent && setFault(sentence(failure(thrown).message)));
    return () => {
      isCurrent = false;
    };
  }, [documentId, number]);

  async function restore() {
    setSent(true);
    try {
      const { restoreVersion } = await change(RestoreVersion, { documentId, number });
      const told = `The document is again what it was in ${title}. What it was before is a version, too.`;
      await tellUndone(told, restoreVersion.item.revision ?? 0);
      close();
    } catch (thrown) {
      setFault(sentence(failure(thrown).message));
      setSent(false);
    }
  }

  return (
    <Dialog title={`Restore ${title}?`} close={close} isWide>
      <p>
        {changed?.nodes.length === 0
          ? "Nothing was changed since then."
          : "What everybody changed since then is taken back. What the document is now is kept as a version, and this can be undone."}
      </p>
      <ol className={style.changes} aria-label="Taken back">
        {changed?.nodes.map((each) => (
          <li key={each.id}>
            <ChangeText change={each} isTakenBack />
          </li>
        ))}
        {changed?.pageInfo.hasNextPage && <li>and more</li>}
      </ol>
      {fault && <Fault>{fault}</Fault>}
      <Buttons>
        <Close>Cancel</Close>
        <button type="button" disabled={isSent || !changed} onClick={() => void restore()}>
          Restore
        </button>
      </Buttons>
    </Dialog>
  );
}
