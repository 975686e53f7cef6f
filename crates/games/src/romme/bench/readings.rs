//! What chosen cards make: the melds they can be read as, and what they can be added to or swapped for.
//!
//! A player marks cards and does not say what the jokers stand for. Here that is found: in a run they fill the
//! gaps, and what is left goes to an end. Where there are several ways, the one that counts most comes first.

use cards::{Card, Rank, Suit};
use table::Slot;

use crate::romme::{Flaw, Laid, MeldCard, MeldView, Part, Shape};

/// A card and its face.
pub type Faced = (Slot, Card);

/// One way to read cards as a meld.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reading {
    /// The meld.
    pub shape: Shape,
    /// The cards as they are laid, in the order of the meld.
    pub laid: Vec<Laid>,
}

/// The melds that exactly these cards make, the one that counts most first.
pub(super) fn readings(cards: &[Faced]) -> Vec<Reading> {
    let mut found: Vec<Reading> =
        arrangements(cards, &[]).into_iter().filter_map(|laid| reading(cards, laid)).collect();
    found.sort_by_key(|reading| std::cmp::Reverse(reading.shape.points()));
    found
}

/// Why exactly these cards make no meld.
pub(super) fn flaw(cards: &[Faced]) -> Option<Flaw> {
    let tried = arrangements(cards, &[]);
    let plain: Vec<Laid> = cards.iter().map(|(slot, _)| Laid::from(*slot)).collect();
    let first = tried.into_iter().next().unwrap_or(plain);
    let flaw = Shape::new(&parts(cards, &first)).err();
    // Jokers are named here for the player; where that failed, there is no place for them.
    flaw.map(|flaw| if flaw == Flaw::JokerWithoutName { Flaw::Gap } else { flaw })
}

/// Ways to add exactly these cards to a meld, the one that makes most points first.
pub(super) fn additions(meld: &MeldView, cards: &[Faced]) -> Vec<Vec<Laid>> {
    let Some(shape) = shape_of(meld) else { return Vec::new() };
    let lying: Vec<Card> =
        meld.cards.iter().map(|card| card.stands_for.first().copied().unwrap_or(card.card)).collect();
    let fits = |laid: Vec<Laid>| shape.with(&parts(cards, &laid)).ok().map(|after| (after.points(), laid));
    let mut found: Vec<(u16, Vec<Laid>)> = match shape {
        Shape::Set { .. } => fits(unnamed(cards)).into_iter().collect(),
        Shape::Run { .. } => arrangements(cards, &lying).into_iter().filter_map(fits).collect(),
    };
    found.sort_by_key(|(points, _)| std::cmp::Reverse(*points));
    // Jokers first, as the rules list such moves.
    let ordered = |(_, mut laid): (u16, Vec<Laid>)| {
        laid.sort_by_key(|laid| laid.stands_for.is_none());
        laid
    };
    found.into_iter().map(ordered).collect()
}

/// The jokers of a meld that this card can be given for.
pub(super) fn jokers_for(meld: &MeldView, card: Card) -> Option<Slot> {
    meld.cards.iter().find(|lying| lying.stands_for.contains(&card)).map(|lying| lying.slot)
}

/// A meld on the table without its owner.
fn shape_of(meld: &MeldView) -> Option<Shape> {
    let run = meld.kind == "run";
    let part = |card: &MeldCard| Part {
        slot: card.slot,
        face: card.card,
        stands_for: card.stands_for.first().copied().filter(|_| run),
    };
    Shape::new(&meld.cards.iter().map(part).collect::<Vec<_>>()).ok()
}

fn reading(cards: &[Faced], laid: Vec<Laid>) -> Option<Reading> {
    let shape = Shape::new(&parts(cards, &laid)).ok()?;
    Some(Reading { shape, laid })
}

fn parts(cards: &[Faced], laid: &[Laid]) -> Vec<Part> {
    let face = |slot: Slot| cards.iter().find(|(other, _)| *other == slot).map(|(_, face)| *face);
    let part = |laid: &Laid| Some(Part { slot: laid.slot, face: face(laid.slot)?, stands_for: laid.stands_for });
    laid.iter().filter_map(part).collect()
}

/// As they are, jokers naming nothing: a set, jokers last.
fn unnamed(cards: &[Faced]) -> Vec<Laid> {
    let mut cards = cards.to_vec();
    cards.sort_by_key(|(_, face)| (face.is_joker(), *face));
    cards.into_iter().map(|(slot, _)| Laid::from(slot)).collect()
}

/// Every way to lay the cards beside those that lie there: once as a set where none do, and as every run of so
/// many places that has room for all of them. Whether it is legal is not judged here.
fn arrangements(cards: &[Faced], lying: &[Card]) -> Vec<Vec<Laid>> {
    let naturals =
        || cards.iter().filter_map(|(_, face)| face.natural()).chain(lying.iter().filter_map(|c| c.natural()));
    let Some((rank, suit)) = naturals().next() else { return Vec::new() };
    let same_suit = naturals().all(|(_, s)| s == suit);
    let same_rank = naturals().all(|(r, _)| r == rank);
    let mut found = Vec::new();
    if lying.is_empty() && same_rank {
        found.push(unnamed(cards));
    }
    let places = cards.len() + lying.len();
    if same_suit && !(same_rank && naturals().count() > 1) && places <= PLACES {
        found.extend((0..=PLACES - places).filter_map(|first| run(cards, lying, suit, first..first + places)));
    }
    found
}

