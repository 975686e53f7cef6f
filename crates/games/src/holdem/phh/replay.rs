//! Plays a hand of a file on a real table.
//!
//! The file leads: every line must be what the table waits for. What a file need not say (that hands are
//! shown) is done when the file goes on as if it had happened.

use table::{Awaiting, Breakdown, Chips, Faces, Height, Outcome, PerSeat, Refused, Rules, Seat, Seats, Table};

use super::error::{Awaited, Place};
use super::known::Cards;
use super::notation::{Line, Play, Player};
use super::reading::{Reading, play};
use super::seating::Seating;
use super::{PhhError, PhhHand, Reason, told};
use crate::holdem::phase::Phase;
use crate::holdem::{Action, Deal, Moves};

/// What came of a hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replayed {
    /// The stacks at the end, by player of the file, in its unit, before rake is taken.
    pub stacks: Vec<Chips>,
    /// What each has won or lost, before rake is taken.
    pub net: Vec<Chips>,
    /// What the house took from the pots, if the file tells it.
    pub rake: Option<Chips>,
    /// Who put away at the showdown cards that nobody knows.
    pub mucked: Vec<Player>,
    /// What the file says about the end and cannot have been.
    pub differs: Option<Reason>,
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
    /// Who is to act next and what they can do, if anybody is.
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
    play(hand, &mut Steps(steps)).map(|played| played.replayed(hand))
}

/// Looks on while a hand is played.
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

/// A hand that was played to its end.
pub(in crate::holdem) struct Played {
    pub(in crate::holdem) table: Table<Deal>,
    pub(in crate::holdem) seating: Seating,
    outcome: Outcome,
    /// What each seat had put in before bets that nobody called came back.
    pub(super) most: PerSeat<Chips>,
    pub(super) mucked: Vec<Player>,
}

impl Played {
    /// What came of it, compared with what the file says.
    pub(super) fn replayed(self, hand: &PhhHand) -> Replayed {
        let outcome = self.outcome;
        let rules = self.table.rules();
        let start = &rules.setup().stacks;
        let of =
            |amount: &dyn Fn(Seat) -> Chips| self.seating.players().map(|(_, seat)| amount(seat)).collect::<Vec<_>>();
        let end = told::End {
            stacks: of(&|seat| start[seat] + outcome.result[seat]),
            won: of(&|seat| rules.won[seat]),
            uncalled: of(&|seat| self.most[seat] + outcome.result[seat] - rules.won[seat]),
        };
        let (rake, differs) = match end.rake(hand) {
            Ok(rake) => (rake, None),
            Err(reason) => (None, Some(reason)),
        };
        let net = of(&|seat| outcome.result[seat]);
        Replayed { stacks: end.stacks, net, rake, mucked: self.mucked, differs, outcome }
    }
}

/// A hand that could not be played to its end.
pub(super) struct Stuck {
    pub(super) why: PhhError,
    /// How much each player had put in, and how much of it on the last street; absent if play never began.
    pub(super) put: Option<Vec<[Chips; 2]>>,
}

/// Plays a hand, read like this, to its end.
pub(super) fn play_as(hand: &PhhHand, reading: &Reading, watch: &mut dyn Watch) -> Result<Played, Box<Stuck>> {
    let early = |why: PhhError| Box::new(Stuck { why, put: None });
    let cards = Cards::of(hand).map_err(early)?;
    let seating = Seating::of(hand).map_err(early)?;
    let setup = seating.setup(hand, &cards, reading).map_err(early)?;
    let deal = Deal::deal(&setup).map_err(|why| early(hand.error(PhhError::whole(Reason::Setup(why)))))?;
    let mut faces = Faces::new();
    for (player, seat) in seating.players() {
        for (slot, card) in deal.hole(seat).slots().zip(cards.hole(player)) {
            card.into_iter().for_each(|card| faces.insert(slot, card));
        }
    }
    deal.board().slots().zip(&cards.board).for_each(|(slot, card)| faces.insert(slot, *card));

    let dealt = vec![0; hand.players()];
    let table = Table::new(deal, Height(0));
    let most = PerSeat::new(table.rules().players());
    let mut game = Game {
        hand,
        cards,
        seating,
        table,
        faces,
        dealt,
        announced: 0,
        acted: Seats::NONE,
        most,
        mucked: Vec::new(),
        at: None,
        watch,
    };
    game.note_put();
    match game.play() {
        Ok(outcome) => {
            let Game { table, seating, most, mucked, .. } = game;
            Ok(Played { table, seating, outcome, most, mucked })
        }
        Err(why) => {
            let put = |seat| [game.put(seat), game.table.rules().betting.put[seat]];
            let put = game.seating.players().map(|(_, seat)| put(seat)).collect();
            Err(Box::new(Stuck { why, put: Some(put) }))
        }
    }
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
    /// The most that each seat has had in the pots.
    most: PerSeat<Chips>,
    mucked: Vec<Player>,
    /// The line being played.
    at: Option<usize>,
    watch: &'a mut dyn Watch,
}

