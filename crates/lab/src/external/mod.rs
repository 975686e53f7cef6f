//! Outside bots: a command that reads questions and writes answers, both lines of JSON.
//!
//! - [`bots::protocol`]: what is said, and what of it is taken.
//! - `process`: a command that runs beside us.
//! - [`Trouble`]: what can go wrong with it.
//!
//! - [`Told`]: what has been said about it, so that nothing is said twice.
//!
//! Whatever such a bot does, the match goes on: where it has no answer to be taken, the default move is
//! played, and each kind of trouble is told once. A bot that has ended is not started again.

mod process;
#[cfg(test)]
mod tests;
mod told;
mod trouble;

use std::mem::take;
use std::time::{Duration, Instant};

use bots::{Course, Decision};
use table::{Game, Known, Rules, Seat, Standing, Table};

use bots::protocol::{self, Misanswer};
use process::{Deaf, Line, Nothing, Process};

pub use bots::protocol::{LONGEST_ANSWER, PROTOCOL, Sitting};
pub use told::Told;
pub use trouble::Trouble;

/// What a command has to begin with where bots are named.
pub const PREFIX: &str = "cmd:";

/// The usual time for an answer.
pub const USUAL_TIME: Duration = Duration::from_secs(5);

/// Programs may take long to start, and machines may be busy: so much more time has the first answer.
const STARTING: Duration = Duration::from_secs(10);

/// A bot that is late so often in a row is ended, or it would make a match endless.
const MOST_LATE: u32 = 5;

/// After this many answers to earlier questions in a row, the bot is said to flood.
const MOST_STALE: u32 = 200;

/// An outside bot, in one seat.
///
/// It is started when it first sits down. Call [`External::sit`] for every match, then
/// [`External::decide`] whenever its seat is asked, [`External::deal_over`] after every deal and
/// [`External::match_over`] in the end; it can then sit down to another match. Dropped, it is ended.
#[derive(Debug)]
pub struct External {
    command: String,
    limit: Duration,
    state: State,
    /// What is still to be said, with the next question.
    unsaid: String,
    /// The deal it has been told of, and how much of its course.
    deal: Option<u32>,
    told: usize,
    /// The number of the last question.
    id: u64,
    /// How many of its answers were taken.
    taken: u64,
    /// How often in a row it was late.
    late: u32,
    /// What has been told of it, and what has not.
    trouble: Told,
    news: Vec<Trouble>,
}

#[derive(Debug)]
enum State {
    NotStarted,
    Running(Process),
    /// For this reason.
    Gone(Trouble),
}

/// What came of a question.
#[derive(Debug)]
pub struct Answered<R: Rules> {
    /// A move that will be taken, or nothing, which leaves it to the game's default.
    pub decision: Decision<R>,
    /// What somebody should be told about the bot; each kind of trouble comes once.
    pub message: Option<String>,
}

impl External {
    /// A bot that has so much time for every answer.
    pub fn new(command: impl Into<String>, limit: Duration) -> Self {
        Self {
            command: command.into(),
            limit,
            state: State::NotStarted,
            unsaid: String::new(),
            deal: None,
            told: 0,
            id: 0,
            taken: 0,
            late: 0,
            trouble: Told::default(),
            news: Vec::new(),
        }
    }

    /// One of several that run the same command: what is told of one is not told of another.
    #[must_use]
    pub fn sharing(self, told: &Told) -> Self {
        Self { trouble: told.clone(), ..self }
    }

    /// What was started.
    pub fn command(&self) -> &str {
        &self.command
    }

    /// A match begins.
    pub fn sit<G: Game>(&mut self, sitting: &Sitting<'_, G::Settings>) {
        if matches!(self.state, State::NotStarted) {
            self.state = match Process::start(&self.command) {
                Ok(process) => State::Running(process),
                Err(why) => {
                    let trouble = Trouble::NotStarted(crate::failure::in_words(&why));
                    self.news.push(trouble.clone());
                    State::Gone(trouble)
                }
            };
        }
        (self.deal, self.told) = (None, 0);
        self.unsaid.push_str(&protocol::hello::<G>(sitting, self.limit.as_secs_f64()));
    }

    /// The seat is asked; it knows these faces.
    pub fn decide<G: Game>(
        &mut self,
        table: &Table<G::Rules>,
        seat: Seat,
        known: Known<'_>,
        course: Course<'_, G>,
    ) -> Answered<G::Rules> {
        let decision = self.question(table, seat, known, course).unwrap_or_else(|trouble| {
            self.unsaid.push_str(&protocol::refused(self.id, &trouble.to_string()));
            self.news.push(trouble);
            None
        });
        self.taken += u64::from(decision.is_some());
        Answered { decision, message: self.message(seat) }
    }

    /// Is it gone, so that default moves are played for it?
    pub const fn is_gone(&self) -> bool {
        matches!(self.state, State::Gone(_))
    }

