//! Reasons for a move in Blackjack Duel.

use core::fmt;

use games::blackjack::{Action, Blackjack};
use table::Chips;

use super::bet::Tried;
use super::hard::Weighed;
use super::odds::BUST;
use crate::Sight;

/// A reason for a piece of advice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// The total of the hand.
    Total {
        /// Points.
        points: u8,
        /// An ace counts 11.
        soft: bool,
    },
    /// How often the bank busts.
    BankBusts {
        /// In how many of 100 cases.
        percent: u8,
    },
    /// What an action wins or loses on average.
    Brings {
        /// The action.
        action: Action,
        /// Chips for every 100 staked.
        of_100: i16,
    },
    /// How often the match is won with an action.
    Wins {
        /// The action.
        action: Action,
        /// In how many of 100 cases.
        percent: u8,
    },
    /// Nothing else can be done.
    Only,
    /// How the match stands before a bet.
    Stands {
        /// Chips ahead of the best opponent.
        lead: Chips,
        /// Rounds to go, including this one.
        rounds: u16,
    },
    /// How often the match is won with a bet.
    Bet {
        /// The bet.
        bet: Chips,
        /// In how many of 100 cases.
        percent: u8,
    },
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Total { points, soft: true } => write!(f, "you have a soft {points}"),
            Self::Total { points, soft: false } => write!(f, "you have {points}"),
            Self::BankBusts { percent } => write!(f, "the bank busts in {percent} % of cases"),
            Self::Brings { action, of_100 } => {
                let verb = if *of_100 < 0 { "loses" } else { "wins" };
                write!(f, "{} {verb} {} chips per 100 on average", doing(*action), of_100.unsigned_abs())
            }
            Self::Wins { action, percent } => write!(f, "{} wins the match in {percent} % of cases", doing(*action)),
            Self::Only => f.write_str("it is the only legal move"),
            Self::Stands { lead, rounds } => {
                match lead.0 {
                    0 => f.write_str("you are level with the best opponent")?,
                    1.. => write!(f, "you lead by {lead}")?,
                    _ => write!(f, "you are {} behind", Chips(-lead.0))?,
                }
                match rounds {
                    1 => f.write_str(", and this is the last round"),
                    _ => write!(f, ", with {rounds} rounds to go"),
                }
            }
            Self::Bet { bet, percent } => write!(f, "a bet of {bet} wins the match in {percent} % of cases"),
        }
    }
}

const fn doing(action: Action) -> &'static str {
    match action {
        Action::Hit => "hitting",
        Action::Stand => "standing",
        Action::Double => "doubling",
        Action::Split => "splitting",
        Action::Bust => "announcing a bust",
        Action::Surrender => "surrendering",
    }
}

/// Why a hand is played this way.
pub(super) fn of_hand(weighed: &Weighed) -> Vec<Why> {
    let hand = weighed.hand;
    let bust = weighed.facing.bank.get(BUST).copied().unwrap_or(0.0);
    let mut why = vec![Why::Total { points: small(hand.total() as f64), soft: hand.total() > hand.sum }];
    if weighed.ways.len() < 2 {
        why.push(Why::Only);
        return why;
    }
    why.push(Why::BankBusts { percent: percent(bust) });
    let told = |(action, worth): &(Action, f64)| {
        if weighed.of_match {
            Why::Wins { action: *action, percent: percent(*worth) }
        } else {
            Why::Brings { action: *action, of_100: (worth * 100.0).round() as i16 }
        }
    };
    why.extend(weighed.ways.iter().take(2).map(told));
    why
}

/// Why a bet is made.
pub(super) fn of_bet(sight: &Sight<'_, Blackjack>, tried: &[Tried]) -> Vec<Why> {
    let setup = sight.rules.setup();
    let others = setup.playing().iter().filter(|seat| *seat != sight.seat).map(|seat| setup.chips[seat]).max();
    let lead = setup.chips[sight.seat] - others.unwrap_or(Chips::ZERO);
    let rounds = sight.course.settings.rounds - i64::from(sight.course.deal) + 1;
    let bet = |tried: &Tried| Why::Bet { bet: tried.bet, percent: percent(tried.wins) };
    let mut why = vec![Why::Stands { lead, rounds: u16::try_from(rounds).unwrap_or(1).max(1) }];
    why.extend(tried.first().map(bet));
    // The best bet is compared with the one least like it.
    let best = tried.first().map_or(Chips::ZERO, |tried| tried.bet);
    why.extend(tried.iter().skip(1).max_by_key(|other| (other.bet.0 - best.0).abs()).map(bet));
    why
}

fn percent(part: f64) -> u8 {
    small((part * 100.0).round().min(100.0))
}

fn small(number: f64) -> u8 {
    number.max(0.0) as u8
}
