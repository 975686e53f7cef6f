//! One computer at a table without a server: the table, a node, and the log.
//!
//! Everything that changes the table comes from one log, in the same order for everybody: what members and players
//! say, this replica's own messages included, and who is late. So all replicas that have read as far see the same table,
//! blame the same seats and come to the same outcome. A replica says only what its own table orders and what its player
//! decides.

mod dropping;

use table::record::By;
use table::{Awaiting, Known, Move, Refused, Rules, Seat, Seats, Table};

use super::fault::{Verdict, Void, Why};
use super::ledger::Duty;
use super::message::Message;
use super::node::Node;
use crate::DealerError;

/// What replicas put into the log.
#[derive(Clone, PartialEq, Debug)]
pub enum Said<A> {
    /// A message about dealing.
    Dealing(Box<Message>),
    /// A player acts.
    Act {
        /// The height it answers.
        height: u64,
        /// The table it answers: [`Table::state_hash`].
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
    /// The height at which this replica's player acted last.
    acted: Option<u64>,
    /// Seats that have been taken out of this deal.
    dropped: Seats,
    /// Seats that did not open the choice they had hidden.
    withheld: Seats,
    /// The secret choices that were opened last.
    choices: Option<Vec<(Seat, R::Choice)>>,
    outbox: Vec<Said<R::Action>>,
}

impl<R: Rules> Replica<R> {
    /// Sits down at a table. Seats of the table that do not take part in the node's keys must have left it.
    pub fn new(table: Table<R>, node: Node) -> Self {
        let (dropped, withheld) = (Seats::NONE, Seats::NONE);
        let mut replica = Self { table, node, acted: None, dropped, withheld, choices: None, outbox: Vec::new() };
        replica.advance();
        replica
    }

    /// The next deal with the same keys: a shoe or a recycled deck outlives a deal.
    pub fn next_deal(&mut self, table: Table<R>) {
        self.node.forget_before(table.rules().decks().start, table.height().0);
        (self.dropped, self.withheld, self.acted) = (Seats::NONE, Seats::NONE, None);
        self.table = table;
        self.advance();
    }

    /// Leaves the table with the keys.
    pub fn into_node(self) -> Node {
        self.node
    }

    /// The table as this replica sees it.
    pub const fn table(&self) -> &Table<R> {
        &self.table
    }

    /// The node.
    pub const fn node(&self) -> &Node {
        &self.node
    }

    /// The node, to be changed: decks can be prepared for later deals, and the ledger's log taken.
    pub const fn node_mut(&mut self) -> &mut Node {
        &mut self.node
    }

    /// What to add to the log, since the last call. What comes back from there in the meantime is not sent again.
    pub fn take_outbox(&mut self) -> Vec<Said<R::Action>> {
        core::mem::take(&mut self.outbox)
    }

    /// The secret choices that were opened since the last call.
    pub const fn take_choices(&mut self) -> Option<Vec<(Seat, R::Choice)>> {
        self.choices.take()
    }

    /// What this replica's player knows.
    pub fn known(&self) -> Known<'_> {
        Known::with(self.table.open(), self.node.own())
    }

    /// This player's seat, if the table waits for it. It may be asked again, if somebody left before its answer was in
    /// the log.
    pub fn is_asked(&self) -> Option<Seat> {
        let By::Seat(seat) = self.node.me() else { return None };
        if self.dropped.contains(seat) {
            return None;
        }
        match self.table.awaiting() {
            Awaiting::Turn(turn) if turn == seat => (self.acted != Some(self.table.height().0)).then_some(seat),
            Awaiting::Choices(seats) if seats.contains(seat) => (!self.node.has_chosen(&self.table)).then_some(seat),
            _ => None,
        }
    }

    /// Whom the table waits for, and for what.
    pub fn missing(&self) -> Vec<(By, Duty)> {
        self.node.ledger().missing(&self.table)
    }

    /// This replica's player decides; `false` if it is not asked, or the rules forbid this. Nothing is said then: to say
    /// it would be cheating.
    pub fn decide(&mut self, decided: Move<R::Action, R::Choice>) -> bool {
        let Some(seat) = self.is_asked() else { return false };
        let said = match decided {
            Move::Act(action) => self.act(seat, action),
            Move::Choose(choice) => {
                let admitted = self.table.rules().admits_choice(seat, &choice).is_ok();
                admitted && self.node.choose(&self.table, serde_json::to_vec(&choice).unwrap_or_default())
            }
        };
        self.advance();
        said
    }

