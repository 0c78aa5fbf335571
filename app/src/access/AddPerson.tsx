import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useId, useLayoutEffect, useRef, useState } from "react";
import { ask, failure } from "../graphql/ask";
import { type Permission, type Preview, ShareItem, SharePreview } from "../graphql/generated";
import { Fault } from "../ui/Dialog";
import { sentence } from "../ui/states";
import style from "./access.module.css";
import type { Actions } from "./actions";
import { PERMISSIONS } from "./labels";
import { PreviewLines } from "./PreviewLines";
import { shareSuggestions } from "./queries";

const AT = "add";

/** Shares an item with an address, after it has shown what that changes. */
export function AddPerson({ itemId, actions }: { itemId: string; actions: Actions }) {
  const [asked, setAsked] = useState<{ email: string; permission: Permission; preview: Preview } | null>(null);
  const [email, setEmail] = useState("");
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
    const address = email.trim();
    try {
      if (!address) return actions.refuse(AT, "Type an address.");
      const { sharePreview } = await ask(SharePreview, { itemId, email: address, permission });
      if (sharePreview) setAsked({ email: address, permission, preview: sharePreview });
    } catch (thrown) {
      actions.refuse(AT, sentence(failure(thrown).message));
      field.current?.focus();
    }
  }

  async function give() {
    if (!asked) return;
    const { email: to, permission: what } = asked;
    const done = await actions.run(
      AT,
      () => ask(ShareItem, { itemId, email: to, permission: what }),
      `${to} ${PERMISSIONS[what]} it.`,
    );
    if (done) setEmail("");
    setAsked(null);
  }

  if (asked)
    return (
      <section className={style.asked} aria-label="Before it is shared">
        <p>
          Share with <strong>{asked.email}</strong>, who {PERMISSIONS[asked.permission]} it then?
        </p>
        <PreviewLines previews={[asked.preview]} />
        <div className={style.row}>
          <button ref={share} type="button" aria-disabled={actions.isBusy} onClick={() => void give()}>
            Share
          </button>
          <button type="button" className="quiet" onClick={() => setAsked(null)}>
            Back
          </button>
        </div>
      </section>
    );

  return (
    <form onSubmit={preview} noValidate>
      <div className={style.row}>
        <div className={style.grow}>
          <label htmlFor={id}>Share with</label>
          <input
            ref={field}
            id={id}
            type="email"
            list={`${id}-known`}
            placeholder="E-mail address"
            autoComplete="off"
            maxLength={254}
            value={email}
            onChange={(event) => setEmail(event.target.value)}
            aria-invalid={fault ? true : undefined}
            aria-describedby={fault ? `${id}-fault` : undefined}
          />
          <datalist id={`${id}-known`}>
            {known.map((person) => (
              <option key={person.email} value={person.email}>
                {person.name}
              </option>
            ))}
          </datalist>
        </div>
        <PermissionSelect label="They" value={permission} change={setPermission} />
        <button type="submit">Continue</button>
      </div>
      {fault && <Fault id={`${id}-fault`}>{fault}</Fault>}
    </form>
  );
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
      {Object.entries(PERMISSIONS).map(([each, words]) => (
        <option key={each} value={each}>
          {words}
        </option>
      ))}
    </select>
  );
}
