//! Rommé played well: every option is weighed by what the hand costs afterwards.

use cards::Card;
use games::Held;
use games::romme::{Action, Drawing, Laid, Play, Shape};

use super::layout::{Layout, Turn};
use super::seen::bit;
use super::shapes::{face, in_hand, lay, naturals, pool, shorter};
use super::thought::Thought;
use super::why::Why;

/// The cost of showing the others what the seat collects.
const SHOWN: f64 = 1.0;

/// The value of holding melds back for a turn, per opponent and in any case: nobody can add to them, and going out in
/// one go, which counts double, stays possible.
const PATIENCE: (f64, f64) = (1.0, 4.0);

/// With more cards than this outside its melds, no hand can go out with the next card.
const NEARLY_OUT: u8 = 3;

/// The most swaps that are weighed; there are hardly ever more.
const MOST_SWAPS: usize = 40;

/// What to do, and why.
pub(super) type Decided = (Action, Vec<Why>);

impl Thought<'_> {
    /// Where to draw from.
    pub(super) fn draws(&self, drawing: &Drawing) -> Decided {
        let (takes, why) = match drawing.discard.and_then(|held| held.card) {
            Some(card) => self.takes(card, drawing.blocks),
            None => (false, Vec::new()),
        };
        (if takes { Action::DrawDiscard } else { Action::DrawStock }, why)
    }

    /// Whether to take this card from the pile.
    fn takes(&self, card: Card, blocks: bool) -> (bool, Vec<Why>) {
        let hand = pool(self.view.hand.iter());
        if blocks {
            // Drawing from the stock now ends the round.
            let points = hand.points();
            return (f64::from(points) > self.theirs, vec![Why::Blocks { points }]);
        }
        if card.is_joker() {
            return (true, vec![Why::Joker]);
        }
        let with_it = self.scene.layout(hand.with(card), Turn::Discard(Some(card)));
        let meld = with_it.melds.iter().find(|meld| naturals(**meld) & bit(card) != 0);
        let why = match meld {
            Some(meld) => Why::Completes { card, cards: meld.len() },
            None if with_it.added & bit(card) != 0 => Why::Fits { card },
            None => return (false, vec![Why::NoUse { card }]),
        };
        let unknown = || self.average(|drawn| self.scene.layout(hand.with(drawn), Turn::Discard(None)).cost);
        if with_it.out || with_it.cost + SHOWN < unknown() {
            (true, vec![why])
        } else {
            (false, vec![Why::Rather { card }])
        }
    }

    /// What to do after drawing.
    pub(super) fn plays(&self, play: &Play) -> Option<Decided> {
        let layout = self.scene.layout(play.pool(), Turn::Discard(self.barred(play)));
        let laid = if play.opened() {
            self.goes_on(play, &layout)
        } else if layout.points < self.scene.need {
            None
        } else if layout.out {
            self.melds(play, &layout)
        } else if let Some(why) = self.holds_back(play, &layout) {
            return self.throws(play).map(|(action, mut reasons)| {
                reasons.insert(0, why);
                (action, reasons)
            });
        } else {
            self.melds(play, &layout)
        };
        laid.map(|action| self.told(play, &layout, action)).or_else(|| self.throws(play))
    }

    /// The card that was taken from the pile in this turn.
    pub(super) fn barred(&self, play: &Play) -> Option<Card> {
        self.view.barred.and_then(|slot| face(play, slot))
    }

    /// Lays what the layout says, after the opening.
    pub(super) fn goes_on(&self, play: &Play, layout: &Layout) -> Option<Action> {
        self.melds(play, layout).or_else(|| self.swaps(play, layout)).or_else(|| adds(play, layout))
    }

    /// Lays the melds of a layout, keeping a card if one must be kept.
    pub(super) fn melds(&self, play: &Play, layout: &Layout) -> Option<Action> {
        let mut melds = layout.melds.clone();
        let laid: usize = melds.iter().map(|meld| usize::from(meld.len())).sum();
        if self.scene.keep && laid >= play.hand().count() {
            let shorter = melds.iter().enumerate().find_map(|(at, meld)| Some((at, shorter(*meld)?)));
            match shorter {
                Some((at, shorter)) => *melds.get_mut(at)? = shorter,
                None => drop(melds.pop()),
            }
        }
        let points: u16 = melds.iter().map(|meld| meld.points()).sum();
        let enough = play.opened() || points >= self.scene.need;
        (enough && !melds.is_empty()).then(|| Action::Meld(lay(play, &melds)))
    }

    /// Takes a joker from the table if that does not hurt the hand.
    fn swaps(&self, play: &Play, layout: &Layout) -> Option<Action> {
        let weighed = play.swaps().take(MOST_SWAPS).filter_map(|action| {
            let Action::Swap { card, then, .. } = &action else { return None };
            let gone = then.cards().iter().map(|laid| laid.slot).chain([*card]);
            let rest = gone.fold(play.pool(), |pool, slot| face(play, slot).map_or(pool, |card| pool.without(card)));
            Some((self.scene.layout(rest, Turn::Discard(None)).cost, action))
        });
        let best = weighed.min_by(|a, b| a.0.total_cmp(&b.0));
        best.filter(|(cost, _)| *cost <= layout.cost + 0.5).map(|(_, action)| action)
    }

    /// The best card to discard.
    pub(super) fn throws(&self, play: &Play) -> Option<Decided> {
        let held = self.best_discard(play, |card, rest| self.danger(card, rest))?;
        let why = held.card.map_or_else(Vec::new, |card| self.why_thrown(play, card));
        Some((Action::Discard(held.slot), why))
    }

    /// The card without which the hand costs least, counting the danger of discarding it.
    pub(super) fn best_discard(&self, play: &Play, danger: impl Fn(Card, games::romme::Pool) -> f64) -> Option<Held> {
        let cost = |held: &Held| {
            let Some(card) = held.card else { return f64::MAX };
            let rest = play.pool().without(card);
            self.scene.layout(rest, Turn::Over).cost + danger(card, rest)
        };
        let best = play.discards().map(|held| (cost(&held), held));
        best.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, held)| held)
    }

    /// The reason not to open yet, if there is one.
    fn holds_back(&self, play: &Play, layout: &Layout) -> Option<Why> {
        let laid: u16 = layout.melds.iter().map(|meld| in_hand(*meld)).sum();
        let risk = self.hazard * f64::from(laid);
        let chance = if layout.rest <= NEARLY_OUT { self.out_next(play) } else { 0.0 };
        // The value of going out is already doubled.
        let gain = chance * self.scene.out / 2.0;
        let percent = |part: f64| (part * 100.0).round() as u8;
        let patience = PATIENCE.0 * self.rivals + PATIENCE.1;
        (gain + patience > risk).then(|| Why::HoldsBack { out: percent(chance), risk: percent(self.hazard) })
    }

    /// The chance to go out with the next card from the stock.
    fn out_next(&self, play: &Play) -> f64 {
        let thrown = self.best_discard(play, |card, rest| self.danger(card, rest)).and_then(|held| held.card);
        let Some(thrown) = thrown else { return 0.0 };
        let rest = play.pool().without(thrown);
        self.average(|card| if self.scene.layout(rest.with(card), Turn::Discard(None)).out { 1.0 } else { 0.0 })
    }
}

/// Adds a card to a meld on the table, as the layout says.
fn adds(play: &Play, layout: &Layout) -> Option<Action> {
    let added = |laid: &Laid| match face(play, laid.slot) {
        Some(card) if card.is_joker() => layout.adds_jokers,
        Some(card) => layout.added & bit(card) != 0,
        None => false,
    };
    play.lay_offs().find(|action| match action {
        Action::LayOff { cards, .. } => cards.iter().all(added),
        Action::DrawStock | Action::DrawDiscard | Action::Meld(_) | Action::Swap { .. } | Action::Discard(_) => false,
    })
}

/// The total points of melds.
pub(super) fn counted(melds: &[Shape]) -> u16 {
    melds.iter().map(|meld| meld.points()).sum()
}