    /// This replica said this before a restart, and it is not in the log. It says the same again, and nothing else in
    /// its place.
    ///
    /// To survive a restart, keep the log, and everything the replica says before it is sent. Restarted with the same
    /// seed, given the log and then what it said and is not in there, it continues.
    pub fn remember(&mut self, said: Said<R::Action>) {
        match said {
            Said::Dealing(message) => self.node.remember(*message),
            Said::Act { height, on, action } => {
                self.acted = Some(height);
                self.outbox.push(Said::Act { height, on, action });
            }
        }
        self.advance();
    }

    /// The next entry of the log. The channel says who it is from.
    pub fn receive(&mut self, by: By, said: Said<R::Action>) -> Verdict {
        if by == self.node.me() {
            self.outbox.retain(|own| *own != said);
        }
        let verdict = match said {
            Said::Dealing(message) => self.node.receive(&self.table, by, *message),
            Said::Act { height, on, action } => self.receive_act(by, height, on, &action),
        };
        self.advance();
        verdict
    }

    /// This one is late, at this point of the log, for everybody; `false` if nobody waits for it. When that is, is for
    /// others to decide.
    pub fn late(&mut self, by: By) -> bool {
        let Some((_, duty)) = self.missing().into_iter().find(|(missing, _)| *missing == by) else { return false };
        if let (By::Seat(seat), Duty::Reveal) = (by, duty) {
            self.withheld.insert(seat);
        }
        self.node.ledger_mut().leave_out(&self.table, by);
        self.advance();
        true
    }

    /// This one leaves, at this point of the log.
    pub fn leave(&mut self, by: By) {
        self.node.ledger_mut().leave_out(&self.table, by);
        self.advance();
    }

    /// Says an action, and shows the cards it lays down.
    fn act(&mut self, seat: Seat, action: R::Action) -> bool {
        let height = self.table.height();
        // Tried on a copy, with this player's own faces.
        if self.table.clone().act(height, seat, &action, &self.known()).is_err() {
            return false;
        }
        let slots: Vec<_> = self.table.rules().shows(seat, &action).collect();
        if !self.node.show(&self.table, &slots) {
            return false;
        }
        self.take_from_node();
        self.acted = Some(height.0);
        self.outbox.push(Said::Act { height: height.0, on: self.table.state_hash(), action });
        true
    }

    fn receive_act(&mut self, by: By, height: u64, on: [u8; 32], action: &R::Action) -> Verdict {
        let ledger = self.node.ledger();
        let Some(seat) = ledger.terms().is_player(by) else { return Verdict::Void(Void::NotYours) };
        if ledger.left_out().any(|out| out == by) {
            return Verdict::Void(Void::LeftOut);
        }
        let now = self.table.height();
        if self.table.awaiting() != Awaiting::Turn(seat) || height != now.0 {
            return Verdict::Void(Void::NotAwaited);
        }
        if on != self.table.state_hash() {
            return Verdict::Void(Void::OtherGround);
        }
        let why = match self.table.act(now, seat, action, ledger.opened()) {
            Ok(()) => return Verdict::Valid,
            Err(Refused::NotShown(_)) => return Verdict::Void(Void::NotShown),
            Err(Refused::Illegal(why)) => why.to_string(),
            Err(other) => other.to_string(),
        };
        let act = serde_json::to_vec(&(height, on, action)).unwrap_or_default();
        self.node.ledger_mut().blame(&self.table, by, Why::Illegal(why), act)
    }

    /// Advances as far as possible.
    fn advance(&mut self) {
        loop {
            let moved = self.drop_left_out()
                || match self.table.awaiting() {
                    Awaiting::Dealer => self.deal(),
                    Awaiting::Choices(seats) => self.choose(seats),
                    Awaiting::Turn(_) | Awaiting::Over => {
                        self.node.speak(&self.table);
                        false
                    }
                };
            self.take_from_node();
            if !moved {
                return;
            }
        }
    }

    fn take_from_node(&mut self) {
        self.outbox.extend(self.node.take_outbox().into_iter().map(|message| Said::Dealing(Box::new(message))));
    }

    fn deal(&mut self) -> bool {
        match self.node.fill(&self.table) {
            Ok(true) => self.table.dealt(self.table.height(), self.node.ledger().opened()).is_ok(),
            Ok(false) => false,
            Err(DealerError::Failed(_) | DealerError::NoSuchSlot(_) | DealerError::BadPack) => {
                self.break_off();
                true
            }
        }
    }

    fn choose(&mut self, seats: Seats) -> bool {
        self.node.speak(&self.table);
        let ledger = self.node.ledger();
        let choices: Option<Vec<(Seat, R::Choice)>> =
            seats.iter().map(|seat| Some((seat, serde_json::from_slice(ledger.chosen(seat)?).ok()?))).collect();
        let Some(choices) = choices else { return false };
        let chosen = self.table.choose(self.table.height(), &choices).is_ok();
        self.choices = chosen.then_some(choices);
        chosen
    }
}
