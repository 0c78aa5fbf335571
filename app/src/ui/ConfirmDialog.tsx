import { useState } from "react";
import { failure } from "../graphql/ask";
import { t } from "../messages/messages";
import { Buttons, Close, Dialog, Fault } from "./Dialog";
import style from "./dialog.module.css";
import { sentence } from "./states";

export type Question = {
  title: string;
  warning: string;
  /** What the act is about. */
  names?: string[];
  verb: string;
  /** Does it; what it throws is shown in the dialog. */
  run: () => Promise<void>;
};

const NAMED = 10; // of what the act is about; others are counted

/** Asks before something is done that cannot be taken back; Cancel has the keyboard at first. */
export function ConfirmDialog({ question, close }: { question: Question; close: () => void }) {
  const { title, warning, names = [], verb, run } = question;
  const [fault, setFault] = useState<string | null>(null);
  const [isSent, setSent] = useState(false);
  const others = names.length - NAMED;

  async function confirm() {
    if (isSent) return;
    setSent(true);
    try {
      await run();
      close();
    } catch (thrown) {
      setFault(sentence(failure(thrown).message));
      setSent(false);
    }
  }

  return (
    <Dialog title={title} close={close}>
      <p className={style.warning}>{warning}</p>
      {names.length > 0 && (
        <ul className={style.names}>
          {names.slice(0, NAMED).map((name, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the names never change, and may be the same
            <li key={index}>{name}</li>
          ))}
          {others > 0 && <li>{t.ui.andMore(others)}</li>}
        </ul>
      )}
      {fault && <Fault>{fault}</Fault>}
      <Buttons>
        <Close>{t.ui.cancel}</Close>
        <button type="button" aria-disabled={isSent} onClick={() => void confirm()}>
          {verb}
        </button>
      </Buttons>
    </Dialog>
  );
}
