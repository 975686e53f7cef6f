//! The dealer that knows every card and proves that it did not choose them.
//!
//! A server deals; its players need not trust it with the order of the cards. For every deck:
//!
//! 1. The house commits to a seed. Every player commits to a seed.
//! 2. Once all commitments are in, the players are shown all of them, the house's included, keep them, and reveal
//!    their seeds. A seat that does not within the time the table gives is left out, on record; and so is one that the
//!    house's own computer plays. A seat that kept the others waiting is not asked again until it is heard from.
//! 3. The order of the deck follows from all these seeds by a shuffle that everybody can repeat. The
//!    house's seed is still secret, so only the house knows the order; but it was fixed before the house
//!    saw the others', so it could not choose.
//! 4. The house fixes every single card by the root of a salted hash tree, before the first is dealt. It
//!    opens each card that becomes public, and can prove to a player what they were dealt ([`House::opening`]):
//!    no card can change during a deal.
//! 5. When no card of the deck can be dealt any more, the house may publish its seed ([`Publish`]).
//!    Everybody can then repeat the shuffle. By default it does so only where that opens nothing that the
//!    rules keep closed ([`RevealSeed::Auto`]).
//!
//! Players still have to trust that the house shows closed cards to nobody. And a house that colludes with k
//! players can choose among 2^k orders, by having some of them not reveal; it is on record who did not.
//!
//! [`House`] is a pure state machine, fit for a server: [`Dealer::fill`] says whom it waits for, messages
//! come in by [`House::commit`] and [`House::reveal`], and somebody with a clock says [`House::time_up`].
//! [`House::simulated`] plays the seats' part, too. [`Audit`] checks the evidence from the outside, also against what
//! a player has kept ([`Kept`]); a [`Witness`] is a player's half, which keeps it.
//!
//! - `making`: commit and reveal, `silence`: seats that kept the others waiting
//! - `commitments`: what everybody is shown before revealing, and its four words
//! - `kept`, `witness`: what a player keeps of that, and when a player must not reveal
//! - `seeds`: from seeds to orders, `decks`: what was made of them
//! - `lines`: evidence as bytes
//! - `policy`: when seeds are published, and why a seat is left out
//! - `audit`, `known`: the check, `comparing`: the part of it that needs what was kept, `flaw`: what can be wrong, and
//!   `findings`: what is proven

mod audit;
mod commitments;
mod comparing;
mod decks;
mod findings;
mod flaw;
mod kept;
mod known;
mod lines;
mod making;
mod policy;
mod seeds;
mod silence;
mod witness;

use core::fmt;

use cards::Card;
use dealing::Commitment;
use table::record::{By, Evidence};
use table::{Claim, Faces, Look, Order, Rules, Run, Seat, Seats, Slot, Source, Table};
use zeroize::Zeroizing;

use crate::dealer::NOTHING;
use crate::{Dealer, DealerError, Filling, Pen};
use decks::Deck;
use lines::Said;
use making::{Making, say};
use silence::Silences;

pub use audit::Audit;
pub use commitments::{Commitments, Pledge};
pub use comparing::Unlike;
pub use decks::Decks;
pub use flaw::Flaw;
pub use kept::{Answer, Kept, NotKept, Own};
pub use lines::{Opening, Unreadable};
pub use making::{Asked, Refusal};
pub use policy::{LeftOut, Publish, RevealSeed};
pub use seeds::Seed;
pub use witness::{Suspicion, Witness};

/// The seconds that a player has for a commitment, and again for a seed.
pub const SECONDS_TO_ANSWER: u64 = 10;

/// The house.
pub struct House {
    secret: Zeroizing<[u8; 32]>,
    publish: Publish,
    /// The house also plays the part of the seats.
    simulated: bool,
    pen: Pen,
    making: Option<Making>,
    decks: Decks,
    own: Vec<Faces>,
    /// Seats whose players have left.
    left: Seats,
    /// Seats that said that they send no seeds.
    declined: Seats,
    /// Seats that kept the others waiting.
    silences: Silences,
    /// Seats played by the house's own computer.
    computers: Seats,
    /// Seeds of used decks, to be published when the session is over.
    kept: Vec<(u32, Seed)>,
}

