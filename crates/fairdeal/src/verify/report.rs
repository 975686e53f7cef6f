//! What came of each record, in plain words or as JSON.
//!
//! As long as messages are not signed nobody is called a culprit: a record is valid, or it is invalid or damaged,
//! and the seat is named that the line is recorded under.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

use dealers::{Code, Finding};
use results::Uuid;
use serde::Serialize;
use serde_json::json;
use table::record::By;

use super::{chain, private};
use crate::Done;
use crate::failure::{Failure, complain};
use crate::replay::FileError;
use crate::text::{counted, grouped};

/// What replaying alone proves.
const REPLAYED: &str = "every deal follows the rules and ends as recorded";

/// A record that was checked.
#[derive(Clone, PartialEq, Debug)]
pub struct Checked {
    /// The line of its header, from 1.
    pub line: u64,
    /// The game.
    pub game: &'static str,
    /// Who dealt, as the header says.
    pub dealer: String,
    /// The deal that began last, from 1.
    pub deal: Option<u32>,
    /// Whether that deal has ended.
    pub after: bool,
    /// How many deals it has, up to where something is wrong.
    pub deals: u64,
    /// Whether it has deals, and its match, if it is one, is over.
    pub complete: bool,
    /// What was found, and of how many decks.
    pub findings: BTreeMap<Finding, u64>,
    /// Four words for each deck, with the number of its deal.
    pub codes: Vec<(u32, Code)>,
    /// What no record of such a dealer can prove.
    pub limits: &'static [&'static str],
    /// What is wrong with it, if anything is.
    pub flawed: Option<Flawed>,
}

/// What is wrong with a record, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flawed {
    /// The line, from 1.
    pub line: u64,
    /// Under whom it is recorded, if it is evidence.
    pub by: Option<By>,
    /// The reason.
    pub why: String,
}

impl Checked {
    /// Nothing found yet.
    pub(super) fn new(line: u64, limits: &'static [&'static str]) -> Self {
        let (dealer, findings, codes) = (String::new(), BTreeMap::new(), Vec::new());
        Self {
            line,
            game: "",
            dealer,
            deal: None,
            after: false,
            deals: 0,
            complete: false,
            findings,
            codes,
            limits,
            flawed: None,
        }
    }

    pub(super) fn heard(&mut self, codes: Vec<Code>) {
        let deal = self.deal.unwrap_or_default();
        self.codes.extend(codes.into_iter().map(|code| (deal, code)));
    }

    pub(super) fn found(&mut self, findings: Vec<Finding>) {
        for finding in findings {
            *self.findings.entry(finding).or_default() += 1;
        }
    }

    fn is_valid(&self) -> bool {
        self.flawed.is_none()
    }
}

/// Takes the results of records, prints them and counts them.
#[derive(Debug)]
pub struct Report<W> {
    json: bool,
    out: W,
    file: String,
    /// What the valid records of the file at hand come to.
    here: Sum,
    /// Valid, and not, in all files.
    records: (u64, u64),
    /// How many of the valid ones are incomplete.
    incomplete: u64,
    files: u64,
    unreadable: u64,
    /// Result files that say something else than the log of their match, or belong to no log that was given.
    contradicted: u64,
}

/// What several records come to.
#[derive(Debug, Default)]
struct Sum {
    valid: u64,
    /// How many of them are.
    incomplete: u64,
    invalid: u64,
    unreadable: u64,
    deals: u64,
    dealers: BTreeSet<String>,
    findings: BTreeMap<Finding, u64>,
    limits: BTreeSet<&'static str>,
    codes: Vec<(u32, Code)>,
}

/// One line of JSON.
#[derive(Serialize)]
struct Object<'a> {
    file: &'a str,
    line: Option<u64>,
    game: Option<&'a str>,
    dealer: Option<&'a str>,
    deals: Option<u64>,
    /// Whether it has deals, and its match, if it is one, is over.
    complete: Option<bool>,
    ok: bool,
    proven: Vec<Said<'a>>,
    not_proven: Vec<Said<'a>>,
    /// For players to compare.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    words: Vec<Words>,
    error: Option<ErrorObject<'a>>,
}

/// Something that is proven, or not.
#[derive(Serialize)]
struct Said<'a> {
    /// Of how many decks; absent where it is about the record as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    decks: Option<u64>,
    what: &'a str,
}

/// The four words of a deck.
#[derive(Serialize)]
struct Words {
    deal: u32,
    deck: u32,
    words: String,
}

#[derive(Serialize)]
struct ErrorObject<'a> {
    verdict: &'static str,
    line: u64,
    /// The deal it belongs to, or comes after, from 1.
    deal: Option<u32>,
    recorded_under: Option<By>,
    why: &'a str,
}

/// So many shuffles are told in words.
const MOST_WORDS: usize = 20;

impl Words {
    fn of((deal, Code { deck, words }): (u32, Code)) -> Self {
        Self { deal, deck, words: words.join(" ") }
    }
}

