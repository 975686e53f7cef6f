//! `fairdeal chain verify`: a hand that is over, checked against a root that validators have signed.

use std::io::Write;

use super::contact::Contact;
use crate::Done;
use crate::cli::{HandArgs, Which};
use crate::durable::{self, Readers};
use crate::failure::Failure;
use crate::verify::chain::Hand;

pub(super) fn verify(args: &HandArgs, out: &mut impl Write) -> Result<Done, Failure> {
    let mut contact = Contact::open(&args.at)?;
    let table = args.table;
    let number = match args.hand {
        Which::Number(number) => number,
        Which::Last => {
            let hands = contact.block(async |remote| remote.hands(table).await)?;
            let last = hands.first().copied();
            last.ok_or_else(|| Failure::input(format!("no hand has ended at table {table} yet")))?
        }
    };
    let export = contact.block(async |remote| remote.export(table, number).await)?;
    let none = || Failure::input(format!("the node has no hand {number} of table {table}; `last` is the latest one"));
    let export = export.ok_or_else(none)?;
    let height = export.height;
    let root = contact.block(async |remote| remote.root_after(height).await)?;
    contact.keep()?;
    if let Some(path) = &args.output {
        durable::create(path, export.to_text().as_bytes(), Readers::Usual).map_err(|why| match why.kind() {
            std::io::ErrorKind::AlreadyExists => Failure::input(format!("{}: the file exists", path.display())),
            _ => Failure::file(path, "write", &why),
        })?;
    }
    let hand = Hand::signed(export, &root);
    if args.json {
        writeln!(out, "{}", hand.json(&contact.name))?;
    } else {
        hand.tell(&contact.name, out)?;
    }
    match hand.complaint() {
        None => Ok(Done::Well),
        Some(why) => Err(Failure::Check(why)),
    }
}
