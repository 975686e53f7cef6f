//! Computers that a player runs at a private table: each is a member with its own key, identity, folder and connection,
//! and plays in threads of its own.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use ::peer::{RunBy, Ticket};
use bots::Kind;
use results::Secret;

use super::auto::{self, Decides, Silent};
use super::entrance::{Coming, Entrance};
use super::files::{Folder, Kept, Part, read_kept};
use crate::failure::Failure;

/// How long computers have to finish after their player has.
const TO_FINISH: Duration = Duration::from_secs(10);
/// How long they have to stop.
const TO_STOP: Duration = Duration::from_secs(4);

/// The computers of a player.
#[derive(Default)]
pub(super) struct Robots {
    threads: Vec<JoinHandle<()>>,
    orders: Orders,
    troubles: Option<Receiver<String>>,
}

/// What computers are told.
#[derive(Clone, Default)]
pub(super) struct Orders {
    stop: Arc<AtomicBool>,
    leave: Arc<AtomicBool>,
}

impl Orders {
    /// Whether they have to stop; the match can be continued.
    pub(super) fn stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether they have to concede the match.
    pub(super) fn leave(&self) -> bool {
        self.leave.load(Ordering::Relaxed)
    }
}

/// What one computer needs.
struct Robot {
    path: PathBuf,
    ticket: Ticket,
    name: String,
    patience: u64,
    owner: (u8, Secret),
}

impl Robots {
    /// Starts the computers that a member runs, unless they run. `at` is where this program reaches the hub.
    pub(super) fn start(
        &mut self,
        folder: &Folder,
        ticket: &Ticket,
        at: Option<String>,
        number: u8,
        key: &Secret,
    ) -> Result<(), Failure> {
        if !self.threads.is_empty() {
            return Ok(());
        }
        let (tell, troubles) = channel();
        self.troubles = Some(troubles);
        let ticket = Ticket { at: at.unwrap_or_else(|| ticket.at.clone()), ..ticket.clone() };
        for (place, level) in (1..).zip(&folder.kept.computers) {
            let unknown = || Failure::input(format!("{level:?} is no level of a computer"));
            let kind = Kind::from_name(level).ok_or_else(unknown)?;
            let robot = Robot {
                path: folder.computer(place),
                ticket: ticket.clone(),
                name: name(&folder.kept.name, place),
                patience: folder.kept.patience,
                owner: (number, key.clone()),
            };
            let (tell, orders) = (tell.clone(), self.orders.clone());
            let thread = std::thread::Builder::new().name(format!("computer {place}"));
            let thread = thread.spawn(move || robot.play(kind, &orders, &tell));
            self.threads.push(thread.map_err(|why| Failure::input(format!("cannot start threads: {why}")))?);
        }
        Ok(())
    }

    /// What has gone wrong with them.
    pub(super) fn take_troubles(&self) -> Vec<String> {
        self.troubles.iter().flat_map(Receiver::try_iter).collect()
    }

    /// They concede the match with their player.
    pub(super) fn leave(&self) {
        self.orders.leave.store(true, Ordering::Relaxed);
    }

    /// They stop; if the match is over, they finish first.
    pub(super) fn stop(mut self, over: bool) {
        if over {
            self.wait(TO_FINISH);
        }
    }

    fn wait(&mut self, patience: Duration) {
        let until = Instant::now() + patience;
        while Instant::now() < until && !self.threads.iter().all(JoinHandle::is_finished) {
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Robots {
    fn drop(&mut self) {
        self.orders.stop.store(true, Ordering::Relaxed);
        self.wait(TO_STOP);
    }
}

impl Robot {
    fn play(self, kind: Kind, orders: &Orders, tell: &Sender<String>) {
        let name = self.name.clone();
        let played = self.sit_down(tell).and_then(|entrance| match entrance {
            Some(entrance) => {
                auto::play(entrance, Decides { kind, think: Duration::ZERO }, &mut Silent(orders.clone()))
            }
            None => Ok(()),
        });
        if let Err(Failure::Input(why) | Failure::Check(why)) = played {
            let _ = tell.send(format!("{name}: {why}"));
        }
    }

    /// Goes to the table, for the first time or again; `None` if its match is over.
    fn sit_down(self, tell: &Sender<String>) -> Result<Option<Entrance>, Failure> {
        let Self { path, ticket, name, patience, owner: (number, key) } = self;
        let found = if path.join("table.json").exists() {
            if read_kept(&path)?.part == Part::Over {
                return Ok(None);
            }
            let mut found = Folder::open(&path)?;
            found.folder.kept.moved(&ticket);
            if found.lost {
                let _ = tell.send(format!("{name}: its secrets are lost; it plays again when there are new keys"));
            }
            found
        } else {
            let mut kept = Kept::new(&ticket, &name, Part::Player)?.with_identity()?;
            kept.patience = patience;
            Folder::create(&path, kept)?
        };
        let kept = &found.folder.kept;
        let damaged = || Failure::input(format!("{}: damaged", path.join("table.json").display()));
        let (identity, own) = kept.identity().zip(kept.key()).ok_or_else(damaged)?;
        // The same word after a restart: no randomness is needed to sign it safely.
        let run_by = RunBy::new(ticket.table(), number, &key, &own.public(), &[0; 32]);
        let coming = Coming {
            found,
            identity: Some(identity),
            run_by: Some(run_by),
            data: None,
            hub: None,
            announced: None,
            notes: Vec::new(),
        };
        Entrance::open(coming).map(Some)
    }
}

/// What a player's computer is called.
fn name(owner: &str, place: usize) -> String {
    let owner: String = owner.chars().take(8).collect();
    if place == 1 { format!("{owner}'s bot") } else { format!("{owner}'s bot {place}") }
}
