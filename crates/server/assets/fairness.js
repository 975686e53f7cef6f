// A seat's part in the shuffle: a seed for every deck, which nobody knows until all have committed to theirs.
//
//   const seeds = new Seeds(session, seat);
//   send(seeds.commit(deck));                  asked for commitments
//   send(seeds.reveal(deck, commitment));      asked for seeds, the commitment being the one on record
//   seeds.taken(deck, commitment);             the house has taken it
//   verify(record, { seat, seeds: seeds.used() });
//
// A seed must survive a reload of the page: a seat that cannot reveal what it committed to is left out.

import { hex, seatCommitment, unhex } from './house.js';

const PREFIX = 'fairdeal/seed';

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
      else this.storage.removeItem(this.key(deck, of));
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

  /** The match is over and nobody will look for its seeds. */
  forget() {
    for (const { deck, commitment: of } of this.entries()) this.storage.removeItem(this.key(deck, of));
  }

  key(deck, of) {
    return `${PREFIX}/${this.session}/${this.seat}/${deck}/${of}`;
  }

  keep(deck, of, seed) {
    this.storage.setItem(this.key(deck, of), JSON.stringify(seed));
  }

  /** What is kept, for one deck or for all, in an order that all pages share. */
  entries(only = undefined) {
    const start = `${PREFIX}/${this.session}/${this.seat}/`;
    const keys = Array.from({ length: this.storage.length }, (_, i) => this.storage.key(i));
    return keys
      .filter((key) => key.startsWith(only === undefined ? start : `${start}${only}/`))
      .sort()
      .flatMap((key) => {
        const [deck, of] = key.slice(start.length).split('/');
        const kept = readable(this.storage.getItem(key));
        return kept ? [{ deck: Number(deck), commitment: of, ...kept }] : [];
      });
  }
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
    localStorage.setItem(PREFIX, '');
    localStorage.removeItem(PREFIX);
    return localStorage;
  } catch {
    return new Brief();
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
