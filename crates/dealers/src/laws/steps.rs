//! A deal played at random, one input at a time, with a check at every step.

use std::collections::BTreeMap;

use rand::rngs::ChaCha8Rng;
use table::{
    Awaiting, Draw as _, Eye, Height, Known, Look as _, Move, Moves as _, Order, Outcome, Rules, Seat, Seats, Slot,
    Source, Table,
};

use super::{Seed, cards_in};
use crate::{Dealer as _, Filling, Local, admit};

/// More inputs than any deal can take.
const MOST_STEPS: u32 = 100_000;

/// The most actions to remember, to try where they do not belong.
const MOST_REMEMBERED: usize = 500;

/// An input that was taken.
pub(super) enum Done<R: Rules> {
    Dealt,
    Acted(Seat, R::Action),
    Chose(Vec<(Seat, R::Choice)>),
}

/// A deal under way.
pub(super) struct Run<R: Rules> {
    pub(super) table: Table<R>,
    pub(super) dealer: Local,
    pub(super) steps: u32,
    /// Check every state, not only what is needed to continue.
    pub(super) closely: bool,
    /// Nobody answers: everything is done by the game's defaults.
    pub(super) silent: bool,
    /// Every input so far, if `scripted` is set.
    pub(super) script: Vec<Done<R>>,
    pub(super) scripted: bool,
    seed: Seed,
    picks: ChaCha8Rng,
    nonsense: ChaCha8Rng,
    /// Actions seen so far, in this deal and others, to be tried where they do not belong.
    pub(super) seen: Vec<(Seat, R::Action)>,
    decks: BTreeMap<u32, u16>,
    owners: BTreeMap<Slot, Seat>,
}

impl<R: Rules> Run<R> {
    pub(super) fn new(table: Table<R>, seed: Seed) -> Self {
        Self {
            table,
            dealer: seed.dealer(),
            steps: 0,
            closely: false,
            silent: false,
            script: Vec::new(),
            scripted: false,
            seed,
            picks: seed.rng(2),
            nonsense: seed.rng(3),
            seen: Vec::new(),
            decks: BTreeMap::new(),
            owners: BTreeMap::new(),
        }
    }

    pub(super) fn outcome(&self) -> Outcome {
        let seed = self.seed;
        self.table.outcome().unwrap_or_else(|| panic!("{seed:?}: over without an outcome")).clone()
    }

    /// One input; `false` once the deal is over.
    pub(super) fn step(&mut self) -> bool {
        let seed = self.seed;
        let height = self.table.height();
        self.steps += 1;
        assert!(self.steps < MOST_STEPS, "{seed:?}: the deal does not end");
        if self.closely {
            self.look();
        }
        let done = match self.table.awaiting() {
            Awaiting::Dealer => {
                self.orders_make_sense();
                let filled = self.dealer.fill(&self.table).unwrap_or_else(|e| panic!("{seed:?}: {e}"));
                assert_eq!(filled, Filling::Done);
                // A second time changes nothing.
                let _ = self.dealer.fill(&self.table);
                self.table.dealt(height, self.dealer.opened()).unwrap_or_else(|e| panic!("{seed:?}: {e}"));
                Done::Dealt
            }
            Awaiting::Turn(seat) => {
                let Move::Act(action) = self.decide(seat) else { panic!("{seed:?}: {seat} must act, not choose") };
                if self.closely {
                    self.refusals_change_nothing(seat, &action);
                    self.remember(seat, &action);
                }
                admit(&self.table, &self.dealer, seat, &action)
                    .and_then(|()| self.table.act(height, seat, &action, self.dealer.opened()))
                    .unwrap_or_else(|e| {
                        panic!("{seed:?}: {seat} was offered {action:?}, refused: {e}\n{:?}", self.table.rules())
                    });
                Done::Acted(seat, action)
            }
            Awaiting::Choices(seats) => {
                assert!(!seats.is_empty(), "{seed:?}: nobody has to choose");
                let mut choices = Vec::new();
                for seat in seats.iter() {
                    let Move::Choose(choice) = self.decide(seat) else {
                        panic!("{seed:?}: {seat} must choose, not act")
                    };
                    self.table
                        .admits_choice(seat, &choice, |claim| self.dealer.judge(claim) != Some(false))
                        .unwrap_or_else(|e| panic!("{seed:?}: {seat} was offered {choice:?}, refused: {e}"));
                    choices.push((seat, choice));
                }
                if let [_, rest @ ..] = choices.as_slice() {
                    let before = self.table.state_hash();
                    assert!(self.table.choose(height, rest).is_err(), "{seed:?}: a choice was missing");
                    assert!(self.table.state_hash() == before, "{seed:?}: a refused choice changed the state");
                }
                self.table.choose(height, &choices).unwrap_or_else(|e| panic!("{seed:?}: {choices:?} refused: {e}"));
                Done::Chose(choices)
            }
            Awaiting::Over => return false,
        };
        if self.scripted {
            self.script.push(done);
        }
        assert_eq!(self.table.height(), Height(height.0 + 1), "{seed:?}: every input counts once");
        true
    }

