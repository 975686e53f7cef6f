//! One hand of Hold'em as a state machine.
//!
//! ```text
//! (Drawing) -> Dealing -> Betting -> Board -> Betting -> ... -> Showing -> Over
//! ```
//!
//! Blinds are posted before the shuffle. When nobody can bet any more, the rest of the board is opened in
//! one step, after the live hands or before them as the setup says. When one player is left, the hand is
//! over at once and nothing more is opened.

use cards::{Card, HandRank, Pack, PokerHand};
use serde::Serialize;
use table::{
    Awaiting, BadSetting, Breakdown, Chips, Eye, Faces, Input, Known, Look, Move, NoChoice, Order, Outcome, PerSeat,
    Rules, Run, Seat, Seats, Slot, Source,
};

use super::betting::{Betting, Play};
use super::phase::{BOARD, Did, Ending, Phase, Street};
use super::score::{self, Pot};
use super::setup::{Antes, BlindSeats, Reopen, Setup};
use super::{Action, Claim, Illegal, Moves, View};
use crate::lots;

/// One hand.
#[derive(Clone, Debug, Serialize)]
pub struct Deal {
    pub(super) setup: Setup,
    pub(super) phase: Phase,
    /// The number of the deck the cards are in; a lot for the button comes before it.
    deck: u32,
    pub(super) button: Seat,
    pub(super) blind_seats: BlindSeats,
    /// Left of this seat the betting before the flop begins.
    opens_after: Seat,
    /// Everybody who gets cards; the same in the order of dealing, and each one's place in it.
    pub(super) dealt_in: Seats,
    dealing_order: [Seat; 9],
    places: PerSeat<u8>,
    /// How many get cards.
    hands: u8,
    pub(super) betting: Betting,
    /// Antes that belong to the main pot in full.
    pub(super) dead: PerSeat<Chips>,
    pub(super) street: Street,
    /// Open cards of the board.
    board: u8,
    /// Who bet or raised last on this street.
    aggressor: Option<Seat>,
    pub(super) last: PerSeat<Option<Did>>,
    /// The live hands lie open.
    shown: bool,
    pub(super) won: PerSeat<Chips>,
    pub(super) gone: Seats,
}

impl Deal {
    /// How the hand began.
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Who has the button, once drawn.
    pub fn button(&self) -> Option<Seat> {
        (!matches!(self.phase, Phase::Drawing(_))).then_some(self.button)
    }

    /// Who has to post the blinds, once the button is drawn.
    pub fn blind_seats(&self) -> Option<BlindSeats> {
        self.button().map(|_| self.blind_seats)
    }

    /// The stacks, without what lies in the pots.
    pub const fn stacks(&self) -> &PerSeat<Chips> {
        &self.betting.stacks
    }

    /// What each seat has bet on this street.
    pub const fn bets(&self) -> &PerSeat<Chips> {
        &self.betting.put
    }

    /// The round of betting.
    pub const fn street(&self) -> Street {
        self.street
    }

    /// Who has not folded.
    pub const fn live(&self) -> Seats {
        self.betting.live
    }

    /// The pots, the main pot first, with all bets of this street.
    pub fn pots(&self) -> impl Iterator<Item = Pot> {
        score::pots(&self.betting.total, self.betting.live, self.dead.iter().copied().sum())
    }

    /// Where the two cards of a seat lie; nothing for a seat without cards.
    #[inline]
    pub fn hole(&self, seat: Seat) -> Run {
        let len = if self.dealt_in.contains(seat) { 2 } else { 0 };
        Run::every(Slot::new(self.deck, u16::from(self.places[seat])), self.hands, len)
    }

    /// Where the cards of the whole board lie, open or not.
    #[inline]
    pub fn board(&self) -> Run {
        Run::of(Slot::new(self.deck, 2 * u16::from(self.hands)), BOARD)
    }

    /// Where the open cards of the board lie.
    pub fn open_board(&self) -> Run {
        Run { len: self.board, ..self.board() }
    }

    /// The board cards to be opened now.
    fn next_board(&self) -> Run {
        let upto = if self.betting.is_closed() { BOARD } else { self.street.next().cards() };
        let run = self.board();
        let first = Slot::new(run.first.deck, run.first.index + u16::from(self.board));
        Run::of(first, upto.saturating_sub(self.board))
    }