impl House {
    /// A house whose players are elsewhere. All its seeds follow from the secret, the session and the deck:
    /// never use a secret for two sessions with the same id.
    pub fn new(secret: [u8; 32], publish: Publish) -> Self {
        Self {
            secret: Zeroizing::new(secret),
            publish,
            simulated: false,
            pen: Pen::new([0; 32]),
            making: None,
            decks: Decks::default(),
            own: Vec::new(),
            left: Seats::NONE,
            declined: Seats::NONE,
            silences: Silences::default(),
            computers: Seats::NONE,
            kept: Vec::new(),
        }
    }

    /// A house that also makes the players' seeds, and waits for nobody.
    pub fn simulated(secret: [u8; 32], publish: Publish) -> Self {
        Self { simulated: true, ..Self::new(secret, publish) }
    }

    /// The deck whose seeds are being collected, what is asked for, and who has yet to answer.
    pub fn asks(&self) -> Option<(u32, Asked, Seats)> {
        self.making.as_ref().map(|making| (making.deck, making.asked(), making.awaited()))
    }

    /// All commitments to the seeds of the deck that is being made, from the moment when the first seed is asked for.
    pub fn commitments(&self) -> Option<Commitments> {
        self.making.as_ref()?.commitments()
    }

    /// A seat commits to its seed for a deck: [`Seed::commitment`].
    pub fn commit(&mut self, seat: Seat, deck: u32, commitment: Commitment) -> Result<(), Refusal> {
        let making = self.making.as_mut().filter(|making| making.deck == deck).ok_or(Refusal::NotThisDeck)?;
        making.commit(seat, commitment, &mut self.pen)
    }

    /// A seat reveals its seed for a deck. If it does not match the commitment, the seat is left out.
    pub fn reveal(&mut self, seat: Seat, deck: u32, revealed: &Seed) -> Result<(), Refusal> {
        let making = self.making.as_mut().filter(|making| making.deck == deck).ok_or(Refusal::NotThisDeck)?;
        making.reveal(seat, revealed, &mut self.pen)?;
        self.silences.end(seat);
        Ok(())
    }

    /// [`SECONDS_TO_ANSWER`] have passed since what is asked was asked first: seats that did not answer are left out,
    /// and not asked again until they are heard from ([`House::wake`]).
    pub fn time_up(&mut self) {
        if let Some(making) = &mut self.making {
            making.awaited().iter().for_each(|seat| self.silences.begin(seat));
            making.time_up(&mut self.pen);
        }
    }

    /// A seat has left: the house no longer waits for it, for this deck and all later ones.
    pub fn leave(&mut self, seat: Seat) {
        self.left.insert(seat);
        self.leave_out(seat, LeftOut::Gone);
    }

    /// The house's own computer plays this seat from now on, to the end of the session: the house does not wait
    /// for it, and the record says why. A seed made by the house itself would prove nothing.
    pub fn take_over(&mut self, seat: Seat) {
        self.computers.insert(seat);
        self.leave_out(seat, LeftOut::Computer);
    }

    /// A seat sends no seeds: nothing is awaited from it, and the record says why. [`House::wake`] takes it back.
    pub fn decline(&mut self, seat: Seat) {
        self.declined.insert(seat);
        self.leave_out(seat, LeftOut::Declined);
    }

    /// A seat that sent no seeds will send them again, from the next deck on.
    pub fn wake(&mut self, seat: Seat) -> Result<(), Refusal> {
        if !self.may_wake(seat) {
            return Err(Refusal::NotResting);
        }
        self.declined.remove(seat);
        self.silences.interrupt(seat);
        Ok(())
    }

    /// Is this a seat that sends no seeds, though it would be asked again if it were heard from?
    pub fn may_wake(&self, seat: Seat) -> bool {
        let away = self.left.contains(seat) || self.computers.contains(seat);
        !away && (self.declined.contains(seat) || self.silences.may_wake(seat))
    }

