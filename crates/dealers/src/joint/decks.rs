//! Decks being shuffled, one member after another.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::OnceLock;

use cards::{Card, Pack};
use dealing::beacon::Contribution;
use dealing::{Ciphertext, Deck, Element, Malformed, ShuffleProof, card_point, verify_shuffle};
use sha2::{Digest, Sha256};
use table::record::By;
use table::{Faces, Map, Slot, Source};

use super::fault::{Unfit, Void, Why};
use super::keys::Joint;
use super::terms::{Terms, author};

/// All decks of a session that can still be dealt from.
#[derive(Clone, Debug, Default)]
pub(super) struct Decks {
    decks: Map<u32, Shuffling>,
    /// The face that each point stands for, for all packs used so far.
    faces: Map<[u8; 32], Card>,
    packs: BTreeSet<[u8; 3]>,
}

/// One deck.
#[derive(Clone, Debug)]
pub(super) struct Shuffling {
    /// Its current state.
    pub(super) cards: Lying,
    /// Who shuffles, in order; `None` until the beacon has decided.
    pub(super) order: Option<Vec<By>>,
    /// How many of them have had their turn, or lost it.
    pub(super) turn: usize,
    /// How many have shuffled.
    pub(super) steps: u32,
    /// The fresh pack it is made of, if it is.
    pub(super) pack: Option<Pack>,
    /// Has a table ordered it? Otherwise it is prepared for one that may.
    pub(super) ordered: bool,
    /// Shares of the beacon.
    pub(super) beacon: Map<By, Contribution>,
}

/// How many cards there are to shuffle.
#[derive(Clone, Debug)]
pub(super) enum Lying {
    /// One card: nothing to shuffle.
    One(Box<Ciphertext>),
    /// More.
    Many(Deck),
}

impl Lying {
    fn get(&self, index: u16) -> Option<&Ciphertext> {
        match self {
            Self::One(card) => (index == 0).then_some(card),
            Self::Many(deck) => deck.get(index),
        }
    }
}

impl Decks {
    pub(super) fn get(&self, deck: u32) -> Option<&Shuffling> {
        self.decks.get(&deck)
    }

    pub(super) fn get_mut(&mut self, deck: u32) -> Option<&mut Shuffling> {
        self.decks.get_mut(&deck)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &Shuffling)> {
        self.decks.iter().map(|(number, deck)| (*number, deck))
    }

    /// Begins a fresh deck that a table may order later.
    pub(super) fn prepare(&mut self, number: u32, pack: Pack, order: Option<Vec<By>>) {
        if !self.decks.contains_key(&number)
            && let Ok(cards) = self.fresh(pack)
        {
            self.insert(number, Shuffling::new(cards, Some(pack), false), order);
        }
    }

    /// A table orders this deck: begins it, unless it has begun already. `open` has the recycled cards that are face
    /// up, `dealt` says which cards were dealt before.
    pub(super) fn begin(
        &mut self,
        number: u32,
        from: &Source,
        open: &Faces,
        points: &Map<Slot, Element>,
        dealt: impl Fn(Slot) -> bool,
        order: Option<Vec<By>>,
    ) -> Result<(), BadDeck> {
        if let Some(deck) = self.decks.get_mut(&number) {
            let prepared = matches!((deck.pack, from), (Some(pack), Source::Pack(wanted)) if pack == *wanted);
            deck.ordered |= prepared;
            // A deck that was prepared from something else is void.
            if deck.ordered {
                return Ok(());
            }
        }
        let cards = match from {
            Source::Pack(pack) => self.fresh(*pack)?,
            Source::Slots(slots) => {
                let card = |slot: &Slot| {
                    // A card that everybody has seen starts open, any other with its old ciphertext.
                    let seen = open.get(*slot).and_then(|_| points.get(slot));
                    seen.map(|point| Ciphertext::open(*point))
                        .or_else(|| self.card(*slot).copied())
                        .ok_or(BadDeck::Slot(*slot))
                };
                let mut cards = slots.iter().map(card).collect::<Result<Vec<_>, _>>()?;
                match (cards.pop(), cards.is_empty()) {
                    // One card cannot be shuffled, so it keeps its ciphertext. If every player is needed and it was
                    // dealt before, the shares for its next owner would show it to everybody.
                    (Some(only), true) if !only.c1.is_identity() && slots.iter().any(|slot| dealt(*slot)) => {
                        return Err(BadDeck::Single);
                    }
                    (Some(only), true) => Lying::One(Box::new(only)),
                    (Some(last), false) => {
                        cards.push(last);
                        Lying::Many(Deck::new(cards).map_err(BadDeck::Size)?)
                    }
                    (None, _) => return Err(BadDeck::Pack),
                }
            }
        };
        let pack = if let Source::Pack(pack) = from { Some(*pack) } else { None };
        let mut deck = Shuffling::new(cards, pack, true);
        // The beacon depends on the number of the deck alone, so what was said about a void deck stays said.
        let void = self.decks.remove(&number);
        let drawn = void.as_ref().and_then(|void| void.order.clone());
        deck.beacon = void.map(|void| void.beacon).unwrap_or_default();
        self.insert(number, deck, drawn.or(order));
        Ok(())
    }

