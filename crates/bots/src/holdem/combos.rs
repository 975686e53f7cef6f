//! All 1,326 pairs of hole cards, in a fixed order, and their 169 kinds.

use std::sync::LazyLock;

use cards::Card;

/// How many pairs of cards there are.
pub(super) const COUNT: usize = 1326;

/// Two hole cards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Combo {
    pub(super) cards: [Card; 2],
    /// A bit for each card.
    pub(super) mask: u64,
    /// What matters before the flop: the ranks, and whether they are of one suit. From 0 to 168.
    pub(super) kind: u8,
}

/// All of them, by number.
pub(super) static COMBOS: LazyLock<Vec<Combo>> = LazyLock::new(|| {
    let pairs = Card::naturals().flat_map(|a| Card::naturals().take_while(move |b| *b < a).map(move |b| [a, b]));
    pairs.map(|cards| Combo { cards, mask: mask(&cards), kind: kind(cards) }).collect()
});

/// A bit for each of these cards.
pub(super) fn mask(cards: &[Card]) -> u64 {
    cards.iter().filter_map(|card| card.id52()).fold(0, |mask, id| mask | 1 << id)
}

/// The number of the pair in [`COMBOS`]; `None` if these are not two different natural cards.
pub(super) fn number(cards: &[Card]) -> Option<usize> {
    let &[a, b] = cards else { return None };
    let [a, b] = [a.id52()?, b.id52()?].map(usize::from);
    let (high, low) = (a.max(b), a.min(b));
    (high != low).then(|| high * (high - 1) / 2 + low)
}

/// A square of 13 by 13: pairs on the diagonal, cards of one suit on one side of it.
fn kind(cards: [Card; 2]) -> u8 {
    let [a, b] = cards.map(|card| card.rank().map_or(0, |rank| rank.index()));
    let (high, low) = (a.max(b), a.min(b));
    let [x, y] = cards.map(Card::suit);
    if x == y { high * 13 + low } else { low * 13 + high }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_of_cards_has_its_number_and_there_are_169_kinds() {
        assert_eq!(COMBOS.len(), COUNT);
        for (i, combo) in COMBOS.iter().enumerate() {
            assert_eq!(number(&combo.cards), Some(i));
            assert_eq!(combo.mask.count_ones(), 2);
        }
        let mut of_kind = [0; 169];
        COMBOS.iter().for_each(|combo| of_kind[usize::from(combo.kind)] += 1);
        let counted = [4, 6, 12].map(|size| of_kind.iter().filter(|n| **n == size).count());
        assert_eq!(counted, [78, 13, 78]);
    }
}
