//! A player's half: what a seat keeps, and when it must not reveal its seed.
//!
//! ```text
//! asked to commit   sent with a new seed, and kept                       another session: nothing is sent
//! asked to reveal   all commitments are kept, then the seed is sent      another session, other commitments than
//!                                                                        were kept before, or no list of all seats:
//!                                                                        nothing is sent, ever again
//! ```
//!
//! A house that has seen the seeds of a deck can gain by starting again: with another seed of its own, with another
//! seat left out, or under another session, for which everybody makes new seeds. A witness therefore answers for one
//! session of a table and for one list of commitments of a deck. What it returns must be stored *before* the answer is
//! sent, since a house can also wait until a program has been started again.
//!
//! ```
//! use dealers::house::{Asked, Seed, Witness};
//! # use dealers::house::{Commitments, Pledge, Publish};
//! # let (session, seat, deck) = ([1; 32], table::Seat::new(0).unwrap(), 0);
//! let mut witness = Witness::new("0123456789abcdef", seat);
//! let seed = Seed { seed: [5; 32], nonce: [6; 32] };
//! let commitment = seed.commitment(&session, deck, seat);
//! let line = serde_json::to_string(witness.commits(&session, deck, commitment)?)?;
//! // Store the line and the seed, then send the commitment.
//! witness.taken(deck, Asked::Commitments);
//! # let house = seed.commitment(&session, 9, seat);
//! # let shown = Commitments { publish: Publish::Never, house, seats: vec![Pledge::Commitment(commitment)] };
//! let line = serde_json::to_string(witness.sees(&session, deck, &shown)?)?;
//! // Store the line, then send the seed.
//! witness.taken(deck, Asked::Seeds);
//! # assert!(line.contains("commitments"));
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```

use core::fmt;
use std::collections::BTreeMap;

use dealing::Commitment;
use table::Seat;

use super::{Answer, Asked, Commitments, Kept, Own};

/// One seat at one table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    table: String,
    seat: Seat,
    session: Option<[u8; 32]>,
    decks: BTreeMap<u32, Kept>,
    suspicion: Option<Suspicion>,
}

/// Why a seat does not answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Suspicion {
    /// The table was begun before under another session.
    OtherSession,
    /// Other commitments were shown for this deck before.
    OtherCommitments(u32),
    /// The list leaves this seat out, or has not its commitment but another: another device of the same player may
    /// have been faster. This alone is no reason to stop answering.
    NotMine(u32),
    /// The house took this seat's commitment and shows another in its place.
    Replaced(u32),
}

impl fmt::Display for Suspicion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherSession => f.write_str("the house has begun this table before, under another session"),
            Self::OtherCommitments(deck) => write!(f, "the house showed other commitments for deck {deck} before"),
            Self::NotMine(deck) => write!(f, "the commitment shown for this seat and deck {deck} is not its own"),
            Self::Replaced(deck) => {
                write!(f, "the house took this seat's commitment for deck {deck} and shows another")
            }
        }
    }
}

impl core::error::Error for Suspicion {}

impl Witness {
    /// Nothing has been seen.
    pub fn new(table: &str, seat: Seat) -> Self {
        Self { table: table.to_owned(), seat, session: None, decks: BTreeMap::new(), suspicion: None }
    }

    /// Goes on with what was stored; later lines of a deck stand for earlier ones.
    pub fn restored(table: &str, seat: Seat, stored: impl IntoIterator<Item = Kept>) -> Result<Self, Suspicion> {
        let mut witness = Self::new(table, seat);
        for kept in stored.into_iter().filter(|kept| kept.table == table && kept.seat == seat) {
            witness.in_session(&kept.session)?;
            let before = witness.decks.get(&kept.deck).and_then(|before| before.commitments.as_ref());
            if before.is_some() && before != kept.commitments.as_ref() {
                return Err(Suspicion::OtherCommitments(kept.deck));
            }
            witness.decks.insert(kept.deck, kept);
        }
        Ok(witness)
    }

    /// The seat is asked for a commitment and will send this one: what to store before.
    pub fn commits(&mut self, session: &[u8; 32], deck: u32, commitment: Commitment) -> Result<&Kept, Suspicion> {
        self.in_session(session)?;
        let kept = self.deck(session, deck);
        kept.own.get_or_insert(Own { commitment, commit: Answer::Sent, reveal: None });
        Ok(kept)
    }

    /// The seat is asked for its seed and shown these commitments: what to store before it sends that.
    pub fn sees(&mut self, session: &[u8; 32], deck: u32, shown: &Commitments) -> Result<&Kept, Suspicion> {
        self.in_session(session)?;
        let seat = usize::from(self.seat.index());
        let kept = self.deck(session, deck);
        let suspicion = match (&kept.commitments, kept.own) {
            (Some(before), _) if before != shown => Suspicion::OtherCommitments(deck),
            (_, own) => {
                kept.commitments = Some(shown.clone());
                let mine = own.map(|own| own.commitment);
                if mine.is_none() || shown.seats.get(seat).and_then(|pledge| pledge.commitment()) != mine {
                    match own.map(|own| own.commit) {
                        Some(Answer::Taken) => Suspicion::Replaced(deck),
                        _ => return Err(Suspicion::NotMine(deck)),
                    }
                } else {
                    if let Some(own) = &mut kept.own {
                        own.reveal.get_or_insert(Answer::Sent);
                    }
                    return Ok(self.deck(session, deck));
                }
            }
        };
        self.suspicion = Some(suspicion);
        Err(suspicion)
    }

    /// The house has said that it has what it asked for.
    pub fn taken(&mut self, deck: u32, what: Asked) {
        if let Some(own) = self.decks.get_mut(&deck).and_then(|kept| kept.own.as_mut()) {
            match what {
                Asked::Commitments => own.commit = Answer::Taken,
                Asked::Seeds => own.reveal = Some(Answer::Taken),
            }
        }
    }

    /// Everything, as it stands now.
    pub fn kept(&self) -> impl Iterator<Item = &Kept> {
        self.decks.values()
    }

    /// The seat answers for one session, and for none once something was wrong.
    fn in_session(&mut self, session: &[u8; 32]) -> Result<(), Suspicion> {
        if let Some(suspicion) = self.suspicion {
            return Err(suspicion);
        }
        if self.session.get_or_insert(*session) != session {
            self.suspicion = Some(Suspicion::OtherSession);
            return Err(Suspicion::OtherSession);
        }
        Ok(())
    }

    fn deck(&mut self, session: &[u8; 32], deck: u32) -> &mut Kept {
        let (table, seat) = (&self.table, self.seat);
        self.decks.entry(deck).or_insert_with(|| Kept {
            table: table.clone(),
            session: *session,
            seat,
            deck,
            commitments: None,
            own: None,
        })
    }
}
