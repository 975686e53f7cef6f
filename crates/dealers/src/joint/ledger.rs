//! What everybody can see of a joint dealing, checked.
//!
//! A ledger takes messages in any order, as often as they come, and judges each as soon as it can be
//! judged. It knows no secret: every member and player keeps one, and so does whoever checks a record.

use std::collections::{BTreeMap, BTreeSet};

use dealing::Element;
use dealing::beacon::{self, Contribution};
use sha2::{Digest, Sha256};
use table::record::By;
use table::{Awaiting, Faces, Order, Rules, Seat, Slot, Table};

use super::choices::Choosing;
use super::decks::{BadDeck, Decks, drawn_order};
use super::docket::{Docket, Given};
use super::fault::{Fault, Verdict, Why};
use super::keys::{Keys, Phase};
use super::message::{Body, Message, Place};
use super::terms::{Terms, author};
use crate::DealerError;

/// Messages for heights further ahead are not kept.
const FAR_AHEAD: u64 = 64;
/// The same for decks.
const DECKS_AHEAD: u32 = 4;

/// Everything public about the dealing in one session.
#[derive(Debug)]
pub struct Ledger {
    pub(super) terms: Terms,
    /// Whose ledger it is: what one says oneself need not be checked.
    me: Option<By>,
    pub(super) left_out: BTreeSet<By>,
    faults: Vec<Fault>,
    /// Hashes of all that was heard, to tell the same from something else.
    heard: BTreeMap<(Place, By), [u8; 32]>,
    inbox: BTreeMap<(Place, By), Message>,
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

/// What went into a ledger, in this order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Entry {
    /// Somebody said something, and it was right.
    Said(By, Box<Message>),
    /// Somebody no longer takes part.
    LeftOut(By),
}

/// Whether a message can be judged.
enum Ripe {
    Now,
    Later,
    Never,
}

impl Ledger {
    /// An empty one; `me` is whose it is, if anybody's.
    pub fn new(terms: Terms, me: Option<By>) -> Self {
        Self {
            terms,
            me,
            left_out: BTreeSet::new(),
            faults: Vec::new(),
            heard: BTreeMap::new(),
            inbox: BTreeMap::new(),
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

    /// The terms it was begun on.
    pub const fn terms(&self) -> &Terms {
        &self.terms
    }

    /// Faces that everybody can see by now.
    pub const fn opened(&self) -> &Faces {
        &self.opened
    }

    /// Who did something wrong so far.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// Members who no longer take part.
    pub fn left_out(&self) -> impl Iterator<Item = By> {
        self.left_out.iter().copied()
    }

    /// What went in since the last call.
    pub fn take_log(&mut self) -> Vec<Entry> {
        core::mem::take(&mut self.log)
    }

    /// A message has arrived. Who it is from is what the channel says.
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

    /// Somebody's time is up. All replicas must be told so at the same point.
    pub fn leave_out<R: Rules>(&mut self, table: &Table<R>, by: By) {
        if self.left_out.insert(by) {
            self.log.push(Entry::LeftOut(by));
            self.settle(table);
        }
    }

    /// A seat's time to choose is up, now and later. All replicas must be told so at the same point.
    pub(super) fn pass_over(&mut self, seat: Seat) {
        self.choosing.pass_over(seat);
    }

    /// Looks what can be judged now, after the table has moved on.
    pub fn settle<R: Rules>(&mut self, table: &Table<R>) -> Vec<((Place, By), Verdict)> {
        let mut verdicts = Vec::new();
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
            let verdict = if now { self.judge(table, key.1, message) } else { Verdict::Skip };
            verdicts.push((key, verdict));
        }
    }

    /// For whom the table waits; nobody, if everything is there that it ordered.
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

    /// Whether everything is there that the table ordered, or why it never will be.
    pub fn filled<R: Rules>(&self, table: &Table<R>) -> Result<bool, DealerError> {
        if self.is_lost() {
            return Err(DealerError::Failed(self.left_out.iter().copied().collect()));
        }
        let complete = |docket: &Docket| docket.missing(&self.terms, &self.members()).is_empty();
        Ok(self.dockets.get(&table.height().0).is_some_and(complete))
    }

    /// Is there a joint key?
    pub fn is_set_up(&self) -> bool {
        self.keys.joint().is_some()
    }

    /// What a seat chose at this height, as it is written in records: `None` if that is not known yet,
    /// `Some(None)` if it revealed something else than it had closed, or is no longer waited for.
    pub fn chosen(&self, height: u64, seat: Seat) -> Option<Option<&[u8]>> {
        self.choosing.chosen(height, seat)
    }

    /// Are there too few left to open another card?
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
    }

