//! Numbers and texts as people read them.

use std::io::IsTerminal as _;

/// With commas: `1,234,567`.
pub(crate) fn grouped(number: u64) -> String {
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
pub(crate) fn grouped_signed(number: i64) -> String {
    let sign = if number < 0 { "-" } else { "" };
    format!("{sign}{}", grouped(number.unsigned_abs()))
}

/// Rounded to a whole number, with commas.
pub(crate) fn grouped_float(number: f64) -> String {
    // Floats beyond the range become its ends, which no measurement reaches.
    grouped(number.round() as u64)
}

/// "1 deck", "2 decks", "1,000 decks".
pub(crate) fn counted(count: u64, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{} {what}s", grouped(count)) }
}

/// "point" where there is one, else "points".
pub(crate) fn plural(count: impl TryInto<i64>, what: &str) -> String {
    let one = count.try_into().is_ok_and(|count: i64| count.unsigned_abs() == 1);
    if one { what.to_owned() } else { format!("{what}s") }
}

/// How wide lines on stdout may be: as wide as the terminal, but no wider than is good to read.
pub(crate) fn width() -> usize {
    const WIDEST: usize = 100;
    const NARROWEST: usize = 20;
    let terminal = || ratatui::crossterm::terminal::size().ok().map(|(columns, _)| usize::from(columns));
    let shown = std::io::stdout().is_terminal().then(terminal).flatten();
    let said = || std::env::var("COLUMNS").ok()?.parse().ok();
    shown.or_else(said).unwrap_or(WIDEST).clamp(NARROWEST, WIDEST)
}

/// A text in lines of at most so many columns, each after so many blanks. Words are broken only where one alone is too
/// wide.
pub(crate) fn wrapped(text: &str, width: usize, indent: usize) -> String {
    let room = width.saturating_sub(indent).max(1);
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        let mut letters: Vec<char> = word.chars().collect();
        let used = line.chars().count();
        if used > 0 && used + 1 + letters.len() > room {
            lines.push(std::mem::take(&mut line));
        } else if used > 0 {
            line.push(' ');
        }
        while line.is_empty() && letters.len() > room {
            lines.push(letters.drain(..room).collect());
        }
        line.extend(letters);
    }
    if !line.is_empty() {
        lines.push(line);
    }
    let blanks = " ".repeat(indent);
    lines.iter().map(|line| format!("{blanks}{line}\n")).collect()
}

/// A word as a shell wants it.
pub(crate) fn quoted(word: &str) -> String {
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
    fn one_is_counted_as_one() {
        assert_eq!(
            [0, 1, 2, 1000].map(|count| counted(count, "deal")),
            ["0 deals", "1 deal", "2 deals", "1,000 deals"]
        );
    }

    #[test]
    fn one_more_or_less_is_one_too() {
        assert_eq!([-2i64, -1, 0, 1, 2].map(|n| plural(n, "point")), ["points", "point", "points", "point", "points"]);
    }

    #[test]
    fn lines_are_broken_between_words() {
        assert_eq!(wrapped("one two  three", 9, 2), "  one two\n  three\n");
        assert_eq!(wrapped("one two three", 13, 0), "one two three\n");
        assert_eq!(wrapped("a abcdefghij b", 4, 0), "a\nabcd\nefgh\nij b\n", "a word that fits nowhere");
        assert_eq!(wrapped("", 9, 2), "");
    }

    #[test]
    fn a_shell_reads_a_quoted_word_as_it_was() {
        assert_eq!(quoted("2=simple"), "2=simple");
        assert_eq!(quoted("cmd:python3 bot.py"), "'cmd:python3 bot.py'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }
}
