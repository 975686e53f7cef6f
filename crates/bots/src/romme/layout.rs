//! The cheapest way to divide a hand up, by search.
//!
//! The lowest card is in a meld, fits on the table, is half a meld with another, or is alone. In each case the
//! rest is a smaller hand. Branches that cannot become cheaper than the best so far are cut, and after
//! [`MOST_STEPS`] the best so far is taken.

use cards::Card;
use games::romme::{Place, Pool, Shape};

use super::seen::{bit, bits};
use super::worth::{Scene, halves};

/// The most steps of the search.
const MOST_STEPS: u32 = 3_000;

/// The most melds that a hand of 14 cards holds.
const MOST_MELDS: usize = 4;

/// A way to divide up a hand.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    /// Its cost; less is better.
    pub(super) cost: f64,
    /// Its melds.
    pub(super) melds: Vec<Shape>,
    /// Their points.
    pub(super) points: u16,
    /// Natural cards that go to melds on the table.
    pub(super) added: u64,
    /// Whether jokers outside melds go there.
    pub(super) adds_jokers: bool,
    /// How many cards stay in hand.
    pub(super) rest: u8,
    /// The turn ends the round.
    pub(super) out: bool,
}

impl Scene {
    /// The cheapest way to divide up these cards. If it is the seat's turn, one of them will be discarded right
    /// away, but not the barred one.
    pub(super) fn layout(&self, pool: Pool, turn: Turn) -> Layout {
        let set =
            |least: u8| Card::naturals().filter(|card| pool.count(*card) >= least).fold(0, |set, card| set | bit(card));
        let (once, twice) = (set(1), set(2));
        let mut search = Search::new(self, pool, once, turn);
        let floor = search.floor(once) + search.floor(twice);
        search.visit(Left { once, twice, jokers: pool.count(Card::JOKER), floor }, Trail::default());
        search.found()
    }
}

/// Whether a card is discarded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Turn {
    /// No: these cards stay.
    Over,
    /// Yes, any card except this one.
    Discard(Option<Card>),
}

/// A meld that the hand can make.
struct Found {
    shape: Shape,
    cards: u64,
    jokers: u8,
    points: u16,
    /// What its cards would cost outside a meld.
    price: f64,
}

/// Two cards that are half a meld.
struct Half {
    cards: u64,
    cost: f64,
    /// What discarding one of them saves.
    saved: f64,
}

/// The cards still undecided.
#[derive(Clone, Copy)]
struct Left {
    once: u64,
    twice: u64,
    jokers: u8,
    /// They cost at least this.
    floor: f64,
}

/// The decisions so far.
#[derive(Clone, Copy, Default)]
struct Trail {
    cost: f64,
    melds: [u16; MOST_MELDS],
    count: usize,
    points: u16,
    /// What the melded and added cards would cost if they could not be laid.
    laid: f64,
    longer: bool,
    added: u64,
    rest: u8,
    /// The most that discarding a card can save.
    saved: f64,
}

struct Search<'a> {
    scene: &'a Scene,
    turn: Turn,
    melds: Vec<Found>,
    halves: Vec<Half>,
    fitting: u64,
    takes_joker: bool,
    alone: [f64; 52],
    least: [f64; 52],
    dearest: f64,
    best: Option<(f64, Trail, bool, bool)>,
    steps: u32,
}

impl<'a> Search<'a> {
    fn new(scene: &'a Scene, pool: Pool, once: u64, turn: Turn) -> Self {
        let meld = |shape: Shape| {
            let naturals = || {
                shape.cards().filter_map(|place| match place {
                    Place::Natural(card) => Some(card),
                    Place::Joker(_) => None,
                })
            };
            let cards = naturals().fold(0, |set, card| set | bit(card));
            let price = naturals().map(|card| scene.price(card)).sum();
            Found { shape, cards, jokers: shape.jokers(), points: shape.points(), price }
        };
        let mut melds: Vec<Found> = pool.melds().map(meld).collect();
        melds.sort_by_key(|found| (found.jokers, core::cmp::Reverse(found.points)));
        let half = |(a, b): (Card, Card)| {
            let cost = scene.half(a, b);
            Half { cards: bit(a) | bit(b), cost, saved: (cost - scene.lone(a).min(scene.lone(b))).max(0.0) }
        };
        let halves: Vec<Half> = halves(once).map(half).collect();
        let spots = &scene.spots;
        let fitting = spots.fitting_with(once) | spots.for_jokers();
        let (mut alone, mut least, mut dearest) = ([0.0; 52], [0.0; 52], 0.0f64);
        for card in bits(once) {
            let cost = scene.lone(card);
            let code = usize::from(card.id52().unwrap_or(0));
            let in_meld = melds.iter().any(|found| found.cards & bit(card) != 0);
            let paired = halves.iter().filter(|half| half.cards & bit(card) != 0).map(|half| half.cost / 4.0);
            let floor = if in_meld || fitting & bit(card) != 0 { 0.0 } else { paired.fold(cost, f64::min) };
            if let (Some(alone), Some(least)) = (alone.get_mut(code), least.get_mut(code)) {
                (*alone, *least) = (cost, floor);
            }
            dearest = dearest.max(cost);
        }
        let takes_joker = spots.takes_joker();
        Self { scene, turn, melds, halves, fitting, takes_joker, alone, least, dearest, best: None, steps: 0 }
    }

