import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ask, failure } from "../graphql/ask";
import { DocumentChanges, RestoreVersion } from "../graphql/generated";
import { t } from "../messages/messages";
import { Buttons, Close, Dialog, Fault } from "../ui/Dialog";
import { sentence } from "../ui/states";
import { ChangeText } from "./ChangeText";
import style from "./history.module.css";
import { useUndoable } from "./undo";

type Props = { documentId: string; number: number; title: string; close: () => void };

/** Shows what was changed since a version, all of which its restoring takes back, before it is done. */
export function RestoreDialog({ documentId, number, title, close }: Props) {
  const { data: changed, error } = useQuery({
    queryKey: ["restore preview", documentId, number],
    queryFn: async ({ signal }) =>
      (await ask(DocumentChanges, { id: documentId, version: number }, signal)).documentChanges,
    gcTime: 0, // others write meanwhile
  });
  const [refusal, setRefusal] = useState<string | null>(null);
  const fault = refusal ?? (error && sentence(error.failure.message));
  const [isSent, setSent] = useState(false);
  const notifyUndoable = useUndoable(documentId, () => undefined);

  async function restore() {
    setSent(true);
    try {
      const { restoreVersion } = await ask(RestoreVersion, { documentId, number });
      const message = t.history.restored(title);
      await notifyUndoable(message, restoreVersion.item.revision ?? 0);
      close();
    } catch (thrown) {
      setRefusal(sentence(failure(thrown).message));
      setSent(false);
    }
  }

  return (
    <Dialog title={t.history.restoreTitle(title)} close={close} isWide>
      <p>{changed?.nodes.length === 0 ? t.history.nothingSince : t.history.restoreWarning}</p>
      <ol className={style.changes} aria-label={t.history.reverted}>
        {changed?.nodes.map((each) => (
          <li key={each.id}>
            <ChangeText change={each} isTakenBack />
          </li>
        ))}
        {changed?.pageInfo.hasNextPage && <li>{t.history.andMore}</li>}
      </ol>
      {fault && <Fault>{fault}</Fault>}
      <Buttons>
        <Close>{t.ui.cancel}</Close>
        <button type="button" disabled={isSent || !changed} onClick={() => void restore()}>
          {t.history.restore}
        </button>
      </Buttons>
    </Dialog>
  );
}