/// The places of a run: an ace, two to king, and an ace again.
const PLACES: usize = 14;

fn card_at(suit: Suit, place: usize) -> Option<Card> {
    let index = (place + 12) % 13;
    Rank::from_index(u8::try_from(index).ok()?).map(|rank| Card::new(rank, suit))
}

/// The cards in these places of a suit, jokers where none is at hand.
fn run(cards: &[Faced], lying: &[Card], suit: Suit, places: std::ops::Range<usize>) -> Option<Vec<Laid>> {
    let mut free: Vec<Faced> = cards.to_vec();
    let mut lying = lying.to_vec();
    let mut laid = Vec::new();
    for place in places {
        let wanted = card_at(suit, place)?;
        if let Some(at) = lying.iter().position(|card| *card == wanted) {
            lying.remove(at);
        } else if let Some(at) = free.iter().position(|(_, face)| *face == wanted) {
            laid.push(Laid::from(free.remove(at).0));
        } else {
            let at = free.iter().position(|(_, face)| face.is_joker())?;
            laid.push(Laid { slot: free.remove(at).0, stands_for: Some(wanted) });
        }
    }
    (free.is_empty() && lying.is_empty()).then_some(laid)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::romme::MeldId;
    use table::Seat;

    fn faced(text: &str) -> Vec<Faced> {
        let cards = cards::parse_cards(text).unwrap();
        cards.into_iter().zip(0..).map(|(card, n)| (Slot::new(0, n), card)).collect()
    }

    fn named(reading: &[Laid]) -> Vec<String> {
        reading.iter().filter_map(|laid| laid.stands_for).map(|card| card.to_string()).collect()
    }

    fn meld(text: &str, kind: &'static str, stands_for: &[(usize, &str)]) -> MeldView {
        let stands = |n: usize| {
            stands_for.iter().filter(|(at, _)| *at == n).map(|(_, card)| card.parse().unwrap()).collect::<Vec<Card>>()
        };
        let cards = cards::parse_cards(text).unwrap().into_iter().enumerate();
        let cards = cards.map(|(n, card)| MeldCard {
            slot: Slot::new(1, u16::try_from(n).unwrap()),
            card,
            stands_for: stands(n),
        });
        MeldView { id: MeldId(1), owner: Seat::new(0).unwrap(), kind, cards: cards.collect() }
    }

    #[test]
    fn cards_are_read_as_sets_and_runs_in_any_order() {
        let points = |text: &str| readings(&faced(text)).first().map(|reading| reading.shape.points());
        assert_eq!(points("7S 7H 7D"), Some(21));
        assert_eq!(points("6S 4S 5S"), Some(15));
        assert_eq!(points("QS KS AS"), Some(31));
        assert_eq!(points("3S 2S AS"), Some(6));
        assert_eq!(points("7S 7S 7D"), None);
        assert_eq!(points("4S 5S"), None);
        assert_eq!(points("4S 5S 7S"), None);
        assert_eq!(points("JK JK 7S"), None);
    }

    #[test]
    fn a_joker_fills_the_gap_or_goes_to_the_end_that_counts_more() {
        let first = |text: &str| named(&readings(&faced(text)).first().unwrap().laid);
        assert_eq!(first("4S JK 6S"), ["5S"]);
        assert_eq!(first("JK QS KS"), ["AS"]);
        assert_eq!(readings(&faced("7S 8S JK")).len(), 2);
        assert_eq!(first("7S 8S JK"), ["9S"]);
        assert_eq!(first("AS JK 3S"), ["2S"]);
        assert_eq!(first("9S 9H JK"), [""; 0]);
    }

    #[test]
    fn a_meld_takes_what_continues_it() {
        let run = meld("5S 6S JK", "run", &[(2, "7S")]);
        let added = |text: &str| additions(&run, &faced(text)).len();
        assert_eq!(added("8S"), 1);
        assert_eq!(added("4S 8S"), 1);
        assert_eq!(added("7S"), 0, "its place is taken by the joker");
        assert_eq!(added("9S"), 0);
        assert_eq!(added("JK 9S"), 0, "two jokers would lie side by side");
        assert_eq!(jokers_for(&run, "7S".parse().unwrap()), Some(Slot::new(1, 2)));
        assert_eq!(jokers_for(&run, "5S".parse().unwrap()), None);

        let set = meld("7S 7H 7D", "set", &[]);
        assert_eq!(additions(&set, &faced("7C")).len(), 1);
        assert_eq!(additions(&set, &faced("JK")).len(), 1);
        assert_eq!(additions(&set, &faced("7S")).len(), 0);
    }

    #[test]
    fn what_is_no_meld_says_why() {
        assert_eq!(flaw(&faced("7S 7H")), Some(Flaw::TooShort));
        assert_eq!(flaw(&faced("7S 8H 9S")), Some(Flaw::NoSetNoRun));
        assert_eq!(flaw(&faced("4S 5S 7S")), Some(Flaw::Gap));
        assert_eq!(flaw(&faced("7S 7H 7D")), None);
    }
}
