/** Numbers, lists, moments and the order of names, as a locale writes them. */

export type Formats = {
  /** The language and region, as BCP 47 names them. */
  readonly locale: string;
  readonly number: (value: number) => string;
  /** The form of a number's noun; `#` in it stands for the number. */
  readonly plural: (value: number, forms: { readonly one: string; readonly other: string }) => string;
  readonly list: (words: readonly string[]) => string;
  readonly day: Intl.DateTimeFormat;
  readonly exact: Intl.DateTimeFormat;
  readonly ago: Intl.RelativeTimeFormat;
  readonly compare: (one: string, other: string) => number;
};

export function formatsOf(locale: string): Formats {
  const { format: number } = new Intl.NumberFormat(locale);
  const lists = new Intl.ListFormat(locale);
  const rules = new Intl.PluralRules(locale);
  return {
    locale,
    number,
    plural: (value, { one, other }) => (rules.select(value) === "one" ? one : other).replaceAll("#", number(value)),
    list: (words) => lists.format(words),
    day: new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", year: "numeric" }),
    exact: new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }),
    ago: new Intl.RelativeTimeFormat(locale, { numeric: "auto" }),
    compare: new Intl.Collator(locale).compare,
  };
}
