// The browser's storage, which outlasts the page, and a stand-in for when the browser does not allow it.

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

/** The browser's storage, or the one that lasts as long as the page if there is none. */
export function ownStorage() {
  try {
    localStorage.getItem('fairdeal');
    return localStorage;
  } catch {
    return brief;
  }
}

/** Stores a text, if there is room; returns whether it did. */
export function put(storage, key, text) {
  try {
    storage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

/** The keys that start with this prefix. */
export function names(storage, under) {
  return Array.from({ length: storage.length }, (_, i) => storage.key(i)).filter((key) => key?.startsWith(under));
}

/** A stored object; null if it is missing or damaged. */
export function read(storage, key) {
  try {
    const kept = JSON.parse(storage.getItem(key));
    return kept instanceof Object ? kept : null;
  } catch {
    return null;
  }
}
