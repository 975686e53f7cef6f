//! Cheats, each with one method, for tests that they are caught, or that what they do has no effect.

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use sha2::{Digest, Sha256};
use table::record::By;
use table::{Draw as _, Refused, Rules};

use super::network::{Logged, Spoken};
use crate::joint::{Body, Message, Replica, Said};

/// A way to cheat.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Liar {
    /// Falls silent at some point.
    Withholder,
    /// Falls silent after its first action: somebody who has folded and gives no more shares.
    Quitter,
    /// Says a second, wrong thing in places where it has already said the right one.
    Equivocator,
    /// Says everything, but only after it was left out for being late.
    Latecomer,
    /// Repeats another's message as its own.
    Replayer,
    /// Exchanges or duplicates cards instead of shuffling, or cannot prove the shuffle.
    BadShuffle,
    /// Gives shares that open something else.
    WrongShare,
    /// Does not follow suit although it could.
    Revoker,
    /// Does what the rules forbid.
    WrongActor,
    /// Opens another choice than the one it committed to.
    FalseRevealer,
    /// Commits to a choice and does not open it.
    NonRevealer,
    /// Deals somebody a wrong share in the key generation.
    BadDkgShare,
    /// Complains about a share that is right.
    FalseComplainer,
    /// Copies the random part of another dealing, to have that dealing's share published.
    CopiedNonceDealer,
}

impl Liar {
    /// All of them.
    pub const ALL: [Self; 14] = [
        Self::Withholder,
        Self::Quitter,
        Self::Equivocator,
        Self::Latecomer,
        Self::Replayer,
        Self::BadShuffle,
        Self::WrongShare,
        Self::Revoker,
        Self::WrongActor,
        Self::FalseRevealer,
        Self::NonRevealer,
        Self::BadDkgShare,
        Self::FalseComplainer,
        Self::CopiedNonceDealer,
    ];

    /// Does it only stay away, so that nothing can be proven?
    pub const fn is_silent(self) -> bool {
        matches!(self, Self::Withholder | Self::Quitter | Self::Latecomer | Self::NonRevealer)
    }

    /// Has what it does no effect, and is nobody blamed?
    pub const fn is_void(self) -> bool {
        matches!(self, Self::Equivocator)
    }
}

/// A liar at work.
pub(super) struct Lying<R: Rules> {
    liar: Liar,
    /// The first message at which it lies.
    cut: u32,
    /// How many messages it has wanted to send.
    count: u32,
    /// What it keeps back until it has heard more.
    held: Vec<Spoken<R>>,
    rng: ChaCha8Rng,
    acted: bool,
    /// Whether it has told a lie.
    pub(super) lied: bool,
}

impl<R: Rules> Lying<R> {
    pub(super) fn new(liar: Liar, cut: u32, seed: [u8; 32]) -> Self {
        let seed = Sha256::new().chain_update(b"liar").chain_update(seed).finalize().into();
        let rng = ChaCha8Rng::from_seed(seed);
        Self { liar, cut, count: 0, held: Vec::new(), rng, acted: false, lied: false }
    }

    /// What it says instead of this.
    pub(super) fn tell(&mut self, replica: &Replica<R>, heard: &[Logged<R>], said: Vec<Spoken<R>>) -> Vec<Spoken<R>> {
        let mut told = Vec::new();
        let mut all = core::mem::take(&mut self.held);
        all.extend(said);
        for said in all {
            match self.lie(replica, heard, &said) {
                Lie::Truth => told.push(said),
                Lie::Silence => self.lied = true,
                Lie::Wait => {
                    self.held.push(said);
                    continue;
                }
                Lie::Instead(lie) => {
                    self.lied |= *lie != said;
                    told.push(*lie);
                }
                Lie::Also(lie) => {
                    self.lied = true;
                    told.extend([said, *lie]);
                }
            }
            self.count += 1;
        }
        told
    }

