//! A seat's assessment of the round: how long it will last, how great the danger is, which cards can still
//! come.

use cards::Card;
use games::romme::{Action, PlayerView, Pool, Romme, View};
use table::Seat;

use super::danger::Neighbour;
use super::seen::{Spots, Unseen};
use super::worth::{Scene, Weights};
use crate::{Past, Sight};

/// The turns expected of a player who has not opened; no hand is planned further ahead.
const LONG: f64 = 7.0;

/// The average points of a card in another hand.
const CARD: f64 = 6.5;

/// What a card that makes a meld is worth to the next player.
const MELD: f64 = 10.0;

/// What a card that can be added to a meld on the table is worth to the next player.
const ADDED: f64 = 6.0;

/// A decision being made.
pub(super) struct Thought<'a> {
    pub(super) view: &'a View,
    pub(super) scene: Scene,
    /// The player who may take the seat's discard.
    pub(super) next: Option<Neighbour>,
    /// The number of opponents.
    pub(super) rivals: f64,
    /// The average points in their hands.
    pub(super) theirs: f64,
    /// The chance that one of them goes out before the seat's next turn.
    pub(super) hazard: f64,
    /// The factor on the others' points if the seat goes out now.
    pub(super) times: u8,
}

impl<'a> Thought<'a> {
    pub(super) fn new(sight: &Sight<'a, Romme>) -> Self {
        let view = sight.view;
        let setup = sight.rules.setup();
        let unseen = Unseen::new(view, setup.jokers);
        let own = view.players.get(usize::from(sight.seat.index()));
        let opened = own.is_some_and(|own| own.opened);
        let times = match own {
            Some(own) if own.opened && !opened_just_now(sight) => 1,
            Some(own) if own.last_discard.is_some() => 2,
            _ => 3,
        };
        let rivals = || others(view, sight.seat);
        let count = (rivals().count() as f64).max(1.0);
        let theirs = rivals().map(|rival| rival.cards as f64 * CARD).sum::<f64>() / count;
        let turns = rivals().map(turns_left).fold(LONG, f64::min);
        let next = Neighbour::new(sight, &unseen);
        let scene = Scene {
            unseen,
            spots: Spots::new(view),
            opened,
            need: view.first_meld,
            keep: !setup.out_without_discard,
            turns,
            out: theirs * f64::from(times) + 20.0,
            weights: Weights::new(turns, count),
        };
        let hazard = 1.0 - rivals().map(|rival| 1.0 - hazard(rival)).product::<f64>();
        Self { view, scene, next, rivals: count, theirs, hazard, times }
    }

    /// The average over the cards that may come from the stock.
    pub(super) fn average(&self, of: impl Fn(Card) -> f64) -> f64 {
        let unseen = &self.scene.unseen;
        unseen.faces().map(|(card, count)| f64::from(count) * of(card)).sum::<f64>() / unseen.total
    }

    /// The cost of letting the next player take this card.
    pub(super) fn danger(&self, card: Card, rest: Pool) -> f64 {
        let Some(next) = &self.next else { return 0.0 };
        if next.can_add(card, &self.scene.spots) {
            let ends = if next.cards <= 1 { f64::from(rest.points()) + 10.0 } else { 0.0 };
            return ends + ADDED / self.rivals;
        }
        MELD / self.rivals * next.wants(card, &self.scene.unseen)
    }
}

impl Weights {
    /// For a round that lasts this many more turns, against this many opponents.
    fn new(turns: f64, rivals: f64) -> Self {
        Self {
            fear: (0.75 - 0.06 * turns + 0.08 * (rivals - 1.0)).clamp(0.15, 1.0),
            pace: 8.0,
            joker: if turns < 2.0 { -10.0 } else { 12.0 },
            opening: 12.0,
            waiting: if turns < 2.5 { 0.7 } else { 0.3 },
            half: 1.0,
            looks: 1.6,
            neighbour: 0.012,
        }
    }
}

/// Whether the seat laid its first melds in the current turn.
fn opened_just_now(sight: &Sight<'_, Romme>) -> bool {
    let mut own = sight.course.past.iter().rev().filter_map(|past| match past {
        Past::Did(seat, action) if *seat == sight.seat => Some(action),
        Past::Did(..) | Past::Chose(..) => None,
    });
    let drew = |action: &&Action| matches!(action, Action::DrawStock | Action::DrawDiscard);
    // Going backwards, the actions before this turn's draw belong to earlier turns.
    own.find(drew).is_some() && !own.any(|action| matches!(action, Action::Meld(_)))
}

/// The opponents of a seat.
fn others(view: &View, seat: Seat) -> impl Iterator<Item = &PlayerView> {
    let at = usize::from(seat.index());
    let all = view.players.iter().enumerate().filter(move |(other, _)| *other != at).map(|(_, player)| player);
    all.filter(|player| player.playing && !player.gone)
}

/// How many turns a player will take to go out.
fn turns_left(player: &PlayerView) -> f64 {
    if player.opened { 1.0 + 0.9 * player.cards as f64 } else { LONG }
}

/// The chance that a player goes out on their next turn.
const fn hazard(player: &PlayerView) -> f64 {
    match (player.opened, player.cards) {
        (false, _) => 0.02,
        (true, 0 | 1) => 0.40,
        (true, 2) => 0.25,
        (true, 3) => 0.15,
        (true, 4) => 0.10,
        (true, _) => 0.06,
    }
}
