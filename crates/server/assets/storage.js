// Where this browser keeps things for longer than a page lasts, and a stand-in for where it does not let us.

/** A storage that is forgotten with the page. */
class Brief {
  #items = new Map();

  get length() {
    return this.#items.size;
  }

  key(i) {
    return [...this.#items.keys()][i] ?? null;
  }

  getItem(key) {
    return this.#items.get(key) ?? null;
  }

  setItem(key, value) {
    this.#items.set(key, value);
  }

  removeItem(key) {
    this.#items.delete(key);
  }
}

/** One for the whole page. */
export const brief = new Brief();

/** The browser's storage, or where it has none to give, the one that lasts as long as the page. */
export function ownStorage() {
  try {
    localStorage.getItem('fairdeal');
    return localStorage;
  } catch {
    return brief;
  }
}

/** Keeps something, if there is room. */
export function put(storage, key, text) {
  try {
    storage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

/** The names of everything that is kept under this one. */
export function names(storage, under) {
  return Array.from({ length: storage.length }, (_, i) => storage.key(i)).filter((key) => key?.startsWith(under));
}

/** What was kept; null if somebody has spoiled it. */
export function read(storage, key) {
  try {
    const kept = JSON.parse(storage.getItem(key));
    return kept instanceof Object ? kept : null;
  } catch {
    return null;
  }
}
