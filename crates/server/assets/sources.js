// What each deck of a deal is made of, before it is shuffled: a pack, lots, or cards that were used before.
//
// The rules say so, and a page does not know the rules; but where the cards come from can be told from the setup of
// the deal and from what was played. If the house could choose the first order of a deck after it has seen the
// seeds, it could choose the cards.

import { lotCodes, packCodes } from './house.js';

/** The pack of each game: copies and jokers. */
const PACKS = {
  holdem: () => [1, 0],
  blackout: () => [1, 0],
  ongdu: () => [1, 3],
  blackjack: ({ decks }) => [decks, 0],
  romme: ({ jokers }) => [2, jokers],
  bigc: ({ decks }) => [decks, 2 * decks],
};

/** Who begins, by game: where the setup does not say, lots are drawn before the cards are dealt. */
const DRAWN = { holdem: 'button', blackout: 'dealer', ongdu: 'starter', romme: 'dealer' };

/** In Blackout dice are thrown; elsewhere there is a lot for every seat that takes part. */
const SIDES = 20;
const MOST_SEATS = 12;

/** The decks of one deal. */
export class Sources {
  constructor(game, setup) {
    this.game = game;
    this.setup = setup;
    this.pack = Object.hasOwn(PACKS, game) ? packCodes(...PACKS[game](setup)) : null;
    this.packMade = false;
    /** The cards that can be shuffled anew, in the order in which the rules list them. */
    this.pile = [];
    /** Big-C: the hand on the table, which is not in the pile yet. */
    this.laid = [];
    /** Big-C: the deck that cards are drawn from. */
    this.stock = null;
    this.played = false;
    this.someLeft = false;
  }

  /**
   * What the next deck is made of: `{ codes }`, or `{ slots }` where cards are used again, or `{}` where it cannot be
   * told from a record. The number of cards tells lots from packs. Null if the deal has no such deck.
   */
  next(deck, count) {
    const { game, setup, pack } = this;
    if (pack === null) return null;
    if (game === 'blackjack' && setup.shoe) {
      return setup.shoe.used === count ? { slots: run(setup.shoe.deck, 0, count) } : null;
    }
    if (!this.packMade && count === pack.length) {
      this.packMade = true;
      this.stock = { deck, count };
      return { codes: pack };
    }
    if (this.drawsLots()) {
      const fits = game === 'blackout' ? count === SIDES : count >= 1 && count <= MOST_SEATS;
      return fits ? { codes: lotCodes(count) } : null;
    }
    if (!this.packMade) return null;
    if (game === 'romme') {
      const [top] = this.pile.slice(-1);
      const below = this.pile.slice(0, -1);
      this.pile = top === undefined ? [] : [top];
      return sized(count, { slots: below });
    }
    return game === 'bigc' ? this.nextStock(deck, count) : null;
  }

  /** In Big-C lots decide, after the cards are dealt and before any is played, between those who showed the same. */
  drawsLots() {
    const { game, setup, packMade, played } = this;
    if (game === 'bigc') return packMade && !played;
    return !packMade && Object.hasOwn(DRAWN, game) && (setup[DRAWN[game]] ?? null) === null;
  }

  /** Big-C: what is left in the stock, and all hands played but for the one on the table. */
  nextStock(deck, count) {
    const left = count - this.pile.length;
    const { deck: old, count: end } = this.stock;
    const slots = [...run(old, Math.max(end - left, 0), end), ...this.pile];
    this.stock = { deck, count };
    this.pile = [];
    // A hand that somebody left behind lies under the pile, and nobody else knows which cards it had.
    return this.someLeft ? {} : sized(count, { slots });
  }

  /** Follows the piles: an input of the record, the slots that it opens, and the action if it is one. */
  input(kind, open, action) {
    if (kind === 'gone') this.someLeft = true;
    if (this.game === 'romme') {
      if (kind === 'dealt' && this.packMade && !this.played) {
        this.pile = open;
        this.played = true;
      } else if (action === 'draw_discard') {
        this.pile.pop();
      } else if (action?.discard !== undefined) {
        this.pile.push(action.discard);
      }
    } else if (this.game === 'bigc' && action?.play !== undefined) {
      this.pile.push(...this.laid);
      this.laid = Array.isArray(action.play) ? action.play : [];
      this.played = true;
    }
  }
}

const run = (deck, from, to) => Array.from({ length: Math.max(to - from, 0) }, (_, i) => `${deck}:${from + i}`);

const sized = (count, source) => (source.slots.length === count ? source : null);
