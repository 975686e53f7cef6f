//! The evidence of a joint dealing in a record.
//!
//! Most messages are proofs, but not all: a commitment that is never revealed proves nothing, and there may be
//! more shares than needed. So lines are numbered and carry checksums ([`Pen`]), and the last one says that the
//! session is over: this shows that nothing is missing.

use table::record::By;

use super::ledger::Entry;
use super::terms::Terms;
use crate::Pen;

/// The kind of evidence that shows a wrong message, because of which its author was left out.
pub(super) const WRONG: &str = "wrong";

/// The kind of evidence that says that a member or player was left out. Nothing can prove silence.
pub(super) const LEFT_OUT: &str = "left_out";

/// The kind of evidence that marks the end.
pub(super) const END: &str = "end";

/// Records an entry of a ledger's log.
pub fn write_entry(pen: &mut Pen, entry: &Entry) {
    match entry {
        Entry::Said(by, message) => pen.write(*by, message.place.kind(), &dealing::encode(&**message)),
        Entry::Wrong(by, message) => pen.write(*by, WRONG, &dealing::encode(&**message)),
        Entry::LeftOut(by) => pen.write(*by, LEFT_OUT, &[]),
    }
}

/// Records that the session is over.
pub fn write_end(pen: &mut Pen, terms: &Terms) {
    pen.write(keeper(terms), END, &[]);
}

/// The recorded author of the end: the first member.
pub(super) fn keeper(terms: &Terms) -> By {
    terms.members().first().copied().unwrap_or(By::House)
}
