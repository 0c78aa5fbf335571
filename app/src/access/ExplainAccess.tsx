import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { ask, failure } from "../graphql/ask";
import { ExplainAccess as Explain, type ExplainAccessData, RemoveShare } from "../graphql/generated";
import { useViewer } from "../graphql/session";
import { t } from "../messages/messages";
import { Fault } from "../ui/Dialog";
import { sentence } from "../ui/states";
import style from "./access.module.css";
import type { Actions } from "./actions";
import { LeaveButton } from "./LeaveButton";
import { permissionLabel, reasonLabel } from "./labels";
import type { AccessItem } from "./people";
import { explanation } from "./queries";

type Explanation = NonNullable<ExplainAccessData["access"]>;

/** Tells what any address may do to an item, and because of what. */
export function ExplainAccess({ itemId }: { itemId: string }) {
  const [email, setEmail] = useState("");
  const [found, setFound] = useState<Explanation | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const id = useId();

  async function explain(event: FormEvent) {
    event.preventDefault();
    setFound(null);
    setFault(null);
    try {
      setFound((await ask(Explain, { itemId, email: email.trim() })).access);
    } catch (thrown) {
      setFault(sentence(failure(thrown).message));
    }
  }

  return (
    <section>
      <h3 className={style.kind}>{t.access.explain}</h3>
      <form onSubmit={explain} noValidate className={style.row}>
        <div className={style.grow}>
          <label htmlFor={id} className="unseen">
            {t.access.explainAddress}
          </label>
          <input
            id={id}
            type="email"
            placeholder={t.access.address}
            autoComplete="off"
            maxLength={254}
            value={email}
            onChange={(event) => setEmail(event.target.value)}
            aria-invalid={fault ? true : undefined}
            aria-describedby={fault ? `${id}-fault` : undefined}
          />
        </div>
        <button type="submit" className="quiet">
          {t.access.explainVerb}
        </button>
      </form>
      {fault && <Fault id={`${id}-fault`}>{fault}</Fault>}
      <div role="status">{found && <Explained explanation={found} />}</div>
    </section>
  );
}

function Explained({ explanation: { email, permission, because } }: { explanation: Explanation }) {
  const isYou = email === useViewer().email;
  return (
    <>
      <p className={style.line}>
        <strong>{isYou ? t.ui.you : email}</strong>: {permissionLabel(permission)}
      </p>
      <ul className={style.reasons} aria-label={t.access.reasons}>
        {because.map((reason) => (
          <li key={reason.itemId ?? "role"}>{reasonLabel(reason, isYou)}</li>
        ))}
      </ul>
    </>
  );
}

/** For those who may not share: their own access, and the way to give it up. */
export function OwnAccess({ item, actions }: { item: AccessItem; actions: Actions }) {
  const { email } = useViewer();
  // the item tells of its own failures
  const { data: own } = useQuery({ ...explanation(item, email), placeholderData: keepPreviousData });
  const isShared = item.shares.some((share) => share.email === email);

  return (
    <section>
      <p className={style.line}>{t.access.mayNotShare}</p>
      {own && <Explained explanation={own} />}
      {isShared && (
        <LeaveButton
          what={t.access.theShare}
          warning={t.access.leaveShareWarning}
          isBusy={actions.isBusy}
          leave={() => actions.run("dialog", () => ask(RemoveShare, { itemId: item.id, email }), t.access.leftShare)}
        />
      )}
    </section>
  );
}