    /// Is this seat not asked because it did not answer before?
    pub fn is_silent(&self, seat: Seat) -> bool {
        self.silences.is_silent(seat)
    }

    fn leave_out(&mut self, seat: Seat, why: LeftOut) {
        if let Some(making) = &mut self.making {
            making.leave_out(seat, why, &mut self.pen);
        }
    }

    /// What proves a card against the root of its deck, once the deck is made. Give it to nobody but those
    /// who may see the card.
    pub fn opening(&self, slot: Slot) -> Option<Opening> {
        self.decks.deck(slot.deck)?.opening(slot)
    }

    /// Makes a deck as far as possible; `false` while it waits for seats.
    fn make(&mut self, number: u32, from: &Source, players: u8) -> Result<bool, DealerError> {
        if self.decks.deck(number).is_some() {
            return Ok(true);
        }
        let mut cards = self.faces(from)?;
        if self.making.as_ref().is_none_or(|making| making.deck != number) {
            let house = Seed::derived(&self.secret, self.pen.session(), number, By::House);
            let seats = Seats::first(players);
            let mut making = Making::begin(number, house, self.publish, seats, &mut self.pen);
            let silent = self.silences.next_deck();
            let absent = [
                (self.computers, LeftOut::Computer),
                (self.left, LeftOut::Gone),
                (self.declined, LeftOut::Declined),
                (silent, LeftOut::Silent),
            ];
            for (seats, why) in absent {
                seats.iter().for_each(|seat| making.leave_out(seat, why, &mut self.pen));
            }
            self.making = Some(making);
            if self.simulated {
                self.play_seats(number, seats);
            }
        }
        let Some(making) = self.making.take_if(|making| making.is_complete()) else { return Ok(false) };
        let session = *self.pen.session();
        let seed = seeds::combined(&session, number, &making.house.seed, making.revealed());
        seeds::shuffle(&seed, &mut cards);
        let place = seeds::place(&session, number);
        let faces = cards.iter().filter_map(|code| Card::from_code(*code));
        let tree = seeds::tree(&place, &making.house.seed, faces).ok_or(DealerError::BadPack)?;
        let count = u16::try_from(cards.len()).map_err(|_| DealerError::BadPack)?;
        say(&mut self.pen, &Said::Root { deck: number, count, root: tree.root() });
        let opened = vec![false; cards.len()];
        self.decks.0.push(Deck { number, cards, opened, place, house: making.house, tree });
        Ok(true)
    }

    /// The cards of a deck, in their first order.
    fn faces(&self, from: &Source) -> Result<Zeroizing<Vec<u8>>, DealerError> {
        match from {
            Source::Pack(pack) if pack.is_valid() => Ok(Zeroizing::new(pack.faces().map(Card::code).collect())),
            Source::Pack(_) => Err(DealerError::BadPack),
            Source::Slots(slots) => {
                let face = |slot: &Slot| self.decks.face(*slot).ok_or(DealerError::NoSuchSlot(*slot));
                slots.iter().map(|slot| face(slot).map(Card::code)).collect::<Result<_, _>>().map(Zeroizing::new)
            }
        }
    }

    /// Plays the part of the seats.
    fn play_seats(&mut self, deck: u32, seats: Seats) {
        let session = *self.pen.session();
        let seeds: Vec<(Seat, Seed)> = (seats - self.left - self.computers - self.declined)
            .iter()
            .map(|seat| (seat, Seed::derived(&self.secret, &session, deck, By::Seat(seat))))
            .collect();
        for (seat, seed) in &seeds {
            // Neither can be refused: each seat sends both once, in order.
            let _ = self.commit(*seat, deck, seed.commitment(&session, deck, *seat));
        }
        for (seat, seed) in &seeds {
            let _ = self.reveal(*seat, deck, seed);
        }
    }

