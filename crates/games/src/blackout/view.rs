//! What each seat sees of a round of Blackout, and what it can do.

use cards::{Card, Suit};
use serde::Serialize;
use table::{Awaiting, Draw, Eye, Faces, Known, Move, NoChoice, Rules, Seat, Seats, Slot};

use super::action::places;
use super::state::{Phase, Trick};
use super::{Action, Deal};
use crate::{Held, lots};

/// A round as somebody sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct View {
    /// `rolling`, `dealing`, `bidding`, `playing` or `over`.
    pub phase: &'static str,
    /// Whose turn it is.
    pub turn: Option<Seat>,
    /// Who deals; absent until rolled.
    pub dealer: Option<Seat>,
    /// Cards each at the beginning.
    pub cards: u8,
    /// The card turned up for trump.
    pub trump: Option<Card>,
    /// By seat.
    pub players: Vec<PlayerView>,
    /// The trick on the table, in order of play.
    pub trick: Vec<(Seat, Card)>,
    /// The trick before it.
    pub last_trick: Vec<(Seat, Card)>,
    /// The looker's own cards.
    pub hand: Vec<Held>,
}

/// A player as everybody sees them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlayerView {
    /// The player's roll for the first dealer, if there was one; the last, where a tie was rolled for again.
    pub roll: Option<u8>,
    /// All rolls for the first dealer, in order.
    pub rolls: Vec<u8>,
    /// Cards in hand.
    pub cards: u32,
    /// The bid.
    pub bid: Option<u8>,
    /// Tricks taken.
    pub won: u8,
    /// The cards, where everybody has seen them because the player has left.
    pub open: Vec<Held>,
}

impl View {
    pub(super) fn new(deal: &Deal, known: Known<'_>, eye: Eye) -> Self {
        let held = |slot| Held { slot, card: known.face(slot) };
        let trick_cards = |trick: &Trick| {
            let cards = trick
                .places
                .seats()
                .filter_map(|(seat, place)| Some((seat, known.open.get(Slot::new(deal.deck, u16::from((*place)?)))?)));
            let mut cards: Vec<(Seat, Card)> = cards.collect();
            let after = |seat: Seat| (seat.index() + deal.players() - trick.leader.index()) % deal.players();
            cards.sort_by_key(|(seat, _)| after(*seat));
            cards
        };
        let (phase, trick) = match &deal.phase {
            _ if deal.awaiting() == Awaiting::Over => ("over", Vec::new()),
            Phase::Rolling(_) => ("rolling", Vec::new()),
            Phase::Dealing => ("dealing", Vec::new()),
            Phase::Bidding(_) => ("bidding", Vec::new()),
            Phase::Playing(trick) => ("playing", trick_cards(trick)),
            Phase::Over => ("over", Vec::new()),
        };
        let players = deal.hands.seats().zip(rolled(deal, known.open)).map(|((seat, hand), rolls)| PlayerView {
            roll: Some(deal.rolls[seat]).filter(|roll| *roll > 0),
            rolls,
            cards: hand.count_ones(),
            bid: deal.bids[seat],
            won: deal.won[seat],
            open: if deal.exposed.contains(seat) { places(deal.deck, *hand).map(held).collect() } else { Vec::new() },
        });
        Self {
            phase,
            turn: match deal.awaiting() {
                Awaiting::Turn(seat) => Some(seat),
                Awaiting::Dealer | Awaiting::Choices(_) | Awaiting::Over => None,
            },
            dealer: Some(deal.dealer).filter(|_| !matches!(deal.phase, Phase::Rolling(_))),
            cards: deal.setup.cards,
            trump: deal.trump,
            players: players.collect(),
            trick,
            last_trick: deal.last_trick.as_ref().map(trick_cards).unwrap_or_default(),
            hand: match eye {
                Eye::Seat(seat) => places(deal.deck, deal.hands[seat]).map(held).collect(),
                Eye::Public => Vec::new(),
            },
        }
    }
}

/// What each seat has rolled for the first dealer, in order. The state keeps the last roll only, but all dice lie open,
/// and who rolls again follows from them.
fn rolled(deal: &Deal, open: &Faces) -> Vec<Vec<u8>> {
    let mut rolls = vec![Vec::new(); usize::from(deal.players())];
    if deal.setup.dealer.is_some() {
        return rolls;
    }
    let (mut deck, mut among) = (deal.setup.first_deck, Seats::first(deal.players()));
    while deck < deal.deck {
        let round = (deck..).zip(among.iter()).map(|(die, seat)| (seat, lots::drawn(open, die).unwrap_or(0)));
        let round: Vec<(Seat, u8)> = round.collect();
        let highest = round.iter().map(|(_, roll)| *roll).max();
        deck += u32::from(among.len()).max(1);
        among = round.iter().filter(|(_, roll)| Some(*roll) == highest).map(|(seat, _)| *seat).collect();
        for (seat, roll) in round {
            rolls.get_mut(usize::from(seat.index())).into_iter().for_each(|rolls| rolls.push(roll));
        }
    }
    rolls
}

