//! A wallet and a seat at chain tables in a browser: keys, cards and every check, behind a few functions over bytes.
//!
//! ```text
//! page ── call: time, randomness, and what has happened ──► module
//! page ◄── what to store, what to send, what to show, in this order ── module
//! ```
//!
//! The interface is that of the module for private tables (`crates/browser`): calls and effects are the same, and so is the
//! promise that **an effect begins when those before it are done**. What a node says is checked by [`light`], as in a
//! terminal; a page with this module believes no node, and not the server that it came from either.
//!
//! What happens inside is one task that is never woken by itself: it is looked at in every call, and goes on as far as
//! it can.
//!
//! - `world`: what is outside, for that task: sockets, clocks, wishes; and what it wants from there
//! - `kept`: keys, and what is trusted
//! - `session`: the task: which node, the list of tables, one table
//! - `sitting`: taking a seat, and coins to try out; `checking`: a hand that is over
//! - `drawing`: a table as its page; `list`: all tables; `words`: what people read
//! - `exports`: the functions of the module

#[path = "../../browser/src/call.rs"]
mod call;
mod checking;
mod drawing;
#[cfg(target_family = "wasm")]
#[path = "../../browser/src/exports.rs"]
mod exports;
mod kept;
mod list;
mod session;
mod sitting;
mod words;
mod world;

use core::pin::Pin;
use core::task::{Context, Waker};

pub use call::{Call, Effect, Event, Malformed};

use kept::Kept;
use world::World;

/// A page's end of the module: at most one wallet, and questions.
#[derive(Default)]
pub struct Module {
    running: Option<Running>,
}

struct Running {
    world: World,
    task: Pin<Box<dyn Future<Output = ()>>>,
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
        let begun = match &call.event {
            Event::New(wish) => Kept::new(wish, call.random).map(Some),
            Event::Resume { kept, secret, entries } => {
                Kept::resume(kept, secret, entries).map(|kept| Some((kept, Vec::new())))
            }
            Event::Ask(question) => return kept::answer(question, self.running.as_ref().map(|running| &running.world)),
            Event::Knock(_) => Err("nobody knocks at a table of a chain".to_owned()),
            Event::Frame(_) | Event::Closed(_) | Event::Tick | Event::Want(_) => Ok(None),
        };
        match begun {
            Ok(Some((kept, effects))) => {
                let world = World::new(call, effects);
                let task = Box::pin(session::live(world.clone(), kept));
                self.running = Some(Running { world, task });
            }
            Ok(None) => {}
            Err(why) => return vec![Effect::Failed(why)],
        }
        let Some(Running { world, task }) = &mut self.running else {
            return vec![Effect::Failed("there is no wallet yet".to_owned())];
        };
        if let Err(why) = world.happens(call) {
            return vec![Effect::Failed(why)];
        }
        // Whatever it waits for is looked at in the next call: nobody has to be woken.
        let _ = task.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        world.effects()
    }
}
