//! Checking a private match from its log, by somebody who was not there.
//!
//! The log is all that is needed: everybody's signatures, the order the hub signed, every proof, every move, every
//! deadline, every change of the hub with the signatures of those who decided it, and the result. What was wrong is
//! named with its author and the height of the entry that shows it.
//!
//! What a log does not prove: that players did not tell each other their cards, that the hub took everything it was
//! sent, or that its clock was right.

use results::{Public, Signed};
use table::{Game, Seat, Standing};

use crate::chain::NotNext;
use crate::change::{Change, Roster};
use crate::entry::Entry;
use crate::lobby::{Begun, Lobby};
use crate::member::Member;
use crate::record::Record;
use crate::seal::TableId;
use crate::session::{Effect, Fault, Private, Session, Who, Why};

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
}

/// What was found about the match.
#[derive(Clone, Debug)]
pub struct Played {
    /// How it began.
    pub begun: Begun,
    /// What players did wrong.
    pub faults: Vec<Fault>,
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
}

/// Checks a log.
pub fn verify(record: &Record) -> Report {
    // Reads only: its key signs nothing.
    let reader = Member::new(record.key.clone(), record.key.access(), record.hub);
    let mut reading = Reading {
        reader,
        record,
        report: Report { entries: 0, void: 0, hub: None, changes: Vec::new(), played: None },
    };
    reading.lobby();
    reading.report
}

struct Reading<'a> {
    reader: Member,
    record: &'a Record,
    report: Report,
}

impl Reading<'_> {
    fn lobby(&mut self) {
        let mut lobby = Lobby::new(self.record.key.table(), self.record.hub);
        for at in 0..self.record.entries.len() {
            let Some(heard) = self.hear(at) else { return };
            let key: Option<Public> = self.reader.chain().member(heard.number).copied();
            let (Some(body), Some(key)) = (&heard.body, key) else {
                self.report.void += 1;
                continue;
            };
            match lobby.take(heard.number, &key, body) {
                Ok(None) => {}
                Ok(Some(begun)) => {
                    self.reader.begin(Roster::of(&begun));
                    games::with_game!(begun.start.game, G => self.session::<G>(begun, &heard, at + 1));
                    return;
                }
                Err(_) => self.report.void += 1,
            }
        }
    }

    fn session<G: Game>(&mut self, begun: Begun, heard: &crate::member::Heard, from: usize) {
        let who = Who { number: None, identity: None, private: Private::new(&[0; 32]) };
        let Ok(mut session) = Session::<G>::new(begun, who, heard, heard.clock) else { return };
        for at in from..self.record.entries.len() {
            let Some(heard) = self.hear(at) else { break };
            if matches!(session.hear(&heard, heard.clock), Effect::Void(_)) {
                self.report.void += 1;
            }
        }
        let ended = session.ended();
        self.report.played = Some(Played {
            begun: session.begun().clone(),
            faults: session.faults().to_vec(),
            deals: session.deals(),
            standing: session.standing(),
            ended: ended.map(|ended| ended.why),
            result: ended.and_then(|ended| ended.result().cloned()),
            unsigned: ended.map(crate::session::Ended::unsigned).unwrap_or_default(),
            again: ended.and_then(|ended| ended.again()).map(|(seat, ticket)| (seat, ticket.table())),
        });
    }

    fn hear(&mut self, at: usize) -> Option<crate::member::Heard> {
        let entry = self.record.entries.get(at)?;
        match self.reader.hear(entry) {
            Ok(heard) => {
                self.report.entries += 1;
                if let Entry::Change(change) = entry {
                    self.report.changes.push((**change).clone());
                }
                Some(heard)
            }
            Err(why) => {
                self.report.hub = Some((self.reader.chain().head().height, why));
                None
            }
        }
    }
}
