//! How the 169 kinds of hands do against each other before the flop.

use std::sync::LazyLock;

use super::combos::COMBOS;

/// A line for each kind, a character for its chance against each kind: `!` is none, `~` is certain.
/// Counted over 40,000 boards.
static TABLE: &str = include_str!("preflop.txt");

/// What is known about a kind before the flop.
#[derive(Clone, Debug, Default)]
pub(super) struct Kind {
    /// The share of the pot against one hand of each kind.
    against: Vec<f32>,
    /// The same against a random hand.
    pub(super) chance: f32,
    /// The fraction of all hands that are better: 0 for the best.
    pub(super) top: f32,
}

static KINDS: LazyLock<Vec<Kind>> = LazyLock::new(|| {
    let mut sizes = [0.0; 169];
    for combo in COMBOS.iter() {
        if let Some(size) = sizes.get_mut(usize::from(combo.kind)) {
            *size += 1.0;
        }
    }
    let row = |line: &str| {
        let against: Vec<f32> = line.bytes().map(|byte| f32::from(byte.saturating_sub(b'!')) / 93.0).collect();
        let chance = against.iter().zip(&sizes).map(|(chance, size)| chance * size).sum::<f32>() / 1326.0;
        Kind { against, chance, top: 0.0 }
    };
    let mut kinds: Vec<Kind> = TABLE.lines().map(row).collect();
    let mut order: Vec<(f32, usize)> = kinds.iter().map(|kind| kind.chance).zip(0..).collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut better = 0.0;
    for (_, number) in order {
        if let (Some(kind), Some(size)) = (kinds.get_mut(number), sizes.get(number)) {
            kind.top = better / 1326.0;
            better += size;
        }
    }
    kinds
});

/// What is known about this kind.
pub(super) fn kind(number: u8) -> &'static Kind {
    static NONE: Kind = Kind { against: Vec::new(), chance: 0.5, top: 0.5 };
    KINDS.get(usize::from(number)).unwrap_or(&NONE)
}

impl Kind {
    /// The share of the pot against a hand of this kind.
    pub(super) fn against(&self, other: u8) -> f32 {
        self.against.get(usize::from(other)).copied().unwrap_or(0.5)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::holdem::combos;
    use cards::parse_cards;

    fn of(text: &str) -> u8 {
        COMBOS[combos::number(&parse_cards(text).unwrap()).unwrap()].kind
    }

    #[test]
    fn known_chances_before_the_flop_are_in_the_table() {
        assert_eq!(KINDS.len(), 169);
        assert!(KINDS.iter().all(|kind| kind.against.len() == 169));
        for (one, other, known) in [
            ("As Ah", "Ks Kh", 0.82),
            ("As Ks", "Qs Qh", 0.46),
            ("As Kh", "2s 2h", 0.47),
            ("7s 2h", "As Ah", 0.12),
            ("As Kh", "Ac Qd", 0.74),
        ] {
            let found = kind(of(one)).against(of(other));
            assert!((found - known).abs() < 0.015, "{one} against {other}: {found}");
            let both = found + kind(of(other)).against(of(one));
            assert!((both - 1.0).abs() < 0.02, "{one} and {other} share one pot: {both}");
        }
        assert!((kind(of("As Ah")).chance - 0.852).abs() < 0.005);
        assert!((kind(of("7s 2h")).chance - 0.346).abs() < 0.005);
        assert!(kind(of("As Ah")).top == 0.0 && kind(of("3s 2h")).top > 0.98);
    }
}
