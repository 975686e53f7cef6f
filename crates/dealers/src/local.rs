//! The trusted dealer: this process shuffles and knows every card.
//!
//! Cards are drawn lazily: a place in a deck gets its card when it is first dealt or opened, by the forward
//! Fisher–Yates step, so a hand of Hold'em that ends before the flop costs no more than the cards it used. All
//! randomness comes from one seeded generator.

use std::collections::BTreeMap;

use cards::{Card, Pack};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use table::{Claim, Draw, Faces, Look, Order, Rules, Run, Seat, Slot, Source, Table};

use crate::dealer::NOTHING;
use crate::{Dealer, DealerError, Filling};

/// The trusted dealer.
#[derive(Debug)]
pub struct Local {
    rng: ChaCha8Rng,
    decks: Decks,
    own: Vec<Faces>,
    /// The last pack used, in order, so that the next deal only copies it.
    fresh: Option<(Pack, Vec<Card>)>,
    spare: Vec<Vec<Card>>,
    /// Fixed orders of decks, instead of shuffling them.
    stacked: Option<BTreeMap<u32, Vec<u16>>>,
}

/// The shuffled decks. As a [`Look`] it knows every card drawn so far.
#[derive(Clone, Default)]
pub struct Decks(Vec<Deck>);

#[derive(Clone)]
struct Deck {
    number: u32,
    /// The first `drawn` are in their final places.
    cards: Vec<Card>,
    drawn: usize,
}

impl Local {
    /// A dealer whose cards all follow from this seed.
    pub fn new(seed: [u8; 32]) -> Self {
        Self {
            rng: ChaCha8Rng::from_seed(seed),
            decks: Decks::default(),
            own: Vec::new(),
            fresh: None,
            spare: Vec::new(),
            stacked: None,
        }
    }

    /// Puts decks in these orders instead of shuffling them: for every place, the index of a card in its
    /// source. For tests that need known cards.
    pub fn stack(&mut self, orders: BTreeMap<u32, Vec<u16>>) {
        self.stacked = Some(orders);
    }

    /// Starts over with another seed, keeping only memory.
    pub fn reseed(&mut self, seed: [u8; 32]) {
        self.rng = ChaCha8Rng::from_seed(seed);
        self.clear();
    }

    /// Draws all further cards from another seed; cards drawn so far stay the same.
    pub fn go_on_with(&mut self, seed: [u8; 32]) {
        self.rng = ChaCha8Rng::from_seed(seed);
    }

    /// Forgets all cards, before an unrelated deal.
    #[inline]
    pub fn clear(&mut self) {
        self.forget_before(u32::MAX);
    }

    fn forget_before(&mut self, deck: u32) {
        let spare = &mut self.spare;
        self.decks.0.retain_mut(|d| {
            let keep = d.number >= deck;
            if !keep {
                spare.push(core::mem::take(&mut d.cards));
            }
            keep
        });
        self.own.iter_mut().for_each(|own| own.forget_before(deck));
    }

    fn shuffle(&mut self, number: u32, from: &Source) -> Result<(), DealerError> {
        if self.decks.0.iter().any(|d| d.number == number) {
            return Ok(());
        }
        let mut cards = self.spare.pop().unwrap_or_default();
        cards.clear();
        match from {
            Source::Pack(pack) => {
                if self.fresh.as_ref().is_none_or(|(known, _)| known != pack) {
                    if !pack.is_valid() {
                        return Err(DealerError::BadPack);
                    }
                    self.fresh = Some((*pack, pack.faces().collect()));
                }
                if let Some((_, fresh)) = &self.fresh {
                    cards.extend_from_slice(fresh);
                }
            }
            Source::Slots(slots) => {
                for slot in slots {
                    self.draw(*slot)?;
                    cards.extend(self.decks.face(*slot));
                }
            }
        }
        let order = self.stacked.as_ref().and_then(|orders| orders.get(&number));
        let drawn = order.map_or(0, |order| {
            cards = order.iter().filter_map(|from| cards.get(usize::from(*from)).copied()).collect();
            cards.len()
        });
        self.decks.0.push(Deck { number, cards, drawn });
        Ok(())
    }

    /// Decides which cards are in these slots, by deciding the last and all before it.
    #[inline]
    fn draw_run(&mut self, slots: Run) -> Result<(), DealerError> {
        match slots.last() {
            Some(last) => self.draw(last),
            None => Ok(()),
        }
    }

    /// Decides which card is in a slot, and in all before it.
    #[inline]
    fn draw(&mut self, slot: Slot) -> Result<(), DealerError> {
        let place = usize::from(slot.index);
        let deck = self.decks.0.iter_mut().rev().find(|d| d.number == slot.deck && place < d.cards.len());
        let deck = deck.ok_or(DealerError::NoSuchSlot(slot))?;
        while deck.drawn <= place {
            let left = deck.cards.len() - deck.drawn;
            let pick = self.rng.below(u32::try_from(left).unwrap_or(u32::MAX));
            deck.cards.swap(deck.drawn, deck.drawn + usize::try_from(pick).unwrap_or(0));
            deck.drawn += 1;
        }
        Ok(())
    }
}

impl Dealer for Local {
    type Opened = Decks;

    fn fill<R: Rules>(&mut self, table: &Table<R>) -> Result<Filling, DealerError> {
        for order in table.orders() {
            match order {
                Order::Shuffle { deck, from } => {
                    self.forget_before(table.rules().decks().start);
                    self.shuffle(deck, &from)?;
                }
                Order::Deal { to, slots } => {
                    self.draw_run(slots)?;
                    let seats = usize::from(to.index()) + 1;
                    if self.own.len() < seats {
                        self.own.resize_with(seats, Faces::new);
                    }
                    let (Some(own), Some(deck)) = (self.own.get_mut(seats - 1), self.decks.deck(slots.first.deck))
                    else {
                        continue;
                    };
                    for slot in slots.slots() {
                        if let Some(card) = deck.cards.get(usize::from(slot.index)) {
                            own.insert(slot, *card);
                        }
                    }
                }
                Order::Open { slots } => self.draw_run(slots)?,
            }
        }
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
}

impl Decks {
    #[inline]
    fn deck(&self, number: u32) -> Option<&Deck> {
        // It is nearly always the newest deck.
        match self.0.last() {
            Some(last) if last.number == number => Some(last),
            _ => self.0.iter().find(|d| d.number == number),
        }
    }
}

impl Look for Decks {
    #[inline]
    fn face(&self, slot: Slot) -> Option<Card> {
        let deck = self.deck(slot.deck)?;
        let place = usize::from(slot.index);
        if place < deck.drawn { deck.cards.get(place).copied() } else { None }
    }
}

impl core::fmt::Debug for Decks {
    /// Shows how many decks there are, never what is in them.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Decks({})", self.0.len())
    }
}
