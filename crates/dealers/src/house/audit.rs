//! Checks a house's evidence, using only the record.

use std::collections::BTreeMap;

use cards::Card;
use dealing::merkle::Leaf;
use table::record::{Act, By, Choices, Dealt, Evidence};
use table::{Awaiting, Faces, Order, Rules, Run, Seat, Seats, Slot, Source, Table};

use super::comparing::Comparing;
use super::flaw::Flaw;
use super::known::{Deck, Fixed, Part};
use super::lines::{Opening, Said};
use super::{Kept, Publish, Seed, findings, seeds};
use crate::{Auditor, Code, Finding, Invalid, Numbers};

/// Checks the evidence of a house.
#[derive(Debug)]
pub struct Audit {
    players: u8,
    numbers: Numbers,
    publish: Option<Publish>,
    decks: BTreeMap<u32, Deck>,
    /// Cards opened since the last input, which the next one must make public.
    opened: Vec<(Slot, Card)>,
    ended: bool,
    findings: Vec<Finding>,
    codes: Vec<Code>,
    /// What a player has kept, if the record is to be compared with that.
    kept: Option<Comparing>,
}

impl Default for Audit {
    fn default() -> Self {
        Self::new()
    }
}

impl Audit {
    /// An auditor before the first session.
    pub const fn new() -> Self {
        Self {
            players: 0,
            numbers: Numbers::new([0; 32]),
            publish: None,
            decks: BTreeMap::new(),
            opened: Vec::new(),
            ended: false,
            findings: Vec::new(),
            codes: Vec::new(),
            kept: None,
        }
    }

    /// Before the first session; records are compared with what a player has kept.
    pub fn with_kept(kept: Vec<Kept>) -> Self {
        Self { kept: Some(Comparing::new(kept)), ..Self::new() }
    }

    /// Checks a privately shown card against the record, and returns the card.
    pub fn check(&self, opening: &Opening) -> Result<Card, Flaw> {
        let Opening { slot, card, salt, path } = opening;
        let fixed = self.decks.get(&slot.deck).and_then(|deck| deck.fixed.as_ref());
        let fixed = fixed.ok_or(Flaw::DeckMissing(slot.deck))?;
        let place = seeds::place(self.numbers.session(), slot.deck);
        let (count, index) = (usize::from(fixed.count), usize::from(slot.index));
        let leaf = Leaf { value: &[card.code()], salt };
        if fixed.root.holds(&place, count, index, &leaf, path) { Ok(*card) } else { Err(Flaw::NotFixed(*slot)) }
    }

    fn hear<R: Rules>(&mut self, table: Option<&Table<R>>, said: Said) -> Result<(), Flaw> {
        match (said, table) {
            (Said::HouseCommit { deck, publish, commitment }, Some(table)) => {
                if source(table, deck).is_none() || self.decks.contains_key(&deck) {
                    return Err(Flaw::NotThisDeck(deck));
                }
                if *self.publish.get_or_insert(publish) != publish {
                    return Err(Flaw::PublishChanged);
                }
                if let Some(kept) = &self.kept {
                    kept.session().map_err(Flaw::Kept)?;
                }
                let (parts, commitments) = (BTreeMap::new(), BTreeMap::new());
                self.decks.insert(deck, Deck { house: commitment, publish, parts, commitments, fixed: None });
                Ok(())
            }
            (Said::Commit { seat, deck, commitment }, Some(_)) => {
                self.seated(seat)?;
                let deck = self.being_made(deck)?;
                if deck.parts.contains_key(&seat) {
                    return Err(Flaw::Already(seat));
                }
                deck.parts.insert(seat, Part::Committed(commitment));
                deck.commitments.insert(seat, commitment);
                Ok(())
            }
            (Said::LeftOut { deck, seat, why }, Some(_)) => {
                self.seated(seat)?;
                self.being_made(deck)?.leave_out(seat, why)
            }
            (Said::Reveal { seat, deck, seed, nonce }, Some(_)) => {
                let session = *self.numbers.session();
                let seats = Seats::first(self.players);
                let making = self.being_made(deck)?;
                if let Some(missing) = seats.iter().find(|seat| !making.parts.contains_key(seat)) {
                    return Err(Flaw::CommitmentMissing(missing));
                }
                match making.parts.get(&seat) {
                    Some(Part::Committed(commitment)) => {
                        let revealed = Seed { seed, nonce };
                        if revealed.commitment(&session, deck, seat) != *commitment {
                            return Err(Flaw::Mismatch);
                        }
                    }
                    Some(Part::Revealed(_) | Part::Out(_)) => return Err(Flaw::Already(seat)),
                    None => return Err(Flaw::NotSeated(seat)),
                }
                making.parts.insert(seat, Part::Revealed(seed));
                Ok(())
            }
            (Said::Root { deck, count, root }, Some(table)) => {
                let seats = Seats::first(self.players);
                let making = self.being_made(deck)?;
                for seat in seats.iter() {
                    match making.parts.get(&seat) {
                        Some(Part::Revealed(_) | Part::Out(_)) => {}
                        Some(Part::Committed(_)) | None => return Err(Flaw::SeedMissing(seat)),
                    }
                }
                let from = source(table, deck).ok_or(Flaw::NotThisDeck(deck))?;
                let expected = match &from {
                    Source::Pack(pack) => pack.len(),
                    Source::Slots(slots) => u16::try_from(slots.len()).unwrap_or(u16::MAX),
                };
                if count != expected {
                    return Err(Flaw::WrongSize { expected, found: count });
                }
                let none = vec![None; usize::from(count)];
                making.fixed = Some(Fixed { count, root, from, open: none.clone(), private: none, order: None });
                self.compare(deck)
            }
            (Said::Open(openings), Some(_)) => openings.iter().try_for_each(|opening| self.open(opening)),
            (Said::Seed { deck, seed, nonce }, None) => self.publish(deck, &Seed { seed, nonce }),
            (Said::End, None) => {
                self.ended = true;
                Ok(())
            }
            _ => Err(Flaw::Misplaced),
        }
    }

