//! The chips of a hand: who has put in what, who must answer what, and who may still raise.
//!
//! Everything is counted as a total for the street. `bet_to` is what must be matched, and `min_raise`
//! the size of the last *full* bet or raise; an all-in for less moves `bet_to` alone. A seat that has
//! acted may raise again only once `bet_to` has grown by a full raise since (several short all-ins
//! add up), so the `bet_to` at each seat's last action is kept.

use serde::Serialize;
use table::{Chips, PerSeat, Seat, Seats};

use super::Action;
use super::action::{Illegal, NoRaise};

/// The chips of a hand.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Betting {
    pub(super) stacks: PerSeat<Chips>,
    /// On this street.
    pub(super) put: PerSeat<Chips>,
    /// In the whole hand, this street included; money that belongs to the pots in full is not counted.
    pub(super) total: PerSeat<Chips>,
    /// Not folded.
    pub(super) live: Seats,
    /// Live, and with chips left.
    pub(super) able: Seats,
    pub(super) bet_to: Chips,
    min_raise: Chips,
    acted: Seats,
    /// What `bet_to` was right after each seat acted.
    acted_at: PerSeat<Chips>,
    /// Every all-in above the bet lets everybody raise again, a short one too.
    any_reopens: bool,
}

/// What an action means for the chips, checked and ready to be carried out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Play {
    Fold,
    Check,
    Call,
    Raise(Chips),
}

impl Betting {
    pub(super) fn new(stacks: PerSeat<Chips>, any_reopens: bool) -> Self {
        let players = stacks.players();
        let funded = stacks.seats().filter(|(_, stack)| **stack > Chips::ZERO).map(|(seat, _)| seat).collect();
        Self {
            stacks,
            put: PerSeat::new(players),
            total: PerSeat::new(players),
            live: funded,
            able: funded,
            bet_to: Chips::ZERO,
            min_raise: Chips::ZERO,
            acted: Seats::NONE,
            acted_at: PerSeat::new(players),
            any_reopens,
        }
    }

    /// Takes chips from a stack, as many as there are.
    #[inline]
    pub(super) fn take(&mut self, seat: Seat, amount: Chips) -> Chips {
        let amount = amount.min(self.stacks[seat]);
        self.stacks[seat] -= amount;
        if self.stacks[seat] == Chips::ZERO {
            self.able.remove(seat);
        }
        amount
    }

    /// Chips that others must match in the whole hand, but not on this street.
    pub(super) fn ante(&mut self, seat: Seat, amount: Chips) {
        let paid = self.take(seat, amount);
        self.total[seat] += paid;
    }

    /// Chips put in on this street.
    #[inline]
    pub(super) fn pay(&mut self, seat: Seat, amount: Chips) {
        let paid = self.take(seat, amount);
        self.put[seat] += paid;
        self.total[seat] += paid;
    }

    /// A street begins: this is to be matched, and raises are at least so large.
    pub(super) fn open(&mut self, bet_to: Chips, min_raise: Chips) {
        self.bet_to = bet_to;
        self.min_raise = min_raise;
        self.acted = Seats::NONE;
    }

    /// What the seat must have put in to stay. Where all others are all-in, that is what the largest of
    /// them has put in, even if more was called for (a big blind posted short).
    #[inline]
    fn target(&self, seat: Seat) -> Chips {
        if !self.able.without(seat).is_empty() {
            return self.bet_to;
        }
        let others = self.live.without(seat).iter().map(|other| self.put[other]);
        others.max().unwrap_or(Chips::ZERO).min(self.bet_to)
    }

    /// What a call costs: never more than the stack.
    #[inline]
    pub(super) fn to_call(&self, seat: Seat) -> Chips {
        (self.target(seat) - self.put[seat]).max(Chips::ZERO).min(self.stacks[seat])
    }

