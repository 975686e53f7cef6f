// Parses the lines of evidence that a house leaves in a record.

import { LEFT_OUT, PUBLISH, cardName, equal, unhex } from './house.js';
import { concat, hashFields, le, sha256, text } from './sha256.js';

const MOST_SEATS = 12;
const MOST_OPENINGS = 512;
const MOST_LEVELS = 16;

/** A failed check: its kind and why it failed, with `details`. */
export class Flaw extends Error {
  constructor(kind, why, details = {}) {
    super(`${kind}: ${why}`);
    Object.assign(this, { kind, why, details });
  }
}

/** The session that all evidence of a deal is bound to: the record's id in a match, a hash of id and number otherwise. */
export function sessionOf(header, deal) {
  const id = unhex(header.id);
  if (id?.length !== 32) throw new Flaw('line', 'no_id');
  return header.settings === undefined ? sha256(concat(text('fairdeal/session'), id, le(deal, 4))) : id;
}

/**
 * The content of a line of evidence, as an object with `kind`, `by` ('house' or the number of a seat) and the fields of
 * its kind; throws a `Flaw` unless it is written canonically and is number `number` of its session.
 */
export function readEvidence(line, parsed, session, number) {
  const { by, kind, body } = parsed ?? {};
  const seat = by === 'house' ? null : by?.seat;
  const canonical = JSON.stringify({ evidence: { by: seat === null ? 'house' : { seat }, kind, body } });
  if (canonical !== line || (seat !== null && !isSeat(seat))) throw new Flaw('line', 'not_canonical');
  const bytes = unhex(body);
  if (bytes === null || bytes.length < 12) throw new Flaw('line', 'not_hexadecimal');
  const [numbered, sum] = [bytes.subarray(0, -8), bytes.subarray(-8)];
  const author = Uint8Array.from(seat === null ? [0, 0] : [1, seat]);
  const expected = hashFields(text('fairdeal/evidence/v1'), session, author, text(kind), numbered);
  if (!equal(sum, expected.subarray(0, 8))) throw new Flaw('line', 'sum');
  const reader = new Bytes(numbered);
  if (reader.number(4) !== number) throw new Flaw('line', 'number', { expected: number });
  const read = (seat === null ? BY_HOUSE : BY_SEAT)[kind];
  if (read === undefined) throw new Flaw('line', 'unknown_kind');
  const said = { kind, by: seat ?? 'house', ...read(reader) };
  reader.finish();
  return said;
}

const BY_HOUSE = {
  commit: (from) => ({ deck: from.number(4), publish: from.word(PUBLISH), commitment: from.bytes(32) }),
  left_out: (from) => ({ deck: from.number(4), seat: from.seat(), why: from.word(LEFT_OUT) }),
  root: (from) => ({ deck: from.number(4), count: from.number(2), root: from.bytes(32) }),
  open: (from) => ({ openings: from.list(1, MOST_OPENINGS, opening) }),
  seed: (from) => ({ deck: from.number(4), seed: from.bytes(32), nonce: from.bytes(32) }),
  end: () => ({}),
};

const BY_SEAT = {
  commit: (from) => ({ deck: from.number(4), commitment: from.bytes(32) }),
  reveal: (from) => ({ deck: from.number(4), seed: from.bytes(32), nonce: from.bytes(32) }),
};

function opening(from) {
  const [deck, index, code] = [from.number(4), from.number(2), from.number(1)];
  if (cardName(code) === null) throw new Flaw('line', 'body');
  return { deck, index, code, salt: from.bytes(32), path: from.list(0, MOST_LEVELS, (hash) => hash.bytes(32)) };
}

/** Whether it is the number of a seat. */
export const isSeat = (seat) => Number.isInteger(seat) && seat >= 0 && seat < MOST_SEATS;

/** Bytes that are read from the front. */
class Bytes {
  constructor(bytes) {
    this.rest = bytes;
  }

  bytes(length) {
    if (this.rest.length < length) throw new Flaw('line', 'body');
    const taken = this.rest.subarray(0, length);
    this.rest = this.rest.subarray(length);
    return taken;
  }

  number(length) {
    return this.bytes(length).reduceRight((high, byte) => high * 256 + byte, 0);
  }

  word(among) {
    const word = among[this.number(1)];
    if (word === undefined) throw new Flaw('line', 'body');
    return word;
  }

  seat() {
    const seat = this.number(1);
    if (!isSeat(seat)) throw new Flaw('line', 'body');
    return seat;
  }

  list(least, most, item) {
    const count = this.number(2);
    if (count < least || count > most) throw new Flaw('line', 'body');
    return Array.from({ length: count }, () => item(this));
  }

  finish() {
    if (this.rest.length > 0) throw new Flaw('line', 'body');
  }
}
