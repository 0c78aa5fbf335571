import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useId, useLayoutEffect, useRef, useState } from "react";
import { ask, failure } from "../graphql/ask";
import { type Permission, type Preview, ShareItem, SharePreview } from "../graphql/generated";
import { useSession } from "../graphql/session";
import { formats, t } from "../messages/messages";
import { Fault } from "../ui/Dialog";
import { meant, PeopleField, type Somebody } from "../ui/PeopleField";
import { sentence } from "../ui/states";
import style from "./access.module.css";
import type { Actions } from "./actions";
import { PreviewLines } from "./PreviewLines";
import { shareSuggestions } from "./queries";

const AT = "add";
/** As the server limits it. */
const MAX_MESSAGE = 300;

type Asked = { people: readonly Somebody[]; permission: Permission; previews: Preview[] };

/** Shares an item with people, after it has shown what that changes. */
export function AddPerson({ itemId, actions }: { itemId: string; actions: Actions }) {
  const { mails } = useSession();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [chosen, setChosen] = useState<readonly Somebody[]>([]);
  const [text, setText] = useState("");
  const [message, setMessage] = useState("");
  const [permission, setPermission] = useState<Permission>("read_only");
  const { data: known = [] } = useQuery(shareSuggestions(itemId)); // where there are none, the address is typed
  const field = useRef<HTMLInputElement>(null);
  const share = useRef<HTMLButtonElement>(null);
  const wasAsked = useRef(false);
  const id = useId();
  const fault = actions.fault?.at === AT ? actions.fault.text : null;

  // the keyboard goes along with what is asked
  useLayoutEffect(() => {
    if (asked) share.current?.focus();
    else if (wasAsked.current) field.current?.focus();
    wasAsked.current = asked !== null;
  }, [asked]);

  async function preview(event: FormEvent) {
    event.preventDefault();
    actions.clear();
    const people = meant(chosen, text, known, true) ?? [];
    try {
      if (!people.length) return actions.refuse(AT, t.access.personMissing);
      const previews: Preview[] = [];
      for (const { email } of people) {
        const { sharePreview } = await ask(SharePreview, { itemId, email, permission });
        if (sharePreview) previews.push(sharePreview);
      }
      setChosen(people);
      setText("");
      setAsked({ people, permission, previews });
    } catch (thrown) {
      actions.refuse(AT, sentence(failure(thrown).message));
      field.current?.focus();
    }
  }

  async function give() {
    if (!asked) return;
    const left = [...asked.people];
    const done = await actions.run(
      AT,
      async () => {
        for (const { email } of asked.people) {
          await ask(ShareItem, { itemId, email, permission: asked.permission, message });
          left.shift();
        }
      },
      t.access.given(namesOf(asked.people), t.access.permissions[asked.permission]),
    );
    setChosen(left);
    if (done) setMessage("");
    setAsked(null);
  }

  if (asked)
    return (
      <section className={style.asked} aria-label={t.access.before}>
        <p>{t.access.ask(<strong>{namesOf(asked.people)}</strong>, t.access.permissions[asked.permission])}</p>
        <PreviewLines previews={asked.previews} items={1} />
        {mails ? (
          <p className={style.message}>
            <label htmlFor={`${id}-message`}>{t.access.message}</label>
            <textarea
              id={`${id}-message`}
              rows={3}
              maxLength={MAX_MESSAGE}
              value={message}
              aria-describedby={`${id}-length`}
              onChange={({ target }) => setMessage(target.value)}
            />
            <small id={`${id}-length`} className={style.faint}>
              {t.access.messageLength(message.length, MAX_MESSAGE)}
            </small>
          </p>
        ) : (
          <p className={style.faint}>{t.access.noMail}</p>
        )}
        <div className={style.row}>
          <button ref={share} type="button" aria-disabled={actions.isBusy} onClick={() => void give()}>
            {t.access.shareVerb}
          </button>
          <button type="button" className="quiet" onClick={() => setAsked(null)}>
            {t.access.back}
          </button>
        </div>
      </section>
    );

  return (
    <form onSubmit={preview} noValidate>
      <div className={style.row}>
        <div className={style.grow}>
          <PeopleField
            label={t.access.shareWith}
            placeholder={t.ui.nameOrAddress}
            known={known}
            chosen={chosen}
            choose={setChosen}
            text={text}
            type={setText}
            takesAddresses
            field={field}
            describedBy={fault ? `${id}-fault` : undefined}
          />
        </div>
        <PermissionSelect label={t.access.they} value={permission} change={setPermission} />
        <button type="submit">{t.access.continue}</button>
      </div>
      {fault && <Fault id={`${id}-fault`}>{fault}</Fault>}
    </form>
  );
}

/** The people of a share, as an answer tells them: by address where nothing else is known to whoever shares. */
function namesOf(people: readonly Somebody[]): string {
  return formats.list(people.map(({ email }) => email));
}

type SelectProps = {
  label: string;
  value: Permission;
  change: (permission: Permission) => void;
  isDisabled?: boolean;
};

export function PermissionSelect({ label, value, change, isDisabled = false }: SelectProps) {
  return (
    <select
      aria-label={label}
      value={value}
      aria-disabled={isDisabled}
      onChange={(event) => change(event.target.value as Permission)}
    >
      {Object.entries(t.access.permissions).map(([each, words]) => (
        <option key={each} value={each}>
          {words}
        </option>
      ))}
    </select>
  );
}
