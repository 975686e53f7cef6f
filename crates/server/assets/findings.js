// What an audit has found, deck by deck, as data: a page says it in words.

import { cardName, equal, hex, holds, seatCommitment, unhex } from './house.js';

/** What is known of a deck, made or being made. */
export function deckChecks(deck, players) {
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
    check('commitments', all || null, { ...commitments, ...pending(all) }),
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
  // Of those that became public, the openings tell.
  const told = repeated ? deck.private.size : [...deck.private.keys()].filter((slot) => !deck.opened.has(slot)).length;
  if (told > 0) checks.push(check('private', repeated || null, { cards: told, seats: [...deck.holders], ...why }));
  return checks;
}

/** What a deck is made of, once that is known: lots have codes that no card has. */
function madeOf({ source }) {
  if (!source) return undefined;
  if (source.codes === undefined) return 'again';
  return cardName(source.codes[0])?.startsWith('d') ? 'lots' : 'cards';
}

/** Is the seed of this browser's seat in the order of each deck? */
export function ownSeeds({ seat, seeds }, session, decks) {
  if (seat === undefined || seeds === undefined) return [];
  return decks.map((deck) => {
    const check = { kind: 'own_seed', deal: deck.deal, deck: deck.number, of: madeOf(deck), seat };
    return { ...check, ...ownSeed(session, deck, seat, seeds[deck.number]) };
  });
}

function ownSeed(session, deck, seat, seed) {
  const part = deck.parts.get(seat);
  const known = { seed: unhex(seed?.seed), nonce: unhex(seed?.nonce) };
  const mine = known.seed && known.nonce ? known : null;
  switch (part?.is) {
    case 'revealed':
    case 'committed':
      // Another device of the same player may have sent it.
      if (mine === null) return { ok: null, why: 'unknown' };
      if (!equal(seatCommitment(session, deck.number, seat, mine), part.commitment)) {
        return { ok: false, why: 'differs' };
      }
      return part.is === 'revealed' ? { ok: true } : { ok: null, why: 'pending' };
    case 'out':
      return { ok: seed?.revealed ? false : null, why: 'left_out', said: part.why };
    default:
      return { ok: null, why: 'pending' };
  }
}

/** Are the cards that the house showed to this seat alone those that it had fixed? One check for each deck. */
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

/** Does the root fix this card, and does the record not say otherwise? */
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

/** The place of a slot in its deck. */
export const indexOf = (slot) => Number(slot.split(':')[1]);