    /// The least and the most a seat can bet or raise to, or why it may not.
    #[inline]
    pub(super) fn raise_range(&self, seat: Seat) -> Result<(Chips, Chips), NoRaise> {
        let most = self.put[seat] + self.stacks[seat];
        if most <= self.bet_to {
            return Err(NoRaise::StackTooSmall);
        }
        let grown = self.bet_to - self.acted_at[seat];
        let enough = if self.any_reopens { Chips(1) } else { self.min_raise };
        if self.acted.contains(seat) && grown < enough {
            return Err(NoRaise::NotReopened);
        }
        let answers = |other| self.put[other] + self.stacks[other] > self.bet_to;
        if !self.able.without(seat).iter().any(answers) {
            return Err(NoRaise::NobodyCanAnswer);
        }
        Ok(((self.bet_to + self.min_raise).min(most), most))
    }

    /// Checks an action of the seat whose turn it is.
    #[inline]
    pub(super) fn check(&self, seat: Seat, action: Action) -> Result<Play, Illegal> {
        match action {
            Action::Fold => Ok(Play::Fold),
            Action::Check => match self.to_call(seat) {
                Chips::ZERO => Ok(Play::Check),
                to_call => Err(Illegal::CheckNotAllowed { to_call }),
            },
            Action::Call if self.to_call(seat) == Chips::ZERO => Err(Illegal::NothingToCall),
            Action::Call => Ok(Play::Call),
            Action::RaiseTo(got) => {
                let most = self.put[seat] + self.stacks[seat];
                if got <= Chips::ZERO {
                    return Err(Illegal::AmountOutOfRange { got });
                }
                if got > most {
                    return Err(Illegal::NotEnoughChips { most, got });
                }
                let (least, _) = self.raise_range(seat).map_err(Illegal::RaiseNotAllowed)?;
                if got < least {
                    return Err(Illegal::RaiseTooSmall { least, got });
                }
                Ok(Play::Raise(got))
            }
            Action::AllIn if self.stacks[seat] <= self.to_call(seat) => Ok(Play::Call),
            Action::AllIn => {
                let (_, most) = self.raise_range(seat).map_err(Illegal::RaiseNotAllowed)?;
                Ok(Play::Raise(most))
            }
        }
    }

    /// Carries out what [`Betting::check`] gave.
    #[inline]
    pub(super) fn play(&mut self, seat: Seat, play: Play) {
        match play {
            Play::Fold => self.fold(seat),
            Play::Check => {}
            Play::Call => self.pay(seat, self.to_call(seat)),
            Play::Raise(to) => {
                self.pay(seat, to - self.put[seat]);
                self.min_raise = self.min_raise.max(to - self.bet_to);
                self.bet_to = to;
            }
        }
        self.acted.insert(seat);
        self.acted_at[seat] = self.bet_to;
    }

    /// Can nobody bet any more, since at most one has chips?
    #[inline]
    pub(super) fn is_closed(&self) -> bool {
        self.able.is_empty() || self.able.only().is_some()
    }

    /// The seat loses its interest in all pots.
    pub(super) fn fold(&mut self, seat: Seat) {
        self.live.remove(seat);
        self.able.remove(seat);
    }

    /// Has this seat, which has chips, still to act on this street?
    #[inline]
    pub(super) fn must_act(&self, seat: Seat) -> bool {
        if self.put[seat] < self.target(seat) {
            return true;
        }
        !self.acted.contains(seat) && !self.able.without(seat).is_empty()
    }

    /// Who is to act after this seat; `None` where the street is over.
    #[inline]
    pub(super) fn next_to_act(&self, after: Seat) -> Option<Seat> {
        self.able.clockwise_after(after).find(|seat| self.must_act(*seat))
    }

    /// The street is over: what nobody has called goes back, and the next one begins without a bet.
    ///
    /// It goes back even to a player who has left since: the hand is dead, but nobody has a claim to chips that
    /// nobody matched.
    pub(super) fn end_street(&mut self, min_bet: Chips) {
        let (mut top, mut second, mut holder) = (Chips::ZERO, Chips::ZERO, None);
        for (seat, put) in self.put.seats() {
            if *put > top {
                (second, top, holder) = (top, *put, Some(seat));
            } else if *put > second {
                second = *put;
            }
        }
        if let Some(seat) = holder.filter(|_| top > second) {
            let uncalled = top - second;
            self.stacks[seat] += uncalled;
            self.total[seat] -= uncalled;
            if self.live.contains(seat) {
                self.able.insert(seat);
            }
        }
        self.put = PerSeat::new(self.put.players());
        self.open(Chips::ZERO, min_bet);
    }
}
