//! What a joint dealing leaves in a record.
//!
//! Many messages are proofs, but not all: a closed choice that is never opened proves nothing, and of shares
//! there may be more than are needed. So lines are numbered and summed up ([`Pen`]), and the last one says
//! that the session is over: then nothing is missing that was there.

use table::record::By;

use super::ledger::Entry;
use super::terms::Terms;
use crate::Pen;

/// The kind of evidence that says that somebody no longer takes part. Nothing can prove that somebody was
/// silent.
pub(super) const LEFT_OUT: &str = "left_out";

/// The kind of evidence that says that there is no more.
pub(super) const END: &str = "end";

/// Writes down an entry of a ledger's log.
pub fn write_entry(pen: &mut Pen, entry: &Entry) {
    match entry {
        Entry::Said(by, message) => pen.write(*by, message.place.kind(), &dealing::encode(&**message)),
        Entry::LeftOut(by) => pen.write(*by, LEFT_OUT, &[]),
    }
}

/// Writes down that the session is over.
pub fn write_end(pen: &mut Pen, terms: &Terms) {
    pen.write(keeper(terms), END, &[]);
}

/// Under whom the end is recorded: the first of those who deal.
pub(super) fn keeper(terms: &Terms) -> By {
    terms.members().first().copied().unwrap_or(By::House)
}
