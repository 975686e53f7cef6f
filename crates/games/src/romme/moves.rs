//! What a seat can do in a turn of Rommé.
//!
//! A hand can hold a great many melds, so nothing is listed before it is asked for: [`Play`] keeps the
//! hand and the table, and its methods find the moves one by one. Written down (for people, and for
//! computers elsewhere) it gives the lists.

use cards::Card;
use serde::Serialize;
use table::{Draw, Known, Move, NoChoice, Seat, Slot};

use super::action::{Laid, MeldId, Use};
use super::meld::{Meld, Part, Shape};
use super::partition::{self, Goal, Plan, Pool};
use super::phase::Phase;
use super::state::Hand;
use super::{Action, Deal};
use crate::Held;

/// What a seat can do now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Moves {
    /// It is not asked.
    None,
    /// Draw a card.
    Draw(Drawing),
    /// Lay cards, or throw one away.
    Play(Play),
}

/// Where a card can be drawn from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Drawing {
    /// Cards in the stock.
    pub stock: u16,
    /// Drawing from the stock would end the round: it is empty, and no new one can be made.
    pub blocks: bool,
    /// The top of the discard pile, if the seat may take it.
    pub discard: Option<Held>,
}

/// What a seat can do after drawing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Play {
    hand: Hand,
    faces: [Option<Card>; 14],
    pool: Pool,
    /// The melds on the table; empty before the seat's opening, when they are of no use to it.
    table: Vec<Meld>,
    goal: Goal,
    opened: bool,
    barred: Option<Slot>,
}

impl Moves {
    pub(super) fn new(deal: &Deal, known: Known<'_>, seat: Seat) -> Self {
        match deal.phase {
            Phase::Draw(next) if next == seat => {
                let discard = deal.admits_discard_draw(seat).ok();
                Self::Draw(Drawing {
                    stock: deal.stock_size(),
                    blocks: deal.blocks(),
                    discard: discard.map(|slot| Held { slot, card: known.face(slot) }),
                })
            }
            Phase::Play(turn) if turn.seat == seat => {
                let hand = deal.hands[seat];
                let mut faces = [None; 14];
                faces.iter_mut().zip(hand.iter()).for_each(|(face, slot)| *face = known.face(slot));
                let opened = deal.opened.contains(seat);
                Self::Play(Play {
                    hand,
                    faces,
                    pool: faces.iter().flatten().fold(Pool::default(), |pool, card| pool.with(*card)),
                    table: if opened { deal.melds.clone() } else { Vec::new() },
                    goal: Goal {
                        least: if opened { 0 } else { deal.setup.first_meld },
                        keep: !deal.setup.out_without_discard,
                    },
                    opened,
                    barred: deal.barred(&turn),
                })
            }
            Phase::Rolling
            | Phase::Dealing
            | Phase::Draw(_)
            | Phase::Drawing { .. }
            | Phase::Play(_)
            | Phase::Settling(_)
            | Phase::Over(_) => Self::None,
        }
    }
}

impl Play {
    /// The seat's cards.
    #[inline]
    pub fn hand(&self) -> impl Iterator<Item = Held> {
        self.hand.iter().zip(&self.faces).map(|(slot, card)| Held { slot, card: *card })
    }

    /// The faces of the seat's cards.
    #[inline]
    pub const fn pool(&self) -> Pool {
        self.pool
    }

    /// Has the seat laid its first melds?
    #[inline]
    pub const fn opened(&self) -> bool {
        self.opened
    }

    /// The melds that leave the fewest points in hand, if any can be laid.
    #[inline]
    pub fn best(&self) -> Option<Plan> {
        partition::best(self.pool, self.goal)
    }

    /// The action that lays these melds.
    pub fn lay(&self, plan: &Plan) -> Action {
        Action::Meld(self.laid(plan.melds(), None))
    }

    /// Ways to open: what leaves the fewest points in hand, and every single meld that is enough.
    pub fn openings(&self) -> Vec<Action> {
        if self.opened {
            return Vec::new();
        }
        let best = self.best();
        let single = |shape: &Shape| best.is_none_or(|best| !best.melds().eq([*shape]));
        let enough = self.single_melds().filter(|shape| shape.points() >= self.goal.least).filter(single);
        best.iter().map(|plan| self.lay(plan)).chain(enough.map(|shape| self.lay_one(shape))).collect()
    }

    /// Single melds to lay after the opening.
    pub fn melds(&self) -> impl Iterator<Item = Action> {
        self.single_melds().filter(|_| self.opened).map(|shape| self.lay_one(shape))
    }

    /// Cards to add to melds on the table. A joker that bridges a gap comes with the card behind it;
    /// otherwise cards are added one by one.
    pub fn lay_offs(&self) -> impl Iterator<Item = Action> {
        self.additions().map(|(meld, added)| Action::LayOff { meld, cards: added.list() })
    }

