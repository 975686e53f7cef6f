//! One hand of Hold'em as a state machine.
//!
//! ```text
//! (Drawing) -> Dealing -> Betting -> Board -> Betting -> ... -> Showing -> Over
//! ```
//!
//! Blinds are posted before the shuffle. When nobody can bet any more, the rest of the board is opened in
//! one step, after the live hands or before them as the setup says. When one player is left, the hand is
//! over at once and nothing more is opened.

use cards::Pack;
use serde::Serialize;
use table::{
    Awaiting, BadSetting, Breakdown, Chips, Eye, Faces, Input, Known, Look, Move, NoChoice, Order, Outcome, PerSeat,
    Rules, Run, Seat, Seats, Slot, Source,
};

use super::betting::Betting;
use super::phase::{BOARD, Did, Ending, Phase, Street};
use super::score::{self, Pot};
use super::setup::{BlindSeats, Reopen, Setup};
use super::{Action, Claim, Illegal, Moves, View};
use crate::lots;

/// One hand.
#[derive(Clone, Debug, Serialize)]
pub struct Deal {
    pub(super) setup: Setup,
    pub(super) phase: Phase,
    /// The number of the deck the cards are in; a lot for the button comes before it.
    pub(super) deck: u32,
    pub(super) button: Seat,
    pub(super) blind_seats: BlindSeats,
    /// Left of this seat the betting before the flop begins.
    pub(super) opens_after: Seat,
    /// Everybody who gets cards; the same in the order of dealing, and each one's place in it.
    pub(super) dealt_in: Seats,
    pub(super) dealing_order: [Seat; 10],
    pub(super) places: PerSeat<u8>,
    /// How many get cards.
    pub(super) hands: u8,
    pub(super) betting: Betting,
    /// Antes that belong to the main pot in full.
    pub(super) dead: PerSeat<Chips>,
    pub(super) street: Street,
    /// Open cards of the board.
    pub(super) board: u8,
    /// Who bet or raised last on this street.
    pub(super) aggressor: Option<Seat>,
    pub(super) last: PerSeat<Option<Did>>,
    /// The live hands lie open.
    pub(super) shown: bool,
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
    pub(super) fn next_board(&self) -> Run {
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

    /// Is (or was) the seat in this hand, and has not left?
    fn seated(&self, seat: Seat) -> bool {
        self.setup.stacks[seat] > Chips::ZERO && !self.gone.contains(seat)
    }

    /// Who can have put in something.
    pub(super) fn contributors(&self) -> Seats {
        Seats::first(self.setup.players).iter().filter(|seat| self.setup.stacks[*seat] > Chips::ZERO).collect()
    }

    pub(super) fn contribution(&self, seat: Seat) -> Chips {
        self.betting.total[seat] + self.dead[seat]
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
            dealing_order: [nobody; 10],
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

    #[inline]
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

    #[inline]
    fn decks(&self) -> core::ops::Range<u32> {
        self.setup.first_deck..self.deck + 1
    }

    #[inline]
    fn shows(&self, _: Seat, _: &Action) -> impl Iterator<Item = Slot> {
        core::iter::empty()
    }

    fn claim(&self, _: &impl Look, _: Seat, _: &Action) -> Option<Claim> {
        None
    }

    fn apply(&mut self, open: &Faces, input: Input<'_, Self>) -> Result<(), Illegal> {
        match (self.phase, input) {
            (Phase::Over(_), _) => return Err(Illegal::WrongPhase),
            (_, Input::Gone(seat) | Input::Forfeit(seat)) => {
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
        self.broken_off(why)
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
