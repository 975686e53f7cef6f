//! What each seat sees of a hand of Hold'em, and what it can do.

use cards::{Card, Decided, decided, describe, rank_cards};
use serde::Serialize;
use table::{Awaiting, Chips, Draw, Eye, Known, Move, NoChoice, Rules, Run, Seat, Seats};

use super::phase::{Did, Phase, Street};
use super::score;
use super::setup::BlindSeats;
use super::{Action, Deal};
use crate::Held;

/// A hand as somebody sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct View {
    /// `drawing`, `dealing`, `betting`, `board`, `showing` or `over`.
    pub phase: &'static str,
    /// The round of betting.
    pub street: Street,
    /// Whose turn it is.
    pub turn: Option<Seat>,
    /// Who has the button; absent until drawn.
    pub button: Option<Seat>,
    /// Who posts the blinds; absent until the button is drawn.
    pub blind_seats: Option<BlindSeats>,
    /// The small blind.
    pub small_blind: Chips,
    /// The big blind.
    pub big_blind: Chips,
    /// The open cards.
    pub board: Vec<Card>,
    /// What has been put in altogether, the bets of this street included.
    pub pot: Chips,
    /// Main pot and side pots of the streets before this one; of the whole hand once it is over.
    pub pots: Vec<PotView>,
    /// What must be matched on this street.
    pub bet_to: Chips,
    /// By seat.
    pub players: Vec<PlayerView>,
    /// Those whose cards are shown, in the order of showing.
    pub showing: Vec<Seat>,
    /// The looker's own cards.
    pub hand: Vec<Held>,
    /// The looker's best hand in words, from the flop on.
    pub hand_name: Option<String>,
    /// What a call would cost the looker now; absent for those who are not in the hand.
    pub to_call: Option<Chips>,
}

/// A pot as everybody sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct PotView {
    /// The chips in it.
    pub amount: Chips,
    /// The seats that can win it.
    pub eligible: Seats,
    /// The seats that have won it, once the hand is over.
    pub winners: Seats,
    /// How the winning hand beats the best of the others that were shown for this pot, once the hand is over; absent
    /// where nobody else could win it. [`Decided::Equal`] means that everybody shares it.
    pub decided: Option<Decided>,
}

/// A player as everybody sees them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlayerView {
    /// Chips behind.
    pub stack: Chips,
    /// Chips put in on this street.
    pub bet: Chips,
    /// Chips put in during the whole hand.
    pub paid: Chips,
    /// Chips won from the pots.
    pub won: Chips,
    /// How the player stands in this hand.
    pub status: Status,
    /// The player's last action on this street.
    pub last: Option<Did>,
    /// The player's cards, where everybody has seen them.
    pub shown: Vec<Held>,
    /// The player's best hand in words, where everybody has seen the cards and a flop.
    pub hand_name: Option<String>,
}

/// How a player stands in a hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Not in this hand.
    Out,
    /// In it, with chips.
    Live,
    /// In it, without chips to bet.
    AllIn,
    /// Folded.
    Folded,
    /// Has left the table.
    Gone,
}

impl View {
    #[inline]
    pub(super) fn new(deal: &Deal, known: Known<'_>, eye: Eye) -> Self {
        let betting = &deal.betting;
        let over = matches!(deal.phase, Phase::Over(_));
        let board: Vec<Card> = deal.open_board().slots().filter_map(|slot| known.open.get(slot)).collect();
        let name = |hole: &[Held]| {
            let mut cards: Vec<Card> = hole.iter().map(|held| held.card).collect::<Option<_>>()?;
            cards.extend(&board);
            describe(&cards).ok()
        };
        let held = |run: Run| run.slots().map(|slot| Held { slot, card: known.face(slot) }).collect::<Vec<_>>();
        let shown = |seat: Seat| {
            let open = deal.hole(seat).slots().all(|slot| known.open.get(slot).is_some());
            if open { held(deal.hole(seat)) } else { Vec::new() }
        };
        let players = betting.stacks.seats().map(|(seat, stack)| {
            let shown = shown(seat);
            PlayerView {
                stack: *stack,
                bet: betting.put[seat],
                paid: betting.total[seat] + deal.dead[seat],
                won: deal.won[seat],
                status: if deal.gone.contains(seat) {
                    Status::Gone
                } else if betting.able.contains(seat) {
                    Status::Live
                } else if betting.live.contains(seat) {
                    Status::AllIn
                } else if deal.dealt_in.contains(seat) {
                    Status::Folded
                } else {
                    Status::Out
                },
                last: deal.last[seat],
                hand_name: name(&shown).filter(|_| !shown.is_empty()),
                shown,
            }
        });
        let players: Vec<PlayerView> = players.collect();
        let own = match eye {
            Eye::Seat(seat) => held(deal.hole(seat)),
            Eye::Public => Vec::new(),
        };
        let asked = match eye {
            Eye::Seat(seat) if betting.live.contains(seat) && !over => Some(betting.to_call(seat)),
            Eye::Seat(_) | Eye::Public => None,
        };
        Self {
            phase: match deal.phase {
                Phase::Drawing(_) => "drawing",
                Phase::Dealing => "dealing",
                Phase::Betting(_) => "betting",
                Phase::Board => "board",
                Phase::Showing => "showing",
                Phase::Over(_) => "over",
            },
            street: deal.street,
            turn: match deal.phase {
                Phase::Betting(seat) => Some(seat),
                Phase::Drawing(_) | Phase::Dealing | Phase::Board | Phase::Showing | Phase::Over(_) => None,
            },
            button: deal.button(),
            blind_seats: deal.blind_seats(),
            small_blind: deal.setup.small_blind,
            big_blind: deal.setup.big_blind,
            pot: players.iter().map(|player| player.paid).sum(),
            pots: pots(deal, known),
            bet_to: betting.bet_to,
            showing: deal.showing_order().filter(|seat| !shown(*seat).is_empty()).collect(),
            players,
            hand_name: name(&own).filter(|_| !own.is_empty()),
            hand: own,
            to_call: asked,
            board,
        }
    }
}

