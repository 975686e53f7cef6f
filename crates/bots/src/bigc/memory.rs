//! What a seat can know of a deal: its own cards, which are still out, and what others have shown.

use games::bigc::{BigC, place};

use super::bag::{Bag, Place};
use super::plan::Plan;
use super::scale::Scale;
use super::world::{Player, Terms, World, shuffle};
use crate::Sight;
use table::Draw;

/// A deal as one seat knows it.
#[derive(Debug)]
pub(super) struct Memory {
    pub(super) terms: Terms,
    pub(super) hand: Bag,
    /// The one who looks, among those in play.
    pub(super) me: usize,
    /// Those in play, first to play first: cards in hand, and those of them that everybody has seen.
    pub(super) players: Vec<(u8, Bag)>,
    /// Cards in nobody's sight: the other hands, and the stock.
    pub(super) out: Vec<Place>,
    /// Whose hand is on the table, and how many have passed on it.
    owner: Option<usize>,
    passed: usize,
}

impl Memory {
    /// What this seat knows.
    pub(super) fn new(sight: &Sight<'_, BigC>) -> Option<Self> {
        let (view, setup) = (sight.view, sight.rules.setup());
        let me = view.order.iter().position(|seat| *seat == sight.seat)?;
        let hand: Bag = view.hand.iter().filter_map(|held| held.card.map(place)).collect();
        let at = |seat: &table::Seat| view.players.get(usize::from(seat.index()));
        let mut players = Vec::with_capacity(view.order.len());
        for player in view.order.iter().filter_map(at) {
            let open: Bag = player.open.iter().filter_map(|held| held.card.map(place)).collect();
            players.push((u8::try_from(player.cards).unwrap_or(u8::MAX), open));
        }
        // All cards there are, less those that lie or have been seen somewhere.
        let mut out = Bag::NONE;
        for _ in 0..setup.decks {
            (1..=52).chain([0, 0]).for_each(|place| out.add(place));
        }
        hand.iter().for_each(|place| {
            out.take(place);
        });
        for (_, (_, open)) in players.iter().enumerate().filter(|(i, _)| *i != me) {
            open.iter().for_each(|place| {
                out.take(place);
            });
        }
        let on_table = view.table.iter().flat_map(|table| &table.cards).filter_map(|held| held.card);
        let pile = sight.rules.pile().iter().filter_map(|slot| sight.known.face(*slot));
        on_table.chain(pile).for_each(|card| {
            out.take(place(card));
        });
        let owner = view.table.as_ref().and_then(|table| view.order.iter().position(|seat| *seat == table.by));
        let passed = view.order.iter().filter_map(at).filter(|player| player.passed).count();
        let terms = Terms {
            scale: Scale::new(players.len().saturating_sub(1)),
            pass_draws: setup.pass_draws,
            last_chance: setup.last_chance,
            two_joker_triple_low: setup.two_joker_triple_low,
        };
        Some(Self { terms, hand, me, players, out: out.iter().collect(), owner, passed })
    }

    /// The fewest cards that another player holds.
    pub(super) fn least(&self) -> u8 {
        let others = self.players.iter().enumerate().filter(|(i, _)| *i != self.me);
        others.map(|(_, (cards, _))| *cards).min().unwrap_or(0)
    }

    /// The deal with hands made up for the others; the own plan is empty.
    pub(super) fn imagine(&mut self, beat: Option<games::bigc::Hand>, wide: usize, draw: &mut impl Draw) -> World {
        shuffle(&mut self.out, draw);
        let mut rest = self.out.iter().copied();
        let mut players = Vec::with_capacity(self.players.len());
        for (i, (cards, open)) in self.players.iter().enumerate() {
            if i == self.me {
                players.push(Player { plan: Plan::default(), cards: *cards });
                continue;
            }
            let mut bag = *open;
            let hidden = usize::from(*cards).saturating_sub(usize::from(open.len()));
            rest.by_ref().take(hidden).for_each(|place| bag.add(place));
            players.push(Player { plan: Plan::new(&bag, &self.terms.scale, wide), cards: *cards });
        }
        World {
            players,
            turn: self.me,
            // The hand of somebody who has left still lies there; whoever comes before counts as its owner.
            table: beat.map(|hand| (hand, self.owner.unwrap_or((self.me + 1) % self.players.len().max(1)))),
            passed: self.passed,
            stock: rest.collect(),
        }
    }
}