    /// Jokers to take from the table, each with a use for it.
    pub fn swaps(&self) -> impl Iterator<Item = Action> {
        self.exchanges().map(|exchange| self.exchange(exchange))
    }

    /// Cards to throw away.
    pub fn discards(&self) -> impl Iterator<Item = Held> {
        self.hand().filter(|held| Some(held.slot) != self.barred)
    }

    /// Every meld of the hand that leaves a card where one must be left.
    #[inline]
    fn single_melds(&self) -> impl Iterator<Item = Shape> {
        self.pool.melds().filter(|shape| self.leaves_enough(usize::from(shape.len())))
    }

    #[inline]
    fn leaves_enough(&self, laid: usize) -> bool {
        laid < self.hand.len() || !self.goal.keep
    }

    #[inline]
    fn lay_one(&self, shape: Shape) -> Action {
        Action::Meld(self.laid(core::iter::once(shape), None))
    }

    #[inline]
    fn naturals(&self) -> impl Iterator<Item = (Slot, Card)> {
        self.hand().filter_map(|held| Some((held.slot, held.card.filter(|card| !card.is_joker())?)))
    }

    #[inline]
    fn joker(&self) -> Option<Slot> {
        self.hand().find(|held| held.card == Some(Card::JOKER)).map(|held| held.slot)
    }

    /// Finds cards for melds; after a swap without the card given, and with the joker taken first.
    fn laid(&self, shapes: impl Iterator<Item = Shape>, swap: Option<(Slot, Slot)>) -> Vec<Vec<Laid>> {
        let mut joker = swap.map(|(_, joker)| joker);
        let mut free: Vec<(Slot, Card)> = self.hand().filter_map(|held| Some((held.slot, held.card?))).collect();
        free.retain(|(slot, _)| swap.is_none_or(|(given, _)| *slot != given));
        let mut take = |face: Card| {
            if face.is_joker()
                && let Some(joker) = joker.take()
            {
                return Some(joker);
            }
            // The latest first: it may be one that cannot be thrown away in this turn.
            free.iter().rposition(|(_, card)| *card == face).map(|at| free.remove(at).0)
        };
        shapes
            .map(|shape| {
                let cards = partition::laid(shape);
                cards.filter_map(|(face, stands_for)| Some(Laid { slot: take(face)?, stands_for })).collect()
            })
            .collect()
    }

    #[inline]
    fn additions(&self) -> impl Iterator<Item = (MeldId, Added)> {
        self.table.iter().enumerate().flat_map(move |(at, meld)| {
            let fits = |(slot, face): (Slot, Card)| {
                let part = Part { slot, face, stands_for: None };
                meld.shape.with(&[part]).is_ok().then(|| Added::one(Laid::from(slot)))
            };
            let jokers = self.joker().into_iter().flat_map(move |joker| self.joker_additions(meld.shape, joker, None));
            let added = self.naturals().filter_map(fits).chain(jokers);
            added.filter(|added| self.leaves_enough(added.len())).map(move |added| (MeldId::at(at), added))
        })
    }

    /// Ways to add this joker to a meld, alone or with the card of the hand that lies behind it.
    #[inline]
    fn joker_additions(&self, shape: Shape, joker: Slot, given: Option<Slot>) -> impl Iterator<Item = Added> {
        let names: [Option<Option<Card>>; 2] = match shape {
            Shape::Set { .. } => [Some(None), None],
            Shape::Run { .. } => shape.ends().map(|(next, _)| next.map(Some)),
        };
        let beyond = shape.ends().map(|(_, beyond)| beyond);
        names.into_iter().zip(beyond).filter_map(|(name, beyond)| Some((name?, beyond))).flat_map(
            move |(stands_for, beyond)| {
                let laid = Laid { slot: joker, stands_for };
                let part = Part { slot: joker, face: Card::JOKER, stands_for };
                let alone = shape.with(&[part]).is_ok().then(|| Added::one(laid));
                let behind = self.naturals().filter(move |(slot, card)| Some(*card) == beyond && Some(*slot) != given);
                let bridges = behind.filter_map(move |(slot, face)| {
                    let behind = Part { slot, face, stands_for: None };
                    shape.with(&[part, behind]).is_ok().then(|| Added([Some(laid), Some(Laid::from(slot))]))
                });
                alone.into_iter().chain(bridges)
            },
        )
    }

    #[inline]
    fn exchanges(&self) -> impl Iterator<Item = Exchange> {
        let with_jokers = self.table.iter().enumerate().filter(|(_, meld)| meld.shape.jokers() > 0);
        let swappable = with_jokers.flat_map(|(at, meld)| {
            let found = move |(card, face)| Some((at, card, face, meld.jokers_for(face).next()?));
            self.naturals().filter_map(found)
        });
        swappable.flat_map(move |(at, card, face, joker)| {
            let others = self.table.iter().enumerate().filter(move |(other, _)| *other != at);
            let added = others.flat_map(move |(other, meld)| {
                let added = self.joker_additions(meld.shape, joker, Some(card));
                added.map(move |added| (added.len(), Target::LayOff(MeldId::at(other), added)))
            });
            let pool = self.pool.without(face).with(Card::JOKER);
            let new = pool.melds().filter(|shape| shape.jokers() > 0);
            let new = new.map(|shape| (usize::from(shape.len()), Target::Meld(shape)));
            // The card given and the cards laid, less the joker, leave the hand.
            let legal = added.chain(new).filter(|(laid, _)| self.leaves_enough(*laid));
            legal.map(move |(_, target)| Exchange { meld: MeldId::at(at), card, joker, target })
        })
    }