    /// Live hands as they are shown: the last to bet on the river first, else left of the button.
    pub(super) fn showing_order(&self) -> impl Iterator<Item = Seat> {
        let live = self.betting.live;
        let bettor = self.aggressor.filter(|seat| self.street == Street::River && live.contains(*seat));
        let first = bettor.or_else(|| live.after(self.button)).unwrap_or(self.button);
        live.clockwise_from(first)
    }

    /// Seats the blinds, takes antes and blinds.
    fn begin(&mut self, button: Seat) {
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
    fn go_on(&mut self, after: Seat) {
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

    fn board_opened(&mut self) {
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

    fn act(&mut self, seat: Seat, play: Play) {
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
    fn leave(&mut self, seat: Seat) {
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
    fn uncontested(&mut self, winner: Seat) {
        self.betting.end_street(self.setup.least_bet());
        let all: Chips = self.betting.total.iter().chain(self.dead.iter()).copied().sum();
        self.pay_out(Ending::AllFolded, |won| won[winner] = all);
    }

    /// All cards lie open: the best hand takes each pot.
    fn showdown(&mut self, ranks: &PerSeat<Option<HandRank>>) {
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

    /// Is (or was) the seat in this hand, and has not left?
    fn seated(&self, seat: Seat) -> bool {
        self.setup.stacks[seat] > Chips::ZERO && !self.gone.contains(seat)
    }

    /// Who can have put in something.
    fn contributors(&self) -> Seats {
        Seats::first(self.setup.players).iter().filter(|seat| self.setup.stacks[*seat] > Chips::ZERO).collect()
    }

    fn contribution(&self, seat: Seat) -> Chips {
        self.betting.total[seat] + self.dead[seat]
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

impl Rules for Deal {
    type Setup = Setup;
    type Action = Action;
    type Choice = NoChoice;
    type Claim = Claim;
    type Illegal = Illegal;
    type View = View;
    type Moves = Moves;

    fn deal(setup: &Setup) -> Result<Self, BadSetting> {
        setup.check()?;
        let n = setup.players;
        let betting = Betting::new(setup.stacks, setup.reopen == Reopen::Any);
        let nobody = Seat::default();
        let mut deal = Self {
            phase: Phase::Drawing(betting.live),
            deck: setup.first_deck,
            button: nobody,
            blind_seats: BlindSeats { small: nobody, big: nobody },
            opens_after: nobody,
            dealt_in: Seats::NONE,
            dealing_order: [nobody; 9],
            places: PerSeat::new(n),
            hands: 0,
            betting,
            dead: PerSeat::new(n),
            street: Street::Preflop,
            board: 0,
            aggressor: None,
            last: PerSeat::new(n),
            shown: false,
            won: PerSeat::new(n),
            gone: Seats::NONE,
            setup: setup.clone(),
        };
        if let Some(button) = setup.button {
            deal.begin(button);
        }
        Ok(deal)
    }

    fn players(&self) -> u8 {
        self.setup.players
    }

    #[inline]
    fn awaiting(&self) -> Awaiting {
        match self.phase {
            Phase::Drawing(_) | Phase::Dealing | Phase::Board | Phase::Showing => Awaiting::Dealer,
            Phase::Betting(seat) => Awaiting::Turn(seat),
            Phase::Over(_) => Awaiting::Over,
        }
    }

    fn order(&self, i: usize) -> Option<Order> {
        match self.phase {
            Phase::Drawing(among) => lots::draw_one(self.deck, among.len(), i),
            Phase::Dealing => {
                let Some(i) = i.checked_sub(1) else {
                    return Some(Order::Shuffle { deck: self.deck, from: Source::Pack(Pack::STANDARD) });
                };
                let to = if self.gone.is_empty() {
                    *self.dealing_order.get(..usize::from(self.hands))?.get(i)?
                } else {
                    self.betting.live.clockwise_after(self.button).nth(i)?
                };
                Some(Order::Deal { to, slots: self.hole(to) })
            }
            Phase::Board => (i == 0).then(|| Order::Open { slots: self.next_board() }),
            Phase::Showing => {
                let seat = self.showing_order().nth(i)?;
                Some(Order::Open { slots: self.hole(seat) })
            }
            Phase::Betting(_) | Phase::Over(_) => None,
        }
    }

    fn decks(&self) -> core::ops::Range<u32> {
        self.setup.first_deck..self.deck + 1
    }

    fn shows(&self, _: Seat, _: &Action) -> impl Iterator<Item = Slot> {
        core::iter::empty()
    }

    fn claim(&self, _: &impl Look, _: Seat, _: &Action) -> Option<Claim> {
        None
    }

    fn apply(&mut self, open: &Faces, input: Input<'_, Self>) -> Result<(), Illegal> {
        match (self.phase, input) {
            (Phase::Over(_), _) => return Err(Illegal::WrongPhase),
            (_, Input::Gone(seat)) => {
                if !self.seated(seat) {
                    return Err(Illegal::NotSeated);
                }
                self.leave(seat);
            }
            (Phase::Drawing(among), Input::Dealt) => {
                let drawn = lots::drawn_seat(open, self.deck, among).ok_or(Illegal::CardMissing)?;
                let live = self.betting.live;
                self.deck += 1;
                self.begin(if live.contains(drawn) { drawn } else { live.after(drawn).unwrap_or(drawn) });
            }
            (Phase::Dealing, Input::Dealt) => self.go_on(self.opens_after),
            (Phase::Board, Input::Dealt) if self.shown => {
                let ranks = self.ranks(open).ok_or(Illegal::CardMissing)?;
                self.board_opened();
                self.showdown(&ranks);
            }
            (Phase::Board, Input::Dealt) => self.board_opened(),
            (Phase::Showing, Input::Dealt) if self.board == BOARD => {
                let ranks = self.ranks(open).ok_or(Illegal::CardMissing)?;
                self.shown = true;
                self.showdown(&ranks);
            }
            (Phase::Showing, Input::Dealt) => {
                self.shown = true;
                self.phase = Phase::Board;
            }
            (Phase::Betting(turn), Input::Act { seat, action }) => {
                if !self.seated(seat) {
                    return Err(Illegal::NotSeated);
                }
                if seat != turn {
                    return Err(Illegal::NotYourTurn);
                }
                let play = self.betting.check(seat, *action)?;
                self.act(seat, play);
            }
            (
                Phase::Drawing(_) | Phase::Dealing | Phase::Board | Phase::Showing | Phase::Betting(_),
                Input::Act { .. } | Input::Dealt | Input::Choices(_),
            ) => return Err(Illegal::WrongPhase),
        }
        Ok(())
    }

    fn admits_choice(&self, _: Seat, choice: &NoChoice) -> Result<(), Illegal> {
        match *choice {}
    }

    fn outcome(&self) -> Outcome {
        let result = PerSeat::from_fn(self.setup.players, |seat| self.betting.stacks[seat] - self.setup.stacks[seat]);
        let ending = if self.phase == Phase::Over(Ending::AllFolded) { "all folded" } else { "showdown" };
        Outcome::played(ending, result)
    }

    fn break_off(&self, why: Breakdown) -> Outcome {
        let culprits = why.culprits() & self.contributors();
        let mut result = PerSeat::new(self.setup.players);
        // Live players divide what the culprits have put in; if there are none, the others of this hand.
        let live = self.betting.live - culprits;
        let heirs = if live.is_empty() { self.contributors() - culprits } else { live };
        if !heirs.is_empty() {
            let forfeited: Chips = culprits.iter().map(|seat| self.contribution(seat)).sum();
            score::split(forfeited, heirs, self.button, &mut result);
            culprits.iter().for_each(|seat| result[seat] = -self.contribution(seat));
        }
        Outcome::broken(why, result)
    }

    fn view(&self, known: Known<'_>, eye: Eye) -> View {
        View::new(self, known, eye)
    }

    #[inline]
    fn moves(&self, _: Known<'_>, seat: Seat) -> Moves {
        Moves::new(self, seat)
    }

    fn default_move(&self, _: Known<'_>, seat: Seat) -> Option<Move<Action, NoChoice>> {
        let moves = Moves::new(self, seat);
        let action = if moves.can_check { Action::Check } else { Action::Fold };
        moves.asked.then_some(Move::Act(action))
    }
}
