//! Result files, held against the log of their match.

use std::path::{Path, PathBuf};

use ::peer::Played;
use results::{Checked, Facts, Form, Verdict};

use crate::collection::read_result;
use crate::failure::Failure;

/// A result file, and whether one of the logs is that of its match.
pub(in crate::verify) struct ResultFile {
    pub(in crate::verify) path: PathBuf,
    pub(in crate::verify) result: Checked,
    pub(in crate::verify) used: bool,
}

/// What a result file says, compared with the log.
#[derive(PartialEq, Eq, Debug)]
pub(in crate::verify) enum Agreement {
    /// The same.
    Same {
        /// Who has not signed the file, by callsign.
        missing: Vec<String>,
    },
    /// Something else.
    Other {
        /// What.
        what: Vec<String>,
        /// Who signed it all the same, by callsign.
        signers: Vec<String>,
    },
    /// These signatures are not right, or the file was changed later.
    Forged(Vec<String>),
    /// The log has no result.
    NoResult,
}

impl Agreement {
    pub(super) const fn is_same(&self) -> bool {
        matches!(self, Self::Same { .. })
    }
}

impl ResultFile {
    /// Reads a file.
    pub(in crate::verify) fn read(path: &Path) -> Result<Self, Failure> {
        let result = read_result(path).map_err(|why| Failure::input(format_args!("{}: {why}", path.display())))?;
        Ok(Self { path: path.to_owned(), result, used: false })
    }
}

/// Compares a match with all files about it.
pub(in crate::verify) fn compare(played: &Played, files: &mut [ResultFile]) -> Vec<(String, Agreement)> {
    let about = files.iter_mut().filter(|file| file.result.body().facts().id == played.id);
    let compared = about.map(|file| {
        file.used = true;
        (file.path.display().to_string(), agreement(played, &file.result))
    });
    compared.collect()
}

fn agreement(played: &Played, file: &Checked) -> Agreement {
    let facts = file.body().facts();
    let names = |indices: &[usize]| -> Vec<String> {
        let players = indices.iter().filter_map(|index| facts.players.get(*index));
        players.map(|player| player.callsign.to_string()).collect()
    };
    if let Verdict::Forged { wrong } = file.verdict() {
        return Agreement::Forged(names(wrong));
    }
    let Some(result) = &played.result else { return Agreement::NoResult };
    let mut what = differences(facts, result.body().facts());
    if let (Form::Result { deals: said }, Form::Result { deals }) = (file.body().form(), result.body().form())
        && said != deals
    {
        what.push(format!("{said} deals instead of {deals}"));
    }
    if !what.is_empty() {
        return Agreement::Other { what, signers: names(&file.signers()) };
    }
    let signers = file.signers();
    let missing: Vec<usize> = (0..facts.players.len()).filter(|index| !signers.contains(index)).collect();
    Agreement::Same { missing: names(&missing) }
}

/// What a file says that the log does not.
fn differences(file: &Facts, log: &Facts) -> Vec<String> {
    let mut what = Vec::new();
    if file.game != log.game {
        what.push("another game".to_owned());
    }
    if file.at != log.at {
        what.push(format!("the end at {} instead of {}", file.at, log.at));
    }
    if file.seed != log.seed {
        what.push("another seed".to_owned());
    }
    match file.log_hash {
        Some(hash) if Some(hash) == log.log_hash => {}
        Some(_) => what.push("the LOG_HASH of another log".to_owned()),
        None => what.push("no LOG_HASH".to_owned()),
    }
    if file.keys() != log.keys() {
        what.push("other players".to_owned());
    }
    for theirs in &file.players {
        let Some(ours) = log.players.iter().find(|ours| ours.key == theirs.key) else { continue };
        let name = &theirs.callsign;
        if theirs.callsign != ours.callsign {
            what.push(format!("the callsign {name} instead of {}", ours.callsign));
        }
        if theirs.place != ours.place {
            what.push(format!("place {} for {name} instead of {}", theirs.place, ours.place));
        }
        if theirs.amount != ours.amount {
            what.push(format!("{} for {name} instead of {}", theirs.amount, ours.amount));
        }
    }
    what
}