/// Why a valid record may not be all there is.
const INCOMPLETE: &str = "the match is not over where the record ends, or there are no deals";
const VERDICT: &str = "invalid or damaged";
const UNREADABLE: &str = "unreadable";

impl<W: Write> Report<W> {
    /// Prints to `out`; complaints go to stderr.
    pub fn new(json: bool, out: W) -> Self {
        Self {
            json,
            out,
            file: String::new(),
            here: Sum::default(),
            records: (0, 0),
            incomplete: 0,
            files: 0,
            unreadable: 0,
            contradicted: 0,
        }
    }

    /// The file at hand.
    pub(super) fn file(&self) -> &str {
        &self.file
    }

    /// What follows is from this file.
    pub fn begin_file(&mut self, name: &str) {
        name.clone_into(&mut self.file);
        self.files += 1;
        self.here = Sum::default();
    }

    /// A record has been checked.
    pub fn record(&mut self, checked: &Checked) -> Result<(), Failure> {
        match &checked.flawed {
            None => self.here.add(checked),
            Some(Flawed { line, by, why }) => {
                self.here.invalid += 1;
                let under = by.map_or_else(String::new, |by| format!(", recorded under {by}"));
                let after = if checked.after { " after" } else { "" };
                let deal = checked.deal.map_or_else(String::new, |deal| format!("{after} deal {deal}:"));
                complain(format_args!("{}:{line}:{deal} {VERDICT}{under}: {why}", self.file));
            }
        }
        if !self.json {
            return Ok(());
        }
        let replayed = (checked.is_valid() && checked.deals > 0).then_some(Said { decks: None, what: REPLAYED });
        let of = |proven: bool| {
            let found = checked.findings.iter().filter(move |(finding, _)| finding.proven == proven);
            let shown = found.filter(|_| checked.is_valid());
            shown.map(|(finding, decks)| Said { decks: Some(*decks), what: &finding.what })
        };
        let limits = checked.limits.iter().filter(|_| checked.is_valid()).map(|what| Said { decks: None, what });
        let object = Object {
            file: &self.file,
            line: Some(checked.line),
            game: Some(checked.game),
            dealer: Some(&checked.dealer),
            deals: Some(checked.deals),
            complete: Some(checked.is_valid() && checked.complete),
            ok: checked.is_valid(),
            proven: replayed.into_iter().chain(of(true)).collect(),
            not_proven: of(false).chain(limits).collect(),
            words: checked.codes.iter().filter(|_| checked.is_valid()).map(|code| Words::of(*code)).collect(),
            error: checked.flawed.as_ref().map(|Flawed { line, by, why }| ErrorObject {
                verdict: VERDICT,
                line: *line,
                deal: checked.deal,
                recorded_under: *by,
                why,
            }),
        };
        write_line(&mut self.out, &object)
    }

    /// The log of a private match has been checked.
    pub(super) fn private(&mut self, checked: &private::Checked) -> Result<(), Failure> {
        let valid = checked.is_valid();
        self.records.0 += u64::from(valid);
        self.records.1 += u64::from(!valid);
        self.incomplete += u64::from(valid && !checked.is_complete());
        self.contradicted += checked.contradicted();
        for why in checked.complaints() {
            complain(format_args!("{}: {why}", self.file));
        }
        match self.json {
            true => Ok(writeln!(self.out, "{}", checked.json(&self.file))?),
            false => checked.tell(&self.file, &mut self.out),
        }
    }

    /// A hand from a poker chain has been checked.
    pub(super) fn chain(&mut self, hand: &chain::Hand) -> Result<(), Failure> {
        self.records.0 += u64::from(hand.is_valid());
        self.records.1 += u64::from(!hand.is_valid());
        if let Some(why) = hand.complaint() {
            complain(format_args!("{}: {why}", self.file));
        }
        match self.json {
            true => Ok(writeln!(self.out, "{}", hand.json(&self.file))?),
            false => hand.tell(&self.file, &mut self.out),
        }
    }

    /// A result file belongs to none of the private matches.
    pub(super) fn unused(&mut self, file: &str, id: Uuid) -> Result<(), Failure> {
        self.contradicted += 1;
        complain(format_args!("{file}: the result of match {id}, which is none of these"));
        if self.json {
            writeln!(self.out, "{}", json!({ "file": file, "ok": false, "result_of": id.to_string() }))?;
        }
        Ok(())
    }

    /// A part of the file is no record at all.
    pub fn file_error(&mut self, error: &FileError) -> Result<(), Failure> {
        self.here.unreadable += 1;
        self.unreadable += 1;
        let FileError { line, why } = error;
        match line {
            0 => complain(format_args!("{}: {why}", self.file)),
            line => complain(format_args!("{}:{line}: {why}", self.file)),
        }
        if !self.json {
            return Ok(());
        }
        let object = Object {
            file: &self.file,
            line: None,
            game: None,
            dealer: None,
            deals: None,
            complete: None,
            ok: false,
            proven: Vec::new(),
            not_proven: Vec::new(),
            words: Vec::new(),
            error: Some(ErrorObject { verdict: UNREADABLE, line: *line, deal: None, recorded_under: None, why }),
        };
        write_line(&mut self.out, &object)
    }

