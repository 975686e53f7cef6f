//! How a deal ended, and how a match stands.

use serde::{Deserialize, Serialize};

use crate::{Breakdown, Chips, PerSeat, Seat, Seats};

/// How a deal ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// A word for people and statistics: "showdown", "went out", "blocked".
    pub ending: std::borrow::Cow<'static, str>,
    /// What each seat won or lost: chips if the game has them, otherwise points of this deal.
    pub result: PerSeat<Chips>,
    /// Set if the deal was not played to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broken_off: Option<Breakdown>,
    /// Who left this deal and may come back for the next ([`Leaving::may_return`](crate::Leaving::may_return)).
    #[serde(default, skip_serializing_if = "nobody")]
    pub away: Seats,
    /// Who broke the deal off and could not pay the others what that costs.
    #[serde(default, skip_serializing_if = "nobody")]
    pub unpaid: Seats,
}

impl Outcome {
    /// A deal played to its end.
    #[inline]
    pub const fn played(ending: &'static str, result: PerSeat<Chips>) -> Self {
        Self {
            ending: std::borrow::Cow::Borrowed(ending),
            result,
            broken_off: None,
            away: Seats::NONE,
            unpaid: Seats::NONE,
        }
    }

    /// A deal that could not be finished.
    #[inline]
    pub fn broken(why: Breakdown, result: PerSeat<Chips>) -> Self {
        Self { broken_off: Some(why), ..Self::played("broken off", result) }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
const fn nobody(seats: &Seats) -> bool {
    seats.is_empty()
}

/// What puts one seat before another where their totals do not say it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TieBreak {
    /// The other left the match.
    Stayed,
    /// The other was out earlier.
    OutLater,
    /// Both were out in the same deal; this is what they had before it.
    HadMore(Chips, Chips),
    /// How many of their bids came out exactly.
    ExactBids(u16, u16),
    /// What they scored in this deal, counted from 1: the last in which they differ.
    Deal(u32, Chips, Chips),
    /// Extra rounds that only those tied for first played.
    ExtraRounds,
}

/// How a match stands, or ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Standing {
    /// Chips, cash or points so far.
    pub total: PerSeat<Chips>,
    /// 1 is best; equal places are shared and the next number is skipped (1, 1, 3).
    pub place: PerSeat<u8>,
    /// Whether the match is over.
    pub over: bool,
}

impl Standing {
    /// Competition ranking: `better(a, b)` says whether seat `a` is strictly better placed than `b`.
    pub fn ranked(total: PerSeat<Chips>, over: bool, better: impl Fn(Seat, Seat) -> bool) -> Self {
        let all = Seats::first(total.players());
        let place = PerSeat::from_fn(total.players(), |seat| {
            let ahead = all.iter().filter(|other| better(*other, seat)).count();
            u8::try_from(ahead).unwrap_or(u8::MAX).saturating_add(1)
        });
        Self { total, place, over }
    }

    /// Every seat that is placed directly before another, the best first, with the one behind it.
    pub fn neighbours(&self) -> Vec<(Seat, Seat)> {
        let mut order: Vec<Seat> = Seats::first(self.place.players()).iter().collect();
        order.sort_by_key(|seat| self.place[*seat]);
        let pairs = order.iter().zip(order.iter().skip(1)).filter(|(a, b)| self.place[**a] < self.place[**b]);
        pairs.map(|(a, b)| (*a, *b)).collect()
    }

    /// The seats in first place.
    pub fn winners(&self) -> Seats {
        self.place.seats().filter(|(_, p)| **p == 1).map(|(s, _)| s).collect()
    }
}
