//! Finding melds in a hand: all of them, or the best choice of several at once.
//!
//! Faces are enough for that. No meld holds a card twice, so a hand of two packs is two sets of natural
//! cards (those held at least once, and those held twice) and a number of jokers: a [`Pool`].
//!
//! The search looks at the lowest card of the pool. It lies in one of the melds that contain it, or in
//! none; either way it is gone, and the rest is a smaller pool. What can no longer be better than the
//! best so far is not followed, and after [`MOST_STEPS`] the best so far is taken.
//!
//! A joker in a run may take the place of a card that is at hand if that card then lies in another meld,
//! but never of one that stays in hand: that would be legal, but for nothing.

use cards::{Card, Suit};

use super::meld::{Place, Shape, card_at, place_bits, suit_bit};
use super::score;

/// The search stops improving after this many steps, far more than a usual hand takes.
pub const MOST_STEPS: u32 = 20_000;

/// The most melds that a hand of 14 cards holds.
const MOST_MELDS: usize = 4;

/// The faces of some cards of a double pack.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pool {
    /// Natural cards held at least once, by code.
    once: u64,
    /// Those held twice.
    twice: u64,
    jokers: u8,
}

impl Pool {
    /// One card more.
    #[inline]
    pub fn with(mut self, card: Card) -> Self {
        if card.is_joker() {
            self.jokers += 1;
        } else if let Some(code) = card.id52() {
            self.twice |= self.once & (1 << code);
            self.once |= 1 << code;
        }
        self
    }

    /// How many cards have this face.
    #[inline]
    pub fn count(self, card: Card) -> u8 {
        let bit = code_bit(card);
        if card.is_joker() { self.jokers } else { u8::from(self.once & bit != 0) + u8::from(self.twice & bit != 0) }
    }

    /// One card less.
    #[inline]
    pub fn without(mut self, card: Card) -> Self {
        if card.is_joker() {
            self.jokers = self.jokers.saturating_sub(1);
        } else if let Some(code) = card.id52() {
            self.remove(1 << code);
        }
        self
    }

    /// Takes one copy of each of these natural cards.
    #[inline]
    fn remove(&mut self, cards: u64) {
        self.once &= !cards | self.twice;
        self.twice &= !cards;
    }

    /// The pool without a meld that was found in it.
    #[inline]
    fn after(mut self, shape: Shape) -> Self {
        self.remove(naturals(shape));
        self.jokers = self.jokers.saturating_sub(shape.jokers());
        self
    }

    /// The natural card with the lowest code.
    #[inline]
    fn lowest(self) -> Option<Card> {
        u8::try_from(self.once.trailing_zeros()).ok().filter(|code| *code < 52).and_then(Card::from_code)
    }

    /// All melds that these cards can make, one at a time. Cards of one face count once.
    #[inline]
    pub fn melds(self) -> impl Iterator<Item = Shape> {
        let mut rest = Self { twice: 0, ..self };
        let pools = core::iter::from_fn(move || {
            let pool = rest;
            rest.once &= rest.once.checked_sub(1)?;
            Some(pool)
        });
        pools.flat_map(|pool| pool.melds_with_lowest(false))
    }

    /// The melds that contain this natural card.
    #[inline]
    pub fn melds_with(self, card: Card) -> impl Iterator<Item = Shape> {
        let bit = card.id52().map_or(0, |code| 1u64 << code);
        self.melds().filter(move |shape| naturals(*shape) & bit != 0)
    }

    /// The melds that contain the lowest natural card; if asked for, also those in which a joker frees a
    /// card for another meld.
    #[inline]
    fn melds_with_lowest(self, freeing: bool) -> impl Iterator<Item = Shape> {
        let lowest = self.lowest().and_then(Card::natural);
        lowest.into_iter().flat_map(move |(rank, suit)| {
            let held = Suit::ALL
                .into_iter()
                .filter(move |s| self.once & code_bit(Card::new(rank, *s)) != 0)
                .fold(0, |suits, s| suits | suit_bit(s));
            // A set has at least two natural cards.
            let most = if held.count_ones() < 2 { 0 } else { 16 };
            let sets = (0..most).filter(move |suits| suits & !held == 0 && suits & suit_bit(suit) != 0);
            let sets = sets.flat_map(move |suits| {
                let naturals = u8::try_from(suits.count_ones()).unwrap_or(0);
                let jokers = (0..=self.jokers.min(naturals)).filter(move |j| (3..=4).contains(&(naturals + j)));
                jokers.map(move |jokers| Shape::Set { rank, suits, jokers })
            });
            // Below the lowest card there can only be an ace, a joker, or both.
            let place = place_bits(rank).trailing_zeros();
            let held = places_of(self.once, suit);
            let runs = (place.saturating_sub(2)..=place).flat_map(move |first| runs_from(first, held, self.jokers));
            let runs = runs.filter(move |(places, _)| places & (1 << place) != 0);
            let free = if freeing && self.jokers > 0 { self.wanted_twice(suit) & !(1 << place) } else { 0 };
            let runs = runs.flat_map(move |run| more_jokers(run, free, self.jokers));
            sets.chain(runs.map(move |(places, jokers)| Shape::Run { suit, places, jokers }))
        })
    }

