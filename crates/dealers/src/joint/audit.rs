//! Checking the evidence of a joint dealing in a record.
//!
//! The auditor keeps a ledger like everybody who took part, and feeds the record into it. Each line must be due
//! where it is, and correct.

use core::fmt;

use cards::Card;
use dealing::Malformed;
use table::record::{Act, By, Choices, Dealt, Evidence};
use table::{Awaiting, Faces, Map, Order, Rules, Seat, Seats, Slot, Table};

use super::evidence::{END, LEFT_OUT, WRONG, keeper};
use super::fault::{Verdict, Why};
use super::ledger::Ledger;
use super::message::Message;
use super::terms::{Keepers, Terms};
use crate::{Auditor, Damage, Finding, Invalid, Numbers};

/// Checks records of tables whose players, or a committee, dealt jointly.
#[derive(Debug)]
pub struct JointAuditor {
    keepers: Keepers,
    ledger: Ledger,
    numbers: Numbers,
    ended: bool,
    /// Cards that single seats are recorded to have seen, until they are opened.
    private: Map<Slot, (Seat, Card)>,
    findings: Vec<Finding>,
}

/// What is wrong with a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// The line is damaged, or out of place.
    Damaged(Damage),
    /// The message cannot be decoded.
    Malformed(Malformed),
    /// The message is of another kind than the line says.
    OtherKind,
    /// The message is wrong.
    Wrong(Why),
    /// The line says that the message is wrong, but it is not.
    NotWrong,
    /// The message is not due there.
    NotAwaited,
    /// A message is missing before this line.
    Missing,
    /// Another card was proven to be in this slot.
    OtherFace(Slot),
    /// Its owner is recorded to have seen another card in this slot.
    OtherSeen(Slot),
    /// Another choice was revealed.
    OtherChoice,
    /// These terms are impossible, or too few are left to deal.
    Lost,
    /// The evidence has no end, so some may be missing.
    NotEnded,
    /// There is evidence after its end.
    Ended,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Damaged(damage) => damage.fmt(f),
            Self::Malformed(why) => write!(f, "the message is malformed: {why}"),
            Self::OtherKind => f.write_str("the message is of another kind than the line says"),
            Self::Wrong(why) => why.fmt(f),
            Self::NotWrong => f.write_str("nothing is wrong with the message"),
            Self::NotAwaited => f.write_str("no such message is due there"),
            Self::Missing => f.write_str("a message is missing before this line"),
            Self::OtherFace(slot) => write!(f, "another card, or none, was proven to be in slot {slot}"),
            Self::OtherSeen(slot) => write!(f, "an earlier line shows another card in slot {slot}"),
            Self::OtherChoice => f.write_str("another choice was revealed"),
            Self::Lost => f.write_str("too few are left to deal"),
            Self::NotEnded => f.write_str("the evidence has no end line: some of it may be missing"),
            Self::Ended => f.write_str("there is evidence after the end line"),
        }
    }
}

impl core::error::Error for Flaw {}

impl JointAuditor {
    /// For records of such tables.
    pub fn new(keepers: Keepers) -> Self {
        let terms = Terms { session: [0; 32], players: Seats::NONE, keepers };
        let numbers = Numbers::new(terms.session);
        Self { keepers, ledger: Ledger::new(terms), numbers, ended: false, private: Map::new(), findings: Vec::new() }
    }

    /// A flaw that is not about a line of evidence.
    fn wrong<R: Rules>(&self, table: &Table<R>, flaw: Flaw) -> Invalid<Flaw> {
        let missing = self.ledger.missing(table).into_iter().next().map(|(by, _)| by);
        let first = self.ledger.terms().members().into_iter().next();
        Invalid { by: missing.or(first).unwrap_or(By::House), flaw }
    }

    fn same_faces<R: Rules>(&self, table: &Table<R>, faces: &Faces, by: Option<By>) -> Result<(), Invalid<Flaw>> {
        let opened = |slot: Slot| self.ledger.opened().get(slot).or_else(|| table.open().get(slot));
        for (slot, card) in faces.iter() {
            if opened(slot) != Some(card) {
                let wrong = self.wrong(table, Flaw::OtherFace(slot));
                return Err(Invalid { by: by.unwrap_or(wrong.by), ..wrong });
            }
            if let Some((seat, _)) = self.private.get(&slot).filter(|(_, said)| *said != card) {
                return Err(Invalid { by: By::Seat(*seat), flaw: Flaw::OtherSeen(slot) });
            }
        }
        Ok(())
    }

    fn find(&mut self, shuffles: usize) {
        let who = match self.keepers {
            Keepers::EveryPlayer => "every player".to_owned(),
            Keepers::Players { threshold } => format!("at least {threshold} players"),
            Keepers::Committee { members, threshold } => format!("at least {threshold} of {members} members"),
        };
        for _ in 0..shuffles {
            self.findings.push(Finding::proven(format!(
                "shuffled by {who} in turn, no card added, lost or changed: if one of them was honest, nobody knew or \
                 chose the order; and every opened card is the one that was there"
            )));
        }
    }
}

impl Auditor for JointAuditor {
    type Flaw = Flaw;

