import { type FormEvent, useId, useRef, useState } from "react";
import { failure } from "../graphql/ask";
import { t } from "../messages/messages";
import { Buttons, Close, Dialog, Fault } from "./Dialog";
import { sentence } from "./states";

export const MAX_NAME = 255; // characters

export type Naming = {
  title: string;
  verb: string;
  name: string;
  /** Does what the dialog is for; what it throws is shown beside the field. */
  give: (name: string) => Promise<void>;
};

/** Asks for one name; Escape leaves everything as it was. */
export function NameDialog({ naming, close }: { naming: Naming; close: () => void }) {
  const [fault, setFault] = useState<string | null>(null);
  const [isSent, setSent] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();

  async function submit(event: FormEvent) {
    event.preventDefault();
    const name = field.current?.value.trim() ?? "";
    if (!name) {
      setFault(t.ui.nameMissing);
      field.current?.focus();
      return;
    }
    setSent(true);
    try {
      await naming.give(name);
      close();
    } catch (thrown) {
      setFault(sentence(failure(thrown).message));
      setSent(false);
      field.current?.focus();
    }
  }

  return (
    <Dialog title={naming.title} close={close} initialFocus={field}>
      <form onSubmit={submit}>
        <label htmlFor={id}>{t.ui.name}</label>
        <input
          ref={field}
          id={id}
          type="text"
          defaultValue={naming.name}
          onFocus={(event) => event.target.select()}
          autoComplete="off"
          maxLength={MAX_NAME}
          aria-invalid={fault ? true : undefined}
          aria-describedby={fault ? `${id}-fault` : undefined}
        />
        {fault && <Fault id={`${id}-fault`}>{fault}</Fault>}
        <Buttons>
          <Close>{t.ui.cancel}</Close>
          <button type="submit" disabled={isSent}>
            {naming.verb}
          </button>
        </Buttons>
      </form>
    </Dialog>
  );
}
