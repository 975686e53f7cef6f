//! Rules of Rommé, one by one, and a table whose cards are told beforehand.

mod ends;
mod hands;
mod laying;
mod leaving;
mod matches;
mod melds;
mod sights;
mod turns;

use cards::{Card, Pack};
use table::{Awaiting, Faces, Height, Known, Order, Outcome, Refused, Rules as _, Seat, Seats, Slot, Source, Table};

use super::phase::Phase;
use super::{Action, Deal, DiscardDraw, Illegal, Laid, MeldId, Romme, Setup, Use, View};

#[test]
fn laws_hold_for_every_number_of_players() {
    dealers::laws::hold::<Romme>();
}

#[test]
fn laws_hold_with_unusual_settings() {
    let unusual = super::Settings {
        first_meld: 0,
        jokers: 2,
        discard_draw: DiscardDraw::AfterOpening,
        out_without_discard: true,
        max_reshuffles: 0,
        ..super::Settings::default()
    };
    dealers::laws::hold_with::<Romme>(&unusual, 3);
    let hard = super::Settings { first_meld: 60, max_reshuffles: 5, ..super::Settings::default() };
    dealers::laws::hold_with::<Romme>(&hard, 2);
}

fn seat(n: u8) -> Seat {
    Seat::new(n).unwrap()
}

fn card(text: &str) -> Card {
    text.parse().unwrap()
}

fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(card).collect()
}

fn setup(players: u8) -> Setup {
    Setup {
        players,
        playing: Seats::first(players),
        // So that seat 0 begins.
        dealer: Some(seat(players - 1)),
        first_meld: 30,
        jokers: 6,
        discard_draw: DiscardDraw::Free,
        out_without_discard: false,
        max_reshuffles: 2,
        first_deck: 0,
    }
}

/// A table with a stacked pack.
struct Scene {
    table: Table<Deal>,
    faces: Faces,
}

type Done = Result<(), Refused<Illegal>>;

impl Scene {
    /// Two players with these cards on the way to them; what is not told is filled up from the pack.
    fn new(hands: &[&str], turned_up: &str, stock: &str) -> Self {
        let players = u8::try_from(hands.len()).unwrap();
        Self::of(setup(players), hands, turned_up, stock)
    }

    /// Hands by playing seat in order of number; the dealer must be told.
    fn of(setup: Setup, hands: &[&str], turned_up: &str, stock: &str) -> Self {
        let mut pack: Vec<Card> = Pack::cards(2, setup.jokers).unwrap().faces().collect();
        // Expensive cards go last, so that they fill no hand.
        pack.sort_by_key(|card| (card.is_joker(), card.rank(), card.suit()));
        let mut take = |wanted: Card| {
            let at = pack.iter().position(|card| *card == wanted).unwrap_or_else(|| panic!("no {wanted} is left"));
            pack.remove(at)
        };
        let told: Vec<Vec<Card>> = hands.iter().map(|hand| cards(hand).into_iter().map(&mut take).collect()).collect();
        let turned_up = take(card(turned_up));
        let stock: Vec<Card> = cards(stock).into_iter().map(&mut take).collect();
        let n = setup.playing.len();
        let mut faces = Faces::new();
        let order: Vec<Seat> = setup.playing.clockwise_after(setup.dealer.unwrap()).collect();
        for (hand, of) in told.iter().zip(setup.playing.iter()) {
            let place = u16::try_from(order.iter().position(|s| *s == of).unwrap()).unwrap();
            for k in 0..13u16 {
                let face = hand.get(usize::from(k)).copied().unwrap_or_else(|| pack.remove(0));
                faces.insert(Slot::new(setup.first_deck, place + k * u16::from(n)), face);
            }
        }
        let rest = core::iter::once(turned_up).chain(stock).chain(pack);
        for (index, face) in (u16::from(n) * 13..).zip(rest) {
            faces.insert(Slot::new(setup.first_deck, index), face);
        }
        let mut scene = Self { table: Table::new(Deal::deal(&setup).unwrap(), Height(0)), faces };
        scene.deal();
        scene
    }

    /// Carries out the orders; recycled cards keep their order.
    fn deal(&mut self) {
        for order in self.table.orders().collect::<Vec<_>>() {
            if let Order::Shuffle { deck, from: Source::Slots(slots) } = order {
                for (index, slot) in (0..).zip(&slots) {
                    let face = self.faces.get(*slot).unwrap();
                    self.faces.insert(Slot::new(deck, index), face);
                }
            }
        }
        self.table.dealt(self.table.height(), &self.faces).unwrap();
    }

    fn rules(&self) -> &Deal {
        self.table.rules()
    }

