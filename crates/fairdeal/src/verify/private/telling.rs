//! What was found in the log of a private match, in words and as JSON.

use std::io::Write;

use ::peer::{Played, Player, Why};
use results::layout::ordinal;
use serde_json::{Value, json};
use table::Seat;

use super::{Agreement, Checked, Wrong, callsign};
use crate::failure::Failure;
use crate::logfile::Stopped;
use crate::text::{counted, grouped, shown};

/// What a log proves as far as it goes.
const PROVEN: [&str; 4] = [
    "every entry is signed by its author, and the hub signed the order of all of them",
    "every key, shuffle, card and move that counts was checked, with its proof",
    "nobody was called late before their time was up by the hub's clock, nor by too few",
    "the standing and the result follow from the log",
];

/// What no log proves.
const NOT_PROVEN: [&str; 2] = [
    "that players did not tell each other their cards",
    "that the hub took everything it was sent, and that its clock was right",
];

/// The same from four people on, where all but one are enough to open a card.
const THRESHOLD: &str = "that all but one of the players did not open the last one's cards together";

impl Checked {
    /// For people.
    pub(in crate::verify) fn tell(&self, file: &str, out: &mut impl Write) -> Result<(), Failure> {
        writeln!(out, "{file}: {}", self.headline())?;
        if let Some(played) = &self.found.played {
            self.tell_match(played, out)?;
        }
        for (entry, name) in self.hubs() {
            writeln!(
                out,
                "  hub:    entry {entry}: lost, and replaced by that of {}, as more than half signed",
                shown(&name)
            )?;
        }
        for (seat, player, entry) in self.late() {
            let name = shown(&player.join.name);
            writeln!(
                out,
                "  late:   entry {entry}: {seat}, {name} ({}), as more than half of the others said",
                callsign(player)
            )?;
        }
        for wrong in self.wrongs() {
            writeln!(out, "  wrong:  entry {}: {}: {}", wrong.entry, wrong.author(), wrong.what)?;
        }
        if let Some((line, why)) = self.damage() {
            writeln!(out, "  damage: line {line}: {why}; nothing after it was checked")?;
        }
        if self.stopped == Some(Stopped::CutOff) {
            writeln!(out, "  damage: the last line is cut off, as after a crash, and was left out")?;
        }
        for (file, agreement) in &self.compared {
            writeln!(out, "  {file}: {}", agreement.sentence())?;
        }
        writeln!(out, "  proven:")?;
        self.proven().try_for_each(|what| writeln!(out, "    - {what}"))?;
        writeln!(out, "  not proven:")?;
        Ok(self.not_proven().try_for_each(|what| writeln!(out, "    - {what}"))?)
    }

    fn headline(&self) -> String {
        let entries = match (self.found.entries, self.found.void) {
            (1, 0) => "1 entry".to_owned(),
            (all, 0) => format!("{} entries", grouped(all)),
            (all, void) => format!("{} entries, {} without effect", grouped(all), grouped(void)),
        };
        let about = match &self.found.played {
            None => "no match has begun".to_owned(),
            Some(played) => format!(
                "{}, {}, {}",
                played.begun.start.game.name(),
                counted(u64::try_from(played.begun.players.len()).unwrap_or_default(), "player"),
                counted(played.deals.into(), "deal")
            ),
        };
        format!("{}: {about} ({entries})", self.verdict())
    }

