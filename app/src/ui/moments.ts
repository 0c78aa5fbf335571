/** Moments as the reader's language and region write them. */

import { formats } from "../messages/messages";

export const MINUTE = 60_000; // milliseconds
const HOUR = 60 * MINUTE;

/** Say when something was, to the minute. */
export function exact(time: Date): string {
  return formats.exact.format(time);
}

/** Say how long ago a moment was: minutes and hours of the same or the last day, then days, after a week the date. */
export function ago(time: Date, now: Date): string {
  const { ago, day } = formats;
  const passed = now.getTime() - time.getTime();
  const days = Math.round((dayOf(now) - dayOf(time)) / (24 * HOUR));
  if (passed < MINUTE) return ago.format(0, "second");
  if (passed < HOUR) return ago.format(-Math.floor(passed / MINUTE), "minute");
  if (days < 1 || passed < 6 * HOUR) return ago.format(-Math.floor(passed / HOUR), "hour");
  return days < 7 ? ago.format(-days, "day") : day.format(time);
}

/** The moment at which a day began where the reader is, in milliseconds since 1970. */
function dayOf(time: Date): number {
  return new Date(time).setHours(0, 0, 0, 0);
}
