//! What each seat sees of a round of Blackjack Duel, and what it can do.

use core::cmp::Ordering;

use serde::Serialize;
use table::{Awaiting, Chips, Draw, Eye, Known, Move, Rules, Seat, Seats};

use super::hand::{Hand, Status};
use super::score::{Ground, Total, ground};
use super::state::Phase;
use super::{Action, Bet, Deal};
use crate::Held;

/// A round as somebody sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct View {
    /// `betting`, `dealing`, `turns`, `showing`, `bank` or `over`.
    pub phase: &'static str,
    /// Whose turn it is.
    pub turn: Option<Seat>,
    /// The seat that is dealt to first, or else the next one clockwise that plays.
    pub first: Seat,
    /// The smallest bet.
    pub min_bet: Chips,
    /// The largest bet.
    pub max_bet: Chips,
    /// Cards in the shoe.
    pub shoe: u16,
    /// The bank.
    pub bank: BankView,
    /// By seat.
    pub players: Vec<PlayerView>,
}

/// The bank as everybody sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct BankView {
    /// Its cards; the second stays closed until the players have finished.
    pub cards: Vec<Held>,
    /// Their total, once all are open.
    pub total: Option<Total>,
}

/// A player as seen by somebody.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlayerView {
    /// Still in the round; not when out, gone, or waiting while others break a tie.
    pub seated: bool,
    /// Chips that are not at stake.
    pub chips: Chips,
    /// The player's bet, once all have bet.
    pub bet: Option<Chips>,
    /// The player's hands; several after a split.
    pub hands: Vec<HandView>,
    /// What the player has won or lost, once the round is over.
    pub result: Option<Chips>,
    /// How that compares with the others.
    pub ground: Option<Ground>,
}

/// A hand as somebody sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct HandView {
    /// Its cards; the faces as far as the looker has seen them.
    pub cards: Vec<Held>,
    /// Their total, if the looker has seen them all.
    pub total: Option<Total>,
    /// What is staked on it.
    pub stake: Chips,
    /// It comes from a split.
    pub split: bool,
    /// How far it has been played.
    pub status: Status,
    /// It is the hand being played.
    pub current: bool,
    /// How it ended, once the round is over.
    pub verdict: Option<Verdict>,
}

/// How a hand ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// More came back than was staked.
    Win,
    /// Less came back.
    Lose,
    /// The stake came back.
    Push,
}

impl Verdict {
    fn of(paid: Chips, stake: Chips) -> Self {
        match paid.cmp(&stake) {
            Ordering::Greater => Self::Win,
            Ordering::Less => Self::Lose,
            Ordering::Equal => Self::Push,
        }
    }
}

impl View {
    /// Has everybody who bet lost chips? Then nobody has gained ground, and nobody's loss was "no change".
    pub fn everybody_lost(&self) -> bool {
        let mut results = self.players.iter().filter_map(|player| player.result).peekable();
        results.peek().is_some() && results.all(|result| result < Chips::ZERO)
    }