/// The pots without the bets of this street, which still lie before the players.
fn pots(deal: &Deal, known: Known<'_>) -> Vec<PotView> {
    let betting = &deal.betting;
    let collected = table::PerSeat::from_fn(deal.players(), |seat| betting.total[seat] - betting.put[seat]);
    let pots = score::pots(&collected, betting.live, deal.dead.iter().copied().sum());
    let ranks = if matches!(deal.phase, Phase::Over(_)) { deal.ranks(known.open) } else { None };
    let view = |pot: score::Pot| {
        let winners = match (&ranks, deal.phase) {
            (Some(ranks), _) => score::winners(pot.eligible, ranks),
            (None, Phase::Over(_)) => pot.eligible,
            (None, _) => Seats::NONE,
        };
        let decided = if ranks.is_some() { how_decided(deal, known, pot.eligible, winners) } else { None };
        PotView { amount: pot.amount, eligible: pot.eligible, winners, decided }
    };
    pots.map(view).collect()
}

/// How the winners of a pot beat the best of the others; where there are none, how they compare with each other.
fn how_decided(deal: &Deal, known: Known<'_>, eligible: Seats, winners: Seats) -> Option<Decided> {
    let cards = |seat: Seat| -> Option<Vec<Card>> {
        let slots = deal.hole(seat).slots().chain(deal.open_board().slots());
        slots.map(|slot| known.open.get(slot)).collect()
    };
    let first = winners.iter().next()?;
    let beaten = eligible.iter().filter(|seat| !winners.contains(*seat)).filter_map(cards);
    let best = beaten.max_by_key(|cards| rank_cards(cards).ok());
    let other = best.or_else(|| cards(winners.iter().nth(1)?))?;
    decided(&cards(first)?, &other).ok()
}

/// What a seat can do now. All amounts that are bet or raised to are totals for the street.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Moves {
    /// Whether it is this seat's turn; if not, it can do nothing.
    pub asked: bool,
    /// Whether it can check.
    pub can_check: bool,
    /// What a call costs, never more than the stack; 0 where there is nothing to call.
    pub to_call: Chips,
    /// The least it can bet or raise to; absent where it may not.
    pub min_to: Option<Chips>,
    /// The most it can bet or raise to, which is all-in; absent where it may not.
    pub max_to: Option<Chips>,
    /// Whether it can go all-in, be it by a call.
    pub can_all_in: bool,
}

impl Moves {
    #[inline]
    pub(super) fn new(deal: &Deal, seat: Seat) -> Self {
        if deal.awaiting() != Awaiting::Turn(seat) {
            return Self::default();
        }
        let to_call = deal.betting.to_call(seat);
        let range = deal.betting.raise_range(seat).ok();
        Self {
            asked: true,
            can_check: to_call == Chips::ZERO,
            to_call,
            min_to: range.map(|(least, _)| least),
            max_to: range.map(|(_, most)| most),
            can_all_in: range.is_some() || to_call == deal.betting.stacks[seat],
        }
    }

    /// Whether there is a bet to call.
    pub fn can_call(&self) -> bool {
        self.asked && !self.can_check
    }
}

impl table::Moves for Moves {
    type Action = Action;
    type Choice = NoChoice;

    /// Folds rather to a bet than without one; else checks or calls, raises by the least or anything, or goes
    /// all-in.
    #[inline]
    fn pick(&self, draw: &mut impl Draw) -> Option<Move<Action, NoChoice>> {
        if !self.asked {
            return None;
        }
        let stay = if self.can_check { Action::Check } else { Action::Call };
        Some(Move::Act(match (draw.below(8), self.min_to.zip(self.max_to)) {
            (0, _) => Action::Fold,
            (1 | 2, _) if !self.can_check => Action::Fold,
            (3, Some((least, _))) => Action::RaiseTo(least),
            (4, Some((least, most))) => Action::RaiseTo(Chips(draw.between(least.0, most.0))),
            (5, _) if self.can_all_in => Action::AllIn,
            _ => stay,
        }))
    }
}
