//! Every way to arrange nine cards.

use std::sync::LazyLock;

use cards::Card;
use games::Held;
use games::ongdu::{HandRank, Preset, rank_hand, rank_layer};
use table::Slot;

/// A way to arrange a hand: three layers in order of strength, which is never a foul.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Way {
    /// Top, middle and bottom.
    pub(super) layers: [[Slot; 3]; 3],
    /// The card left out, if there are ten.
    pub(super) out: Option<Held>,
    /// Its rank.
    pub(super) rank: HandRank,
}

/// All ways to arrange nine cards, or nine of ten; none if a face is not known.
pub(super) fn ways(held: &[Held], preset: Preset) -> Vec<Way> {
    if held.len() <= 9 {
        return of_nine(held, None, preset);
    }
    let without = |out: usize| held.iter().enumerate().filter(move |(i, _)| *i != out).map(|(_, held)| *held);
    let each = held.iter().enumerate();
    each.flat_map(|(i, out)| of_nine(&without(i).collect::<Vec<_>>(), Some(*out), preset)).collect()
}

fn of_nine(held: &[Held], out: Option<Held>, preset: Preset) -> Vec<Way> {
    let cards: Option<Vec<(Slot, Card)>> = held.iter().map(|held| Some((held.slot, held.card?))).collect();
    let Some(nine) = cards.and_then(|cards| <[(Slot, Card); 9]>::try_from(cards).ok()) else { return Vec::new() };
    let [first, ..] = nine;
    let at = |place: usize| nine.get(place).copied().unwrap_or(first);
    let layers = DIVISIONS.iter().map(|division| division.map(|places| places.map(at)));
    layers.filter_map(|layers| way(layers, out, preset)).collect()
}

/// The layers in order of strength.
fn way(mut layers: [[(Slot, Card); 3]; 3], out: Option<Held>, preset: Preset) -> Option<Way> {
    layers.sort_by_key(|layer| rank_layer(layer.map(|(_, card)| card), preset));
    let rank = rank_hand(layers.map(|layer| layer.map(|(_, card)| card)), preset)?;
    Some(Way { layers: layers.map(|layer| layer.map(|(slot, _)| slot)), out, rank })
}

/// All 280 ways to divide nine places into three threes, regardless of order.
static DIVISIONS: LazyLock<Vec<[[usize; 3]; 3]>> = LazyLock::new(|| {
    let mut found = Vec::with_capacity(280);
    let nine: Vec<usize> = (0..9).collect();
    threes(&nine, |first, six| {
        threes(six, |second, third| {
            if let [a, b, c] = *third {
                found.push([first, second, [a, b, c]]);
            }
        });
    });
    found
});

/// Every way to take the first place and two others, with the rest; so no division appears twice.
fn threes(places: &[usize], mut take: impl FnMut([usize; 3], &[usize])) {
    let Some((first, others)) = places.split_first() else { return };
    for (j, second) in others.iter().enumerate() {
        for third in others.iter().skip(j + 1) {
            let rest: Vec<usize> = others.iter().filter(|place| *place != second && *place != third).copied().collect();
            take([*first, *second, *third], &rest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cards::parse_cards;
    use games::ongdu::Class;

    fn held(text: &str) -> Vec<Held> {
        let cards = parse_cards(text).unwrap();
        (0..).zip(cards).map(|(i, card)| Held { slot: Slot::new(1, i), card: Some(card) }).collect()
    }

    #[test]
    fn nine_cards_have_280_different_ways_and_none_is_foul() {
        let all = ways(&held("2C 2D 2H JS QS KS 9C TC JK"), Preset::Seed);
        assert_eq!(all.len(), 280);
        assert!(all.iter().all(|way| way.rank.class != Class::Foul && way.out.is_none()));
        let mut divisions: Vec<_> =
            all.iter().map(|way| way.layers.map(|layer| layer.map(|slot| slot.index))).collect();
        divisions.iter_mut().for_each(|layers| {
            layers.iter_mut().for_each(|layer| layer.sort_unstable());
            layers.sort_unstable();
        });
        divisions.sort_unstable();
        divisions.dedup();
        assert_eq!(divisions.len(), 280);
    }

    #[test]
    fn any_of_ten_cards_can_be_left_out() {
        let all = ways(&held("2C 2D 2H JS QS KS 9C TC TD AS"), Preset::Author);
        assert_eq!(all.len(), 2_800);
        assert!(all.iter().all(|way| way.out.is_some()));
        assert_eq!(ways(&held("2C 2D"), Preset::Seed), []);
    }
}