    fn verdict(&self) -> &'static str {
        match (self.damage().is_some(), self.wrongs().is_empty(), self.is_complete()) {
            (true, _, _) => "INVALID OR DAMAGED private match",
            (false, false, _) => "private match in which SOMEBODY DID WRONG",
            (false, true, true) => "valid private match",
            (false, true, false) => "private match, valid as far as it goes, INCOMPLETE",
        }
    }

    fn tell_match(&self, played: &Played, out: &mut impl Write) -> Result<(), Failure> {
        writeln!(out, "  match:  {}", played.id)?;
        writeln!(out, "  ended:  {}", ending(played))?;
        for (seat, player) in players(played) {
            let standing = played.standing.as_ref();
            let stands =
                standing.map(|standing| format!("{:<5} {:>8}  ", ordinal(standing.place[seat]), standing.total[seat]));
            let signed = match (&played.result, played.unsigned.contains(&seat)) {
                (None, _) => "",
                (Some(_), false) => ", signed the result",
                (Some(_), true) => ", has NOT SIGNED the result",
            };
            writeln!(out, "    {}{}{signed}", stands.unwrap_or_default(), described(played, seat, player))?;
        }
        let result = match &played.result {
            None => "none".to_owned(),
            Some(result) => {
                let hash = result.body().facts().log_hash.map(|hash| hash.to_string()).unwrap_or_default();
                let state = if played.unsigned.is_empty() { "complete" } else { "partial" };
                format!("{state}, log hash {hash}")
            }
        };
        Ok(writeln!(out, "  result: {result}")?)
    }

    fn proven(&self) -> impl Iterator<Item = &'static str> {
        // Without a match, and in a file that is damaged, only what comes before is proven.
        let count = if self.found.played.is_some() { PROVEN.len() } else { 1 };
        PROVEN.into_iter().take(if self.damage().is_some() { 0 } else { count })
    }

    fn not_proven(&self) -> impl Iterator<Item = &'static str> {
        let threshold = self.found.played.as_ref().is_some_and(|played| played.begun.start.threshold.is_some());
        NOT_PROVEN.into_iter().chain(threshold.then_some(THRESHOLD))
    }

    /// The entries with which the hub was replaced, and the name of the player who runs the next one.
    fn hubs(&self) -> impl Iterator<Item = (u64, String)> {
        let players = self.found.played.iter().flat_map(|played| &played.begun.players);
        let name = move |number: u8| {
            let player = players.clone().find(|player| player.number == number);
            player.map_or_else(|| format!("member {number}"), |player| player.join.name.clone())
        };
        let changes = self.found.changes.iter().map(|change| &change.proposal);
        changes.map(move |proposal| (proposal.head.height + 1, name(proposal.successor)))
    }

    /// Who was late, and the number of the entry that decided it.
    fn late(&self) -> impl Iterator<Item = (Seat, &Player, u64)> {
        let all = self.found.played.iter().flat_map(|played| played.late.iter().map(move |late| (played, late)));
        all.filter_map(|(played, (seat, entry))| {
            Some((*seat, played.begun.players.get(usize::from(seat.index()))?, *entry))
        })
    }

    /// What somebody has to know even if they do not read the rest; one line each.
    pub(in crate::verify) fn complaints(&self) -> Vec<String> {
        let wrongs = self.wrongs().into_iter();
        let wrongs = wrongs.map(|wrong| format!("entry {}: {}: {}", wrong.entry, wrong.author(), wrong.what));
        let damage = self.damage().map(|(line, why)| format!("line {line}: invalid or damaged: {why}"));
        let compared = self.compared.iter().filter(|(_, agreement)| !agreement.is_same());
        let compared = compared.map(|(file, agreement)| format!("{file}: {}", agreement.sentence()));
        wrongs.chain(damage).chain(compared).collect()
    }

    /// For programs. Seats and entries are counted from 1.
    pub(in crate::verify) fn json(&self, file: &str) -> Value {
        let played = self.found.played.as_ref();
        let said = |what: &'static str| json!({ "what": what });
        let wrongs = self.wrongs();
        let error = match (self.damage(), wrongs.first()) {
            (Some((line, why)), _) => json!({ "verdict": "invalid or damaged", "line": line, "why": why }),
            (None, Some(wrong)) => {
                json!({ "verdict": "somebody did wrong", "line": wrong.entry + 1, "why": wrong.what })
            }
            (None, None) => Value::Null,
        };
        let result = played.and_then(|played| played.result.as_ref()).map(|result| {
            let missing = played.is_some_and(|played| !played.unsigned.is_empty());
            json!({
                "state": if missing { "partial" } else { "complete" },
                "log_hash": result.body().facts().log_hash.map(|hash| hash.to_string()),
            })
        });
        json!({
            "file": file, "line": 1, "game": played.map(|played| played.begun.start.game.name()), "dealer": "private",
            "deals": played.map_or(0, |played| played.deals), "complete": self.is_valid() && self.is_complete(),
            "ok": self.is_valid(), "proven": self.proven().map(said).collect::<Vec<_>>(),
            "not_proven": self.not_proven().map(said).collect::<Vec<_>>(), "error": error,
            "private": {
                "table": self.table.to_string(), "match": played.map(|played| played.id.to_string()),
                "entries": self.found.entries, "without_effect": self.found.void,
                "cut_off": self.stopped == Some(Stopped::CutOff),
                "ended": played.and_then(|played| played.ended).map(word),
                "why": played.map(ending),
                "players": played.map(|played| players(played).map(|(seat, player)| person(played, seat, player))
                    .collect::<Vec<_>>()),
                "hubs": self.hubs().map(|(entry, name)| json!({ "entry": entry, "by": name })).collect::<Vec<_>>(),
                "late": self.late().map(|(seat, player, entry)| json!({
                    "seat": seat.number(), "name": player.join.name, "callsign": callsign(player).to_string(),
                    "entry": entry,
                })).collect::<Vec<_>>(),
                "wrong": wrongs.iter().map(Wrong::json).collect::<Vec<_>>(),
                "result": result,
                "compared": self.compared.iter().map(|(file, agreement)| json!({
                    "file": file, "agrees": agreement.is_same(), "why": agreement.sentence(),
                })).collect::<Vec<_>>(),
            },
        })
    }
}

