//! Amounts as files write them: decimal numbers, held exactly.
//!
//! The text of a number is read digit by digit and never goes through a binary fraction, so `0.1` is a
//! tenth. All amounts of a hand are counted in one [`Unit`], the finest that any of them is written in:
//! a hand with `0.50` somewhere is counted in hundredths.

use core::fmt;

use table::Chips;

/// Digits after the point that an amount may have.
const MOST_DECIMALS: u8 = 6;
/// No number is written with more characters.
const LONGEST: usize = 40;

/// A number as it is written: `digits` without the point, and how many of them stand after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Amount {
    digits: i64,
    decimals: u8,
}

/// Why a text is no amount.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadAmount {
    /// Not a number at all.
    NotANumber,
    /// Without end, where only a stack may be.
    Infinite,
    /// More digits after the point than are counted.
    TooFine,
    /// More than can be counted.
    TooLarge,
    /// Below what makes sense here.
    TooSmall,
}

impl fmt::Display for BadAmount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotANumber => f.write_str("expected a number"),
            Self::Infinite => f.write_str("only a stack can be unlimited"),
            Self::TooFine => write!(f, "an amount has at most {MOST_DECIMALS} digits after the point"),
            Self::TooLarge => write!(f, "an amount is at most {} of its smallest units", Chips::MOST),
            Self::TooSmall => f.write_str("the amount is too small"),
        }
    }
}

impl Amount {
    /// Reads `12`, `-0.50`, `1_000` or `2.5e3`.
    pub(super) fn parse(text: &str) -> Result<Self, BadAmount> {
        if text.len() > LONGEST {
            return Err(BadAmount::TooLarge);
        }
        let (negative, size) = match text.strip_prefix('-') {
            Some(size) => (true, size),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        if size.eq_ignore_ascii_case("inf") {
            return Err(BadAmount::Infinite);
        }
        let (number, exponent) = match size.split_once(['e', 'E']) {
            Some((number, exponent)) => (number, exponent.parse::<i32>().map_err(|_| BadAmount::NotANumber)?),
            None => (size, 0),
        };
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let mut digits: String = [whole, fraction].concat();
        digits.retain(|c| c != '_');
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(BadAmount::NotANumber);
        }
        let after = fraction.bytes().filter(|b| *b != b'_').count();
        let mut decimals = i32::try_from(after).map_err(|_| BadAmount::TooFine)?.saturating_sub(exponent);
        if digits.bytes().all(|b| b == b'0') {
            let decimals = u8::try_from(decimals.max(0)).unwrap_or(MOST_DECIMALS).min(MOST_DECIMALS);
            return Ok(Self { digits: 0, decimals });
        }
        while decimals > i32::from(MOST_DECIMALS) {
            if digits.pop() != Some('0') {
                return Err(BadAmount::TooFine);
            }
            decimals -= 1;
        }
        while decimals < 0 {
            digits.push('0');
            decimals += 1;
            if digits.len() > LONGEST {
                return Err(BadAmount::TooLarge);
            }
        }
        let size: i64 = digits.parse().map_err(|_| BadAmount::TooLarge)?;
        let digits = if negative { -size } else { size };
        Ok(Self { digits, decimals: u8::try_from(decimals).map_err(|_| BadAmount::TooFine)? })
    }

    /// A whole number.
    pub(super) const fn whole(digits: i64) -> Self {
        Self { digits, decimals: 0 }
    }

    /// The coarsest unit that it is a whole number of, as it is written.
    pub(super) const fn unit(self) -> Unit {
        Unit(self.decimals)
    }
}

/// The amount that a value stands for, if it is a number.
pub(super) fn of_value(value: &toml::Value) -> Option<Amount> {
    match value {
        toml::Value::Integer(number) => Some(Amount::whole(*number)),
        // The shortest text that is read as the same number: what the file had, up to 15 digits.
        toml::Value::Float(number) => Amount::parse(&number.to_string()).ok(),
        _ => None,
    }
}

/// What one chip of a hand is worth: one, a tenth, a hundredth … of what the file counts in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Unit(u8);

impl Unit {
    /// Whole numbers.
    pub const WHOLE: Self = Self(0);