    /// Notes the words of a deck whose commitments are all known, and compares it with what was kept.
    fn compare(&mut self, number: u32) -> Result<(), Flaw> {
        let Some(deck) = self.decks.get(&number) else { return Ok(()) };
        let all = deck.all_commitments(self.players);
        if let Some(all) = &all {
            self.codes.push(Code { deck: number, words: all.words(self.numbers.session(), number) });
        }
        if let Some(kept) = &mut self.kept {
            let found = kept.deck(number, all.as_ref(), &deck.commitments, &deck.parts).map_err(Flaw::Kept)?;
            self.findings.extend(found);
        }
        Ok(())
    }

    fn seated(&self, seat: Seat) -> Result<(), Flaw> {
        if seat.index() < self.players { Ok(()) } else { Err(Flaw::NotSeated(seat)) }
    }

    fn being_made(&mut self, deck: u32) -> Result<&mut Deck, Flaw> {
        self.decks.get_mut(&deck).filter(|known| known.fixed.is_none()).ok_or(Flaw::NotThisDeck(deck))
    }

    fn open(&mut self, opening: &Opening) -> Result<(), Flaw> {
        let (slot, card) = (&opening.slot, &self.check(opening)?);
        let fixed = self.decks.get_mut(&slot.deck).and_then(|deck| deck.fixed.as_mut());
        let fixed = fixed.ok_or(Flaw::DeckMissing(slot.deck))?;
        let index = usize::from(slot.index);
        if fixed.private.get(index).copied().flatten().is_some_and(|private| private != *card) {
            return Err(Flaw::PrivateDiffers(*slot));
        }
        match fixed.open.get_mut(index) {
            Some(open @ None) => *open = Some(*card),
            _ => return Err(Flaw::OpenedTwice(*slot)),
        }
        self.opened.push((*slot, *card));
        Ok(())
    }

    /// Repeats the shuffle of a deck and compares everything.
    fn publish(&mut self, number: u32, house: &Seed) -> Result<(), Flaw> {
        let session = *self.numbers.session();
        let deck = self.decks.get(&number).ok_or(Flaw::NotThisDeck(number))?;
        let fixed = deck.fixed.as_ref().ok_or(Flaw::NotThisDeck(number))?;
        if deck.publish == Publish::Never || fixed.order.is_some() {
            return Err(Flaw::Misplaced);
        }
        if house.house_commitment(&session, number, deck.publish) != deck.house {
            return Err(Flaw::Mismatch);
        }
        let mut order = self.first_order(&fixed.from)?;
        let seed = seeds::combined(&session, number, &house.seed, deck.revealed());
        seeds::shuffle(&seed, &mut order);
        let tree = seeds::tree(&seeds::place(&session, number), &house.seed, order.iter().copied());
        if tree.is_none_or(|tree| tree.root() != fixed.root) {
            return Err(Flaw::OrderDiffers);
        }
        for ((index, card), private) in (0..).zip(&order).zip(&fixed.private) {
            if private.is_some_and(|private| private != *card) {
                return Err(Flaw::PrivateDiffers(Slot::new(number, index)));
            }
        }
        if let Some(fixed) = self.decks.get_mut(&number).and_then(|deck| deck.fixed.as_mut()) {
            fixed.order = Some(order);
        }
        Ok(())
    }

