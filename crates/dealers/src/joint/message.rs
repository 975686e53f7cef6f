//! The messages of a joint dealing, and their encoding.
//!
//! A message says where in the protocol it belongs ([`Place`]), and what it builds on: a hash over the messages
//! of others that it depends on. If somebody was left out while it was on its way, it builds on something else than
//! what the log says. Then it is void, nobody is to blame, and its author says it again on the new ground.
//!
//! | place | by | says | bytes, after 33 to 41 of place and ground |
//! |---|---|---|---|
//! | key | member | public keys with proofs of knowledge | 2 + 96 each |
//! | player key | player | the key that cards are sealed to | 98 |
//! | dealing | member | its part in a key generation | 164 + 32 (t + N) |
//! | ready | member | complaints, or none | 2 + 130 each |
//! | beacon | member | its share of a public random number | 128 |
//! | shuffle | member | the deck shuffled, and the proof | 322 + 160 a card |
//! | shares | member | shares of cards to be opened | 98 + 32 a card |
//! | sealed | member | shares sealed to the owners of cards | 100 + 64 a card + 64 an owner |
//! | show | player | cards laid face up | 102 + 38 a card + 2 a sealer of each |
//! | commit, reveal | player | a secret choice, first hidden, then open | 32; 34 and the choice |
//! | choice | player | a choice that needs no secrecy | 2 and the choice |

use dealing::beacon::Contribution;
use dealing::dkg::{Complaint, Dealing};
use dealing::{
    Deck, Element, Knowledge, MOST_CARDS, Malformed, Reader, SealedShares, Shares, ShuffleProof, Wire, write_counted,
};
use sha2::{Digest, Sha256};
use table::Slot;
use table::record::By;

use super::terms::{MOST_MEMBERS, Terms, author, by_number};

/// The longest choice, written as JSON.
pub const LONGEST_CHOICE: usize = 4096;

/// The most sealers of shown cards in one message.
const MOST_SEALERS: usize = 0x8000;

/// Where a message belongs. What an author says first in a place, on the right ground, counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Place {
    /// The keys of a member.
    Key,
    /// The key of a player.
    PlayerKey,
    /// A member's part in a key generation.
    Dealing(u8),
    /// A member's complaints in a key generation.
    Ready(u8),
    /// The random number that decides the order of shufflers.
    Beacon(u32),
    /// The shuffle of a deck.
    Shuffle(u32),
    /// Shares of the cards opened at a height.
    Shares(u64),
    /// Shares of the cards dealt at a height.
    Sealed(u64),
    /// The cards a player lays down at a height.
    Show(u64),
    /// The commitment to a choice at a height.
    Commit(u64),
    /// That choice, revealed.
    Reveal(u64),
    /// A choice at a height that needs no secrecy.
    Choice(u64),
}

impl Place {
    /// Its name in records.
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Key => "key",
            Self::PlayerKey => "player_key",
            Self::Dealing(_) => "dealing",
            Self::Ready(_) => "ready",
            Self::Beacon(_) => "beacon",
            Self::Shuffle(_) => "shuffle",
            Self::Shares(_) => "shares",
            Self::Sealed(_) => "sealed",
            Self::Show(_) => "show",
            Self::Commit(_) => "commit",
            Self::Reveal(_) => "reveal",
            Self::Choice(_) => "choice",
        }
    }

    /// The height it belongs to, if any.
    pub const fn height(self) -> Option<u64> {
        match self {
            Self::Key | Self::PlayerKey | Self::Dealing(_) | Self::Ready(_) | Self::Beacon(_) | Self::Shuffle(_) => {
                None
            }
            Self::Shares(height)
            | Self::Sealed(height)
            | Self::Show(height)
            | Self::Commit(height)
            | Self::Reveal(height)
            | Self::Choice(height) => Some(height),
        }
    }

    fn tag(self) -> u8 {
        match self {
            Self::Key => 1,
            Self::PlayerKey => 2,
            Self::Dealing(_) => 3,
            Self::Ready(_) => 4,
            Self::Beacon(_) => 5,
            Self::Shuffle(_) => 6,
            Self::Shares(_) => 7,
            Self::Sealed(_) => 8,
            Self::Show(_) => 9,
            Self::Commit(_) => 10,
            Self::Reveal(_) => 11,
            Self::Choice(_) => 12,
        }
    }
}