    fn begin(&mut self, session: [u8; 32], players: u8) {
        let terms = Terms { session, players: Seats::first(players), keepers: self.keepers };
        self.ledger = Ledger::new(terms);
        self.numbers = Numbers::new(session);
        self.ended = false;
        self.private.clear();
    }

    fn evidence<R: Rules>(&mut self, table: Option<&Table<R>>, line: &Evidence) -> Result<(), Invalid<Flaw>> {
        let invalid = |flaw| Invalid { by: line.by, flaw };
        let bytes = self.numbers.read(line).map_err(|damage| invalid(Flaw::Damaged(damage)))?;
        if self.ended {
            return Err(invalid(Flaw::Ended));
        }
        if self.ledger.terms().check().is_err() {
            return Err(invalid(Flaw::Lost));
        }
        if line.kind == END {
            self.ended = table.is_none() && bytes.is_empty() && line.by == keeper(self.ledger.terms());
            return if self.ended { Ok(()) } else { Err(invalid(Flaw::NotAwaited)) };
        }
        let table = table.ok_or_else(|| invalid(Flaw::NotAwaited))?;
        if line.kind == LEFT_OUT {
            let terms = self.ledger.terms();
            let known = terms.is_member(line.by) || terms.is_player(line.by).is_some();
            let again = self.ledger.left_out().any(|by| by == line.by);
            if !bytes.is_empty() || again || !known {
                return Err(invalid(Flaw::NotAwaited));
            }
            self.ledger.leave_out(table, line.by);
            let what = format!("{} was left out at some point, for silence or an action against the rules", line.by);
            self.findings.push(Finding::open(what));
            return Ok(());
        }
        let message: Message = dealing::decode(&bytes).map_err(|why| invalid(Flaw::Malformed(why)))?;
        let wrong = line.kind == WRONG;
        if !wrong && message.place.kind() != line.kind {
            return Err(invalid(Flaw::OtherKind));
        }
        match self.ledger.receive(table, line.by, message) {
            Verdict::Valid if wrong => Err(invalid(Flaw::NotWrong)),
            Verdict::Valid => Ok(()),
            Verdict::Void(_) => Err(invalid(Flaw::NotAwaited)),
            Verdict::Fault(fault) if wrong => {
                self.findings.push(Finding::proven(format!("{} sent a wrong message: {}", fault.by, fault.why)));
                Ok(())
            }
            Verdict::Fault(fault) => Err(invalid(Flaw::Wrong(fault.why))),
        }
    }

    fn dealt<R: Rules>(&mut self, table: &Table<R>, dealt: &Dealt) -> Result<(), Invalid<Flaw>> {
        if table.awaiting() != Awaiting::Dealer {
            return Ok(());
        }
        self.ledger.advance(table);
        match self.ledger.filled(table) {
            Ok(true) => {}
            Ok(false) => return Err(self.wrong(table, Flaw::Missing)),
            Err(_) => return Err(self.wrong(table, Flaw::Lost)),
        }
        self.same_faces(table, &dealt.open, None)?;
        for (seat, faces) in &dealt.private {
            self.private.extend(faces.iter().map(|(slot, card)| (slot, (*seat, card))));
        }
        let shuffles = table.orders().filter(|order| matches!(order, Order::Shuffle { .. })).count();
        self.find(shuffles);
        Ok(())
    }

    fn act<R: Rules>(&mut self, table: &Table<R>, act: &Act<R::Action>) -> Result<(), Invalid<Flaw>> {
        self.same_faces(table, &act.open, Some(By::Seat(act.seat)))
    }

    fn choices<R: Rules>(&mut self, table: &Table<R>, choices: &Choices<R::Choice>) -> Result<(), Invalid<Flaw>> {
        self.ledger.advance(table);
        for (seat, choice) in &choices.choices {
            let invalid = |flaw| Invalid { by: By::Seat(*seat), flaw };
            let text = self.ledger.chosen(*seat).ok_or_else(|| invalid(Flaw::Missing))?;
            if serde_json::from_slice(text).ok().as_ref() != Some(choice) {
                return Err(invalid(Flaw::OtherChoice));
            }
        }
        Ok(())
    }

    fn retire(&mut self, first: Option<u32>) -> Result<(), Invalid<Flaw>> {
        let invalid = |flaw| Invalid { by: keeper(self.ledger.terms()), flaw };
        match (first, self.ended) {
            (None, false) => return Err(invalid(Flaw::NotEnded)),
            (Some(_), true) => return Err(invalid(Flaw::Ended)),
            (None, true) => {}
            (Some(first), false) => self.ledger.forget_before(first),
        }
        Ok(())
    }

    fn findings(&mut self) -> Vec<Finding> {
        core::mem::take(&mut self.findings)
    }

    fn limits(&self) -> &'static [&'static str] {
        match self.keepers {
            Keepers::EveryPlayer => &[
                "who sent the messages: they are not signed",
                "that the players did not all work together, which would let them know and choose the cards",
                "the faces of cards that were never opened",
            ],
            Keepers::Players { .. } | Keepers::Committee { .. } => &[
                "who sent the messages: they are not signed",
                "that no group large enough to open a card worked together: it could have read every hand",
                "the faces of cards that were never opened, and why anybody was left out",
            ],
        }
    }
}
