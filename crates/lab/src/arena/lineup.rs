//! Who sits where: the line-ups in which one set of cards is played.
//!
//! Both bots sit in every seat equally often, so neither cards nor seats favour one of them: with an even
//! number of players `ABAB` and `BABA`, with an odd one every rotation of `ABABA` and of `BABAB`.

/// One of the two bots of a pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    /// The one named first.
    A,
    /// The other.
    B,
}

impl Side {
    /// The bot of this side.
    pub(super) fn of<T>(self, pair: [T; 2]) -> T {
        let [a, b] = pair;
        match self {
            Self::A => a,
            Self::B => b,
        }
    }

    const fn alternating(place: u8, first: Self) -> Self {
        match (first, place.is_multiple_of(2)) {
            (Self::A, true) | (Self::B, false) => Self::A,
            (Self::A, false) | (Self::B, true) => Self::B,
        }
    }
}

/// All line-ups of a set; each names the sides by seat.
pub(super) fn line_ups(players: u8) -> Vec<Vec<Side>> {
    let rotations = if players.is_multiple_of(2) { 1 } else { players };
    let line_up = |first, by| (0..players).map(|seat| Side::alternating((seat + by) % players, first)).collect();
    [Side::A, Side::B].into_iter().flat_map(|first| (0..rotations).map(move |by| line_up(first, by))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sit_in_every_seat_equally_often() {
        for players in 2..=12u8 {
            let all = line_ups(players);
            assert_eq!(all.len(), if players % 2 == 0 { 2 } else { 2 * usize::from(players) });
            for seat in 0..usize::from(players) {
                let a = all.iter().filter(|line_up| line_up[seat] == Side::A).count();
                assert_eq!(2 * a, all.len(), "seat {seat} of {players}");
            }
            assert!(all.iter().all(|line_up| line_up.contains(&Side::A) && line_up.contains(&Side::B)));
        }
    }

    #[test]
    fn no_line_up_is_played_twice() {
        for players in 2..=12 {
            let all = line_ups(players);
            assert!((1..all.len()).all(|i| !all[..i].contains(&all[i])), "{players} players");
        }
    }
}
