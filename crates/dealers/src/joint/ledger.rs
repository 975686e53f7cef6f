//! Everything public about a joint dealing, checked.
//!
//! A ledger takes messages in any order and any number of times, and judges each as soon as possible. It knows
//! no secret. Every member and player keeps one, and so does the auditor of a record.

mod advance;
mod ripe;

use std::collections::{BTreeMap, BTreeSet};

use dealing::Element;
use dealing::beacon::{self, Contribution};
use table::record::By;
use table::{Awaiting, Faces, Order, Rules, Seat, Slot, Table};

use super::choices::Choosing;
use super::decks::{Decks, drawn_order};
use super::docket::{Docket, Given};
use super::fault::{Fault, Verdict, Why};
use super::keys::{Keys, Phase};
use super::message::{Body, Message, Place};
use super::terms::Terms;
use crate::DealerError;
use ripe::Ripe;

/// Everything public about the dealing in one session.
#[derive(Debug)]
pub struct Ledger {
    pub(super) terms: Terms,
    /// Whose ledger it is: its owner's messages need no check.
    me: Option<By>,
    pub(super) left_out: BTreeSet<By>,
    faults: Vec<Fault>,
    /// Hashes of everything heard, to tell repeats from contradictions.
    heard: BTreeMap<(Place, By), [u8; 32]>,
    inbox: BTreeMap<(Place, By), Message>,
    /// The table's height when last seen.
    now: u64,
    log: Vec<Entry>,
    pub(super) keys: Keys,
    pub(super) decks: Decks,
    pub(super) dockets: BTreeMap<u64, Docket>,
    pub(super) given: Given,
    /// Whose card a slot is, once it has been dealt.
    pub(super) owners: BTreeMap<Slot, Seat>,
    /// The plain cards of opened slots.
    points: BTreeMap<Slot, Element>,
    opened: Faces,
    pub(super) choosing: Choosing,
}

/// An entry of a ledger's log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Entry {
    /// A correct message and its author.
    Said(By, Box<Message>),
    /// A member or player was left out.
    LeftOut(By),
}

impl Ledger {
    /// An empty ledger; `me` is its owner, if it has one.
    pub fn new(terms: Terms, me: Option<By>) -> Self {
        Self {
            terms,
            me,
            left_out: BTreeSet::new(),
            faults: Vec::new(),
            heard: BTreeMap::new(),
            inbox: BTreeMap::new(),
            now: 0,
            log: Vec::new(),
            keys: Keys::default(),
            decks: Decks::default(),
            dockets: BTreeMap::new(),
            given: Given::default(),
            owners: BTreeMap::new(),
            points: BTreeMap::new(),
            opened: Faces::new(),
            choosing: Choosing::default(),
        }
    }

    /// The terms of the session.
    pub const fn terms(&self) -> &Terms {
        &self.terms
    }

    /// Faces that everybody can see so far.
    pub const fn opened(&self) -> &Faces {
        &self.opened
    }

    /// The faults found so far.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// The members and players who were left out.
    pub fn left_out(&self) -> impl Iterator<Item = By> {
        self.left_out.iter().copied()
    }

    /// The entries since the last call.
    pub fn take_log(&mut self) -> Vec<Entry> {
        core::mem::take(&mut self.log)
    }

    /// A message has arrived. The channel says who it is from.
    pub fn receive<R: Rules>(&mut self, table: &Table<R>, by: By, message: Message) -> Verdict {
        let key = (message.place, by);
        if !self.may_say(by, message.place) {
            return self.fault(by, Why::NotYours);
        }
        let hash = message.hash();
        match self.heard.get(&key) {
            Some(before) if *before != hash => return self.fault(by, Why::Equivocation),
            _ if self.left_out.contains(&by) => return Verdict::Skip,
            Some(_) if self.inbox.contains_key(&key) => {}
            Some(_) => return Verdict::Skip,
            None if !self.in_reach(table, message.place) => return Verdict::Skip,
            None => {
                self.heard.insert(key, hash);
                self.inbox.insert(key, message);
            }
        }
        let verdicts = self.settle(table);
        match verdicts.into_iter().find(|(of, _)| *of == key) {
            Some((_, verdict)) => verdict,
            None => Verdict::Kept,
        }
    }

    /// This member's or player's time is up. All replicas must be told at the same point.
    pub fn leave_out<R: Rules>(&mut self, table: &Table<R>, by: By) {
        if self.left_out.insert(by) {
            self.log.push(Entry::LeftOut(by));
            self.settle(table);
        }
    }

    /// A seat's time to choose is up, now and later. All replicas must be told at the same point.
    pub(super) fn pass_over(&mut self, seat: Seat) {
        self.choosing.pass_over(seat);
    }