    /// The members who count.
    pub(super) fn members(&self) -> BTreeSet<By> {
        let shares = self.keys.joint().map(|joint| joint.shares.keys().copied());
        shares.into_iter().flatten().filter(|by| !self.left_out.contains(by)).collect()
    }

    fn may_say(&self, by: By, place: Place) -> bool {
        match place {
            Place::Key | Place::Shuffle(_) | Place::Shares(_) => self.terms.is_member(by),
            Place::Dealing(ceremony) | Place::Ready(ceremony) => {
                self.terms.is_member(by) && self.terms.threshold().is_some() && ceremony < self.terms.ceremonies()
            }
            Place::Beacon(_) => self.terms.is_member(by) && self.terms.ceremonies() == 2,
            Place::Sealed(_) => self.terms.is_member(by) && self.terms.threshold().is_some(),
            Place::PlayerKey => self.terms.is_player(by).is_some() && self.terms.threshold().is_some(),
            Place::Show(_) | Place::Commit(_) | Place::Reveal(_) | Place::Choice(_) => {
                self.terms.is_player(by).is_some()
            }
        }
    }

    /// Bounds what is kept: nothing for heights and decks that are far away.
    fn in_reach<R: Rules>(&self, table: &Table<R>, place: Place) -> bool {
        match place {
            Place::Key | Place::PlayerKey | Place::Dealing(_) | Place::Ready(_) => true,
            Place::Beacon(deck) | Place::Shuffle(deck) => {
                let decks = table.rules().decks();
                (decks.start..decks.end.saturating_add(DECKS_AHEAD)).contains(&deck)
            }
            Place::Shares(height)
            | Place::Sealed(height)
            | Place::Show(height)
            | Place::Commit(height)
            | Place::Reveal(height)
            | Place::Choice(height) => {
                let now = table.height().0;
                (now..now.saturating_add(FAR_AHEAD)).contains(&height) || self.dockets.contains_key(&height)
            }
        }
    }