    /// The cards of a suit that might lie in another meld than a run of theirs, as places: they have a
    /// fellow of their rank, or there may be two runs of the suit.
    #[inline]
    fn wanted_twice(self, suit: Suit) -> u16 {
        let held = places_of(self.once, suit);
        if places_of(self.twice, suit) != 0 {
            return held;
        }
        let others = Suit::ALL.into_iter().filter(|other| *other != suit);
        held & others.fold(0, |places, other| places | places_of(self.once, other))
    }

    /// What the cards count in hand.
    pub fn points(self) -> u16 {
        let of = |set: u64| -> u16 {
            (0..13u32)
                .filter_map(|i| {
                    let four_suits = (1 << i) | (1 << (i + 13)) | (1 << (i + 26)) | (1 << (i + 39));
                    let held = u16::try_from((set & four_suits).count_ones()).unwrap_or(0);
                    (held > 0).then(|| held * Card::from_code(u8::try_from(i).unwrap_or(0)).map_or(0, score::in_hand))
                })
                .sum()
        };
        of(self.once) + of(self.twice) + u16::from(self.jokers) * score::in_hand(Card::JOKER)
    }
}

/// A joker in a meld is worth at most an ace.
const MOST_FOR_A_JOKER: u16 = 11;

/// The runs that begin at a place, as their places and those that jokers fill, growing.
#[inline]
fn runs_from(first: u32, held: u16, jokers_held: u8) -> impl Iterator<Item = (u16, u16)> {
    let longest = (first + 12).min(13);
    let mut run = (0u16, 0u16);
    let grown = (first..=longest).map_while(move |place| {
        let bit = 1 << place;
        let (places, jokers) = &mut run;
        if held & bit == 0 {
            let neighbour = *jokers & (bit >> 1) != 0;
            if neighbour || jokers.count_ones() >= u32::from(jokers_held) {
                return None;
            }
            *jokers |= bit;
        }
        *places |= bit;
        Some(run)
    });
    grown.filter(|(places, jokers)| {
        let len = places.count_ones();
        len >= 3 && jokers.count_ones() * 2 <= len
    })
}

/// The run itself, and with further jokers in place of the cards that may be freed. Where these are very
/// many, which takes most of a hand in one suit, it is left as it is.
#[inline]
fn more_jokers(run: (u16, u16), free: u16, jokers_held: u8) -> impl Iterator<Item = (u16, u16)> {
    let (places, jokers) = run;
    let free = Some(free & places & !jokers).filter(|free| free.count_ones() <= 6).unwrap_or(0);
    let mut next = Some(0u16);
    let subsets = core::iter::from_fn(move || {
        let subset = next?;
        next = Some(subset.wrapping_sub(free) & free).filter(|next| *next != 0);
        Some(subset)
    });
    subsets.map(move |subset| (places, jokers | subset)).filter(move |(places, jokers)| {
        let count = jokers.count_ones();
        count <= u32::from(jokers_held) && count * 2 <= places.count_ones() && jokers & (jokers << 1) == 0
    })
}

/// The natural cards of a suit as places of a run, an ace at both ends.
#[inline]
fn places_of(cards: u64, suit: Suit) -> u16 {
    let ranks = cards.checked_shr(u32::from(suit.index()) * 13).unwrap_or(0) & 0x1fff;
    // At most 13 bits are set.
    let ranks = u16::try_from(ranks).unwrap_or(0) << 1;
    ranks | (ranks >> 13)
}

#[inline]
fn code_bit(card: Card) -> u64 {
    card.id52().map_or(0, |code| 1 << code)
}

/// The natural cards of a meld, by code.
#[inline]
fn naturals(shape: Shape) -> u64 {
    shape.cards().fold(0, |set, place| match place {
        Place::Natural(card) => set | code_bit(card),
        Place::Joker(_) => set,
    })
}

/// The cards that jokers of a run stand for, by code.
#[inline]
fn named(shape: Shape) -> u64 {
    shape.cards().fold(0, |set, place| match place {
        Place::Joker(Some(card)) => set | code_bit(card),
        Place::Joker(None) | Place::Natural(_) => set,
    })
}

/// What a choice of melds must fulfil.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Goal {
    /// The melds count at least this much together.
    pub least: u16,
    /// At least one card stays in hand.
    pub keep: bool,
}

/// Several melds that a hand can lay at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    melds: [Option<Shape>; MOST_MELDS],
    /// What they count together.
    pub points: u16,
    /// What the cards that stay in hand count there.
    pub left: u16,
}

impl Plan {
    const EMPTY: Self = Self { melds: [None; MOST_MELDS], points: 0, left: 0 };

