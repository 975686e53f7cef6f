// The results of an audit, deck by deck, as data; `verdicts.js` puts them into words.

import { cardName, commitmentsDigest, hex, holds, unhex } from './house.js';
import { fourWords } from './words.js';

/** The checks of a deck, finished or being made; `session` is in hexadecimal. */
export function deckChecks(deck, players, session) {
  const parts = [...deck.parts].sort(([one], [two]) => one - two);
  const outs = parts.filter(([, part]) => part.is === 'out').map(([seat, { why }]) => ({ seat, why }));
  const check = (kind, ok, more) => ({ kind, ok, deal: deck.deal, deck: deck.number, of: madeOf(deck), ...more });
  const pending = (done) => (done ? {} : { why: 'pending' });
  const [all, made] = [parts.length === players, deck.root !== null];
  const seats = parts.filter(([, { is }]) => is === 'revealed').map(([seat]) => seat);
  const committed = parts.filter(([, part]) => part.commitment);
  const commitments = {
    house: hex(deck.commitment),
    seats: committed.map(([seat, part]) => ({ seat, commitment: hex(part.commitment) })),
  };
  const checks = [
    check('commitments', all || null, { ...commitments, words: words(deck, players, session), ...pending(all) }),
    check('seeds', made || null, { seats, ...pending(made) }),
  ];
  if (outs.length > 0) checks.push(check('left_out', null, { seats: outs, why: 'said_by_house' }));
  if (!made) return checks;
  checks.push(check('fixed', true, { cards: deck.count, root: hex(deck.root) }));
  if (deck.opened.size > 0) checks.push(check('openings', true, { cards: deck.opened.size }));
  const repeated = deck.order !== null;
  const kept = deck.publish === 'never' ? 'kept' : 'later';
  const why = repeated ? {} : { why: deck.published ? 'source_unknown' : kept };
  checks.push(check('shuffle', repeated || null, { seats, publish: deck.publish, ...why }));
  // Cards that became public are covered by the openings.
  const told = repeated ? deck.private.size : [...deck.private.keys()].filter((slot) => !deck.opened.has(slot)).length;
  if (told > 0) checks.push(check('private', repeated || null, { cards: told, seats: [...deck.holders], ...why }));
  return checks;
}

/** The kind of a deck, once it is known: lots have codes that no card has. */
function madeOf({ source }) {
  if (!source) return undefined;
  if (source.codes === undefined) return 'again';
  return cardName(source.codes[0])?.startsWith('d') ? 'lots' : 'cards';
}

/** The commitments everybody saw before revealing, as the house sends them; null until every seat is settled. */
function shown(deck, players) {
  if (deck.parts.size < players) return null;
  const pledge = ({ commitment, why }) => (commitment ? { commitment: hex(commitment) } : { left_out: why });
  const seats = Array.from({ length: players }, (_, seat) => pledge(deck.parts.get(seat)));
  return { publish: deck.publish, house: hex(deck.commitment), seats };
}

/** The four words of a deck. */
function words(deck, players, session) {
  const all = shown(deck, players);
  return all ? fourWords(commitmentsDigest(session, deck.number, all)) : undefined;
}

/**
 * Whether the record matches what this browser kept. `kept` has the `sessions` of the table and the `lists` of commitments,
 * as `Kept` has them; `session` is that of the record in hexadecimal.
 */
export function keptChecks(kept, session, decks, players, ended) {
  if (kept === undefined) return [];
  const { sessions, lists } = kept, of = (number) => lists.filter((list) => list.session === session && list.deck === number);
  const checks = sessions.some((one) => one !== session) ? [{ kind: 'session', ok: false, why: 'other_session' }] : [];
  for (const deck of decks) {
    const check = { kind: 'kept', deal: deck.deal, deck: deck.number, of: madeOf(deck) };
    checks.push({ ...check, ...isKept(session, deck, of(deck.number), players) });
  }
  // A deck that is being made is not in the record yet.
  const last = Math.max(-1, ...decks.map(({ number }) => number)), known = new Set(decks.map(({ number }) => number));
  const missing = lists.filter((list) => list.session === session && !known.has(list.deck) && (ended || list.deck < last));
  return [...checks, ...missing.map(({ deck }) => ({ kind: 'kept', ok: false, why: 'missing', deck }))];
}

