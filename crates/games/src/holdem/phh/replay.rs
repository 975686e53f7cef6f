//! Plays a hand of a file on a real table.
//!
//! The file leads: every line must be what the table waits for. What a file need not say (that hands are
//! shown) is done when the file goes on as if it had happened.

use table::{Awaiting, Breakdown, Chips, Faces, Height, Outcome, Refused, Rules, Seat, Seats, Table};

use super::error::{Awaited, Place};
use super::known::Cards;
use super::notation::{Line, Play, Player};
use super::seating::Seating;
use super::{PhhError, PhhHand, Reason};
use crate::holdem::phase::Phase;
use crate::holdem::{Action, Deal, Moves};

/// What came of a hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replayed {
    /// The stacks at the end, by player of the file, in its unit.
    pub stacks: Vec<Chips>,
    /// How it ended.
    pub outcome: Outcome,
}

/// An input, and where the table is after it.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// The line of the file that it comes from, counted from 0; absent where the file does not say it.
    pub line: Option<usize>,
    /// What happened.
    pub given: Given,
    /// How many inputs there have been.
    pub height: Height,
    /// What is awaited next.
    pub awaiting: Awaiting,
    /// Who is to act next and what he can do, where somebody is.
    pub turn: Option<(Player, Moves)>,
}

/// What is given to a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Given {
    /// The dealer has carried out the orders.
    Dealt,
    /// A seat acts.
    Act {
        /// Who.
        seat: Seat,
        /// What.
        action: Action,
        /// Done for a seat whose time was up.
        timeout: bool,
    },
    /// A seat leaves, or puts away cards that nobody knows.
    Gone(Seat),
    /// The hand cannot go on.
    Broken(Breakdown),
}

/// Plays a hand again.
pub fn replay(hand: &PhhHand) -> Result<Replayed, PhhError> {
    replay_steps(hand, &mut Vec::new())
}

/// Plays a hand again and notes every step, also those before an error.
pub fn replay_steps(hand: &PhhHand, steps: &mut Vec<Step>) -> Result<Replayed, PhhError> {
    let (table, seating) = play(hand, &mut Steps(steps))?;
    let Some(outcome) = table.outcome().cloned() else {
        return Err(hand.error(PhhError::whole(Reason::Unfinished(Awaited::Showdown))));
    };
    let start = &table.rules().setup().stacks;
    let stacks = seating.players().map(|(_, seat)| start[seat] + outcome.result[seat]).collect();
    Ok(Replayed { stacks, outcome })
}

/// Whoever looks on while a hand is played.
pub(in crate::holdem) trait Watch {
    /// Something is about to be given to the table.
    fn before(&mut self, _: &Seen<'_>) {}
    /// It has been taken.
    fn after(&mut self, _: &Seen<'_>) {}
}

/// A table, and what is or was given to it.
pub(in crate::holdem) struct Seen<'a> {
    pub(in crate::holdem) table: &'a Table<Deal>,
    /// All faces that the file knows.
    pub(in crate::holdem) faces: &'a Faces,
    pub(in crate::holdem) seating: &'a Seating,
    line: Option<usize>,
    pub(in crate::holdem) given: Given,
}

struct Steps<'a>(&'a mut Vec<Step>);

impl Watch for Steps<'_> {
    fn after(&mut self, seen: &Seen<'_>) {
        let awaiting = seen.table.awaiting();
        let turn = match awaiting {
            Awaiting::Turn(seat) => Some((seen.seating.player(seat), Moves::new(seen.table.rules(), seat))),
            Awaiting::Dealer | Awaiting::Choices(_) | Awaiting::Over => None,
        };
        self.0.push(Step { line: seen.line, given: seen.given, height: seen.table.height(), awaiting, turn });
    }
}

