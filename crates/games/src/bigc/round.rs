//! Rounds: playing, passing, drawing, going out.
//!
//! # Every deal ends
//!
//! Between two played hands everybody passes at most once (or passes the role of chooser at most once,
//! and then the deal is blocked), and every played hand takes a card out of the hands. Footstools and
//! passes bring cards back, and two players who make footstools of each other's every hand could go on
//! for ever as long as the played pile can be shuffled into the stock. So it can be only
//! [`MOST_RECYCLINGS`] times. After that the stock runs dry, and the hands only shrink.

use table::{Faces, Look as _, Run, Seat, Seats, Slot};

use super::phase::{Did, Drawing, Ending, Laid, Phase, Round, Stock, Stooled};
use super::{Deal, Few, Footstool, Hand, Illegal, classify, on_top};

/// How often the played pile can become a new stock in one deal.
pub const MOST_RECYCLINGS: u16 = 10;

impl Deal {
    /// The hand that a seat lays down and what it does to the one on the table.
    pub(super) fn check_hand(&self, open: &Faces, seat: Seat, cards: Few) -> Result<(Hand, Footstool), Illegal> {
        let slots = cards.as_slice();
        if !matches!(slots.len(), 1 | 2 | 3 | 5) {
            return Err(Illegal::WrongHandSize { round: None, got: cards.len() });
        }
        let mut faces = [cards::Card::JOKER; 5];
        for (i, (face, slot)) in faces.iter_mut().zip(slots).enumerate() {
            let card = open.face(*slot).filter(|_| self.hand(seat).contains(slot));
            *face = card.ok_or(Illegal::CardNotInHand(*slot))?;
            if slots.iter().take(i).any(|before| before == slot) {
                return Err(Illegal::DuplicateCard(*slot));
            }
        }
        let round = self.laid.map(|laid| laid.cards.len());
        if round.is_some_and(|size| size != cards.len()) {
            return Err(Illegal::WrongHandSize { round, got: cards.len() });
        }
        let hand = classify(faces.get(..slots.len()).unwrap_or(&[])).map_err(Illegal::IllegalHand)?;
        match self.laid {
            None => Ok((hand, Footstool::None)),
            Some(laid) => {
                let footstool = on_top(&hand, &laid.hand, self.setup.two_joker_triple_low);
                footstool.map(|footstool| (hand, footstool)).ok_or(Illegal::NotHigher)
            }
        }
    }

    fn finish(&mut self, ending: Ending) {
        self.phase = Phase::Over(ending);
    }

    /// Whose last hand is on the table and may still be answered.
    pub(super) fn last_chance_against(&self) -> Option<Seat> {
        let owner = self.laid?.by;
        (self.in_play().contains(owner) && self.hand(owner).is_empty()).then_some(owner)
    }

    /// A checked hand is played.
    pub(super) fn play(&mut self, laid: Laid, footstool: Footstool) {
        let seat = laid.by;
        let about_to_win = self.last_chance_against();
        if let Some(hand) = self.hand_mut(seat) {
            hand.retain(|slot| !laid.cards.as_slice().contains(slot));
        }
        let previous = self.laid.replace(laid);
        self.pile.extend(previous.into_iter().flat_map(|laid| laid.cards.iter()));
        self.did[seat] = Did::Played;
        if let Some(winner) = about_to_win.filter(|_| footstool == Footstool::None) {
            return self.finish(Ending::WentOut(winner));
        }
        if self.hand(seat).is_empty() && !self.setup.last_chance {
            return self.finish(Ending::WentOut(seat));
        }
        let owner = previous.map(|laid| laid.by).filter(|owner| self.in_play().contains(*owner));
        let drawing = owner.and_then(|owner| self.draw(owner, footstool.penalty()));
        if let Some(winner) = about_to_win.filter(|_| drawing.is_none()) {
            return self.finish(Ending::WentOut(winner));
        }
        if let (Some(of), Footstool::Half | Footstool::Full) = (owner, footstool) {
            let drawn = drawing.map_or(0, |drawing| drawing.cards.len);
            self.last_footstool = Some(Stooled { by: seat, of, kind: footstool, drawn });
        }
        let turn = self.order.after(seat).unwrap_or(seat);
        self.enter(Round::new(turn), drawing);
    }

    /// A seat passes on the hand that is on the table.
    pub(super) fn pass(&mut self, round: Round, laid: Laid) {
        if let Some(winner) = self.last_chance_against() {
            return self.finish(Ending::WentOut(winner));
        }
        self.did[round.turn] = Did::Passed;
        let drawing = self.draw(round.turn, self.setup.pass_draws);
        let turn = self.order.after(round.turn).unwrap_or(laid.by);
        let round = self.round_on(Round { turn, passed: round.passed.with(round.turn) }, laid);
        self.enter(round, drawing);
    }