    #[inline]
    fn exchange(&self, exchange: Exchange) -> Action {
        let Exchange { meld, card, joker, target } = exchange;
        let then = match target {
            Target::Meld(shape) => {
                let melds = self.laid(core::iter::once(shape), Some((card, joker)));
                Use::Meld(melds.into_iter().flatten().collect())
            }
            Target::LayOff(meld, added) => Use::LayOff { meld, cards: added.list() },
        };
        Action::Swap { meld, card, then }
    }

    /// The best opening, or a smaller one that is still enough.
    fn any_opening(&self, draw: &mut impl Draw) -> Option<Action> {
        let plan = self.best()?;
        let smaller = plan.without(usize::try_from(draw.below(4)).unwrap_or(0));
        let enough = smaller.points >= self.goal.least && smaller.melds().next().is_some();
        Some(self.lay(if enough && draw.one_in(2) { &smaller } else { &plan }))
    }

    fn any_discard(&self, draw: &mut impl Draw) -> Option<Action> {
        any(self.discards(), draw).map(|held| Action::Discard(held.slot))
    }
}

/// One or two cards added to a meld.
#[derive(Clone, Copy)]
struct Added([Option<Laid>; 2]);

impl Added {
    #[inline]
    const fn one(laid: Laid) -> Self {
        Self([Some(laid), None])
    }

    #[inline]
    fn len(&self) -> usize {
        self.0.iter().flatten().count()
    }

    #[inline]
    fn list(&self) -> Vec<Laid> {
        self.0.iter().flatten().copied().collect()
    }
}

/// A joker swapped for a card, and its use.
struct Exchange {
    meld: MeldId,
    card: Slot,
    joker: Slot,
    target: Target,
}

enum Target {
    Meld(Shape),
    LayOff(MeldId, Added),
}

/// One of these, each with the same chance.
fn any<T>(items: impl Iterator<Item = T>, draw: &mut impl Draw) -> Option<T> {
    let mut seen = 0;
    items.fold(None, |chosen, item| {
        seen += 1;
        if draw.one_in(seen) { Some(item) } else { chosen }
    })
}

impl table::Moves for Moves {
    type Action = Action;
    type Choice = NoChoice;

    fn pick(&self, draw: &mut impl Draw) -> Option<Move<Action, NoChoice>> {
        let action = match self {
            Self::None => return None,
            Self::Draw(drawing) if drawing.discard.is_some() && draw.one_in(3) => Action::DrawDiscard,
            Self::Draw(_) => Action::DrawStock,
            Self::Play(play) if !play.opened => {
                let opening = if draw.one_in(4) { None } else { play.any_opening(draw) };
                opening.or_else(|| play.any_discard(draw))?
            }
            Self::Play(play) => {
                // Each kind has its chance, and the following ones where there is none of it.
                let kind = draw.below(4);
                let meld = if kind == 0 { any(play.single_melds(), draw).map(|m| play.lay_one(m)) } else { None };
                let swap = || if kind <= 1 { any(play.exchanges(), draw).map(|e| play.exchange(e)) } else { None };
                let meld = meld.or_else(swap);
                let lay_off = if meld.is_none() && kind <= 2 { any(play.additions(), draw) } else { None };
                let lay_off = lay_off.map(|(meld, added)| Action::LayOff { meld, cards: added.list() });
                meld.or(lay_off).or_else(|| play.any_discard(draw))?
            }
        };
        Some(Move::Act(action))
    }
}

impl Serialize for Moves {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(rename_all = "snake_case")]
        enum Plain<'a> {
            None,
            Draw(&'a Drawing),
            Play {
                /// Points that an opening must reach; absent after it.
                #[serde(skip_serializing_if = "Option::is_none")]
                opening_needs: Option<u16>,
                openings: Vec<Action>,
                melds: Vec<Action>,
                lay_offs: Vec<Action>,
                swaps: Vec<Action>,
                discards: Vec<Held>,
            },
        }
        match self {
            Self::None => Plain::None,
            Self::Draw(drawing) => Plain::Draw(drawing),
            Self::Play(play) => Plain::Play {
                opening_needs: (!play.opened).then_some(play.goal.least),
                openings: play.openings(),
                melds: play.melds().collect(),
                lay_offs: play.lay_offs().collect(),
                swaps: play.swaps().collect(),
                discards: play.discards().collect(),
            },
        }
        .serialize(serializer)
    }
}
