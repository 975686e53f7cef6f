//! How the order of play is found: everybody shows a card, lowest plays first.
//!
//! Nobody but its owner knows a card, so two things cannot be checked when a card is chosen, and neither
//! pays:
//!
//! - *A joker is shown.* It comes last in its group; to be last is no advantage that a two would not give.
//! - *"I have nothing left to show"*, all cards not yet shown being jokers. The tied group then draws lots.
//!   It is refused where there are not so many jokers, and at the end of the deal those cards are opened:
//!   whoever said it falsely has broken the deal.

use table::{Faces, PerSeat, Seat, Seats, Slot};

use super::phase::{Phase, Round, Showing};
use super::score::place;
use super::{Choice, Deal, Illegal, OrderBy};

/// Where a joker comes that somebody shows: after the two of spades.
const SHOWN_JOKER: u8 = 53;

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
                Choice::Nothing => {
                    silent.insert(*seat);
                    let unshown: Vec<_> = self.not_shown(*seat).map(|slot| (*seat, slot)).collect();
                    self.unshown.extend(unshown);
                }
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

    /// Orders those who showed a card; who showed equal ones stays tied.
    pub(super) fn show(&mut self, open: &Faces, showing: &Showing) {
        let shown: Vec<(Seat, Slot)> = self.showing_now(showing).collect();
        let card = |seat| showing.cards[seat].and_then(|slot| open.get(slot));
        let key = |seat| card(seat).map(place).filter(|at| *at > 0).unwrap_or(SHOWN_JOKER);
        self.order.split(shown.iter().map(|(seat, _)| *seat).collect(), key);
        self.shown.extend(shown);
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
