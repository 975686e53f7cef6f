//! Who won a hand of Hold'em, and what decided it.

use cards::{Card, Category, Decided, describe_in_sentence, rank_cards};
use games::holdem::{Holdem, PotView};
use table::{Chips, Outcome, Seat, Seats};

use crate::play::screen::{Scene, does};

/// A line for everybody who won something, or one for all who share the only pot.
pub(super) fn results(scene: &Scene<'_, Holdem>, outcome: &Outcome) -> Vec<String> {
    let look = scene.look;
    let won = |seat: Seat| scene.view.players.get(usize::from(seat.index())).map_or(Chips::ZERO, |player| player.won);
    let winners: Vec<Seat> =
        scene.names.seats().map(|(seat, _)| seat).filter(|seat| won(*seat) > Chips::ZERO).collect();
    if let ([pot], [_, _, ..]) = (&*scene.view.pots, &*winners) {
        let total: Chips = winners.iter().map(|seat| won(*seat)).sum();
        return vec![look.plain(&format!(
            "{} split {total}{}",
            scene.list(winners.iter().copied()),
            why(scene, pot, outcome)
        ))];
    }
    let line = |seat: &Seat| {
        // Where several pots were won, the one that took more than a glance at the hands to decide.
        let pots = scene.view.pots.iter().filter(|pot| pot.winners.contains(*seat));
        let subtle = |pot: &&PotView| matches!(pot.decided, Some(Decided::Kicker(_) | Decided::FlushCard(_)));
        let pot = pots.clone().find(subtle).or(pots.clone().next());
        let why = pot.map_or_else(String::new, |pot| why_of(scene, *seat, pot, outcome));
        look.plain(&format!("{} {}{why}", does(scene.name(*seat), "wins", "win"), won(*seat)))
    };
    winners.iter().map(line).collect()
}

/// Who takes a pot, and why.
pub(super) fn who_takes(scene: &Scene<'_, Holdem>, pot: &PotView, outcome: &Outcome) -> String {
    let why = why(scene, pot, outcome);
    match pot.winners.only() {
        Some(winner) => format!("{}{why}", scene.name(winner)),
        None => format!("split by {}{why}", scene.list(pot.winners.iter())),
    }
}

fn why(scene: &Scene<'_, Holdem>, pot: &PotView, outcome: &Outcome) -> String {
    pot.winners.iter().next().map_or_else(String::new, |winner| why_of(scene, winner, pot, outcome))
}

/// What follows after "Anna wins 240": what she had, and what made the difference.
fn why_of(scene: &Scene<'_, Holdem>, winner: Seat, pot: &PotView, outcome: &Outcome) -> String {
    if outcome.broken_off.is_some() {
        return String::new();
    }
    let Some((hand, category)) = hand_of(scene, winner) else {
        return if pot.eligible.only().is_some() { ": everybody else folded".to_owned() } else { String::new() };
    };
    match pot.decided {
        None | Some(Decided::Hand) => format!(" with {hand}"),
        Some(Decided::Kicker(card)) => format!(" with {hand}, {} kicker", card.name()),
        Some(Decided::FlushCard(card)) => format!(" with {hand} (the {} decides)", card.name()),
        Some(Decided::Equal) => format!(": {} {hand}{}", they_have(pot.winners), same_beside(category)),
    }
}

fn they_have(winners: Seats) -> &'static str {
    if winners.len() == 2 { "both have" } else { "all have" }
}

/// What equal hands have in common beside their name.
const fn same_beside(category: Category) -> &'static str {
    match category {
        Category::HighCard | Category::Pair | Category::ThreeOfAKind => " and the same kickers",
        Category::TwoPair | Category::FourOfAKind => " and the same kicker",
        Category::Flush => " and the same five ranks",
        Category::Straight | Category::FullHouse | Category::StraightFlush => "",
    }
}

/// A seat's best hand, where everybody has seen its cards.
fn hand_of(scene: &Scene<'_, Holdem>, seat: Seat) -> Option<(String, Category)> {
    let player = scene.view.players.get(usize::from(seat.index()))?;
    let hole = player.shown.iter().map(|held| held.card).collect::<Option<Vec<Card>>>()?;
    if hole.is_empty() {
        return None;
    }
    let all: Vec<Card> = hole.iter().chain(&scene.view.board).copied().collect();
    describe_in_sentence(&all).ok().zip(rank_cards(&all).ok().map(cards::HandRank::category))
}

#[cfg(test)]
mod tests {
    use cards::parse_cards;
    use games::holdem::{Action, Deal, Setup};
    use table::{Awaiting, Eye, Faces, Height, Known, Rules as _, Slot, Table};

