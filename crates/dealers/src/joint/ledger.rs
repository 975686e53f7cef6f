//! Everything public about a joint dealing, checked.
//!
//! A ledger takes messages in the order of one log, the same for everybody, and judges each at once, at its place. It
//! knows no secret. Every member and player keeps one, and so does the auditor of a record.

mod advance;
mod judge;
mod missing;

use std::collections::BTreeSet;

use cards::Pack;
use dealing::Element;
use table::record::By;
use table::{Faces, Map, Rules, Seat, Slot, Table};

use super::choices::Choosing;
use super::decks::Decks;
use super::docket::{Docket, Given};
use super::fault::{Exhibit, Fault, Unfit, Verdict, Void, Why};
use super::keys::{Keys, Phase};
use super::message::{Message, Place};
use super::terms::Terms;
use crate::DealerError;

pub use missing::Duty;

/// Everything public about the dealing with one set of keys.
#[derive(Clone, Debug)]
pub struct Ledger {
    pub(super) terms: Terms,
    pub(super) left_out: BTreeSet<By>,
    faults: Vec<Fault>,
    log: Vec<Entry>,
    pub(super) keys: Keys,
    pub(super) decks: Decks,
    /// Decks to be shuffled before a table orders them.
    prepared: Map<u32, Pack>,
    /// A deck was ordered that cannot be made.
    impossible: bool,
    /// The cards dealt and opened at the current height.
    pub(super) docket: Option<(u64, Docket)>,
    pub(super) given: Given,
    /// Whose card a slot is, once it has been dealt.
    pub(super) owners: Map<Slot, Seat>,
    /// The plain cards of opened slots.
    pub(super) points: Map<Slot, Element>,
    opened: Faces,
    /// The last height at which somebody laid cards down.
    shown: Option<u64>,
    pub(super) choosing: Choosing,
}

/// An entry of a ledger's log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Entry {
    /// A correct message and its author.
    Said(By, Box<Message>),
    /// A wrong message and its author, who was left out because of it.
    Wrong(By, Box<Message>),
    /// A member or player was left out, for silence or for an action against the rules.
    LeftOut(By),
}

impl Ledger {
    /// An empty ledger.
    pub fn new(terms: Terms) -> Self {
        Self {
            terms,
            left_out: BTreeSet::new(),
            faults: Vec::new(),
            log: Vec::new(),
            keys: Keys::default(),
            decks: Decks::default(),
            prepared: Map::new(),
            impossible: false,
            docket: None,
            given: Given::default(),
            owners: Map::new(),
            points: Map::new(),
            opened: Faces::new(),
            shown: None,
            choosing: Choosing::default(),
        }
    }

    /// The terms of these keys.
    pub const fn terms(&self) -> &Terms {
        &self.terms
    }

    /// Faces that everybody can see so far.
    pub const fn opened(&self) -> &Faces {
        &self.opened
    }

    /// The faults found so far, each with the message that shows it. At most one by each author: what an author says
    /// afterwards does not count.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// The members and players who were left out. They stay out until the next keys.
    pub fn left_out(&self) -> impl Iterator<Item = By> {
        self.left_out.iter().copied()
    }

    /// The entries since the last call.
    pub fn take_log(&mut self) -> Vec<Entry> {
        core::mem::take(&mut self.log)
    }

    /// The next message in the log. The channel says who it is from.
    pub fn receive<R: Rules>(&mut self, table: &Table<R>, by: By, message: Message) -> Verdict {
        self.take(table, by, message, false)
    }

    /// The next message in the log, for keys that no table uses yet.
    pub fn receive_ahead(&mut self, by: By, message: Message) -> Verdict {
        self.take_ahead(by, message, false)
    }

    /// Shuffles this fresh pack ahead. If a table then orders a deck with this number from this pack, it is ready or
    /// already on its way; if it orders something else under this number, the prepared deck is void.
    pub fn prepare(&mut self, deck: u32, pack: Pack) {
        self.prepared.insert(deck, pack);
        self.advance_ahead();
    }

    /// This member's or player's time is up, or it was found to have cheated outside the dealing. All replicas must be
    /// told at the same point of the log.
    pub fn leave_out<R: Rules>(&mut self, table: &Table<R>, by: By) {
        self.leave_out_ahead(by);
        self.advance(table);
    }

    /// The same, for keys that no table uses yet.
    pub fn leave_out_ahead(&mut self, by: By) {
        let known = self.terms.is_member(by) || self.terms.is_player(by).is_some();
        if known && self.left_out.insert(by) {
            self.log.push(Entry::LeftOut(by));
            self.advance_ahead();
        }
    }

    /// A player acted against the rules.
    pub(super) fn blame<R: Rules>(&mut self, table: &Table<R>, by: By, why: Why, act: Vec<u8>) -> Verdict {
        let fault = Fault { by, why, exhibit: Exhibit { by, place: None, bytes: act } };
        self.faults.push(fault.clone());
        self.leave_out(table, by);
        Verdict::Fault(Box::new(fault))
    }

