/** Counts what a connection sent and the server has not acknowledged, which the provider does not know for sure. */

const SYNC = 0;
const SYNC_STATUS = 8;
const STEP_1 = 0;
const STEP_2 = 1;

export type Outstanding = {
  /** Edits and answers that this connection sent and the server has not acknowledged. */
  count: number;
  /** What the server lacked when this connection began was sent to it. */
  isWhole: boolean;
  /** The server did not take something, because this person may only read. */
  isRefused: boolean;
};

/** Returns a class of sockets that tells, after each message that matters, how much is outstanding. */
export function countingSocket(changed: (outstanding: Outstanding) => void): typeof WebSocket {
  return class extends WebSocket {
    private readonly outstanding: Outstanding = { count: 0, isWhole: false, isRefused: false };

    constructor(url: string | URL) {
      super(url);
      this.addEventListener("message", ({ data }) => {
        const [type, applied] = kindOf(new Uint8Array(data));
        if (type !== SYNC_STATUS) return;
        this.outstanding.count -= 1;
        this.outstanding.isRefused ||= applied === 0;
        changed(this.outstanding);
      });
    }

    override send(data: Uint8Array<ArrayBuffer>) {
      super.send(data);
      const [type, step] = kindOf(data);
      if (type !== SYNC || step === STEP_1) return;
      this.outstanding.count += 1;
      this.outstanding.isWhole ||= step === STEP_2;
      changed(this.outstanding);
    }
  };
}

/** Returns the type of a message and the number after it; a document's name, before them, has less than 128 bytes. */
function kindOf(message: Uint8Array): [number | undefined, number | undefined] {
  const after = (message[0] ?? 0) + 1;
  return [message[after], message[after + 1]];
}
