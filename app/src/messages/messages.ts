/**
 * The words of the application in the reader's language.
 *
 * A page speaks one language, which is chosen before anything is drawn; another one is spoken after the page is loaded again. English is
 * the source; any other language is loaded by itself.
 */

import { english, type Messages } from "./english";
import { type Formats, formatsOf } from "./formats";

export type { Messages };

/** Each language by its own name. */
export const LANGUAGES = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof LANGUAGES;

const SETTING = "language";

/** The words of this page; nothing may read them while modules are imported. */
export let t: Messages;
/** How this page writes numbers and moments. */
export let formats: Formats;

/** Speak a language, in the form of the region that the browser names for it; where it cannot be loaded, English. */
export async function speak(language: Language, wanted: readonly string[]) {
  const said = language === "de" ? await import("./german").catch(() => null) : { german: null };
  const spoken = said ? language : "en";
  formats = formatsOf(wanted.find((each) => languageIn(each) === spoken) ?? spoken);
  t = (said?.german ?? english)(formats);
  return spoken;
}

/** Return the names of emoji in the language of this page, beside their English ones, by the emoji: words, the first to be shown. */
export async function emojiNames(): Promise<Readonly<Record<string, string>>> {
  return languageIn(formats.locale) === "de" ? (await import("./german_emoji")).GERMAN_EMOJI : {};
}

/** Return the language that was chosen in this browser, else the first that the browser names and the application has. */
export function languageFor(wanted: readonly string[], chosen: Language | null): Language {
  return chosen ?? wanted.map(languageIn).find((each) => each !== null) ?? "en";
}

/** Return the language that was chosen in this browser; null where the browser's own languages decide. */
export function chosenLanguage(): Language | null {
  const kept = localStorage.getItem(SETTING);
  return kept !== null && Object.hasOwn(LANGUAGES, kept) ? (kept as Language) : null;
}

export function chooseLanguage(language: Language | null) {
  if (language === null) localStorage.removeItem(SETTING);
  else localStorage.setItem(SETTING, language);
}

function languageIn(locale: string): Language | null {
  const [language = ""] = locale.toLowerCase().split("-");
  return Object.hasOwn(LANGUAGES, language) ? (language as Language) : null;
}
