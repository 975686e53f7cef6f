// Checks the evidence in the record of a house, as far as a page can: for a browser that played, or for anybody who
// has the record, during a match or after it.
//
// It repeats everything about the cards and nothing about the rules: `fairdeal verify`, which replays the record,
// checks whether the moves were legal.

import { Flaw, isSeat, readEvidence, sessionOf } from './evidence.js';
import { deckChecks, deckOf, indexOf, keptChecks, ownCards, ownSeeds } from './findings.js';
import { PUBLISH, cardName, combinedSeed, equal, hex, holds, houseCommitment, rootOf, seatCommitment, shuffled } from './house.js';
import { Sources } from './sources.js';

const INPUTS = ['dealt', 'act', 'choices', 'gone', 'broken'];

/**
 * Checks a record, complete or not.
 *
 * `own` is what this browser knows on its own, each part optional: `seat`; `kept`, the `sessions` and `lists` of
 * commitments that it has seen (`kept.js`); `answers`, what it sent for each deck (`fairness.js`); `openings` of its
 * own cards, as the house gives them: `{ slot, card, salt, path }`.
 *
 * Returns `{ ok, complete, checks, summary }`. A check has `kind`, `ok` (true, false, or null if nothing is known,
 * or not yet), `deal`, mostly `deck`, `of` (`lots`, the `cards` of the deal, or cards that are shuffled `again`)
 * once that is known, `why` if it is not true, and the fields of its kind:
 *
 * - `session`: this browser has seen one session of the table, that of the record; there is no check if so
 * - `commitments`: what the `house` and the `seats` (`{ seat, commitment }`) committed to before anybody revealed, and
 *   four `words` for that
 * - `kept`: they are the ones that this browser was shown, and kept, before it revealed its own seed
 * - `seeds`: the seeds of `seats` match their commitments
 * - `own_seed`: the one of this browser's `seat` is in the order, unchanged
 * - `left_out`: `seats`, each with the reason given by the house
 * - `fixed`: all `cards` were fixed by the `root`, after the seeds and before any was dealt
 * - `openings`: the `cards` that became public are the ones fixed, and the ones in the record
 * - `own_cards`: so are the `cards` of this browser's own seat
 * - `shuffle`: the order follows from the seeds of the house and of the `seats`; `publish` says when the house shows
 *   its seed
 * - `private`: the `cards` that single `seats` were dealt, by the record, match the order
 * - `line`: a line (`line`, from 1) is damaged or misplaced; nothing after a wrong line is checked
 */
export function verify(recordText, own = {}) {
  const audit = new Audit(own);
  let flaw = null;
  let number = 0;
  try {
    for (const line of lines(recordText)) {
      number += 1;
      audit.line(line);
    }
    number += 1;
    audit.end();
  } catch (error) {
    if (!(error instanceof Flaw)) throw error;
    const { kind, why, details } = error;
    const deal = audit.byNumber.get(details.deck)?.deal ?? audit.deal;
    flaw = { kind, ok: false, deal, why, line: number, ...details };
  }
  const isFlaw = ({ kind, deal, deck }) => kind === flaw?.kind && deal === flaw.deal && deck === flaw.deck;
  const checks = audit.checks().filter((check) => !isFlaw(check));
  if (flaw) checks.push(flaw);
  const count = (ok) => checks.filter((check) => check.ok === ok).length;
  const summary = { decks: audit.decks.length, passed: count(true), failed: count(false), open: count(null) };
  return { ok: summary.failed === 0, complete: flaw === null && audit.ended, checks, summary };
}

function lines(recordText) {
  const all = recordText.split('\n');
  return all.at(-1) === '' ? all.slice(0, -1) : all;
}

