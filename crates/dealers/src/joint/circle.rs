//! Everybody who takes part in a joint dealing, in one process: for simulation and tests.
//!
//! Each has its own ledger and checks everything the others say, in one order; only the network is missing.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};
use table::record::{By, Evidence};
use table::{Claim, Faces, Rules, Seat, Seats, Table};

use super::evidence::{write_end, write_entry};
use super::fault::{BadTerms, Verdict};
use super::message::Message;
use super::node::Node;
use super::terms::{Keepers, Terms};
use crate::dealer::NOTHING;
use crate::{Dealer, DealerError, Filling, Pen};

/// All members and players.
#[derive(Debug)]
pub struct Circle {
    players: Seats,
    keepers: Keepers,
    seed: [u8; 32],
    nodes: Vec<Node>,
    pen: Pen,
    stacked: Option<BTreeMap<u32, Vec<u16>>>,
    /// How many messages were sent, and how many bytes.
    sent: (u64, u64),
}

impl Circle {
    /// A circle of these players and keepers. Everything random follows from the seed.
    pub fn new(players: Seats, keepers: Keepers, seed: [u8; 32]) -> Result<Self, BadTerms> {
        Terms { session: [0; 32], players, keepers }.check()?;
        let pen = Pen::new([0; 32]);
        let mut circle = Self { players, keepers, seed, nodes: Vec::new(), pen, stacked: None, sent: (0, 0) };
        circle.begin([0; 32]);
        Ok(circle)
    }

    /// Puts decks in these orders instead of shuffling them. For tests that need known cards.
    pub fn stack(&mut self, orders: BTreeMap<u32, Vec<u16>>) {
        self.nodes.iter_mut().for_each(|node| node.stack(orders.clone()));
        self.stacked = Some(orders);
    }

    /// Messages sent so far, each counted once, and their bytes.
    pub const fn sent(&self) -> (u64, u64) {
        self.sent
    }

    /// Lets everybody say what they have to say, until nobody has anything left.
    fn exchange(
        &mut self,
        mut speak: impl FnMut(&mut Node) -> Result<(), DealerError>,
        mut hear: impl FnMut(&mut Node, By, Message) -> Verdict,
    ) -> Result<(), DealerError> {
        loop {
            let mut said = Vec::new();
            for node in &mut self.nodes {
                speak(node)?;
                let by = node.me();
                said.extend(node.take_outbox().into_iter().map(|message| (by, message)));
            }
            if said.is_empty() {
                return Ok(());
            }
            for (by, message) in said {
                self.sent.0 += 1;
                self.sent.1 += u64::try_from(dealing::encode(&message).len()).unwrap_or(0);
                for node in &mut self.nodes {
                    match hear(node, by, message.clone()) {
                        // More shares than needed.
                        Verdict::Valid | Verdict::Void(_) => {}
                        Verdict::Fault(fault) => return Err(DealerError::Failed(vec![fault.by])),
                    }
                }
            }
        }
    }

    fn terms(&self) -> Terms {
        Terms { session: *self.pen.session(), players: self.players, keepers: self.keepers }
    }

    /// Everybody's log is the same, so one of them is recorded.
    fn write_down(&mut self) {
        let mut logs = self.nodes.iter_mut().map(|node| node.ledger_mut().take_log());
        let log = logs.next().unwrap_or_default();
        logs.for_each(drop);
        log.iter().for_each(|entry| write_entry(&mut self.pen, entry));
    }

    fn node(&mut self, seat: Seat) -> Option<&mut Node> {
        self.nodes.iter_mut().find(|node| node.me() == By::Seat(seat))
    }
}

impl Dealer for Circle {
    type Opened = Faces;

    fn begin(&mut self, session: [u8; 32]) {
        self.pen = Pen::new(session);
        let terms = self.terms();
        let mut everybody = terms.members();
        everybody.extend(self.players.iter().map(By::Seat).filter(|by| !terms.is_member(*by)));
        let seed = |number: u64| -> [u8; 32] {
            let hash = Sha256::new_with_prefix(b"fairdeal/circle/v1").chain_update(self.seed).chain_update(session);
            hash.chain_update(number.to_le_bytes()).finalize().into()
        };
        self.nodes = (0..).zip(everybody).map(|(number, by)| Node::new(terms, by, seed(number))).collect();
        if let Some(orders) = self.stacked.clone() {
            self.stack(orders);
        }
    }

    fn fill<R: Rules>(&mut self, table: &Table<R>) -> Result<Filling, DealerError> {
        self.exchange(|node| node.fill(table).map(drop), |node, by, message| node.receive(table, by, message))?;
        for node in &mut self.nodes {
            if !node.fill(table)? {
                let seats = node.ledger().missing(table).into_iter().filter_map(|(by, _)| match by {
                    By::Seat(seat) => Some(seat),
                    By::House | By::Member(_) => None,
                });
                return Ok(Filling::Waiting(seats.collect()));
            }
        }
        Ok(Filling::Done)
    }

    fn show<R: Rules>(&mut self, table: &Table<R>, seat: Seat, action: &R::Action) -> Result<(), DealerError> {
        let slots: Vec<_> = table.rules().shows(seat, action).collect();
        // Cards that are not the seat's own stay closed; the table then refuses the action.
        if self.node(seat).is_none_or(|node| !node.show(table, &slots)) {
            return Ok(());
        }
        self.exchange(|_| Ok(()), |node, by, message| node.receive(table, by, message))
    }

    fn lock<R: Rules>(&mut self, table: &Table<R>, choices: &[(Seat, R::Choice)]) -> Result<(), DealerError> {
        for (seat, choice) in choices {
            let text = serde_json::to_vec(choice).unwrap_or_default();
            if self.node(*seat).is_none_or(|node| !node.choose(table, text)) {
                return Err(DealerError::Failed(vec![By::Seat(*seat)]));
            }
        }
        self.exchange(
            |node| {
                node.speak(table);
                Ok(())
            },
            |node, by, message| node.receive(table, by, message),
        )?;
        let unheard =
            |(seat, _): &&(Seat, R::Choice)| self.nodes.iter().any(|node| node.ledger().chosen(*seat).is_none());
        match choices.iter().find(unheard) {
            None => Ok(()),
            Some((seat, _)) => Err(DealerError::Failed(vec![By::Seat(*seat)])),
        }
    }

    fn retire(&mut self, first: Option<u32>) {
        if let Some(first) = first {
            self.nodes.iter_mut().for_each(|node| node.ledger_mut().forget_before(first));
        } else {
            self.write_down();
            let terms = self.terms();
            write_end(&mut self.pen, &terms);
        }
    }

    fn evidence(&mut self) -> Vec<Evidence> {
        self.write_down();
        self.pen.take()
    }

    fn opened(&self) -> &Faces {
        self.nodes.first().map_or(&NOTHING, |node| node.ledger().opened())
    }

    fn own(&self, seat: Seat) -> &Faces {
        self.nodes.iter().find(|node| node.me() == By::Seat(seat)).map_or(&NOTHING, Node::own)
    }

    fn judge<C: Claim>(&self, _: &C) -> Option<bool> {
        None
    }
}
