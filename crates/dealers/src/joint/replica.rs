//! One computer at a table without a server: the table, a node, and the messages of others.
//!
//! Everything that changes the table comes in as a message, in any order and any number of times. A replica
//! says only what its own table orders and what its player decides.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};
use table::record::By;
use table::{Awaiting, Breakdown, Known, Move, Rules, Seat, Seats, Slot, Table};

use super::fault::{Fault, Verdict, Why};
use super::message::Message;
use super::node::Node;
use super::terms::Keepers;
use crate::DealerError;

/// What replicas say to each other.
#[derive(Clone, PartialEq, Debug)]
pub enum Said<A> {
    /// A message about dealing.
    Dealing(Box<Message>),
    /// A player acts.
    Act {
        /// The height it answers.
        height: u64,
        /// The table it answers, as its author sees it: [`Table::state_hash`]. A replica that sees another
        /// table, because a liar told it something else, neither follows the action nor blames its author.
        on: [u8; 32],
        /// What.
        action: A,
    },
}

/// One computer at the table.
#[derive(Debug)]
pub struct Replica<R: Rules> {
    table: Table<R>,
    node: Node,
    /// Actions, with the tables they answer.
    acts: BTreeMap<(u64, Seat), ([u8; 32], R::Action)>,
    /// Hashes of all acts of this deal, to tell repeats from contradictions even later.
    heard: BTreeMap<(u64, Seat), [u8; 32]>,
    /// The height at which this replica's player acted last.
    acted: Option<u64>,
    /// Acts that the rules refused, with their authors.
    illegal: Vec<(Seat, R::Illegal)>,
    /// Seats that no longer play: their choices are the game's defaults.
    silent: Seats,
    outbox: Vec<Said<R::Action>>,
}

/// Acts for heights further ahead are not kept.
const FAR_AHEAD: u64 = 64;

impl<R: Rules> Replica<R> {
    /// Sits down at a table.
    pub fn new(table: Table<R>, node: Node) -> Self {
        let mut replica = Self {
            table,
            node,
            acts: BTreeMap::new(),
            heard: BTreeMap::new(),
            acted: None,
            illegal: Vec::new(),
            silent: Seats::NONE,
            outbox: Vec::new(),
        };
        replica.advance();
        replica
    }

    /// The table as this replica sees it.
    pub const fn table(&self) -> &Table<R> {
        &self.table
    }

    /// The node.
    pub const fn node(&self) -> &Node {
        &self.node
    }

    /// The acts that the rules refused.
    pub fn illegal(&self) -> &[(Seat, R::Illegal)] {
        &self.illegal
    }

    /// The messages to send to everybody, since the last call.
    pub fn take_outbox(&mut self) -> Vec<Said<R::Action>> {
        core::mem::take(&mut self.outbox)
    }

