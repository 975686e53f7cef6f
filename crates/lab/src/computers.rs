//! Seats played by computers in this process, and what they remember of a deal.

use std::cell::RefCell;
use std::fmt;
use std::time::{Duration, Instant};

use bots::{Computer, Course, Decision, Kind, Past};
use dealers::{Dealer, Halt, Log, Players, play_deal};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng as _, SeedableRng};
use table::record::Evidence;
use table::{Game, Known, Look, Moves as _, Outcome, Rules, Seat, Standing, Table, Value};

use crate::external::{External, PREFIX, Sitting, Told};
use crate::failure::complain;
use crate::sim::Simulated;

/// What the seats did in the deal on the table, for those who draw conclusions from it.
pub struct Memory<R: Rules>(RefCell<Vec<Past<R>>>);

impl<R: Rules> Default for Memory<R> {
    fn default() -> Self {
        Self(RefCell::new(Vec::new()))
    }
}

impl<R: Rules> fmt::Debug for Memory<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.borrow().iter()).finish()
    }
}

impl<R: Rules> Memory<R> {
    /// A new deal begins.
    pub fn clear(&self) {
        self.0.borrow_mut().clear();
    }

    /// Something happened.
    pub fn note(&self, past: Past<R>) {
        self.0.borrow_mut().push(past);
    }

    /// Calls `f` with everything that happened so far.
    pub fn with<T>(&self, f: impl FnOnce(&[Past<R>]) -> T) -> T {
        f(&self.0.borrow())
    }
}

/// Notes what happens in a memory, beside what another log does.
#[derive(Debug)]
pub struct Remembering<'a, R: Rules, L> {
    /// Where to.
    pub memory: &'a Memory<R>,
    /// The other log.
    pub log: &'a mut L,
}

impl<R: Rules, L: Log<R>> Log<R> for Remembering<'_, R, L> {
    fn evidence(&mut self, evidence: Vec<Evidence>) {
        self.log.evidence(evidence);
    }
    fn dealt<D: Dealer>(&mut self, table: &Table<R>, dealer: &D) {
        self.log.dealt(table, dealer);
    }
    fn act(&mut self, table: &Table<R>, seat: Seat, action: &R::Action, faces: &impl Look, timeout: bool) {
        self.memory.note(Past::Did(seat, action.clone()));
        self.log.act(table, seat, action, faces, timeout);
    }
    fn choices(&mut self, table: &Table<R>, choices: &[(Seat, R::Choice)]) {
        for (seat, choice) in choices {
            self.memory.note(Past::Chose(*seat, choice.clone()));
        }
        self.log.choices(table, choices);
    }
}

/// Who plays in a seat, as it is typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Who {
    /// A computer of ours.
    Computer(Kind),
    /// An outside bot: a command.
    Command(String),
}

impl Who {
    /// From what was typed: a kind of computer, or `cmd:` and a command; or what it must be.
    pub fn parse(text: &str) -> Result<Self, String> {
        let command = text.strip_prefix(PREFIX).map(str::trim);
        match command {
            Some("") => Err(format!("after {PREFIX} there must be a command")),
            Some(command) => Ok(Self::Command(command.to_owned())),
            None => Kind::from_name(text)
                .map(Self::Computer)
                .ok_or_else(|| format!("it must be {} or {PREFIX} and a command", Kind::WORDS.join(", "))),
        }
    }
}

impl From<Kind> for Who {
    fn from(kind: Kind) -> Self {
        Self::Computer(kind)
    }
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Computer(kind) => f.write_str(&Value::text(kind)),
            Self::Command(command) => write!(f, "{PREFIX}{command}"),
        }
    }
}

/// Somebody who can sit down in a seat.
#[derive(Debug)]
pub enum Player {
    /// A computer of ours.
    Computer(Kind),
    /// An outside bot.
    External(Box<External>),
}

impl Player {
    /// The player that was named. An outside bot has `time` for each answer; trouble already reported in `told` is not
    /// reported again.
    pub fn new(who: &Who, time: Duration, told: &Told) -> Self {
        match who {
            Who::Computer(kind) => Self::Computer(*kind),
            Who::Command(command) => Self::External(Box::new(External::new(command, time).sharing(told))),
        }
    }

    /// If it is an outside bot.
    pub const fn external(&self) -> Option<&External> {
        match self {
            Self::Computer(_) => None,
            Self::External(bot) => Some(bot),
        }
    }
}

/// The bots of all seats, and what they draw from.
#[derive(Debug)]
pub struct Bots<'a, G: Game> {
    /// Who sits where.
    pub players: Vec<Player>,
    /// What the match was created with.
    pub settings: &'a G::Settings,
    /// The randomness of our own.
    pub rng: Xoshiro256PlusPlus,
    /// How long they take, by seat; nothing is measured if it is empty.
    pub times: Vec<Times>,
    memory: Memory<G::Rules>,
}

/// How long decisions took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Times {
    /// How many.
    pub count: u64,
    /// Together.
    pub sum: Duration,
    /// The longest.
    pub longest: Duration,
}

impl Times {
    /// One more.
    pub fn add(&mut self, time: Duration) {
        self.merge(Self { count: 1, sum: time, longest: time });
    }