    fn insert(&mut self, number: u32, deck: Shuffling, order: Option<Vec<By>>) {
        let order = if matches!(deck.cards, Lying::One(_)) { Some(Vec::new()) } else { order };
        self.decks.insert(number, Shuffling { order, ..deck });
    }

    /// The cards of a fresh pack.
    fn fresh(&mut self, pack: Pack) -> Result<Lying, BadDeck> {
        self.learn(pack);
        let points = points(pack);
        if let [only] = *points {
            return Ok(Lying::One(Box::new(Ciphertext::open(only))));
        }
        let cards = points.iter().copied().map(Ciphertext::open).collect();
        Deck::new(cards).map(Lying::Many).map_err(|_| BadDeck::Pack)
    }

    /// The closed card in a slot.
    pub(super) fn card(&self, slot: Slot) -> Option<&Ciphertext> {
        self.decks.get(&slot.deck)?.cards.get(slot.index)
    }

    /// The face that a point stands for.
    pub(super) fn face(&self, point: &Element) -> Option<Card> {
        self.faces.get(point.bytes()).copied()
    }

    pub(super) fn forget_before(&mut self, deck: u32) {
        self.decks = self.decks.split_off(&deck);
    }

    /// A deck as it was stored.
    pub(super) fn restore(&mut self, number: u32, deck: Shuffling) {
        if let Some(pack) = deck.pack {
            self.learn(pack);
        }
        self.decks.insert(number, deck);
    }

    fn learn(&mut self, pack: Pack) {
        let id = pack_id(pack);
        if self.packs.insert(id) {
            let points = points(pack);
            let faces = (0..).zip(points.iter()).filter_map(|(i, point)| Some((*point.bytes(), pack.face(i)?)));
            self.faces.extend(faces);
        }
    }
}

/// Why a deck cannot be made as ordered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BadDeck {
    Pack,
    Slot(Slot),
    Size(Malformed),
    Single,
}

impl Shuffling {
    const fn new(cards: Lying, pack: Option<Pack>, ordered: bool) -> Self {
        Self { cards, order: None, turn: 0, steps: 0, pack, ordered, beacon: Map::new() }
    }

    /// Whose turn it is to shuffle; `None` if the deck is finished or the beacon has not decided.
    pub(super) fn turn(&self, left_out: &BTreeSet<By>) -> Option<By> {
        let rest = self.order.as_deref()?.get(self.turn..)?;
        rest.iter().copied().find(|by| !left_out.contains(by))
    }

    pub(super) const fn needs_order(&self) -> bool {
        self.order.is_none()
    }

    pub(super) fn set_order(&mut self, order: Vec<By>) {
        self.order = Some(order);
    }

    /// Whether this member has had or lost its turn.
    pub(super) fn is_past(&self, by: By) -> bool {
        let past = self.order.as_deref().and_then(|order| order.get(..self.turn));
        past.is_some_and(|past| past.contains(&by))
    }

    /// Whether everybody who should shuffle has done so.
    pub(super) fn is_finished(&self, left_out: &BTreeSet<By>) -> bool {
        self.order.is_some() && self.turn(left_out).is_none()
    }

    /// Has a table ordered it?
    pub(super) const fn is_ordered(&self) -> bool {
        self.ordered
    }

    /// Whether enough have shuffled that at least one of them is honest.
    pub(super) fn is_safe(&self, terms: &Terms) -> bool {
        let needed = terms.threshold().map_or(u32::from(terms.players.len()), u32::from);
        matches!(self.cards, Lying::One(_)) || self.steps >= needed
    }

    /// What the next shuffle builds on.
    pub(super) fn ground(&self, ground: &[u8; 32], number: u32) -> [u8; 32] {
        let hash = Sha256::new_with_prefix(b"fairdeal/deck/v1").chain_update(ground).chain_update(number.to_le_bytes());
        let hash = match &self.cards {
            Lying::One(card) => hash.chain_update(card.c1.bytes()).chain_update(card.c2.bytes()),
            Lying::Many(deck) => hash.chain_update(deck.hash()),
        };
        hash.chain_update(self.steps.to_le_bytes()).finalize().into()
    }

    /// How many have shuffled.
    pub(super) const fn steps(&self) -> u32 {
        self.steps
    }

    /// The one whose turn it is loses it.
    pub(super) fn skip(&mut self, left_out: &BTreeSet<By>) -> Option<By> {
        let skipped = self.turn(left_out)?;
        self.pass(skipped);
        Some(skipped)
    }

