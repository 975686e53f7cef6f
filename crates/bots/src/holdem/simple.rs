//! Rules of thumb for Hold'em.

use cards::{Card, Category, Rank, Suit, rank_cards};
use games::holdem::{Action, Deal, Moves, Status, View};
use table::{Chips, Draw, Move, Seat};

use crate::{Decision, Simple};

impl Simple for Deal {
    /// Plays few hands before the flop; afterwards compares the hand's strength in percent with the price of a
    /// call.
    fn simple(seat: Seat, view: &View, moves: &Moves, draw: &mut impl Draw) -> Decision<Self> {
        if !moves.asked {
            return None;
        }
        let me = view.players.get(usize::from(seat.index()))?;
        let hole: Vec<Card> = view.hand.iter().filter_map(|held| held.card).collect();
        let live = view.players.iter().filter(|p| matches!(p.status, Status::Live | Status::AllIn)).count();
        let opponents = i64::try_from(live).unwrap_or(2).max(2) - 1;
        let percent = if view.board.is_empty() { before_the_flop(&hole) } else { after_the_flop(&hole, &view.board) };
        // The more opponents, the better a hand must be.
        let worth = percent - 3 * (opponents - 1);
        let price = moves.to_call.0 * 100 / (view.pot + moves.to_call).0.max(1);
        let short = me.stack.0 <= 8 * view.big_blind.0;
        // Large calls need more than the right price.
        let margin = if moves.to_call.0 * 4 > me.stack.0 { 12 } else { 4 };

        let action = if short && worth >= 52 && moves.can_all_in {
            Action::AllIn
        } else if worth >= 60 || (moves.can_check && draw.one_in(12)) {
            raise(view, moves, worth)
        } else if moves.can_check {
            Action::Check
        } else if worth >= price + margin && worth >= 30 {
            Action::Call
        } else {
            Action::Fold
        };
        Some(Move::Act(action))
    }
}

/// Two thirds of the pot on top, all-in with the best hands once most of the stack is in; otherwise the
/// cheapest way to stay in.
fn raise(view: &View, moves: &Moves, worth: i64) -> Action {
    let stay = if moves.can_check { Action::Check } else { Action::Call };
    let Some((least, most)) = moves.min_to.zip(moves.max_to) else { return stay };
    let wanted = view.bet_to + Chips((view.pot + moves.to_call).0 * 2 / 3);
    // Against a bet that is already large, only the best hands raise again.
    let large = moves.to_call.0 * 2 > view.pot.0;
    if large && worth < 75 {
        return stay;
    }
    let to = wanted.max(least);
    if to.0 * 3 > most.0 * 2 && worth >= 75 { Action::AllIn } else { Action::RaiseTo(to.min(most)) }
}

/// About how often two cards win, in percent: high cards, pairs, one suit and neighbours are good.
fn before_the_flop(hole: &[Card]) -> i64 {
    let [Some((a, s)), Some((b, t))] = [0, 1].map(|i| hole.get(i).and_then(|card: &Card| card.natural())) else {
        return 0;
    };
    let (high, low) = (a.max(b), a.min(b));
    let [high_points, low_points] = [high, low].map(|rank| i64::from(rank.index()));
    if high == low {
        return 50 + high_points * 3;
    }
    let gap = high_points - low_points;
    let near = (5 - gap).max(0);
    24 + high_points * 2 + low_points + near + if s == t { 4 } else { 0 }
}

/// About how often a hand wins against one other, in percent, with this board.
fn after_the_flop(hole: &[Card], board: &[Card]) -> i64 {
    let all: Vec<Card> = hole.iter().chain(board).copied().collect();
    let Ok(rank) = rank_cards(&all) else { return 0 };
    if rank_cards(board) == Ok(rank) {
        // The board plays: the hole cards add nothing.
        return 25;
    }
    let more_to_come = board.len() < 5;
    let draws = if more_to_come { draws(&all) } else { 0 };
    let made = match rank.category() {
        Category::HighCard => 8 + highest(hole) / 2,
        Category::Pair => pair(hole, board),
        Category::TwoPair if pair(hole, board) > 30 => 70,
        Category::TwoPair => 38,
        Category::ThreeOfAKind if pair(hole, board) > 20 => 82,
        Category::ThreeOfAKind => 30,
        Category::Straight => 87,
        Category::Flush => 90,
        Category::FullHouse | Category::FourOfAKind | Category::StraightFlush => 96,
    };
    made.max(draws)
}

