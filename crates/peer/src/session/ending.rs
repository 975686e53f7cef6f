//! How a match ended, and who has signed it.

use core::fmt;

use results::{Callsign, Facts, Form, Hash, Secret, Signature, Signed, Timestamp, Uuid};
use table::{Seat, Seats, Standing};

use crate::body::Body;
use crate::entry::Head;
use crate::hash::hash;
use crate::lobby::Begun;
use crate::member::Heard;
use crate::seal::TableId;
use crate::session::effect::Nothing;
use crate::ticket::Ticket;

/// Why a match ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// It was played to its end.
    Over,
    /// It never began: this seat did not open its seed, or opened another one.
    NotBegun {
        /// Who.
        seat: Seat,
    },
    /// Too few were left; the standing after the last finished deal counts.
    Abandoned,
    /// Only people who run the hub say that a seat was late. Nobody pays.
    Disputed {
        /// The seat of the last who said so.
        by: u8,
        /// The seat that is said to be late.
        seat: Seat,
    },
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Over => f.write_str("the match was played to its end"),
            Self::NotBegun { seat } => write!(f, "the match never began: {seat} did not open its seed"),
            Self::Abandoned => f.write_str("the match was abandoned because too few players were left"),
            Self::Disputed { seat, .. } => {
                write!(f, "the match is disputed: only the player who runs the hub says that {seat} was late")
            }
        }
    }
}

/// The end of a match.
#[derive(Clone, Debug)]
pub struct Ended {
    /// Why.
    pub why: Why,
    /// How it stood.
    pub standing: Option<Standing>,
    /// How many deals had begun.
    pub deals: u32,
    /// The log up to the entry that ended it.
    pub head: Head,
    /// The result with the signatures so far, in both forms. Only a match with a standing has one.
    result: Option<Box<(Signed, Signed)>>,
    /// The line of each seat in the result.
    lines: Vec<usize>,
    /// The seats that have said that they have the complete result.
    pub informed: Seats,
    /// Who wants to play again, and the way to the new table.
    again: Option<(Seat, Box<Ticket>)>,
}

impl Ended {
    pub(super) fn new(
        begun: &Begun,
        why: Why,
        standing: Option<Standing>,
        deals: u32,
        combined: Option<Hash>,
        heard: &Heard,
    ) -> Self {
        let undisputed = matches!(why, Why::Over | Why::Abandoned);
        let result = standing.as_ref().zip(combined).filter(|_| undisputed);
        let result = result.and_then(|(standing, combined)| {
            let people = begun.players.iter().map(|player| {
                let key = player.join.identity;
                (Callsign::of_player(&key), key)
            });
            let people: Vec<_> = people.collect();
            let players = Facts::players_of(standing, &people);
            let facts = Facts {
                id: Uuid::from_hash(&begun.id),
                game: begun.start.game,
                at: Timestamp::from_seconds(heard.clock / 1000)?,
                seed: combined,
                log_hash: Some(Hash(heard.head.hash)),
                players,
            };
            let body = results::Body::new(facts, Form::Result { deals }).ok()?;
            let export = body.card_game();
            Some(Box::new((Signed::new(body), Signed::new(export))))
        });
        let lines = begun.players.iter().filter_map(|player| {
            let facts = result.as_ref()?.0.body().facts();
            facts.players.iter().position(|line| line.key == player.join.identity)
        });
        let lines = lines.collect();
        Self { why, standing, deals, head: heard.head, result, lines, informed: Seats::NONE, again: None }
    }

    /// The result with the signatures so far.
    pub fn result(&self) -> Option<&Signed> {
        self.result.as_ref().map(|both| &both.0)
    }

    /// The result in the form for exchange.
    pub fn export(&self) -> Option<&Signed> {
        self.result.as_ref().map(|both| &both.1)
    }

    /// Whether everybody has signed.
    pub fn is_complete(&self) -> bool {
        self.result.is_some() && self.unsigned().is_empty()
    }

    /// The seats that have not signed.
    pub fn unsigned(&self) -> Vec<Seat> {
        let Some(both) = &self.result else { return Vec::new() };
        let signed = |line: &usize| both.0.signatures().get(*line).is_some_and(Option::is_some);
        let seats = self.lines.iter().enumerate().filter(|(_, line)| !signed(line));
        seats.filter_map(|(place, _)| super::to_seat(place)).collect()
    }

    /// Who has invited everybody to a rematch, and the ticket.
    pub fn again(&self) -> Option<(Seat, &Ticket)> {
        self.again.as_ref().map(|(seat, ticket)| (*seat, &**ticket))
    }

    /// A player invites everybody to a new table. The first invitation counts. An error changes nothing.
    pub(super) fn invite(&mut self, seat: Seat, ticket: &Ticket, here: TableId) -> Result<(), Nothing> {
        if self.again.is_some() {
            return Err(Nothing::NotNow);
        }
        if ticket.table() == here {
            return Err(Nothing::SameTable);
        }
        self.again = Some((seat, Box::new(ticket.clone())));
        Ok(())
    }

    /// A player's signatures under both forms.
    pub(super) fn signature(&self, seat: Seat, identity: &Secret) -> Option<Body> {
        let both = self.result.as_ref()?;
        let line = *self.lines.get(usize::from(seat.index()))?;
        // Randomness that nobody else can know; the signature is also safe without.
        let aux = hash("sign", &[identity.bytes(), &self.head.hash]);
        let result = both.0.body().sign(line, identity, &aux).ok()?;
        let export = both.1.body().sign(line, identity, &aux).ok()?;
        Some(Body::Sign { result, export })
    }

    /// A seat's signatures: whether they are right; `None` if none are expected.
    pub(super) fn sign(&mut self, seat: Seat, result: Signature, export: Signature) -> Option<bool> {
        let line = *self.lines.get(usize::from(seat.index()))?;
        let both = self.result.as_mut()?;
        if both.0.signatures().get(line).is_some_and(Option::is_some) {
            return None;
        }
        let right = |signed: &Signed, signature: &Signature| {
            let key = signed.body().facts().players.get(line).map(|player| player.key);
            let hash = signed.body().signing_hash(line);
            key.zip(hash).is_some_and(|(key, hash)| key.verify(&hash, signature))
        };
        if !right(&both.0, &result) || !right(&both.1, &export) {
            return Some(false);
        }
        Some(both.0.add(line, result).is_ok() && both.1.add(line, export).is_ok())
    }
}
