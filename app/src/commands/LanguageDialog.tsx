import { type FormEvent, useId, useRef } from "react";
import { chooseLanguage, chosenLanguage, LANGUAGES, type Language, languageFor, t } from "../messages/messages";
import { Buttons, Close, Dialog } from "../ui/Dialog";

/** Asks for the language of the application in this browser, which speaks it from the next page on. */
export function LanguageDialog({ close }: { close: () => void }) {
  const field = useRef<HTMLSelectElement>(null);
  const id = useId();
  const chosen = chosenLanguage();

  function choose(event: FormEvent) {
    event.preventDefault();
    const value = (field.current?.value || null) as Language | null;
    if (value === chosen) return close();
    chooseLanguage(value);
    location.reload();
  }

  return (
    <Dialog title={t.shell.language} close={close} initialFocus={field}>
      <form onSubmit={choose}>
        <label htmlFor={id}>{t.shell.language}</label>
        <select ref={field} id={id} defaultValue={chosen ?? ""} aria-describedby={`${id}-note`}>
          <option value="">{t.shell.asTheBrowser(LANGUAGES[languageFor(navigator.languages, null)])}</option>
          {Object.entries(LANGUAGES).map(([language, name]) => (
            <option key={language} value={language} lang={language}>
              {name}
            </option>
          ))}
        </select>
        <p id={`${id}-note`}>{t.shell.languageNote}</p>
        <Buttons>
          <Close>{t.ui.cancel}</Close>
          <button type="submit">{t.shell.save}</button>
        </Buttons>
      </form>
    </Dialog>
  );
}