/// The value of a pair: overpair, top pair, a lower pair, or a pair on the board.
fn pair(hole: &[Card], board: &[Card]) -> i64 {
    let ranks = |cards: &[Card]| cards.iter().filter_map(|card| card.rank()).collect::<Vec<Rank>>();
    let (hole, board) = (ranks(hole), ranks(board));
    let top = board.iter().max();
    let paired = match hole.as_slice() {
        [a, b] if a == b => Some(a),
        _ => hole.iter().filter(|rank| board.contains(rank)).max(),
    };
    match paired {
        Some(rank) if Some(rank) > top => 72,
        Some(rank) if Some(rank) == top => 62,
        Some(_) => 42,
        None => 18,
    }
}

/// The value of draws: four of a suit, or four ranks within five.
fn draws(all: &[Card]) -> i64 {
    let flush = Suit::ALL.iter().any(|suit| all.iter().filter(|card| card.suit() == Some(*suit)).count() == 4);
    let held = |index: u8| all.iter().any(|card| card.rank().is_some_and(|rank| rank.index() == index));
    let straight = (0..=8).any(|low| (low..low + 5).filter(|index| held(*index)).count() == 4);
    match (flush, straight) {
        (true, true) => 50,
        (true, false) => 38,
        (false, true) => 26,
        (false, false) => 0,
    }
}

fn highest(hole: &[Card]) -> i64 {
    hole.iter().filter_map(|card| card.rank()).map(|rank| i64::from(rank.index())).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cards::{Pack, parse_cards};
    use games::holdem::{Holdem, Settings};
    use rand::SeedableRng as _;
    use rand::rngs::ChaCha8Rng;
    use table::{Awaiting, Eye, Faces, Known, Match, Rules as _, Slot};

    /// All cards of a deck, shuffled; the lots of the first deck stay in order.
    fn shuffled(deck: u32, draw: &mut impl Draw) -> Faces {
        let mut cards: Vec<Card> = Pack::STANDARD.faces().collect();
        for i in (1..cards.len()).rev() {
            let other = draw.below(u32::try_from(i + 1).unwrap());
            cards.swap(i, usize::try_from(other).unwrap());
        }
        let lot = (Slot::new(0, 0), Card::lot(1).unwrap());
        let cards = (0..).zip(cards).map(|(index, card)| (Slot::new(deck, index), card));
        if deck == 0 { [lot].into_iter().collect() } else { cards.collect() }
    }

    #[test]
    fn matches_of_beginners_end_and_every_move_is_legal() {
        for players in 2..=9 {
            let mut draw = ChaCha8Rng::from_seed([players; 32]);
            let mut running = Match::<Holdem>::start(&Settings::default(), players).unwrap();
            let mut faces = shuffled(0, &mut draw);
            while !running.standing().over {
                assert!(running.deals() < 1_000, "the match does not end");
                let table = running.table_mut();
                match table.awaiting() {
                    Awaiting::Dealer => {
                        let deck = table.rules().decks().end - 1;
                        if table.open().get(Slot::new(deck, 0)).is_none() && faces.get(Slot::new(deck, 0)).is_none() {
                            faces = shuffled(deck, &mut draw);
                        }
                        table.dealt(table.height(), &faces).unwrap();
                    }
                    Awaiting::Turn(seat) => {
                        let known = Known::with(table.open(), &faces);
                        let view = table.rules().view(known, Eye::Seat(seat));
                        let moves = table.rules().moves(known, seat);
                        let Some(Move::Act(action)) = Deal::simple(seat, &view, &moves, &mut draw) else {
                            panic!("{seat} has no move")
                        };
                        table.act(table.height(), seat, &action, &faces).unwrap();
                    }
                    Awaiting::Over => {
                        running.advance(0).unwrap();
                    }
                    Awaiting::Choices(_) => panic!("nobody chooses in Hold'em"),
                }
            }
        }
    }

    #[test]
    fn better_hands_are_worth_more() {
        let before = |text: &str| before_the_flop(&parse_cards(text).unwrap());
        assert!(before("As Ac") > before("As Ks") && before("As Ks") > before("As Kc"));
        assert!(before("As Kc") > before("Ts 9s") && before("Ts 9s") > before("7s 2c"));
        let board = parse_cards("Ah 9s 4d").unwrap();
        let after = |text: &str| after_the_flop(&parse_cards(text).unwrap(), &board);
        let ranked = ["9c 9d", "Ac 4s", "Ac Kd", "9c Kd", "Kc Qd", "5c 2d"].map(after);
        assert!(ranked.is_sorted_by(|better, worse| better > worse), "{ranked:?}");
        let royal = parse_cards("Ah Kh Qh Jh Th").unwrap();
        assert_eq!(after_the_flop(&parse_cards("2c 3d").unwrap(), &royal), 25, "the board plays");
    }
}
