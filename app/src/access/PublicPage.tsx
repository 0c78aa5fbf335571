import { useId, useRef, useState } from "react";
import { ask } from "../graphql/ask";
import { SetPublication } from "../graphql/generated";
import { Fault } from "../ui/Dialog";
import style from "./access.module.css";
import type { Actions } from "./actions";
import type { AccessItem } from "./people";

const AT = "publication";

/** The links of an item: its address for those with access, and its public page, which is made and taken away here. */
export function PublicPage({ item, actions }: { item: AccessItem; actions: Actions }) {
  const mayPublish = item.capabilities.includes("publish");
  const fault = actions.fault?.at === AT ? actions.fault.text : null;

  function publish(published: boolean) {
    const set = (to: boolean) => ask(SetPublication, { itemId: item.id, published: to });
    // a page that is made again has another link, so taking one away cannot be taken back
    if (published)
      void actions.run(
        AT,
        () => set(true),
        "Everybody who has the link can read it now.",
        () => set(false),
        true,
      );
    else void actions.run(AT, () => set(false), "The public page is gone.");
  }

  return (
    <section>
      <h3 className={style.kind}>Links</h3>
      <CopyLink label="For those who have access" link={item.url} />
      {item.publicUrl && <CopyLink label="For everybody: the public page" link={item.publicUrl} />}
      {mayPublish && (
        <p className={style.line}>
          {item.published
            ? "Unpublishing takes the page away at once; publishing again gives it another link. "
            : "A public page can be read by everybody who has its link. "}
          <button
            type="button"
            className="quiet"
            aria-disabled={actions.isBusy}
            onClick={() => publish(!item.published)}
          >
            {item.published ? "Unpublish" : "Publish"}
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
      setStatus("Copied.");
    } catch {
      // browsers give the clipboard to pages of https alone
      field.current?.focus();
      setStatus("Copy it with the keys of your system: it is selected.");
    }
  }

  return (
    <div className={style.copy}>
      <label htmlFor={id}>{label}</label>
      <div className={style.row}>
        <input ref={field} id={id} type="text" readOnly value={link} className={style.grow} />
        <button type="button" className="quiet" aria-label={`Copy the link: ${label}`} onClick={() => void copy()}>
          Copy
        </button>
      </div>
      <span role="status" className={style.faint}>
        {status}
      </span>
    </div>
  );
}
