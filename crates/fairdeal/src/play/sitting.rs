//! The seats while a deal is played: people in front of the screen, computers, programs.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::Write;
use std::time::{Duration, Instant};

use bots::{Course, Decision};
use dealers::{Dealer, Players};
use rand::SeedableRng as _;
use rand::rngs::Xoshiro256PlusPlus;
use ratatui::crossterm::event::KeyCode;
use ratatui::text::Line;
use table::{Awaiting, Eye, Faces, Known, Move, Seat, Settings as _, Standing, Table};

use super::asking::{self, Answer, Hands, Question};
use super::chronicle::{Before, Chronicle};
use super::leaving;
use super::page::Page;
use super::screen::{MoveOf, Screen};
use super::seating::{BySeat, Occupant};
use super::terminal::{Front, Happened};
use super::windows::Window;
use crate::external::{External, Sitting as Seated};
use crate::failure::Failure;

/// Everybody at the table.
pub struct Sitting<'a, G: Screen, W: Write> {
    /// The terminal.
    pub front: &'a mut Front<W>,
    /// What is written down.
    pub chronicle: &'a RefCell<Chronicle<G>>,
    /// Who sits where.
    pub occupants: BySeat<Occupant>,
    /// How long a computer's move is looked at.
    pub pace: Duration,
    /// Everything random follows from it.
    pub seed: [u8; 32],
    /// What is to be played again.
    before: VecDeque<Before<G>>,
    /// Who sits in front of the screen.
    viewer: Option<Seat>,
    /// Nobody else ever sits there.
    alone: bool,
    /// What that person knew when they were asked last, for looking on while others play.
    own: Faces,
    hands: BySeat<Hands<G>>,
    /// Programs that play, by seat.
    programs: BySeat<Option<External>>,
    stop: Option<Stop>,
}

/// Why the table was left.
pub enum Stop {
    /// Somebody wanted to.
    Left,
    /// Something failed.
    Failed(Failure),
}

impl<'a, G: Screen, W: Write> Sitting<'a, G, W> {
    /// Everybody sits down.
    pub fn new(
        front: &'a mut Front<W>,
        chronicle: &'a RefCell<Chronicle<G>>,
        occupants: BySeat<Occupant>,
        seed: [u8; 32],
        before: VecDeque<Before<G>>,
        bot_time: Duration,
    ) -> Self {
        let players = occupants.players();
        let people: Vec<Seat> = occupants.seats().filter(|(_, who)| who.is_person()).map(|(seat, _)| seat).collect();
        // One person sees the table as their own all the time; several take turns.
        let viewer = people.first().copied().filter(|_| people.len() == 1);
        let programs = occupants.iter().map(|who| match who {
            Occupant::Program(command) => Some(External::new(command, bot_time)),
            Occupant::Person(_) | Occupant::Computer(_) => None,
        });
        let programs = programs.collect();
        Self {
            front,
            chronicle,
            occupants,
            pace: Duration::ZERO,
            seed,
            before,
            viewer,
            alone: viewer.is_some(),
            own: Faces::new(),
            hands: BySeat::new((0..players).map(|_| Hands::default()).collect()),
            programs: BySeat::new(programs),
            stop: None,
        }
    }

    /// How many people play.
    pub fn people(&self) -> usize {
        self.occupants.iter().filter(|who| who.is_person()).count()
    }

    /// Why the table was left, if it was.
    pub fn take_stop(&mut self) -> Option<Stop> {
        self.stop.take()
    }

    /// The match begins: programs are told what it is.
    pub fn begin(&mut self) {
        let chronicle = self.chronicle.borrow();
        let round = &chronicle.story.around;
        let names: Vec<String> = round.names.iter().cloned().collect();
        let players = round.names.players();
        for (seat, program) in self.programs.seats_mut() {
            let [a, b, c, d, ..] = super::derived(&self.seed, &format!("program {}", seat.index()));
            let seed = u32::from_be_bytes([a, b, c, d]);
            if let Some(program) = program {
                program.sit::<G>(&Seated { seat, players, names: &names, settings: &round.settings, seed });
            }
        }
    }

    /// A deal is over: programs are told how.
    pub fn deal_over(&mut self, table: &Table<G::Rules>, dealer: &impl Dealer) {
        let chronicle = self.chronicle.borrow();
        let round = &chronicle.story.around;
        for (seat, program) in self.programs.seats_mut() {
            let Some(program) = program else { continue };
            let known = Known::with(table.open(), dealer.own(seat));
            chronicle.story.memory.with(|past| {
                let course = Course::<G> { settings: &round.settings, deal: round.deal, past };
                program.deal_over(table, seat, known, course);
            });
        }
    }

    /// The match is over: programs are told how.
    pub fn match_over(&mut self, standing: &Standing) {
        for (_, program) in self.programs.seats_mut() {
            if let Some(program) = program {
                program.match_over(standing);
            }
        }
    }

