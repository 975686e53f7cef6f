//! When a hand was played.

use core::fmt;

use crate::holdem::phh::PhhHand;

/// A time in UTC.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Time {
    year: i64,
    month: u8,
    day: u8,
    /// Hour, minute, second.
    clock: (u8, u8, u8),
}

impl Default for Time {
    fn default() -> Self {
        Self::from_unix(0)
    }
}

impl Time {
    /// From seconds since the beginning of 1970.
    pub fn from_unix(seconds: i64) -> Self {
        let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
        // Years are counted from March, so that a leap day is the last of its year (as in Howard Hinnant's
        // "chrono-compatible low-level date algorithms").
        let shifted = days + 719_468;
        let (era, day_of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * from_march + 2) / 5 + 1;
        let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
        let small = |n: i64| u8::try_from(n).unwrap_or_default();
        Self {
            year: year_of_era + era * 400 + i64::from(month <= 2),
            month: small(month),
            day: small(day),
            clock: (small(rest / 3600), small(rest / 60 % 60), small(rest % 60)),
        }
    }

    /// What a hand says about itself, if it says the day.
    pub fn of(hand: &PhhHand) -> Option<Self> {
        let number = |name: &str| hand.fields.get(name).and_then(toml::Value::as_integer);
        let part =
            |name: &str, most: i64| number(name).filter(|n| (1..=most).contains(n)).and_then(|n| u8::try_from(n).ok());
        let clock = hand.fields.get("time").and_then(toml::Value::as_datetime).and_then(|time| time.time);
        Some(Self {
            year: number("year").filter(|year| (0..=9999).contains(year))?,
            month: part("month", 12)?,
            day: part("day", 31)?,
            clock: clock.map_or((0, 0, 0), |time| (time.hour, time.minute, time.second.unwrap_or_default())),
        })
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { year, month, day, clock: (hour, minute, second) } = self;
        write!(f, "{year:04}/{month:02}/{day:02} {hour:02}:{minute:02}:{second:02} UTC")
    }
}
