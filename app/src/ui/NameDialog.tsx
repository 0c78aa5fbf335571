import { Dialog } from "@base-ui/react/dialog";
import { type FormEvent, useId, useRef, useState } from "react";
import { failure } from "../graphql/ask";
import style from "./dialog.module.css";
import { sentence } from "./states";

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
      setFault("Give it a name.");
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
    <Dialog.Root open onOpenChange={(isOpen) => isOpen || close()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={style.backdrop} />
        <Dialog.Popup className={style.popup} initialFocus={field} finalFocus={listed}>
          <form onSubmit={submit}>
            <Dialog.Title className={style.title}>{naming.title}</Dialog.Title>
            <label htmlFor={id}>Name</label>
            <input
              ref={field}
              id={id}
              type="text"
              defaultValue={naming.name}
              onFocus={(event) => event.target.select()}
              autoComplete="off"
              maxLength={255}
              aria-invalid={fault ? true : undefined}
              aria-describedby={fault ? `${id}-fault` : undefined}
            />
            {fault && (
              <p id={`${id}-fault`} className={style.fault} role="alert">
                {fault}
              </p>
            )}
            <div className={style.buttons}>
              <Dialog.Close className="quiet">Cancel</Dialog.Close>
              <button type="submit" disabled={isSent}>
                {naming.verb}
              </button>
            </div>
          </form>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** The list gets the keyboard back, whatever opened the dialog. */
function listed(): HTMLElement | true {
  return document.querySelector<HTMLElement>("[role=grid]") ?? true;
}
