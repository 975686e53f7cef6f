//! Rommé played well: every choice is weighed by what the hand costs afterwards.

use cards::Card;
use games::Held;
use games::romme::{Action, Drawing, Laid, Part, Place, Play, Pool, Romme, Shape, View};
use table::{Seat, Slot};

use super::danger::Neighbour;
use super::layout::{Layout, Turn, in_hand};
use super::seen::{Spots, Unseen, bit};
use super::worth::{Scene, Weights};
use crate::Sight;

pub fn par(i: usize, default: f64) -> f64 {
    static P: std::sync::OnceLock<Vec<Option<f64>>> = std::sync::OnceLock::new();
    let all = P.get_or_init(|| {
        let text = std::env::var("PAR").unwrap_or_default();
        let mut v = vec![None; 40];
        for part in text.split(',').filter(|p| !p.is_empty()) {
            let (k, x) = part.split_once('=').unwrap();
            v[k.parse::<usize>().unwrap()] = x.parse().ok();
        }
        v
    });
    all[i].unwrap_or(default)
}

/// A decision being made.
pub(super) struct Thought<'a> {
    view: &'a View,
    pub(super) scene: Scene,
    next: Option<Neighbour>,
    rivals: f64,
    /// The chance that somebody goes out before the seat's next turn.
    hazard: f64,
}

impl<'a> Thought<'a> {
    pub(super) fn new(sight: &Sight<'a, Romme>) -> Self {
        let view = sight.view;
        let setup = sight.rules.setup();
        let unseen = Unseen::new(view, setup.jokers);
        let rivals = || others(view, sight.seat);
        let count = (rivals().count() as f64).max(1.0);
        let opened = view.players.get(usize::from(sight.seat.index())).is_some_and(|own| own.opened);
        let turns = rivals().map(|rival| turns_left(rival.opened, rival.cards)).fold(par(0, 7.0), f64::min);
        let moved = view.players.get(usize::from(sight.seat.index())).is_some_and(|own| own.last_discard.is_some());
        let times = match (opened, moved) {
            (true, _) => 1.0,
            (false, true) => 2.0,
            (false, false) => 3.0,
        };
        let theirs = rivals().map(|rival| rival.cards as f64 * 6.5).sum::<f64>() / count;
        let weights = Weights {
            fear: (par(1, 0.75) - par(2, 0.06) * turns + par(3, 0.08) * (count - 1.0)).clamp(0.15, 1.0),
            pace: par(4, 6.0),
            joker: if turns < par(5, 2.0) { -10.0 } else { par(6, 12.0) },
            opening: par(7, 12.0),
            waiting: if turns < 2.5 { par(8, 0.7) } else { par(9, 0.3) },
            looks: par(10, 1.6),
            neighbour: par(11, 0.012),
        };
        let hazard = 1.0 - rivals().map(|rival| 1.0 - hazard(rival.opened, rival.cards)).product::<f64>();
        let next = Neighbour::new(view, sight.seat, &unseen, sight.course.past, sight.known);
        let scene = Scene {
            unseen,
            spots: Spots::new(view),
            opened,
            need: view.first_meld,
            keep: !setup.out_without_discard,
            turns,
            out: theirs * times + 20.0,
            weights,
        };
        Self { view, scene, next, rivals: count, hazard }
    }

    /// Whether to take the top of the pile.
    pub(super) fn takes(&self, drawing: &Drawing) -> bool {
        let Some(card) = drawing.discard.and_then(|held| held.card) else { return false };
        let hand = pool(self.view.hand.iter());
        if card.is_joker() || drawing.blocks {
            return true;
        }
        let with_it = self.scene.layout(hand.with(card), Turn::Discard(Some(card)));
        let used = with_it.added & bit(card) != 0 || with_it.melds.iter().any(|meld| naturals(*meld) & bit(card) != 0);
        used && with_it.cost + par(12, 1.0) < self.from_stock(hand)
    }

    /// What the hand will cost with a card from the stock, on average.
    fn from_stock(&self, hand: Pool) -> f64 {
        let each = |(card, count): (Card, u8)| {
            f64::from(count) * self.scene.layout(hand.with(card), Turn::Discard(None)).cost
        };
        self.scene.unseen.faces().map(each).sum::<f64>() / self.scene.unseen.total
    }

    /// What to do after drawing.
    pub(super) fn plays(&self, play: &Play) -> Option<Action> {
        let barred = play.hand().find(|held| Some(held.slot) == self.view.barred).and_then(|held| held.card);
        let layout = self.scene.layout(play.pool(), Turn::Discard(barred));
        let action = if play.opened() {
            self.melds(play, &layout).or_else(|| self.swaps(play, &layout)).or_else(|| self.adds(play, &layout))
        } else if layout.points >= self.scene.need && (layout.out || !self.holds_back(play, &layout)) {
            self.melds(play, &layout)
        } else {
            None
        };
        action.or_else(|| self.throws(play))
    }

