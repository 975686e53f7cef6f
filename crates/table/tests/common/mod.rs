//! A toy game: each seat holds two cards of a pack and, in turn, lays one face up or says "I hold no spade". A
//! seat that lays a card scores its rank; a false statement costs 20.

#![allow(
    unreachable_pub,
    dead_code,
    clippy::indexing_slicing,
    missing_docs,
    reason = "shared by several test programs"
)]

use cards::{Card, Pack, Suit};
use serde::{Deserialize, Serialize};
use table::{
    Awaiting, BadSetting, Breakdown, Chips, Counting, Draw, Eye, Faces, Game, Input, Known, Look, Move, NoChoice,
    Order, Outcome, PerSeat, Range, Rules, Run, Seat, Seats, Series, Settings as _, Slot, Source, Standing,
};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Setup {
    pub players: u8,
    pub first_deck: u32,
}

#[derive(Clone, Debug, Serialize)]
pub struct Toy {
    pub setup: Setup,
    /// Whose turn it is; `None` before the deal. Beyond the last seat, the deal is over.
    pub next: Option<u8>,
    pub score: PerSeat<Chips>,
    pub gone: Seats,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    Lay(Slot),
    NoSpade,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Claim {
    by: Seat,
    slots: [Slot; 2],
}

#[derive(Clone, Debug, PartialEq)]
pub enum Illegal {
    NotYourTurn,
    NotYours,
    NotSeated,
    HoldsSpade,
    NotNow,
}

impl std::fmt::Display for Illegal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self:?}")
    }
}

impl std::error::Error for Illegal {}