    use super::*;
    use crate::play::testing;

    /// How a hand ends in which everybody goes all-in with these cards.
    fn told(stacks: &[i64], holes: &[&str], board: &str) -> (Vec<String>, Vec<String>) {
        let stacks: Vec<Chips> = stacks.iter().map(|stack| Chips(*stack)).collect();
        let setup = Setup::new(&stacks, Seat::new(0), Chips(10), Chips(20));
        let deal = Deal::deal(&setup).unwrap();
        let seats = (0..).map_while(Seat::new);
        let mut faces = Faces::new();
        for (seat, cards) in seats.zip(holes) {
            deal.hole(seat).slots().zip(parse_cards(cards).unwrap()).for_each(|(slot, card)| faces.insert(slot, card));
        }
        deal.board().slots().zip(parse_cards(board).unwrap()).for_each(|(slot, card)| faces.insert(slot, card));
        let mut rest = cards::Pack::STANDARD.faces();
        for slot in (0..52).map(|index| Slot::new(setup.first_deck, index)) {
            if faces.get(slot).is_none() {
                faces.insert(slot, rest.next().unwrap());
            }
        }
        let mut table = Table::new(deal, Height(0));
        loop {
            match table.awaiting() {
                Awaiting::Dealer => table.dealt(table.height(), &faces).unwrap(),
                Awaiting::Turn(seat) => {
                    table.act(table.height(), seat, &Action::AllIn, &faces).unwrap();
                }
                Awaiting::Choices(_) | Awaiting::Over => break,
            };
        }
        let round = testing::round::<Holdem>(Default::default(), setup.players);
        let outcome = table.outcome().unwrap().clone();
        round.scene(&table, Eye::Public, Known::public(table.open()), |scene| {
            let pots = scene.view.pots.iter().map(|pot| who_takes(scene, pot, &outcome)).collect();
            (results(scene, &outcome), pots)
        })
    }

    const BOARD: &str = "Ah 4h 9s Td 2c";

    #[test]
    fn a_kicker_that_decides_is_named() {
        let (lines, _) = told(&[200, 200], &["Ac Kd", "As Qd"], BOARD);
        assert_eq!(lines, ["AAAAAAAAA wins 400 with a pair of aces, king kicker"]);
        let (lines, _) = told(&[200, 200], &["Kd 8c", "Qd 8s"], BOARD);
        assert_eq!(lines, ["AAAAAAAAA wins 400 with ace high, king kicker"]);
    }

    #[test]
    fn a_better_hand_needs_no_kicker() {
        let (lines, _) = told(&[200, 200], &["Ac Kd", "Ts Qd"], BOARD);
        assert_eq!(lines, ["AAAAAAAAA wins 400 with a pair of aces"]);
    }

    #[test]
    fn equal_hands_share_and_it_is_said_why() {
        let (lines, _) = told(&[200, 200], &["Ac 3d", "As 3c"], BOARD);
        assert_eq!(lines, ["AAAAAAAAA and BBBBBBBBB split 400: both have a pair of aces and the same kickers"]);
        let (lines, _) = told(&[200; 3], &["Ac Kd", "As Kc", "Ad Qs"], BOARD);
        assert_eq!(lines, ["AAAAAAAAA and BBBBBBBBB split 600 with a pair of aces, king kicker"]);
        let (lines, _) = told(&[200; 3], &["3c 5d", "3s 5c", "3d 5s"], BOARD);
        assert_eq!(lines, ["AAAAAAAAA, BBBBBBBBB and CCCCCCCCC split 600: all have a straight, five high"]);
    }

    #[test]
    fn a_card_of_a_flush_is_no_kicker() {
        let (lines, _) = told(&[200, 200], &["Kh 3h", "Qh Jh"], "Ah 4h 9h Td 2c");
        assert_eq!(lines, ["AAAAAAAAA wins 400 with a flush, ace high (the king decides)"]);
    }

    #[test]
    fn every_pot_says_who_takes_it_and_why() {
        let (lines, pots) = told(&[100, 300, 300], &["Kc Kd", "As Qd", "Ac Jd"], "Kh 4h 9s Td 2c");
        let second = "BBBBBBBBB wins 400 with ace high, queen kicker";
        assert_eq!(lines, ["AAAAAAAAA wins 300 with three of a kind, kings", second]);
        let second = "BBBBBBBBB with ace high, queen kicker";
        assert_eq!(pots, ["AAAAAAAAA with three of a kind, kings", second]);
    }
}
