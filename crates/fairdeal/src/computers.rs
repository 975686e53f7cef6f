//! Seats played by computers in this process, and what they remember of a deal.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use bots::{Computer, Course, Decision, Kind, Past};
use dealers::{Dealer, Halt, Log, Players, play_deal};
use rand::rngs::Xoshiro256PlusPlus;
use table::record::Evidence;
use table::{Game, Known, Look, Moves as _, Outcome, Rules, Seat, Table};

/// What the seats did in the deal on the table, for those who draw conclusions from it.
pub struct Memory<R: Rules>(RefCell<Vec<Past<R>>>);

impl<R: Rules> Default for Memory<R> {
    fn default() -> Self {
        Self(RefCell::new(Vec::new()))
    }
}

impl<R: Rules> std::fmt::Debug for Memory<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
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

/// The computers of all seats, and what they draw from.
#[derive(Debug)]
pub struct Bots<'a, G: Game> {
    /// How each seat plays.
    pub kinds: &'a [Kind],
    /// What the match was created with.
    pub settings: &'a G::Settings,
    /// Their randomness.
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
    /// Computers for these seats.
    pub fn new(kinds: &'a [Kind], settings: &'a G::Settings, rng: Xoshiro256PlusPlus) -> Self {
        Self { kinds, settings, rng, times: Vec::new(), memory: Memory::default() }
    }

    /// Plays the deal on the table, the one with this number in its match. Simulation is mostly random play,
    /// which is worth a loop of its own.
    pub fn play(
        &mut self,
        deal: u32,
        table: &mut Table<G::Rules>,
        dealer: &mut impl Dealer,
        log: &mut impl Log<G::Rules>,
    ) -> Result<Outcome, Halt<<G::Rules as Rules>::Illegal>> {
        if self.times.is_empty() && self.kinds.iter().all(|kind| *kind == Kind::Random) {
            return play_deal(table, dealer, &mut Randoms(&mut self.rng), log);
        }
        self.memory.clear();
        let mut seats = Seated::<G> {
            deal,
            kinds: self.kinds,
            settings: self.settings,
            rng: &mut self.rng,
            times: &mut self.times,
            memory: &self.memory,
        };
        play_deal(table, dealer, &mut seats, &mut Remembering { memory: &self.memory, log })
    }
}

/// Computers at the deal that is being played.
struct Seated<'a, G: Game> {
    deal: u32,
    kinds: &'a [Kind],
    settings: &'a G::Settings,
    rng: &'a mut Xoshiro256PlusPlus,
    times: &'a mut [Times],
    memory: &'a Memory<G::Rules>,
}

impl<G: Computer> Players<G::Rules> for Seated<'_, G> {
    #[inline]
    fn decide(&mut self, table: &Table<G::Rules>, seat: Seat, known: Known<'_>) -> Decision<G::Rules> {
        let kind = self.kinds.get(usize::from(seat.index())).copied().unwrap_or(Kind::Random);
        let times = self.times.get_mut(usize::from(seat.index()));
        let begin = times.is_some().then(Instant::now);
        let decided = self.memory.with(|past| {
            let course = Course::<G> { settings: self.settings, deal: self.deal, past };
            kind.decide(course, table, seat, known, self.rng)
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