    /// Those of another.
    pub fn merge(&mut self, other: Self) {
        self.count += other.count;
        self.sum += other.sum;
        self.longest = self.longest.max(other.longest);
    }

    /// The average; 0 of none.
    pub fn mean(&self) -> Duration {
        self.sum.div_f64(self.count.max(1) as f64)
    }
}

impl<'a, G: Computer> Bots<'a, G> {
    /// These, by seat.
    pub fn new(players: Vec<Player>, settings: &'a G::Settings) -> Self {
        let rng = Xoshiro256PlusPlus::from_seed([1; 32]);
        Self { players, settings, rng, times: Vec::new(), memory: Memory::default() }
    }

    /// A match begins, or single deals do. Whatever outside bots draw follows from this seed.
    pub fn begin_match(&mut self, seed: impl FnOnce() -> [u8; 32]) {
        if !self.players.iter().any(|player| matches!(player, Player::External(_))) {
            return;
        }
        let mut rng = Xoshiro256PlusPlus::from_seed(seed());
        let players = u8::try_from(self.players.len()).unwrap_or(u8::MAX);
        for (seat, player) in (0..).map_while(Seat::new).zip(&mut self.players) {
            let seed = rng.next_u32();
            if let Player::External(bot) = player {
                bot.sit::<G>(&Sitting { seat, players, names: &[], settings: self.settings, seed });
            }
        }
    }

    /// The match is over, or was stopped.
    pub fn end_match(&mut self, standing: &Standing) {
        for player in &mut self.players {
            if let Player::External(bot) = player {
                bot.match_over(standing);
            }
        }
    }

    /// Plays the deal on the table, the one with this number in its match. Simulation is mostly random play with
    /// cards that nobody proves, which is worth a loop of its own.
    pub fn play<D: Simulated>(
        &mut self,
        deal: u32,
        table: &mut Table<G::Rules>,
        dealer: &mut D,
        log: &mut impl Log<G::Rules>,
    ) -> Result<Outcome, Halt<<G::Rules as Rules>::Illegal>> {
        let random = |player: &Player| matches!(player, Player::Computer(Kind::Random));
        // A constant by itself, so that the compiler leaves out what cannot be reached.
        if D::PROVES {
        } else if self.times.is_empty() && self.players.iter().all(random) {
            return play_deal(table, dealer, &mut Randoms(&mut self.rng), log);
        }
        self.memory.clear();
        let mut seats = Seated::<G> {
            deal,
            players: &mut self.players,
            settings: self.settings,
            rng: &mut self.rng,
            times: &mut self.times,
            memory: &self.memory,
        };
        let played = play_deal(table, dealer, &mut seats, &mut Remembering { memory: &self.memory, log });
        for (seat, player) in (0..).map_while(Seat::new).zip(&mut self.players) {
            if let Player::External(bot) = player {
                let known = Known::with(table.open(), dealer.own(seat));
                self.memory.with(|past| {
                    bot.deal_over(table, seat, known, Course::<G> { settings: self.settings, deal, past });
                });
            }
        }
        played
    }

    /// What is said where a deal stands still, with the bot that is to blame.
    pub fn said(&self, halt: &Halt<<G::Rules as Rules>::Illegal>) -> String {
        let seat = match halt {
            Halt::Refused(seat, _) | Halt::Silent(seat) => usize::from(seat.index()),
            _ => return halt.to_string(),
        };
        match self.players.get(seat) {
            Some(Player::Computer(kind)) => format!("{halt} (bot {})", Who::from(*kind)),
            Some(Player::External(bot)) => format!("{halt} (bot {})", bot.command()),
            None => halt.to_string(),
        }
    }
}

/// Bots at the deal that is being played.
struct Seated<'a, G: Game> {
    deal: u32,
    players: &'a mut [Player],
    settings: &'a G::Settings,
    rng: &'a mut Xoshiro256PlusPlus,
    times: &'a mut [Times],
    memory: &'a Memory<G::Rules>,
}

impl<G: Computer> Players<G::Rules> for Seated<'_, G> {
    #[inline]
    fn decide(&mut self, table: &Table<G::Rules>, seat: Seat, known: Known<'_>) -> Decision<G::Rules> {
        let place = usize::from(seat.index());
        let times = self.times.get_mut(place);
        let begin = times.is_some().then(Instant::now);
        let decided = self.memory.with(|past| {
            let course = Course::<G> { settings: self.settings, deal: self.deal, past };
            match self.players.get_mut(place) {
                Some(Player::Computer(kind)) => kind.decide(course, table, seat, known, self.rng),
                Some(Player::External(bot)) => {
                    let answered = bot.decide(table, seat, known, course);
                    answered.message.into_iter().for_each(complain);
                    answered.decision
                }
                None => None,
            }
        });
        if let (Some(times), Some(begin)) = (times, begin) {
            times.add(begin.elapsed());
        }
        decided
    }
}

/// Bots that all play at random.
struct Randoms<'a>(&'a mut Xoshiro256PlusPlus);

impl<R: Rules> Players<R> for Randoms<'_> {
    #[inline]
    fn decide(&mut self, table: &Table<R>, seat: Seat, known: Known<'_>) -> Decision<R> {
        table.rules().moves(known, seat).pick(self.0)
    }
}
