import { type RefObject, useId, useRef, useState } from "react";
import { ask } from "../graphql/ask";
import { SetPublication } from "../graphql/generated";
import { t } from "../messages/messages";
import { Fault } from "../ui/Dialog";
import style from "./access.module.css";
import type { Actions } from "./actions";
import type { AccessItem } from "./people";

const AT = "publication";

type Props = {
  item: AccessItem;
  actions: Actions;
  /** What publishes and unpublishes it. */
  button: RefObject<HTMLButtonElement | null>;
};

/** The links of an item: its address for those with access, and its public page, which is made and taken away here. */
export function PublicPage({ item, actions, button }: Props) {
  const mayPublish = item.capabilities.includes("publish");
  const fault = actions.fault?.at === AT ? actions.fault.text : null;

  function publish(published: boolean) {
    const set = (to: boolean) => ask(SetPublication, { itemId: item.id, published: to });
    // a page that is made again has another link, so taking one away cannot be taken back
    if (published)
      void actions.run(
        AT,
        () => set(true),
        t.access.published,
        () => set(false),
        true,
      );
    else void actions.run(AT, () => set(false), t.access.unpublished);
  }

  return (
    <section>
      <h3 className={style.kind}>{t.access.links}</h3>
      <CopyLink label={t.access.linkForAccess} link={item.url} />
      {item.publicUrl && <CopyLink label={t.access.linkForAll} link={item.publicUrl} />}
      {mayPublish && (
        <p className={style.line}>
          {item.published ? t.access.publishedNote : t.access.publishNote}{" "}
          <button
            ref={button}
            type="button"
            className="quiet"
            aria-disabled={actions.isBusy}
            onClick={() => publish(!item.published)}
          >
            {item.published ? t.access.unpublish : t.access.publish}
          </button>
        </p>
      )}
      {fault && <Fault>{fault}</Fault>}
    </section>
  );
}

function CopyLink({ label, link }: { label: string; link: string }) {
  const [status, setStatus] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const id = useId();

  async function copy() {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(link);
      setStatus(t.access.copied);
    } catch {
      // browsers give the clipboard to pages of https alone
      field.current?.focus();
      setStatus(t.access.copyByHand);
    }
  }

  return (
    <div className={style.copy}>
      <label htmlFor={id}>{label}</label>
      <div className={style.row}>
        <input ref={field} id={id} type="text" readOnly value={link} className={style.grow} />
        <button type="button" className="quiet" aria-label={t.access.copyLink(label)} onClick={() => void copy()}>
          {t.ui.copy}
        </button>
      </div>
      <span role="status" className={style.faint}>
        {status}
      </span>
    </div>
  );
}