function isKept(session, deck, lists, players) {
  if (lists.length > 1) return { ok: false, why: 'twice' };
  if (lists.length === 0) return { ok: null, why: deck.root ? 'not_kept' : 'pending' };
  const all = shown(deck, players), digest = (list) => hex(commitmentsDigest(session, deck.number, list) ?? []);
  if (all === null) return { ok: null, why: 'pending' };
  return digest(all) === digest(lists[0].commitments) ? { ok: true } : { ok: false, why: 'differs' };
}

/** Whether the seed of this browser's seat is in the order of each deck. `answers` are what it has sent, by deck. */
export function ownSeeds({ seat, answers }, decks) {
  if (seat === undefined || answers === undefined) return [];
  return decks.map((deck) => {
    const check = { kind: 'own_seed', deal: deck.deal, deck: deck.number, of: madeOf(deck), seat };
    return { ...check, ...ownSeed(deck.parts.get(seat), answers[deck.number] ?? []) };
  });
}

function ownSeed(part, mine) {
  if (part === undefined) return { ok: null, why: 'pending' };
  if (part.is === 'out') {
    return { ok: mine.some((answer) => contradicts(answer, part.why)) ? false : null, why: 'left_out', said: part.why };
  }
  if (!mine.some(({ commitment }) => commitment === hex(part.commitment))) {
    // The house had taken another one from this browser; otherwise another device of the same player was faster.
    return mine.some(({ commit }) => commit === 'taken') ? { ok: false, why: 'replaced' } : { ok: null, why: 'elsewhere' };
  }
  return part.is === 'revealed' ? { ok: true } : { ok: null, why: 'pending' };
}

/** Whether this reason for leaving out a seat is false, given its answers. */
function contradicts({ commit, reveal }, why) {
  const arrived = (answer) => ['taken', 'already', 'ignored'].includes(answer);
  switch (why) {
    case 'no_commitment': case 'silent': case 'declined': return arrived(commit);
    case 'no_seed': case 'mismatch': return arrived(reveal);
    // A player can leave at any time before the seed has been taken.
    default: return reveal === 'taken' || reveal === 'already';
  }
}

/** Whether the cards that the house showed only to this seat are the ones it had fixed. One check for each deck. */
export function ownCards({ openings = [] }, session, byNumber) {
  const numbers = [...new Set(openings.map(({ slot }) => deckOf(slot)))];
  return numbers.map((number) => {
    const deck = byNumber.get(number);
    const own = openings.filter(({ slot }) => deckOf(slot) === number);
    const bad = own.find((opening) => !isOwnCard(session, deck, opening));
    const check = { kind: 'own_cards', ok: bad === undefined, deal: deck?.deal, deck: number, of: madeOf(deck ?? {}), cards: own.length };
    return bad ? { ...check, why: 'not_fixed', slot: bad.slot } : check;
  });
}

/** Whether the root fixes this card and the record does not contradict it. */
function isOwnCard(session, deck, { slot, card, salt, path }) {
  if (!deck?.root) return false;
  const [bytes, hashes] = [unhex(salt), (path ?? []).map(unhex)];
  const code = Array.from({ length: 128 }, (_, i) => i).find((i) => cardName(i) === card);
  if (bytes === null || hashes.includes(null) || code === undefined) return false;
  const written = [deck.opened.get(slot), deck.private.get(slot)].filter((known) => known !== undefined);
  const opening = { index: indexOf(slot), code, salt: bytes, path: hashes };
  return holds(session, deck.number, deck.count, deck.root, opening) && written.every((known) => known === card);
}

/** The number of a slot's deck. */
export const deckOf = (slot) => Number(slot.split(':')[0]);

/** The index of a slot in its deck. */
export const indexOf = (slot) => Number(slot.split(':')[1]);