    /// What this replica's player knows.
    pub fn known(&self) -> Known<'_> {
        Known::with(self.table.open(), self.node.own())
    }

    /// This player's seat, if the table waits for it.
    pub fn is_asked(&self) -> Option<Seat> {
        let By::Seat(seat) = self.node.me() else { return None };
        let height = self.table.height().0;
        match self.table.awaiting() {
            Awaiting::Turn(turn) if turn == seat => (self.acted != Some(height)).then_some(seat),
            Awaiting::Choices(seats) if seats.contains(seat) => (!self.node.has_chosen(height)).then_some(seat),
            _ => None,
        }
    }

    /// This replica's player decides.
    pub fn decide(&mut self, decided: Move<R::Action, R::Choice>) {
        let Some(seat) = self.is_asked() else { return };
        match decided {
            Move::Act(action) => {
                let slots: Vec<_> = self.table.rules().shows(seat, &action).collect();
                self.node.show(&self.table, &slots);
                let height = self.table.height().0;
                self.acted = Some(height);
                let on = self.table.state_hash();
                if self.node.is_heard_at_once() {
                    self.heard.insert((height, seat), hash::<R>(&on, &action));
                    self.acts.insert((height, seat), (on, action.clone()));
                }
                self.outbox.push(Said::Act { height, on, action });
            }
            Move::Choose(choice) => {
                self.node.choose(&self.table, serde_json::to_vec(&choice).unwrap_or_default());
            }
        }
        self.advance();
    }

    /// This replica said this before a restart. It says the same again, and nothing else in its place.
    ///
    /// To survive a restart, keep a log of everything the replica says, before it is sent, and everything it
    /// hears. Restarted with the same seed and given the log in the same order, it continues.
    pub fn remember(&mut self, said: Said<R::Action>) {
        match said {
            Said::Dealing(message) => self.node.say(&self.table, *message),
            Said::Act { height, on, action } => {
                self.acted = Some(height);
                if self.node.is_heard_at_once() {
                    self.receive_act(self.node.me(), height, on, action.clone());
                }
                self.outbox.push(Said::Act { height, on, action });
            }
        }
        self.advance();
    }

    /// Something has arrived. The channel says who it is from.
    pub fn receive(&mut self, by: By, said: Said<R::Action>) -> Verdict {
        let verdict = match said {
            Said::Dealing(message) => self.node.receive(&self.table, by, *message),
            Said::Act { height, on, action } => self.receive_act(by, height, on, action),
        };
        self.advance();
        verdict
    }

    /// Time is up for everybody the table waits for. All replicas must be told at the same point.
    pub fn expire(&mut self) {
        if self.table.awaiting() == Awaiting::Over {
            return;
        }
        if self.has_setup_missing() || self.table.awaiting() == Awaiting::Dealer {
            let missing = self.node.ledger().missing(&self.table);
            for by in missing {
                self.node.ledger_mut().leave_out(&self.table, by);
            }
        } else {
            match self.table.awaiting() {
                Awaiting::Turn(seat) => self.lose(seat),
                // Until one seat has committed to its choice, the others cannot reveal theirs.
                Awaiting::Choices(_) => {
                    let missing = self.node.ledger().missing(&self.table);
                    missing.into_iter().for_each(|by| {
                        if let By::Seat(seat) = by {
                            self.pass_over(seat);
                        }
                    });
                }
                Awaiting::Dealer | Awaiting::Over => {}
            }
        }
        self.advance();
    }

    /// Everybody who was caught or given up, as this replica sees it.
    pub fn blamed(&self) -> Vec<By> {
        let ledger = self.node.ledger();
        let broken = self.table.outcome().and_then(|outcome| outcome.broken_off);
        let culprits = broken.map_or(Seats::NONE, Breakdown::culprits) | self.silent;
        let mut blamed: Vec<By> = ledger.faults().iter().map(|fault| fault.by).chain(ledger.left_out()).collect();
        blamed.extend(culprits.iter().chain(self.illegal.iter().map(|(seat, _)| *seat)).map(By::Seat));
        blamed.sort_unstable();
        blamed.dedup();
        blamed
    }

    fn has_setup_missing(&self) -> bool {
        !self.node.ledger().is_set_up()
    }

    fn receive_act(&mut self, by: By, height: u64, on: [u8; 32], action: R::Action) -> Verdict {
        let Some(seat) = self.node.ledger().terms().is_player(by) else {
            return Verdict::Fault(Fault { by, why: Why::NotYours });
        };
        let now = self.table.height().0;
        let hash = hash::<R>(&on, &action);
        match self.heard.get(&(height, seat)) {
            Some(before) if *before == hash => Verdict::Skip,
            // Two different messages: the first counts here, but another replica may have the other one first.
            Some(_) => self.node.ledger_mut().fault(by, Why::Equivocation),
            None if (now..now.saturating_add(FAR_AHEAD)).contains(&height) => {
                self.heard.insert((height, seat), hash);
                self.acts.insert((height, seat), (on, action));
                Verdict::Kept
            }
            None => Verdict::Skip,
        }
    }

    /// Advances as far as possible.
    fn advance(&mut self) {
        loop {
            self.break_off_if_split();
            let moved = match self.table.awaiting() {
                Awaiting::Dealer => self.deal(),
                Awaiting::Turn(seat) => self.act(seat),
                Awaiting::Choices(seats) => self.choose(seats),
                Awaiting::Over => false,
            };
            self.outbox.extend(self.node.take_outbox().into_iter().map(|message| Said::Dealing(Box::new(message))));
            if !moved {
                // This replica's own messages may have exposed a fault.
                self.break_off_if_split();
                return;
            }
        }
    }

    fn deal(&mut self) -> bool {
        match self.node.fill(&self.table) {
            Ok(true) => self.table.dealt(self.table.height(), self.node.ledger().opened()).is_ok(),
            Ok(false) => false,
            Err(DealerError::Failed(_)) => {
                self.break_off();
                false
            }
            Err(_) => self.table.break_off(self.table.height(), Breakdown::DealerFailed).is_ok(),
        }
    }

    fn act(&mut self, seat: Seat) -> bool {
        let height = self.table.height();
        // A show that came early can be judged now.
        self.node.ledger_mut().settle(&self.table);
        let Some((on, action)) = self.acts.get(&(height.0, seat)).cloned() else { return false };
        if on != self.table.state_hash() {
            return false;
        }
        let shows: Vec<_> = self.table.rules().shows(seat, &action).collect();
        if By::Seat(seat) == self.node.me() {
            // Already said, unless this replica was restarted in between.
            self.node.show(&self.table, &shows);
        }
        let opened = self.node.ledger().opened();
        let shown = |slot: &Slot| self.table.open().get(*slot).is_some() || opened.get(*slot).is_some();
        if !shows.iter().all(shown) {
            return false;
        }
        match self.table.act(height, seat, &action, opened) {
            Ok(()) => {
                self.acts.retain(|(at, _), _| *at > height.0);
                true
            }
            Err(table::Refused::Illegal(why)) => {
                self.illegal.push((seat, why));
                self.lose(seat);
                true
            }
            Err(_) => {
                self.lose(seat);
                true
            }
        }
    }

    fn choose(&mut self, seats: Seats) -> bool {
        self.node.fill_choices(&self.table);
        let height = self.table.height();
        let mut choices = Vec::new();
        for seat in seats.iter() {
            let said = match self.node.ledger().chosen(height.0, seat) {
                Some(said) => said,
                None => return false,
            };
            let choice: Option<R::Choice> = said.and_then(|text| serde_json::from_slice(text).ok());
            let choice = choice.filter(|choice| self.table.rules().admits_choice(seat, choice).is_ok());
            let default = || match self.table.rules().default_move(Known::public(self.table.open()), seat) {
                Some(Move::Choose(choice)) => Some(choice),
                _ => None,
            };
            match choice.or_else(default) {
                Some(choice) => choices.push((seat, choice)),
                // Nobody else can choose for it.
                None => {
                    self.lose(seat);
                    return true;
                }
            }
        }
        self.table.choose(height, &choices).is_ok()
    }

    /// A seat no longer plays. If every player is needed, the deal is over; otherwise the game continues
    /// without it.
    fn lose(&mut self, seat: Seat) {
        let height = self.table.height();
        self.pass_over(seat);
        let gone = match self.node.ledger().terms().keepers {
            Keepers::EveryPlayer => false,
            Keepers::Players { .. } | Keepers::Committee { .. } => self.table.gone(height, seat).is_ok(),
        };
        if !gone {
            // Refused only if the deal is over, and then there is nothing to break off.
            let _ = self.table.break_off(height, Breakdown::Vanished(Seats::one(seat)));
        }
    }

    fn pass_over(&mut self, seat: Seat) {
        self.silent.insert(seat);
        self.node.ledger_mut().pass_over(seat);
    }

    /// Players hear messages in different orders. So a player at fault was left out by some before, and by
    /// others after, its next message, which splits the table just like two different messages would. And a
    /// player needed for every card can stop the deal. In both cases the deal is broken off through their
    /// fault.
    fn break_off_if_split(&mut self) {
        let ledger = self.node.ledger();
        let split = |fault: &Fault| fault.why != Why::BadReveal;
        let over = match ledger.terms().keepers {
            Keepers::EveryPlayer => ledger.is_lost(),
            Keepers::Players { .. } => ledger.is_lost() || ledger.faults().iter().any(split),
            Keepers::Committee { .. } => ledger.is_lost(),
        };
        if over && self.table.awaiting() != Awaiting::Over {
            self.break_off();
        }
    }

    fn break_off(&mut self) {
        let seats: Seats =
            self.node.ledger().left_out().filter_map(|by| self.node.ledger().terms().is_player(by)).collect();
        let why = if seats.is_empty() { Breakdown::DealerFailed } else { Breakdown::Vanished(seats) };
        let _ = self.table.break_off(self.table.height(), why);
    }
}

/// Identifies an act.
fn hash<R: Rules>(on: &[u8; 32], action: &R::Action) -> [u8; 32] {
    let text = serde_json::to_vec(action).unwrap_or_default();
    Sha256::new().chain_update(on).chain_update(text).finalize().into()
}
