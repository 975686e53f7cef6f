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

/** The name of what a host offers at a table. */
export const offer = (table) => `offer ${table}`;
const whole = (table) => IDBKeyRange.bound([table, 0], [table, Infinity]);

const same = (one, other) => one?.length === other?.length && (one ?? []).every((byte, at) => byte === other[at]);

class Vault {
  lasts = true;
  #db;
  /** The secret of each table as this tab knows it. */
  #secrets = new Map();

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

  /** What has this name; if there is nothing, `value` from now on, also for other tabs. */
  async keyOr(name, value) {
    let kept = value;
    await this.#in(["keys"], "readwrite", (keys) => {
      const before = keys.get(name);
      before.onsuccess = () => {
        if (before.result === undefined) keys.put(value, name);
        else kept = before.result;
      };
    });
    return kept;
  }

  /** What is stored about a table, as the module takes it; undefined if nothing is. */
  async table(table) {
    // Together: another tab may write meanwhile.
    const [about, entries] = await this.#in(["tables", "log"], "readonly", (tables, log) => [tables.get(table), log.getAll(whole(table))]);
    const kept = about.result;
    if (!kept?.keep) return undefined;
    this.#secrets.set(table, kept.secret);
    return { keep: kept.keep, secret: kept.secret, log: entries.result };
  }

  /** The tables that are kept, with what the module wants to be kept about them. */
  async tables() {
    const [names, all] = await this.#in(["tables"], "readonly", (tables) => [tables.getAllKeys(), tables.getAll()]);
    return names.result.map((table, at) => ({ table, ...all.result[at] }));
  }

  /** Forgets a table. */
  forget = (table) =>
    this.#in(["tables", "log", "keys"], "readwrite", (tables, log, keys) => {
      tables.delete(table);
      log.delete(whole(table));
      keys.delete(offer(table));
    });

  /**
   * Carries out effects that store something. It fails if another tab has stored something else meanwhile: another entry at that
   * height, or another secret. What is there already is fine.
   */
  async write(table, effects) {
    const change = {};
    await this.#in(["tables", "log"], "readwrite", (tables, log) => {
      for (const effect of effects) {
        if (effect.kind === "keep") change.keep = effect.text;
        if (effect.kind === "secret") change.secret = effect.bytes.slice();
        if (effect.kind === "erase") change.secret = undefined;
        if (effect.kind === "log") {
          const place = [table, effect.height], entry = effect.entry.slice(), before = log.get(place);
          // Adding to what is there fails.
          before.onsuccess = () => { if (!same(before.result, entry)) log.add(entry, place); };
        }
      }
      if (!Object.keys(change).length) return;
      change.at = Date.now();
      const before = tables.get(table);
      before.onsuccess = () => {
        const known = !("secret" in change) || same(before.result?.secret, this.#secrets.get(table));
        tables[known ? "put" : "add"]({ ...before.result, ...change }, table);
      };
    });
    if ("secret" in change) this.#secrets.set(table, change.secret);
  }
}

/** The same without storage: for as long as the page is open. */
class Brief {
  lasts = false;
  #keys = new Map();
  #tables = new Map();

  key = async (name) => this.#keys.get(name);
  setKey = async (name, value) => void this.#keys.set(name, value);
  keyOr = async (name, value) => {
    if (!this.#keys.has(name)) this.#keys.set(name, value);
    return this.#keys.get(name);
  };
  table = async (table) => this.#tables.get(table);
  tables = async () => [];

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
