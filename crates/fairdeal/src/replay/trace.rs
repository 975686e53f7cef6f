//! How every deal begins, and every input with what it led to: what is awaited next, and the moves there are.

use serde::Serialize;
use serde_json::Value;
use table::record::{Header, Line};
use table::{Awaiting, Faces, Height, Known, MAX_SEATS, Rules, Seat, Table};

/// A line of a record of these rules.
pub(super) type LineOf<R> = Line<<R as Rules>::Setup, <R as Rules>::Action, <R as Rules>::Choice>;

/// Follows a record.
#[derive(Debug)]
pub(super) struct Trace {
    /// What each seat has been dealt, as far as the record says it.
    own: Vec<Faces>,
    /// The line being played.
    line: Value,
}

/// What an input led to.
#[derive(Serialize)]
pub(super) struct Traced {
    hand: u64,
    /// The height after it.
    height: Height,
    /// The line that begins the deal; absent for its inputs.
    #[serde(skip_serializing_if = "Value::is_null")]
    deal: Value,
    /// The line of the record; nothing where a deal begins.
    input: Value,
    awaiting: Asked,
    /// Of the seat to act; by seat where several choose; nothing where nobody is asked.
    moves: Value,
}

/// What is awaited next.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Asked {
    Dealer,
    Turn(Seat),
    Choices(Vec<Seat>),
    Over,
}

impl Trace {
    pub(super) fn new() -> Self {
        Self { own: vec![Faces::new(); usize::from(MAX_SEATS)], line: Value::Null }
    }

    /// A deal has begun: forgets faces that it cannot name.
    pub(super) fn begin_deal<R: Rules>(&mut self, table: &Table<R>, header: &Header) {
        // Single deals have nothing in common, though their decks have the same numbers.
        let oldest = if header.settings.is_some() { table.rules().decks().start } else { u32::MAX };
        self.own.iter_mut().for_each(|own| own.forget_before(oldest));
    }

    /// Looks at a line before it is played.
    pub(super) fn look<R: Rules>(&mut self, line: &LineOf<R>) {
        self.line = serde_json::to_value(line).unwrap_or_default();
        let Line::Dealt(dealt) = line else { return };
        for (seat, faces) in &dealt.private {
            if let Some(own) = self.own.get_mut(usize::from(seat.index())) {
                faces.iter().for_each(|(slot, card)| own.insert(slot, card));
            }
        }
    }

    /// The line has begun a deal.
    pub(super) fn start<R: Rules>(&mut self, hand: u64, table: &Table<R>) -> Traced {
        let begun = self.step(hand, table);
        Traced { deal: begun.input, input: Value::Null, ..begun }
    }

    /// The line has been played.
    pub(super) fn step<R: Rules>(&mut self, hand: u64, table: &Table<R>) -> Traced {
        let moves_of = |seat: Seat| {
            let own = self.own.get(usize::from(seat.index()));
            let known = own.map_or(Known::public(table.open()), |own| Known::with(table.open(), own));
            serde_json::to_value(table.rules().moves(known, seat)).unwrap_or_default()
        };
        let (awaiting, moves) = match table.awaiting() {
            Awaiting::Dealer => (Asked::Dealer, Value::Null),
            Awaiting::Turn(seat) => (Asked::Turn(seat), moves_of(seat)),
            Awaiting::Choices(seats) => {
                let moves = seats.iter().map(|seat| (seat.index().to_string(), moves_of(seat))).collect();
                (Asked::Choices(seats.iter().collect()), Value::Object(moves))
            }
            Awaiting::Over => (Asked::Over, Value::Null),
        };
        let input = std::mem::take(&mut self.line);
        Traced { hand, height: table.height(), deal: Value::Null, input, awaiting, moves }
    }
}
