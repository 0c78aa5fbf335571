/** The client: sends the requests that `call` builds with `fetch`, and retries them where that is safe. */

import { pause, prepare, read, settings } from "./call.js";
import type { Answer, CallOptions, CodriveOptions, Operation, Sent, Settings } from "./call.js";
import { ConnectionFailedError } from "./errors.js";
import { Documents, DriveItems, Drives, Viewer } from "./groups.js";

/** A client of one server, as one user. */
export class Codrive {
  readonly documents: Documents;
  readonly driveItems: DriveItems;
  readonly drives: Drives;
  readonly viewer: Viewer;
  readonly #settings: Settings;
  readonly #fetch: typeof globalThis.fetch;

  constructor(options: CodriveOptions) {
    this.#settings = settings(options ?? {});
    this.#fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
    const run = this.#run.bind(this);
    this.documents = new Documents(run);
    this.driveItems = new DriveItems(run);
    this.drives = new Drives(run);
    this.viewer = new Viewer(run);
  }

  async #run(operation: Operation, input: object, options: CallOptions): Promise<unknown> {
    const sent = prepare(this.#settings, operation, input, options);
    for (let attempt = 0; ; attempt += 1) {
      const came = await this.#ask(sent, options.signal);
      const wait = pause(sent, attempt, came);
      if (wait !== undefined) await passed(wait, options.signal);
      else if (came instanceof ConnectionFailedError) throw came;
      else return read(operation, came);
    }
  }

  async #ask(sent: Sent, signal: AbortSignal | undefined): Promise<Answer | ConnectionFailedError> {
    const late = AbortSignal.timeout(sent.timeout);
    try {
      const response = await this.#fetch(sent.url, {
        method: sent.method,
        headers: sent.headers,
        ...(sent.body === undefined ? {} : { body: sent.body }),
        redirect: "manual", // the key goes to this server and to no other
        credentials: "omit",
        signal: signal ? AbortSignal.any([signal, late]) : late,
      });
      return { status: response.status, headers: response.headers, body: await response.text() };
    } catch (fault) {
      if (signal?.aborted) return canceled(fault);
      if (late.aborted) return new ConnectionFailedError("no answer came in time", "TIMED_OUT", { cause: fault });
      const told = fault instanceof Error ? fault.message : String(fault);
      return new ConnectionFailedError(`no answer came: ${told}`, "CONNECTION_FAILED", { cause: fault });
    }
  }
}

function canceled(cause: unknown): ConnectionFailedError {
  return new ConnectionFailedError("the call was canceled", "CANCELED", { cause });
}

/** Wait, unless the call is canceled meanwhile. */
function passed(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(canceled(signal?.reason));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
