//! Rules of Ongdu, one by one.

mod arrangements;
mod hands;
mod layers;
mod leaving;
mod matches;
mod places;
mod rounds;

use cards::{Card, Pack, parse_cards};
use table::{Chips, Faces, Game, Height, Known, Refused, Rules, Seat, Seats, Slot, Table};

use super::{Arrangement, Deal, Illegal, Ongdu, Preset, Settings, Setup};

#[test]
fn laws_hold_for_every_number_of_players() {
    let settings = Settings { starting_cash: Chips(100), ..Settings::default() };
    dealers::laws::hold_for_all::<Ongdu>(&settings);
}

#[test]
fn laws_hold_as_the_author_plays_it() {
    let settings =
        Settings { preset: Preset::Author, foul: 7, special: 20, point_value: Chips(3), ..Settings::default() };
    Ongdu::PLAYERS.for_each(|players| dealers::laws::hold_with::<Ongdu>(&settings, players));
}

fn seat(index: u8) -> Seat {
    Seat::new(index).unwrap()
}

fn three(text: &str) -> [Card; 3] {
    parse_cards(text).unwrap().try_into().unwrap()
}

/// A round of the usual kind, started by seat 0.
fn setup(players: u8) -> Setup {
    Setup {
        players,
        starter: Some(seat(0)),
        preset: Preset::Seed,
        foul: 10,
        special: 10,
        point_value: Chips(1),
        gone: Seats::NONE,
        first_deck: 0,
    }
}

/// A table, and what really lies in its deck.
struct Scripted {
    table: Table<Deal>,
    faces: Faces,
}

impl Scripted {
    /// Deals these hands to the first seats, and the others whatever is left of the pack.
    fn deal(setup: &Setup, hands: &[&str]) -> Self {
        let mut table = Table::new(Deal::deal(setup).unwrap(), Height(0));
        let mut faces = Faces::new();
        let mut pack: Vec<Card> = Pack::ONGDU.faces().collect();
        let hands: Vec<Vec<Card>> = hands.iter().map(|hand| parse_cards(hand).unwrap()).collect();
        for card in hands.iter().flatten() {
            pack.remove(pack.iter().position(|left| left == card).unwrap());
        }
        for at in Seats::first(setup.players).iter() {
            let mut hand = hands.get(usize::from(at.index())).cloned().unwrap_or_default().into_iter();
            for slot in table.rules().dealt_to(at).slots() {
                faces.insert(slot, hand.next().unwrap_or_else(|| pack.pop().unwrap()));
            }
        }
        table.dealt(Height(0), &faces).unwrap();
        Self { table, faces }
    }

    fn slots(&self, of: u8) -> Vec<Slot> {
        self.table.rules().hand(seat(of)).collect()
    }

    /// The seat's cards as they were dealt: three on top, three in the middle, three at the bottom.
    fn as_dealt(&self, of: u8) -> Arrangement {
        let slots = self.slots(of);
        Arrangement::new(&slots[..3], &slots[3..6], &slots[6..]).unwrap()
    }

    /// Everybody still there arranges their cards as they were dealt.
    fn choices_as_dealt(&self) -> Vec<(Seat, Arrangement)> {
        let rules = self.table.rules();
        (rules.all() - rules.gone).iter().map(|at| (at, self.as_dealt(at.index()))).collect()
    }

    fn choose(&mut self, choices: &[(Seat, Arrangement)]) -> Result<(), Refused<Illegal>> {
        self.table.choose(self.table.height(), choices)
    }

    fn dealt(&mut self) {
        self.table.dealt(self.table.height(), &self.faces).unwrap();
    }

    fn gone(&mut self, leaver: u8) {
        self.table.gone(self.table.height(), seat(leaver)).unwrap();
    }

    /// The faces that a seat has been dealt.
    fn own(&self, of: u8) -> Faces {
        let slots = self.table.rules().dealt_to(seat(of)).slots();
        slots.map(|slot| (slot, self.faces.get(slot).unwrap())).collect()
    }

    fn view(&self) -> super::View {
        self.table.rules().view(Known::public(self.table.open()), table::Eye::Public)
    }

    fn results(&self) -> Vec<i64> {
        self.table.outcome().unwrap().result.iter().map(|result| result.0).collect()
    }

    /// Plays hands as they were dealt to the end, and gives the results.
    fn play(setup: &Setup, hands: &[&str]) -> Vec<i64> {
        let mut scripted = Self::deal(setup, hands);
        scripted.choose(&scripted.choices_as_dealt()).unwrap();
        scripted.dealt();
        scripted.results()
    }
}
