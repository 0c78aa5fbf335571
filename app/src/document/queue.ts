/** Keeps edits that the server has not acknowledged in IndexedDB, so that a reload loses none. */

const DATABASE = "codrive";
const STORE = "unacknowledged";

type Kept = {
  key: string;
  update: Uint8Array;
};

type Numbered = {
  readonly number: number;
  readonly update: Uint8Array;
};

/** The queue of one user and document. Where a browser keeps nothing (private windows), it is empty after a reload. */
export class Queue {
  private readonly key: string;
  /** The numbers of the edits that this window added or took over; another window of the same person has its own. */
  private ours = new Set<number>();
  private readonly database: Promise<IDBDatabase | null>;

  constructor(userId: string, documentId: string) {
    this.key = `${userId} ${documentId}`;
    this.database = opened();
  }

  async add(update: Uint8Array): Promise<void> {
    const key = await this.run("readwrite", (store) => store.add({ key: this.key, update } satisfies Kept));
    if (key !== null) this.ours.add(Number(key));
  }

  /** Returns the edits of this window. */
  async own(): Promise<Uint8Array[]> {
    return (await this.all()).filter(({ number }) => this.ours.has(number)).map(({ update }) => update);
  }

  /** Makes all edits those of this window, and returns them: of the windows before it, which are closed or lost. */
  async takeOver(): Promise<Uint8Array[]> {
    const all = await this.all();
    for (const { number } of all) this.ours.add(number);
    return all.map(({ update }) => update);
  }

  /** Forgets the edits of this window. */
  async clear(): Promise<void> {
    const gone = [...this.ours];
    this.ours.clear();
    if (gone.length === 0) return;
    await this.run("readwrite", (store) => gone.map((key) => store.delete(key)).at(-1) as IDBRequest);
  }

  private async all(): Promise<Numbered[]> {
    // in one transaction, so that numbers and edits are of the same moment
    const database = await this.database;
    if (!database) return [];
    return new Promise((resolve) => {
      const transaction = database.transaction(STORE);
      const index = transaction.objectStore(STORE).index("key");
      const numbers = index.getAllKeys(this.key);
      const kept: IDBRequest<Kept[]> = index.getAll(this.key);
      transaction.oncomplete = () =>
        resolve(kept.result.map(({ update }, at) => ({ number: Number(numbers.result[at]), update })));
      transaction.onabort = () => resolve([]);
    });
  }

  close() {
    this.database.then((database) => database?.close());
  }

  private async run<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T | null> {
    const database = await this.database;
    if (!database) return null;
    return new Promise((resolve) => {
      const transaction = database.transaction(STORE, mode);
      const request = act(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => resolve(null);
    });
  }
}

function opened(): Promise<IDBDatabase | null> {
  return new Promise((resolve) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () =>
      request.result.createObjectStore(STORE, { autoIncrement: true }).createIndex("key", "key");
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => resolve(null);
  });
}