    /// The chooser has only jokers.
    pub(super) fn pass_role(&mut self, round: Round) {
        self.did[round.turn] = Did::PassedRole;
        let turn = self.order.after(round.turn).unwrap_or(round.turn);
        let round = Round { turn, passed: round.passed.with(round.turn) };
        if self.nobody_can_choose(round) {
            return self.finish(Ending::Blocked);
        }
        self.enter(round, None);
    }

    fn nobody_can_choose(&self, round: Round) -> bool {
        self.laid.is_none() && (self.in_play() - round.passed).is_empty()
    }

    /// The same round, or a new one if everybody else has passed on this hand. The owner of the hand
    /// chooses then; if that seat has left, the one whose turn it is.
    fn round_on(&mut self, round: Round, laid: Laid) -> Round {
        if !(self.in_play().without(laid.by) - round.passed).is_empty() {
            return round;
        }
        self.pile.extend(laid.cards.iter());
        self.laid = None;
        self.did = table::PerSeat::new(self.setup.players);
        Round::new(if self.in_play().contains(laid.by) { laid.by } else { round.turn })
    }

    fn enter(&mut self, round: Round, drawing: Option<Drawing>) {
        self.phase = match drawing {
            Some(drawing) => Phase::Drawing(round, drawing),
            None => Phase::Playing(round),
        };
    }

    /// Sets cards aside for a seat to draw, fewer if there are no more. A stock that is too small is
    /// shuffled together with the pile first.
    fn draw(&mut self, to: Seat, cards: u8) -> Option<Drawing> {
        if u16::from(cards) > self.stock.left() && !self.pile.is_empty() && self.recycled < MOST_RECYCLINGS {
            self.recycling.extend(self.stock.slots());
            self.recycling.append(&mut self.pile);
            let end = u16::try_from(self.recycling.len()).unwrap_or(u16::MAX);
            self.stock = Stock { deck: self.next_deck, next: 0, end };
            self.next_deck = self.next_deck.saturating_add(1);
            self.recycled += 1;
        }
        let cards = cards.min(u8::try_from(self.stock.left()).unwrap_or(u8::MAX));
        let first = Slot::new(self.stock.deck, self.stock.next);
        self.stock.next += u16::from(cards);
        (cards > 0).then_some(Drawing { to: Some(to), cards: Run::of(first, cards) })
    }

    /// The cards set aside have been drawn.
    pub(super) fn drawn(&mut self, round: Round, drawing: Drawing) {
        self.recycling.clear();
        if let Some(hand) = drawing.to.and_then(|to| self.hand_mut(to)) {
            hand.extend(drawing.cards.slots());
        }
        self.phase = Phase::Playing(round);
    }

    /// A seat has left a round, `next` being the one after it.
    ///
    /// Cards set aside for it count as its own and go under the pile, for it may have seen them; if the
    /// stock is just being shuffled, that goes on. If it was to answer a last hand, the next seat is.
    pub(super) fn go_on_without(&mut self, seat: Seat, next: Option<Seat>, round: Round, drawing: Option<Drawing>) {
        let mut drawing = drawing;
        if let Some(void) = drawing.as_mut().filter(|drawing| drawing.to == Some(seat)) {
            self.pile.extend(void.cards.slots());
            void.to = None;
        }
        if self.recycling.is_empty() {
            drawing = drawing.filter(|drawing| drawing.to.is_some());
        }
        let turn = if round.turn == seat { next.unwrap_or(seat) } else { round.turn };
        let mut round = Round { turn, passed: round.passed & self.in_play() };
        if let Some(laid) = self.laid {
            round = self.round_on(round, laid);
        }
        if self.nobody_can_choose(round) {
            return self.finish(Ending::Blocked);
        }
        self.enter(round, drawing);
    }

    /// The last hand on the table and those who passed on it, for everybody to see.
    pub(super) fn round(&self) -> Option<Round> {
        match self.phase {
            Phase::Playing(round) | Phase::Drawing(round, _) => Some(round),
            Phase::Dealing | Phase::Choosing | Phase::Showing(_) | Phase::Lots { .. } | Phase::Over(_) => None,
        }
    }

    /// Who has passed since the last hand.
    pub(super) fn passed(&self) -> Seats {
        self.round().map_or(Seats::NONE, |round| round.passed)
    }
}