    /// Why nothing can be learned about it: it was asked, and none of its answers could be used.
    pub fn never_played(&self) -> Option<String> {
        match &self.state {
            _ if self.taken > 0 => None,
            State::Gone(trouble) => Some(format!("{} before its first move", trouble.event())),
            State::NotStarted | State::Running(_) if self.id == 0 => None,
            State::NotStarted | State::Running(_) => Some("none of its answers could be used".to_owned()),
        }
    }

    /// The deal on the table is over.
    pub fn deal_over<G: Game>(&mut self, table: &Table<G::Rules>, seat: Seat, known: Known<'_>, course: Course<'_, G>) {
        if !self.is_here() {
            return;
        }
        self.tell_course(course);
        self.unsaid.push_str(&protocol::end(course.deal, table, seat, known));
        (self.deal, self.told) = (None, 0);
        self.say_in_passing();
    }

    /// The match is over.
    pub fn match_over(&mut self, standing: &Standing) {
        self.unsaid.push_str(&protocol::over(standing));
        self.say_in_passing();
    }

    /// Everything that has happened since it was told last.
    fn tell_course<G: Game>(&mut self, course: Course<'_, G>) {
        if self.deal != Some(course.deal) {
            (self.deal, self.told) = (Some(course.deal), 0);
            self.unsaid.push_str(&protocol::deal(course.deal));
        }
        course.past.iter().skip(self.told).for_each(|past| self.unsaid.push_str(&protocol::past(past)));
        self.told = course.past.len();
    }

    /// Asks and waits for an answer that can be taken.
    fn question<G: Game>(
        &mut self,
        table: &Table<G::Rules>,
        seat: Seat,
        known: Known<'_>,
        course: Course<'_, G>,
    ) -> Result<Decision<G::Rules>, Trouble> {
        if !self.is_here() {
            return Ok(None);
        }
        self.tell_course(course);
        self.id += 1;
        self.unsaid.push_str(&protocol::ask(self.id, table, seat, known, course));
        self.say()?;
        let starting = if self.id == 1 { STARTING } else { Duration::ZERO };
        let until = Instant::now() + self.limit + starting;
        for _ in 0..MOST_STALE {
            let State::Running(process) = &self.state else { return Ok(None) };
            let text = match process.hear(until) {
                Ok(Line::Text(text)) => text,
                Ok(Line::TooLong) => return Err(Trouble::TooLong),
                Ok(Line::NotText) => return Err(Trouble::Nonsense("it is not text (UTF-8)".to_owned())),
                Err(Nothing::Closed) => return Err(self.ended()),
                Err(Nothing::Interrupted) => return Ok(None),
                Err(Nothing::Late) => return Err(self.too_late()),
            };
            self.late = 0;
            match protocol::heard(&text, self.id, table, seat, known) {
                Ok(None) => {}
                Ok(decision) => return Ok(decision),
                Err(Misanswer::Nonsense(why)) => return Err(Trouble::Nonsense(why)),
                Err(Misanswer::Illegal(why)) => return Err(Trouble::Illegal(why)),
            }
        }
        Err(Trouble::Floods)
    }

    const fn is_here(&self) -> bool {
        matches!(self.state, State::Running(_))
    }

    /// Says what is unsaid; who cannot hear it is ended.
    fn say(&mut self) -> Result<(), Trouble> {
        let unsaid = take(&mut self.unsaid);
        let State::Running(process) = &self.state else { return Ok(()) };
        match process.say(unsaid) {
            Ok(()) => Ok(()),
            Err(Deaf::Closed) => Err(self.ended()),
            Err(Deaf::Full) => {
                self.state = State::Gone(Trouble::NotReading);
                Err(Trouble::NotReading)
            }
        }
    }

    /// The same where no answer is expected; what goes wrong is reported with the next one.
    fn say_in_passing(&mut self) {
        if let Err(trouble) = self.say() {
            self.news.push(trouble);
        }
    }

    fn too_late(&mut self) -> Trouble {
        self.late += 1;
        if self.late < MOST_LATE {
            return Trouble::Slow { seconds: self.limit.as_secs_f64() };
        }
        let trouble = Trouble::GivenUp { times: MOST_LATE };
        self.state = State::Gone(trouble.clone());
        trouble
    }

    /// It has closed a pipe, and most likely ended.
    fn ended(&mut self) -> Trouble {
        let (status, complaint) = match std::mem::replace(&mut self.state, State::NotStarted) {
            State::Running(process) => process.end(),
            State::NotStarted | State::Gone(_) => Default::default(),
        };
        let trouble = Trouble::Ended { status, complaint };
        self.state = State::Gone(trouble.clone());
        trouble
    }

    /// What has not been told yet.
    fn message(&mut self, seat: Seat) -> Option<String> {
        let news = take(&mut self.news).into_iter();
        if self.trouble.is_contest() && self.is_gone() && self.taken == 0 {
            return None;
        }
        let told: Vec<String> =
            news.filter(|trouble| self.trouble.is_new(trouble)).map(|new| new.to_string()).collect();
        (!told.is_empty()).then(|| format!("{}: {}", self.trouble.name(seat, &self.command), told.join("; ")))
    }
}