/// Plays a hand to its end.
pub(in crate::holdem) fn play(hand: &PhhHand, watch: &mut dyn Watch) -> Result<(Table<Deal>, Seating), PhhError> {
    let cards = Cards::of(hand)?;
    let seating = Seating::of(hand)?;
    let setup = seating.setup(hand, &cards)?;
    let deal = Deal::deal(&setup).map_err(|why| hand.error(PhhError::whole(Reason::Setup(why))))?;
    let mut faces = Faces::new();
    for (player, seat) in seating.players() {
        for (slot, card) in deal.hole(seat).slots().zip(cards.hole(player)) {
            card.into_iter().for_each(|card| faces.insert(slot, card));
        }
    }
    deal.board().slots().zip(&cards.board).for_each(|(slot, card)| faces.insert(slot, *card));

    let dealt = vec![0; hand.players()];
    let table = Table::new(deal, Height(0));
    let mut game =
        Game { hand, cards, seating, table, faces, dealt, announced: 0, acted: Seats::NONE, at: None, watch };
    for (index, line) in hand.lines.iter().enumerate() {
        game.at = Some(index);
        game.line(index, line).map_err(|reason| hand.error_at(index, reason))?;
    }
    game.at = None;
    game.finish().map_err(|reason| hand.error(PhhError { hand: None, place: Place::End, reason }))?;
    Ok((game.table, game.seating))
}

/// A hand in the middle of being played.
struct Game<'a> {
    hand: &'a PhhHand,
    cards: Cards,
    seating: Seating,
    table: Table<Deal>,
    faces: Faces,
    /// How many cards the file has dealt to each player so far.
    dealt: Vec<usize>,
    /// How many cards of the board it has named so far.
    announced: usize,
    /// Who has acted on this street.
    acted: Seats,
    /// The line being played.
    at: Option<usize>,
    watch: &'a mut dyn Watch,
}

