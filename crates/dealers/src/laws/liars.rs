//! Cheats, each with one method, for tests that they are caught.

use std::collections::BTreeMap;
use std::rc::Rc;

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use sha2::{Digest, Sha256};
use table::record::By;
use table::{Draw as _, Move, Rules};

use super::network::Letter;
use crate::joint::{Body, Message, Place, Replica, Said};

/// A way to cheat.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Liar {
    /// Falls silent at some point.
    Withholder,
    /// Tells different people different things.
    Equivocator,
    /// Repeats another's message as its own.
    Replayer,
    /// Exchanges or duplicates cards instead of shuffling, or cannot prove the shuffle.
    BadShuffle,
    /// Gives shares that open something else.
    WrongShare,
    /// Does not follow suit although it could.
    Revoker,
    /// Deals somebody a wrong share in the key generation.
    BadDkgShare,
    /// Complains about a share that is right.
    FalseComplainer,
    /// Copies the random part of another dealing, to have that dealing's share published.
    CopiedNonceDealer,
}

impl Liar {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Withholder,
        Self::Equivocator,
        Self::Replayer,
        Self::BadShuffle,
        Self::WrongShare,
        Self::Revoker,
        Self::BadDkgShare,
        Self::FalseComplainer,
        Self::CopiedNonceDealer,
    ];
}

type Spoken<R> = Said<<R as Rules>::Action>;

/// A liar at work.
pub(super) struct Lying<R: Rules> {
    liar: Liar,
    /// The first message at which it lies.
    cut: u32,
    /// The same player with a different shuffle: its messages are right too, but different.
    twin: Option<Replica<R>>,
    other: BTreeMap<Place, Message>,
    /// The hashes of its real messages, in order.
    places: Vec<[u8; 32]>,
    /// What it says instead, decided once for all listeners or, for some liars, for each half of them.
    told: BTreeMap<([u8; 32], bool), Option<Spoken<R>>>,
    rng: ChaCha8Rng,
    /// Whether it has told a lie.
    pub(super) lied: bool,
}

impl<R: Rules> Lying<R> {
    pub(super) fn new(liar: Liar, cut: u32, twin: Option<Replica<R>>, seed: [u8; 32]) -> Self {
        let seed = Sha256::new().chain_update(b"liar").chain_update(seed).finalize().into();
        let rng = ChaCha8Rng::from_seed(seed);
        let (other, places, told) = (BTreeMap::new(), Vec::new(), BTreeMap::new());
        Self { liar, cut, twin, other, places, told, rng, lied: false }
    }

    /// The twin decides the same as the player.
    pub(super) fn decide(&mut self, decided: Move<R::Action, R::Choice>) {
        if let Some(twin) = &mut self.twin {
            twin.decide(decided);
        }
        self.listen_to_twin();
    }

    /// The twin hears the same messages.
    pub(super) fn hear(&mut self, by: By, said: Spoken<R>) {
        if let Some(twin) = &mut self.twin {
            twin.receive(by, said);
        }
        self.listen_to_twin();
    }

    fn listen_to_twin(&mut self) {
        let said = self.twin.as_mut().map(Replica::take_outbox).unwrap_or_default();
        for said in said {
            if let Said::Dealing(message) = said {
                self.other.entry(message.place).or_insert(*message);
            }
        }
    }

    /// What it tells this listener instead; `None` for nothing.
    pub(super) fn tell(
        &mut self,
        replica: &Replica<R>,
        heard: &[Rc<Letter<R>>],
        to: usize,
        said: &Spoken<R>,
        digest: &[u8; 32],
    ) -> Option<Spoken<R>> {
        let digest = *digest;
        let number = self.places.iter().position(|known| *known == digest).unwrap_or_else(|| {
            self.places.push(digest);
            self.places.len() - 1
        });
        let half = self.liar == Liar::Equivocator && to % 2 == 1;
        if let Some(told) = self.told.get(&(digest, half)) {
            return told.clone();
        }
        let late = u32::try_from(number).is_ok_and(|number| number >= self.cut);
        let lie = match self.lie(replica, heard, late, half, said) {
            // Tried again when more has been heard.
            Lie::Wait => return None,
            Lie::Truth => Some(said.clone()),
            Lie::Silence => None,
            Lie::Instead(message) => Some(Said::Dealing(message)),
        };
        self.lied |= lie.as_ref() != Some(said);
        self.told.insert((digest, half), lie.clone());
        lie
    }

