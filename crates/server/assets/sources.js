// The contents of each deck of a deal before it is shuffled: a pack, lots, or used cards.
//
// They follow from the rules, which a page does not know; but the setup of the deal and the moves show where the cards
// come from. If the house could choose the first order of a deck after it has seen the seeds, it could choose the
// cards.

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

/** The field for the first player, by game: if the setup does not set it, lots are drawn before the cards are dealt. */
const DRAWN = { holdem: 'button', blackout: 'dealer', ongdu: 'starter', romme: 'dealer' };

/** Blackout uses dice; the other games have a lot for every seat that takes part. */
const SIDES = 20;
const MOST_SEATS = 12;

/** The decks of one deal. */
export class Sources {
  constructor(game, setup) {
    this.game = game;
    this.setup = setup;
    this.pack = Object.hasOwn(PACKS, game) ? packCodes(...PACKS[game](setup)) : null;
    this.packMade = false;
    /** The cards that can be reshuffled, in the order of the rules. */
    this.pile = [];
    /** Big-C: the hand on the table, which is not in the pile yet. */
    this.laid = [];
    /** Big-C: the deck that cards are drawn from. */
    this.stock = null;
    this.played = false;
    this.someLeft = false;
  }

  /**
   * The contents of the next deck: `{ codes }`, or `{ slots }` if cards are used again, or `{}` if a record does not
   * show it. The number of cards tells lots and packs apart. Null if the deal has no such deck.
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

  /** In Big-C lots break ties between equal shown cards, after the cards are dealt and before any is played. */
  drawsLots() {
    const { game, setup, packMade, played } = this;
    if (game === 'bigc') return packMade && !played;
    return !packMade && Object.hasOwn(DRAWN, game) && (setup[DRAWN[game]] ?? null) === null;
  }

  /** Big-C: the rest of the stock, and all hands played except the one on the table. */
  nextStock(deck, count) {
    const left = count - this.pile.length;
    const { deck: old, count: end } = this.stock;
    const slots = [...run(old, Math.max(end - left, 0), end), ...this.pile];
    this.stock = { deck, count };
    this.pile = [];
    // The hand of a player who left is under the pile, and nobody else knows its cards.
    return this.someLeft ? {} : sized(count, { slots });
  }

  /** Updates the piles with an input of the record, the slots it opens, and its action if it has one. */
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