impl Game<'_> {
    fn play(&mut self) -> Result<Outcome, PhhError> {
        let hand = self.hand;
        for (index, line) in hand.lines.iter().enumerate() {
            self.at = Some(index);
            self.line(index, line).map_err(|reason| hand.error_at(index, reason))?;
        }
        self.at = None;
        let over = self.finish();
        over.map_err(|reason| hand.error(PhhError { hand: None, place: Place::End, reason }))
    }

    /// What the seat has put in so far.
    fn put(&self, seat: Seat) -> Chips {
        let rules = self.table.rules();
        rules.setup().stacks[seat] - rules.betting.stacks[seat]
    }

    fn note_put(&mut self) {
        if matches!(self.phase(), Phase::Over(_)) {
            return;
        }
        for (_, seat) in self.seating.players() {
            self.most[seat] = self.most[seat].max(self.put(seat));
        }
    }

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
    /// because nobody could answer a bet?
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
        let put_away = self.cards.mucks(player);
        if self.table.rules().live().contains(seat) || put_away { Ok(()) } else { Err(Reason::NotInHand(player)) }
    }

    /// Hands are shown; those that are mucked are folded first.
    fn showdown(&mut self) -> Result<(), Reason> {
        while let Some(player) = self.unknown_hand().filter(|_| self.phase() == Phase::Showing) {
            let player = self.mucks_next().ok_or(Reason::UnknownAtShowdown(player))?;
            self.give(Given::Gone(self.seating.seat(player)))?;
            self.mucked.push(player);
        }
        if self.phase() == Phase::Showing { self.give(Given::Dealt) } else { Ok(()) }
    }

    /// Those still in the hand.
    fn live(&self) -> impl Iterator<Item = Player> {
        let live = self.table.rules().live();
        self.seating.players().filter(move |(_, seat)| live.contains(*seat)).map(|(player, _)| player)
    }

    /// Somebody still in the hand whose cards the file does not know.
    fn unknown_hand(&self) -> Option<Player> {
        self.live().find(|player| !self.cards.knows(*player))
    }

    /// Who of those at the showdown mucks next: somebody who says so, somebody else if there is a hand to lose to, or
    /// somebody who has not won as the file has it.
    fn mucks_next(&self) -> Option<Player> {
        if let Some(player) = self.live().find(|player| self.cards.puts_away(*player)) {
            return Some(player);
        }
        let mut unseen = self.live().filter(|player| !self.cards.knows(*player) && self.cards.mucks(*player));
        if self.live().any(|player| self.cards.knows(player)) {
            return unseen.next();
        }
        let winnings = self.hand.winnings()?;
        let won = |player: &Player| winnings.get(player.index()).is_some_and(|won| *won > Chips::ZERO);
        unseen.find(|player| !won(player)).filter(|_| self.live().any(|player| won(&player)))
    }

    /// The file is at its end: what remains is the showdown.
    fn finish(&mut self) -> Result<Outcome, Reason> {
        if let Some(why) = self.seating.notes.broken {
            self.give(Given::Broken(why))?;
        } else if self.phase() == Phase::Showing && self.board_is_full() {
            self.showdown()?;
        }
        self.table.outcome().cloned().ok_or_else(|| Reason::Unfinished(self.awaited()))
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
        self.note_put();
        Ok(())
    }
}