    /// This one has had or lost its turn.
    fn pass(&mut self, by: By) {
        let order = self.order.as_deref().unwrap_or_default();
        self.turn = order.iter().position(|member| *member == by).map_or(order.len(), |place| place + 1);
    }

    /// Takes the shuffle of the member whose turn it is.
    pub(super) fn shuffled(
        &mut self,
        terms: &Terms,
        joint: &Joint,
        number: u32,
        by: By,
        shuffled: (Deck, &ShuffleProof),
        trusted: bool,
    ) -> Result<(), Unfit> {
        let Lying::Many(before) = &self.cards else { return Err(Void::NotAwaited.into()) };
        let (after, proof) = shuffled;
        if !trusted {
            let context = terms.context(joint.ground, by).deck(number).step(self.steps);
            verify_shuffle(&context, &joint.key, before, &after, proof).map_err(Why::BadShuffle)?;
        }
        self.cards = Lying::Many(after);
        self.steps += 1;
        self.pass(by);
        Ok(())
    }
}

/// The points of a pack's cards, in order. Those of the pack that most games use are computed once.
fn points(pack: Pack) -> Cow<'static, [Element]> {
    static STANDARD: OnceLock<Vec<Element>> = OnceLock::new();
    let points = || (0..pack.len()).map(|i| card_point(&pack_id(pack), i)).collect();
    if pack == Pack::STANDARD { Cow::Borrowed(STANDARD.get_or_init(points)) } else { Cow::Owned(points()) }
}

/// Identifies a pack.
pub(super) fn pack_id(pack: Pack) -> [u8; 3] {
    match pack {
        Pack::Cards { decks, jokers } => [0, decks, jokers],
        Pack::Lots { faces } => [1, faces, 0],
    }
}

/// The order in which members shuffle, from a public random number: by the hash of number and member.
pub fn drawn_order(random: &[u8; 32], members: impl Iterator<Item = By>) -> Vec<By> {
    let mut drawn: Vec<([u8; 32], By)> = members
        .map(|by| (Sha256::new().chain_update(random).chain_update(author(by).to_le_bytes()).finalize().into(), by))
        .collect();
    drawn.sort_unstable();
    drawn.into_iter().map(|(_, by)| by).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CARDS: Pack = Pack::Cards { decks: 1, jokers: 0 };

    /// A deck whose cards are closed: no first half is the identity.
    fn closed(decks: &mut Decks) {
        decks.prepare(0, CARDS, Some(Vec::new()));
        if let Some(Shuffling { cards: Lying::Many(deck), .. }) = decks.get_mut(0) {
            let card = |card: &Ciphertext| Ciphertext { c1: card_point(b"closed", 0), ..*card };
            *deck = Deck::new(deck.iter().map(card).collect()).unwrap();
        }
    }

    fn begin(decks: &mut Decks, number: u32, slots: &[Slot], dealt: bool) -> Result<(), BadDeck> {
        let from = Source::Slots(slots.into());
        decks.begin(number, &from, &Faces::new(), &Map::new(), |_| dealt, None)
    }

    #[test]
    fn one_closed_card_that_was_dealt_before_makes_no_deck() {
        let mut decks = Decks::default();
        closed(&mut decks);
        let (one, other) = (Slot::new(0, 3), Slot::new(0, 4));
        assert_eq!(begin(&mut decks, 1, &[one], true), Err(BadDeck::Single));
        assert!(decks.get(1).is_none());
        assert_eq!(begin(&mut decks, 1, &[one], false), Ok(()), "a card that nobody has seen can be dealt");
        assert_eq!(begin(&mut decks, 2, &[one, other], true), Ok(()), "two cards are shuffled");
    }

    #[test]
    fn one_open_card_makes_a_deck() {
        let mut decks = Decks::default();
        decks.prepare(0, CARDS, Some(Vec::new()));
        assert_eq!(begin(&mut decks, 1, &[Slot::new(0, 3)], true), Ok(()));
    }

    #[test]
    fn a_prepared_deck_serves_only_who_orders_the_same_pack() {
        let mut decks = Decks::default();
        let order = |decks: &mut Decks, pack| {
            decks.begin(5, &Source::Pack(pack), &Faces::new(), &Map::new(), |_| false, None).unwrap();
            decks.get(5).map(|deck| (deck.pack, deck.is_ordered(), deck.needs_order()))
        };
        decks.prepare(5, CARDS, Some(Vec::new()));
        assert!(decks.get(5).is_some_and(|deck| !deck.is_ordered()));
        assert_eq!(order(&mut decks, CARDS), Some((Some(CARDS), true, false)));
        let lots = Pack::Lots { faces: 6 };
        decks = Decks::default();
        decks.prepare(5, CARDS, None);
        assert_eq!(order(&mut decks, lots), Some((Some(lots), true, true)));
        assert_eq!(order(&mut decks, CARDS), Some((Some(lots), true, true)), "what was ordered stays");
    }
}