    #[inline]
    pub(super) fn new(deal: &Deal, known: Known<'_>, eye: Eye) -> Self {
        let settled = deal.phase == Phase::Over;
        let result = deal.result();
        let public = Known::public(known.open);
        let bank = deal.bank.total(&public).filter(|_| deal.bank.len() > 0);
        let held = |faces: Known<'_>, slot| Held { slot, card: faces.face(slot) };
        let hand = |at: usize, hand: &Hand| {
            let faces = if eye.is(hand.seat) { known } else { public };
            HandView {
                cards: hand.cards.iter().map(|slot| held(faces, slot)).collect(),
                total: hand.total(&faces),
                stake: hand.stake,
                split: hand.split,
                status: hand.status,
                current: deal.phase == Phase::Turn(at),
                verdict: bank
                    .map(|bank| Verdict::of(deal.paid(known.open, hand, bank), hand.stake))
                    .filter(|_| settled),
            }
        };
        let bettors: Seats = deal.hands.iter().map(|hand| hand.seat).collect();
        let results: Vec<(Seat, Chips)> = bettors.iter().map(|seat| (seat, deal.result[seat])).collect();
        let player = |seat: Seat, chips: Chips| {
            let bet = deal.hands.iter().find(|hand| hand.seat == seat).map(|hand| hand.stake - hand.added);
            let hands = deal.hands.iter().enumerate().filter(|(_, hand)| hand.seat == seat);
            PlayerView {
                seated: deal.seated.contains(seat),
                chips: result.map_or(chips, |result| deal.setup.chips[seat] + result[seat]),
                bet,
                hands: hands.map(|(at, of)| hand(at, of)).collect(),
                result: bet.and(result).map(|result| result[seat]),
                ground: bet.filter(|_| settled).map(|_| ground(&results, seat)),
            }
        };
        Self {
            phase: match deal.phase {
                _ if result.is_some() => "over",
                Phase::Betting => "betting",
                Phase::Dealing => "dealing",
                Phase::Turn(_) | Phase::Drawing { .. } => "turns",
                Phase::Showing => "showing",
                Phase::Bank => "bank",
                Phase::Over => "over",
            },
            turn: match deal.awaiting() {
                Awaiting::Turn(seat) => Some(seat),
                Awaiting::Dealer | Awaiting::Choices(_) | Awaiting::Over => None,
            },
            first: deal.setup.first,
            min_bet: deal.setup.min_bet,
            max_bet: deal.setup.max_bet,
            shoe: deal.supply.in_shoe(),
            bank: BankView { cards: deal.bank.iter().map(|slot| held(public, slot)).collect(), total: bank },
            players: deal.chips.seats().map(|(seat, chips)| player(seat, *chips)).collect(),
        }
    }
}

/// What a seat can do now.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Moves {
    /// It is not asked, or does not know its own cards.
    None,
    /// Bet from `least` to `most`.
    Bet {
        /// The smallest bet.
        least: Chips,
        /// The largest bet.
        most: Chips,
    },
    /// Play a hand.
    Turn(TurnMoves),
}

/// What a seat can do with the hand it plays. It can always surrender, too.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct TurnMoves {
    /// The total of the hand.
    pub total: Total,
    /// Take a card.
    pub hit: bool,
    /// Take no more.
    pub stand: bool,
    /// Double the stake and take one card.
    pub double: bool,
    /// Make two hands of a pair.
    pub split: bool,
    /// The hand is above 21, which must be said.
    pub bust: bool,
}

impl Moves {
    #[inline]
    pub(super) fn new(deal: &Deal, known: Known<'_>, seat: Seat) -> Self {
        if deal.awaiting() == Awaiting::Choices(deal.seated) && deal.seated.contains(seat) {
            let (least, most) = deal.setup.bets(seat);
            return Self::Bet { least, most };
        }
        let Some(hand) = deal.hand_of(seat) else { return Self::None };
        let Some(total) = hand.total(&known) else { return Self::None };
        Self::Turn(TurnMoves {
            total,
            hit: total.points < 21 && deal.may_hit(hand).is_ok(),
            stand: total.points <= 21,
            double: total.points < 21 && deal.may_double(hand).is_ok(),
            split: deal.may_split(&known, hand).is_ok(),
            bust: total.points > 21,
        })
    }
}

impl table::Moves for Moves {
    type Action = Action;
    type Choice = Bet;

    fn pick(&self, draw: &mut impl Draw) -> Option<Move<Action, Bet>> {
        match self {
            Self::None => None,
            Self::Bet { least, most } => Some(Move::Choose(Bet(Chips(draw.between(least.0, most.0))))),
            Self::Turn(can) => Some(Move::Act(can.pick(draw))),
        }
    }
}

impl TurnMoves {
    /// Any of them; giving up the match is rare, but not too rare to be tried out.
    fn pick(&self, draw: &mut impl Draw) -> Action {
        if draw.one_in(64) {
            return Action::Surrender;
        }
        let listed = [
            (self.hit, Action::Hit),
            (self.stand, Action::Stand),
            (self.double, Action::Double),
            (self.split, Action::Split),
            (self.bust, Action::Bust),
        ];
        let can = || listed.iter().filter(|(can, _)| *can);
        let nth = draw.below(u32::try_from(can().count()).unwrap_or(1));
        can().nth(usize::try_from(nth).unwrap_or(0)).map_or(Action::Stand, |(_, action)| *action)
    }
}
