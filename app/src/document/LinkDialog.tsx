import type { Editor } from "@tiptap/core";
import { type FormEvent, useId } from "react";
import { t } from "../messages/messages";
import { Buttons, Close, Dialog } from "../ui/Dialog";
import { mayLead, OUTWARD } from "./addresses";
import { useLinkAddress } from "./useLinkAddress";

/** Asks for the address of a link; an empty one takes the link away. The text has the keyboard afterwards. */
export function LinkDialog({ editor, close }: { editor: Editor; close: () => void }) {
  const id = useId();
  const present: string = editor.getAttributes("link").href ?? "";
  const { input, fault, read } = useLinkAddress(present);

  function submit(event: FormEvent) {
    event.preventDefault();
    const href = read();
    if (href === undefined) return;
    const within = editor.chain().extendMarkRange("link");
    if (href === null) within.unsetLink().run();
    else if (editor.state.selection.empty && !present) {
      editor.commands.insertContent({
        type: "text",
        text: input.ref.current?.value.trim() ?? href,
        marks: [{ type: "link", attrs: { href } }],
      });
      editor.commands.unsetMark("link"); // for what is written behind it
    } else within.setLink({ href }).run();
    close();
  }

  return (
    <Dialog
      title={present ? t.document.editLink : t.document.link}
      close={close}
      initialFocus={input.ref}
      finalFocus={() => editor.view.dom}
    >
      <form onSubmit={submit} noValidate>
        <label htmlFor={id}>{t.document.linkAddress}</label>
        <input {...input} id={id} onFocus={(event) => event.target.select()} />
        {fault}
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