    /// Opens, for the record, the slots among these that are not open yet.
    fn open(&mut self, slots: impl Iterator<Item = Slot>) -> Result<(), DealerError> {
        let mut openings = Vec::new();
        for slot in slots {
            let missing = || DealerError::NoSuchSlot(slot);
            let deck = self.decks.0.iter_mut().find(|deck| deck.number == slot.deck).ok_or_else(missing)?;
            let opened = deck.opened.get_mut(usize::from(slot.index)).ok_or_else(missing)?;
            if !core::mem::replace(opened, true) {
                openings.push(deck.opening(slot).ok_or_else(missing)?);
            }
        }
        for some in openings.chunks(lines::MOST_OPENINGS) {
            say(&mut self.pen, &Said::Open(some.to_vec()));
        }
        Ok(())
    }

    fn deal(&mut self, to: Seat, slots: Run) -> Result<(), DealerError> {
        let seats = usize::from(to.index()) + 1;
        if self.own.len() < seats {
            self.own.resize_with(seats, Faces::new);
        }
        let Some(own) = self.own.get_mut(seats - 1) else { return Ok(()) };
        for slot in slots.slots() {
            own.insert(slot, self.decks.face(slot).ok_or(DealerError::NoSuchSlot(slot))?);
        }
        Ok(())
    }
}

impl Dealer for House {
    type Opened = Decks;

    fn fill<R: Rules>(&mut self, table: &Table<R>) -> Result<Filling, DealerError> {
        let mut opens = Vec::new();
        for order in table.orders() {
            match order {
                Order::Shuffle { deck, from } => {
                    if !self.make(deck, &from, table.rules().players())? {
                        return Ok(Filling::Waiting(self.asks().map_or(Seats::NONE, |(_, _, seats)| seats)));
                    }
                }
                Order::Deal { to, slots } => self.deal(to, slots)?,
                Order::Open { slots } => opens.push(slots),
            }
        }
        self.open(opens.into_iter().flat_map(Run::slots))?;
        Ok(Filling::Done)
    }

    fn opened(&self) -> &Decks {
        &self.decks
    }

    fn own(&self, seat: Seat) -> &Faces {
        self.own.get(usize::from(seat.index())).unwrap_or(&NOTHING)
    }

    fn judge<C: Claim>(&self, claim: &C) -> Option<bool> {
        Some(claim.holds(&self.decks))
    }

    fn begin(&mut self, session: [u8; 32]) {
        self.pen = Pen::new(session);
        self.making = None;
        self.decks.0.clear();
        self.own.iter_mut().for_each(Faces::clear);
        self.left = Seats::NONE;
        self.declined = Seats::NONE;
        self.silences = Silences::default();
        self.computers = Seats::NONE;
        self.kept.clear();
    }

    fn show<R: Rules>(&mut self, table: &Table<R>, seat: Seat, action: &R::Action) -> Result<(), DealerError> {
        self.open(table.rules().shows(seat, action))
    }

    fn retire(&mut self, first: Option<u32>) {
        let used_up = |number: u32| first.is_none_or(|first| number < first);
        self.making.take_if(|making| used_up(making.deck));
        let mut decks = core::mem::take(&mut self.decks.0);
        decks.sort_by_key(|deck| deck.number);
        for deck in decks {
            if used_up(deck.number) {
                self.kept.push((deck.number, deck.house.clone()));
            } else {
                self.decks.0.push(deck);
            }
        }
        self.own.iter_mut().for_each(|own| own.forget_before(first.unwrap_or(u32::MAX)));
        let due = match self.publish {
            Publish::Never => {
                self.kept.clear();
                false
            }
            Publish::AfterDeal => true,
            Publish::AfterMatch => first.is_none(),
        };
        if due {
            for (deck, Seed { seed, nonce }) in &core::mem::take(&mut self.kept) {
                say(&mut self.pen, &Said::Seed { deck: *deck, seed: *seed, nonce: *nonce });
            }
        }
        if first.is_none() {
            say(&mut self.pen, &Said::End);
        }
    }

    fn evidence(&mut self) -> Vec<Evidence> {
        self.pen.take()
    }
}

/// Shows its settings, never a seed or a card.
impl fmt::Debug for House {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { publish, simulated, decks, .. } = self;
        f.debug_struct("House")
            .field("publish", publish)
            .field("simulated", simulated)
            .field("decks", decks)
            .finish_non_exhaustive()
    }
}
