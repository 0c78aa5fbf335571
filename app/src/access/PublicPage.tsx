import { useId, useRef, useState } from "react";
import { change } from "../graphql/ask";
import { SetPublication } from "../graphql/generated";
import { Fault } from "../ui/Dialog";
import style from "./access.module.css";
import type { Acts } from "./acts";
import type { AccessItem } from "./people";

const AT = "publication";

/** The links of an item: its address for those with access, and its public page, which is made and taken away here. */
export function PublicPage({ item, acts }: { item: AccessItem; acts: Acts }) {
  const mayPublish = item.capabilities.includes("publish");
  const fault = acts.fault?.at === AT ? acts.fault.text : null;

  function publish(published: boolean) {
    const set = (to: boolean) => change(SetPublication, { itemId: item.id, published: to });
    // a page that is made again has another link, so taking one away cannot be taken back
    if (published)
      void acts.act(
        AT,
        () => set(true),
        "Everybody who has the link can read it now.",
        () => set(false),
        true,
      );
    else void acts.act(AT, () => set(false), "The public page is gone.");
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
          <button type="button" className="quiet" aria-disabled={acts.isBusy} onClick={() => publish(!item.published)}>
            {item.published ? "Unpublish" : "Publish"}
          </button>
        </p>
      )}
      {fault && <Fault>{fault}</Fault>}
    </section>
  );
}

function CopyLink({ label, link }: { label: string; link: string }) {
  const [said, setSaid] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const id = useId();

  async function copy() {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(link);
      setSaid("Copied.");
    } catch {
      // browsers give the clipboard to pages of https alone
      field.current?.focus();
      setSaid("Copy it with the keys of your system: it is selected.");
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
        {said}
      </span>
    </div>
  );
}
