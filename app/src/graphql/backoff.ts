/** When to try again what the server did not answer. */

const FIRST = 1_000; // milliseconds

export const LONGEST = 30_000;

/** How many milliseconds to wait after so many failures: ever longer, and not the same for all windows of a server. */
export function delayAfter(failures: number): number {
  return Math.min(LONGEST, FIRST * 2 ** failures) * (0.5 + Math.random() / 2);
}
