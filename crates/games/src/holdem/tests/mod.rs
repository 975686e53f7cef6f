//! Rules of Hold'em, one by one.

mod betting;
mod forced;
mod leaving;
mod pots;
mod series;
mod view;

use cards::{Card, Pack, parse_cards};
use table::{Awaiting, Chips, Faces, Height, Known, PerSeat, Refused, Rules, Seat, Seats, Slot, Table};

use super::{Action, Deal, Holdem, Illegal, Moves, Setup};

#[test]
fn laws_hold_for_every_number_of_players() {
    dealers::laws::hold::<Holdem>();
}

#[test]
fn laws_hold_for_antes_short_stacks_and_late_showing() {
    let small = super::Settings { starting_chips: 100, ante: 7, early_allin_reveal: false, ..Default::default() };
    dealers::laws::hold_with::<Holdem>(&small, 6);
    let ante_by = super::AnteBy::BigBlind;
    let any = super::Settings { starting_chips: 130, ante: 20, ante_by, reopen: super::Reopen::Any, ..small };
    dealers::laws::hold_with::<Holdem>(&any, 3);
}

/// A hand whose cards are known beforehand.
struct Hand {
    table: Table<Deal>,
    faces: Faces,
}

fn seat(index: u8) -> Seat {
    Seat::new(index).unwrap()
}

fn seats(indexes: &[u8]) -> Seats {
    indexes.iter().map(|index| seat(*index)).collect()
}

fn per_seat(amounts: &[i64]) -> PerSeat<Chips> {
    PerSeat::from_slice(&amounts.iter().map(|amount| Chips(*amount)).collect::<Vec<_>>()).unwrap()
}

/// Blinds 10 and 20.
fn setup(stacks: &[i64], button: u8) -> Setup {
    Setup::new(per_seat(stacks).as_slice(), Some(seat(button)), Chips(10), Chips(20))
}

/// Blinds 10 and 20, any cards.
fn hand(stacks: &[i64], button: u8) -> Hand {
    Hand::new(&setup(stacks, button))
}

const FOLD: Action = Action::Fold;
const CHECK: Action = Action::Check;
const CALL: Action = Action::Call;
const ALL_IN: Action = Action::AllIn;

fn to(amount: i64) -> Action {
    Action::RaiseTo(Chips(amount))
}

impl Hand {
    fn new(setup: &Setup) -> Self {
        let table = Table::new(Deal::deal(setup).unwrap(), Height(0));
        let mut faces = Faces::new();
        for (index, card) in (0..).zip(Pack::STANDARD.faces()) {
            faces.insert(Slot::new(setup.first_deck, index), card);
        }
        let mut hand = Self { table, faces };
        hand.deal();
        hand
    }

    /// The same with these cards; seats without any get some that are left over.
    fn with_cards(setup: &Setup, holes: &[(u8, &str)], board: &str) -> Self {
        let deal = Deal::deal(setup).unwrap();
        let mut named: Vec<(Slot, Card)> = Vec::new();
        for (index, cards) in holes {
            named.extend(deal.hole(seat(*index)).slots().zip(parse_cards(cards).unwrap()));
        }
        named.extend(deal.board().slots().zip(parse_cards(board).unwrap()));
        let mut faces: Faces = named.iter().copied().collect();
        let mut rest = Pack::STANDARD.faces().filter(|card| named.iter().all(|(_, other)| other != card));
        for slot in (0..52).map(|index| Slot::new(setup.first_deck, index)) {
            if faces.get(slot).is_none() {
                faces.insert(slot, rest.next().unwrap());
            }
        }
        let mut hand = Self { table: Table::new(deal, Height(0)), faces };
        hand.deal();
        hand
    }

    /// Carries out orders as long as the dealer is awaited.
    fn deal(&mut self) {
        while self.table.awaiting() == Awaiting::Dealer {
            self.deal_once();
        }
    }

    fn deal_once(&mut self) {
        self.table.dealt(self.table.height(), &self.faces).unwrap();
    }

    fn act_only(&mut self, index: u8, action: Action) {
        self.table.act(self.table.height(), seat(index), &action, &self.faces).unwrap();
    }

    /// The seats act in this order, and cards are dealt when they are due.
    fn act(&mut self, actions: &[(u8, Action)]) {
        for (index, action) in actions {
            assert_eq!(self.table.awaiting(), Awaiting::Turn(seat(*index)), "before {action:?}");
            self.act_only(*index, *action);
            self.deal();
        }
    }

    fn refusal(&mut self, index: u8, action: Action) -> Illegal {
        let before = self.table.state_hash();
        let refused = self.table.act(self.table.height(), seat(index), &action, &self.faces).unwrap_err();
        assert_eq!(self.table.state_hash(), before, "a refused action changed the state");
        match refused {
            Refused::Illegal(why) => why,
            other => panic!("the table refused: {other}"),
        }
    }

    fn leave(&mut self, index: u8) {
        self.table.gone(self.table.height(), seat(index)).unwrap();
    }

    fn rules(&self) -> &Deal {
        self.table.rules()
    }

    fn turn(&self) -> Option<u8> {
        match self.table.awaiting() {
            Awaiting::Turn(seat) => Some(seat.index()),
            Awaiting::Dealer | Awaiting::Choices(_) | Awaiting::Over => None,
        }
    }

    /// What the seat in turn can do: to call, least and most to raise to.
    fn options(&self) -> (i64, Option<i64>, Option<i64>) {
        let moves = self.moves();
        (moves.to_call.0, moves.min_to.map(|to| to.0), moves.max_to.map(|to| to.0))
    }

    fn moves(&self) -> Moves {
        self.rules().moves(Known::public(self.table.open()), seat(self.turn().unwrap()))
    }

    fn stacks(&self) -> Vec<i64> {
        self.rules().stacks().iter().map(|chips| chips.0).collect()
    }

    fn bets(&self) -> Vec<i64> {
        self.rules().bets().iter().map(|chips| chips.0).collect()
    }

    fn result(&self) -> Vec<i64> {
        self.table.outcome().unwrap().result.iter().map(|chips| chips.0).collect()
    }

    fn ending(&self) -> &str {
        &self.table.outcome().unwrap().ending
    }

    fn pots(&self) -> Vec<(i64, Seats)> {
        self.rules().pots().map(|pot| (pot.amount.0, pot.eligible)).collect()
    }

    /// Does everybody see the cards of this seat?
    fn is_open(&self, index: u8) -> bool {
        self.rules().hole(seat(index)).slots().all(|slot| self.table.open().get(slot).is_some())
    }

    fn board(&self) -> usize {
        self.rules().board().slots().filter(|slot| self.table.open().get(*slot).is_some()).count()
    }
}