    /// A program is asked. What it does wrong goes to the log.
    fn program(&mut self, table: &Table<G::Rules>, seat: Seat, known: Known<'_>) -> Decision<G::Rules> {
        self.look_on(table);
        let begin = Instant::now();
        let answered = {
            let chronicle = self.chronicle.borrow();
            let round = &chronicle.story.around;
            let program = self.programs[seat].as_mut()?;
            chronicle.story.memory.with(|past| {
                let course = Course::<G> { settings: &round.settings, deal: round.deal, past };
                program.decide(table, seat, known, course)
            })
        };
        if let Some(message) = answered.message {
            self.chronicle.borrow_mut().story.say(&message);
        }
        self.pause(table, self.pace.saturating_sub(begin.elapsed()));
        if self.stop.is_some() { None } else { answered.decision }
    }

    /// A new deal: what was seen in the last one is gone.
    pub fn new_deal(&mut self) {
        self.own = Faces::new();
    }

    /// What was done here before, if the match is being played again.
    fn recorded(&mut self, seat: Seat) -> Option<Decision<G::Rules>> {
        match self.before.front_mut()? {
            Before::Act(_) => match self.before.pop_front()? {
                Before::Act(action) => Some(action),
                Before::Choices(_) => None,
            },
            Before::Choices(choices) => {
                let at = choices.iter().position(|(who, _)| *who == seat)?;
                let (_, choice) = choices.remove(at);
                if choices.is_empty() {
                    self.before.pop_front();
                }
                Some(Some(choice))
            }
        }
    }

    fn computer(&mut self, table: &Table<G::Rules>, seat: Seat, known: Known<'_>) -> Decision<G::Rules> {
        let kind = match &self.occupants[seat] {
            Occupant::Computer(kind) => *kind,
            Occupant::Person(_) | Occupant::Program(_) => return None,
        };
        self.look_on(table);
        let begin = Instant::now();
        let decided = {
            let chronicle = self.chronicle.borrow();
            let round = &chronicle.story.around;
            let mut rng = Xoshiro256PlusPlus::from_seed(self.draws(table, seat));
            chronicle.story.memory.with(|past| {
                let course = Course::<G> { settings: &round.settings, deal: round.deal, past };
                kind.decide(course, table, seat, known, &mut rng)
            })
        };
        self.pause(table, self.pace.saturating_sub(begin.elapsed()));
        if self.stop.is_some() { None } else { decided }
    }

    /// What a computer in this seat draws from at this point of the match: the same again after an interruption.
    fn draws(&self, table: &Table<G::Rules>, seat: Seat) -> [u8; 32] {
        super::derived(&self.seed, &format!("computer {} at {}", seat.index(), table.height().0))
    }

    /// Shows the table to the person in front of it.
    fn look_on(&mut self, table: &Table<G::Rules>) {
        let chronicle = self.chronicle.borrow();
        let nothing = Hands::default();
        let (eye, known, hands) = match self.viewer {
            Some(seat) => {
                let own = if self.alone { &chronicle.story.own } else { &self.own };
                (Eye::Seat(seat), Known::with(table.open(), own), &self.hands[seat])
            }
            None => (Eye::Public, Known::public(table.open()), &nothing),
        };
        if asking::watch(table, (eye, known), &chronicle.story, hands, self.front).is_err() {
            self.stop.get_or_insert(Stop::Left);
        }
    }

    /// The deal is over: what the last move brought is looked at before anything covers it.
    pub fn linger(&mut self, table: &Table<G::Rules>) {
        if !self.pace.is_zero() {
            self.look_on(table);
            self.pause(table, self.pace);
        }
    }