    fn turn(&self) -> Seat {
        match self.table.awaiting() {
            Awaiting::Turn(seat) => seat,
            other => panic!("awaiting {other}"),
        }
    }

    fn act(&mut self, action: Action) -> Done {
        self.act_as(self.turn(), action)
    }

    fn act_as(&mut self, seat: Seat, action: Action) -> Done {
        let before = self.table.state_hash();
        let done = self.table.act(self.table.height(), seat, &action, &self.faces);
        assert!(done.is_ok() || self.table.state_hash() == before, "a refusal changed the state");
        done
    }

    /// The refusal of an action of the seat whose turn it is.
    fn refused(&mut self, action: Action) -> Illegal {
        match self.act(action) {
            Err(Refused::Illegal(why)) => why,
            other => panic!("expected a refusal, got {other:?}"),
        }
    }

    fn draw(&mut self) {
        self.act(Action::DrawStock).unwrap();
        self.deal();
    }

    /// A card in the hand of the seat whose turn it is; `7S` is the first of them, `7S#2` the second.
    fn held(&self, text: &str) -> Slot {
        let (face, nth) = text.split_once('#').map_or((text, 1), |(face, nth)| (face, nth.parse().unwrap()));
        let hand = self.rules().hands[self.turn()];
        let mut copies = hand.iter().filter(|slot| self.faces.get(*slot) == Some(card(face)));
        copies.nth(nth - 1).unwrap_or_else(|| panic!("{text} is not in hand"))
    }

    /// Cards of that hand as they are laid: `5S JK=6S 7S`.
    fn laid(&self, text: &str) -> Vec<Laid> {
        self.laid_after(&mut 0, text)
    }

    /// The same, with so many jokers named before.
    fn laid_after(&self, jokers: &mut u8, text: &str) -> Vec<Laid> {
        let laid = text.split_whitespace().map(|word| {
            let (face, stands_for) = word.split_once('=').map_or((word, None), |(face, c)| (face, Some(card(c))));
            let slot = if face == "JK" {
                *jokers += 1;
                self.held(&format!("JK#{jokers}"))
            } else {
                self.held(face)
            };
            Laid { slot, stands_for }
        });
        laid.collect()
    }

    fn meld(&self, melds: &[&str]) -> Action {
        let mut jokers = 0;
        Action::Meld(melds.iter().map(|meld| self.laid_after(&mut jokers, meld)).collect())
    }

    fn lay_off(&self, meld: u8, cards: &str) -> Action {
        Action::LayOff { meld: MeldId(meld), cards: self.laid(cards) }
    }

    fn discard(&mut self, text: &str) -> Done {
        self.act(Action::Discard(self.held(text)))
    }

    /// Draws from the stock and throws that card away.
    fn pass(&mut self) {
        self.draw();
        let drawn = self.rules().hands[self.turn()].iter().last().unwrap();
        self.act(Action::Discard(drawn)).unwrap();
    }

    fn view(&self) -> View {
        self.rules().view(Known::public(self.table.open()), table::Eye::Public)
    }

    /// A meld as text.
    fn shown(&self, meld: usize) -> String {
        let view = self.view();
        let words = view.melds[meld].cards.iter().map(|c| match c.stands_for.as_slice() {
            [] => c.card.to_string(),
            names => format!("JK={}", names.iter().map(Card::to_string).collect::<Vec<_>>().join("/")),
        });
        words.collect::<Vec<_>>().join(" ")
    }

    fn outcome(&self) -> &Outcome {
        self.table.outcome().expect("the round is over")
    }

    fn result(&self) -> Vec<i64> {
        self.outcome().result.iter().map(|chips| chips.0).collect()
    }

    /// Hands, stock, pile and melds hold every card once.
    fn conserved(&self) {
        let rules = self.rules();
        let mut slots: Vec<Slot> = rules.hands.iter().flat_map(|hand| hand.iter()).collect();
        slots.extend(&rules.pile);
        slots.extend(rules.melds.iter().flat_map(|meld| meld.slots.iter()));
        slots.extend((rules.stock.0..rules.stock.1).map(|index| Slot::new(rules.deck, index)));
        let mut all: Vec<u8> = slots.iter().map(|slot| self.faces.get(*slot).unwrap().code()).collect();
        all.sort_unstable();
        let mut pack: Vec<u8> = Pack::cards(2, rules.setup.jokers).unwrap().faces().map(Card::code).collect();
        pack.sort_unstable();
        assert_eq!(all, pack);
    }
}

/// A hand that can open with three queens and has a run of spades.
const OPENER: &str = "QC QH QS 5S 6S 7S 2D 4D 9D JC KH 3H 8C";
/// A hand with nothing in it.
const DULL: &str = "2C 4H 6D 8S TC QD AC 3S 5D 7H 9C JH KD";
