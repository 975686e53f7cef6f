//! A result in words and as JSON.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;

use results::leaderboard::WrongSignature;
use results::settle::contradict;
use results::{
    Checked, Facts, Form, Leaderboard, MatchKey, Session, Settled, Timestamp, Verdict, game_name, layout::ordinal,
};
use serde_json::{Value, json};

use super::store::{Kept, Loaded, Store};
use crate::Done;
use crate::failure::Failure;

/// What is said about a result with another seed, or of other players, than the session with its id.
const OTHER_SESSION: &str = "it does not fit the session of the same match that is kept here";

/// What a result is told with: everything else that is known.
pub(super) struct Telling<'a> {
    pub(super) store: &'a Store,
    pub(super) loaded: &'a Loaded,
    pub(super) settled: BTreeMap<MatchKey, Settled<'a>>,
    pub(super) now: Timestamp,
}

impl Telling<'_> {
    /// One line of a list.
    pub(super) fn line(&self, result: &Checked) -> String {
        let facts = result.body().facts();
        let winners: Vec<String> =
            facts.players.iter().filter(|player| player.place == 1).map(|player| player.callsign.to_string()).collect();
        let won = if winners.len() == 1 { "won by" } else { "shared by" };
        let state = self.state(result);
        let game = game_name(facts.game);
        let form = if result.body().form() == Form::CardGame { " (card game)" } else { "" };
        format!("{}  {}  {game:<9}  {state:<9}  {won} {}{form}", facts.at, facts.id, winners.join(", "))
    }

    /// In a word: what it proves, together with the others about the same match.
    fn state(&self, result: &Checked) -> &'static str {
        if self.disputed_by(result).is_some() {
            return "disputed";
        }
        match result.verdict() {
            Verdict::Complete => "complete",
            Verdict::Partial { .. } => "partial",
            Verdict::Unsigned => "unsigned",
            Verdict::Forged { .. } => "forged",
        }
    }

    /// Another complete result of the same match that says something else.
    fn disputed_by(&self, result: &Checked) -> Option<&Checked> {
        let facts = result.body().facts();
        match self.settled.get(&(facts.id, facts.keys())) {
            Some(Settled::Disputed(one, other)) => Some(if contradict(result, one) { *one } else { *other }),
            // A file from outside may contradict what is kept.
            Some(Settled::Counts(kept)) if *result.verdict() == Verdict::Complete && contradict(result, kept) => {
                Some(*kept)
            }
            _ => None,
        }
    }

    /// Whether the log of its match is kept here and leads to it, although not everybody has signed.
    fn is_proven(&self, result: &Checked) -> bool {
        let facts = result.body().facts();
        let partial = |result: &Checked| matches!(result.verdict(), Verdict::Partial { .. });
        matches!(self.settled.get(&(facts.id, facts.keys())), Some(Settled::Counts(kept))
            if partial(result) && partial(kept) && !contradict(result, kept))
    }

    /// Everything about it, for people.
    pub(super) fn whole(&self, result: &Checked, out: &mut impl Write) -> Result<(), Failure> {
        let facts = result.body().facts();
        writeln!(out, "match      {}", facts.id)?;
        writeln!(out, "game       {}", game_name(facts.game))?;
        writeln!(out, "ended      {} UTC", facts.at)?;
        if let Form::Result { deals } = result.body().form() {
            writeln!(out, "deals      {deals}")?;
        }
        writeln!(out, "seed       {}", facts.seed)?;
        if let Some(log_hash) = facts.log_hash {
            writeln!(out, "log        {log_hash}")?;
        }
        for (index, player) in facts.players.iter().enumerate() {
            let signed = signature_word(result, index);
            let place = ordinal(player.place);
            writeln!(out, "{place:<9}  {:<18}  {:>9}  {signed:<9}  {}", player.callsign, player.amount, player.key)?;
        }
        writeln!(out, "state      {}", self.sentence(result))?;
        for note in self.notes(result) {
            writeln!(out, "note       {note}")?;
        }
        Ok(())
    }

    /// Whether a file is as it should be, and why not.
    pub(super) fn verdict(
        &self,
        result: &Checked,
        path: Option<&Path>,
        json: bool,
        out: &mut impl Write,
    ) -> Result<Done, Failure> {
        if json {
            writeln!(out, "{}", self.json(result, path))?;
        } else {
            writeln!(out, "{}: {}", headline(result), self.sentence(result))?;
            for note in self.notes(result) {
                writeln!(out, "  {note}")?;
            }
        }
        let well = (*result.verdict() == Verdict::Complete || self.is_proven(result))
            && self.disputed_by(result).is_none()
            && self.seeds_fit(result) != Some(false)
            && result.body().facts().plausible(self.now).is_ok();
        Ok(if well { Done::Well } else { Done::CheckFailed })
    }

    fn sentence(&self, result: &Checked) -> String {
        if self.disputed_by(result).is_some() {
            return "disputed: all players signed two results that contradict each other, so neither counts".to_owned();
        }
        let count = result.body().facts().players.len();
        match result.verdict() {
            Verdict::Complete => format!("complete, signed by all {count} players"),
            Verdict::Partial { missing } => {
                let names = names(result.body().facts(), missing);
                let log = if self.is_proven(result) {
                    "but the log of the match, which is kept here, leads to it"
                } else {
                    "it counts only with the log of the match"
                };
                format!("partial, not signed by {names}; {log}")
            }
            Verdict::Unsigned => "signed by nobody, so it proves nothing".to_owned(),
            Verdict::Forged { wrong } => {
                let names = names(result.body().facts(), wrong);
                format!("forged: the signature of {names} is wrong, or the file was changed after signing")
            }
        }
    }

    fn notes(&self, result: &Checked) -> Vec<String> {
        let facts = result.body().facts();
        let mut notes = Vec::new();
        if let Err(why) = facts.plausible(self.now) {
            notes.push(why.to_string());
        }
        match self.seeds_fit(result) {
            Some(true) => notes.push("its seed is the mixture of the players' seeds (session kept here)".to_owned()),
            Some(false) => notes.push(OTHER_SESSION.to_owned()),
            None => {}
        }
        if let Some((ahead, behind)) = result.body().oddity() {
            notes.push(format!(
                "player {behind} has more than player {ahead}, who is placed better: did {behind} leave?"
            ));
        }
        if let Some(other) = self.disputed_by(result) {
            let file = self.loaded.results.iter().position(|kept| kept == other);
            if let Some(file) = file.and_then(|index| self.loaded.files.get(index)) {
                notes.push(format!("it is contradicted by {}", file.display()));
            }
        }
        notes
    }

    fn seeds_fit(&self, result: &Checked) -> Option<bool> {
        let facts = result.body().facts();
        self.store.session(facts.id).map(|session| session.fits(facts))
    }

    /// For programs.
    pub(super) fn json(&self, result: &Checked, path: Option<&Path>) -> Value {
        let facts = result.body().facts();
        let players: Vec<Value> = facts
            .players
            .iter()
            .enumerate()
            .map(|(index, player)| {
                json!({
                    "callsign": player.callsign.to_string(), "npub": player.key.npub(), "place": player.place,
                    "amount": player.amount.0, "signature": signature_word(result, index),
                })
            })
            .collect();
        let (form, deals) = match result.body().form() {
            Form::Result { deals } => ("result", Some(deals)),
            Form::CardGame => ("card_game", None),
        };
        let counts =
            matches!(self.settled.get(&(facts.id, facts.keys())), Some(Settled::Counts(kept)) if *kept == result);
        json!({
            "id": facts.id.to_string(), "game": facts.game.name(), "form": form, "ended": facts.at.iso(),
            "deals": deals, "seed": facts.seed.to_string(), "log_hash": facts.log_hash.map(|hash| hash.to_string()),
            "players": players, "state": self.state(result), "counts": counts, "notes": self.notes(result),
            "file": path.map(|path| path.display().to_string()),
        })
    }

    /// A session, and whether a result kept here fits it.
    pub(super) fn session(
        &self,
        session: &Session,
        path: &Path,
        json: bool,
        out: &mut impl Write,
    ) -> Result<Done, Failure> {
        let results = self.loaded.with_id(&session.id().to_string());
        let fits = results.iter().all(|(result, _)| session.fits(result.body().facts()));
        let (id, game) = (session.id().to_string(), game_name(session.game()));
        if json {
            let all = json!({
                "id": id, "game": session.game().name(), "form": "session", "started": session.started().iso(),
                "seed": session.combined().to_string(), "results": results.len(), "fits": fits,
                "file": path.display().to_string(),
            });
            writeln!(out, "{all}")?;
        } else {
            let about = match (results.len(), fits) {
                (0, _) => "no result of this match is kept here",
                (_, true) => "the result kept here fits it",
                (_, false) => "the result kept here does not fit it",
            };
            writeln!(out, "session {game} {id}: the combined seed is the mixture of the seeds; {about}")?;
        }
        Ok(if fits { Done::Well } else { Done::CheckFailed })
    }

    /// A leaderboard, and who signed it.
    pub(super) fn board(
        &self,
        board: &Leaderboard,
        path: &Path,
        json: bool,
        out: &mut impl Write,
    ) -> Result<Done, Failure> {
        let signer = board.signer();
        if json {
            let all = json!({
                "form": "leaderboard", "station": board.station().to_string(), "game": board.game().name(),
                "updated": board.updated().iso(), "players": board.rows().len(),
                "signature": match &signer { Ok(Some(_)) => "right", Ok(None) => "missing", Err(WrongSignature) => "wrong" },
                "npub": signer.ok().flatten().map(|key| key.npub()), "file": path.display().to_string(),
            });
            writeln!(out, "{all}")?;
        } else {
            let (station, game) = (board.station(), game_name(board.game()));
            let about = match &signer {
                Ok(Some(key)) => format!("signed by {key}; compare that with the station's key"),
                Ok(None) => "not signed, so anybody may have written it".to_owned(),
                Err(why) => why.to_string(),
            };
            writeln!(out, "leaderboard {station} {game}: {about}")?;
        }
        Ok(if matches!(signer, Ok(Some(_))) { Done::Well } else { Done::CheckFailed })
    }
}