    /// Waits, but not for somebody who wants to leave.
    fn pause(&mut self, table: &Table<G::Rules>, time: Duration) {
        let end = Instant::now() + time;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.front.wait(left) {
                Happened::Stop => {
                    self.stop.get_or_insert(Stop::Left);
                    return;
                }
                // A key ends the wait.
                Happened::Key(KeyCode::Char(' ') | KeyCode::Enter) => return,
                Happened::Key(KeyCode::Char('q')) => {
                    if self.wants_to_leave() {
                        self.stop.get_or_insert(Stop::Left);
                        return;
                    }
                    self.look_on(table);
                }
                Happened::Nothing if Instant::now() >= end => return,
                Happened::Nothing | Happened::Key(_) | Happened::Click(..) | Happened::Wheel(_) => self.look_on(table),
            }
            if self.stop.is_some() {
                return;
            }
        }
    }

    /// Asks whether they are sure.
    fn wants_to_leave(&mut self) -> bool {
        let chronicle = self.chronicle.borrow();
        leaving::is_sure(self.front, chronicle.story.around.look, &chronicle.story.way_back)
    }

    fn person(&mut self, table: &Table<G::Rules>, seat: Seat, known: Known<'_>) -> Decision<G::Rules> {
        if let Some(chosen) = self.chosen_before(table, seat) {
            return Some(chosen);
        }
        if self.viewer != Some(seat) && !self.hand_over(seat) {
            self.stop.get_or_insert(Stop::Left);
            return None;
        }
        let chronicle = self.chronicle.borrow();
        let seconds = chronicle.story.around.scene(table, Eye::Seat(seat), known, |scene| G::seconds(scene));
        let seconds = seconds.or(chronicle.story.around.settings.action_timeout());
        let until = seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds));
        let seed = super::derived(&self.seed, &format!("advice at {}", table.height().0));
        let question = Question { table, seat, known, until, pace: self.pace, seed };
        let answer = asking::ask(&question, &chronicle.story, &mut self.hands[seat], self.front);
        self.own = known.own.clone();
        drop(chronicle);
        match answer {
            Answer::Move(to_move) => self.keep(table, seat, to_move),
            Answer::TimeUp => {
                self.chronicle.borrow_mut().story.late.insert(seat);
                None
            }
            Answer::Stop => {
                self.stop.get_or_insert(Stop::Left);
                None
            }
        }
    }

    /// A choice that this person made before the match was interrupted, while others had not chosen yet.
    fn chosen_before(&self, table: &Table<G::Rules>, seat: Seat) -> Decision<G::Rules> {
        let chronicle = self.chronicle.borrow();
        let kept = chronicle.saved.chosen(table.height().0);
        let (_, choice) = kept.iter().find(|(who, _)| *who == seat.index())?;
        serde_json::from_value(choice.clone()).ok().map(Move::Choose)
    }

    /// Keeps a secret choice, if others are still to choose.
    fn keep(&mut self, table: &Table<G::Rules>, seat: Seat, to_move: MoveOf<G>) -> Decision<G::Rules> {
        if let (Move::Choose(choice), Awaiting::Choices(_)) = (&to_move, table.awaiting()) {
            let choice = serde_json::to_value(choice).unwrap_or_default();
            let kept = self.chronicle.borrow_mut().saved.choose(table.height().0, seat.index(), choice);
            if let Err(why) = kept {
                self.stop.get_or_insert(Stop::Failed(why));
                return None;
            }
        }
        Some(to_move)
    }

    /// Another person takes over the screen: nothing of the last one's cards stays on it, nor in what can be
    /// scrolled back to. False if they would rather leave.
    fn hand_over(&mut self, seat: Seat) -> bool {
        self.own = Faces::new();
        self.viewer = None;
        let (look, name) = {
            let chronicle = self.chronicle.borrow();
            (chronicle.story.around.look, chronicle.story.around.names[seat].clone())
        };
        if self.front.wipe().is_err() {
            return false;
        }
        loop {
            let text = vec![
                Line::raw(""),
                Line::styled(look.plain(&format!("{name}, it is your turn.")), look.bright()),
                Line::raw(""),
                Line::raw("Nobody else should look at the screen now."),
                Line::raw("Press Enter once you are in front of it."),
                Line::raw(""),
            ];
            let mut window = Window::new("Hand over", text, "Enter shows your cards, q quits");
            let drawn = self.front.draw(|buffer, _| window.draw(&mut Page::new(buffer, look, None)));
            if drawn.is_err() {
                return false;
            }
            match self.front.wait(Duration::from_secs(60)) {
                Happened::Stop => return false,
                Happened::Key(KeyCode::Char('q')) if self.wants_to_leave() => return false,
                Happened::Key(KeyCode::Enter) | Happened::Click(..) => break,
                Happened::Key(_) | Happened::Wheel(_) | Happened::Nothing => {}
            }
        }
        self.viewer = Some(seat);
        self.front.wipe().is_ok()
    }

    /// Between deals nobody's cards are on the screen, unless one person plays alone.
    pub fn step_back(&mut self) {
        if self.people() > 1 {
            self.viewer = None;
            self.own = Faces::new();
            let _ = self.front.wipe();
        }
    }
}

impl<G: Screen, W: Write> Players<G::Rules> for Sitting<'_, G, W> {
    fn decide(&mut self, table: &Table<G::Rules>, seat: Seat, known: Known<'_>) -> Decision<G::Rules> {
        {
            let mut chronicle = self.chronicle.borrow_mut();
            chronicle.story.catch_up(table);
            if let Some(why) = chronicle.failure() {
                self.stop.get_or_insert(Stop::Failed(why));
                return None;
            }
        }
        if let Some(decided) = self.recorded(seat) {
            if decided.is_none() && self.occupants[seat].is_person() {
                self.chronicle.borrow_mut().story.late.insert(seat);
            }
            return decided;
        }
        match &self.occupants[seat] {
            Occupant::Person(_) => self.person(table, seat, known),
            Occupant::Computer(_) => self.computer(table, seat, known),
            Occupant::Program(_) => self.program(table, seat, known),
        }
    }

    fn stopped(&self) -> bool {
        self.stop.is_some()
    }
}