class Audit {
  constructor(own) {
    this.own = own;
    this.header = null;
    this.deal = 0;
    /** Of the deal being played; null between deals. */
    this.sources = null;
    this.height = 0;
    /** All decks of the record, and those of this session by number. */
    this.decks = [];
    this.byNumber = new Map();
    this.session = null;
    this.next = 0;
    this.publish = null;
    /** Cards opened since the last input, which the next one must make public: slots to names. */
    this.opened = new Map();
    /** The house has closed the session. */
    this.ended = false;
  }

  line(line) {
    const [kind, content] = parse(line);
    if (this.header === null) {
      if (kind !== 'fairdeal' || content.dealer !== 'house') throw new Flaw('line', 'no_house');
      if (!isSeat(content.players - 1)) throw new Flaw('line', 'malformed');
      this.header = content;
    } else if (kind === 'evidence') {
      this.hear(readEvidence(line, content, this.liveSession(), this.next));
      this.next += 1;
    } else if (kind === 'deal' && this.sources === null) {
      this.begin(content);
    } else if (kind === 'end' && this.sources !== null) {
      this.sources = null;
    } else if (INPUTS.includes(kind) && this.sources !== null) {
      this.input(kind, content);
    } else {
      throw new Flaw('line', 'misplaced');
    }
  }

  liveSession() {
    if (this.session === null) throw new Flaw('line', 'misplaced');
    if (this.ended) throw new Flaw('line', 'ended');
    return this.session;
  }

  begin({ number, setup }) {
    if (number !== this.deal + 1 || !(setup instanceof Object)) throw new Flaw('line', 'misplaced');
    const single = this.header.settings === undefined;
    const first = setup.shoe?.deck ?? setup.first_deck ?? 0;
    if (this.deal > 0) this.retire(single ? null : first);
    this.deal = number;
    if (single || number === 1) {
      this.session = sessionOf(this.header, number);
      Object.assign(this, { next: 0, publish: null, byNumber: new Map(), ended: false, height: 0 });
    }
    this.sources = new Sources(this.header.game, setup);
  }

  /** The end of the record. A record of a running match may end anywhere. */
  end() {
    if (this.header === null) throw new Flaw('line', 'no_house');
    if (this.ended) this.retire(null);
  }

  /** Decks before `first` can never be dealt from again; null: the session is over. */
  retire(first) {
    if (this.opened.size > 0) throw new Flaw('openings', 'unasked', { deck: deckOf([...this.opened.keys()][0]) });
    if (this.ended !== (first === null)) throw new Flaw('line', this.ended ? 'ended' : 'not_ended');
    for (const deck of this.byNumber.values()) {
      const usedUp = first === null || deck.number < first;
      const due = { never: false, after_deal: usedUp, after_match: first === null }[deck.publish];
      if (due && deck.root && !deck.published) throw new Flaw('shuffle', 'unpublished', { deck: deck.number });
      if (!usedUp && deck.published) throw new Flaw('shuffle', 'published_early', { deck: deck.number });
    }
  }

  hear(said) {
    const between = this.sources === null;
    if (between !== (said.kind === 'seed' || said.kind === 'end')) throw new Flaw('line', 'misplaced');
    switch (said.kind) {
      case 'commit':
        return said.by === 'house' ? this.houseCommits(said) : this.commits(said);
      case 'reveal':
        return this.reveals(said);
      case 'left_out':
        return this.leavesOut(said);
      case 'root':
        return this.fixes(said);
      case 'open':
        return said.openings.forEach((opening) => this.opens(opening));
      case 'seed':
        return this.publishes(said);
      default:
        this.ended = true;
        return undefined;
    }
  }

  houseCommits({ deck: number, publish, commitment }) {
    if (this.byNumber.has(number)) throw new Flaw('commitments', 'not_this_deck', { deck: number });
    this.publish ??= publish;
    if (this.publish !== publish) throw new Flaw('shuffle', 'publish_changed', { deck: number });
    const deck = { number, deal: this.deal, publish, commitment, parts: new Map(), opened: new Map() };
    // Set when the cards are fixed, when the seed is published, and when the shuffle has been repeated.
    Object.assign(deck, { count: 0, root: null, private: new Map(), holders: new Set(), source: null, published: false, order: null });
    this.byNumber.set(number, deck);
    this.decks.push(deck);
  }