    /// Lays the melds of a layout, leaving a card where one must be left.
    fn melds(&self, play: &Play, layout: &Layout) -> Option<Action> {
        let mut melds = layout.melds.clone();
        let hand = play.hand().count();
        let laid = |melds: &[Shape]| melds.iter().map(|meld| usize::from(meld.len())).sum::<usize>();
        if self.scene.keep && laid(&melds) >= hand {
            let shorter = melds.iter().enumerate().find_map(|(at, meld)| Some((at, shorter(*meld)?)));
            if let Some((at, shorter)) = shorter {
                *melds.get_mut(at)? = shorter;
            } else {
                melds.pop();
            }
        }
        let points: u16 = melds.iter().map(|meld| meld.points()).sum();
        let enough = play.opened() || points >= self.scene.need;
        (enough && !melds.is_empty()).then(|| Action::Meld(lay(play, &melds)))
    }

    /// Takes a joker from the table if the hand is none the worse for it.
    fn swaps(&self, play: &Play, layout: &Layout) -> Option<Action> {
        let weighed = play.swaps().take(40).filter_map(|action| {
            let Action::Swap { card, then, .. } = &action else { return None };
            let gone = then.cards().iter().map(|laid| laid.slot).chain([*card]);
            let rest = gone.fold(play.pool(), |pool, slot| face(play, slot).map_or(pool, |card| pool.without(card)));
            Some((self.scene.layout(rest, Turn::Discard(None)).cost, action))
        });
        let best = weighed.min_by(|a, b| a.0.total_cmp(&b.0));
        best.filter(|(cost, _)| *cost <= layout.cost + 0.5).map(|(_, action)| action)
    }

    /// Adds a card to the table that the layout adds.
    fn adds(&self, play: &Play, layout: &Layout) -> Option<Action> {
        play.lay_offs().find(|action| match action {
            Action::LayOff { cards, .. } => cards.iter().all(|laid| match face(play, laid.slot) {
                Some(card) if card.is_joker() => layout.adds_jokers,
                Some(card) => layout.added & bit(card) != 0,
                None => false,
            }),
            _ => false,
        })
    }

    pub(super) fn normal(&self, play: &Play) -> Option<Action> {
        let barred = play.hand().find(|held| Some(held.slot) == self.view.barred).and_then(|held| held.card);
        let layout = self.scene.layout(play.pool(), Turn::Discard(barred));
        let action = match par(30, 0.0) as i32 {
            0 => if play.opened() {
            self.melds(play, &layout).or_else(|| self.swaps(play, &layout)).or_else(|| self.adds(play, &layout))
        } else if layout.points >= self.scene.need { self.melds(play, &layout) } else { None },
            1 => if play.opened() {
            self.melds(play, &layout).or_else(|| self.swaps(play, &layout)).or_else(|| self.adds(play, &layout))
        } else { super::simple::lays(play) },
            _ => if play.opened() { super::simple::lays(play)
        } else if layout.points >= self.scene.need { self.melds(play, &layout) } else { None },
        };
        action.or_else(|| if par(31, 0.0) > 0.0 { super::simple::throws_away(play) } else { self.plain(play) })
    }

