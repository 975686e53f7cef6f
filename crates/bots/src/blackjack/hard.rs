//! Blackjack Duel played well.

use games::blackjack::{Action, Blackjack, Status, TurnMoves};
use table::{Draw, Seat};

use super::expect::{CHIPS, Extra, Facing, Hand, Solved, Worth};
use super::odds::{Odds, value};
use super::rounds::Book;
use crate::Sight;

/// Rounds simulated to see what the others may win.
const ROUNDS: usize = 600;

/// The ways to play the hand, the best first, and the odds of the bank.
pub(super) struct Weighed {
    pub(super) ways: Vec<(Action, f64)>,
    pub(super) facing: Facing,
    pub(super) hand: Hand,
    /// The values are chances to win the match, not chips.
    pub(super) of_match: bool,
}

/// Weighs the ways to play a hand in chips.
pub(super) fn in_chips(sight: &Sight<'_, Blackjack>, can: &TurnMoves) -> Option<Weighed> {
    let (hand, cards) = current(sight)?;
    let setup = sight.rules.setup();
    let up = value(sight.view.bank.cards.first()?.card?);
    let odds = Odds::seen(sight);
    let facing = Facing { odds, bank: odds.bank(up, setup.soft17) };
    let split = cards.filter(|_| can.split);
    let extra = Extra { double: can.double, split, double_after_split: setup.double_after_split };
    let mut ways = Solved::new(facing, &CHIPS).ways(hand, extra);
    ways.retain(|(action, _)| *action != Action::Hit || can.hit);
    Some(Weighed { ways, facing, hand, of_match: false })
}

/// Weighs the ways to play a hand: in the last round by the chance to win the match, in earlier ones in chips.
pub(super) fn weigh(sight: &Sight<'_, Blackjack>, can: &TurnMoves, draw: &mut impl Draw) -> Option<Weighed> {
    let chips = in_chips(sight, can)?;
    let last = i64::from(sight.course.deal) >= sight.course.settings.rounds && sight.course.settings.rounds > 0;
    let own = sight.view.players.get(usize::from(sight.seat.index()))?;
    let best = chips.ways.first()?.0;
    if !last || own.hands.len() != 1 || best == Action::Split {
        return Some(chips);
    }
    let worth = match_worth(sight, &chips.facing, draw)?;
    let extra = Extra { double: can.double, split: None, double_after_split: false };
    let mut ways = Solved::new(chips.facing, &worth).ways(chips.hand, extra);
    ways.retain(|(action, _)| *action != Action::Hit || can.hit);
    Some(Weighed { ways, of_match: true, ..chips })
}

/// The hand being played, and the value of its cards if it is a pair.
fn current(sight: &Sight<'_, Blackjack>) -> Option<(Hand, Option<usize>)> {
    let own = sight.view.players.get(usize::from(sight.seat.index()))?;
    let hand = own.hands.iter().find(|hand| hand.current)?;
    let values = || hand.cards.iter().filter_map(|held| held.card).map(value);
    let all = values().fold(Hand { sum: 0, ace: false }, Hand::with);
    let pair = values().next().filter(|first| hand.cards.len() == 2 && values().all(|value| value == *first));
    Some((all, pair))
}

/// The value of each result in the last round: the chance to win the match with it, for each end of the bank.
fn match_worth(sight: &Sight<'_, Blackjack>, facing: &Facing, draw: &mut impl Draw) -> Option<Worth> {
    let setup = sight.rules.setup();
    let up = value(sight.view.bank.cards.first()?.card?);
    let book = Book::new(facing.odds, setup);
    let rivals: Vec<Rival> =
        setup.playing().iter().filter(|seat| *seat != sight.seat).map(|seat| Rival::new(sight, seat)).collect();
    let own = sight.view.players.get(usize::from(sight.seat.index()))?;
    let (chips, stake) = (setup.chips[sight.seat].0 as f64, own.hands.first()?.stake.0 as f64);
    let mut sums = [[0.0; 5]; super::odds::ENDS];
    let mut counts = [0.0; super::odds::ENDS];
    for _ in 0..ROUNDS {
        let round = book.round(Some(up), draw);
        let theirs = rivals.iter().zip(round.won).map(|(rival, won)| rival.after(won));
        let theirs: Vec<f64> = theirs.collect();
        let top = theirs.iter().fold(0.0, |most: f64, chips| most.max(*chips));
        let tied = theirs.iter().filter(|chips| (**chips - top).abs() < 0.5).count() as f64;
        let (Some(sums), Some(count)) = (sums.get_mut(round.end), counts.get_mut(round.end)) else { continue };
        *count += 1.0;
        for (result, sum) in (-2..=2).zip(sums) {
            let lead = chips + f64::from(result) * stake - top;
            *sum += if lead > 0.5 {
                1.0
            } else if lead > -0.5 {
                1.0 / (tied + 1.0)
            } else {
                0.0
            };
        }
    }
    let mut worth = CHIPS;
    for (worth, (sums, count)) in worth.iter_mut().zip(sums.iter().zip(counts)) {
        for (worth, sum) in worth.iter_mut().zip(sums) {
            // Chips still count a little, in case the match is already decided.
            *worth = 0.002 * *worth + if count > 0.0 { sum / count } else { 0.0 };
        }
    }
    Some(worth)
}

/// Another player, in the last round.
struct Rival {
    chips: f64,
    bet: f64,
    /// The chips it is certain to lose.
    lost: Option<f64>,
}

impl Rival {
    fn new(sight: &Sight<'_, Blackjack>, seat: Seat) -> Self {
        let setup = sight.rules.setup();
        let player = sight.view.players.get(usize::from(seat.index()));
        let staked: f64 = player.iter().flat_map(|player| &player.hands).map(|hand| hand.stake.0 as f64).sum();
        let over = |status: Status| matches!(status, Status::Bust | Status::Surrendered);
        let lost =
            player.filter(|player| !player.hands.is_empty() && player.hands.iter().all(|hand| over(hand.status)));
        let bet = player.and_then(|player| player.bet).map_or(0.0, |bet| bet.0 as f64);
        Self { chips: setup.chips[seat].0 as f64, bet, lost: lost.map(|_| staked) }
    }

    /// Its chips after the round if it wins this many stakes.
    fn after(&self, won: f64) -> f64 {
        match self.lost {
            Some(lost) => self.chips - lost,
            None => self.chips + won * self.bet,
        }
    }
}
