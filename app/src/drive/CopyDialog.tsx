import { type FormEvent, useId, useRef, useState } from "react";
import { ask, failure } from "../graphql/ask";
import { DuplicateItem, type Row } from "../graphql/generated";
import { t } from "../messages/messages";
import { Buttons, Close, Dialog, Fault } from "../ui/Dialog";
import { MAX_NAME } from "../ui/NameDialog";
import { sentence } from "../ui/states";
import { useToast } from "../ui/toasts";
import { create, placeOf, type Target, useOpen } from "./actions";
import style from "./CopyDialog.module.css";
import { FolderTree } from "./FolderTree";

type Original = Pick<Row, "id" | "name" | "driveItemType" | "driveId" | "parentId">;

/** Asks for the name and the place of a copy, and of a folder whether what lies in it is copied, too; then opens the copy. */
export function CopyDialog({ original, close }: { original: Original; close: () => void }) {
  const [target, setTarget] = useState<Target | null>(null);
  const [isWhole, setWhole] = useState(true);
  const [fault, setFault] = useState<string | null>(null);
  const [isSent, setSent] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const { notify } = useToast();
  const open = useOpen();
  const id = useId();

  async function submit(event: FormEvent) {
    event.preventDefault();
    const name = field.current?.value.trim() ?? "";
    if (!name) return refuse(t.ui.nameMissing);
    setSent(true);
    setFault(null);
    try {
      const made = isWhole ? await duplicate(original, target, name) : await emptyFolder(original, target, name);
      close();
      open(made);
      notify(t.copy.made(made.name));
    } catch (thrown) {
      const { code, message } = failure(thrown);
      const isBeside = target === null && (code === "FORBIDDEN" || (code === "NOT_FOUND" && !isWhole));
      refuse(isBeside ? t.copy.notBeside : sentence(message));
      setSent(false);
    }
  }

  function refuse(why: string) {
    setFault(why);
    field.current?.focus();
  }

  return (
    <Dialog title={t.copy.title(original.name)} close={close} initialFocus={field} isWide>
      <form onSubmit={(event) => void submit(event)}>
        <label htmlFor={id}>{t.ui.name}</label>
        <input
          ref={field}
          id={id}
          type="text"
          defaultValue={[...t.copy.name(original.name)].slice(0, MAX_NAME).join("")}
          onFocus={(event) => event.target.select()}
          autoComplete="off"
          maxLength={MAX_NAME}
          aria-invalid={fault ? true : undefined}
          aria-describedby={fault ? `${id}-fault` : undefined}
        />
        {original.driveItemType === "folder" && (
          <label className={style.choice}>
            <input type="checkbox" checked={isWhole} onChange={({ target }) => setWhole(target.checked)} />
            {t.copy.contents}
          </label>
        )}
        <p className={style.place}>{target ? t.copy.into(target.name) : t.copy.beside}</p>
        <FolderTree label={t.copy.to} hasShared driveId={original.driveId} choose={setTarget} />
        {fault && <Fault id={`${id}-fault`}>{fault}</Fault>}
        <Buttons>
          <Close>{t.ui.cancel}</Close>
          <button type="submit" disabled={isSent}>
            {isSent ? t.copy.making : t.copy.verb}
          </button>
        </Buttons>
      </form>
    </Dialog>
  );
}

async function duplicate({ id }: Original, target: Target | null, name: string): Promise<Row> {
  return (await ask(DuplicateItem, { itemId: id, name, ...(target && placeOf(target)) })).duplicateItem;
}

function emptyFolder({ driveId, parentId }: Original, target: Target | null, name: string): Promise<Row> {
  return create(
    "folder",
    name,
    target ?? (parentId ? { kind: "folder", id: parentId } : { kind: "drive", id: driveId }),
  );
}