impl Wire for Place {
    fn write(&self, out: &mut Vec<u8>) {
        self.tag().write(out);
        match *self {
            Self::Key | Self::PlayerKey => {}
            Self::Dealing(ceremony) | Self::Ready(ceremony) => ceremony.write(out),
            Self::Beacon(deck) | Self::Shuffle(deck) => deck.write(out),
            Self::Shares(height)
            | Self::Sealed(height)
            | Self::Show(height)
            | Self::Commit(height)
            | Self::Reveal(height)
            | Self::Choice(height) => height.write(out),
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(match u8::read(from)? {
            1 => Self::Key,
            2 => Self::PlayerKey,
            3 => Self::Dealing(u8::read(from)?),
            4 => Self::Ready(u8::read(from)?),
            5 => Self::Beacon(u32::read(from)?),
            6 => Self::Shuffle(u32::read(from)?),
            7 => Self::Shares(u64::read(from)?),
            8 => Self::Sealed(u64::read(from)?),
            9 => Self::Show(u64::read(from)?),
            10 => Self::Commit(u64::read(from)?),
            11 => Self::Reveal(u64::read(from)?),
            12 => Self::Choice(u64::read(from)?),
            other => return Err(Malformed::Unknown(other)),
        })
    }
}

/// A message. Its author is known from the channel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// Where it belongs.
    pub place: Place,
    /// What it builds on; zeros if it builds on nothing.
    pub on: [u8; 32],
    /// What it says.
    pub body: Body,
}

/// What a message says. Decoding ensures that it fits its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Body {
    /// Keys with proofs of knowledge.
    Keys(Vec<Announced>),
    /// A part in the key generation.
    Dealing(Box<Dealing>),
    /// Complaints.
    Complaints(Vec<Complaining>),
    /// A share of a random number.
    Beacon(Contribution),
    /// A deck and its proof.
    Shuffle(Box<(Deck, ShuffleProof)>),
    /// Shares.
    Shares(Shares),
    /// Sealed shares.
    Sealed(SealedShares),
    /// Cards laid face up: which, and whose sealed shares each is opened from.
    Show {
        /// Which.
        slots: Vec<Slot>,
        /// If cards were dealt sealed: for each card in turn, as many members as needed.
        from: Vec<By>,
        /// The owner's shares.
        shares: Shares,
    },
    /// A hash.
    Commit([u8; 32]),
    /// A choice and the nonce of its commitment.
    Reveal {
        /// As JSON.
        choice: Vec<u8>,
        /// The nonce it was hashed with.
        nonce: [u8; 32],
    },
    /// A choice as JSON.
    Choice(Vec<u8>),
}

/// A complaint and its target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Complaining {
    /// Whom it is about.
    pub against: By,
    /// The complaint, which is its own proof.
    pub complaint: Complaint,
}

/// A public key with a proof that its secret is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Announced {
    /// The key.
    pub key: Element,
    /// The proof.
    pub proof: Knowledge,
}

impl Place {
    /// The place of an encoded message, without decoding the rest, which costs more.
    pub fn of(bytes: &[u8]) -> Result<Self, Malformed> {
        Self::read(&mut Reader::new(bytes))
    }

    /// How many bytes an encoded message in this place can have at most, at a table whose decks have at most so many
    /// cards. Nobody has to decode a longer one: it cannot be valid.
    pub fn most_bytes(self, terms: &Terms, cards: u16) -> usize {
        let head = dealing::encode(&self).len() + 32;
        let (members, cards) = (terms.members().len(), usize::from(cards).min(MOST_CARDS));
        let threshold = terms.threshold().map_or(0, usize::from);
        head + match self {
            Self::Key => 2 + 96 * usize::from(terms.ceremonies()),
            Self::PlayerKey => 2 + 96,
            Self::Dealing(_) => 164 + 32 * (threshold + members),
            Self::Ready(_) => 2 + 130 * members,
            Self::Beacon(_) => 128,
            Self::Shuffle(_) => 322 + 160 * cards,
            Self::Shares(_) => 98 + 32 * cards,
            Self::Sealed(_) => 100 + 64 * (cards + cards.min(terms.players.len().into())),
            Self::Show(_) => 102 + (38 + 2 * threshold) * cards,
            Self::Commit(_) => 32,
            Self::Reveal(_) => 34 + LONGEST_CHOICE,
            Self::Choice(_) => 2 + LONGEST_CHOICE,
        }
    }
}