    /// Can a message be judged now, as far as its place and its ground go?
    fn ripe<R: Rules>(&self, table: &Table<R>, by: By, message: &Message) -> Ripe {
        let on = |ground: [u8; 32]| if message.on == ground { Ripe::Now } else { Ripe::Later };
        let now = table.height().0;
        match message.place {
            Place::Key if self.keys.bound().is_some() => Ripe::Never,
            Place::PlayerKey if self.keys.bound().is_some() => Ripe::Never,
            Place::Key | Place::PlayerKey => on([0; 32]),
            Place::Dealing(_) | Place::Ready(_) if self.keys.joint().is_some() => Ripe::Never,
            Place::Dealing(_) => self.keys.bound().map_or(Ripe::Later, on),
            Place::Ready(ceremony) => match self.keys.generation(ceremony) {
                Some(generation) if generation.missing_dealings(&self.left_out).is_empty() => on(generation.ground()),
                _ => Ripe::Later,
            },
            Place::Beacon(deck) => match (self.decks.get(deck), self.keys.joint()) {
                // Judged also when nobody needs it any more: whether it is wrong must not depend on when it came.
                (Some(_), Some(joint)) => on(joint.ground),
                _ => Ripe::Later,
            },
            Place::Shuffle(deck) => match (self.decks.get(deck), self.keys.joint()) {
                (Some(shuffling), _) if shuffling.is_past(by) => Ripe::Never,
                (Some(shuffling), Some(joint)) if shuffling.turn(&self.left_out) == Some(by) => {
                    on(shuffling.ground(&joint.ground, deck))
                }
                _ => Ripe::Later,
            },
            Place::Shares(height) | Place::Sealed(height) => match self.dockets.get(&height) {
                Some(docket) => on(docket.ground),
                None if height < now => Ripe::Never,
                None => Ripe::Later,
            },
            Place::Show(height) if height < now => Ripe::Never,
            Place::Show(height) if height > now => Ripe::Later,
            // Whose a card is and who has sealed it is known for sure only when the table has got there.
            Place::Show(height) if height > now => Ripe::Later,
            Place::Show(_) => match (table.awaiting(), &message.body) {
                (Awaiting::Turn(seat), Body::Show { slots, from, .. }) if By::Seat(seat) == by => {
                    self.show_ground(slots, from).map_or(Ripe::Later, on)
                }
                _ => Ripe::Never,
            },
            Place::Commit(height) | Place::Reveal(height) | Place::Choice(height) if height < now => Ripe::Never,
            Place::Commit(height) | Place::Choice(height) if height == now => match table.awaiting() {
                Awaiting::Choices(seats) if seats.iter().any(|seat| By::Seat(seat) == by) => {
                    self.keys.joint().map_or(Ripe::Later, |joint| on(joint.ground))
                }
                _ => Ripe::Never,
            },
            Place::Reveal(height) if height == now => match table.awaiting() {
                Awaiting::Choices(seats) if self.choosing.is_closed(now, seats) => on(self.choosing.ground()),
                Awaiting::Choices(_) => Ripe::Later,
                _ => Ripe::Never,
            },
            Place::Commit(_) | Place::Reveal(_) | Place::Choice(_) => Ripe::Later,
        }
    }

    /// What a show builds on: the cards as they lie and whose they are, and the sealed shares they are
    /// opened from. Asked of whatever has come, again and again: it only hashes.
    pub(super) fn show_ground(&self, slots: &[Slot], from: &[By]) -> Option<[u8; 32]> {
        let joint = self.keys.joint()?;
        let mut hash = Sha256::new_with_prefix(b"fairdeal/show/v1");
        hash.update(joint.ground);
        for slot in slots {
            let card = self.decks.card(*slot)?;
            hash.update(slot.deck.to_le_bytes());
            hash.update(slot.index.to_le_bytes());
            hash.update(card.c1.bytes());
            hash.update(card.c2.bytes());
            hash.update([self.owners.get(slot).map_or(u8::MAX, |seat| seat.index())]);
        }
        let sealers = usize::from(self.terms.threshold().unwrap_or(1));
        for (slot, from) in slots.iter().zip(from.chunks(sealers)) {
            for by in from {
                let sealed = self.given.sealed(*slot, *by)?;
                hash.update(author(*by).to_le_bytes());
                hash.update(sealed.k().bytes());
                hash.update(sealed.e().bytes());
            }
        }
        Some(hash.finalize().into())
    }

    /// Judges a message whose time has come.
    fn judge<R: Rules>(&mut self, table: &Table<R>, by: By, message: Message) -> Verdict {
        match self.take(table, by, &message) {
            Ok(true) => {
                self.log.push(Entry::Said(by, Box::new(message)));
                Verdict::Valid
            }
            Ok(false) => Verdict::Skip,
            Err(why) => self.fault(by, why),
        }
    }

    /// Checks a message and, if it is right, takes it in; `false` if it is not needed.
    fn take<R: Rules>(&mut self, table: &Table<R>, by: By, message: &Message) -> Result<bool, Why> {
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
                // A false complaint is a wrong message, and stands in no record.
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
        let _ = table;
        Ok(true)
    }

