import { formats } from "../messages/messages";

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"] as const;

/** Return a number of bytes as people read it, such as `1.5 GiB`. */
export function inBytes(count: number): string {
  let shown = count;
  let unit = 0;
  while (shown >= 1024 && unit < UNITS.length - 1) {
    shown /= 1024;
    unit += 1;
  }
  return `${formats.number(Math.round(shown * 10) / 10)} ${UNITS[unit]}`;
}
