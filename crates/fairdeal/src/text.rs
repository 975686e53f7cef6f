//! Texts as people read them, as wide as their terminal.

use std::io::IsTerminal as _;

pub(crate) use lab::text::{counted, grouped, grouped_signed, plural};

/// How wide lines on stdout may be: as wide as the terminal, but no wider than is good to read.
pub(crate) fn width() -> usize {
    const WIDEST: usize = 100;
    const NARROWEST: usize = 20;
    let terminal = || ratatui::crossterm::terminal::size().ok().map(|(columns, _)| usize::from(columns));
    let shown = std::io::stdout().is_terminal().then(terminal).flatten();
    let said = || std::env::var("COLUMNS").ok()?.parse().ok();
    shown.or_else(said).unwrap_or(WIDEST).clamp(NARROWEST, WIDEST)
}

/// A number that was won or lost: `+3`, `-3`, and `0` without a sign.
pub(crate) fn signed(number: i64) -> String {
    if number > 0 { format!("+{number}") } else { number.to_string() }
}

/// Names in a sentence: "Ada", "Ada and Kurt", "Ada, Kurt and Ida".
pub(crate) fn listed(names: &[impl AsRef<str>]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match names.split_last() {
        None => String::new(),
        Some((only, [])) => (*only).to_owned(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
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

/// A name that somebody else chose, as it can be printed: it does not steer a terminal or turn a line around.
pub(crate) fn shown(name: &str) -> String {
    let hidden = |c: char| {
        c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    let letter = |c: char| if hidden(c) { c.escape_unicode().to_string() } else { c.to_string() };
    name.chars().map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_nought_has_no_sign() {
        assert_eq!([3, 0, -3].map(signed), ["+3", "0", "-3"]);
    }

    #[test]
    fn names_are_listed_as_people_say_them() {
        assert_eq!(listed(&["Ada"]), "Ada");
        assert_eq!(listed(&["Ada", "Kurt", "Ida"]), "Ada, Kurt and Ida");
        assert_eq!(listed(&[] as &[&str]), "");
    }

    #[test]
    fn names_cannot_steer_a_terminal() {
        assert_eq!(shown("Änne O'Hara ♥"), "Änne O'Hara ♥");
        assert_eq!(shown("a\u{1b}[2Jb\u{202e}c"), "a\\u{1b}[2Jb\\u{202e}c");
    }

    #[test]
    fn lines_are_broken_between_words() {
        assert_eq!(wrapped("one two  three", 9, 2), "  one two\n  three\n");
        assert_eq!(wrapped("one two three", 13, 0), "one two three\n");
        assert_eq!(wrapped("a abcdefghij b", 4, 0), "a\nabcd\nefgh\nij b\n", "a word that fits nowhere");
        assert_eq!(wrapped("", 9, 2), "");
    }
}
