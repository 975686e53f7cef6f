//! Rules of Blackjack Duel, one by one.

mod claims;
mod leaving;
mod matches;
mod paying;
mod playing;
mod shoe;

use cards::Card;
use table::{
    Awaiting, Breakdown, Chips, Eye, Faces, Game as _, Height, Known, Outcome, PerSeat, Refused, Rules as _, Seat,
    Seats, Slot, Table,
};

use super::{Action, Bet, Blackjack, Deal, Illegal, Moves, Settings, Setup, View};

#[test]
fn laws_hold_for_every_number_of_players() {
    dealers::laws::hold::<Blackjack>();
}

#[test]
fn laws_hold_with_the_other_settings() {
    let words = "decks=1 soft17=hit max_split_hands=4 split_by_value=true double_after_split=false blackjack_pays=6:5";
    dealers::laws::hold_with::<Blackjack>(&settings(words), 4);
    dealers::laws::hold_with::<Blackjack>(&settings("starting_chips=10 max_bet=10"), 3);
}

/// Settings from `name=value` words.
fn settings(words: &str) -> Settings {
    let mut settings = Settings::default();
    for word in words.split_whitespace() {
        let (name, value) = word.split_once('=').expect("name=value");
        table::Settings::set(&mut settings, name, value).expect("a good setting");
    }
    settings
}

fn seat(index: u8) -> Seat {
    Seat::new(index).expect("a chair")
}

fn chips(list: &[i64]) -> PerSeat<Chips> {
    let list: Vec<Chips> = list.iter().copied().map(Chips).collect();
    PerSeat::from_slice(&list).expect("few seats")
}

/// How the first round of a match with these settings begins.
fn setup(words: &str, players: u8) -> Setup {
    Blackjack::sample(&settings(words), players, 0).expect("good settings")
}

/// A round whose cards are known beforehand.
struct Round {
    table: Table<Deal>,
    faces: Faces,
}

impl Round {
    /// The usual settings; these hands clockwise from seat 0, the bank's first two cards, and what is drawn
    /// after that, in order.
    fn new(hands: &[&str], bank: &str, drawn: &str) -> Self {
        Self::with("", hands, bank, drawn)
    }

    fn with(words: &str, hands: &[&str], bank: &str, drawn: &str) -> Self {
        let players = u8::try_from(hands.len()).expect("few hands");
        Self::of(&setup(words, players), hands, bank, drawn)
    }

    /// `hands` are those of the seats that play, in the order of dealing.
    fn of(setup: &Setup, hands: &[&str], bank: &str, drawn: &str) -> Self {
        let all: Vec<Vec<Card>> = hands.iter().chain([&bank]).map(|hand| cards(hand)).collect();
        let dealt = (0..2).flat_map(|nth| all.iter().map(move |hand| hand[nth]));
        let faces = (0..).map(|i| Slot::new(0, i)).zip(dealt.chain(cards(drawn))).collect();
        Self { table: Table::new(Deal::deal(setup).expect("a good setup"), Height(0)), faces }
    }

    /// The bets of the awaited seats, in order; then the cards are dealt.
    fn bet(&mut self, bets: &[i64]) {
        let Awaiting::Choices(seats) = self.table.awaiting() else { panic!("no bets are awaited") };
        let bets: Vec<(Seat, Bet)> = seats.iter().zip(bets.iter().map(|bet| Bet(Chips(*bet)))).collect();
        self.table.choose(self.table.height(), &bets).expect("good bets");
        self.deal();
    }

    /// Carries out whatever the dealer is to do.
    fn deal(&mut self) {
        while self.table.awaiting() == Awaiting::Dealer {
            self.step();
        }
    }

    /// Carries out one batch of orders.
    fn step(&mut self) {
        self.table.dealt(self.table.height(), &self.faces).expect("good cards");
    }

    fn try_act(&mut self, index: u8, action: Action) -> Result<(), Refused<Illegal>> {
        self.table.act(self.table.height(), seat(index), &action, &self.faces)
    }

    fn refusal(&mut self, index: u8, action: Action) -> Illegal {
        let before = self.table.state_hash();
        let refused = self.try_act(index, action);
        assert_eq!(self.table.state_hash(), before, "a refusal changes nothing");
        match refused {
            Err(Refused::Illegal(why)) => why,
            other => panic!("{action:?} gave {other:?}"),
        }
    }

    /// These actions of this seat, one after the other.
    fn act(&mut self, index: u8, actions: &[Action]) {
        for action in actions {
            self.try_act(index, *action).unwrap_or_else(|why| panic!("{action:?}: {why}"));
            self.deal();
        }
    }

    fn gone(&mut self, index: u8) -> Result<(), Refused<Illegal>> {
        self.table.gone(self.table.height(), seat(index))
    }

    fn broken_off(&self, why: Breakdown) -> Vec<i64> {
        let mut table = self.table.clone();
        table.break_off(table.height(), why).expect("not over");
        results(table.outcome().expect("over"))
    }

    fn result(&self) -> Vec<i64> {
        results(self.table.outcome().expect("the round is over"))
    }

    fn deal_state(&self) -> &Deal {
        self.table.rules()
    }

    /// What a seat sees that knows the cards dealt to it. These tests keep no faces apart, so it must only
    /// be asked about the seat's own cards.
    fn view(&self, index: u8) -> View {
        self.deal_state().view(Known::with(self.table.open(), &self.faces), Eye::Seat(seat(index)))
    }

    fn public(&self) -> View {
        self.deal_state().view(Known::public(self.table.open()), Eye::Public)
    }

    fn moves(&self, index: u8) -> Moves {
        self.deal_state().moves(Known::with(self.table.open(), &self.faces), seat(index))
    }
}

fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|card| card.parse().expect("a card")).collect()
}

fn results(outcome: &Outcome) -> Vec<i64> {
    outcome.result.iter().map(|chips| chips.0).collect()
}
