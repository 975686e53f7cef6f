//! Records, read as a stream and checked line by line.
//!
//! A record in which something is wrong is given up at that line, since what follows hangs on it; reading goes
//! on with the next record of the file.

use std::io::{BufRead, Write};

use dealers::house::{Audit, Kept};
use dealers::joint::JointAuditor;
use dealers::{Auditor, Checker, Unproven, named_in};
use serde::Deserialize;
use table::Game;
use table::record::Step;

use super::report::{Checked, Flawed, Report};
use crate::failure::Failure;
use crate::records::Records;
use crate::replay::FileError;

/// Checks every record in the stream, and compares those of a house with what a player kept, if that is given.
pub fn verify(input: impl BufRead, kept: Option<&[Kept]>, report: &mut Report<impl Write>) -> Result<(), Failure> {
    let mut records = Records::new(input);
    let mut any = false;
    loop {
        match records.next_record() {
            Ok(Some(game)) => games::with_game!(game, G => verify_record::<G, _>(&mut records, kept, report))?,
            Ok(None) => break,
            Err(error) => report.file_error(&error)?,
        }
        any = true;
    }
    if !any {
        report.file_error(&FileError::new(0, "the file is empty: a record begins with a header line"))?;
    }
    report.end_file()
}

/// Asks the auditor of the dealer.
fn verify_record<G: Game, R: BufRead>(
    records: &mut Records<R>,
    kept: Option<&[Kept]>,
    report: &mut Report<impl Write>,
) -> Result<(), Failure> {
    /// Just enough of a header to know who dealt.
    #[derive(Deserialize)]
    struct Peek {
        fairdeal: Named,
    }
    #[derive(Deserialize)]
    struct Named {
        dealer: String,
    }
    let header = records.take_header();
    let dealer = match serde_json::from_str(&header) {
        Ok(Peek { fairdeal: Named { dealer } }) => dealer,
        Err(error) => {
            records.give_up();
            return report.file_error(&FileError::new(records.number(), format!("not a header: {error}")));
        }
    };
    if kept.is_some() && dealer != "house" {
        records.give_up();
        let why = format!("--kept works only with records of a house; the dealer of this one is {dealer}");
        return report.file_error(&FileError::new(records.number(), why));
    }
    let checked = match dealer.as_str() {
        "local" | "unknown" => check::<G, R, _>(records, &header, Unproven),
        "house" => {
            let audit = kept.map_or_else(Audit::new, |kept| Audit::with_kept(kept.to_vec()));
            check::<G, R, _>(records, &header, audit)
        }
        joint => {
            if let Ok(keepers) = joint.parse() {
                let checked = check::<G, R, _>(records, &header, JointAuditor::new(keepers));
                return report.record(&Checked { game: G::NAME, dealer, ..checked });
            }
            records.give_up();
            let why = format!("no dealer is called {dealer:?}; there are local, house, peers, committee and unknown");
            return report.file_error(&FileError::new(records.number(), why));
        }
    };
    report.record(&Checked { game: G::NAME, dealer, ..checked })
}

/// Plays a record again while the auditor looks on.
fn check<G: Game, R: BufRead, A: Auditor>(records: &mut Records<R>, header: &str, auditor: A) -> Checked {
    let mut checker = Checker::<G, A>::new(auditor);
    let mut checked = Checked::new(records.number(), checker.limits());
    let mut last = records.number();
    let mut line = checker.line(header);
    loop {
        match line {
            Ok(Step::Ended(_)) => (checked.deals, checked.after) = (checked.deals + 1, true),
            Ok(Step::Deal(number)) => (checked.deal, checked.after) = (Some(number), false),
            Ok(Step::Began | Step::Evidence | Step::Input) => {}
            Err(wrong) => {
                records.give_up();
                checked.flawed = Some(Flawed { line: last, by: wrong.by(), why: wrong.to_string() });
                return checked;
            }
        }
        checked.found(checker.findings());
        checked.heard(checker.codes());
        match records.advance() {
            Ok(true) => {
                last = records.number();
                line = checker.line(records.text());
            }
            Ok(false) => break,
            Err(FileError { line, why }) => {
                checked.flawed = Some(Flawed { line, by: named_in(records.text()), why });
                return checked;
            }
        }
    }
    if let Err(wrong) = checker.end() {
        checked.flawed = Some(Flawed { line: last, by: wrong.by(), why: wrong.to_string() });
    }
    checked.found(checker.findings());
    checked.complete = checker.reader().is_complete();
    checked
}
