//! What a seat has seen: which cards can still come, and where cards can be added on the table.
//!
//! A set of natural cards is a `u64` with a bit for each [`Card::id52`]. Two packs hold every card twice.

use cards::{Card, Suit};
use games::romme::{Part, Shape, View};
use table::Slot;

/// The number of faces, the joker being the last.
const FACES: usize = 53;

/// The place of the joker among the faces.
const JOKER: usize = 52;

/// The cards that a seat has not seen: in the stock or in another hand.
#[derive(Clone, Debug)]
pub(super) struct Unseen {
    left: [u8; FACES],
    /// How many there are.
    pub(super) total: f64,
}

impl Unseen {
    /// All cards except the seat's own, the pile, the melds and those that others have taken from the pile.
    pub(super) fn new(view: &View, jokers: u8) -> Self {
        let mut left = [2; FACES];
        if let Some(of_jokers) = left.get_mut(JOKER) {
            *of_jokers = jokers;
        }
        let melded = view.melds.iter().flat_map(|meld| meld.cards.iter().map(|laid| laid.card));
        let taken = view.players.iter().flat_map(|player| &player.open);
        let held = view.hand.iter().filter(|held| !is_open(view, held.slot));
        let seen = held.chain(&view.pile).chain(taken).filter_map(|held| held.card).chain(melded);
        for card in seen {
            if let Some(count) = left.get_mut(face(card)) {
                *count = count.saturating_sub(1);
            }
        }
        Self { left, total: left.iter().map(|count| f64::from(*count)).sum::<f64>().max(1.0) }
    }

    /// How many cards with this face are left.
    pub(super) fn count(&self, card: Card) -> u8 {
        self.left.get(face(card)).copied().unwrap_or(0)
    }

    /// How many of these natural cards are left, both copies counted.
    pub(super) fn of(&self, cards: u64) -> u8 {
        bits(cards).map(|card| self.count(card)).sum()
    }

    /// The faces that are left, with how many there are.
    pub(super) fn faces(&self) -> impl Iterator<Item = (Card, u8)> {
        let faces = Card::naturals().chain([Card::JOKER]);
        faces.map(|card| (card, self.count(card))).filter(|(_, count)| *count > 0)
    }
}

/// Cards taken from the pile are listed as open cards of their holder, who may be this seat.
fn is_open(view: &View, slot: Slot) -> bool {
    view.players.iter().flat_map(|player| &player.open).any(|held| held.slot == slot)
}

fn face(card: Card) -> usize {
    card.id52().map_or(JOKER, usize::from)
}

/// The bit of a natural card; none for a joker.
pub(super) fn bit(card: Card) -> u64 {
    card.id52().map_or(0, |code| 1 << code)
}

/// The cards of a set, lowest first.
pub(super) fn bits(set: u64) -> impl Iterator<Item = Card> {
    let mut rest = set;
    core::iter::from_fn(move || {
        let code = u8::try_from(rest.trailing_zeros()).ok()?;
        rest &= rest.wrapping_sub(1);
        Card::from_code(code).filter(|card| card.natural().is_some())
    })
}

/// The card this many steps above another in a run; an ace is above a king and below a two.
pub(super) fn step(card: Card, by: i8) -> Option<Card> {
    let (rank, suit) = card.natural()?;
    let rank = i8::try_from(rank.index()).ok()?;
    let place = rank + by;
    // Stepping up from an ace works only as a low ace, below the two.
    let place = if rank == 12 && by > 0 {
        by - 1
    } else if place == -1 {
        12
    } else {
        place
    };
    let rank = u8::try_from(place).ok().and_then(cards::Rank::from_index)?;
    Some(Card::new(rank, suit))
}

/// The melds on the table, and what can be added to them.
#[derive(Clone, Debug, Default)]
pub(super) struct Spots {
    shapes: Vec<Shape>,
}

impl Spots {
    pub(super) fn new(view: &View) -> Self {
        let shape = |meld: &games::romme::MeldView| {
            let part = |laid: &games::romme::MeldCard| {
                let stands_for = laid.stands_for.first().copied().filter(|_| meld.kind == "run");
                Part { slot: laid.slot, face: laid.card, stands_for }
            };
            Shape::new(&meld.cards.iter().map(part).collect::<Vec<_>>()).ok()
        };
        Self { shapes: view.melds.iter().filter_map(shape).collect() }
    }

    /// The natural cards that fit a meld as it is.
    pub(super) fn fitting(&self) -> u64 {
        self.shapes.iter().fold(0, |cards, shape| cards | fits(*shape))
    }

    /// The natural cards that fit, if these are held and can be added one after another.
    pub(super) fn fitting_with(&self, held: u64) -> u64 {
        let runs = self.shapes.iter().filter(|shape| matches!(shape, Shape::Run { .. }));
        runs.fold(self.fitting(), |cards, shape| {
            let ends = bits(fits(*shape));
            ends.fold(cards, |cards, end| cards | chain(end, held, -1) | chain(end, held, 1))
        })
    }

    /// The natural cards that a joker on the table stands for.
    pub(super) fn for_jokers(&self) -> u64 {
        let runs = |shape: &Shape| {
            shape.cards().fold(0, |cards, place| match place {
                games::romme::Place::Joker(Some(card)) => cards | bit(card),
                games::romme::Place::Joker(None) | games::romme::Place::Natural(_) => cards,
            })
        };
        let sets =
            |shape: &Shape| if shape.jokers() > 0 { shape.missing().fold(0, |all, card| all | bit(card)) } else { 0 };
        self.shapes.iter().fold(0, |cards, shape| cards | runs(shape) | sets(shape))
    }

    /// Whether a joker can be added somewhere.
    pub(super) fn takes_joker(&self) -> bool {
        let part = |stands_for| Part { slot: Slot::default(), face: Card::JOKER, stands_for };
        self.shapes.iter().any(|shape| match shape {
            Shape::Set { .. } => shape.with(&[part(None)]).is_ok(),
            Shape::Run { .. } => bits(fits(*shape)).any(|card| shape.with(&[part(Some(card))]).is_ok()),
        })
    }
}

/// The natural cards that fit a meld.
fn fits(shape: Shape) -> u64 {
    let fit = |card: &Card| shape.with(&[Part { slot: Slot::default(), face: *card, stands_for: None }]).is_ok();
    match shape {
        Shape::Set { .. } if shape.len() > 3 => 0,
        Shape::Set { .. } => shape.missing().fold(0, |cards, card| cards | bit(card)),
        Shape::Run { suit, .. } => of_suit(suit).filter(fit).fold(0, |cards, card| cards | bit(card)),
    }
}

fn of_suit(suit: Suit) -> impl Iterator<Item = Card> {
    cards::Rank::ALL.into_iter().map(move |rank| Card::new(rank, suit))
}

/// A card and those that follow it in one direction, up to the first that is not held.
fn chain(from: Card, held: u64, by: i8) -> u64 {
    let mut at = Some(from);
    let mut cards = 0;
    for _ in 0..12 {
        let Some(card) = at else { break };
        cards |= bit(card);
        if held & bit(card) == 0 {
            break;
        }
        at = step(card, by);
    }
    cards
}