  commits({ by: seat, deck: number, commitment }) {
    const deck = this.beingMade(number);
    this.seated(seat, number);
    if (deck.parts.has(seat)) throw new Flaw('commitments', 'already', { deck: number, seat });
    deck.parts.set(seat, { is: 'committed', commitment });
  }

  reveals({ by: seat, deck: number, seed, nonce }) {
    const deck = this.beingMade(number);
    const missing = this.seats().find((other) => !deck.parts.has(other));
    if (missing !== undefined) throw new Flaw('commitments', 'missing', { deck: number, seat: missing });
    const part = deck.parts.get(seat);
    if (part?.is !== 'committed') throw new Flaw('seeds', 'already', { deck: number, seat });
    if (!equal(seatCommitment(this.session, number, seat, { seed, nonce }), part.commitment)) {
      throw new Flaw('seeds', 'mismatch', { deck: number, seat });
    }
    deck.parts.set(seat, { ...part, is: 'revealed', seed, nonce });
  }

  leavesOut({ deck: number, seat, why }) {
    const deck = this.beingMade(number);
    this.seated(seat, number);
    const before = deck.parts.get(seat);
    if (before && before.is !== 'committed') throw new Flaw('left_out', 'already', { deck: number, seat });
    const untrue = before ? ['no_commitment', 'silent', 'declined'] : ['no_seed', 'mismatch'];
    if (untrue.includes(why)) throw new Flaw('left_out', 'wrong_reason', { deck: number, seat });
    deck.parts.set(seat, { ...before, is: 'out', why });
  }

  fixes({ deck: number, count, root }) {
    const deck = this.beingMade(number);
    const open = this.seats().find((seat) => !['revealed', 'out'].includes(deck.parts.get(seat)?.is));
    if (open !== undefined) throw new Flaw('seeds', 'missing', { deck: number, seat: open });
    const source = this.sources.next(number, count);
    if (source === null) throw new Flaw('fixed', 'wrong_size', { deck: number, cards: count });
    Object.assign(deck, { count, root, source });
  }

  opens(opening) {
    const slot = `${opening.deck}:${opening.index}`;
    const deck = this.fixed(slot, 'openings');
    if (!holds(this.session, deck.number, deck.count, deck.root, opening)) {
      throw new Flaw('openings', 'not_fixed', { deck: deck.number, slot });
    }
    const card = cardName(opening.code);
    if (deck.opened.has(slot)) throw new Flaw('openings', 'twice', { deck: deck.number, slot });
    if ((deck.private.get(slot) ?? card) !== card) throw new Flaw('private', 'differs', { deck: deck.number, slot });
    deck.opened.set(slot, card);
    this.opened.set(slot, card);
  }

  /** Repeats the shuffle of a deck and compares everything. */
  publishes({ deck: number, seed, nonce }) {
    const deck = this.byNumber.get(number);
    const wrong = (why, more = {}) => new Flaw('shuffle', why, { deck: number, ...more });
    if (!deck?.root || deck.published || deck.publish === 'never') throw wrong('misplaced');
    const code = PUBLISH.indexOf(deck.publish);
    if (!equal(houseCommitment(this.session, number, code, { seed, nonce }), deck.commitment)) throw wrong('mismatch');
    deck.published = true;
    const from = this.firstOrder(deck.source);
    if (from === null) return;
    const order = shuffled(combinedSeed(this.session, number, seed, revealed(deck)), from);
    if (!equal(rootOf(this.session, number, seed, order), deck.root)) throw wrong('order_differs');
    for (const [slot, card] of deck.private) {
      if (cardName(order[indexOf(slot)]) !== card) throw new Flaw('private', 'differs', { deck: number, slot });
    }
    deck.order = order;
  }