impl Game<'_> {
    fn line(&mut self, index: usize, line: &Line) -> Result<(), Reason> {
        let left = self.seating.notes.left.contains(&index);
        match line.play {
            Play::Nothing => Ok(()),
            Play::Hole(player, ref cards) => self.deal_hole(player, cards.len()),
            Play::Board(ref cards) => self.deal_board(cards.len()),
            Play::Fold(player) if left => self.give(Given::Gone(self.seating.seat(player))),
            Play::Fold(player) => self.act(player, |_| Action::Fold),
            Play::CheckOrCall(player) if self.is_superfluous(player) => {
                self.acted.insert(self.seating.seat(player));
                Ok(())
            }
            Play::CheckOrCall(player) => {
                self.act(player, |moves| if moves.can_check { Action::Check } else { Action::Call })
            }
            Play::RaiseTo(player, to) => self.act(player, |_| Action::RaiseTo(to)),
            Play::Show(player, _) | Play::Muck(player) => self.show(player),
        }
    }

    fn deal_hole(&mut self, player: Player, cards: usize) -> Result<(), Reason> {
        if self.phase() != Phase::Dealing {
            return Err(Reason::NotAwaited(self.awaited()));
        }
        if let Some(dealt) = self.dealt.get_mut(player.index()) {
            *dealt += cards;
        }
        if self.undealt().is_none() {
            self.give(Given::Dealt)?;
        }
        Ok(())
    }

    /// Somebody who has still to be dealt cards.
    fn undealt(&self) -> Option<Player> {
        let live = self.table.rules().live();
        let missing = |player: &Player| self.dealt.get(player.index()).is_none_or(|dealt| *dealt < 2);
        let mut players = self.seating.players().filter(|(_, seat)| live.contains(*seat)).map(|(player, _)| player);
        players.find(missing)
    }

    fn deal_board(&mut self, cards: usize) -> Result<(), Reason> {
        if self.phase() == Phase::Showing && !self.board_is_full() {
            self.showdown()?;
        }
        if self.phase() != Phase::Board {
            return Err(Reason::NotAwaited(self.awaited()));
        }
        let announced = self.announced + cards;
        let open = usize::from(self.table.rules().open_board().len);
        let next = usize::from(self.table.rules().next_board().len);
        if announced > open + next {
            return Err(Reason::TooManyCards);
        }
        self.announced = announced;
        // The rest of a board is opened in one step, but files deal it street by street.
        if announced == open + next {
            self.acted = Seats::NONE;
            self.give(Given::Dealt)?;
        }
        Ok(())
    }

    fn act(&mut self, player: Player, action: impl FnOnce(Moves) -> Action) -> Result<(), Reason> {
        let seat = self.seating.seat(player);
        if self.table.awaiting() != Awaiting::Turn(seat) {
            return Err(match self.awaited() {
                Awaited::Turn(_) if !self.table.rules().live().contains(seat) => Reason::NotInHand(player),
                awaited => Reason::NotAwaited(awaited),
            });
        }
        let action = action(Moves::new(self.table.rules(), seat));
        let timeout = self.at.is_some_and(|index| self.seating.notes.timeouts.contains(&index));
        self.acted.insert(seat);
        self.give(Given::Act { seat, action, timeout })
    }

    /// Is it a check of the last player with chips, who has not acted on this street and is not asked here
    /// because nobody could answer a bet of his?
    fn is_superfluous(&self, player: Player) -> bool {
        let seat = self.seating.seat(player);
        let nobody_bets = matches!(self.phase(), Phase::Showing | Phase::Board);
        nobody_bets
            && self.table.rules().betting.able.only() == Some(seat)
            && !self.acted.contains(seat)
            && self.announced == usize::from(self.table.rules().open_board().len)
    }

    fn show(&mut self, player: Player) -> Result<(), Reason> {
        let seat = self.seating.seat(player);
        let can_bet = !self.table.rules().betting.is_closed();
        match self.phase() {
            Phase::Showing => self.showdown()?,
            Phase::Over(_) => {}
            Phase::Board if !can_bet => {}
            Phase::Board | Phase::Betting(_) | Phase::Dealing | Phase::Drawing(_) => {
                return Err(Reason::NotAwaited(self.awaited()));
            }
        }
        let put_away = self.cards.gives_up(player);
        if self.table.rules().live().contains(seat) || put_away { Ok(()) } else { Err(Reason::NotInHand(player)) }
    }

    /// Hands are shown; those that nobody knows and that are put away are folded first.
    fn showdown(&mut self) -> Result<(), Reason> {
        self.fold_unseen()?;
        if self.phase() == Phase::Showing { self.give(Given::Dealt) } else { Ok(()) }
    }

    fn fold_unseen(&mut self) -> Result<(), Reason> {
        while let Some(player) = self.unknown_hand().filter(|_| self.phase() == Phase::Showing) {
            if !self.cards.gives_up(player) {
                return Err(Reason::UnknownAtShowdown(player));
            }
            self.give(Given::Gone(self.seating.seat(player)))?;
        }
        Ok(())
    }

    /// Somebody still in the hand whose cards the file does not know.
    fn unknown_hand(&self) -> Option<Player> {
        let live = self.table.rules().live();
        let unknown = |(player, seat): &(Player, Seat)| live.contains(*seat) && !self.cards.knows(*player);
        self.seating.players().find(unknown).map(|(player, _)| player)
    }

    /// The file is at its end: what remains is the showdown.
    fn finish(&mut self) -> Result<(), Reason> {
        if let Some(why) = self.seating.notes.broken {
            return self.give(Given::Broken(why));
        }
        if self.phase() == Phase::Showing && self.board_is_full() {
            self.showdown()?;
        }
        match self.awaited() {
            Awaited::Nothing => Ok(()),
            awaited => Err(Reason::Unfinished(awaited)),
        }
    }

    fn phase(&self) -> Phase {
        self.table.rules().phase
    }

    fn board_is_full(&self) -> bool {
        self.table.rules().open_board().len == self.table.rules().board().len
    }

    fn awaited(&self) -> Awaited {
        let rules = self.table.rules();
        match self.phase() {
            Phase::Over(_) => Awaited::Nothing,
            Phase::Betting(seat) => Awaited::Turn(self.seating.player(seat)),
            Phase::Dealing => self.undealt().map_or(Awaited::Showdown, Awaited::Hole),
            Phase::Showing if self.board_is_full() => Awaited::Showdown,
            Phase::Drawing(_) | Phase::Showing | Phase::Board => {
                let next = usize::from(rules.open_board().len) + usize::from(rules.next_board().len);
                Awaited::Board(next.saturating_sub(self.announced))
            }
        }
    }

    fn give(&mut self, given: Given) -> Result<(), Reason> {
        let Self { table, faces, seating, at, watch, hand, .. } = self;
        watch.before(&Seen { table, faces, seating, line: *at, given });
        let height = table.height();
        let done = match given {
            Given::Dealt => table.dealt(height, faces),
            Given::Act { seat, action, .. } => table.act(height, seat, &action, faces),
            Given::Gone(seat) => table.gone(height, seat),
            Given::Broken(why) => table.break_off(height, why),
        };
        done.map_err(|why| match why {
            Refused::Illegal(why) => Reason::Illegal { why, unit: hand.unit },
            other => Reason::Refused(other),
        })?;
        watch.after(&Seen { table, faces, seating, line: *at, given });
        Ok(())
    }
}
