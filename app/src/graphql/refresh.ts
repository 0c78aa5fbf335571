/** Loads again what changes touched. */

const SETTLE = 200; // milliseconds in which changes are gathered
const SPACING = 1_000; // milliseconds of rest for each request that loading made

/**
 * Calls `load` soon after it is asked to, once for all that comes together and never twice at the same time. `load` returns how
 * many requests it made: after many it rests longer, so that no list spends its reader's rate, however often it changes.
 */
export class Refresh {
  private readonly load: () => Promise<number>;
  private due: ReturnType<typeof setTimeout> | undefined;
  private isLoading = false;
  private isStale = false;
  private isEnded = false;
  private rested = 0;

  constructor(load: () => Promise<number>) {
    this.load = load;
  }

  ask() {
    this.isStale = true;
    if (this.isEnded || this.isLoading || this.due !== undefined) return;
    this.due = setTimeout(() => void this.run(), Math.max(SETTLE, this.rested - performance.now()));
  }

  end() {
    clearTimeout(this.due);
    this.isEnded = true;
  }

  private async run() {
    this.due = undefined;
    this.isStale = false;
    this.isLoading = true;
    const requests = await this.load();
    this.rested = performance.now() + requests * SPACING;
    this.isLoading = false;
    if (this.isStale) this.ask();
  }
}
