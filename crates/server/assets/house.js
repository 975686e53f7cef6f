// The computations of the house and its players: commitments, the shuffle, and the tree that fixes the cards.
// docs/verify.md describes it under "The lines of a house".

import { concat, hashFields, le, sha256, text } from './sha256.js';

const RANKS = '23456789TJQKA';
const SUITS = 'CDHS';
const NATURALS = 52;
const JOKER = 52;
const LOTS = 64;
const MOST_PIPS = 63;

/** Bytes as text. */
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** The bytes of a text in lowercase hexadecimal digits, or null. */
export function unhex(digits) {
  if (typeof digits !== 'string' || !/^([0-9a-f]{2})*$/.test(digits)) return null;
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) => parseInt(digits.slice(2 * i, 2 * i + 2), 16));
}

/** A card as a record writes it, `7S`, `JK` or `d3`; null if no card has this code. */
export function cardName(code) {
  if (code < NATURALS) return RANKS[code % 13] + SUITS[Math.floor(code / 13)];
  if (code === JOKER) return 'JK';
  return code >= LOTS && code <= LOTS + MOST_PIPS ? `d${code - LOTS}` : null;
}

/**
 * The codes of a pack in its first order, or null if there is no such pack. The first copies have one joker more
 * if the jokers cannot be shared evenly.
 */
export function packCodes(decks, jokers) {
  const possible = Number.isInteger(decks) && Number.isInteger(jokers) && decks >= 1 && decks <= 8;
  if (!possible || jokers < 0 || jokers > 3 * decks) return null;
  const codes = [];
  for (let copy = 0; copy < decks; copy += 1) {
    for (let code = 0; code < NATURALS; code += 1) codes.push(code);
    const here = Math.floor(jokers / decks) + (copy < jokers % decks ? 1 : 0);
    for (let i = 0; i < here; i += 1) codes.push(JOKER);
  }
  return codes;
}

/** The codes of `count` lots in their first order. */
export function lotCodes(count) {
  return Array.from({ length: count }, (_, i) => LOTS + 1 + i);
}

/** The commitment of a seat: `seed` has `seed` and `nonce`, 32 bytes each. */
export function seatCommitment(session, deck, seat, { seed, nonce }) {
  return commitment(session, concat(text('s'), le(seat, 1)), concat(le(deck, 4), seed), nonce);
}

/** The commitment of the house, with the code for when it will publish. */
export function houseCommitment(session, deck, publish, { seed, nonce }) {
  return commitment(session, text('house'), concat(le(deck, 4), le(publish, 1), seed), nonce);
}

function commitment(session, player, payload, nonce) {
  return hashFields(text('cg/v1/commit/'), text('seed'), session, player, payload, nonce);
}

/** When the house publishes its seeds, by code. */
export const PUBLISH = ['never', 'after_deal', 'after_match'];

/** Why a seat is left out, by code. */
export const LEFT_OUT = ['no_commitment', 'no_seed', 'mismatch', 'computer', 'silent', 'declined', 'gone'];

/**
 * A hash of all commitments to a deck, `{ publish, house, seats }`, with an entry for every seat: `{ commitment }` or
 * `{ left_out }`. Everything is in hexadecimal or in words, as the house sends it; null if it is malformed.
 */
export function commitmentsDigest(session, deck, { publish, house, seats }) {
  const byte = (list, word) => (list.includes(word) ? le(list.indexOf(word), 1) : null);
  const pledges = seats.map(({ commitment, left_out: why }) => {
    const body = commitment === undefined ? byte(LEFT_OUT, why) : unhex(commitment);
    return body && concat(le(commitment === undefined ? 0 : 1, 1), body);
  });
  const parts = [unhex(session), le(deck, 4), byte(PUBLISH, publish), unhex(house)];
  if ([...parts, ...pledges].some((part) => !part)) return null;
  return hashFields(text('fairdeal/house/v1/commitments'), ...parts, concat(...pledges));
}

/** The seed of the shuffle; `seats` are pairs of a seat and its seed, in seat order. */
export function combinedSeed(session, deck, house, seats) {
  const all = concat(...seats.flatMap(([seat, seed]) => [le(seat, 1), seed]));
  return hashFields(text('fairdeal/house/v1/combined'), session, le(deck, 4), house, all);
}

/** Fisher–Yates from the last place down to the second, by the words of SHA-256(seed, counter). */
export function shuffled(seed, items) {
  const out = [...items];
  const below = words(seed);
  for (let last = out.length - 1; last > 0; last -= 1) {
    const partner = below(last + 1);
    [out[last], out[partner]] = [out[partner], out[last]];
  }
  return out;
}

/** Draws numbers below a bound, all equally likely: words beyond the largest multiple of the bound are discarded. */
function words(seed) {
  const most = 2n ** 64n - 1n;
  let counter = 0;
  let block = null;
  let used = 32;
  const next = () => {
    if (used >= 32) {
      block = new DataView(sha256(concat(seed, le(counter, 8))).buffer);
      counter += 1;
      used = 0;
    }
    used += 8;
    return block.getBigUint64(used - 8, true);
  };
  return (bound) => {
    const choices = BigInt(bound);
    const beyond = ((most % choices) + 1n) % choices;
    for (;;) {
      const word = next();
      if (word <= most - beyond) return Number(word % choices);
    }
  };
}

/** Identifies the tree of one deck. */
const place = (session, deck) => hashFields(text('fairdeal/house/v1/deck'), session, le(deck, 4));

/** The root that fixes these cards, whose salts follow from the seed of the house. */
export function rootOf(session, deck, house, codes) {
  const here = place(session, deck);
  let level = codes.map((code, index) => {
    const salt = hashFields(text('fairdeal/house/v1/salt'), here, house, le(index, 2));
    return leafHash(here, codes.length, index, salt, code);
  });
  while (level.length > 1) {
    const above = [];
    for (let i = 0; i < level.length; i += 2) {
      // A hash without a neighbour goes up unchanged.
      above.push(i + 1 < level.length ? nodeHash(level[i], level[i + 1]) : level[i]);
    }
    level = above;
  }
  return rootHash(here, codes.length, level[0]);
}

/** Whether the root of a deck of `count` cards fixes this card. `opening` has `index`, `code`, `salt` and `path`. */
export function holds(session, deck, count, root, { index, code, salt, path }) {
  if (index >= count) return false;
  const here = place(session, deck);
  const beside = [...path];
  let hash = leafHash(here, count, index, salt, code);
  for (let width = count, at = index; width > 1; width = Math.ceil(width / 2), at >>= 1) {
    if ((at ^ 1) >= width) continue;
    const other = beside.shift();
    if (other === undefined) return false;
    hash = at % 2 === 0 ? nodeHash(hash, other) : nodeHash(other, hash);
  }
  return beside.length === 0 && equal(root, rootHash(here, count, hash));
}

function leafHash(here, count, index, salt, code) {
  return hashFields(text('fairdeal/merkle/v1/leaf'), here, concat(le(count, 4), le(index, 4)), salt, le(code, 1));
}

const nodeHash = (left, right) => sha256(concat(text('fairdeal/merkle/v1/node'), left, right));

const rootHash = (here, count, top) => hashFields(text('fairdeal/merkle/v1/root'), here, le(count, 4), top);

/** Whether these are the same bytes. */
export const equal = (one, two) => one.length === two.length && one.every((byte, i) => byte === two[i]);