    /// Judges what can be judged now that the table has advanced.
    pub fn settle<R: Rules>(&mut self, table: &Table<R>) -> Vec<((Place, By), Verdict)> {
        let mut verdicts = Vec::new();
        self.now = table.height().0;
        loop {
            self.advance(table);
            let ripe = self.inbox.iter().find_map(|((place, by), message)| {
                match if self.left_out.contains(by) { Ripe::Never } else { self.ripe(table, *by, message) } {
                    Ripe::Later => None,
                    Ripe::Now => Some(((*place, *by), true)),
                    Ripe::Never => Some(((*place, *by), false)),
                }
            });
            let Some((key, now)) = ripe else { return verdicts };
            let Some(message) = self.inbox.remove(&key) else { return verdicts };
            let verdict = if now { self.judge::<R>(key.1, message) } else { Verdict::Skip };
            verdicts.push((key, verdict));
        }
    }

    /// Whom the table waits for; nobody, if everything it ordered is there.
    pub fn missing<R: Rules>(&self, table: &Table<R>) -> Vec<By> {
        let left_out = &self.left_out;
        match self.keys.phase(left_out) {
            Phase::Announcing => return self.keys.missing_keys(&self.terms, left_out),
            Phase::Dealing(_, generation) => return generation.missing_dealings(left_out),
            Phase::Complaining(_, generation) => return generation.missing_ready(left_out),
            Phase::Failed | Phase::Done => {}
        }
        match table.awaiting() {
            Awaiting::Dealer => {}
            Awaiting::Choices(seats) => {
                return self.choosing.missing(table.height().0, seats).iter().map(By::Seat).collect();
            }
            Awaiting::Turn(_) | Awaiting::Over => return Vec::new(),
        }
        for order in table.orders() {
            if let Order::Shuffle { deck, .. } = order
                && let Some(shuffling) = self.decks.get(deck)
            {
                if shuffling.needs_order() {
                    return self.members().into_iter().filter(|by| !shuffling.beacon.contains_key(by)).collect();
                }
                if let Some(by) = shuffling.turn(left_out) {
                    return vec![by];
                }
            }
        }
        let docket = self.dockets.get(&table.height().0);
        docket.map_or_else(Vec::new, |docket| docket.missing(&self.terms, &self.members()))
    }

    /// Whether everything the table ordered is there, or why it never will be.
    pub fn filled<R: Rules>(&self, table: &Table<R>) -> Result<bool, DealerError> {
        if self.is_lost() {
            return Err(DealerError::Failed(self.left_out.iter().copied().collect()));
        }
        let complete = |docket: &Docket| docket.missing(&self.terms, &self.members()).is_empty();
        Ok(self.dockets.get(&table.height().0).is_some_and(complete))
    }

    /// Whether there is a joint key.
    pub fn is_set_up(&self) -> bool {
        self.keys.joint().is_some()
    }

    /// What a seat chose at this height, as it is written in records: `None` if that is not known yet,
    /// `Some(None)` if it revealed something other than what it committed to, or is no longer waited for.
    pub fn chosen(&self, height: u64, seat: Seat) -> Option<Option<&[u8]>> {
        self.choosing.chosen(height, seat)
    }

    /// Whether too few are left to open another card.
    pub fn is_lost(&self) -> bool {
        let failed = matches!(self.keys.phase(&self.left_out), Phase::Failed);
        let members = self.terms.members().into_iter().filter(|by| !self.left_out.contains(by)).count();
        let needed = self.terms.threshold().map_or(usize::from(self.terms.players.len()), usize::from);
        let unsafe_deck =
            self.decks.iter().any(|(_, deck)| deck.is_finished(&self.left_out) && !deck.is_safe(&self.terms));
        failed || members < needed || unsafe_deck
    }

    /// Decks before this one are no longer in play.
    pub fn forget_before(&mut self, deck: u32) {
        self.decks.forget_before(deck);
        self.given.forget_before(deck);
        let first = Slot::new(deck, 0);
        self.owners = self.owners.split_off(&first);
        self.points = self.points.split_off(&first);
        self.opened.forget_before(deck);
        let owners = &self.owners;
        self.dockets.retain(|_, docket| docket.deals.iter().any(|(slot, _)| owners.contains_key(slot)));
        // Late messages about places that are gone are skipped without being remembered.
        let (dockets, now) = (&self.dockets, self.now);
        self.heard.retain(|(place, _), _| match place {
            Place::Beacon(of) | Place::Shuffle(of) => *of >= deck,
            _ => place.height().is_none_or(|height| height >= now || dockets.contains_key(&height)),
        });
    }

    /// The members who count.
    pub(super) fn members(&self) -> BTreeSet<By> {
        let shares = self.keys.joint().map(|joint| joint.shares.keys().copied());
        shares.into_iter().flatten().filter(|by| !self.left_out.contains(by)).collect()
    }

