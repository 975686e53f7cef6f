//! What happened at a table, in words that everybody there may read.
//!
//! A story is told by whoever runs the table: which deal began, what a seat did and at which table, how a deal ended.
//! What a move brought about is known once the table has moved on, so lines appear when the story is brought up to date
//! ([`Story::catch_up`], or the next thing that happens).

use std::collections::VecDeque;

use ::table::{Eye, Height, Known, Move, Outcome, Rules, Seat, Standing, Table};

use crate::board::{Board, Now, State};
use crate::{Lang, Made, MoveOf, Page, Said};

/// The most lines that are kept.
const MOST: usize = 400;

/// What happened in a match.
pub struct Story<G: Page> {
    lines: VecDeque<Told>,
    /// The number of lines so far, so that readers can ask for the new ones.
    told: u64,
    settings: G::Settings,
    names: Vec<String>,
    /// The deal on the table, and how the match stood before it.
    around: Option<(u32, Standing)>,
    /// What everybody saw when the story was last up to date, and at which height of the table.
    seen: Option<(Height, <G::Rules as Rules>::View)>,
    /// What was done since then.
    done: Vec<(Seat, MoveOf<G>, Made)>,
}

/// A line of the story.
#[derive(Clone, Debug)]
pub enum Told {
    /// A deal began.
    Deal(u32),
    /// A seat did something, or something happened.
    Line(Option<Seat>, Said),
}

impl<G: Page> Story<G> {
    /// Nothing has happened yet in a match with these settings and players.
    pub const fn new(settings: G::Settings, names: Vec<String>) -> Self {
        Self { lines: VecDeque::new(), told: 0, settings, names, around: None, seen: None, done: Vec::new() }
    }

    /// The lines, with their numbers.
    pub fn lines(&self) -> impl Iterator<Item = (u64, &Told)> {
        let first = self.told - u64::try_from(self.lines.len()).unwrap_or(self.told);
        (first..).zip(&self.lines)
    }

    /// A deal begins; `standing` is how the match stands before it.
    pub fn begin(&mut self, number: u32, table: &Table<G::Rules>, standing: Standing) {
        self.done.clear();
        self.around = Some((number, standing));
        self.look(table);
        self.push(Told::Deal(number));
    }

    /// A seat acts at this table.
    pub fn act(&mut self, table: &Table<G::Rules>, seat: Seat, action: <G::Rules as Rules>::Action, made: Made) {
        self.catch_up(table);
        self.done.push((seat, Move::Act(action), made));
    }

    /// Secret choices at this table are revealed.
    pub fn choose(
        &mut self,
        table: &Table<G::Rules>,
        choices: impl IntoIterator<Item = (Seat, <G::Rules as Rules>::Choice, Made)>,
    ) {
        self.catch_up(table);
        self.done.extend(choices.into_iter().map(|(seat, choice, made)| (seat, Move::Choose(choice), made)));
    }

    /// Tells what was done since the last time, and what came of it, up to this table.
    pub fn catch_up(&mut self, table: &Table<G::Rules>) {
        let Some((_, before)) = self.seen.take_if(|(height, _)| *height != table.height()) else { return };
        let done = core::mem::take(&mut self.done);
        for (seat, a_move, made) in &done {
            let said = Said::each(|lang| {
                let phrase = self.scene(table, lang, |scene| G::phrase(&before, scene, *seat, a_move));
                match made {
                    Made::Freely => phrase,
                    Made::TimeUp => format!("{phrase} ({})", lang.pick("time was up", "Zeit abgelaufen")),
                    Made::Away => format!("{phrase} ({})", lang.pick("away", "abwesend")),
                }
            });
            self.say(Some(*seat), said);
        }
        let news = Lang::ALL.map(|lang| self.scene(table, lang, |scene| G::news(&before, scene)));
        self.tell(news);
        self.look(table);
    }

    /// The table has changed in a way that is told by [`Story::say`] or not at all: what follows is compared with this.
    pub fn look(&mut self, table: &Table<G::Rules>) {
        let view = table.rules().view(Known::public(table.open()), Eye::Public);
        self.seen = Some((table.height(), view));
    }

    /// The deal has ended at this table; `standing` is how the match stands after it.
    pub fn end(&mut self, table: &Table<G::Rules>, outcome: &Outcome, standing: Standing) {
        self.catch_up(table);
        self.seen = None;
        if let Some((_, before)) = &mut self.around {
            *before = standing;
        }
        let lines = Lang::ALL.map(|lang| self.scene(table, lang, |scene| G::closing(scene, outcome)));
        // The page also shows some of these, as separate sentences.
        self.tell(lines.map(|lines| lines.iter().map(|line| line.trim_end_matches('.').to_owned()).collect()));
    }

    /// A seat got a hint.
    pub fn hint(&mut self, seat: Seat) {
        let name = self.names.get(usize::from(seat.index())).map_or("?", String::as_str);
        let said = Said::each(|lang| format!("{name} {}", lang.pick("used a hint", "hat sich einen Tipp geholt")));
        self.say(Some(seat), said);
    }

    /// Something else that a seat did, or that happened.
    pub fn say(&mut self, seat: Option<Seat>, said: Said) {
        self.push(Told::Line(seat, said));
    }

    /// The same lines in both languages.
    fn tell(&mut self, [english, german]: [Vec<String>; 2]) {
        for (english, german) in english.into_iter().zip(german) {
            self.say(None, Said::each(|lang| lang.pick(&english, &german).to_owned()));
        }
    }

    fn push(&mut self, line: Told) {
        if self.lines.len() >= MOST {
            self.lines.pop_front();
        }
        self.lines.push_back(line);
        self.told += 1;
    }

    /// Calls `f` with what everybody sees of a table.
    fn scene<T: Default>(&self, table: &Table<G::Rules>, lang: Lang, f: impl FnOnce(&crate::Scene<'_, G>) -> T) -> T {
        let Some((deal, standing)) = &self.around else { return T::default() };
        let board = Board {
            lang,
            eye: Eye::Public,
            table,
            known: Known::public(table.open()),
            settings: &self.settings,
            standing,
            deal: *deal,
            names: &self.names,
            state: State::Played(Now::default()),
        };
        board.scene(false, f)
    }
}