    /// The cards of a deck, before it is shuffled.
    fn first_order(&self, from: &Source) -> Result<Vec<Card>, Flaw> {
        match from {
            Source::Pack(pack) => Ok(pack.faces().collect()),
            Source::Slots(slots) => {
                let card = |slot: &Slot| {
                    let order = self.decks.get(&slot.deck)?.fixed.as_ref()?.order.as_ref()?;
                    order.get(usize::from(slot.index)).copied()
                };
                slots.iter().map(|slot| card(slot).ok_or(Flaw::SourceUnknown(*slot))).collect()
            }
        }
    }

    /// Exactly these slots become public: they must have been opened just before, with the recorded faces.
    fn made_public<R: Rules>(
        &mut self,
        table: &Table<R>,
        slots: impl Iterator<Item = Slot>,
        written: &Faces,
    ) -> Result<(), Flaw> {
        let mut opened = core::mem::take(&mut self.opened).into_iter();
        let mut public = Faces::new();
        for slot in slots {
            if table.open().get(slot).is_some() || public.get(slot).is_some() {
                continue;
            }
            match opened.next() {
                Some((next, card)) if next == slot => public.insert(slot, card),
                _ => return Err(Flaw::OpeningMissing(slot)),
            }
        }
        if let Some((slot, _)) = opened.next() {
            return Err(Flaw::OpenedUnasked(slot));
        }
        for (slot, card) in written.iter() {
            if public.get(slot).or_else(|| table.open().get(slot)) != Some(card) {
                return Err(Flaw::FaceDiffers(slot));
            }
        }
        Ok(())
    }

    /// Keeps the cards that single seats are recorded to have seen.
    fn dealt_to_seats<R: Rules>(&mut self, table: &Table<R>, dealt: &Dealt) -> Result<(), Flaw> {
        for (seat, faces) in &dealt.private {
            for (slot, card) in faces.iter() {
                let ordered = table.orders().any(|order| match order {
                    Order::Deal { to, slots } => to == *seat && slots.slots().any(|dealt| dealt == slot),
                    Order::Shuffle { .. } | Order::Open { .. } => false,
                });
                let fixed = self.decks.get_mut(&slot.deck).and_then(|deck| deck.fixed.as_mut());
                let index = usize::from(slot.index);
                let Some(fixed) = fixed.filter(|fixed| ordered && index < fixed.private.len()) else {
                    return Err(Flaw::NotDealt(slot));
                };
                let before = fixed.open.get(index).copied().flatten();
                if before.is_some_and(|before| before != card) {
                    return Err(Flaw::PrivateDiffers(slot));
                }
                if let Some(private) = fixed.private.get_mut(index) {
                    *private = Some(card);
                }
            }
        }
        Ok(())
    }

    fn retired(&mut self, first: Option<u32>) -> Result<(), Flaw> {
        if let Some((slot, _)) = self.opened.first() {
            return Err(Flaw::OpenedUnasked(*slot));
        }
        match (first, self.ended) {
            (None, false) => return Err(Flaw::NotEnded),
            (Some(_), true) => return Err(Flaw::Ended),
            (None, true) | (Some(_), false) => {}
        }
        let used_up = |number: u32| first.is_none_or(|first| number < first);
        let unmade = self.decks.iter().filter(|(number, deck)| used_up(**number) && deck.fixed.is_none());
        for number in unmade.map(|(number, _)| *number).collect::<Vec<_>>() {
            self.compare(number)?;
        }
        if let (None, Some(kept)) = (first, &self.kept) {
            kept.end().map_err(Flaw::Kept)?;
        }
        for (number, deck) in &self.decks {
            let Some(fixed) = &deck.fixed else { continue };
            let due = match deck.publish {
                Publish::Never => false,
                Publish::AfterDeal => used_up(*number),
                Publish::AfterMatch => first.is_none(),
            };
            match (due, fixed.order.is_some()) {
                (true, false) => return Err(Flaw::SeedUnpublished(*number)),
                (false, true) if !used_up(*number) => return Err(Flaw::PublishedEarly(*number)),
                _ => {}
            }
        }
        let waits = |deck: &Deck| deck.publish == Publish::AfterMatch && first.is_some();
        let (done, live): (BTreeMap<_, _>, BTreeMap<_, _>) =
            core::mem::take(&mut self.decks).into_iter().partition(|(number, deck)| used_up(*number) && !waits(deck));
        self.findings.extend(done.values().flat_map(findings::of));
        self.decks = live;
        Ok(())
    }
}

