//! What each seat sees of a round of Rommé.

use cards::Card;
use serde::Serialize;
use table::{Awaiting, Chips, Eye, Known, Rules, Seat, Seats, Slot};

use super::Deal;
use super::action::MeldId;
use super::meld::{Meld, Place, Shape};
use super::phase::{Drawn, Phase};
use super::score;
use crate::Held;

/// A round as somebody sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct View {
    /// `rolling`, `dealing`, `draw`, `drawing`, `play`, `settling` or `over`.
    pub phase: &'static str,
    /// Whose turn it is.
    pub turn: Option<Seat>,
    /// Who deals; absent until the lot is drawn.
    pub dealer: Option<Seat>,
    /// Points asked of a player's first melds.
    pub first_meld: u16,
    /// Cards in the stock.
    pub stock: u16,
    /// How often the discard pile has become the stock, and how often it can.
    pub reshuffles: (u8, u8),
    /// The discard pile, its top last.
    pub pile: Vec<Held>,
    /// All melds, in order of creation.
    pub melds: Vec<MeldView>,
    /// By seat.
    pub players: Vec<PlayerView>,
    /// The card that was taken from the discard pile and may not go back in this turn.
    pub barred: Option<Slot>,
    /// How the round ended.
    pub ending: Option<&'static str>,
    /// The players with the fewest points, once the round is over.
    pub winners: Seats,
    /// The looker's own cards.
    pub hand: Vec<Held>,
    /// What they would count if the round ended now.
    pub hand_points: Option<u16>,
}

/// A player as everybody sees them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlayerView {
    /// Plays this round?
    pub playing: bool,
    /// Has left during it?
    pub gone: bool,
    /// Has laid the first melds?
    pub opened: bool,
    /// Cards in hand.
    pub cards: usize,
    /// Those of them that everybody has seen: taken from the discard pile, or opened at the end.
    pub open: Vec<Held>,
    /// What the player drew last: the card where everybody saw it.
    pub last_draw: Option<DrawView>,
    /// The player's last discard.
    pub last_discard: Option<Held>,
    /// The player's points, once the round is over.
    pub points: Option<Chips>,
}

/// A draw as everybody sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DrawView {
    /// From the stock.
    Stock,
    /// This card, from the discard pile.
    Discard(Held),
}

/// A meld as everybody sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct MeldView {
    /// Its name.
    pub id: MeldId,
    /// Who laid it.
    pub owner: Seat,
    /// `set` or `run`.
    pub kind: &'static str,
    /// Its cards, in order.
    pub cards: Vec<MeldCard>,
}

/// A card of a meld.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct MeldCard {
    /// Which card.
    pub slot: Slot,
    /// What is printed on it.
    pub card: Card,
    /// What it may be swapped for, being a joker: one card in a run, any missing suit in a set.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stands_for: Vec<Card>,
}

impl View {
    pub(super) fn new(deal: &Deal, known: Known<'_>, eye: Eye) -> Self {
        let (phase, ending) = match &deal.phase {
            Phase::Rolling => ("rolling", None),
            Phase::Dealing => ("dealing", None),
            Phase::Draw(_) => ("draw", None),
            Phase::Drawing { .. } => ("drawing", None),
            Phase::Play(_) => ("play", None),
            Phase::Settling(end) => ("settling", Some(end.ending.word())),
            Phase::Over(end) => ("over", Some(end.ending.word())),
        };
        let hand: Vec<Held> = match eye {
            Eye::Seat(seat) => deal.hands[seat].iter().map(|slot| Held { slot, card: known.face(slot) }).collect(),
            Eye::Public => Vec::new(),
        };
        let points: Option<u16> = hand.iter().map(|held| held.card.map(score::in_hand)).sum();
        Self {
            phase,
            turn: match deal.awaiting() {
                Awaiting::Turn(seat) => Some(seat),
                Awaiting::Dealer | Awaiting::Choices(_) | Awaiting::Over => None,
            },
            dealer: deal.dealer,
            first_meld: deal.setup.first_meld,
            stock: deal.stock_size(),
            reshuffles: (deal.reshuffles, deal.setup.max_reshuffles),
            pile: deal.pile.iter().map(|slot| seen(&known, *slot)).collect(),
            melds: deal.melds.iter().enumerate().map(|(at, meld)| MeldView::new(MeldId::at(at), meld)).collect(),
            players: Seats::first(deal.players()).iter().map(|seat| PlayerView::new(deal, &known, seat)).collect(),
            barred: match &deal.phase {
                Phase::Play(turn) => deal.barred(turn),
                _ => None,
            },
            ending,
            winners: deal.winners(),
            hand_points: points.filter(|_| !hand.is_empty()),
            hand,
        }
    }
}

impl PlayerView {
    fn new(deal: &Deal, known: &Known<'_>, seat: Seat) -> Self {
        let cards = deal.hands[seat].iter().map(|slot| seen(known, slot));
        Self {
            playing: deal.setup.playing.contains(seat),
            gone: deal.gone.contains(seat),
            opened: deal.opened.contains(seat),
            cards: deal.hands[seat].len(),
            open: cards.filter(|held| held.card.is_some()).collect(),
            last_draw: deal.last_draw[seat].map(|drawn| match drawn {
                Drawn::Stock(_) => DrawView::Stock,
                Drawn::Discard(slot) => DrawView::Discard(seen(known, slot)),
            }),
            last_discard: deal.last_discard[seat].map(|slot| seen(known, slot)),
            points: matches!(deal.phase, Phase::Over(_)).then(|| deal.points[seat]),
        }
    }
}

impl MeldView {
    fn new(id: MeldId, meld: &Meld) -> Self {
        let cards = meld.slots.iter().zip(meld.shape.cards()).map(|(slot, place)| match place {
            Place::Natural(card) => MeldCard { slot, card, stands_for: Vec::new() },
            Place::Joker(Some(card)) => MeldCard { slot, card: Card::JOKER, stands_for: vec![card] },
            Place::Joker(None) => MeldCard { slot, card: Card::JOKER, stands_for: meld.shape.missing().collect() },
        });
        let kind = match meld.shape {
            Shape::Set { .. } => "set",
            Shape::Run { .. } => "run",
        };
        Self { id, owner: meld.owner, kind, cards: cards.collect() }
    }
}

/// A card as everybody sees it.
fn seen(known: &Known<'_>, slot: Slot) -> Held {
    Held { slot, card: known.open.get(slot) }
}
