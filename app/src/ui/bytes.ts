const UNITS = ["bytes", "KiB", "MiB", "GiB", "TiB"] as const;
const NUMBER = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

/** Return a number of bytes as people read it, such as `1.5 GiB`. */
export function inBytes(count: number): string {
  let shown = count;
  let unit = 0;
  while (shown >= 1024 && unit < UNITS.length - 1) {
    shown /= 1024;
    unit += 1;
  }
  return `${NUMBER.format(shown)} ${UNITS[unit]}`;
}