    /// The file has been read to its end.
    pub fn end_file(&mut self) -> Result<(), Failure> {
        let here = std::mem::take(&mut self.here);
        self.records.0 += here.valid;
        self.incomplete += here.incomplete;
        self.records.1 += here.invalid;
        if self.json {
            return Ok(());
        }
        let (file, out) = (&self.file, &mut self.out);
        let records = counted(here.records(), "record");
        if here.invalid > 0 {
            writeln!(out, "{file}: INVALID OR DAMAGED: {} of {records}", here.invalid)?;
        }
        if here.unreadable > 0 {
            writeln!(out, "{file}: UNREADABLE: {} of {records}", here.unreadable)?;
        }
        if here.incomplete > 0 {
            writeln!(out, "{file}: INCOMPLETE: {} of {records}: {INCOMPLETE}", here.incomplete)?;
        }
        if here.valid == 0 {
            return Ok(());
        }
        let dealers: Vec<&str> = here.dealers.iter().map(String::as_str).collect();
        let (deals, dealers) = (counted(here.deals, "deal"), dealers.join(" and "));
        let far = match (here.incomplete == here.valid, here.valid) {
            (false, _) => "",
            (true, 1) => " as far as it goes",
            (true, _) => " as far as they go",
        };
        writeln!(out, "{file}: {} valid{far}, {deals} (dealer: {dealers})", counted(here.valid, "record"))?;
        if here.deals == 0 {
            writeln!(out, "  proven: nothing, because no deal was played")?;
            return Ok(());
        }
        let of = |proven: bool| here.findings.iter().filter(move |(finding, _)| finding.proven == proven);
        writeln!(out, "  proven:\n    - {REPLAYED}")?;
        for (finding, decks) in of(true) {
            writeln!(out, "    - {}: {}", counted(*decks, "deck"), finding.what)?;
        }
        writeln!(out, "  not proven:")?;
        for (finding, decks) in of(false) {
            writeln!(out, "    - {}: {}", counted(*decks, "deck"), finding.what)?;
        }
        here.limits.iter().try_for_each(|limit| writeln!(out, "    - {limit}"))?;
        // Of one match only: nobody reads thousands of them.
        let earlier = here.codes.len().saturating_sub(MOST_WORDS);
        if here.valid > 1 || here.codes.is_empty() {
            return Ok(());
        }
        writeln!(out, "  words, the same for all who saw the same commitments (32 bits each):")?;
        if earlier > 0 {
            writeln!(out, "    - {earlier} earlier shuffles: see --json")?;
        }
        for (deal, Code { deck, words }) in here.codes.iter().skip(earlier) {
            writeln!(out, "    - deal {deal}, shuffle {}: {}", u64::from(*deck) + 1, words.join(" "))?;
        }
        Ok(())
    }

    /// Sums up on stderr.
    pub fn finish(mut self) -> Result<Done, Failure> {
        self.out.flush()?;
        let (valid, invalid) = self.records;
        let mut said = format!("{}: {} valid", counted(self.files, "file"), counted(valid, "record"));
        if self.incomplete > 0 {
            said.push_str(&format!(" ({} incomplete)", grouped(self.incomplete)));
        }
        for (count, what) in [(invalid, VERDICT), (self.unreadable, UNREADABLE)] {
            if count > 0 {
                said.push_str(&format!(", {} {what}", grouped(count)));
            }
        }
        if self.contradicted > 0 {
            said.push_str(&format!(", {} contradicted", counted(self.contradicted, "result")));
        }
        complain(said);
        Ok(match (invalid + self.contradicted, self.unreadable) {
            (0, 0) => Done::Well,
            (0, _) => Done::BadInput,
            _ => Done::CheckFailed,
        })
    }
}

impl Sum {
    fn add(&mut self, checked: &Checked) {
        self.valid += 1;
        self.incomplete += u64::from(!checked.complete);
        self.deals += checked.deals;
        self.dealers.insert(checked.dealer.clone());
        self.limits.extend(checked.limits);
        self.codes.extend(&checked.codes);
        for (finding, decks) in &checked.findings {
            *self.findings.entry(finding.clone()).or_default() += decks;
        }
    }

    const fn records(&self) -> u64 {
        self.valid + self.invalid + self.unreadable
    }
}

fn write_line(out: &mut impl Write, object: &Object<'_>) -> Result<(), Failure> {
    serde_json::to_writer(&mut *out, object).map_err(std::io::Error::from)?;
    Ok(writeln!(out)?)
}