    fn of(costs: &[f64; 52], card: Card) -> f64 {
        card.id52().and_then(|code| costs.get(usize::from(code))).copied().unwrap_or(0.0)
    }

    fn floor(&self, cards: u64) -> f64 {
        bits(cards).map(|card| Self::of(&self.least, card)).sum()
    }

    /// The most that the end of a branch can take off its cost.
    fn slack(&self, left: &Left, trail: &Trail) -> f64 {
        let scene = self.scene;
        let out = if trail.rest <= 1 && self.turn != Turn::Over { scene.out } else { 0.0 };
        let opening = if scene.opened { 0.0 } else { scene.weights.opening };
        let saved = if self.turn == Turn::Over { 0.0 } else { self.dearest };
        out + opening + saved + f64::from(left.jokers) * scene.weights.joker.max(0.0)
    }

    fn visit(&mut self, left: Left, trail: Trail) {
        self.steps += 1;
        let Some(card) = bits(left.once).next() else { return self.finish(left.jokers, trail) };
        let hopeless = |best: &(f64, Trail, bool, bool)| trail.cost + left.floor - self.slack(&left, &trail) >= best.0;
        if self.steps > MOST_STEPS || self.best.as_ref().is_some_and(hopeless) {
            return;
        }
        let this = bit(card);
        let less = |cards: u64, floor: f64, jokers: u8| Left {
            once: left.once & (!cards | left.twice),
            twice: left.twice & !cards,
            jokers: left.jokers - jokers,
            floor: left.floor - floor,
        };
        for at in 0..self.melds.len() {
            let Some(found) = self.melds.get(at) else { break };
            let fits = found.cards & this != 0 && found.cards & !left.once == 0 && found.jokers <= left.jokers;
            let mut next = trail;
            if let (true, Some(place), Ok(number)) = (fits, next.melds.get_mut(trail.count), u16::try_from(at)) {
                *place = number;
                next.count += 1;
                next.points += found.points;
                next.laid += found.price;
                next.longer |= found.shape.len() > 3;
                let rest = less(found.cards, self.floor(found.cards), found.jokers);
                self.visit(rest, next);
            }
        }
        let floor = Self::of(&self.least, card);
        let alone = Self::of(&self.alone, card);
        let barred = self.turn == Turn::Discard(Some(card));
        if self.fitting & this & !trail.added != 0 {
            let laid = trail.laid + self.scene.price(card);
            self.visit(less(this, floor, 0), Trail { added: trail.added | this, laid, ..trail });
        }
        for at in 0..self.halves.len() {
            let Some(half) = self.halves.get(at).filter(|half| half.cards & this != 0 && half.cards & !left.once == 0)
            else {
                continue;
            };
            let saved = trail.saved.max(half.saved);
            let next = Trail { cost: trail.cost + half.cost, rest: trail.rest + 2, saved, ..trail };
            self.visit(less(half.cards, self.floor(half.cards), 0), next);
        }
        let saved = if barred { trail.saved } else { trail.saved.max(alone) };
        self.visit(less(this, floor, 0), Trail { cost: trail.cost + alone, rest: trail.rest + 1, saved, ..trail });
    }

    /// All natural cards are decided; the jokers that are left stay, or are added on the table.
    fn finish(&mut self, jokers: u8, trail: Trail) {
        let scene = self.scene;
        let weights = &scene.weights;
        let can_lay = scene.opened || (trail.count > 0 && trail.points >= scene.need);
        let laid = if can_lay { 0.0 } else { trail.laid * weights.waiting };
        let opening = match scene.need {
            _ if scene.opened => 0.0,
            0 => weights.opening,
            need => weights.opening * (f64::from(trail.points) / f64::from(need)).min(1.0),
        };
        let discards = self.turn != Turn::Over;
        let ways = [false, true].into_iter().take(if can_lay && self.takes_joker && jokers > 0 { 2 } else { 1 });
        for adds_jokers in ways {
            let kept = if adds_jokers { 0 } else { jokers };
            let rest = trail.rest + kept;
            // The last discard may also be a card that could be laid.
            let spare = rest == 1 || trail.added != 0 || trail.longer || adds_jokers || !scene.keep;
            let out = discards && can_lay && rest <= 1 && spare;
            let saved = if discards { trail.saved } else { 0.0 };
            let end = if out { -scene.out - trail.cost } else { -saved - f64::from(kept) * weights.joker };
            let cost = trail.cost + laid - opening + end;
            if self.best.as_ref().is_none_or(|best| cost < best.0) {
                self.best = Some((cost, Trail { rest, ..trail }, adds_jokers, out));
            }
        }
    }

    fn found(self) -> Layout {
        let Some((cost, trail, adds_jokers, out)) = self.best else { return Layout::default() };
        let chosen = trail.melds.iter().take(trail.count);
        let melds = chosen.filter_map(|at| Some(self.melds.get(usize::from(*at))?.shape)).collect();
        Layout { cost, melds, points: trail.points, added: trail.added, adds_jokers, rest: trail.rest, out }
    }
}