impl table::Claim for Claim {
    type Illegal = Illegal;
    fn by(&self) -> Seat {
        self.by
    }
    fn slots(&self) -> impl Iterator<Item = Slot> {
        self.slots.iter().copied()
    }
    fn holds(&self, faces: &impl Look) -> bool {
        self.slots.iter().all(|slot| faces.face(*slot).is_some_and(|card| card.suit() != Some(Suit::Spades)))
    }
    fn refusal(&self) -> Illegal {
        Illegal::HoldsSpade
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct View {
    pub own: Vec<Card>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Moves {
    pub hand: Vec<Slot>,
}

impl table::Moves for Moves {
    type Action = Action;
    type Choice = NoChoice;
    fn pick(&self, draw: &mut impl Draw) -> Option<Move<Action, NoChoice>> {
        draw.any(&self.hand).map(|slot| Move::Act(Action::Lay(*slot)))
    }
}

impl Toy {
    pub fn hand(&self, seat: Seat) -> [Slot; 2] {
        let first = u16::from(seat.index()) * 2;
        [Slot::new(self.setup.first_deck, first), Slot::new(self.setup.first_deck, first + 1)]
    }

    fn pass_on(&mut self) {
        let mut next = self.next.unwrap_or(0) + 1;
        while Seat::new(next).is_some_and(|seat| self.gone.contains(seat)) {
            next += 1;
        }
        self.next = Some(next);
    }
}

impl Rules for Toy {
    type Setup = Setup;
    type Action = Action;
    type Choice = NoChoice;
    type Claim = Claim;
    type Illegal = Illegal;
    type View = View;
    type Moves = Moves;

    fn deal(setup: &Setup) -> Result<Self, BadSetting> {
        if !(2..=4).contains(&setup.players) {
            return Err(BadSetting::new("players", "from 2 to 4"));
        }
        let score = PerSeat::new(setup.players);
        Ok(Self { setup: setup.clone(), next: None, score, gone: Seats::NONE })
    }
    fn players(&self) -> u8 {
        self.setup.players
    }
    fn awaiting(&self) -> Awaiting {
        match self.next {
            None => Awaiting::Dealer,
            Some(next) if next < self.setup.players => Seat::new(next).map_or(Awaiting::Over, Awaiting::Turn),
            Some(_) => Awaiting::Over,
        }
    }
    fn order(&self, i: usize) -> Option<Order> {
        if self.next.is_some() {
            return None;
        }
        if i == 0 {
            return Some(Order::Shuffle { deck: self.setup.first_deck, from: Source::Pack(Pack::STANDARD) });
        }
        let to = Seats::first(self.setup.players).iter().nth(i - 1)?;
        Some(Order::Deal { to, slots: Run::of(self.hand(to)[0], 2) })
    }
    fn decks(&self) -> std::ops::Range<u32> {
        self.setup.first_deck..self.setup.first_deck + 1
    }
    fn shows(&self, _: Seat, action: &Action) -> impl Iterator<Item = Slot> {
        match action {
            Action::Lay(slot) => Some(*slot),
            Action::NoSpade => None,
        }
        .into_iter()
    }
    fn claim(&self, _: &impl Look, seat: Seat, action: &Action) -> Option<Claim> {
        (*action == Action::NoSpade).then(|| Claim { by: seat, slots: self.hand(seat) })
    }
    fn apply(&mut self, open: &Faces, input: Input<'_, Self>) -> Result<(), Illegal> {
        match (self.awaiting(), input) {
            (Awaiting::Over, _) => return Err(Illegal::NotNow),
            (awaiting, Input::Gone(seat) | Input::Forfeit(seat)) => {
                if self.gone.contains(seat) {
                    return Err(Illegal::NotSeated);
                }
                self.gone.insert(seat);
                if awaiting == Awaiting::Turn(seat) {
                    self.pass_on();
                }
            }
            (Awaiting::Dealer, Input::Dealt) => {
                self.next = Seats::first(self.setup.players).iter().find(|s| !self.gone.contains(*s)).map(Seat::index);
                self.next = self.next.or(Some(self.setup.players));
            }
            (Awaiting::Turn(turn), Input::Act { seat, action }) => {
                if seat != turn {
                    return Err(Illegal::NotYourTurn);
                }
                match action {
                    Action::Lay(slot) => {
                        let card =
                            open.get(*slot).filter(|_| self.hand(seat).contains(slot)).ok_or(Illegal::NotYours)?;
                        self.score[seat] = Chips(card.rank().map_or(0, |rank| i64::from(rank.number())));
                    }
                    Action::NoSpade => self.score[seat] = Chips(7),
                }
                self.pass_on();
            }
            _ => return Err(Illegal::NotNow),
        }
        Ok(())
    }
    fn admits_choice(&self, _: Seat, choice: &NoChoice) -> Result<(), Illegal> {
        match *choice {}
    }
    fn outcome(&self) -> Outcome {
        Outcome::played("played", self.score)
    }
    fn break_off(&self, why: Breakdown) -> Outcome {
        let result = |seat| if why.culprits().contains(seat) { Chips(-20) } else { Chips(0) };
        Outcome::broken(why, PerSeat::from_fn(self.setup.players, result))
    }
    fn view(&self, known: Known<'_>, eye: Eye) -> View {
        match eye {
            Eye::Seat(seat) => View { own: self.hand(seat).iter().filter_map(|slot| known.face(*slot)).collect() },
            Eye::Public => View { own: Vec::new() },
        }
    }
    fn moves(&self, _: Known<'_>, seat: Seat) -> Moves {
        let asked = self.awaiting() == Awaiting::Turn(seat);
        Moves { hand: if asked { self.hand(seat).to_vec() } else { Vec::new() } }
    }
    fn default_move(&self, _: Known<'_>, seat: Seat) -> Option<Move<Action, NoChoice>> {
        self.hand(seat).first().map(|slot| Move::Act(Action::Lay(*slot)))
    }
}

table::settings! {
    /// The settings of a match of the toy game.
    pub struct Settings {
        /// Deals of a match.
        deals: i64 = 2, Range::whole(1, 5);
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct ToySeries {
    players: u8,
    left: i64,
    total: PerSeat<Chips>,
}

impl Series for ToySeries {
    type Rules = Toy;
    fn next(&self, first_deck: u32) -> Option<Setup> {
        (self.left > 0).then_some(Setup { players: self.players, first_deck })
    }
    fn sample(&self, _: u64) -> Setup {
        Setup { players: self.players, first_deck: 0 }
    }
    fn finish(&mut self, _: &Toy, outcome: &Outcome) {
        self.left -= 1;
        for seat in Seats::first(self.players).iter() {
            self.total[seat] += outcome.result[seat];
        }
    }
    fn concede(&mut self, seat: Seat) {
        self.total[seat] = Chips(-1000);
    }
    fn standing(&self) -> Standing {
        Standing::ranked(self.total, self.left == 0, |a, b| self.total[a] > self.total[b])
    }
}

#[derive(Debug)]
pub struct ToyGame;

impl Game for ToyGame {
    const NAME: &'static str = "toy";
    const TITLE: &'static str = "Toy";
    const ABOUT: &'static str = "Lay a card.";
    const PLAYERS: std::ops::RangeInclusive<u8> = 2..=4;
    const RESULT: Counting = Counting::Points;
    const KEEPS_CLOSED: bool = true;
    type Settings = Settings;
    type Rules = Toy;
    type Series = ToySeries;
    fn start(settings: &Settings, players: u8) -> Result<ToySeries, BadSetting> {
        Self::check_players(players)?;
        settings.check_ranges()?;
        Ok(ToySeries { players, left: settings.deals, total: PerSeat::new(players) })
    }
}

pub fn seat(index: u8) -> Seat {
    Seat::new(index).expect("a seat")
}

/// Faces by place in deck `deck`.
pub fn faces(deck: u32, cards: &str) -> Faces {
    let cards = cards::parse_cards(cards).expect("cards");
    (0..).zip(cards).map(|(i, card)| (Slot::new(deck, i), card)).collect()
}
