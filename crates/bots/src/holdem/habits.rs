//! How people play: what a player of a given style does with a hand of a given strength.
//!
//! This is used in two directions. Forwards, it says what others will do in a simulated hand. Backwards, it
//! says which hands fit what they did ([`super::reading`]).

use games::holdem::{Action, Deal, Street};
use table::{Chips, Known, Rules as _, Seat};

/// A playing style.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Style {
    /// Bets good hands, gives up bad ones.
    Steady,
    /// Hardly ever folds, and hardly ever raises.
    Caller,
    /// Bets and raises with anything.
    Wild,
}

impl Style {
    pub(super) const ALL: [Self; 3] = [Self::Steady, Self::Caller, Self::Wild];

    /// How common it is among unknown players.
    pub(super) const fn common(self) -> f32 {
        match self {
            Self::Steady => 0.8,
            Self::Caller => 0.1,
            Self::Wild => 0.1,
        }
    }
}

/// A decision a player faces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub(super) street: Street,
    /// How many others have not folded.
    pub(super) others: f32,
    pub(super) to_call: Chips,
    /// Everything put in so far.
    pub(super) pot: Chips,
    pub(super) bet_to: Chips,
    pub(super) range: Option<(Chips, Chips)>,
    pub(super) big_blind: Chips,
    /// The most that can be lost, in big blinds: its own stack, or the largest of the others.
    pub(super) depth: f32,
    /// It has put in chips on this street, and was raised.
    pub(super) answered: bool,
}

/// How good a hand is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Worth {
    /// The fraction of all hands that it beats with the cards to come.
    pub(super) chance: f32,
    /// Before the flop: the fraction of all hands that are better.
    pub(super) top: f32,
}

/// How likely a player is to fold, to check or call, and to bet or raise.
#[derive(Clone, Copy, Debug)]
pub(super) struct Habit {
    pub(super) fold: f32,
    pub(super) stay: f32,
    pub(super) raise: f32,
}

/// The usual size of a bet, in pots.
pub(super) const USUAL: f32 = 0.7;

impl Spot {
    /// The decision the seat faces in this hand; `None` if it is not its turn.
    pub(super) fn of(deal: &Deal, seat: Seat) -> Option<Self> {
        static NOTHING: table::Faces = table::Faces::new();
        let moves = deal.moves(Known::public(&NOTHING), seat);
        if !moves.asked {
            return None;
        }
        let (setup, bets) = (deal.setup(), deal.bets());
        let in_play = |seat: Seat| deal.stacks()[seat] + bets[seat];
        let others = deal.live().without(seat);
        let most = others.iter().map(in_play).max().unwrap_or(Chips::ZERO).min(in_play(seat));
        let started: Chips = setup.stacks.iter().copied().sum();
        let left: Chips = deal.stacks().iter().copied().sum();
        let big_blind = setup.big_blind.max(Chips(1));
        Some(Self {
            street: deal.street(),
            others: f32::from(others.len()),
            to_call: moves.to_call,
            pot: started - left,
            bet_to: bets.iter().copied().max().unwrap_or(Chips::ZERO),
            range: moves.min_to.zip(moves.max_to),
            big_blind,
            depth: ratio(most, big_blind),
            answered: moves.to_call > Chips::ZERO && bets[seat] > big_blind,
        })
    }

    /// The pot odds of a call.
    pub(super) fn price(&self) -> f32 {
        ratio(self.to_call, self.pot + self.to_call)
    }

    /// A bet or raise by this many pots; all-in if that is most of the stack anyway. `None` if raising is not
    /// possible.
    pub(super) fn raise(&self, pots: f32) -> Option<Action> {
        let (least, most) = self.range?;
        let by = (pots * (self.pot + self.to_call).0 as f32) as i64;
        let to = (self.bet_to + Chips(by)).max(least);
        Some(if to.0 * 5 >= most.0 * 3 { Action::AllIn } else { Action::RaiseTo(to) })
    }

    /// The size of a raise to this much, in pots.
    pub(super) fn pots(&self, to: Chips) -> f32 {
        ratio(to - self.bet_to, self.pot + self.to_call)
    }

    /// What a player of this style does with such a hand, with raises of this size in pots.
    pub(super) fn habit(&self, style: Style, worth: Worth, pots: f32) -> Habit {
        let before = self.street == Street::Preflop;
        let (mut go_on, mut raise) = match style {
            Style::Steady if before => self.steady_before(worth.top, pots),
            Style::Steady => self.steady_after(worth.chance, pots),
            Style::Caller if before => {
                let cost = ratio(self.to_call, self.big_blind);
                (sure(1.0 / (1.0 + 0.03 * cost) - worth.top, 0.1), sure(0.04 - worth.top, 0.02))
            }
            Style::Caller => (0.3 + 0.7 * sure(worth.chance - 0.25, 0.05), sure(worth.chance - 0.88, 0.03)),
            Style::Wild => (0.85, 0.55),
        };
        if self.to_call == Chips::ZERO {
            go_on = 1.0;
        }
        if self.range.is_none() {
            raise = 0.0;
        }
        raise = raise.min(go_on);
        Habit { fold: 1.0 - go_on, stay: go_on - raise, raise }
    }

    /// How likely a steady player is to stay in before the flop, and to raise.
    fn steady_before(&self, top: f32, pots: f32) -> (f32, f32) {
        let cost = ratio(self.to_call, self.big_blind);
        let target = ratio(self.bet_to, self.big_blind) + pots * ratio(self.pot + self.to_call, self.big_blind);
        let target = target.min(self.depth);
        if self.bet_to <= self.big_blind {
            // Nobody has raised. The more players are still to act, the better the hand must be.
            let opens = if self.to_call == Chips::ZERO { 0.3 } else { 0.62 / (self.others + 0.25).powf(0.75) };
            // A large raise takes a better hand, unless the stack is short anyway.
            let size = 1.0 + 0.05 * (target - 3.0).max(0.0);
            let odd = if target > 15.0 { 0.12 } else { 0.9 };
            (sure(opens + 0.3 - top, 0.08), odd * sure(opens / size - top, 0.05))
        } else {
            let stays = 0.72 / (1.0 + 0.16 * cost) * 0.78_f32.powf(self.others - 1.0);
            (sure(stays - top, 0.05), 0.8 * sure(0.3 * stays - top, 0.03))
        }
    }

    /// The same after the flop.
    fn steady_after(&self, chance: f32, pots: f32) -> (f32, f32) {
        let chance = chance - 0.03 * (self.others - 1.0);
        let large = 0.07 * (pots.min(3.0) - USUAL);
        if self.to_call == Chips::ZERO {
            return (1.0, 0.1 + 0.75 * sure(chance - 0.66 - large, 0.06));
        }
        let needed = 0.3 + 0.75 * self.price() + if self.answered { 0.08 } else { 0.0 };
        let better = 0.8 + large + if self.answered { 0.08 } else { 0.0 };
        (sure(chance - needed, 0.06), 0.03 + 0.8 * sure(chance - better, 0.04))
    }
}

/// The ratio of two amounts.
pub(super) fn ratio(a: Chips, b: Chips) -> f32 {
    a.0 as f32 / b.0.max(1) as f32
}

/// A probability that starts at 0 and is nearly 1 a few widths above.
fn sure(above: f32, width: f32) -> f32 {
    1.0 / (1.0 + (-above / width).exp())
}
