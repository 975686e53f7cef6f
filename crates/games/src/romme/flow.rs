//! How a round of Rommé moves on: dealing, drawing, throwing away, leaving and ending.
//!
//! Nothing here is checked any more; that is done by [`Deal::apply`](table::Rules::apply) before.

use cards::{Card, Pack};
use table::{Chips, Faces, Look, Run, Seat, Seats, Slot};

use super::phase::{Drawn, End, Ending, Phase, Turn};
use super::state::HAND;
use super::{Deal, DiscardDraw, Illegal, score};

impl Deal {
    /// Those still playing.
    pub(super) fn active(&self) -> Seats {
        self.setup.playing - self.gone
    }

    pub(super) const fn stock_size(&self) -> u16 {
        self.stock.1.saturating_sub(self.stock.0)
    }

    /// Whether drawing from the stock would end the round: it is empty and no new one can be made.
    pub(super) fn blocks(&self) -> bool {
        self.stock_size() == 0 && (self.pile.len() < 2 || self.reshuffles >= self.setup.max_reshuffles)
    }

    /// Whether the seat may take the top of the discard pile.
    pub(super) fn admits_discard_draw(&self, seat: Seat) -> Result<Slot, Illegal> {
        if self.setup.discard_draw == DiscardDraw::AfterOpening && !self.opened.contains(seat) {
            return Err(Illegal::NotOpened);
        }
        self.pile.last().copied().ok_or(Illegal::PileEmpty)
    }

    /// The card that may not be thrown away in this turn: it was taken from there, and is not the last.
    pub(super) fn barred(&self, turn: &Turn) -> Option<Slot> {
        match turn.drawn {
            Drawn::Discard(slot) if self.hands[turn.seat].len() > 1 => Some(slot),
            Drawn::Discard(_) | Drawn::Stock(_) => None,
        }
    }

    pub(super) fn pack(&self) -> Pack {
        Pack::Cards { decks: 2, jokers: self.setup.jokers }
    }

    /// The cards of a seat at the beginning: one at a time, left of the dealer first.
    pub(super) fn dealt_to(&self, seat: Seat) -> Run {
        let order = self.setup.playing.clockwise_after(self.dealer.unwrap_or_default());
        let first = (0..).zip(order).find(|(_, s)| *s == seat).map_or(0, |(place, _)| place);
        Run::every(Slot::new(self.deck, first), self.setup.playing.len(), HAND)
    }

    /// The place of the first discard: right after the hands.
    pub(super) fn turned_up(&self) -> Slot {
        Slot::new(self.deck, u16::from(self.setup.playing.len()) * u16::from(HAND))
    }

    pub(super) fn dealt(&mut self) {
        for seat in self.setup.playing.iter() {
            self.hands[seat] = self.dealt_to(seat).slots().collect();
        }
        let turned_up = self.turned_up();
        self.pile.push(turned_up);
        self.stock = (turned_up.index + 1, self.pack().len());
        self.next_turn(self.dealer.unwrap_or_default());
    }

    pub(super) fn draw_from_stock(&mut self, seat: Seat) {
        if self.blocks() {
            return self.end(Ending::Blocked, None);
        }
        let shuffle = self.stock_size() == 0;
        if shuffle {
            self.deck += 1;
            self.reshuffles += 1;
        }
        self.phase = Phase::Drawing { seat, shuffle };
    }

    /// The card that is drawn next.
    pub(super) fn next_in_stock(&self, shuffle: bool) -> Slot {
        Slot::new(self.deck, if shuffle { 0 } else { self.stock.0 })
    }

    pub(super) fn drawn_from_stock(&mut self, seat: Seat, shuffle: bool) {
        let slot = self.next_in_stock(shuffle);
        if shuffle {
            let recycled = self.pile.len().saturating_sub(1);
            self.pile.drain(..recycled);
            self.stock = (0, u16::try_from(recycled).unwrap_or(u16::MAX));
        }
        self.stock.0 += 1;
        if self.gone.contains(seat) {
            // The seat left while the card was on its way: it belongs to the hand that is set aside.
            self.hands[seat].push(slot);
            return self.next_turn(seat);
        }
        self.begin_play(seat, Drawn::Stock(slot));
    }

