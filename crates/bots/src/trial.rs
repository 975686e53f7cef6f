//! Deals played by computers in tests, where each seat knows only what it may know.

use cards::Card;
use rand::SeedableRng as _;
use rand::rngs::ChaCha8Rng;
use table::{Awaiting, Claim as _, Draw as _, Faces, Known, Match, Move, Order, Rules, Seat, Slot, Source, Table};

use crate::{Advice, Computer, Course, Decision, Kind, Past, Sight};

/// What a dealer and the seats know about the deal on a table.
pub(crate) struct Trial<G: Computer> {
    pub(crate) settings: G::Settings,
    /// Every face; decks that are already here are not shuffled.
    pub(crate) faces: Faces,
    own: Vec<Faces>,
    past: Vec<Past<G::Rules>>,
    deal: u32,
    pub(crate) rng: ChaCha8Rng,
}

impl<G: Computer> Trial<G> {
    pub(crate) fn new(settings: G::Settings, seed: u64) -> Self {
        let own = vec![Faces::new(); 12];
        Self { settings, faces: Faces::new(), own, past: Vec::new(), deal: 1, rng: ChaCha8Rng::seed_from_u64(seed) }
    }

    /// Carries out what the table orders.
    pub(crate) fn fill(&mut self, table: &mut Table<G::Rules>) {
        for order in table.orders() {
            match order {
                Order::Shuffle { deck, from } => {
                    let mut cards: Vec<Card> = match from {
                        Source::Pack(pack) => pack.faces().collect(),
                        Source::Slots(slots) => slots.iter().map(|slot| self.faces.get(*slot).unwrap()).collect(),
                    };
                    // Cards that a test has put in their places stay there.
                    let place = |index: usize| Slot::new(deck, u16::try_from(index).unwrap());
                    let stacked: Vec<Card> = (0..cards.len()).filter_map(|i| self.faces.get(place(i))).collect();
                    for card in stacked {
                        let at = cards.iter().position(|other| *other == card).expect("stacked cards are in the pack");
                        cards.swap_remove(at);
                    }
                    for index in 0..512 {
                        if cards.is_empty() {
                            break;
                        }
                        if self.faces.get(place(index)).is_none() {
                            let any = self.rng.below(u32::try_from(cards.len()).unwrap());
                            self.faces.insert(place(index), cards.swap_remove(usize::try_from(any).unwrap()));
                        }
                    }
                }
                Order::Deal { to, slots } => {
                    for slot in slots.slots() {
                        let face = self.faces.get(slot).unwrap();
                        self.own[usize::from(to.index())].insert(slot, face);
                    }
                }
                Order::Open { .. } => {}
            }
        }
        table.dealt(table.height(), &self.faces).unwrap();
    }

    /// What a computer in this seat would do.
    pub(crate) fn decide(&mut self, table: &Table<G::Rules>, seat: Seat, kind: Kind) -> Decision<G::Rules> {
        let known = Known::with(table.open(), &self.own[usize::from(seat.index())]);
        let course = Course::<G> { settings: &self.settings, deal: self.deal, past: &self.past };
        kind.decide(course, table, seat, known, &mut self.rng)
    }

    /// The advice for this seat.
    pub(crate) fn advice(&mut self, table: &Table<G::Rules>, seat: Seat) -> Option<Advice<G>> {
        self.look(table, seat, |sight, draw| G::advice(sight, draw))
    }

    /// Calls `f` with what this seat sees.
    pub(crate) fn look<T>(
        &mut self,
        table: &Table<G::Rules>,
        seat: Seat,
        f: impl FnOnce(&Sight<'_, G>, &mut ChaCha8Rng) -> T,
    ) -> T {
        let known = Known::with(table.open(), &self.own[usize::from(seat.index())]);
        let moves = table.rules().moves(known, seat);
        let view = table.rules().view(known, table::Eye::Seat(seat));
        let course = Course::<G> { settings: &self.settings, deal: self.deal, past: &self.past };
        let sight = Sight { seat, view: &view, moves: &moves, known, rules: table.rules(), course };
        f(&sight, &mut self.rng)
    }

    /// A seat acts.
    pub(crate) fn act(&mut self, table: &mut Table<G::Rules>, seat: Seat, action: &<G::Rules as Rules>::Action) {
        self.past.push(Past::Did(seat, action.clone()));
        let height = table.height();
        table
            .act_if(height, seat, action, &self.faces, |claim| claim.holds(&self.faces))
            .unwrap_or_else(|why| panic!("{action:?}: {why}"));
    }

    /// Plays the deal on the table until it is over, or until `inputs` are taken.
    pub(crate) fn play(&mut self, table: &mut Table<G::Rules>, kinds: &[Kind], inputs: usize) {
        let kind = |seat: Seat| kinds[usize::from(seat.index()) % kinds.len()];
        for _ in 0..inputs {
            match table.awaiting() {
                Awaiting::Dealer => self.fill(table),
                Awaiting::Turn(seat) => match self.decide(table, seat, kind(seat)) {
                    Some(Move::Act(action)) => self.act(table, seat, &action),
                    other => panic!("{seat} must act, not {other:?}"),
                },
                Awaiting::Choices(seats) => {
                    let choices: Vec<_> = seats
                        .iter()
                        .map(|seat| match self.decide(table, seat, kind(seat)) {
                            Some(Move::Choose(choice)) => (seat, choice),
                            other => panic!("{seat} must choose, not {other:?}"),
                        })
                        .collect();
                    choices.iter().for_each(|(seat, choice)| self.past.push(Past::Chose(*seat, choice.clone())));
                    table.choose(table.height(), &choices).unwrap();
                }
                Awaiting::Over => return,
            }
        }
    }

    /// Plays a whole match among these, repeated around the table; returns the number of inputs.
    pub(crate) fn play_match(mut self, players: u8, kinds: &[Kind]) -> u64 {
        let mut running = Match::<G>::start(&self.settings, players).unwrap();
        while !running.standing().over {
            self.play(running.table_mut(), kinds, usize::MAX);
            assert!(running.advance(0).unwrap().broken_off.is_none());
            self.past.clear();
            self.deal += 1;
        }
        running.table().height().0
    }
}