    /// The melds.
    #[inline]
    pub fn melds(&self) -> impl Iterator<Item = Shape> {
        self.melds.iter().flatten().copied()
    }

    /// What stays of the cards the plan was made for.
    pub fn rest(&self, pool: Pool) -> Pool {
        self.melds().fold(pool, Pool::after)
    }

    /// The plan without its `n`-th meld, those cards staying in hand.
    #[inline]
    pub(super) fn without(mut self, n: usize) -> Self {
        if let Some(shape) = self.melds.get_mut(n).and_then(Option::take) {
            self.points -= shape.points();
            self.left += in_hand(shape);
        }
        self
    }

    #[inline]
    fn with(mut self, shape: Shape) -> Option<Self> {
        *self.melds.iter_mut().find(|m| m.is_none())? = Some(shape);
        self.points += shape.points();
        Some(self)
    }
}

/// What the cards of a meld would count in hand.
fn in_hand(shape: Shape) -> u16 {
    let face = |place| match place {
        Place::Natural(card) => card,
        Place::Joker(_) => Card::JOKER,
    };
    shape.cards().map(|place| score::in_hand(face(place))).sum()
}

/// The melds that leave the fewest points in hand, of all that fulfil the goal; `None` if none do.
pub fn best(pool: Pool, goal: Goal) -> Option<Plan> {
    // Most cards of most hands fit into no meld at all.
    let useful = pool.melds().fold(0, |cards, shape| cards | naturals(shape));
    if useful == 0 {
        return None;
    }
    let rest = Pool { once: pool.once & useful, twice: pool.twice & useful, jokers: pool.jokers };
    let left = pool.points() - rest.points();
    let mut search = Search { goal, best: None, steps: 0 };
    let possible = rest.points() - u16::from(rest.jokers) * (score::in_hand(Card::JOKER) - MOST_FOR_A_JOKER);
    search.visit(rest, Plan { left, ..Plan::EMPTY }, Rest { kept: pool.once & !useful, possible });
    search.best
}

struct Search {
    goal: Goal,
    best: Option<Plan>,
    steps: u32,
}

/// What the search knows about the cards beside the melds of a plan.
#[derive(Clone, Copy)]
struct Rest {
    /// The natural cards that stay in hand.
    kept: u64,
    /// No more points can come from the cards not decided yet.
    possible: u16,
}

impl Search {
    /// `plan` is decided, with what it leaves in hand so far; `pool` is not.
    fn visit(&mut self, pool: Pool, plan: Plan, rest: Rest) {
        self.steps += 1;
        let too_low = plan.points + rest.possible < self.goal.least;
        let no_better = self.best.is_some_and(|best| plan.left >= best.left);
        if too_low || no_better || self.steps > MOST_STEPS {
            return;
        }
        let Some(card) = pool.lowest() else {
            let left = plan.left + u16::from(pool.jokers) * score::in_hand(Card::JOKER);
            let enough = plan.points >= self.goal.least && plan.melds().next().is_some();
            let kept_one = !self.goal.keep || rest.kept != 0 || pool.jokers > 0;
            let for_nothing = plan.melds().any(|shape| named(shape) & rest.kept != 0);
            if enough && kept_one && !for_nothing && self.best.is_none_or(|best| left < best.left) {
                self.best = Some(Plan { left, ..plan });
            }
            return;
        };
        pool.melds_with_lowest(true).for_each(|shape| {
            if let Some(plan) = plan.with(shape) {
                let of_jokers = u16::from(shape.jokers()) * (score::in_hand(Card::JOKER) - MOST_FOR_A_JOKER);
                let possible = rest.possible.saturating_sub(in_hand(shape) - of_jokers);
                self.visit(pool.after(shape), plan, Rest { possible, ..rest });
            }
        });
        let points = score::in_hand(card);
        let rest = Rest { kept: rest.kept | code_bit(card), possible: rest.possible.saturating_sub(points) };
        self.visit(pool.without(card), Plan { left: plan.left + points, ..plan }, rest);
    }
}

/// The cards of a shape as somebody lays them: face, and what a joker of a run stands for.
pub(super) fn laid(shape: Shape) -> impl Iterator<Item = (Card, Option<Card>)> {
    shape.cards().map(|place| match place {
        Place::Natural(card) => (card, None),
        Place::Joker(named) => (Card::JOKER, named),
    })
}

/// Are these two cards half a meld: of one rank and different suits, or near each other in one suit?
pub fn is_half_a_meld(a: Card, b: Card) -> bool {
    let (Some((rank, suit)), Some((other_rank, other_suit))) = (a.natural(), b.natural()) else { return false };
    if suit != other_suit {
        return rank == other_rank;
    }
    let near = |place: u32| {
        let window = (place.saturating_sub(2)..=place + 2).filter(|p| *p != place);
        window.filter_map(|p| card_at(suit, p)).any(|card| card == b)
    };
    (0..14).filter(|place| place_bits(rank) & (1 << place) != 0).any(near)
}