    pub(super) fn draw_from_pile(&mut self, seat: Seat, slot: Slot) {
        self.pile.pop();
        self.begin_play(seat, Drawn::Discard(slot));
    }

    pub(super) fn begin_play(&mut self, seat: Seat, drawn: Drawn) {
        let (Drawn::Stock(slot) | Drawn::Discard(slot)) = drawn;
        self.hands[seat].push(slot);
        self.last_draw[seat] = Some(drawn);
        self.phase = Phase::Play(Turn { seat, drawn, had_opened: self.opened.contains(seat) });
    }

    pub(super) fn discard(&mut self, turn: &Turn, slot: Slot) {
        self.hands[turn.seat].remove(slot);
        self.pile.push(slot);
        self.last_discard[turn.seat] = Some(slot);
        if self.hands[turn.seat].len() == 0 {
            return self.go_out(turn);
        }
        self.moved.insert(turn.seat);
        self.next_turn(turn.seat);
    }

    /// The hand is empty, which ends the round.
    pub(super) fn go_out(&mut self, turn: &Turn) {
        let ending = if turn.had_opened {
            Ending::WentOut
        } else if self.moved.contains(turn.seat) {
            Ending::Romme
        } else {
            Ending::HandRomme
        };
        self.end(ending, Some(turn.seat));
    }

    pub(super) fn next_turn(&mut self, after: Seat) {
        if let Some(seat) = self.active().after(after) {
            self.phase = Phase::Draw(seat);
        }
    }

    pub(super) fn end(&mut self, ending: Ending, winner: Option<Seat>) {
        let end = End { ending, winner };
        let nothing_to_open = self.to_open(end).next().is_none();
        self.phase = if nothing_to_open { Phase::Over(end) } else { Phase::Settling(end) };
    }

    /// The cards that are scored.
    pub(super) fn to_open(&self, end: End) -> impl Iterator<Item = Slot> {
        let scored = self.setup.playing.iter().filter(move |seat| Some(*seat) != end.winner);
        scored.flat_map(|seat| self.hands[seat].iter())
    }

    pub(super) fn settle(&mut self, open: &Faces, end: End) {
        for seat in self.setup.playing.iter().filter(|seat| Some(*seat) != end.winner) {
            let cards = self.hands[seat].iter().filter_map(|slot| open.get(slot));
            self.points[seat] = Chips(cards.map(|card| i64::from(score::in_hand(card))).sum()) * end.ending.times();
        }
        self.phase = Phase::Over(end);
    }

    /// The players with the fewest points, once the round is over.
    pub(super) fn winners(&self) -> Seats {
        let Phase::Over(_) = self.phase else { return Seats::NONE };
        let least = self.active().iter().map(|seat| self.points[seat]).min();
        self.active().iter().filter(|seat| Some(self.points[*seat]) == least).collect()
    }

    /// The seat's hand is set aside and its melds stay; if it was its turn, that passes.
    pub(super) fn leave(&mut self, seat: Seat) {
        self.gone.insert(seat);
        match self.phase {
            Phase::Settling(_) | Phase::Over(_) => {}
            _ if self.active().len() <= 1 => self.end(Ending::LeftAlone, self.active().only()),
            Phase::Draw(next) | Phase::Play(Turn { seat: next, .. }) if next == seat => self.next_turn(seat),
            // Orders that are being carried out stay as they are.
            Phase::Rolling | Phase::Dealing | Phase::Drawing { .. } | Phase::Draw(_) | Phase::Play(_) => {}
        }
    }

    /// What is thrown away when nobody decides: the card just drawn from the stock, else the one that
    /// counts most, jokers last.
    pub(super) fn default_discard(&self, faces: &impl Look, turn: &Turn) -> Option<Slot> {
        let hand = &self.hands[turn.seat];
        if let Drawn::Stock(slot) = turn.drawn
            && hand.contains(slot)
        {
            return Some(slot);
        }
        let barred = self.barred(turn);
        let faced = hand.iter().filter(|slot| Some(*slot) != barred).map(|slot| Some((slot, faces.face(slot)?)));
        let order = |(slot, card): (Slot, Card)| (score::default_order(card), core::cmp::Reverse(slot), slot);
        let all: Option<Vec<_>> = faced.map(|held| held.map(order)).collect();
        all?.into_iter().max().map(|(_, _, slot)| slot)
    }
}