    fn lie(&mut self, replica: &Replica<R>, heard: &[Rc<Letter<R>>], late: bool, half: bool, said: &Spoken<R>) -> Lie {
        let Said::Dealing(message) = said else {
            return if self.liar == Liar::Withholder && late { Lie::Silence } else { Lie::Truth };
        };
        let me = replica.node().me();
        match self.liar {
            Liar::Withholder if late => Lie::Silence,
            Liar::Equivocator if half => match self.other.get(&message.place) {
                Some(other) if other != &**message => Lie::Instead(Box::new(other.clone())),
                _ if late => self.scratched(message),
                _ => Lie::Truth,
            },
            Liar::Replayer if late => {
                let others = heard.iter().filter(|letter| letter.by != me);
                let mut same = others.filter_map(|letter| match &letter.said {
                    Said::Dealing(other)
                        if other.place.kind() == message.place.kind() && other.body != message.body =>
                    {
                        Some(other)
                    }
                    _ => None,
                });
                same.next_back().map_or(Lie::Truth, |other| instead(message, other.body.clone()))
            }
            Liar::BadShuffle => match &message.body {
                Body::Shuffle(shuffled) => {
                    let mut cards: Vec<_> = shuffled.0.iter().copied().collect();
                    let (one, other) = (self.below(cards.len()), self.below(cards.len()));
                    match self.rng.below(3) {
                        0 if one != other => cards.swap(one, other),
                        1 if one != other => {
                            if let Some(card) = cards.get(other).copied()
                                && let Some(place) = cards.get_mut(one)
                            {
                                *place = card;
                            }
                        }
                        _ => return self.scratched(message),
                    }
                    let Ok(deck) = dealing::Deck::new(cards) else { return Lie::Truth };
                    let body = Body::Shuffle(Box::new((deck, shuffled.1.clone())));
                    instead(message, body)
                }
                _ => Lie::Truth,
            },
            Liar::WrongShare => match &message.body {
                Body::Shares(shares) | Body::Show { shares, .. } if shares.points.len() > 1 && self.rng.one_in(2) => {
                    let mut message = message.clone();
                    if let Body::Shares(shares) | Body::Show { shares, .. } = &mut message.body {
                        shares.points.rotate_left(1);
                    }
                    Lie::Instead(message)
                }
                Body::Sealed(sealed) if sealed.len() > 1 && self.rng.one_in(2) => {
                    let mut sealed = sealed.clone();
                    sealed.rotate_left(1);
                    instead(message, Body::Sealed(sealed))
                }
                Body::Shares(_) | Body::Show { .. } | Body::Sealed(_) | Body::Beacon(_) => self.scratched(message),
                _ => Lie::Truth,
            },
            Liar::BadDkgShare => {
                replica.node().wrong_dealing(message).map_or(Lie::Truth, |lie| Lie::Instead(Box::new(lie)))
            }
            Liar::FalseComplainer => {
                replica.node().false_complaint(message).map_or(Lie::Truth, |lie| Lie::Instead(Box::new(lie)))
            }
            Liar::CopiedNonceDealer if matches!(message.body, Body::Dealing(_)) => {
                let theirs = heard.iter().filter(|letter| letter.by != me).find_map(|letter| match &letter.said {
                    Said::Dealing(other) if other.place == message.place => Some(other),
                    _ => None,
                });
                theirs.map_or(Lie::Wait, |theirs| {
                    copied_nonce(message, theirs).map_or(Lie::Truth, |lie| Lie::Instead(Box::new(lie)))
                })
            }
            Liar::Withholder | Liar::Equivocator | Liar::Replayer | Liar::Revoker | Liar::CopiedNonceDealer => {
                Lie::Truth
            }
        }
    }

    /// The message with one byte of its body changed, but still decodable.
    fn scratched(&mut self, message: &Message) -> Lie {
        let bytes = dealing::encode(message);
        // Place and ground stay the same: only the body is wrong.
        let head = dealing::encode(&message.place).len() + 32;
        for _ in 0..1000 {
            let mut bytes = bytes.clone();
            let at = head + self.below(bytes.len() - head);
            let bit = self.rng.below(8);
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << bit;
            }
            if let Ok(other) = dealing::decode::<Message>(&bytes) {
                return Lie::Instead(Box::new(other));
            }
        }
        Lie::Silence
    }

    fn below(&mut self, len: usize) -> usize {
        usize::try_from(self.rng.below(u32::try_from(len).unwrap_or(1))).unwrap_or(0)
    }
}

/// The replacement for a message.
enum Lie {
    Truth,
    Silence,
    Wait,
    Instead(Box<Message>),
}

fn instead(message: &Message, body: Body) -> Lie {
    Lie::Instead(Box::new(Message { body, ..message.clone() }))
}

/// Its own dealing with the `R` of another, which comes after the commitments.
fn copied_nonce(mine: &Message, theirs: &Message) -> Option<Message> {
    let (mut bytes, other) = (dealing::encode(mine), dealing::encode(theirs));
    let head = dealing::encode(&mine.place).len() + 32;
    let count = bytes.get(head..head + 2)?;
    let count = usize::from(u16::from_le_bytes([*count.first()?, *count.get(1)?]));
    let r = head + 2 + 32 * count..head + 2 + 32 * (count + 1);
    bytes.get_mut(r.clone())?.copy_from_slice(other.get(r)?);
    dealing::decode(&bytes).ok()
}
