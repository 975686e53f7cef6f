//! What a seat can know about a deal: its own cards, the cards still out, and those the others have shown.

use games::bigc::{Action, BigC, Hand, on_top, place};
use table::Draw;

use super::bag::{Bag, Place, hand_of};
use super::plan::Plan;
use super::scale::Scale;
use super::world::{Player, Terms, World};
use crate::{Past, Sight};

/// How many hands are guessed for a player until one fits their passes.
const TRIES: usize = 2;

/// A deal as one seat knows it.
#[derive(Debug)]
pub(super) struct Memory {
    pub(super) terms: Terms,
    pub(super) hand: Bag,
    /// This seat's index among those in play.
    pub(super) me: usize,
    /// The players still in, in order of play: the number of cards in hand, and those that everybody has seen.
    pub(super) players: Vec<(u8, Bag)>,
    /// Cards this seat has not seen: in the other hands and the stock.
    pub(super) out: Vec<Place>,
    /// The hands that each player has passed on.
    passes: Vec<Vec<Hand>>,
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
        // All cards, minus those that are on the table or have been seen.
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
        let passes = passes(sight);
        Some(Self { terms, hand, me, players, out: out.iter().collect(), passes, owner, passed })
    }

    /// How many cards each of the others holds.
    fn others(&self) -> impl Iterator<Item = u8> {
        self.players.iter().enumerate().filter(|(i, _)| *i != self.me).map(|(_, (cards, _))| *cards)
    }

    /// The fewest cards that another player holds.
    pub(super) fn least(&self) -> u8 {
        self.others().min().unwrap_or(0)
    }

    /// The most cards that another player holds.
    pub(super) fn most(&self) -> u8 {
        self.others().max().unwrap_or(0)
    }

    /// The deal with guessed hands for the others; this seat's own plan is empty.
    pub(super) fn imagine(&mut self, beat: Option<Hand>, draw: &mut impl Draw) -> World {
        let mut players = Vec::with_capacity(self.players.len());
        let mut dealt = 0;
        for i in 0..self.players.len() {
            let Some((cards, open)) = self.players.get(i).copied() else { continue };
            if i == self.me {
                players.push(Player { plan: Plan::default(), cards });
                continue;
            }
            let hidden = usize::from(cards).saturating_sub(usize::from(open.len()));
            let mut plan = Plan::default();
            for _ in 0..TRIES {
                let mut bag = open;
                for place in self.any(dealt, hidden, draw) {
                    bag.add(*place);
                }
                plan = Plan::new(&bag, &self.terms.scale, 1);
                if self.goes_with_passes(i, &plan) {
                    break;
                }
            }
            dealt += hidden;
            players.push(Player { plan, cards });
        }
        let rest = self.out.len().saturating_sub(dealt);
        let stock = self.any(dealt, rest, draw).to_vec();
        World {
            players,
            turn: self.me,
            // If its owner has left, the hand still lies there, and the next player counts as its owner.
            table: beat.map(|hand| (hand, self.owner.unwrap_or((self.me + 1) % self.players.len().max(1)))),
            passed: self.passed,
            stock,
        }
    }

    /// A random `n` of the cards that are out, except the first `dealt`; moves them right after those.
    fn any(&mut self, dealt: usize, n: usize, draw: &mut impl Draw) -> &[Place] {
        let last = self.out.len();
        for i in dealt..(dealt + n).min(last) {
            let other = i + draw.below((last - i) as u32) as usize;
            self.out.swap(i, other);
        }
        self.out.get(dealt..(dealt + n).min(last)).unwrap_or(&[])
    }

    /// A player who passes hardly has anything that could be played.
    fn goes_with_passes(&self, player: usize, plan: &Plan) -> bool {
        let passes = self.passes.get(player).map_or(&[][..], Vec::as_slice);
        let low = self.terms.two_joker_triple_low;
        !passes.iter().any(|passed| {
            let fits = |hand: &Hand| on_top(hand, passed, low).is_some();
            plan.groups.iter().any(|group| group.strength < 0.6 && fits(&group.hand))
        })
    }
}

/// The lowest hand of each size that each player still in has passed on.
fn passes(sight: &Sight<'_, BigC>) -> Vec<Vec<Hand>> {
    let low = sight.rules.setup().two_joker_triple_low;
    let order = &sight.view.order;
    let mut passes: Vec<Vec<Hand>> = vec![Vec::new(); order.len()];
    let mut on_table: Option<Hand> = None;
    for past in sight.course.past {
        match past {
            Past::Did(_, Action::Play(cards)) => {
                let places: Vec<Place> = cards.iter().filter_map(|slot| sight.known.face(slot).map(place)).collect();
                on_table = hand_of(&places);
            }
            Past::Did(seat, Action::Pass) => {
                let of_seat = order.iter().position(|other| other == seat).and_then(|i| passes.get_mut(i));
                let (Some(of_seat), Some(hand)) = (of_seat, on_table) else { continue };
                let same = of_seat.iter_mut().find(|other| other.class().size() == hand.class().size());
                match same {
                    Some(other) if on_top(other, &hand, low).is_some() => *other = hand,
                    Some(_) => {}
                    None => of_seat.push(hand),
                }
            }
            Past::Did(_, Action::PassRole) | Past::Chose(..) => {}
        }
    }
    passes
}