    /// Goes on wherever nothing is missing: keys, decks, the docket of this height, opened cards.
    fn advance<R: Rules>(&mut self, table: &Table<R>) {
        self.keys.advance(&self.terms, &self.left_out);
        self.choosing.at(table.height().0);
        let Some(joint) = self.keys.joint() else { return };
        if table.awaiting() != Awaiting::Dealer {
            return;
        }
        let height = table.height().0;
        if !self.dockets.contains_key(&height) {
            let mut finished = true;
            for order in table.orders() {
                let Order::Shuffle { deck, from } = order else { continue };
                let order = (self.terms.ceremonies() == 1).then(|| joint.shares.keys().copied().collect());
                let begun: Result<(), BadDeck> = self.decks.begin(deck, &from, table.open(), &self.points, order);
                finished &= begun.is_ok() && self.decks.get(deck).is_some_and(|deck| deck.is_finished(&self.left_out));
            }
            if !finished {
                return;
            }
            self.learn_what_is_known(table);
            if let Some(docket) = self.docket(table) {
                self.owners.extend(docket.deals.iter().copied());
                self.dockets.insert(height, docket);
            }
        }
        self.open_cards(height);
    }

    /// A deck of one card that lay open needs no share: everybody knows it already.
    fn learn_what_is_known<R: Rules>(&mut self, table: &Table<R>) {
        for order in table.orders() {
            let (Order::Deal { slots, .. } | Order::Open { slots }) = order else { continue };
            for slot in slots.slots() {
                if let Some(card) = self.decks.card(slot).copied().filter(|card| card.c1.is_identity()) {
                    self.learn(slot, card.c2);
                }
            }
        }
    }

    /// What the table orders dealt and opened now.
    fn docket<R: Rules>(&self, table: &Table<R>) -> Option<Docket> {
        let (mut deals, mut opens) = (Vec::new(), Vec::new());
        let closed = |slot: Slot| self.decks.card(slot).is_some_and(|card| !card.c1.is_identity());
        for order in table.orders() {
            match order {
                Order::Shuffle { .. } => {}
                Order::Deal { to, slots } => {
                    for slot in slots.slots().filter(|slot| closed(*slot)) {
                        // Nobody can seal a card to a player who never announced a key; it stays closed.
                        let readable = self.terms.threshold().is_none() || self.keys.player(to).is_some();
                        if readable && !self.owners.contains_key(&slot) && table.open().get(slot).is_none() {
                            deals.push((slot, to));
                        }
                    }
                }
                Order::Open { slots } => {
                    for slot in slots.slots().filter(|slot| closed(*slot)) {
                        // Whether a card is open is for the table to say: the same on every replica.
                        if table.open().get(slot).is_none() {
                            opens.push((slot, self.owners.get(&slot).copied()));
                        }
                    }
                }
            }
        }
        Some(Docket::new(deals, opens, &self.decks, self.keys.joint()?))
    }

    /// Finds the faces of what is to be opened at this height, as far as shares are there.
    fn open_cards(&mut self, height: u64) {
        let (Some(docket), Some(joint)) = (self.dockets.get(&height), self.keys.joint()) else { return };
        for (slot, _) in &docket.opens {
            if self.points.contains_key(slot) {
                continue;
            }
            let card = self.decks.card(*slot);
            let plain = card.and_then(|card| self.given.open(&self.terms, joint, *slot, card));
            if let Some(plain) = plain
                && let Some(face) = self.decks.face(&plain)
            {
                self.points.insert(*slot, plain);
                self.opened.insert(*slot, face);
            }
        }
    }

    /// A card whose plain point is known now.
    pub(super) fn learn(&mut self, slot: Slot, plain: Element) -> bool {
        let Some(face) = self.decks.face(&plain) else { return false };
        self.points.insert(slot, plain);
        self.opened.insert(slot, face);
        true
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

    /// Writes down what somebody did wrong. A member who did no longer takes part.
    pub(super) fn fault(&mut self, by: By, why: Why) -> Verdict {
        let fault = Fault { by, why };
        // One can do the same wrong as often as one likes; it is written down once.
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