impl Message {
    /// Identifies the message.
    pub fn hash(&self) -> [u8; 32] {
        Sha256::digest(dealing::encode(self)).into()
    }
}

impl Wire for Message {
    fn write(&self, out: &mut Vec<u8>) {
        self.place.write(out);
        self.on.write(out);
        match &self.body {
            Body::Keys(keys) => write_counted(keys, out),
            Body::Dealing(dealing) => dealing.write(out),
            Body::Complaints(complaints) => write_counted(complaints, out),
            Body::Beacon(contribution) => contribution.write(out),
            Body::Shuffle(shuffle) => {
                shuffle.0.write(out);
                shuffle.1.write(out);
            }
            Body::Shares(shares) => shares.write(out),
            Body::Sealed(sealed) => sealed.write(out),
            Body::Show { slots, from, shares } => {
                write_counted(&slots.iter().copied().map(WireSlot).collect::<Vec<_>>(), out);
                write_counted(&from.iter().copied().map(WireBy).collect::<Vec<_>>(), out);
                shares.write(out);
            }
            Body::Commit(hash) => hash.write(out),
            Body::Reveal { choice, nonce } => {
                write_counted(choice, out);
                nonce.write(out);
            }
            Body::Choice(choice) => write_counted(choice, out),
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        let place = Place::read(from)?;
        let on = from.array()?;
        let body = match place {
            Place::Key => Body::Keys(from.counted(1, 2)?),
            Place::PlayerKey => Body::Keys(from.counted(1, 1)?),
            Place::Dealing(_) => Body::Dealing(Box::new(Dealing::read(from)?)),
            Place::Ready(_) => Body::Complaints(from.counted(0, MOST_MEMBERS.into())?),
            Place::Beacon(_) => Body::Beacon(Contribution::read(from)?),
            Place::Shares(_) => Body::Shares(Shares::read(from)?),
            Place::Shuffle(_) => {
                let deck = Deck::read(from)?;
                let proof = ShuffleProof::read_for(deck.len(), from)?;
                Body::Shuffle(Box::new((deck, proof)))
            }
            Place::Sealed(_) => Body::Sealed(SealedShares::read(from)?),
            Place::Show(_) => Body::Show {
                slots: from.counted::<WireSlot>(1, MOST_CARDS)?.into_iter().map(|slot| slot.0).collect(),
                from: from.counted::<WireBy>(0, MOST_SEALERS)?.into_iter().map(|by| by.0).collect(),
                shares: Shares::read(from)?,
            },
            Place::Commit(_) => Body::Commit(from.array()?),
            Place::Reveal(_) => Body::Reveal { choice: from.counted(1, LONGEST_CHOICE)?, nonce: from.array()? },
            Place::Choice(_) => Body::Choice(from.counted(1, LONGEST_CHOICE)?),
        };
        Ok(Self { place, on, body })
    }
}

impl Wire for Announced {
    fn write(&self, out: &mut Vec<u8>) {
        self.key.write(out);
        self.proof.write(out);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self { key: Element::read(from)?, proof: Knowledge::read(from)? })
    }
}

impl Wire for Complaining {
    fn write(&self, out: &mut Vec<u8>) {
        WireBy(self.against).write(out);
        self.complaint.write(out);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self { against: WireBy::read(from)?.0, complaint: Complaint::read(from)? })
    }
}

pub(super) struct WireSlot(pub(super) Slot);

impl Wire for WireSlot {
    fn write(&self, out: &mut Vec<u8>) {
        self.0.deck.write(out);
        self.0.index.write(out);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self(Slot::new(u32::read(from)?, u16::read(from)?)))
    }
}

pub(super) struct WireBy(pub(super) By);

impl Wire for WireBy {
    fn write(&self, out: &mut Vec<u8>) {
        author(self.0).write(out);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        let number = u16::read(from)?;
        by_number(number).map(Self).ok_or(Malformed::Unknown(u8::MAX))
    }
}