  /** The codes that a deck is made of; null if they are not known. */
  firstOrder({ codes, slots }) {
    if (codes !== undefined || slots === undefined) return codes ?? null;
    const known = slots.map((slot) => this.byNumber.get(deckOf(slot))?.order?.[indexOf(slot)]);
    return known.includes(undefined) ? null : known;
  }

  input(kind, content) {
    if (content?.height !== this.height) throw new Flaw('line', 'height');
    this.height += 1;
    const open = faces(content.open);
    if (kind === 'dealt' || kind === 'act' || kind === 'choices') this.madePublic(open);
    for (const [seat, own] of Object.entries(content.private ?? {})) this.dealtToSeat(faces(own), Number(seat));
    this.sources.input(kind, Object.keys(open), content.action);
  }

  /** The input must show exactly the cards that were opened just before it, and none that were never opened. */
  madePublic(open) {
    for (const [slot, card] of Object.entries(open)) {
      const deck = this.fixed(slot, 'openings');
      if (deck.opened.get(slot) !== card) {
        const why = deck.opened.has(slot) ? 'face_differs' : 'missing';
        throw new Flaw('openings', why, { deck: deck.number, slot });
      }
      this.opened.delete(slot);
    }
    const [unasked] = this.opened.keys();
    if (unasked !== undefined) throw new Flaw('openings', 'unasked', { deck: deckOf(unasked), slot: unasked });
  }

  dealtToSeat(own, seat) {
    for (const [slot, card] of Object.entries(own)) {
      const deck = this.fixed(slot, 'private');
      const wrong = indexOf(slot) >= deck.count || (deck.opened.get(slot) ?? card) !== card;
      if (wrong) throw new Flaw('private', 'differs', { deck: deck.number, slot });
      deck.private.set(slot, card);
      deck.holders.add(seat);
    }
  }

  seats() {
    return Array.from({ length: this.header.players }, (_, seat) => seat);
  }

  seated(seat, deck) {
    if (seat >= this.header.players) throw new Flaw('line', 'not_seated', { deck, seat });
  }

  beingMade(number) {
    const deck = this.byNumber.get(number);
    if (!deck || deck.root) throw new Flaw('line', 'not_this_deck', { deck: number });
    return deck;
  }

  /** The deck of a slot; its cards must be fixed. */
  fixed(slot, kind) {
    const deck = this.byNumber.get(deckOf(slot));
    if (!deck?.root) throw new Flaw(kind, 'deck_missing', { deck: deckOf(slot), slot });
    return deck;
  }

  /** The results for all decks, and for what this browser knows on its own. */
  checks() {
    const { own, session, decks, byNumber } = this;
    if (session === null) return [];
    const [players, id] = [this.header.players, hex(session)];
    const found = decks.flatMap((deck) => deckChecks(deck, players, id));
    const kept = keptChecks(own.kept, id, decks, players, this.ended);
    return [...found, ...kept, ...ownSeeds(own, decks), ...ownCards(own, session, byNumber)];
  }
}

/** The seeds that were revealed, in seat order. */
function revealed(deck) {
  const seeds = [...deck.parts].filter(([, part]) => part.is === 'revealed').map(([seat, { seed }]) => [seat, seed]);
  return seeds.sort(([one], [two]) => one - two);
}

function parse(line) {
  try {
    const entries = Object.entries(JSON.parse(line));
    if (entries.length === 1 && entries[0][1] instanceof Object) return entries[0];
  } catch {
    // Reported below.
  }
  throw new Flaw('line', 'malformed');
}

/** Faces as a record writes them: slots to cards. */
function faces(written = {}) {
  const whole = written instanceof Object && Object.values(written).every((card) => typeof card === 'string');
  if (!whole) throw new Flaw('line', 'malformed');
  return written;
}