    fn known(&self, seat: Seat) -> Known<'_> {
        Known::with(self.table.open(), self.dealer.own(seat))
    }

    fn decide(&mut self, seat: Seat) -> Move<R::Action, R::Choice> {
        let seed = self.seed;
        let known = Known::with(self.table.open(), self.dealer.own(seat));
        let rules = self.table.rules();
        if self.silent {
            return rules
                .default_move(known, seat)
                .unwrap_or_else(|| panic!("{seed:?}: {seat} has no default in {rules:?}"));
        }
        let moves = rules.moves(known, seat);
        moves
            .pick(&mut self.picks)
            .unwrap_or_else(|| panic!("{seed:?}: the table waits for {seat}, which is offered nothing: {moves:?}"))
    }

    /// Views and moves of everybody.
    fn look(&mut self) {
        let seed = self.seed;
        let rules = self.table.rules();
        let asked = match self.table.awaiting() {
            Awaiting::Turn(seat) => Seats::one(seat),
            Awaiting::Choices(seats) => seats,
            Awaiting::Dealer | Awaiting::Over => Seats::NONE,
        };
        let _ = rules.view(Known::public(self.table.open()), Eye::Public);
        for seat in Seats::first(rules.players()).iter() {
            let _ = rules.view(self.known(seat), Eye::Seat(seat));
            let moves = rules.moves(self.known(seat), seat);
            let offered = moves.pick(&mut self.nonsense).is_some();
            assert_eq!(offered, asked.contains(seat), "{seed:?}: {seat} and its moves {moves:?}");
        }
    }

    /// Shuffles come before deals, slots exist, and no card is dealt to two seats.
    fn orders_make_sense(&mut self) {
        let seed = self.seed;
        let mut any = false;
        for order in self.table.orders() {
            any = true;
            let slots = match order {
                Order::Shuffle { deck, from } => {
                    let size = match from {
                        Source::Pack(pack) => cards_in(pack),
                        Source::Slots(slots) => {
                            let mut once = slots.to_vec();
                            once.sort_unstable();
                            once.dedup();
                            assert_eq!(once.len(), slots.len(), "{seed:?}: a card is recycled twice");
                            u16::try_from(slots.len()).unwrap_or(u16::MAX)
                        }
                    };
                    let range = self.table.rules().decks();
                    assert!(range.contains(&deck), "{seed:?}: deck {deck} is not among {range:?}");
                    let before = self.decks.insert(deck, size);
                    assert!(before.is_none_or(|before| before == size), "{seed:?}: deck {deck} is made twice");
                    continue;
                }
                Order::Deal { to, slots } => {
                    for slot in slots.slots() {
                        let owner = *self.owners.entry(slot).or_insert(to);
                        assert_eq!(owner, to, "{seed:?}: card {slot} is dealt to two seats");
                    }
                    slots
                }
                Order::Open { slots } => slots,
            };
            for slot in slots.slots() {
                let size = self.decks.get(&slot.deck);
                assert!(size.is_some_and(|size| slot.index < *size), "{seed:?}: there is no card {slot}");
            }
        }
        assert!(any, "{seed:?}: the table waits for the dealer without an order");
    }

    fn remember(&mut self, seat: Seat, action: &R::Action) {
        if self.seen.len() < MOST_REMEMBERED {
            self.seen.push((seat, action.clone()));
        } else if let Some(place) = usize::try_from(self.nonsense.below(1000)).ok().and_then(|i| self.seen.get_mut(i)) {
            *place = (seat, action.clone());
        }
    }

    /// Illegal input is refused and changes nothing.
    fn refusals_change_nothing(&mut self, seat: Seat, action: &R::Action) {
        let seed = self.seed;
        let height = self.table.height();
        let before = self.table.state_hash();
        let same = |table: &Table<R>, what: &str| {
            assert!(table.state_hash() == before, "{seed:?}: {what} was refused and changed the state");
        };
        let opened = self.dealer.opened();
        assert!(self.table.act(Height(height.0 + 1), seat, action, opened).is_err(), "{seed:?}: another height");
        same(&self.table, "an action for another height");
        for other in Seats::first(self.table.rules().players()).without(seat).iter() {
            assert!(self.table.act(height, other, action, opened).is_err(), "{seed:?}: {other} acted out of turn");
            same(&self.table, "an action out of turn");
        }
        assert!(self.table.choose(height, &[]).is_err(), "{seed:?}: nobody had to choose");
        assert!(self.table.dealt(height, opened).is_err(), "{seed:?}: it was not the dealer's turn");
        same(&self.table, "dealing out of turn");
        // An action from another moment is refused out of turn; in turn it may be legal here, too.
        for _ in 0..6 {
            let Some((who, other)) = self.nonsense.any(&self.seen) else { break };
            let mut table = self.table.clone();
            let refused = table.act(height, *who, other, opened).is_err();
            assert!(refused || *who == seat, "{seed:?}: {who} acted out of turn: {other:?}");
            if refused {
                same(&table, "an action from another moment");
            }
        }
        // Laid down without its faces.
        let hidden = self.table.rules().shows(seat, action).any(|slot| self.table.open().face(slot).is_none());
        if hidden {
            let nothing = table::Faces::new();
            assert!(self.table.act(height, seat, action, &nothing).is_err(), "{seed:?}: faces were missing");
            same(&self.table, "an action without its faces");
        }
    }
}
