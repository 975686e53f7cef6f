//! How the order of play is found: everybody shows a card, lowest plays first.
//!
//! Nobody but its owner knows a card, so both choices are claims:
//!
//! - *"I show this card"*: it is no joker. If it turns out to be one when it is opened, the deal is broken off
//!   there and then.
//! - *"I have nothing left to show"*: all cards not yet shown are jokers. The tied group then draws lots. It is
//!   refused where there are not so many jokers, and at the end of the deal those cards are opened.

use table::{Faces, PerSeat, Seat, Seats, Slot};

use super::phase::{Ending, Phase, Round, Showing};
use super::score::place;
use super::{Choice, Deal, Illegal, OrderBy};

impl Deal {
    /// Goes on with whatever the order of play still needs, or begins the first round.
    pub(super) fn settle_order(&mut self) {
        let tied = self.order.tied();
        let first = self.order.iter().next();
        match (first, self.setup.order) {
            (Some(first), _) if tied.is_empty() => self.phase = Phase::Playing(Round::new(first)),
            (_, OrderBy::Minigame) => self.phase = Phase::Choosing,
            (_, OrderBy::Random) => self.draw_lots(tied),
        }
    }

    /// The cards of a seat that it has not shown.
    pub(super) fn not_shown(&self, seat: Seat) -> impl Iterator<Item = Slot> {
        self.hand(seat).iter().copied().filter(move |slot| !self.was_shown(seat, *slot))
    }

    fn was_shown(&self, seat: Seat, slot: Slot) -> bool {
        self.shown.contains(&(seat, slot))
    }

    pub(super) fn check_choice(&self, seat: Seat, choice: &Choice) -> Result<(), Illegal> {
        if !self.in_play().contains(seat) {
            return Err(Illegal::NotSeated);
        }
        if self.phase != Phase::Choosing {
            return Err(Illegal::WrongPhase);
        }
        if !self.order.tied().contains(seat) {
            return Err(Illegal::NotYourTurn);
        }
        match *choice {
            Choice::Show(slot) if !self.hand(seat).contains(&slot) => Err(Illegal::CardNotInHand(slot)),
            Choice::Show(slot) if self.was_shown(seat, slot) => Err(Illegal::AlreadyShown(slot)),
            Choice::Nothing if !self.can_be_jokers(self.not_shown(seat).count()) => Err(Illegal::HasCardToShow),
            Choice::Show(_) | Choice::Nothing => Ok(()),
        }
    }

    pub(super) fn choose(&mut self, choices: &[(Seat, Choice)]) -> Result<(), Illegal> {
        choices.iter().try_for_each(|(seat, choice)| self.check_choice(*seat, choice))?;
        if !self.order.tied().iter().eq(choices.iter().map(|(seat, _)| *seat)) {
            return Err(Illegal::WrongPhase);
        }
        let mut cards = PerSeat::new(self.setup.players);
        let mut silent = Seats::NONE;
        for (seat, choice) in choices {
            match choice {
                Choice::Show(slot) => cards[*seat] = Some(*slot),
                Choice::Nothing => silent.insert(*seat),
            }
        }
        let by_lot = self.order.groups_of(silent);
        by_lot.iter().for_each(|seat| cards[seat] = None);
        let showing = Showing { cards, by_lot };
        if self.showing_now(&showing).next().is_some() {
            self.phase = Phase::Showing(showing);
        } else {
            self.draw_lots(by_lot);
        }
        Ok(())
    }

    /// The cards to be opened, of those still in play.
    pub(super) fn showing_now(&self, showing: &Showing) -> impl Iterator<Item = (Seat, Slot)> {
        self.in_play().iter().filter_map(|seat| Some((seat, showing.cards[seat]?)))
    }

    /// Orders those who showed a card; seats that showed equal ones stay tied. A joker ends the deal.
    pub(super) fn show(&mut self, open: &Faces, showing: &Showing) {
        let shown: Vec<(Seat, Slot)> = self.showing_now(showing).collect();
        let key = |seat| showing.cards[seat].and_then(|slot| open.get(slot)).map_or(0, place);
        let among: Seats = shown.iter().map(|(seat, _)| *seat).collect();
        let liars: Seats = among.iter().filter(|seat| key(*seat) == 0).collect();
        self.shown.extend(shown);
        if !liars.is_empty() {
            self.phase = Phase::Over(Ending::ShowedJoker(liars));
            return;
        }
        self.order.split(among, key);
        self.all_shown(showing.by_lot);
    }

    /// All cards have been shown; these cannot, and draw lots.
    pub(super) fn all_shown(&mut self, by_lot: Seats) {
        let by_lot = by_lot & self.order.tied();
        if by_lot.is_empty() { self.settle_order() } else { self.draw_lots(by_lot) }
    }

    fn draw_lots(&mut self, among: Seats) {
        self.phase = Phase::Lots { deck: self.next_deck, among };
        self.next_deck = self.next_deck.saturating_add(1);
    }

    /// The lots lie in the order of the seats that draw them; the lowest plays first.
    pub(super) fn lots_drawn(&mut self, open: &Faces, deck: u32, among: Seats) {
        let mut lots = PerSeat::new(self.setup.players);
        for (index, seat) in (0..).zip(among.iter()) {
            lots[seat] = open.get(Slot::new(deck, index)).and_then(|card| card.pips()).unwrap_or(0);
        }
        self.order.split(among, |seat| lots[seat]);
        self.settle_order();
    }
}
