const TODAY = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", hour12: false });
const DAY = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", year: "numeric" });
const EXACT = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short", hour12: false });

/** When something happened: the time of today, the day of older ones; `isExact` gives both. */
export function Moment({ at, isExact = false }: { at: string; isExact?: boolean }) {
  const time = new Date(at);
  const isToday = time.toDateString() === new Date().toDateString();
  return <time dateTime={at}>{(isExact ? EXACT : isToday ? TODAY : DAY).format(time)}</time>;
}
