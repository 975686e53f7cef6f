//! A table for one person and computers in a browser: the whole house, behind a few functions over bytes, without a server.
//!
//! ```text
//! page ── call: time, randomness, and what has happened ──► module
//! page ◄── what to store, what to show, in this order ── module
//! ```
//!
//! The interface is that of the module for private tables (`crates/browser`): calls and effects are the same, and so is the
//! promise that **an effect begins when those before it are done**. The table is a [room](room::Room), the same that a
//! server has in memory. A server stores a room's log in a database and does what is due by its own clock; here the page
//! stores it, and says that time has passed. Messages of the page are answered as over a server's socket.
//!
//! - `wish`: what somebody wants to play
//! - `alone`: the table, and what happens at it
//! - `seeing`: the table as its page
//! - `exports`: the functions of the module

mod alone;
#[path = "../../browser/src/call.rs"]
mod call;
#[cfg(target_family = "wasm")]
#[path = "../../browser/src/exports.rs"]
mod exports;
mod seeing;
#[cfg(test)]
mod tests;
mod trouble;
mod wish;

pub use call::{Call, Effect, Event, Malformed};

use alone::{Alone, Begun};
use trouble::Trouble;

/// A page's end of the module: at most one table.
#[derive(Default)]
pub struct Module {
    alone: Option<Alone>,
}

impl Module {
    /// Carries out a call, given as bytes, and returns the effects, as bytes.
    pub fn call(&mut self, input: &[u8]) -> Vec<u8> {
        let effects = match Call::read(input) {
            Ok(call) => self.answer(&call),
            Err(why) => vec![Effect::Failed(why.to_string())],
        };
        let mut output = Vec::new();
        effects.iter().for_each(|effect| effect.write(&mut output));
        output
    }

    /// Carries out a call.
    pub fn answer(&mut self, call: &Call<'_>) -> Vec<Effect> {
        self.happens(call).unwrap_or_else(Trouble::effects)
    }

    fn happens(&mut self, call: &Call<'_>) -> Result<Vec<Effect>, Trouble> {
        match &call.event {
            Event::New(wish) => match Alone::begin(wish, call)? {
                Begun::Table(alone, effects) => Ok(self.sit(*alone, effects)),
                Begun::Wrong(effect) => Ok(vec![effect]),
            },
            Event::Resume { kept, secret, entries } => {
                let (alone, effects) = Alone::resume(kept, secret, entries, call)?;
                Ok(self.sit(alone, effects))
            }
            Event::Tick => Ok(self.table()?.tick(call)),
            Event::Want(wanted) => self.table()?.want(wanted, call),
            Event::Frame(_) | Event::Closed(_) | Event::Ask(_) | Event::Knock(_) => {
                Err(Trouble::new("other", "a table for one person talks to nobody"))
            }
        }
    }

    fn sit(&mut self, alone: Alone, effects: Vec<Effect>) -> Vec<Effect> {
        self.alone = Some(alone);
        effects
    }

    fn table(&mut self) -> Result<&mut Alone, Trouble> {
        self.alone.as_mut().ok_or(Trouble::new("other", "there is no table yet"))
    }
}