    /// The unit with this many digits after the point, if amounts can be that fine.
    pub const fn new(decimals: u8) -> Option<Self> {
        if decimals <= MOST_DECIMALS { Some(Self(decimals)) } else { None }
    }

    /// Digits after the point.
    pub const fn decimals(self) -> u8 {
        self.0
    }

    /// How many units an amount is, if it is a number of them that can be counted.
    pub(super) fn chips(self, amount: Amount) -> Result<Chips, BadAmount> {
        let missing = self.0.checked_sub(amount.decimals).ok_or(BadAmount::TooFine)?;
        let times = 10_i64.checked_pow(u32::from(missing)).ok_or(BadAmount::TooLarge)?;
        let chips = Chips(amount.digits.checked_mul(times).ok_or(BadAmount::TooLarge)?);
        if (-Chips::MOST..=Chips::MOST).contains(&chips) { Ok(chips) } else { Err(BadAmount::TooLarge) }
    }

    /// Several, as people write them.
    pub fn list(self, amounts: &[Chips]) -> String {
        amounts.iter().map(|chips| self.show(*chips)).collect::<Vec<_>>().join(", ")
    }

    /// As people write it: `3`, `2.5`.
    pub fn show(self, chips: Chips) -> String {
        let text = self.fixed(chips);
        match text.split_once('.') {
            Some((whole, fraction)) => match fraction.trim_end_matches('0') {
                "" => whole.to_owned(),
                fraction => format!("{whole}.{fraction}"),
            },
            None => text,
        }
    }

    /// With all digits after the point, so that the unit can be told from the text: `3.00`, `2.50`.
    pub fn fixed(self, chips: Chips) -> String {
        if self.0 == 0 {
            return chips.to_string();
        }
        let places = usize::from(self.0);
        let sign = if chips < Chips::ZERO { "-" } else { "" };
        let digits = format!("{:0>width$}", chips.0.unsigned_abs(), width = places + 1);
        let (whole, fraction) = digits.split_at(digits.len() - places);
        format!("{sign}{whole}.{fraction}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (i64, u8) {
        let amount = Amount::parse(text).unwrap();
        (amount.digits, amount.decimals)
    }

    #[test]
    fn numbers_are_read_exactly() {
        assert_eq!(read("12"), (12, 0));
        assert_eq!(read("-0.50"), (-50, 2));
        assert_eq!(read("0.1"), (1, 1));
        assert_eq!(read("1_000.25"), (100_025, 2));
        assert_eq!(read("2.5e3"), (2500, 0));
        assert_eq!(read("25e-2"), (25, 2));
        assert_eq!(read("1.500000000"), (1_500_000, 6));
        assert_eq!(read("0.000000000"), (0, 6));
    }

    #[test]
    fn what_cannot_be_counted_is_refused() {
        for (text, why) in [
            ("", BadAmount::NotANumber),
            (".", BadAmount::NotANumber),
            ("nan", BadAmount::NotANumber),
            ("1.2.3", BadAmount::NotANumber),
            ("0x10", BadAmount::NotANumber),
            ("five", BadAmount::NotANumber),
            ("1e", BadAmount::NotANumber),
            ("inf", BadAmount::Infinite),
            ("-inf", BadAmount::Infinite),
            ("0.0000001", BadAmount::TooFine),
            ("1e-2147483648", BadAmount::TooFine),
            ("1e400", BadAmount::TooLarge),
            ("99999999999999999999", BadAmount::TooLarge),
        ] {
            assert_eq!(Amount::parse(text), Err(why), "{text}");
        }
        assert_eq!(Unit(2).chips(Amount::whole(i64::MAX)), Err(BadAmount::TooLarge));
    }

    #[test]
    fn chips_are_written_in_the_unit_of_the_file() {
        let cents = Unit(2);
        assert_eq!(cents.chips(Amount::parse("1.5").unwrap()), Ok(Chips(150)));
        assert_eq!(cents.show(Chips(150)), "1.5");
        assert_eq!(cents.show(Chips(-5)), "-0.05");
        assert_eq!(cents.show(Chips(300)), "3");
        assert_eq!(cents.fixed(Chips(300)), "3.00");
        assert_eq!(Unit::WHOLE.fixed(Chips(300)), "300");
        assert_eq!(Unit::WHOLE.show(Chips(300)), "300");
    }
}
