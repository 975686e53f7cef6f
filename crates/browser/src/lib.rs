//! A place at a private table in a browser: the whole member, with keys, proofs and rules, behind a few functions over bytes.
//!
//! ```text
//! page ── call: time, randomness, and what has happened ──► module
//! page ◄── what to store, what to send, what to show, in this order ── module
//! ```
//!
//! The module imports nothing. It has no clock, no randomness, no socket and no storage: whatever happens outside is
//! handed to it by a [call](Call), and it answers with [effects](Effect), which the page carries out one after
//! another. **An effect begins when those before it are done**: an entry is in the browser's storage before anything is
//! said that follows from it. If one fails, nothing after it is done, and the page starts again from its storage.
//!
//! - [`call`](Call): what comes in and goes out, as bytes.
//! - `seat`: a member at a table, before, in and after a match. All decisions are those of [`peer::place`], as in a terminal.
//! - `matched`: a match, whatever its game is.
//! - `drawing`: the page of a match, as HTML, and what is done on it.
//! - `knocking`: somebody without a ticket, at the door of a table.
//! - `trouble`: why something cannot go on, and who is to blame.
//! - `telling`: how things are, as JSON for the page.
//! - `kept`: what the page keeps about a table.
//! - `asking`: questions that need no table: new keys, tickets, checking a record.
//! - `only`: the only game of a module.
//!
//! A module has one game, because all of them together are too much to load. The modules are made in `modules`, from this
//! library and `exports`, the functions of a module.

mod asking;
mod call;
mod drawing;
mod kept;
mod knocking;
mod matched;
mod only;
mod seat;
mod telling;
mod trouble;

pub use call::{Call, Effect, Event, Malformed};
pub use kept::Kept;
pub use seat::Seat;

use core::marker::PhantomData;

use only::Only;
use page::Page;
use trouble::Trouble;

/// A page's end of the module: at most one seat, and questions.
pub struct Module {
    only: Only,
    seat: Option<Seat>,
    /// At the door, as long as there is no seat.
    door: Option<knocking::AtDoor>,
    /// A record that is being checked.
    checking: Option<asking::Checking>,
}

impl Module {
    /// A module with one game.
    pub const fn new<G: Page>() -> Self {
        Self { only: Only::new::<G>(), seat: None, door: None, checking: None }
    }

    /// Carries out a call, given as bytes, and returns the effects, as bytes.
    pub fn call(&mut self, input: &[u8]) -> Vec<u8> {
        let effects = match Call::read(input) {
            Ok(call) => self.answer(call),
            Err(why) => vec![Effect::Failed(why.to_string())],
        };
        let mut output = Vec::new();
        effects.iter().for_each(|effect| effect.write(&mut output));
        output
    }

    /// Carries out a call.
    pub fn answer(&mut self, call: Call<'_>) -> Vec<Effect> {
        let around = seat::Around::new(&call);
        let done = match call.event {
            Event::New(wish) => Seat::new(wish, self.only, around).map(|sat| self.sit(sat)),
            Event::Resume { kept, secret, entries } => {
                Seat::resume(kept, secret, &entries, self.only, around).map(|sat| self.sit(sat))
            }
            Event::Ask(question) => {
                let answered = asking::answer(question, around, self.only, self.seat.as_ref(), &mut self.checking);
                return answered.unwrap_or_else(|why| vec![Effect::Failed(why)]);
            }
            Event::Knock(wish) => knocking::AtDoor::new(wish).map(|(door, effects)| {
                self.door = Some(door);
                effects
            }),
            event => match (&mut self.seat, &mut self.door) {
                (Some(seat), _) => seat.happens(event, around),
                (None, Some(door)) => door.happens(event, around),
                (None, None) => Err("there is no table yet".into()),
            },
        };
        done.unwrap_or_else(Trouble::effects)
    }

    fn sit(&mut self, (seat, effects): (Seat, Vec<Effect>)) -> Vec<Effect> {
        (self.seat, self.door) = (Some(seat), None);
        effects
    }
}

/// A module with this game as its page finds it.
pub struct Built<G> {
    module: Module,
    game: PhantomData<G>,
}

impl<G: Page> Default for Built<G> {
    fn default() -> Self {
        Self { module: Module::new::<G>(), game: PhantomData }
    }
}

impl<G> Built<G> {
    /// Carries out a call.
    pub fn call(&mut self, input: &[u8]) -> Vec<u8> {
        self.module.call(input)
    }
}
