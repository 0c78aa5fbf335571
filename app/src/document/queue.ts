/** Keeps edits that the server has not acknowledged in IndexedDB, so that a reload loses none. */

const DATABASE = "codrive";
const STORE = "unacknowledged";

interface Kept {
  key: string;
  update: Uint8Array;
}

/** The queue of one user and document. Where a browser keeps nothing (private windows), it is empty after a reload. */
export class Queue {
  private readonly key: string;
  /** The numbers of the edits that this window added or has read; another window of the same person has its own. */
  private ours: number[] = [];
  private readonly database: Promise<IDBDatabase | null>;

  constructor(userId: string, documentId: string) {
    this.key = `${userId} ${documentId}`;
    this.database = opened();
  }

  async add(update: Uint8Array): Promise<void> {
    const key = await this.run("readwrite", (store) => store.add({ key: this.key, update } satisfies Kept));
    if (key !== null) this.ours.push(Number(key));
  }

  async all(): Promise<Uint8Array[]> {
    const keys = await this.run<IDBValidKey[]>("readonly", (store) => store.index("key").getAllKeys(this.key));
    const kept = await this.run<Kept[]>("readonly", (store) => store.index("key").getAll(this.key));
    this.ours = (keys ?? []).map(Number);
    return (kept ?? []).map(({ update }) => update);
  }

  /** Forgets the edits of this window. */
  async clear(): Promise<void> {
    const gone = this.ours.splice(0);
    if (gone.length === 0) return;
    await this.run("readwrite", (store) => gone.map((key) => store.delete(key)).at(-1) as IDBRequest);
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
