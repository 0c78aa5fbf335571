import { useEffect, useState } from "react";

const DAY = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", year: "numeric" });
const EXACT = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short", hour12: false });
const AGO = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

const MINUTE = 60_000; // milliseconds
const HOUR = 60 * MINUTE;

/** When something happened: how long ago within a week, with the exact moment beside the pointer; `isExact` shows that itself. */
export function Moment({ at, isExact = false }: { at: string; isExact?: boolean }) {
  const now = useNow();
  const time = new Date(at);
  const exact = EXACT.format(time);
  return (
    <time dateTime={at} title={isExact ? undefined : exact}>
      {isExact ? exact : ago(time, now)}
    </time>
  );
}

/** Say how long ago a moment was: minutes and hours of the same or the last day, then days, after a week the date. */
export function ago(time: Date, now: Date): string {
  const passed = now.getTime() - time.getTime();
  const days = Math.round((dayOf(now) - dayOf(time)) / (24 * HOUR));
  if (passed < MINUTE) return "just now";
  if (passed < HOUR) return AGO.format(-Math.floor(passed / MINUTE), "minute");
  if (days < 1 || passed < 6 * HOUR) return AGO.format(-Math.floor(passed / HOUR), "hour");
  return days < 7 ? AGO.format(-days, "day") : DAY.format(time);
}

/** The moment at which a day began where the reader is, in milliseconds since 1970. */
function dayOf(time: Date): number {
  return new Date(time).setHours(0, 0, 0, 0);
}

/** Return the present moment, which is another each minute. */
function useNow(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const ticking = setInterval(() => setNow(new Date()), MINUTE);
    return () => clearInterval(ticking);
  }, []);
  return now;
}