impl Wrong<'_> {
    fn author(&self) -> String {
        match self.by {
            None => "the hub".to_owned(),
            Some((seat, player)) => format!("{seat}, {} ({})", shown(&player.join.name), callsign(player)),
        }
    }

    fn json(&self) -> Value {
        let player = self.by.map(|(_, player)| player);
        json!({
            "by": if player.is_some() { "player" } else { "hub" },
            "seat": self.by.map(|(seat, _)| seat.number()), "name": player.map(|player| &player.join.name),
            "callsign": player.map(|player| callsign(player).to_string()),
            "npub": player.map(|player| player.join.identity.npub()), "entry": self.entry, "what": self.what,
        })
    }
}

impl Agreement {
    fn sentence(&self) -> String {
        match self {
            Self::Same { missing } if missing.is_empty() => "agrees with the log, signed by all players".to_owned(),
            Self::Same { missing } => format!("agrees with the log, not signed by {}", missing.join(", ")),
            Self::Other { what, signers } => {
                let signed = match signers.as_slice() {
                    [] => "nobody signed it".to_owned(),
                    names => format!("signed by {}", names.join(", ")),
                };
                format!("DIFFERS from the log: {}; {signed}", what.join(", "))
            }
            Self::Forged(whose) => {
                format!("FORGED: the signature of {} is wrong, or the file was changed after signing", whose.join(", "))
            }
            Self::NoResult => "CONTRADICTS the log, which has no result".to_owned(),
        }
    }
}

fn players(played: &Played) -> impl Iterator<Item = (Seat, &Player)> {
    (0..).map_while(Seat::new).zip(&played.begun.players)
}

/// A player in words.
fn described(played: &Played, seat: Seat, player: &Player) -> String {
    let computer = match runs(played, player) {
        None => String::new(),
        Some(owner) => format!(", a computer that {} runs", shown(owner)),
    };
    format!("{seat}: {} ({}){computer}", shown(&player.join.name), callsign(player))
}

/// The name of the person who runs a computer.
fn runs<'a>(played: &'a Played, player: &Player) -> Option<&'a str> {
    let by = player.join.run_by?.number;
    let owner = played.begun.players.iter().find(|other| other.number == by);
    Some(owner.map_or("somebody who does not play", |owner| owner.join.name.as_str()))
}

fn person(played: &Played, seat: Seat, player: &Player) -> Value {
    let standing = played.standing.as_ref();
    json!({
        "seat": seat.number(), "name": player.join.name, "callsign": callsign(player).to_string(),
        "npub": player.join.identity.npub(), "computer_of": runs(played, player),
        "place": standing.map(|standing| standing.place[seat]), "total": standing.map(|standing| standing.total[seat].0),
        "signed": played.result.as_ref().map(|_| !played.unsigned.contains(&seat)),
    })
}

fn ending(played: &Played) -> String {
    played.ended.map_or_else(|| "not yet, where the log ends".to_owned(), |why| why.to_string())
}

const fn word(why: Why) -> &'static str {
    match why {
        Why::Over => "over",
        Why::NotBegun { .. } => "not_begun",
        Why::Abandoned => "abandoned",
        Why::Disputed { .. } => "disputed",
    }
}
