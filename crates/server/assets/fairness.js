// A seat's part in the shuffle: a seed for every deck, which nobody knows until all have committed to theirs.
//
//   const seeds = new Seeds(session, seat);
//   send(seeds.commit(deck));                  asked for commitments
//   send(seeds.reveal(deck, commitment));      asked for seeds, the commitment being the one on record
//   seeds.note(deck, commitment, { reveal: 'taken' });
//   verify(record, { seat, answers: seeds.answers() });
//
// A seed must survive a reload of the page: a seat that cannot reveal its seed is left out. When the storage is full,
// revealed seeds are forgotten, oldest first; if the browser stores nothing at all, a seed lasts as long as the page.

import { hex, seatCommitment, unhex } from './house.js';
import { brief, names, ownStorage, put, read } from './storage.js';

const PREFIX = 'fairdeal/seed';

/** The number of seeds of finished decks to keep, for checking records. */
const MOST_OVER = 500;

/** After this many milliseconds a deck counts as finished, whether or not its seed was asked for. */
const LONG_OVER = 7 * 24 * 3600 * 1000;

/** A new seed and the nonce that hides it, 32 bytes each. */
export function makeSeed() {
  const random = () => crypto.getRandomValues(new Uint8Array(32));
  return { seed: random(), nonce: random() };
}

/** The commitment that a seat sends before anybody reveals; everything is in hexadecimal except the seed. */
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

  /** The commitment to send for a deck: to the existing seed, if there is one. */
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

  /**
   * Notes what became of an answer: `{ commit }` or `{ reveal }`, which is `sent`, `taken`, `already` (the house had
   * one of this seat) or `ignored`. An answer that was taken stays taken. A seed that was sent is no longer secret, and
   * the other seeds made for its deck are no longer needed.
   */
  note(deck, of, { commit, reveal }) {
    const all = this.entries(deck), entry = all.find((made) => made.commitment === of);
    if (!entry) return;
    const { seed, nonce } = entry, later = (before, now) => (before === 'taken' ? before : now ?? before);
    const answers = { commit: later(entry.commit, commit), reveal: later(entry.reveal, reveal) };
    this.keep(deck, of, { seed, nonce, ...answers, revealed: answers.reveal !== undefined });
    if (reveal === undefined) return;
    const needless = all.filter((made) => made.commitment !== of && made.commit !== 'taken');
    for (const made of needless) for (const storage of [this.storage, brief]) storage.removeItem(this.key(deck, made.commitment));
  }

  /** This browser's answers, by deck: `{ commitment, commit, reveal }` for every commitment it made. */
  answers() {
    const answers = {};
    for (const { deck, commitment: of, commit, reveal } of this.entries()) {
      (answers[deck] ??= []).push({ commitment: of, commit, reveal });
    }
    return answers;
  }

  /** Makes room: forgets seeds of all tables that nobody will ask for any more, except the newest. */
  forget(newest) {
    const over = names(this.storage, `${PREFIX}/`).flatMap((key) => {
      const { revealed = false, at = 0 } = readable(this.storage, key) ?? { revealed: true };
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
    // If something else has filled the storage: a seed that lasts as long as the page is better than none.
    if (!put(this.storage, key, text)) brief.setItem(key, text);
  }

  /** The kept seeds, for one deck or for all, in the same order on all pages. */
  entries(only = undefined) {
    const start = `${PREFIX}/${this.session}/${this.seat}/`;
    const under = only === undefined ? start : `${start}${only}/`;
    return [...new Set([...names(this.storage, under), ...names(brief, under)])].sort().flatMap((key) => {
      const [deck, of] = key.slice(start.length).split('/');
      const kept = readable(this.storage, key) ?? readable(brief, key);
      return kept ? [{ deck: Number(deck), commitment: of, ...kept }] : [];
    });
  }
}

/** A kept seed; null if it is damaged. */
function readable(storage, key) {
  const kept = read(storage, key);
  return unhex(kept?.seed)?.length === 32 && unhex(kept?.nonce)?.length === 32 ? kept : null;
}
