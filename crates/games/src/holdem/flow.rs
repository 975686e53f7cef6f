//! How a hand of Hold'em goes on: what follows the blinds, each action, each street and each leaver.

use cards::{Card, HandRank, PokerHand};
use table::{Chips, Look, PerSeat, Seat};

use super::Deal;
use super::betting::Play;
use super::phase::{BOARD, Did, Ending, Phase, Street};
use super::score;
use super::setup::{Antes, BlindSeats};

impl Deal {
    /// Seats the blinds, takes antes and blinds.
    pub(super) fn begin(&mut self, button: Seat) {
        let live = self.betting.live;
        self.button = button;
        self.dealt_in = live;
        for ((place, seat), dealt) in (0..).zip(live.clockwise_after(button)).zip(&mut self.dealing_order) {
            self.places[seat] = place;
            *dealt = seat;
            self.hands = place + 1;
        }
        self.blind_seats = self.setup.blind_seats.unwrap_or_else(|| {
            // Heads-up the button posts the small blind.
            let heads_up = live.len() == 2 && live.contains(button);
            let small = if heads_up { button } else { live.after(button).unwrap_or(button) };
            BlindSeats { small, big: live.after(small).unwrap_or(small) }
        });
        let BlindSeats { small, big } = self.blind_seats;
        match &self.setup.antes {
            Antes::None | Antes::BigBlind(_) => {}
            Antes::Each(ante) => live.iter().for_each(|seat| self.betting.ante(seat, *ante)),
            Antes::Seats { amounts, dead } => {
                for seat in live.iter() {
                    if *dead {
                        self.dead[seat] = self.betting.take(seat, amounts[seat]);
                    } else {
                        self.betting.ante(seat, amounts[seat]);
                    }
                }
            }
        }
        let mut largest = Chips::ZERO;
        let mut bet_to = Chips::ZERO;
        self.opens_after = button;
        let others = live.without(small).without(big);
        let straddles = others.clockwise_after(big).zip(self.setup.straddles.iter().copied());
        for (seat, forced) in
            [(small, self.setup.small_blind), (big, self.setup.big_blind)].into_iter().chain(straddles)
        {
            if forced > Chips::ZERO && forced >= largest {
                largest = forced;
                self.opens_after = seat;
            }
            let size = forced.max(-forced);
            // One who has left meanwhile posts nothing, but the bet stands.
            bet_to = bet_to.max(size);
            if size > Chips::ZERO && live.contains(seat) {
                self.betting.pay(seat, size);
                self.last[seat] = Some(Did::Post);
            }
        }
        if let Antes::BigBlind(ante) = self.setup.antes
            && live.contains(big)
        {
            self.dead[big] = self.betting.take(big, ante);
        }
        self.betting.open(bet_to, self.setup.least_bet());
        self.phase = Phase::Dealing;
    }

    /// The next seat clockwise is asked, or the street is over.
    #[inline]
    pub(super) fn go_on(&mut self, after: Seat) {
        match self.betting.next_to_act(after) {
            Some(seat) => self.phase = Phase::Betting(seat),
            None => {
                self.betting.end_street(self.setup.least_bet());
                self.between_streets();
            }
        }
    }

    /// The betting of a street is over: shows hands or opens cards.
    fn between_streets(&mut self) {
        let no_more_bets = self.betting.is_closed();
        let show_now = no_more_bets && self.setup.early_allin_reveal && !self.shown;
        self.phase = if self.board == BOARD || show_now { Phase::Showing } else { Phase::Board };
    }

    pub(super) fn board_opened(&mut self) {
        self.board += self.next_board().len;
        if self.betting.is_closed() {
            self.street = Street::River;
            self.aggressor = None;
            self.phase = Phase::Showing;
            return;
        }
        self.street = self.street.next();
        self.aggressor = None;
        for seat in self.betting.live.iter() {
            self.last[seat] = None;
        }
        self.go_on(self.button);
    }

    pub(super) fn act(&mut self, seat: Seat, play: Play) {
        let opened = self.betting.bet_to > Chips::ZERO;
        self.betting.play(seat, play);
        self.last[seat] = Some(match play {
            Play::Fold => Did::Fold,
            Play::Check => Did::Check,
            Play::Call => Did::Call,
            Play::Raise(_) => {
                self.aggressor = Some(seat);
                if opened { Did::Raise } else { Did::Bet }
            }
        });
        match self.betting.live.only() {
            Some(winner) => self.uncontested(winner),
            None => self.go_on(seat),
        }
    }

    /// A seat leaves, and folds by that, all-in or not.
    pub(super) fn leave(&mut self, seat: Seat) {
        self.gone.insert(seat);
        if !self.betting.live.contains(seat) {
            return;
        }
        self.betting.fold(seat);
        self.last[seat] = Some(Did::Leave);
        if let Some(winner) = self.betting.live.only() {
            self.uncontested(winner);
            return;
        }
        match self.phase {
            Phase::Betting(turn) if turn == seat || !self.betting.must_act(turn) => self.go_on(turn),
            Phase::Board => self.between_streets(),
            Phase::Drawing(_) | Phase::Dealing | Phase::Betting(_) | Phase::Showing | Phase::Over(_) => {}
        }
    }

    /// One player is left and takes everything.
    #[inline]
    fn uncontested(&mut self, winner: Seat) {
        self.betting.end_street(self.setup.least_bet());
        let all: Chips = self.betting.total.iter().chain(self.dead.iter()).copied().sum();
        self.pay_out(Ending::AllFolded, |won| won[winner] = all);
    }

    /// All cards lie open: the best hand takes each pot.
    pub(super) fn showdown(&mut self, ranks: &PerSeat<Option<HandRank>>) {
        let mut won = PerSeat::new(self.setup.players);
        for pot in self.pots() {
            score::split(pot.amount, score::winners(pot.eligible, ranks), self.button, &mut won);
        }
        self.pay_out(Ending::Showdown, |to| *to = won);
    }

    fn pay_out(&mut self, ending: Ending, fill: impl FnOnce(&mut PerSeat<Chips>)) {
        fill(&mut self.won);
        for seat in self.dealt_in.iter() {
            self.betting.stacks[seat] += self.won[seat];
        }
        self.phase = Phase::Over(ending);
    }

    /// The ranks of all live hands, if every card lies open.
    pub(super) fn ranks(&self, open: &impl Look) -> Option<PerSeat<Option<HandRank>>> {
        let mut cards = [Card::JOKER; 5];
        for (card, slot) in cards.iter_mut().zip(self.board().slots()) {
            *card = open.face(slot)?;
        }
        let board = PokerHand::of(&cards).ok()?;
        let mut ranks = PerSeat::new(self.setup.players);
        for seat in self.betting.live.iter() {
            let mut hole = [Card::JOKER; 2];
            for (card, slot) in hole.iter_mut().zip(self.hole(seat).slots()) {
                *card = open.face(slot)?;
            }
            ranks[seat] = Some(board.with_all(&hole).ok()?.rank().ok()?);
        }
        Some(ranks)
    }
}
