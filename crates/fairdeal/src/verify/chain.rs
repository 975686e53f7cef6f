//! A hand exported from a poker chain: everything in it is repeated, and its end compared with what the state says.

use std::io::{BufRead, Read as _, Write};

use ::chain::export::{BadExport, Checked, Export, MOST_BYTES};
use ::chain::{Coins, Hash, hex};
use cards::Card;
use serde_json::{Value, json};

use super::Report;
use crate::failure::Failure;
use crate::replay::FileError;
use crate::text::counted;

/// What an exported hand proves.
const PROVEN: [&str; 6] = [
    "the committee's keys follow from its key generation, in which everybody could check everybody",
    "every shuffle is a permutation of the deck before it, and the last one is the deck that was committed to",
    "every open card is the one that lay in its place of that deck",
    "hole cards were sealed to the keys of their players, and everybody could check that",
    "every action was allowed, and the pots were divided by the rules",
    "all of that is what the state with this root says",
];

/// What it proves beside that if validators have signed the root.
const SIGNED: &str = "validators of this chain have signed this root";

/// What it does not prove if that is not known.
const NOT_SIGNED: &str = "that the validators signed this root: compare it with a block you trust";

/// What it does not prove.
const NOT_PROVEN: [&str; 2] =
    ["that no two thirds of the committee read cards together", "that players did not tell each other their cards"];

/// A hand that was read, and what came of checking it.
pub(crate) struct Hand {
    export: Export,
    checked: Result<Checked, Wrong>,
    /// Validators have signed the root that it is proven against.
    signed: bool,
}

/// What is wrong with a hand.
enum Wrong {
    /// It does not prove itself.
    Export(BadExport),
    /// The chain never had the state that it names.
    Root,
}

impl core::fmt::Display for Wrong {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Export(why) => why.fmt(f),
            Self::Root => f.write_str("the validators have signed another state than the one it is proven against"),
        }
    }
}

/// Checks the hand in this file.
pub(super) fn verify(input: impl BufRead, report: &mut Report<impl Write>) -> Result<(), Failure> {
    let mut text = String::new();
    let read = input.take(MOST_BYTES + 1).read_to_string(&mut text);
    let export = match read {
        Err(error) => Err(format!("cannot read: {error}")),
        Ok(bytes) if u64::try_from(bytes).unwrap_or(u64::MAX) > MOST_BYTES => {
            Err(format!("an exported hand has at most {} bytes", MOST_BYTES))
        }
        Ok(_) => Export::from_text(&text),
    };
    match export {
        Ok(export) => {
            let checked = export.check().map_err(Wrong::Export);
            report.chain(&Hand { export, checked, signed: false })
        }
        Err(why) => {
            report.file_error(&FileError::new(1, why))?;
            report.end_file()
        }
    }
}

impl Hand {
    /// Checks a hand whose root must be this one, which validators have signed.
    pub(crate) fn signed(export: Export, root: &Hash) -> Self {
        let checked = if export.root == *root { export.check().map_err(Wrong::Export) } else { Err(Wrong::Root) };
        Self { export, checked, signed: true }
    }

    fn proven(&self) -> impl Iterator<Item = &'static str> {
        PROVEN.into_iter().chain(self.signed.then_some(SIGNED))
    }

    fn not_proven(&self) -> impl Iterator<Item = &'static str> {
        (!self.signed).then_some(NOT_SIGNED).into_iter().chain(NOT_PROVEN)
    }

    pub(super) const fn is_valid(&self) -> bool {
        self.checked.is_ok()
    }

    /// What is wrong with it.
    pub(crate) fn complaint(&self) -> Option<String> {
        self.checked
            .as_ref()
            .err()
            .map(|why| format!("hand {} at table {}: invalid: {why}", self.export.hand, self.export.table))
    }

    /// For people.
    pub(crate) fn tell(&self, name: &str, out: &mut impl Write) -> Result<(), Failure> {
        let Export { table, hand, height, root, .. } = &self.export;
        let Ok(checked) = &self.checked else { return Ok(()) };
        let end = if checked.aborted { "aborted and refunded" } else { "valid" };
        writeln!(out, "{name}: hand {hand} at table {table} of a poker chain: {end}")?;
        writeln!(out, "  root:      {} after block {height}", hex(root))?;
        let (seats, needed) = (checked.members.len(), checked.threshold);
        let by: std::collections::BTreeSet<_> = checked.members.iter().map(|member| member.validator).collect();
        let by = counted(u64::try_from(by.len()).unwrap_or_default(), "validator");
        writeln!(out, "  committee: epoch {}, {seats} seats of {by}, {needed} needed to open a card", checked.epoch)?;
        writeln!(
            out,
            "  shuffled:  {} of {seats} seats, in the order {}",
            checked.shuffled.len(),
            seats_of(&checked.shuffled)
        )?;
        if !checked.skipped.is_empty() {
            writeln!(out, "  too slow:  {}", seats_of(&checked.skipped))?;
        }
        if !checked.at_fault.is_empty() {
            writeln!(out, "  cheated:   {}, as their own messages show", seats_of(&checked.at_fault))?;
        }
        writeln!(out, "  deck:      {}", hex(&checked.commit))?;
        if !checked.board.is_empty() {
            writeln!(out, "  board:     {}", cards(&checked.board))?;
        }
        for (seat, hole) in &checked.shown {
            writeln!(out, "  seat {}:    {}", seat + 1, cards(hole))?;
        }
        let stacks: Vec<String> =
            checked.stacks.iter().map(|(seat, stack)| format!("seat {} {stack}", seat + 1)).collect();
        writeln!(out, "  stacks:    {}", stacks.join(", "))?;
        writeln!(out, "  proven:")?;
        self.proven().try_for_each(|what| writeln!(out, "    - {what}"))?;
        writeln!(out, "  not proven:")?;
        Ok(self.not_proven().try_for_each(|what| writeln!(out, "    - {what}"))?)
    }

    /// For programs.
    pub(crate) fn json(&self, name: &str) -> Value {
        let Export { chain, table, hand, height, root, .. } = &self.export;
        let mut object = json!({
            "file": name, "ok": self.is_valid(), "chain": hex(chain), "table": table, "hand": hand,
            "height": height, "root": hex(root),
        });
        let more = match &self.checked {
            Err(why) => json!({ "error": why.to_string() }),
            Ok(checked) => {
                let stacks: Vec<(u8, Coins)> = checked.stacks.clone();
                let shown = checked.shown.iter().map(|(seat, hole)| json!({ "seat": seat, "cards": cards(hole) }));
                json!({
                    "epoch": checked.epoch, "members": checked.members.len(), "threshold": checked.threshold,
                    "shuffled": checked.shuffled, "skipped": checked.skipped, "at_fault": checked.at_fault,
                    "deck": hex(&checked.commit), "board": cards(&checked.board),
                    "shown": shown.collect::<Vec<_>>(), "aborted": checked.aborted,
                    "stacks": stacks.iter().map(|(seat, stack)| json!({ "seat": seat, "chips": stack.0 })).collect::<Vec<_>>(),
                    "proven": self.proven().collect::<Vec<_>>(), "not_proven": self.not_proven().collect::<Vec<_>>(),
                })
            }
        };
        if let (Some(object), Value::Object(more)) = (object.as_object_mut(), more) {
            object.extend(more);
        }
        object
    }
}

fn cards(cards: &[Card]) -> String {
    cards.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// Seats of a committee, counted from 1.
fn seats_of(members: &[u8]) -> String {
    members.iter().map(|member| (u16::from(*member) + 1).to_string()).collect::<Vec<_>>().join(", ")
}