/// What a seat can do now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Moves {
    /// It is not asked.
    None,
    /// Bid from 0 to `most`.
    Bid {
        /// The highest bid.
        most: u8,
        /// The bid that the hook forbids the dealer.
        forbidden: Option<u8>,
    },
    /// Play one of these.
    Play(Playable),
}

/// The cards a seat may play, without a list on the heap: this is asked millions of times.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Playable {
    deck: u32,
    /// The hand and, of it, what may be played: places in the deck.
    hand: u64,
    legal: u64,
    count: u8,
    /// The faces of the hand, in order of place.
    faces: [Option<Card>; 26],
}

impl Playable {
    /// The whole hand if no suit was led or none of that suit is held, else the cards of that suit.
    #[inline(always)]
    fn new(deal: &Deal, known: Known<'_>, seat: Seat, led: Option<Suit>) -> Self {
        let hand = deal.hands[seat];
        let (own, open) = (known.own.of_deck(deal.deck), known.open.of_deck(deal.deck));
        let at = |faces: &[Option<Card>], slot: Slot| faces.get(usize::from(slot.index)).copied().flatten();
        let mut faces = [None; 26];
        let (mut following, mut follow, mut held) = (0, 0, 0);
        for (face, slot) in faces.iter_mut().zip(places(deal.deck, hand)) {
            *face = at(own, slot).or_else(|| at(open, slot));
            held += 1;
            if led.is_some() && face.and_then(Card::suit) == led {
                following |= 1u64 << slot.index;
                follow += 1;
            }
        }
        let (legal, count) = if follow == 0 { (hand, held) } else { (following, follow) };
        Self { deck: deal.deck, hand, legal, count, faces }
    }

    /// The cards, with their faces.
    pub fn iter(&self) -> impl Iterator<Item = Held> {
        let hand = places(self.deck, self.hand).zip(&self.faces);
        hand.filter(|(slot, _)| self.legal >> slot.index & 1 == 1).map(|(slot, card)| Held { slot, card: *card })
    }

    /// How many.
    pub const fn len(&self) -> u8 {
        self.count
    }

    /// None at all?
    pub const fn is_empty(&self) -> bool {
        self.legal == 0
    }
}

impl Moves {
    #[inline(always)]
    pub(super) fn new(deal: &Deal, known: Known<'_>, seat: Seat) -> Self {
        if deal.awaiting() != Awaiting::Turn(seat) {
            return Self::None;
        }
        match &deal.phase {
            Phase::Bidding(_) => Self::Bid { most: deal.setup.cards, forbidden: deal.forbidden_bid(seat) },
            Phase::Playing(trick) => Self::Play(Playable::new(deal, known, seat, trick.led)),
            Phase::Rolling(_) | Phase::Dealing | Phase::Over => Self::None,
        }
    }
}

impl table::Moves for Moves {
    type Action = Action;
    type Choice = NoChoice;

    #[inline]
    fn pick(&self, draw: &mut impl Draw) -> Option<Move<Action, NoChoice>> {
        Some(Move::Act(match self {
            Self::None => return None,
            Self::Bid { most, forbidden } => {
                let bids = u32::from(*most) + u32::from(forbidden.is_none());
                let bid = u8::try_from(draw.below(bids)).unwrap_or(0);
                Action::Bid(bid + u8::from(forbidden.is_some_and(|f| bid >= f)))
            }
            Self::Play(playable) => {
                let nth = usize::try_from(draw.below(u32::from(playable.len()))).unwrap_or(0);
                Action::Play(places(playable.deck, playable.legal).nth(nth)?)
            }
        }))
    }
}

impl Serialize for Moves {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(rename_all = "snake_case")]
        enum Plain {
            None,
            Bid { least: u8, most: u8, forbidden: Option<u8> },
            Play(Vec<Held>),
        }
        match self {
            Self::None => Plain::None,
            Self::Bid { most, forbidden } => Plain::Bid { least: 0, most: *most, forbidden: *forbidden },
            Self::Play(playable) => Plain::Play(playable.iter().collect()),
        }
        .serialize(serializer)
    }
}
