//! Writing records.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Act, Broken, Choices, Deal, Dealt, End, Evidence, FORMAT, Gone, Header, Line, hex};
use crate::{Breakdown, Faces, Height, Leaving, Look, Order, Rules, Seat, Standing, Table};

/// Turns what happens at a table into lines of a record.
///
/// Every method appends whole lines; [`Writer::take`] returns the lines so far.
#[derive(Clone, Debug, Default)]
pub struct Writer {
    text: String,
}

type LineOf<R> = Line<<R as Rules>::Setup, <R as Rules>::Action, <R as Rules>::Choice>;

impl Writer {
    /// Nothing written yet.
    pub const fn new() -> Self {
        Self { text: String::new() }
    }

    /// The lines since the last call.
    pub fn take(&mut self) -> String {
        core::mem::take(&mut self.text)
    }

    /// A record begins.
    pub fn header(&mut self, header: Header) {
        self.line(&Line::<(), (), ()>::Fairdeal(Header { format: FORMAT, ..header }));
    }

    /// A deal begins.
    pub fn deal<R: Rules>(&mut self, number: u32, setup: &R::Setup) {
        self.line(&LineOf::<R>::Deal(Deal { number, setup: setup.clone() }));
    }

    /// Something that can be checked.
    pub fn evidence(&mut self, evidence: Evidence) {
        self.line(&Line::<(), (), ()>::Evidence(evidence));
    }

    /// The dealer is about to carry out the table's orders. `faces` has the opened cards; `private` has the
    /// cards dealt to single seats, if they may be recorded here.
    pub fn dealt<R: Rules>(
        &mut self,
        table: &Table<R>,
        faces: &impl Look,
        private: impl Fn(Seat, crate::Slot) -> Option<cards::Card>,
    ) {
        let mut dealt = Dealt { height: table.height(), open: Faces::new(), private: BTreeMap::new() };
        for order in table.orders() {
            match order {
                Order::Shuffle { .. } => {}
                Order::Deal { to, slots } => {
                    for slot in slots.slots() {
                        if let Some(card) = private(to, slot) {
                            dealt.private.entry(to).or_default().insert(slot, card);
                        }
                    }
                }
                Order::Open { slots } => slots.slots().for_each(|slot| keep(&mut dealt.open, slot, faces)),
            }
        }
        self.line(&LineOf::<R>::Dealt(dealt));
    }

    /// A seat is about to act.
    pub fn act<R: Rules>(
        &mut self,
        table: &Table<R>,
        seat: Seat,
        action: &R::Action,
        faces: &impl Look,
        timeout: bool,
    ) {
        let mut open = Faces::new();
        table.rules().shows(seat, action).for_each(|slot| keep(&mut open, slot, faces));
        self.line(&LineOf::<R>::Act(Act { height: table.height(), seat, action: action.clone(), open, timeout }));
    }

    /// All seats that had to choose have chosen.
    pub fn choices<R: Rules>(&mut self, height: Height, choices: &[(Seat, R::Choice)]) {
        self.line(&LineOf::<R>::Choices(Choices { height, choices: choices.to_vec() }));
    }

    /// A seat left for good.
    pub fn gone(&mut self, height: Height, seat: Seat) {
        self.left(height, seat, Leaving::Left);
    }

    /// A seat left the deal.
    pub fn left(&mut self, height: Height, seat: Seat, how: Leaving) {
        self.line(&Line::<(), (), ()>::Gone(Gone { height, seat, how }));
    }

    /// The deal could not continue.
    pub fn broken(&mut self, height: Height, why: Breakdown) {
        self.line(&Line::<(), (), ()>::Broken(Broken { height, why }));
    }

    /// The deal is over; nothing is written before that.
    pub fn end<R: Rules>(&mut self, table: &Table<R>, standing: Option<Standing>) {
        let Some(outcome) = table.outcome().cloned() else { return };
        self.line(&Line::<(), (), ()>::End(End { outcome, hash: hex(&table.state_hash()), standing }));
    }

    /// Appends one line.
    pub fn line<S: Serialize, A: Serialize, C: Serialize>(&mut self, line: &Line<S, A, C>) {
        // Nothing that a line holds can fail to be written as JSON.
        if let Ok(text) = serde_json::to_string(line) {
            self.text.push_str(&text);
            self.text.push('\n');
        }
    }
}

fn keep(open: &mut Faces, slot: crate::Slot, faces: &impl Look) {
    if let Some(card) = faces.face(slot) {
        open.insert(slot, card);
    }
}