/// Why a result is not taken over; `session` is that of its match, if it is kept.
pub(crate) fn refusal(result: &Checked, session: Option<&Session>, now: Timestamp) -> Option<String> {
    let facts = result.body().facts();
    match result.verdict() {
        Verdict::Unsigned => Some("signed by nobody, so it proves nothing".to_owned()),
        Verdict::Forged { wrong } => {
            Some(format!("the signature of {} is wrong, or the file was changed after signing", names(facts, wrong)))
        }
        Verdict::Complete | Verdict::Partial { .. } => match facts.plausible(now) {
            Err(why) => Some(why.to_string()),
            Ok(()) => session.is_some_and(|session| !session.fits(facts)).then(|| OTHER_SESSION.to_owned()),
        },
    }
}

/// Its game and id.
pub(super) fn headline(result: &Checked) -> String {
    let form = if result.body().form() == Form::CardGame { " (card game)" } else { "" };
    format!("{}{form}", result.body().title())
}

/// What became of a file.
pub(super) fn kept(
    kept: &Kept,
    title: &str,
    from: &Path,
    to: &Path,
    json: bool,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let (word, said) = match kept {
        Kept::New => ("new", "kept".to_owned()),
        Kept::Completed(1) => ("completed", "brought 1 missing signature".to_owned()),
        Kept::Completed(count) => ("completed", format!("brought {count} missing signatures")),
        Kept::Known => ("known", "was here already".to_owned()),
        Kept::Aside => ("contradiction", "says something else than the one kept here; both are kept".to_owned()),
    };
    if json {
        let (from, to) = (from.display().to_string(), to.display().to_string());
        writeln!(out, "{}", json!({ "file": from, "kept": word, "kept_in": to }))?;
    } else {
        writeln!(out, "{title}: {said}")?;
    }
    Ok(())
}

fn signature_word(result: &Checked, index: usize) -> &'static str {
    if result.signers().contains(&index) {
        return "signed";
    }
    match result.signed().signatures().get(index) {
        Some(Some(_)) => "forged",
        _ => "missing",
    }
}

fn names(facts: &Facts, indices: &[usize]) -> String {
    let mut names = String::new();
    for player in indices.iter().filter_map(|index| facts.players.get(*index)) {
        let comma = if names.is_empty() { "" } else { ", " };
        // Writing to a string cannot fail.
        let _ = write!(names, "{comma}{}", player.callsign);
    }
    names
}
