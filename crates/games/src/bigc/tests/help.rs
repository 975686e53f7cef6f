//! Deals with known cards.

use cards::{Card, parse_cards};
use table::{Awaiting, Chips, Faces, Height, Known, Order, Outcome, Refused, Rules as _, Seat, Slot, Source, Table};

use crate::bigc::{Action, Choice, Deal, Few, Illegal, OrderBy, Setup};

pub(super) fn seat(n: u8) -> Seat {
    Seat::new(n).unwrap()
}

/// A setup for short hands, whose order of play is that of the lots, seat 0 first.
pub(super) fn setup(players: u8) -> Setup {
    Setup {
        players,
        decks: 2,
        hand_size: 5,
        order: OrderBy::Random,
        pass_draws: 0,
        last_chance: false,
        two_joker_triple_low: false,
        gone: table::Seats::NONE,
        first_deck: 0,
    }
}

/// A table whose cards the test decides, without anybody checking claims at once.
pub(super) struct Script {
    pub(super) table: Table<Deal>,
    pub(super) faces: Faces,
}

impl Script {
    /// Deals these hands, then these cards from the top of the stock; the rest is what is left of the
    /// packs in their order.
    pub(super) fn new(setup: &Setup, hands: &[&str], stock: &str) -> Self {
        let mut rest: Vec<Card> = setup.pack().faces().collect();
        let mut take = |card: Card| {
            let at = rest.iter().position(|c| *c == card).unwrap_or_else(|| panic!("no more {card}"));
            rest.remove(at)
        };
        let hands: Vec<Vec<Card>> = hands.iter().map(|hand| parse_cards(hand).unwrap()).collect();
        let mut deck: Vec<Card> = Vec::new();
        for i in 0..usize::from(setup.hand_size) {
            deck.extend(hands.iter().map(|hand| take(hand[i])));
        }
        deck.extend(parse_cards(stock).unwrap().into_iter().map(take));
        deck.extend(rest);
        let slots = (0..).map(|i| Slot::new(setup.first_deck, i));
        let faces = slots.zip(deck).collect();
        let table = Table::new(Deal::deal(setup).unwrap(), Height(0));
        Self { table, faces }
    }

    /// The same, with everything done that comes before the first action.
    pub(super) fn begun(setup: &Setup, hands: &[&str], stock: &str) -> Self {
        let mut script = Self::new(setup, hands, stock);
        script.deal();
        script
    }

    /// Carries out orders until somebody else is awaited. Lots fall in seat order, recycled decks stay in
    /// the order of their slots.
    pub(super) fn deal(&mut self) {
        while self.table.awaiting() == Awaiting::Dealer {
            self.deal_once().unwrap();
        }
    }

    pub(super) fn deal_once(&mut self) -> Result<(), Refused<Illegal>> {
        for order in self.table.orders().collect::<Vec<_>>() {
            if let Order::Shuffle { deck, from } = order {
                match from {
                    Source::Pack(cards::Pack::Lots { faces }) => {
                        for i in 0..u16::from(faces) {
                            self.faces.insert(Slot::new(deck, i), Card::lot(u8::try_from(i).unwrap() + 1).unwrap());
                        }
                    }
                    Source::Pack(_) => {}
                    Source::Slots(slots) => {
                        for (i, from) in (0..).zip(slots.iter()) {
                            self.faces.insert(Slot::new(deck, i), self.faces.get(*from).unwrap());
                        }
                    }
                }
            }
        }
        self.table.dealt(self.table.height(), &self.faces)
    }

    pub(super) fn hand(&self, n: u8) -> Vec<Card> {
        self.table.rules().hand(seat(n)).iter().map(|slot| self.faces.get(*slot).unwrap()).collect()
    }

    /// Slots in the seat's hand with these faces.
    pub(super) fn slots(&self, n: u8, cards: &str) -> Vec<Slot> {
        let mut hand = self.table.rules().hand(seat(n)).to_vec();
        let find = |card: Card| {
            let at = hand.iter().position(|slot| self.faces.get(*slot) == Some(card));
            hand.remove(at.unwrap_or_else(|| panic!("seat {n} has no {card}")))
        };
        parse_cards(cards).unwrap().into_iter().map(find).collect()
    }

    pub(super) fn try_act(&mut self, n: u8, action: Action) -> Result<(), Refused<Illegal>> {
        let before = self.table.state_hash();
        let done = self.table.act(self.table.height(), seat(n), &action, &self.faces);
        assert_eq!(done.is_err(), before == self.table.state_hash(), "only an error changes nothing");
        done
    }

    pub(super) fn try_play(&mut self, n: u8, cards: &str) -> Result<(), Refused<Illegal>> {
        let cards = Few::new(&self.slots(n, cards)).unwrap();
        self.try_act(n, Action::Play(cards))
    }

    /// The seat plays, and whatever is to be drawn is drawn.
    pub(super) fn play(&mut self, n: u8, cards: &str) {
        self.try_play(n, cards).unwrap();
        self.deal();
    }

    pub(super) fn pass(&mut self, n: u8) {
        self.try_act(n, Action::Pass).unwrap();
        self.deal();
    }

    pub(super) fn gone(&mut self, n: u8) {
        self.table.gone(self.table.height(), seat(n)).unwrap();
    }

    /// Each seat shows a card, or nothing.
    pub(super) fn show(&mut self, cards: &[(u8, &str)]) -> Result<(), Refused<Illegal>> {
        let choice = |(n, card): &(u8, &str)| match *card {
            "" => (seat(*n), Choice::Nothing),
            card => (seat(*n), Choice::Show(self.slots(*n, card)[0])),
        };
        let choices: Vec<_> = cards.iter().map(choice).collect();
        self.table.choose(self.table.height(), &choices)?;
        self.deal();
        Ok(())
    }

    pub(super) fn order(&self) -> Vec<u8> {
        self.table.rules().order.iter().map(Seat::index).collect()
    }

    pub(super) fn turn(&self) -> Option<u8> {
        match self.table.awaiting() {
            Awaiting::Turn(seat) => Some(seat.index()),
            _ => None,
        }
    }

    pub(super) fn known(&self) -> Known<'_> {
        Known::with(self.table.open(), &self.faces)
    }

    pub(super) fn outcome(&self) -> &Outcome {
        self.table.outcome().expect("the deal should be over")
    }

    pub(super) fn points(&self) -> Vec<i64> {
        self.outcome().result.iter().map(|Chips(n)| *n).collect()
    }

    /// Changes the deal as no player could.
    pub(super) fn rig(&mut self, change: impl FnOnce(&mut Deal)) {
        let mut deal = self.table.rules().clone();
        change(&mut deal);
        self.table = Table::new(deal, self.table.height());
    }

    /// Is it a claim that a house would refuse?
    pub(super) fn would_be_refused(&self, n: u8, action: Action) -> bool {
        use table::Claim as _;
        let claim = self.table.rules().claim(&self.faces, seat(n), &action);
        claim.is_some_and(|claim| !claim.holds(&self.faces))
    }
}

/// Every card is in exactly one place.
pub(super) fn count_cards(deal: &Deal) -> usize {
    use crate::bigc::phase::Phase;
    let drawing = match deal.phase {
        Phase::Drawing(_, drawing) if drawing.to.is_some() => usize::from(drawing.cards.len),
        _ => 0,
    };
    let hands: usize = deal.hands.iter().map(Vec::len).sum();
    let table = deal.laid.map_or(0, |laid| usize::from(laid.cards.len()));
    hands + table + deal.pile.len() + usize::from(deal.stock.left()) + drawing
}