    fn plain(&self, play: &Play) -> Option<Action> {
        let cost = |held: &Held| held.card.map_or(f64::MAX, |card| self.scene.layout(play.pool().without(card), Turn::Over).cost);
        let best = play.discards().map(|held| (cost(&held), held));
        best.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, held)| Action::Discard(held.slot))
    }

    /// The card that the seat is best rid of.
    fn throws(&self, play: &Play) -> Option<Action> {
        let best = play.discards().map(|held| (self.cost_without(play, &held), held));
        best.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, held)| Action::Discard(held.slot))
    }

    fn cost_without(&self, play: &Play, held: &Held) -> f64 {
        let Some(card) = held.card else { return f64::MAX };
        let rest = play.pool().without(card);
        self.scene.layout(rest, Turn::Over).cost + self.danger(card, rest)
    }

    /// What it costs that the next player may take this card.
    fn danger(&self, card: Card, rest: Pool) -> f64 {
        let Some(next) = &self.next else { return 0.0 };
        let scene = &self.scene;
        let share = 1.0 / self.rivals;
        if next.can_add(card, &scene.spots) {
            let ends = if next.cards <= 1 { in_hand(rest) + 10.0 } else { 0.0 };
            return ends + par(13, 6.0) * share;
        }
        par(14, 10.0) * share * next.wants(card, &scene.unseen)
    }

    /// Whether it is better not to open yet: the seat may go out in one go, which counts double.
    fn holds_back(&self, play: &Play, layout: &Layout) -> bool {
        let stays = in_hand(play.pool()) - layout.melds.iter().map(|meld| laid_points(*meld)).sum::<f64>();
        let risk = self.hazard * (in_hand(play.pool()) - stays).max(0.0) * par(15, 1.0);
        let chance = if layout.rest <= par(20, 3.0) as u8 { self.out_next(play) } else { 0.0 };
        let gain = chance * self.scene.out * par(16, 0.5);
        gain + par(17, 0.0) > risk
    }

    /// The chance to go out with the next card from the stock.
    fn out_next(&self, play: &Play) -> f64 {
        let Some(Action::Discard(slot)) = self.throws(play) else { return 0.0 };
        let Some(card) = face(play, slot) else { return 0.0 };
        let rest = play.pool().without(card);
        let out = |(card, count): (Card, u8)| {
            if self.scene.layout(rest.with(card), Turn::Discard(None)).out { f64::from(count) } else { 0.0 }
        };
        self.scene.unseen.faces().map(out).sum::<f64>() / self.scene.unseen.total
    }
}

/// Those who play against a seat.
fn others(view: &View, seat: Seat) -> impl Iterator<Item = &games::romme::PlayerView> {
    let at = usize::from(seat.index());
    let all = view.players.iter().enumerate().filter(move |(other, _)| *other != at).map(|(_, player)| player);
    all.filter(|player| player.playing && !player.gone)
}

/// How many turns somebody will take until he goes out.
fn turns_left(opened: bool, cards: usize) -> f64 {
    if opened { 1.0 + par(18, 0.9) * cards as f64 } else { 8.0 }
}

/// The chance that somebody goes out in his next turn.
fn hazard(opened: bool, cards: usize) -> f64 {
    match (opened, cards) {
        (false, _) => par(19, 0.02),
        (true, 0 | 1) => 0.40,
        (true, 2) => 0.25,
        (true, 3) => 0.15,
        (true, 4) => 0.10,
        (true, _) => 0.06,
    }
}

fn pool<'a>(hand: impl Iterator<Item = &'a Held>) -> Pool {
    hand.filter_map(|held| held.card).fold(Pool::default(), Pool::with)
}

fn face(play: &Play, slot: Slot) -> Option<Card> {
    play.hand().find(|held| held.slot == slot).and_then(|held| held.card)
}

fn naturals(shape: Shape) -> u64 {
    shape.cards().fold(0, |set, place| match place {
        Place::Natural(card) => set | bit(card),
        Place::Joker(_) => set,
    })
}

/// What the cards of a meld count in hand.
fn laid_points(shape: Shape) -> f64 {
    let cards = shape.cards().map(|place| match place {
        Place::Natural(card) => card,
        Place::Joker(_) => Card::JOKER,
    });
    cards.map(|card| f64::from(games::romme::in_hand(card))).sum()
}

/// The meld without one of its natural cards, if it is still one.
fn shorter(shape: Shape) -> Option<Shape> {
    let part = |place: Place| match place {
        Place::Natural(face) => Part { slot: Slot::default(), face, stands_for: None },
        Place::Joker(stands_for) => Part { slot: Slot::default(), face: Card::JOKER, stands_for },
    };
    let parts: Vec<Part> = shape.cards().map(part).collect();
    (0..parts.len()).find_map(|at| {
        let mut fewer = parts.clone();
        fewer.remove(at);
        Shape::new(&fewer).ok()
    })
}

/// The cards of the hand that make these melds.
fn lay(play: &Play, melds: &[Shape]) -> Vec<Vec<Laid>> {
    let mut free: Vec<(Slot, Card)> = play.hand().filter_map(|held| Some((held.slot, held.card?))).collect();
    let mut take = |face: Card, stands_for: Option<Card>| {
        // The latest first: it may be one that cannot be thrown away in this turn.
        let at = free.iter().rposition(|(_, card)| *card == face)?;
        Some(Laid { slot: free.remove(at).0, stands_for })
    };
    let mut laid = |meld: &Shape| {
        let cards = meld.cards().filter_map(|place| match place {
            Place::Natural(card) => take(card, None),
            Place::Joker(stands_for) => take(Card::JOKER, stands_for),
        });
        cards.collect()
    };
    melds.iter().map(&mut laid).collect()
}