    fn lie(&mut self, replica: &Replica<R>, heard: &[Logged<R>], said: &Spoken<R>) -> Lie<R> {
        let me = replica.node().me();
        let late = self.count >= self.cut;
        let message = match said {
            Said::Dealing(message) => message,
            Said::Act { height, on, .. } => {
                let lie = match self.liar {
                    Liar::Withholder if late => return Lie::Silence,
                    Liar::Quitter if self.acted => return Lie::Silence,
                    Liar::WrongActor => illegal_act(replica, heard, *height, *on),
                    _ => None,
                };
                self.acted = true;
                return lie.map_or(Lie::Truth, |lie| Lie::Instead(Box::new(lie)));
            }
        };
        match self.liar {
            Liar::Withholder if late => Lie::Silence,
            Liar::Quitter if self.acted => Lie::Silence,
            Liar::NonRevealer if matches!(message.body, Body::Reveal { .. }) => Lie::Silence,
            Liar::Equivocator => match self.scratched(message) {
                Lie::Instead(other) => Lie::Also(other),
                _ => Lie::Truth,
            },
            Liar::Latecomer => {
                if replica.node().ledger().left_out().any(|out| out == me) {
                    self.lied = true;
                    Lie::Truth
                } else {
                    Lie::Wait
                }
            }
            Liar::Replayer if late => {
                let same = |other: &&Message| other.place.kind() == message.place.kind() && other.body != message.body;
                let other = others(heard, me).filter(same).last();
                other.map_or(Lie::Truth, |other| instead(message, other.body.clone()))
            }
            Liar::FalseRevealer => match &message.body {
                Body::Reveal { choice, nonce } => {
                    let mut nonce = *nonce;
                    nonce.rotate_left(1);
                    instead(message, Body::Reveal { choice: choice.clone(), nonce })
                }
                _ => Lie::Truth,
            },
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
                    Lie::Instead(Box::new(Said::Dealing(message)))
                }
                Body::Sealed(sealed) if sealed.cards.len() > 1 && self.rng.one_in(2) => {
                    let mut sealed = sealed.clone();
                    sealed.cards.rotate_left(1);
                    instead(message, Body::Sealed(sealed))
                }
                Body::Shares(_) | Body::Show { .. } | Body::Sealed(_) | Body::Beacon(_) => self.scratched(message),
                _ => Lie::Truth,
            },
            Liar::BadDkgShare => replica.node().wrong_dealing(message).map_or(Lie::Truth, said_instead),
            Liar::FalseComplainer => replica.node().false_complaint(message).map_or(Lie::Truth, said_instead),
            Liar::CopiedNonceDealer if matches!(message.body, Body::Dealing(_)) => {
                let theirs = others(heard, me).find(|other| other.place == message.place);
                theirs.map_or(Lie::Wait, |theirs| copied_nonce(message, theirs).map_or(Lie::Truth, said_instead))
            }
            Liar::Withholder
            | Liar::Quitter
            | Liar::NonRevealer
            | Liar::Replayer
            | Liar::Revoker
            | Liar::WrongActor
            | Liar::CopiedNonceDealer => Lie::Truth,
        }
    }

    /// The message with one byte of its body changed, but still decodable.
    fn scratched(&mut self, message: &Message) -> Lie<R> {
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
                return said_instead(other);
            }
        }
        Lie::Silence
    }

    fn below(&mut self, len: usize) -> usize {
        usize::try_from(self.rng.below(u32::try_from(len).unwrap_or(1))).unwrap_or(0)
    }
}

/// What is said for a message.
enum Lie<R: Rules> {
    Truth,
    Silence,
    Wait,
    Instead(Box<Spoken<R>>),
    /// And then this.
    Also(Box<Spoken<R>>),
}

fn instead<R: Rules>(message: &Message, body: Body) -> Lie<R> {
    said_instead(Message { body, ..message.clone() })
}

fn said_instead<R: Rules>(message: Message) -> Lie<R> {
    Lie::Instead(Box::new(Said::Dealing(Box::new(message))))
}

/// What others have said about dealing.
fn others<R: Rules>(heard: &[Logged<R>], me: By) -> impl Iterator<Item = &Message> {
    heard.iter().filter_map(move |entry| match entry {
        Logged::Said(by, Said::Dealing(message)) if *by != me => Some(&**message),
        _ => None,
    })
}

/// An action that somebody took before, and that is against the rules now.
fn illegal_act<R: Rules>(replica: &Replica<R>, heard: &[Logged<R>], height: u64, on: [u8; 32]) -> Option<Spoken<R>> {
    let By::Seat(seat) = replica.node().me() else { return None };
    let table = replica.table();
    let acts = heard.iter().filter_map(|entry| match entry {
        Logged::Said(_, Said::Act { action, .. }) => Some(action),
        _ => None,
    });
    let illegal = |action: &&R::Action| {
        let tried = table.clone().act(table.height(), seat, action, replica.node().ledger().opened());
        matches!(tried, Err(Refused::Illegal(_)))
    };
    acts.rev().find(illegal).map(|action| Said::Act { height, on, action: action.clone() })
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