impl Auditor for Audit {
    type Flaw = Flaw;

    fn begin(&mut self, session: [u8; 32], players: u8) {
        let (findings, codes) = (core::mem::take(&mut self.findings), core::mem::take(&mut self.codes));
        let mut kept = self.kept.take();
        if let Some(kept) = &mut kept {
            kept.begin(&session);
        }
        *self = Self { players, numbers: Numbers::new(session), findings, codes, kept, ..Self::new() };
    }

    fn evidence<R: Rules>(&mut self, table: Option<&Table<R>>, line: &Evidence) -> Result<(), Invalid<Flaw>> {
        let invalid = |flaw| Invalid { by: line.by, flaw };
        if self.ended {
            return Err(invalid(Flaw::Ended));
        }
        let payload = self.numbers.read(line).map_err(|why| invalid(Flaw::Damaged(why)))?;
        let said = Said::read(line.by, &line.kind, &payload).map_err(|why| invalid(Flaw::Unreadable(why)))?;
        self.hear(table, said).map_err(invalid)
    }

    fn dealt<R: Rules>(&mut self, table: &Table<R>, dealt: &Dealt) -> Result<(), Invalid<Flaw>> {
        if table.awaiting() != Awaiting::Dealer {
            // The table will refuse it with a better message.
            return Ok(());
        }
        let mut opens = Vec::new();
        for order in table.orders() {
            match order {
                Order::Shuffle { deck, .. } => {
                    if self.decks.get(&deck).is_none_or(|deck| deck.fixed.is_none()) {
                        return Err(by_house(Flaw::DeckMissing(deck)));
                    }
                }
                Order::Deal { .. } => {}
                Order::Open { slots } => opens.push(slots),
            }
        }
        self.made_public(table, opens.into_iter().flat_map(Run::slots), &dealt.open)
            .and_then(|()| self.dealt_to_seats(table, dealt))
            .map_err(by_house)
    }

    fn act<R: Rules>(&mut self, table: &Table<R>, act: &Act<R::Action>) -> Result<(), Invalid<Flaw>> {
        let shown: Vec<Slot> = table.rules().shows(act.seat, &act.action).collect();
        self.made_public(table, shown.into_iter(), &act.open).map_err(by_house)
    }

    fn choices<R: Rules>(&mut self, table: &Table<R>, _: &Choices<R::Choice>) -> Result<(), Invalid<Flaw>> {
        self.made_public(table, core::iter::empty(), &Faces::new()).map_err(by_house)
    }

    fn retire(&mut self, first: Option<u32>) -> Result<(), Invalid<Flaw>> {
        self.retired(first).map_err(by_house)
    }

    fn findings(&mut self) -> Vec<Finding> {
        core::mem::take(&mut self.findings)
    }

    fn codes(&mut self) -> Vec<Code> {
        core::mem::take(&mut self.codes)
    }

    fn limits(&self) -> &'static [&'static str] {
        if self.kept.is_some() { &findings::LIMITS_OF_KEPT } else { &findings::LIMITS }
    }
}

/// What the table orders this deck to be made of.
fn source<R: Rules>(table: &Table<R>, number: u32) -> Option<Source> {
    if table.awaiting() != Awaiting::Dealer {
        return None;
    }
    table.orders().find_map(|order| match order {
        Order::Shuffle { deck, from } if deck == number => Some(from),
        Order::Shuffle { .. } | Order::Deal { .. } | Order::Open { .. } => None,
    })
}

const fn by_house(flaw: Flaw) -> Invalid<Flaw> {
    Invalid { by: By::House, flaw }
}
