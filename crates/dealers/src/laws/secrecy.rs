//! Exchanging two hidden faces changes nothing that anybody else sees.

use cards::Card;
use table::{Draw as _, Eye, Faces, Game, Known, Look, Refused, Rules, Seat, Seats, Slot, Table};

use super::steps::{Done, Run};
use super::{Seed, table_of};
use crate::Dealer as _;

/// A deck in which two cards have been swapped.
struct Exchanged<'a, L> {
    faces: &'a L,
    pair: [Slot; 2],
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

/// What every seat, and the public, sees and may do; `None` for owners of one of the pair.
fn sights<R: Rules>(table: &Table<R>, own: impl Fn(Seat) -> Faces, blind: Seats) -> Vec<Option<String>> {
    let text = |known: Known<'_>, eye: Eye| serde_json::to_string(&table.rules().view(known, eye)).ok();
    let mut sights = vec![text(Known::public(table.open()), Eye::Public)];
    for seat in Seats::first(table.rules().players()).iter() {
        let own = own(seat);
        let known = Known::with(table.open(), &own);
        sights.push(if blind.contains(seat) { None } else { text(known, Eye::Seat(seat)) });
        let moves = serde_json::to_string(&table.rules().moves(known, seat)).ok();
        sights.push(moves.filter(|_| !blind.contains(seat)));
    }
    sights
}

/// Plays a deal up to a random moment twice: as dealt, and with two cards swapped that are closed at that
/// moment. Everybody who holds neither must have seen the same all along.
pub(super) fn holds<G: Game>(setup: &<G::Rules as Rules>::Setup, seed: Seed, steps: u32) {
    let mut rng = seed.rng(8);
    let stop = 1 + rng.below(steps);
    let mut run = Run::new(table_of::<G>(setup, seed), seed);
    run.scripted = true;
    while run.steps < stop && run.step() {}
    let players = Seats::first(run.table.rules().players());
    let hidden: Vec<(Seat, Slot)> = players
        .iter()
        .flat_map(|seat| run.dealer.own(seat).iter().map(move |(slot, _)| (seat, slot)).collect::<Vec<_>>())
        .filter(|(_, slot)| run.table.open().get(*slot).is_none())
        .collect();
    let (Some((one, a)), Some((other, b))) = (rng.any(&hidden), rng.any(&hidden)) else { return };
    let blind = Seats::one(*one).with(*other);
    let as_dealt = Exchanged { faces: run.dealer.opened(), pair: [*a, *a] };
    let exchanged = Exchanged { faces: run.dealer.opened(), pair: [*a, *b] };
    let (mut one, mut two) = (table_of::<G>(setup, seed), table_of::<G>(setup, seed));
    for done in &run.script {
        let expected = seen_after(&mut one, done, &as_dealt, &run, blind, seed);
        let seen = seen_after(&mut two, done, &exchanged, &run, blind, seed);
        assert!(seen == expected, "{seed:?}: exchanging {a} and {b} can be seen: {seen:?}, not {expected:?}");
    }
}

/// Plays one input with these faces; returns the state and what everybody sees of it.
fn seen_after<R: Rules, L: Look>(
    table: &mut Table<R>,
    done: &Done<R>,
    faces: &Exchanged<'_, L>,
    run: &Run<R>,
    blind: Seats,
    seed: Seed,
) -> ([u8; 32], Vec<Option<String>>) {
    play(table, done, faces).unwrap_or_else(|e| panic!("{seed:?}: with {:?} exchanged: {e}", faces.pair));
    let own = |seat| run.dealer.own(seat).iter().filter_map(|(slot, _)| Some((slot, faces.face(slot)?))).collect();
    (table.state_hash(), sights(table, own, blind))
}

fn play<R: Rules>(table: &mut Table<R>, done: &Done<R>, faces: &impl Look) -> Result<(), Refused<R::Illegal>> {
    let height = table.height();
    match done {
        Done::Dealt => table.dealt(height, faces),
        Done::Acted(seat, action) => table.act(height, *seat, action, faces),
        Done::Chose(choices) => table.choose(height, choices),
    }
}
