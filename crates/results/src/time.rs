//! Points in time as files write them, always in UTC. The clock itself is the caller's.

use core::fmt;
use core::str::FromStr;

/// Seconds since the beginning of 1970, up to the end of the year 9999.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(u64);

const DAY: u64 = 86_400;
/// The first second that has a year of five digits.
const END: u64 = 253_402_300_800;

impl Timestamp {
    /// From seconds since 1970; `None` after the year 9999.
    pub fn from_seconds(seconds: u64) -> Option<Self> {
        (seconds < END).then_some(Self(seconds))
    }

    /// Seconds since 1970.
    pub const fn seconds(self) -> u64 {
        self.0
    }

    /// As `2025-12-28T14:30:00Z`, for sessions.
    pub fn iso(self) -> String {
        format!("{}Z", self.to_string().replacen(' ', "T", 1))
    }

    /// From the form of [`Timestamp::iso`].
    pub fn from_iso(text: &str) -> Option<Self> {
        let (date, time) = text.strip_suffix('Z')?.split_once('T')?;
        format!("{date} {time}").parse().ok()
    }

    /// Year, month and day (Hinnant, "chrono-Compatible Low-Level Date Algorithms": years begin in March, so that
    /// the leap day is the last).
    const fn date(self) -> [u64; 3] {
        let days = self.0 / DAY + 719_468;
        let (era, day) = (days / 146_097, days % 146_097);
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
        let of_year = day - (365 * year + year / 4 - year / 100);
        let month = (5 * of_year + 2) / 153;
        let day = of_year - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        let after_new_year = if month <= 2 { 1 } else { 0 };
        [era * 400 + year + after_new_year, month, day]
    }
}

/// As `2025-12-28 14:30:00`.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [year, month, day] = self.date();
        let second = self.0 % DAY;
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        write!(f, "{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}")
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// From the form of [`Timestamp`]'s text, and no other.
impl FromStr for Timestamp {
    type Err = NoTimestamp;

    fn from_str(text: &str) -> Result<Self, NoTimestamp> {
        if text.len() != 19 {
            return Err(NoTimestamp);
        }
        let number = |from: usize, len: usize| -> Option<u64> { text.get(from..from + len)?.parse().ok() };
        let read = || {
            let (year, month, day) = (number(0, 4)?, number(5, 2)?, number(8, 2)?);
            let (hour, minute, second) = (number(11, 2)?, number(14, 2)?, number(17, 2)?);
            if year < 1970 || !(1..=12).contains(&month) || hour > 23 || minute > 59 || second > 59 {
                return None;
            }
            let year = if month <= 2 { year - 1 } else { year };
            let month = if month > 2 { month - 3 } else { month + 9 };
            let (era, year) = (year / 400, year % 400);
            let of_year = (153 * month + 2) / 5 + day.checked_sub(1)?;
            let days = era * 146_097 + year * 365 + year / 4 - year / 100 + of_year;
            Self::from_seconds(days.checked_sub(719_468)? * DAY + hour * 3600 + minute * 60 + second)
        };
        // Days beyond the end of a month, signs and other separators come out as another text.
        read().filter(|time| time.to_string() == text).ok_or(NoTimestamp)
    }
}

/// The text is no point in time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoTimestamp;

impl fmt::Display for NoTimestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a time is written as 2025-12-28 14:30:00, in UTC, from 1970 on")
    }
}

impl std::error::Error for NoTimestamp {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_has_the_date_that_another_calendar_gives_it() {
        // The other calendar ends a little earlier.
        for day in (0..END / DAY - 2).step_by(37) {
            let time = Timestamp(day * DAY + day % DAY);
            let other = jiff::Timestamp::from_second(i64::try_from(time.0).unwrap()).unwrap();
            assert_eq!(time.iso(), other.to_string());
            assert_eq!(time.to_string().parse(), Ok(time));
            assert_eq!(Timestamp::from_iso(&time.iso()), Some(time));
        }
        assert_eq!(Timestamp(END - 1).to_string(), "9999-12-31 23:59:59");
        assert_eq!(Timestamp::from_seconds(END), None);
    }

    #[test]
    fn what_is_no_date_is_refused() {
        for text in [
            "2025-02-29 00:00:00",
            "2025-13-01 00:00:00",
            "2025-00-01 00:00:00",
            "2025-01-00 00:00:00",
            "2025-12-28 24:00:00",
            "2025-12-28 23:60:00",
            "2025-12-28 23:00:60",
            "2025-12-28T23:00:00",
            "2025-12-28 23:00:0",
            "+025-12-28 23:00:00",
            "1969-12-31 23:59:59",
            "2025-1-028 23:00:00",
            "",
            "2025-12-28 23:00:00 ",
            "20251228 23:00:0000",
            "２025-12-28 23:00:0",
        ] {
            assert_eq!(text.parse::<Timestamp>(), Err(NoTimestamp), "{text}");
        }
        for text in ["2025-12-28 14:30:00", "2025-12-28T14:30:00", "2025-12-28T14:30:00z", "Z", ""] {
            assert_eq!(Timestamp::from_iso(text), None, "{text}");
        }
    }
}
