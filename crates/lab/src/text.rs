//! Numbers and texts as people read them.

/// With commas: `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The same for what may be below zero: `-1,234`.
pub fn grouped_signed(number: i64) -> String {
    let sign = if number < 0 { "-" } else { "" };
    format!("{sign}{}", grouped(number.unsigned_abs()))
}

/// A number and a noun: `1 deal`, `2,000 deals`, `2 matches`. `one` is the singular.
pub fn counted(number: u64, one: &str) -> String {
    let ending = match (number, one.ends_with("ch")) {
        (1, _) => "",
        (_, false) => "s",
        (_, true) => "es",
    };
    format!("{} {one}{ending}", grouped(number))
}

/// Rounded to a whole number, with commas.
pub fn grouped_float(number: f64) -> String {
    // Floats beyond the range become its ends, which no measurement reaches.
    grouped(number.round() as u64)
}

/// "point" where there is one, else "points".
pub fn plural(count: impl TryInto<i64>, what: &str) -> String {
    let one = count.try_into().is_ok_and(|count: i64| count.unsigned_abs() == 1);
    if one { what.to_owned() } else { format!("{what}s") }
}

/// A word as a shell wants it.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "+-_=./:,@%".contains(c);
    if word.chars().all(plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_stand_every_three_digits() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(grouped_float(1999.6), "2,000");
    }

    #[test]
    fn one_is_not_called_by_the_word_for_many() {
        assert_eq!([0, 1, 2000].map(|n| counted(n, "deal")), ["0 deals", "1 deal", "2,000 deals"]);
        assert_eq!([1, 2].map(|n| counted(n, "match")), ["1 match", "2 matches"]);
    }

    #[test]
    fn one_more_or_less_is_one_too() {
        assert_eq!([-2i64, -1, 0, 1, 2].map(|n| plural(n, "point")), ["points", "point", "points", "point", "points"]);
    }

    #[test]
    fn a_shell_reads_a_quoted_word_as_it_was() {
        assert_eq!(quoted("2=simple"), "2=simple");
        assert_eq!(quoted("cmd:python3 bot.py"), "'cmd:python3 bot.py'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }
}
