import type { Editor } from "@tiptap/core";
import { type FormEvent, useId, useRef, useState } from "react";
import { t } from "../messages/messages";
import { Buttons, Close, Dialog, Fault } from "../ui/Dialog";
import { addressOf, mayLead, OUTWARD } from "./addresses";

/** Asks for the address of a link; an empty one takes the link away. The text has the keyboard afterwards. */
export function LinkDialog({ editor, close }: { editor: Editor; close: () => void }) {
  const [fault, setFault] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const present: string = editor.getAttributes("link").href ?? "";

  function submit(event: FormEvent) {
    event.preventDefault();
    const typed = field.current?.value ?? "";
    const href = addressOf(typed);
    if (typed.trim() && href === null) {
      setFault(t.document.linkFault);
      field.current?.focus();
      return;
    }
    const within = editor.chain().extendMarkRange("link");
    if (href === null) within.unsetLink().run();
    else if (editor.state.selection.empty && !present) {
      editor.commands.insertContent({ type: "text", text: typed.trim(), marks: [{ type: "link", attrs: { href } }] });
      editor.commands.unsetMark("link"); // for what is written behind it
    } else within.setLink({ href }).run();
    close();
  }

  return (
    <Dialog
      title={present ? t.document.editLink : t.document.link}
      close={close}
      initialFocus={field}
      finalFocus={() => editor.view.dom}
    >
      <form onSubmit={submit} noValidate>
        <label htmlFor={id}>{t.document.linkAddress}</label>
        <input
          ref={field}
          id={id}
          type="text"
          inputMode="url"
          defaultValue={present}
          onFocus={(event) => event.target.select()}
          autoComplete="off"
          maxLength={2000}
          aria-invalid={fault ? true : undefined}
          aria-describedby={fault ? `${id}-fault` : undefined}
        />
        {fault && <Fault id={`${id}-fault`}>{fault}</Fault>}
        <Buttons>
          {mayLead(present) && (
            <a href={present} {...OUTWARD}>
              {t.document.openLink}
            </a>
          )}
          <Close>{t.ui.cancel}</Close>
          <button type="submit">{t.document.link}</button>
        </Buttons>
      </form>
    </Dialog>
  );
}
