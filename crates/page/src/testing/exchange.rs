//! A deal replayed with two cards swapped.

use ::table::{Look, Refused, Rules, Seat, Slot, Table};
use cards::Card;

/// An input to replay.
pub(super) enum Done<R: Rules> {
    Dealt,
    Acted(Seat, R::Action),
    Chose(Vec<(Seat, R::Choice)>),
}

/// Faces, two of them swapped.
pub(super) struct Exchanged<'a, L> {
    pub(super) faces: &'a L,
    pub(super) pair: [Slot; 2],
}

impl<L: Look> Look for Exchanged<'_, L> {
    fn face(&self, slot: Slot) -> Option<Card> {
        let [a, b] = self.pair;
        self.faces.face(if slot == a {
            b
        } else if slot == b {
            a
        } else {
            slot
        })
    }
}

/// Replays an input with other faces.
pub(super) fn again<R: Rules>(
    table: &mut Table<R>,
    done: &Done<R>,
    faces: &impl Look,
) -> Result<(), Refused<R::Illegal>> {
    let height = table.height();
    match done {
        Done::Dealt => table.dealt(height, faces),
        Done::Acted(seat, action) => table.act(height, *seat, action, faces),
        Done::Chose(choices) => table.choose(height, choices),
    }
}
