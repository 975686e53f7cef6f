// A seat's part in the shuffle: a seed for every deck, which nobody knows until all have committed to theirs.
//
//   const seeds = new Seeds(session, seat);
//   send(seeds.commit(deck));                  asked for commitments
//   send(seeds.reveal(deck, commitment));      asked for seeds, the commitment being the one on record
//   seeds.taken(deck, commitment);             the house has taken it
//   verify(record, { seat, seeds: seeds.used() });
//
// A seed must survive a reload of the page: a seat that cannot reveal what it committed to is left out. Where the
// browser can keep no more, those that were taken are forgotten, oldest first; and where it keeps nothing at all, a seed
// lasts as long as the page.

import { hex, seatCommitment, unhex } from './house.js';

const PREFIX = 'fairdeal/seed';

/** So many seeds of decks that are over are kept, to be looked for in records. */
const MOST_OVER = 500;

/** After so many milliseconds a deck is over, whether or not its seed was asked for. */
const LONG_OVER = 7 * 24 * 3600 * 1000;

/** A new seed and the nonce that hides it, 32 bytes each. */
export function makeSeed() {
  const random = () => crypto.getRandomValues(new Uint8Array(32));
  return { seed: random(), nonce: random() };
}

/** What the seat sends before anybody reveals; everything in hexadecimal but for the seed. */
export function commitment(session, deck, seat, seed) {
  return hex(seatCommitment(unhex(session), deck, seat, seed));
}

/** The seeds of one seat at one table, `session` being the id of its record in hexadecimal. */
export class Seeds {
  constructor(session, seat, storage = ownStorage()) {
    this.session = session;
    this.seat = seat;
    this.storage = storage;
  }

  /** The commitment to send for a deck: to the seed that was made before, if there is one. */
  commit(deck) {
    const [made] = this.entries(deck);
    if (made) return made.commitment;
    const seed = makeSeed();
    const of = commitment(this.session, deck, this.seat, seed);
    this.keep(deck, of, { seed: hex(seed.seed), nonce: hex(seed.nonce) });
    return of;
  }

  /**
   * The seed and nonce to send for a deck, in hexadecimal. Two pages of one player may have made a seed each, so it
   * is looked up by the commitment that the house has on record. Null if that was made elsewhere.
   */
  reveal(deck, onRecord) {
    const entry = this.entries(deck).find((made) => made.commitment === onRecord);
    return entry ? { seed: entry.seed, nonce: entry.nonce } : null;
  }

  /** The house has taken the seed: it is secret no more, and kept only to be looked for in the record. */
  taken(deck, onRecord) {
    for (const { commitment: of, seed, nonce } of this.entries(deck)) {
      if (of === onRecord) this.keep(deck, of, { seed, nonce, revealed: true });
      else for (const storage of [this.storage, brief]) storage.removeItem(this.key(deck, of));
    }
  }

  /** The seeds of all decks, as `verify` wants them. */
  used() {
    const used = {};
    for (const { deck, seed, nonce, revealed = false } of this.entries()) {
      if (!used[deck]?.revealed) used[deck] = { seed, nonce, revealed };
    }
    return used;
  }

  /** Makes room: the seeds of all tables that nobody will ask for any more are forgotten, but for the newest. */
  forget(newest) {
    const over = names(this.storage).filter((key) => key.startsWith(`${PREFIX}/`)).flatMap((key) => {
      const { revealed = false, at = 0 } = readable(this.storage.getItem(key)) ?? { revealed: true };
      return revealed || Date.now() - at > LONG_OVER ? [{ key, at }] : [];
    });
    const old = over.sort((one, two) => one.at - two.at).slice(0, Math.max(0, over.length - newest));
    for (const { key } of old) this.storage.removeItem(key);
  }

  key(deck, of) {
    return `${PREFIX}/${this.session}/${this.seat}/${deck}/${of}`;
  }

  keep(deck, of, seed) {
    const [key, text] = [this.key(deck, of), JSON.stringify({ ...seed, at: Date.now() })];
    if (seed.revealed) this.forget(MOST_OVER);
    for (const newest of [MOST_OVER / 10, 0]) {
      if (put(this.storage, key, text)) return;
      this.forget(newest);
    }
    // Where something else has filled it: better a seed that lasts as long as the page than none.
    if (!put(this.storage, key, text)) brief.setItem(key, text);
  }

  /** What is kept, for one deck or for all, in an order that all pages share. */
  entries(only = undefined) {
    const start = `${PREFIX}/${this.session}/${this.seat}/`;
    return names(this.storage)
      .concat(names(brief))
      .filter((key) => key.startsWith(only === undefined ? start : `${start}${only}/`))
      .sort()
      .flatMap((key) => {
        const [deck, of] = key.slice(start.length).split('/');
        const kept = readable(this.storage.getItem(key) ?? brief.getItem(key));
        return kept ? [{ deck: Number(deck), commitment: of, ...kept }] : [];
      });
  }
}

/** Keeps something, if there is room. */
function put(storage, key, text) {
  try {
    storage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

/** The names of everything that is kept. */
function names(storage) {
  return Array.from({ length: storage.length }, (_, i) => storage.key(i));
}

/** What was kept; nothing if somebody has spoiled it. */
function readable(kept) {
  try {
    const seed = JSON.parse(kept);
    return unhex(seed.seed)?.length === 32 && unhex(seed.nonce)?.length === 32 ? seed : null;
  } catch {
    return null;
  }
}

/** The browser's storage, or where it has none to give, one that lasts as long as the page. */
function ownStorage() {
  try {
    localStorage.getItem(PREFIX);
    return localStorage;
  } catch {
    return brief;
  }
}

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

/** One for all seats of the page. */
const brief = new Brief();
