//! The lines of play in a file: `d dh p1 AcKd`, `p2 cbr 300 # commentary`.

use core::fmt;

use cards::Card;
use table::Chips;

use super::amount::{Amount, Unit};
use super::error::Reason;

/// No hand has more players, and so no player a higher number.
pub(super) const MOST_PLAYERS: usize = 10;

/// A card in a file; `None` where nobody knows it.
pub type Maybe = Option<Card>;

/// A player by their number in a file, less one: 0 is `p1`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Player(pub u8);

impl Player {
    pub(in crate::holdem) fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "p{}", u16::from(self.0) + 1)
    }
}

/// One line of play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// What happens.
    pub play: Play,
    /// What follows the `#`.
    pub commentary: Option<String>,
}

/// What a line says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Play {
    /// A player is dealt hole cards.
    Hole(Player, Vec<Maybe>),
    /// Cards for all.
    Board(Vec<Maybe>),
    /// Folds.
    Fold(Player),
    /// Checks or calls.
    CheckOrCall(Player),
    /// Bets or raises to this total for the street.
    RaiseTo(Player, Chips),
    /// Shows these cards; shows what they were dealt where none are named (`sm -`).
    Show(Player, Vec<Maybe>),
    /// Puts the cards away without showing them.
    Muck(Player),
    /// A commentary and nothing else.
    Nothing,
}

impl Line {
    /// A line without commentary.
    pub const fn new(play: Play) -> Self {
        Self { play, commentary: None }
    }

    /// Reads a line whose amounts are counted in this unit.
    pub(super) fn parse(text: &str, unit: Unit) -> Result<Self, Reason> {
        let (said, commentary) = halves(text);
        let mut words = said.split_whitespace();
        let play = match (words.next(), words.next(), words.next()) {
            (None, _, _) => Play::Nothing,
            (Some("d"), Some("dh"), Some(to)) => Play::Hole(player(to)?, cards(words.by_ref())?),
            (Some("d"), Some("db"), Some(first)) => Play::Board(cards([first].into_iter().chain(words.by_ref()))?),
            (Some(who), Some("f"), None) => Play::Fold(player(who)?),
            (Some(who), Some("cc"), None) => Play::CheckOrCall(player(who)?),
            (Some(who), Some("cbr"), Some(to)) => {
                let amount = Amount::parse(to).and_then(|amount| unit.chips(amount)).map_err(Reason::Amount)?;
                Play::RaiseTo(player(who)?, amount)
            }
            (Some(who), Some("sm"), None) => Play::Muck(player(who)?),
            (Some(who), Some("sm"), Some("-")) => Play::Show(player(who)?, Vec::new()),
            (Some(who), Some("sm"), Some(first)) => {
                Play::Show(player(who)?, cards([first].into_iter().chain(words.by_ref()))?)
            }
            _ => return Err(Reason::NotALine),
        };
        if words.next().is_some() {
            return Err(Reason::NotALine);
        }
        Ok(Self { play, commentary: commentary.map(str::to_owned) })
    }

    /// The unit that the line's amount is written in.
    pub(super) fn unit(text: &str) -> Unit {
        let mut words = halves(text).0.split_whitespace().skip(1);
        let amount = (words.next() == Some("cbr")).then(|| words.next()).flatten();
        amount.and_then(|text| Amount::parse(text).ok()).map_or(Unit::WHOLE, Amount::unit)
    }

    /// The line as a file has it.
    pub(super) fn write(&self, unit: Unit) -> String {
        let said = match &self.play {
            Play::Hole(to, cards) => format!("d dh {to} {}", Cards(cards)),
            Play::Board(cards) => format!("d db {}", Cards(cards)),
            Play::Fold(who) => format!("{who} f"),
            Play::CheckOrCall(who) => format!("{who} cc"),
            Play::RaiseTo(who, to) => format!("{who} cbr {}", unit.fixed(*to)),
            Play::Show(who, cards) if cards.is_empty() => format!("{who} sm -"),
            Play::Show(who, cards) => format!("{who} sm {}", Cards(cards)),
            Play::Muck(who) => format!("{who} sm"),
            Play::Nothing => String::new(),
        };
        match &self.commentary {
            None => said,
            Some(words) if said.is_empty() => format!("# {words}"),
            Some(words) => format!("{said} # {words}"),
        }
    }
}