    /// Whether everything the table ordered is there, or why it never will be.
    pub fn filled<R: Rules>(&self, table: &Table<R>) -> Result<bool, DealerError> {
        if self.is_lost() {
            return Err(DealerError::Failed(self.left_out.iter().copied().collect()));
        }
        let docket = self.docket_at(table.height().0);
        Ok(docket.is_some_and(|docket| docket.missing(&self.terms, &self.members()).is_empty()))
    }

    /// Whether there is a joint key.
    pub fn is_set_up(&self) -> bool {
        self.keys.joint().is_some()
    }

    /// Whether this deck has been shuffled by everybody.
    pub fn is_shuffled(&self, deck: u32) -> bool {
        self.decks.get(deck).is_some_and(|deck| deck.is_finished(&self.left_out))
    }

    /// Whether this member has shuffled the newest deck that a table ordered.
    pub fn has_shuffled(&self, by: By) -> bool {
        let newest = self.decks.iter().filter(|(_, deck)| deck.is_ordered()).last();
        newest.is_some_and(|(_, deck)| deck.is_past(by))
    }

    /// What a seat chose, as it is written in records, once that is open.
    pub fn chosen(&self, seat: Seat) -> Option<&[u8]> {
        self.choosing.chosen(seat)
    }

    /// Whether too few are left to open another card, or a deck cannot be made as ordered.
    pub fn is_lost(&self) -> bool {
        let failed = matches!(self.keys.phase(&self.left_out), Phase::Failed);
        // Once there are keys, those who were left out of them before are no help, either.
        let members = match self.keys.joint() {
            Some(_) => self.members().len(),
            None => self.terms.members().into_iter().filter(|by| !self.left_out.contains(by)).count(),
        };
        let needed = self.terms.threshold().map_or(usize::from(self.terms.players.len()), usize::from);
        let unsafe_deck = self
            .decks
            .iter()
            .any(|(_, deck)| deck.is_ordered() && deck.is_finished(&self.left_out) && !deck.is_safe(&self.terms));
        failed || members < needed || unsafe_deck || self.impossible
    }

    /// Decks before this one are no longer in play.
    pub fn forget_before(&mut self, deck: u32) {
        self.decks.forget_before(deck);
        self.prepared = self.prepared.split_off(&deck);
        self.given.forget_before(deck);
        let first = Slot::new(deck, 0);
        self.owners = self.owners.split_off(&first);
        self.points = self.points.split_off(&first);
        self.opened.forget_before(deck);
        self.docket = None;
    }

    /// The members who count.
    pub(super) fn members(&self) -> BTreeSet<By> {
        let shares = self.keys.joint().map(|joint| joint.shares.keys().copied());
        shares.into_iter().flatten().filter(|by| !self.left_out.contains(by)).collect()
    }

    /// The cards of this height, once it is known where they are.
    pub(super) fn docket_at(&self, height: u64) -> Option<&Docket> {
        self.docket.as_ref().filter(|(at, _)| *at == height).map(|(_, docket)| docket)
    }

    pub(super) fn docket_mut(&mut self) -> Option<&mut Docket> {
        self.docket.as_mut().map(|(_, docket)| docket)
    }

    /// Judges a message; `trusted` ones are this node's own and need no check.
    pub(super) fn take<R: Rules>(&mut self, table: &Table<R>, by: By, message: Message, trusted: bool) -> Verdict {
        self.advance(table);
        let judged = self.admit(by, message.place).and_then(|()| {
            if message.place.height().is_none() {
                self.judge_ahead(by, &message, trusted)
            } else {
                self.judge(table, by, &message, trusted)
            }
        });
        let verdict = self.conclude(by, message, judged);
        self.advance(table);
        verdict
    }

    pub(super) fn take_ahead(&mut self, by: By, message: Message, trusted: bool) -> Verdict {
        self.advance_ahead();
        let judged = self.admit(by, message.place).and_then(|()| {
            if message.place.height().is_none() {
                self.judge_ahead(by, &message, trusted)
            } else {
                Err(Void::NotAwaited.into())
            }
        });
        let verdict = self.conclude(by, message, judged);
        self.advance_ahead();
        verdict
    }

    /// May this author say anything like that at all?
    fn admit(&self, by: By, place: Place) -> Result<(), Unfit> {
        if !self.may_say(by, place) {
            return Err(Void::NotYours.into());
        }
        if self.left_out.contains(&by) { Err(Void::LeftOut.into()) } else { Ok(()) }
    }

    fn conclude(&mut self, by: By, message: Message, judged: Result<(), Unfit>) -> Verdict {
        match judged {
            Ok(()) => {
                self.log.push(Entry::Said(by, Box::new(message)));
                Verdict::Valid
            }
            Err(Unfit::Void(void)) => Verdict::Void(void),
            Err(Unfit::Fault(why)) => {
                let fault = self.find(by, why, by, &message);
                self.log.push(Entry::Wrong(by, Box::new(message)));
                Verdict::Fault(Box::new(fault))
            }
        }
    }

    /// A message shows that somebody, usually its author, is at fault: they are left out.
    fn find(&mut self, culprit: By, why: Why, by: By, message: &Message) -> Fault {
        let exhibit = Exhibit { by, place: Some(message.place), bytes: dealing::encode(message) };
        let fault = Fault { by: culprit, why, exhibit };
        if self.left_out.insert(culprit) {
            self.faults.push(fault.clone());
        }
        fault
    }
}
