//! How often a hand wins against unknown hands.

use cards::{Card, PokerHand};
use table::Draw;

/// The share of the pot that these two cards can expect against `others` random hands, if everybody stays to
/// the end. Simulated `tries` times.
pub(super) fn against_any(hole: &[Card], board: &[Card], others: u32, tries: u32, draw: &mut impl Draw) -> f64 {
    let mut rest: Vec<Card> = Card::naturals().filter(|card| !hole.contains(card) && !board.contains(card)).collect();
    let missing = 5usize.saturating_sub(board.len());
    let mut shares = 0.0;
    for _ in 0..tries {
        shares += share(hole, board, missing, others, &mut rest, draw).unwrap_or(0.0);
    }
    shares / f64::from(tries.max(1))
}

/// The share of the pot in one try.
fn share(
    hole: &[Card],
    board: &[Card],
    missing: usize,
    others: u32,
    rest: &mut [Card],
    draw: &mut impl Draw,
) -> Option<f64> {
    let wanted = missing + 2 * usize::try_from(others).ok()?;
    let len = u32::try_from(rest.len()).ok()?;
    for (i, left) in (0..wanted).zip((1..=len).rev()) {
        rest.swap(i, i + usize::try_from(draw.below(left)).ok()?);
    }
    let (comes, hands) = rest.get(..wanted)?.split_at_checked(missing)?;
    let all = PokerHand::of(board).and_then(|board| board.with_all(comes)).ok()?;
    let own = all.with_all(hole).and_then(PokerHand::rank).ok()?;
    let mut equal = 1.0;
    for hand in hands.chunks(2) {
        let other = all.with_all(hand).and_then(PokerHand::rank).ok()?;
        if other > own {
            return Some(0.0);
        }
        equal += f64::from(u8::from(other == own));
    }
    Some(1.0 / equal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cards::parse_cards;
    use rand::SeedableRng as _;
    use rand::rngs::ChaCha8Rng;

    fn chance(hole: &str, board: &str, others: u32) -> f64 {
        let mut draw = ChaCha8Rng::from_seed([7; 32]);
        against_any(&parse_cards(hole).unwrap(), &parse_cards(board).unwrap(), others, 4_000, &mut draw)
    }

    #[test]
    fn known_chances_are_found() {
        for (hole, board, others, known) in [
            ("As Ah", "", 1, 0.852),
            ("7s 2h", "", 1, 0.346),
            ("As Ah", "", 8, 0.347),
            ("As Ks", "Qs Js Ts", 3, 1.0),
            ("2c 3d", "Ah Kh Qh Jh Th", 1, 0.5),
        ] {
            let found = chance(hole, board, others);
            assert!((found - known).abs() < 0.03, "{hole} on {board:?} against {others}: {found}");
        }
    }
}
