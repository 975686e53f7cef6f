//! What players of some games count beside wins and results: big blinds per 100 hands, and what is lost to
//! a bank in per cent of the bets.

use std::any::Any;

use games::{blackjack, holdem};
use table::{Chips, Eye, Known, Rules, Seat, Table};

/// What is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rate {
    /// Big blinds won per 100 hands dealt in.
    BigBlinds,
    /// Won from the bank, in per cent of what was bet before the cards.
    OfBets,
}

impl Rate {
    /// That of a game, if it has one.
    pub(super) fn of(game: &str) -> Option<Self> {
        use table::Game as _;
        match game {
            holdem::Holdem::NAME => Some(Self::BigBlinds),
            blackjack::Blackjack::NAME => Some(Self::OfBets),
            _ => None,
        }
    }

    /// What people call it.
    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::BigBlinds => "bb/100",
            Self::OfBets => "% of bets",
        }
    }

    /// What JSON calls it.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::BigBlinds => "bb_per_100",
            Self::OfBets => "percent_of_bets",
        }
    }
}

/// What a seat gained in the deal that is over, and what that is measured against.
pub(super) fn gained<R: Rules + 'static>(table: &Table<R>, seat: Seat, result: Chips) -> Option<(f64, f64)> {
    let rules: &dyn Any = table.rules();
    let hundredfold = 100.0 * result.0 as f64;
    if let Some(hand) = rules.downcast_ref::<holdem::Deal>() {
        let setup = hand.setup();
        let dealt_in = setup.stacks[seat] > Chips::ZERO;
        return dealt_in.then(|| (hundredfold / setup.big_blind.0.max(1) as f64, 1.0));
    }
    if let Some(round) = rules.downcast_ref::<blackjack::Deal>() {
        let view = round.view(Known::public(table.open()), Eye::Public);
        let bet = view.players.get(usize::from(seat.index())).and_then(|player| player.bet)?;
        return Some((hundredfold, bet.0 as f64));
    }
    None
}