/// What is said, and the commentary.
fn halves(text: &str) -> (&str, Option<&str>) {
    match text.split_once('#') {
        Some((said, words)) => (said, Some(words.trim())),
        None => (text, None),
    }
}

fn player(word: &str) -> Result<Player, Reason> {
    let number = word.strip_prefix('p').filter(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
    let number = number.ok_or(Reason::NotALine)?;
    // Numbers beyond the table are refused by the hand, which knows how many play.
    let number: u8 = number.parse().map_err(|_| Reason::NoSuchPlayer(word.chars().take(8).collect()))?;
    number.checked_sub(1).map(Player).ok_or_else(|| Reason::NoSuchPlayer(word.to_owned()))
}

/// Reads cards written one after the other, `Ac??Td`.
fn cards<'a>(words: impl Iterator<Item = &'a str>) -> Result<Vec<Maybe>, Reason> {
    let mut cards = Vec::new();
    for word in words {
        let mut rest = word;
        while !rest.is_empty() {
            let rank = if rest.starts_with("10") { 2 } else { 1 };
            let end = rest.char_indices().nth(rank + 1).map_or(rest.len(), |(end, _)| end);
            let (card, after) = rest.split_at(end);
            cards.push(one_card(card)?);
            rest = after;
            if cards.len() > 5 {
                return Err(Reason::TooManyCards);
            }
        }
    }
    if cards.is_empty() { Err(Reason::NotALine) } else { Ok(cards) }
}

fn one_card(text: &str) -> Result<Maybe, Reason> {
    let bad = || Reason::NotACard(text.to_owned());
    // A card of which only rank or suit is known is as good as unknown here.
    if text.chars().count() == 2 && text.contains('?') {
        let known: Vec<char> = text.chars().filter(|c| *c != '?').collect();
        let fits = known.iter().all(|c| "23456789TJQKAcdhs".contains(*c));
        return if fits { Ok(None) } else { Err(bad()) };
    }
    let card: Card = text.parse().map_err(|_| bad())?;
    if card.natural().is_some() { Ok(Some(card)) } else { Err(bad()) }
}

/// Cards as files write them: ranks upper case, suits lower case, `??` for the unknown.
struct Cards<'a>(&'a [Maybe]);

impl fmt::Display for Cards<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|card| match card.and_then(Card::natural) {
            Some((rank, suit)) => write!(f, "{rank}{}", suit.to_string().to_ascii_lowercase()),
            None => f.write_str("??"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn again(text: &str) -> String {
        Line::parse(text, Unit::new(2).unwrap()).unwrap().write(Unit::new(2).unwrap())
    }

    #[test]
    fn lines_are_written_as_they_are_read() {
        for text in [
            "d dh p1 Ac2d",
            "d dh p10 ????",
            "d dh p2 Td??",
            "d db Jc3d5c",
            "p3 f",
            "p1 cc # a sigh",
            "p1 cbr 7000.00",
            "p1 sm Ac2d",
            "p1 sm -",
            "p2 sm",
            "# the cameras are on",
            "",
        ] {
            assert_eq!(again(text), text);
        }
        assert_eq!(again("  p1   cbr  7.5#  big "), "p1 cbr 7.50 # big");
        assert_eq!(again("d db 10h 3d 5c"), "d db Th3d5c");
        assert_eq!(again("d dh p1 A??s"), "d dh p1 ????");
    }

    #[test]
    fn what_is_no_line_is_refused() {
        for text in [
            "x",
            "p1",
            "p f",
            "p0 f",
            "p1 f f",
            "p1 cc 3",
            "p1 cbr",
            "p1 cbr x",
            "p1 cbr 1 2",
            "p1 cbr 0.001",
            "p300 f",
            "d",
            "d dh",
            "d dh p1",
            "d db",
            "d dh p1 Ax",
            "d dh p1 JK",
            "d dh p1 d7",
            "d db A",
            "d db é?",
            "q1 f",
            "d db AcAdAhAs2c2d",
            "p1 sd",
            "p1 pb",
        ] {
            assert!(Line::parse(text, Unit::new(2).unwrap()).is_err(), "{text}");
        }
    }
}
