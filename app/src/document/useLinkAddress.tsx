import { useId, useRef, useState } from "react";
import { t } from "../messages/messages";
import { Fault } from "../ui/Dialog";
import { addressOf } from "./addresses";

/**
 * Returns a field for the address of a link: what its `input` is given, the `fault` that stands beside it, and `read`, which returns
 * the address that was typed, null where nothing was, and undefined where it can be no link, as the fault then says.
 */
export function useLinkAddress(present: string) {
  const field = useRef<HTMLInputElement>(null);
  const [isFault, setFault] = useState(false);
  const id = useId();

  function read(): string | null | undefined {
    const typed = field.current?.value.trim() ?? "";
    const href = addressOf(typed);
    if (href !== null || !typed) return href;
    setFault(true);
    field.current?.focus();
    return undefined;
  }

  const input = {
    ref: field,
    type: "text",
    inputMode: "url",
    defaultValue: present,
    autoComplete: "off",
    maxLength: 2000,
    "aria-invalid": isFault ? true : undefined,
    "aria-describedby": isFault ? id : undefined,
  } as const;
  return { input, fault: isFault && <Fault id={id}>{t.document.linkFault}</Fault>, read };
}
