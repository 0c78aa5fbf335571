/** A field in which people are typed, several at once: by name, of those who are known, or by address. */

import { X } from "lucide-react";
import { type ClipboardEvent, type KeyboardEvent, type RefObject, useId, useState } from "react";
import { t } from "../messages/messages";
import { Avatar } from "./authors";
import style from "./PeopleField.module.css";

/** Somebody who is known by name, or an address of which nothing is known. */
export type Somebody = { email: string; name: string | null; userId: string | null };

type Props = {
  label: string;
  placeholder: string;
  known: readonly Somebody[];
  chosen: readonly Somebody[];
  choose: (chosen: readonly Somebody[]) => void;
  /** What is typed, and not chosen yet. */
  text: string;
  type: (text: string) => void;
  /** Whether an address of which nothing is known may be chosen. */
  takesAddresses?: boolean;
  field?: RefObject<HTMLInputElement | null>;
  describedBy?: string | undefined;
};

const MOST = 8; // suggestions
const BETWEEN = /[,;\s]+/;

export function PeopleField({ label, placeholder, known, chosen, choose, text, type, ...rest }: Props) {
  const { takesAddresses = false, field, describedBy } = rest;
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [cursor, setCursor] = useState<number | null>(null);
  const found = isOpen ? matching(known, chosen, text).slice(0, MOST) : [];
  const at = cursor === null ? (text && !text.includes("@") ? 0 : -1) : Math.min(cursor, found.length - 1);
  const here = found[at];

  function add(people: readonly Somebody[]) {
    choose([...new Map([...chosen, ...people].map((each) => [each.email, each])).values()]);
    write("");
  }

  function write(words: string) {
    type(words);
    setCursor(null);
    setOpen(words.trim() !== "");
  }

  function key(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    const { key: pressed } = event;
    if (pressed === "ArrowDown" || pressed === "ArrowUp") {
      const most = matching(known, chosen, text).slice(0, MOST).length;
      if (!most) return;
      setOpen(true);
      setCursor((Math.max(at, pressed === "ArrowDown" ? -1 : 0) + (pressed === "ArrowDown" ? 1 : -1) + most) % most);
    } else if (pressed === "Escape" && found.length) {
      setOpen(false);
      event.stopPropagation(); // the dialog stays
    } else if (pressed === "Enter" && here) add([here]);
    else if ((pressed === "," || pressed === ";") && takesAddresses && isAddress(text.trim()))
      add([addressed(text.trim(), known)]);
    else if (pressed === "Backspace" && text === "" && chosen.length) choose(chosen.slice(0, -1));
    else return;
    event.preventDefault();
  }

  function paste(event: ClipboardEvent) {
    const words = event.clipboardData.getData("text").trim().split(BETWEEN);
    if (!takesAddresses || words.length < 2 || !words.every(isAddress)) return;
    event.preventDefault();
    add(words.map((each) => addressed(each, known)));
  }

  return (
    <div className={style.whole}>
      <label htmlFor={id}>{label}</label>
      <div className={style.field}>
        {chosen.length > 0 && (
          <ul className={style.chosen} aria-label={t.ui.chosen}>
            {chosen.map((each) => (
              <li key={each.email}>
                {each.name ?? each.email}
                <button
                  type="button"
                  aria-label={t.ui.remove(each.name ?? each.email)}
                  onClick={() => {
                    choose(chosen.filter(({ email }) => email !== each.email));
                    field?.current?.focus();
                  }}
                >
                  <X aria-hidden size={14} />
                </button>
              </li>
            ))}
          </ul>
        )}
        <input
          ref={field}
          id={id}
          type="text"
          role="combobox"
          inputMode={takesAddresses ? "email" : "text"}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder={chosen.length ? "" : placeholder}
          maxLength={254}
          value={text}
          aria-autocomplete="list"
          aria-expanded={found.length > 0}
          aria-controls={found.length ? `${id}-found` : undefined}
          aria-activedescendant={here && `${id}-${at}`}
          aria-invalid={describedBy ? true : undefined}
          aria-describedby={describedBy}
          onChange={({ target }) => write(target.value)}
          onKeyDown={key}
          onPaste={paste}
          onBlur={() => setOpen(false)}
        />
      </div>
      {found.length > 0 && (
        <div id={`${id}-found`} role="listbox" aria-label={t.ui.suggestions} className={style.found}>
          {found.map((each, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field hears the keys
            <div
              key={each.email}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === at}
              tabIndex={-1}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => add([each])}
            >
              <Avatar author={{ userId: each.userId ?? each.email, name: each.name ?? each.email, agent: null }} />
              <span className={style.name}>
                {each.name ?? each.email} {each.name && <small>{each.email}</small>}
              </span>
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

/** Returns who is meant: those chosen, and of what is typed the one whom it can only mean; null where it means nobody. */
export function meant(
  chosen: readonly Somebody[],
  text: string,
  known: readonly Somebody[],
  takesAddresses: boolean,
): readonly Somebody[] | null {
  const words = text.trim();
  if (!words) return chosen;
  const named = known.filter(({ name, email }) =>
    [name, email].some((each) => each?.toLowerCase() === words.toLowerCase()),
  );
  if (named.length === 1) return [...chosen, ...named];
  const begun = words.includes("@") ? [] : matching(known, chosen, words);
  if (begun.length === 1) return [...chosen, ...begun];
  return takesAddresses ? [...chosen, addressed(words, known)] : null;
}

function matching(known: readonly Somebody[], chosen: readonly Somebody[], text: string): Somebody[] {
  const words = text.trim().toLowerCase();
  const isBegun = (each: string) => each.toLowerCase().startsWith(words);
  return known.filter(({ email, name }) => {
    if (chosen.some((each) => each.email === email)) return false;
    return isBegun(email) || isBegun(name ?? "") || (name ?? "").split(/\s+/).some(isBegun);
  });
}

function isAddress(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text);
}

function addressed(email: string, known: readonly Somebody[]): Somebody {
  return known.find((each) => each.email === email.toLowerCase()) ?? { email, name: null, userId: null };
}
