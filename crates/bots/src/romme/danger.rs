//! How much a card helps the player who may take it from the pile.

use cards::{Card, Suit};
use games::romme::{Action, PlayerView, Romme, View};
use table::Seat;

use super::seen::{Spots, Unseen, bit, bits, step};
use super::worth::around;
use crate::{Past, Sight};

/// The next player, as far as the seat can tell.
#[derive(Clone, Debug)]
pub(super) struct Neighbour {
    /// How many cards it holds.
    pub(super) cards: usize,
    opened: bool,
    /// Natural cards that it is known to hold.
    holds: u64,
    /// The chance that it holds one given unseen card.
    each: f64,
    /// Natural cards that it has discarded.
    thrown: u64,
}

impl Neighbour {
    /// The player whose turn comes next.
    pub(super) fn new(sight: &Sight<'_, Romme>, unseen: &Unseen) -> Option<Self> {
        let next = after(sight.view, sight.seat)?;
        let player = sight.view.players.get(usize::from(next.index()))?;
        let holds = player.open.iter().filter_map(|held| held.card).fold(0, |set, card| set | bit(card));
        let hidden = player.cards.saturating_sub(player.open.len());
        let thrown = sight.course.past.iter().filter_map(|past| match past {
            Past::Did(who, Action::Discard(slot)) if *who == next => sight.known.open.get(*slot),
            Past::Did(..) | Past::Chose(..) => None,
        });
        Some(Self {
            cards: player.cards,
            opened: player.opened,
            holds,
            each: hidden as f64 / unseen.total,
            thrown: thrown.fold(0, |set, card| set | bit(card)),
        })
    }

    /// The chance that it would take this card because it completes a meld.
    pub(super) fn wants(&self, card: Card, unseen: &Unseen) -> f64 {
        if card.is_joker() {
            return 1.0;
        }
        let has = |card: Card| {
            if self.holds & bit(card) != 0 { 1.0 } else { 1.0 - (1.0 - self.each).powi(i32::from(unseen.count(card))) }
        };
        let pairs = pairs_for(card);
        let none = pairs.iter().flatten().map(|(a, b)| 1.0 - has(*a) * has(*b)).product::<f64>();
        let joker = 1.0 - (1.0 - self.each).powi(i32::from(unseen.count(Card::JOKER)));
        let near = 1.0 - bits(around(card)).map(|near| 1.0 - has(near)).product::<f64>();
        let chance = 1.0 - none * (1.0 - 0.3 * joker * near);
        // Nobody discards what they collect.
        let unlikely = self.thrown & (around(card) | bit(card)) != 0;
        if unlikely { chance * 0.5 } else { chance }
    }

    /// Whether it can add this card to a meld on the table.
    pub(super) fn can_add(&self, card: Card, spots: &Spots) -> bool {
        self.opened && (card.is_joker() || (spots.fitting() | spots.for_jokers()) & bit(card) != 0)
    }
}

/// The seat that plays after this one.
fn after(view: &View, seat: Seat) -> Option<Seat> {
    let players = u8::try_from(view.players.len()).ok()?;
    let plays = |seat: &Seat| {
        let player: Option<&PlayerView> = view.players.get(usize::from(seat.index()));
        player.is_some_and(|player| player.playing && !player.gone)
    };
    let clockwise = core::iter::successors(Some(seat.left(players)), |seat| Some(seat.left(players)));
    clockwise.take(usize::from(players)).find(plays)
}

/// The pairs of cards that make a meld with this one.
fn pairs_for(card: Card) -> [Option<(Card, Card)>; 6] {
    let mut fellows = [card; 3];
    if let Some((rank, suit)) = card.natural() {
        let others = Suit::ALL.into_iter().filter(|other| *other != suit);
        fellows.iter_mut().zip(others).for_each(|(place, other)| *place = Card::new(rank, other));
    }
    let [a, b, c] = fellows;
    let row = |first: i8, second: i8| Some((step(card, first)?, step(card, second)?));
    [Some((a, b)), Some((a, c)), Some((b, c)), row(-2, -1), row(-1, 1), row(1, 2)]
}
