//! Checking a private match from its log, by somebody who was not there.
//!
//! The log is all that is needed: everybody's signatures, the order the hub signed, every proof, every move, every
//! deadline, every change of the hub with the signatures of those who decided it, and the result. What was wrong is
//! named with its author and the height of the entry that shows it.
//!
//! What a log does not prove: that players did not tell each other their cards, that the hub took everything it was
//! sent, or that its clock was right.

use core::fmt;

use games::AnyGame;
use results::{Public, Signed, Uuid};
use table::{Game, Seat, Standing};

use crate::chain::NotNext;
use crate::change::Change;
use crate::entry::Entry;
use crate::lobby::{Begun, Lobby, Void};
use crate::member::Heard;
use crate::reading::{Onlooker, Reading, read};
use crate::record::Record;
use crate::seal::{TableId, TableKey};
use crate::session::{Effect, Ended, Fault, Seen, Session, Why};

/// What was found in a log.
#[derive(Clone, Debug)]
pub struct Report {
    /// How many entries were checked.
    pub entries: u64,
    /// How many had no effect.
    pub void: u64,
    /// The first entry that the hub must not have signed, by its height, and why.
    pub hub: Option<(u64, NotNext)>,
    /// Every change of the hub, with the signatures of those who decided it.
    pub changes: Vec<Change>,
    /// The match, if one began.
    pub played: Option<Played>,
    /// The hash after every entry that was checked, and the hub that signed it; nobody, for a change of the hub.
    pub heads: Vec<([u8; 32], Option<Public>)>,
}

/// What was found about the match.
#[derive(Clone, Debug)]
pub struct Played {
    /// Its id in results.
    pub id: Uuid,
    /// How it began.
    pub begun: Begun,
    /// What players did wrong.
    pub faults: Vec<Fault>,
    /// The seats that were late, each with the height of the log after the last vote.
    pub late: Vec<(Seat, u64)>,
    /// How many deals began.
    pub deals: u32,
    /// How it stands, or stood in the end.
    pub standing: Option<Standing>,
    /// Why it ended, if it has.
    pub ended: Option<Why>,
    /// The result with its signatures.
    pub result: Option<Signed>,
    /// The seats that have not signed it.
    pub unsigned: Vec<Seat>,
    /// Who invited the others to a rematch, and its table.
    pub again: Option<(Seat, TableId)>,
}

impl Report {
    /// Whether everybody, the hub included, kept to the rules.
    pub fn is_clean(&self) -> bool {
        self.hub.is_none() && self.played.as_ref().is_none_or(|played| played.faults.is_empty())
    }

    /// The number of the first entry, from 1, in which two logs of one table differ although the same hub signed both:
    /// it has forked the order. A hub that was replaced may have signed an entry that the others never heard; that
    /// proves nothing.
    pub fn forked(&self, other: &Self) -> Option<u64> {
        let both = self.heads.iter().zip(&other.heads);
        let ((_, one), (_, other)) = both.clone().find(|(one, other)| one.0 != other.0)?;
        let same = one.is_some() && one == other;
        let at = both.take_while(|(one, other)| one.0 == other.0).count();
        u64::try_from(at + 1).ok().filter(|_| same)
    }
}

/// Checks a log.
pub fn verify(record: &Record) -> Report {
    verify_entries(&record.key, record.hub, &mut record.entries.iter().cloned())
}

/// Checks a log that is too long to be kept in memory.
pub fn verify_entries(key: &TableKey, hub: Public, entries: &mut dyn Iterator<Item = Entry>) -> Report {
    let mut judge = Judge::new();
    let broken = read(key, hub, entries, &mut judge);
    Report { hub: broken, ..judge.report }
}

/// Checks a log of one game entry by entry, for those who want to see how far it is.
pub struct Verifying {
    reading: Reading<Judge>,
    judge: Judge,
}

/// The match in a log is of another game, and nothing in it was checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OtherGame(pub AnyGame);

impl fmt::Display for OtherGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the match is of another game: {}", self.0.name())
    }
}

impl core::error::Error for OtherGame {}

impl Verifying {
    /// Nothing is checked yet.
    pub fn new<G: Game>(key: &TableKey, hub: Public) -> Self {
        Self { reading: Reading::only::<G>(key, hub), judge: Judge::new() }
    }

    /// Checks the next entry; `false` if the rest of the log proves nothing.
    pub fn check(&mut self, entry: &Entry) -> bool {
        self.reading.next(entry, &mut self.judge)
    }

    /// What was found.
    pub fn report(mut self) -> Result<Report, OtherGame> {
        if let Some(game) = self.reading.other() {
            return Err(OtherGame(game));
        }
        let broken = self.reading.end(&mut self.judge);
        Ok(Report { hub: broken, ..self.judge.report })
    }
}

/// Notes what is found.
struct Judge {
    report: Report,
    late: Vec<(Seat, u64)>,
}

impl Judge {
    const fn new() -> Self {
        let report = Report { entries: 0, void: 0, hub: None, changes: Vec::new(), played: None, heads: Vec::new() };
        Self { report, late: Vec::new() }
    }
}

impl Onlooker for Judge {
    fn next(&mut self, entry: &Entry, heard: &Heard, hub: &Public) {
        self.report.entries += 1;
        let signed_by = match entry {
            Entry::Said(_) => Some(*hub),
            Entry::Change(change) => {
                self.report.changes.push((**change).clone());
                None
            }
        };
        self.report.heads.push((heard.head.hash, signed_by));
    }

    fn lobby(&mut self, _: &Lobby, _: &Heard, effect: Result<(), Void>) -> bool {
        self.report.void += u64::from(effect.is_err());
        true
    }

    fn begun<G: Game>(&mut self, session: &mut Session<G>) {
        session.see();
    }

    fn before<G: Game>(&mut self, _: &Session<G>, _: &Heard) {}

    fn said<G: Game>(&mut self, _: &Lobby, session: &mut Session<G>, heard: &Heard, effect: &Effect) -> bool {
        self.report.void += u64::from(matches!(effect, Effect::Void(_)));
        for seen in session.take_seen() {
            if let Seen::Late(seat) = seen {
                self.late.push((seat, heard.head.height));
            }
        }
        true
    }

    fn ends<G: Game>(&mut self, session: &Session<G>) {
        let ended = session.ended();
        self.report.played = Some(Played {
            id: session.id(),
            begun: session.begun().clone(),
            faults: session.faults().to_vec(),
            late: core::mem::take(&mut self.late),
            deals: session.deals(),
            standing: session.standing(),
            ended: ended.map(|ended| ended.why),
            result: ended.and_then(|ended| ended.result().cloned()),
            unsigned: ended.map(Ended::unsigned).unwrap_or_default(),
            again: ended.and_then(Ended::again).map(|(seat, ticket)| (seat, ticket.table())),
        });
    }
}
