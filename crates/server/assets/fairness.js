// A seat's part in the shuffle: a seed for every deck, which nobody knows until all have committed to theirs.
//
//   const seeds = new Seeds(session, seat);
//   send(seeds.commit(deck));                  asked for commitments
//   send(seeds.reveal(deck, commitment));      asked for seeds, the commitment being the one on record
//   seeds.note(deck, commitment, { reveal: 'taken' });
//   verify(record, { seat, answers: seeds.answers() });
//
// A seed must survive a reload of the page: a seat that cannot reveal what it committed to is left out. Where the
// browser can keep no more, those that were revealed are forgotten, oldest first; and where it keeps nothing at all, a
// seed lasts as long as the page.

import { hex, seatCommitment, unhex } from './house.js';
import { brief, names, ownStorage, put, read } from './storage.js';

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

  /**
   * Notes what became of an answer: `{ commit }` or `{ reveal }`, which is `sent`, `taken`, `already` (the house had
   * one of this seat) or `ignored`. What the house has said that it has stays so. A seed that was sent is secret no
   * more, and the others that were made for its deck are needed no more.
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

  /** What this browser has answered, by deck: `{ commitment, commit, reveal }` of every commitment that it made. */
  answers() {
    const answers = {};
    for (const { deck, commitment: of, commit, reveal } of this.entries()) {
      (answers[deck] ??= []).push({ commitment: of, commit, reveal });
    }
    return answers;
  }

  /** Makes room: the seeds of all tables that nobody will ask for any more are forgotten, but for the newest. */
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
    // Where something else has filled it: better a seed that lasts as long as the page than none.
    if (!put(this.storage, key, text)) brief.setItem(key, text);
  }

  /** What is kept, for one deck or for all, in an order that all pages share. */
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

/** A seed that was kept; nothing if somebody has spoiled it. */
function readable(storage, key) {
  const kept = read(storage, key);
  return unhex(kept?.seed)?.length === 32 && unhex(kept?.nonce)?.length === 32 ? kept : null;
}
