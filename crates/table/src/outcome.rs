//! How a deal ended, and how a match stands.

use serde::{Deserialize, Serialize};

use crate::{Breakdown, Chips, PerSeat, Seat, Seats};

/// How a deal ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// In a word, for people and statistics: "showdown", "went out", "blocked".
    pub ending: std::borrow::Cow<'static, str>,
    /// What each seat won or lost: chips where a game has chips, else points of this deal.
    pub result: PerSeat<Chips>,
    /// Set where the deal was not played to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broken_off: Option<Breakdown>,
}

impl Outcome {
    /// A deal played to its end.
    #[inline]
    pub const fn played(ending: &'static str, result: PerSeat<Chips>) -> Self {
        Self { ending: std::borrow::Cow::Borrowed(ending), result, broken_off: None }
    }

    /// A deal that could not be finished.
    #[inline]
    pub const fn broken(why: Breakdown, result: PerSeat<Chips>) -> Self {
        Self { ending: std::borrow::Cow::Borrowed("broken off"), result, broken_off: Some(why) }
    }
}

/// How a match stands, or ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Standing {
    /// Chips, cash or points so far.
    pub total: PerSeat<Chips>,
    /// 1 is best; equal places are shared and the next number is skipped (1, 1, 3).
    pub place: PerSeat<u8>,
    /// Is the match over?
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

    /// The seats in first place.
    pub fn winners(&self) -> Seats {
        self.place.seats().filter(|(_, p)| **p == 1).map(|(s, _)| s).collect()
    }
}