    /// Judges a message that is due.
    fn judge<R: Rules>(&mut self, by: By, message: Message) -> Verdict {
        match self.take::<R>(by, &message) {
            Ok(true) => {
                self.log.push(Entry::Said(by, Box::new(message)));
                Verdict::Valid
            }
            Ok(false) => Verdict::Skip,
            Err(why) => self.fault(by, why),
        }
    }

    /// Checks a message and, if it is right, applies it; `false` if it is not needed.
    fn take<R: Rules>(&mut self, by: By, message: &Message) -> Result<bool, Why> {
        let trusted = self.me == Some(by);
        match (message.place, &message.body) {
            (Place::Key, Body::Keys(keys)) => self.keys.announce(&self.terms, by, keys, trusted)?,
            (Place::PlayerKey, Body::Keys(keys)) => {
                let seat = self.terms.is_player(by).ok_or(Why::NotYours)?;
                self.keys.announce_player(&self.terms, seat, keys, trusted)?;
            }
            (Place::Dealing(ceremony), Body::Dealing(dealing)) => {
                self.keys.deal(ceremony, by, message, dealing, trusted)?;
            }
            (Place::Ready(ceremony), Body::Complaints(complaints)) => {
                let mut own = None;
                for (guilty, why) in self.keys.complain(ceremony, by, complaints)? {
                    if guilty == by {
                        own = Some(why);
                    } else {
                        self.fault(guilty, why);
                    }
                }
                // A false complaint is a wrong message and is not recorded.
                if let Some(why) = own {
                    return Err(why);
                }
            }
            (Place::Beacon(deck), Body::Beacon(contribution)) => {
                return self.take_beacon(deck, by, contribution, trusted);
            }
            (Place::Shuffle(deck), Body::Shuffle(shuffled)) => {
                let (Some(joint), Some(shuffling)) = (self.keys.joint(), self.decks.get_mut(deck)) else {
                    return Ok(false);
                };
                let (after, proof) = (shuffled.0.clone(), &shuffled.1);
                shuffling.shuffled(&self.terms, joint, deck, by, (after, proof), trusted)?;
            }
            (Place::Shares(height), Body::Shares(shares)) => return self.take_shares(height, by, shares, trusted),
            (Place::Sealed(height), Body::Sealed(sealed)) => return self.take_sealed(height, by, sealed, trusted),
            (Place::Show(height), Body::Show { slots, from, shares }) => {
                self.take_show(height, by, slots, from, shares, trusted)?;
            }
            (Place::Commit(height), Body::Commit(hash)) => {
                let seat = self.terms.is_player(by).ok_or(Why::NotYours)?;
                return Ok(self.choosing.commit(height, seat, *hash));
            }
            (Place::Reveal(height), Body::Reveal { choice, nonce }) => {
                let seat = self.terms.is_player(by).ok_or(Why::NotYours)?;
                return self.choosing.reveal(&self.terms, height, seat, choice, nonce);
            }
            (Place::Choice(height), Body::Choice(choice)) => {
                let seat = self.terms.is_player(by).ok_or(Why::NotYours)?;
                return if R::CHOICES_NAME_SLOTS {
                    Ok(self.choosing.bare(height, seat, choice))
                } else {
                    Err(Why::NotYours)
                };
            }
            // Decoding gives every place its own kind of body.
            _ => return Err(Why::NotYours),
        }
        Ok(true)
    }

    fn take_beacon(&mut self, deck: u32, by: By, contribution: &Contribution, trusted: bool) -> Result<bool, Why> {
        let (Some(joint), Some(threshold)) = (self.keys.joint(), self.terms.threshold()) else { return Ok(false) };
        let Some(shuffling) = self.decks.get_mut(deck) else { return Ok(false) };
        let (_, public) = joint.beacon.get(&by).ok_or(Why::NotYours)?;
        let context = self.terms.context(joint.ground, by).height(deck.into());
        if !trusted {
            contribution.verify(&context, public).map_err(Why::BadShares)?;
        }
        shuffling.beacon.insert(by, contribution.clone());
        if !shuffling.needs_order() {
            return Ok(true);
        }
        let numbered: Vec<_> =
            shuffling.beacon.iter().filter_map(|(by, share)| Some((joint.beacon.get(by)?.0, share))).collect();
        if let Some(random) = beacon::output(&context, threshold.into(), &numbered) {
            shuffling.set_order(drawn_order(&random, joint.shares.keys().copied()));
        }
        Ok(true)
    }

    /// Records a fault. A member at fault is left out.
    pub(super) fn fault(&mut self, by: By, why: Why) -> Verdict {
        let fault = Fault { by, why };
        // The same fault may be repeated any number of times; it is recorded once.
        if !self.faults.contains(&fault) {
            self.faults.push(fault.clone());
        }
        // A false reveal costs its author the choice, nothing else.
        if self.terms.is_member(by) && fault.why != Why::BadReveal && self.left_out.insert(by) {
            self.log.push(Entry::LeftOut(by));
        }
        Verdict::Fault(fault)
    }
}
