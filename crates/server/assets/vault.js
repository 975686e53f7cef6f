// What a browser keeps of private tables: for each table what the module wants to be kept, its secret and its log; and one
// identity for all. Everything that is written together is there together, or not at all.

const NAME = "fairdeal-private", VERSION = 1;

const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** The vault of private tables, or another; one that is forgotten with the page if the browser allows none. */
export async function openVault(name = NAME) {
  try {
    const opening = indexedDB.open(name, VERSION);
    opening.onupgradeneeded = () => {
      for (const store of ["tables", "log", "keys"]) opening.result.createObjectStore(store);
    };
    return new Vault(await done(opening));
  } catch {
    return new Brief();
  }
}

const whole = (table) => IDBKeyRange.bound([table, 0], [table, Infinity]);

class Vault {
  lasts = true;
  #db;

  constructor(db) {
    this.#db = db;
    // Another tab has a newer version of the page: nothing is written behind its back.
    db.onversionchange = () => db.close();
  }

  async #in(stores, mode, work) {
    // Strict: what is said afterwards must not be lost with the power.
    const transaction = this.#db.transaction(stores, mode, { durability: "strict" });
    const ended = new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onerror = transaction.onabort = () => reject(transaction.error ?? new Error("not stored"));
    });
    const result = work(...stores.map((name) => transaction.objectStore(name)));
    await ended;
    return result instanceof IDBRequest ? result.result : result;
  }

  key = (name) => this.#in(["keys"], "readonly", (keys) => keys.get(name));
  setKey = (name, value) => this.#in(["keys"], "readwrite", (keys) => keys.put(value, name));

  /** What is stored about a table, as the module takes it; undefined if nothing is. */
  async table(table) {
    const kept = await this.#in(["tables"], "readonly", (tables) => tables.get(table));
    if (!kept?.keep) return undefined;
    const log = await this.#in(["log"], "readonly", (entries) => entries.getAll(whole(table)));
    return { keep: kept.keep, secret: kept.secret, log };
  }

  /** Forgets a table. */
  forget = (table) =>
    this.#in(["tables", "log"], "readwrite", (tables, log) => {
      tables.delete(table);
      log.delete(whole(table));
    });

  /** Carries out effects that store something. An entry at a height where there is one already fails: another tab plays. */
  async write(table, effects) {
    await this.#in(["tables", "log"], "readwrite", (tables, log) => {
      const change = {};
      for (const effect of effects) {
        if (effect.kind === "keep") change.keep = effect.text;
        if (effect.kind === "secret") change.secret = effect.bytes.slice();
        if (effect.kind === "erase") change.secret = undefined;
        if (effect.kind === "log") log.add(effect.entry.slice(), [table, effect.height]);
      }
      if (!Object.keys(change).length) return;
      const before = tables.get(table);
      before.onsuccess = () => tables.put({ ...before.result, ...change }, table);
    });
  }
}

/** The same without storage: for as long as the page is open. */
class Brief {
  lasts = false;
  #keys = new Map();
  #tables = new Map();

  key = async (name) => this.#keys.get(name);
  setKey = async (name, value) => void this.#keys.set(name, value);
  table = async (table) => this.#tables.get(table);

  write = async (table, effects) => {
    const kept = this.#tables.get(table) ?? { keep: undefined, secret: undefined, log: [] };
    for (const effect of effects) {
      if (effect.kind === "keep") kept.keep = effect.text;
      if (effect.kind === "secret") kept.secret = effect.bytes.slice();
      if (effect.kind === "erase") kept.secret = undefined;
      if (effect.kind === "log") kept.log.push(effect.entry.slice());
    }
    this.#tables.set(table, kept);
  };
}
