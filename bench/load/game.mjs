// The game that all servers play under load: tricks for two. Everybody holds seven secret cards; in turn a card is
// played, suit must be followed if possible, the higher card of the suit that was led takes the trick and its taker
// leads. When the hands are empty, there is a new deal.

export const CARDS = 7;

const suit = (card) => Math.floor(card / 13);

// What may be played from a hand to a trick.
export function playable(hand, led) {
  const following = led === undefined ? [] : hand.filter((card) => suit(card) === suit(led));
  return following.length > 0 ? following : hand;
}

// Which of two cards takes the trick: 0 the first, 1 the second.
export const taker = (first, second) => (suit(second) === suit(first) && second > first ? 1 : 0);

// Two hands of a pack that is shuffled anew; `random` draws from 0 to below 1.
export function hands(random) {
  const pack = Array.from({ length: 52 }, (_, card) => card);
  for (let last = pack.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [pack[last], pack[other]] = [pack[other], pack[last]];
  }
  return [pack.slice(0, CARDS), pack.slice(CARDS, 2 * CARDS)];
}
