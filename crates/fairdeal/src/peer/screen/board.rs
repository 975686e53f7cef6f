//! The screen of a match at a private table, apart from the terminal: it hears what happens, shows it step by step, and
//! says what the person wants.
//!
//! - What happens waits in a queue, so that a person can follow: every change of the table stays for a moment. What
//!   happened before a restart, and a queue that has become long, is passed over quickly.
//! - Whom the table waits for and who is connected is shown at once.
//! - A question is put again whenever something happens; what is half made stays for as long as it is the same.

mod drawn;
mod hearing;
mod reacting;

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use ::peer::Seen;
use table::{Eye, Faces, Known, Match, Seat, Seats, Table};

use super::end::End;
use super::typing::Typing;
use crate::peer::desk::{Now, Over, Want};
use crate::play::asking::{Hands, Question};
use crate::play::look::Look;
use crate::play::screen::Screen;
use crate::play::seating::BySeat;
use crate::play::story::{Round, Story};
use crate::play::windows::Window;

/// How somebody leaves a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum After {
    /// They close the program in the middle of the match; they can continue it.
    Quit,
    /// They close it after they have conceded, or have only watched, or the match is over.
    Done,
    /// They play once more: the ticket of the next table.
    Again(String),
}

/// What a person wants to happen.
pub(super) enum Wish<G: Screen> {
    /// Something of the match.
    Want(Want<G>),
    /// To go.
    Go(After),
}

/// A step of the match, waiting to be shown.
enum Step<G: Screen> {
    Seen(Box<Seen<G>>),
    Shown(Box<Shown<G>>),
    Over(Box<Over>),
}

/// The table on the screen.
struct Shown<G: Screen> {
    table: Table<G::Rules>,
    /// The cards that only this player knows.
    own: Faces,
    /// Whether they have to decide at this table.
    asked: bool,
    /// Who has shuffled the deck, once everybody has.
    shuffled: Option<(u32, Seats)>,
}

impl<G: Screen> Shown<G> {
    /// A table at which nobody is asked.
    const fn still(table: Table<G::Rules>, own: Faces) -> Self {
        Self { table, own, asked: false, shuffled: None }
    }

    /// What somebody in this seat, or a spectator, sees of it.
    fn viewer(&self, me: Option<Seat>) -> (Eye, Known<'_>) {
        match me {
            Some(seat) => (Eye::Seat(seat), Known::with(self.table.open(), &self.own)),
            None => (Eye::Public, Known::public(self.table.open())),
        }
    }
}

/// A finished deal that is looked at: first the table alone, then what it brought.
struct Finished {
    window: Window,
    since: Instant,
    table_only: bool,
}

/// The screen of a match.
pub(super) struct Board<G: Screen> {
    look: Look,
    /// How long a change stays on the screen before the next.
    pace: Duration,
    /// The command that continues the match.
    way_back: String,
    story: Option<Story<G>>,
    /// How things are, without the table; and when that was told.
    now: Option<(Instant, Box<Now<G>>)>,
    queue: VecDeque<Step<G>>,
    shown: Option<Shown<G>>,
    /// When the table on the screen changed.
    changed: Instant,
    hands: Hands<G>,
    /// The height at which this person has decided, until the table has moved on.
    sent: Option<u64>,
    /// When the only move there is was put on the screen.
    forced: Option<Instant>,
    finished: Option<Finished>,
    /// Whether they are sure that they want to leave.
    leaving: Option<Window>,
    typing: Option<Typing>,
    end: Option<End>,
    /// They have conceded, and look on.
    conceded: bool,
    /// The terminal is too small for anything.
    small: bool,
    /// The deal about whose shuffle the log has told.
    told_of: u32,
    /// Who was connected when this person last knew.
    here: Option<Seats>,
    /// Since when this person's own connection is lost.
    lost: Option<Instant>,
    /// Something has changed since it was drawn.
    stale: bool,
}

impl<G: Screen> Board<G> {
    /// An empty one; `way_back` is the command that continues the match.
    pub(super) fn new(look: Look, pace: Duration, way_back: &str, at: Instant) -> Self {
        Self {
            look,
            pace,
            way_back: way_back.to_owned(),
            story: None,
            now: None,
            queue: VecDeque::new(),
            shown: None,
            changed: at,
            hands: Hands::default(),
            sent: None,
            forced: None,
            finished: None,
            leaving: None,
            typing: None,
            end: None,
            conceded: false,
            small: false,
            told_of: 0,
            here: None,
            lost: None,
            stale: true,
        }
    }

    /// This person's seat.
    fn me(&self) -> Option<Seat> {
        self.now.as_ref().and_then(|(_, now)| now.me)
    }

    /// The ticket of the next table, if this person wants to go there.
    pub(super) fn next(&self) -> Option<String> {
        self.end.as_ref().and_then(End::wanted).cloned()
    }

    /// What to tell the person when the screen is gone.
    pub(super) fn farewell(&self) -> Vec<String> {
        self.end.as_ref().map(End::farewell).unwrap_or_default()
    }

    /// Whether something has changed since it was drawn.
    pub(super) const fn is_stale(&self) -> bool {
        self.stale
    }
}

/// The story of a match, from its beginning.
fn begun<G: Screen>(now: &Now<G>, look: Look, way_back: &str) -> Option<Story<G>> {
    let names = told_apart(&now.names);
    let players = u8::try_from(names.len()).ok()?;
    let standing = Match::<G>::start(&now.settings, players).ok()?.standing();
    let round = Round { settings: now.settings.clone(), names: BySeat::new(names), look, standing, deal: 1 };
    Some(Story::new(round, way_back.to_owned()))
}

/// Names that fit on the screen, no two the same.
fn told_apart(names: &[String]) -> Vec<String> {
    const LONGEST: usize = 14;
    let mut told: Vec<String> = Vec::new();
    for name in names {
        let short: String = name.chars().take(LONGEST).collect();
        let numbered = |n: u32| if n == 1 { short.clone() } else { format!("{short} {n}") };
        let free = (1..).map(numbered).find(|name| !told.contains(name));
        told.extend(free);
    }
    told
}

/// The question that a person thinks about, if they are asked and have not answered.
fn question<'a, G: Screen>(
    shown: Option<&'a Shown<G>>,
    me: Option<Seat>,
    sent: Option<u64>,
    pace: Duration,
) -> Option<Question<'a, G>> {
    let (shown, seat) = shown.filter(|shown| shown.asked).zip(me)?;
    let height = shown.table.height().0;
    if sent == Some(height) {
        return None;
    }
    // Hints need random numbers that are the same when they are asked for twice, and nothing else.
    let mut seed = [0; 32];
    seed.iter_mut().zip(height.to_le_bytes()).for_each(|(to, from)| *to = from);
    Some(Question { table: &shown.table, seat, known: shown.viewer(me).1, until: None, pace, seed })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_players_with_one_name_are_told_apart() {
        let names = ["Anna", "Anna", "Bartholomew the Great", "Bartholomew the Second"].map(str::to_owned);
        assert_eq!(told_apart(&names), ["Anna", "Anna 2", "Bartholomew th", "Bartholomew th 2"]);
    }
}
