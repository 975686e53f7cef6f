//! Main pot, side pots, and who gets them.

use cards::HandRank;
use serde::Serialize;
use table::{Chips, PerSeat, Seat, Seats};

/// A pot and those who can win it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Pot {
    /// The chips in it.
    pub amount: Chips,
    /// The seats that can win it.
    pub eligible: Seats,
}

/// The pots, the main pot first.
///
/// `total` is what each seat has put in for others to match, `dead` what belongs to the main pot in any
/// case. Only the totals of live seats divide one pot from the next; a folded seat fills the pots as far
/// as it reached, and what nobody live has reached belongs to the last one.
pub(super) fn pots(total: &PerSeat<Chips>, live: Seats, dead: Chips) -> impl Iterator<Item = Pot> {
    let mut below = None;
    let mut dead = dead;
    let most = total.iter().copied().max().unwrap_or_default();
    core::iter::from_fn(move || {
        loop {
            let reaches = |seat: &Seat| below.is_none_or(|below| total[*seat] > below);
            let eligible: Seats = live.iter().filter(reaches).collect();
            let level = eligible.iter().map(|seat| total[seat]).min()?;
            let last = eligible.iter().all(|seat| total[seat] == level);
            let floor = below.unwrap_or(Chips::ZERO);
            let ceiling = if last { most } else { level };
            let part = |put: &Chips| (*put).clamp(floor, ceiling) - floor;
            let amount: Chips = total.iter().map(part).sum::<Chips>() + core::mem::take(&mut dead);
            below = Some(ceiling);
            if amount > Chips::ZERO {
                return Some(Pot { amount, eligible });
            }
        }
    })
}

/// The best of the eligible hands; several if they are equal.
pub(super) fn winners(eligible: Seats, ranks: &PerSeat<Option<HandRank>>) -> Seats {
    let best = eligible.iter().map(|seat| ranks[seat]).max();
    eligible.iter().filter(|seat| Some(ranks[*seat]) == best).collect()
}

/// Divides an amount evenly. Odd chips go one by one to the seats clockwise from left of the button.
pub(super) fn split(amount: Chips, among: Seats, button: Seat, won: &mut PerSeat<Chips>) {
    let count = i64::from(among.len()).max(1);
    let (each, mut odd) = (amount.0 / count, amount.0 % count);
    for seat in among.clockwise_after(button) {
        won[seat] += Chips(each + i64::from(odd > 0));
        odd -= 1;
    }
}

/// Divides an amount in proportion to what each is due, which is at least as much altogether. Odd chips go one by one
/// to those who are due something, clockwise from left of the button.
pub(super) fn in_proportion(
    amount: Chips,
    due: &PerSeat<Chips>,
    among: Seats,
    button: Seat,
    mut gets: impl FnMut(Seat, Chips),
) {
    let sum: i128 = among.iter().map(|seat| i128::from(due[seat].0)).sum();
    let part = |seat: Seat| {
        let exact = (i128::from(amount.0) * i128::from(due[seat].0)).checked_div(sum).unwrap_or(0);
        Chips(i64::try_from(exact).unwrap_or(0))
    };
    let mut odd = amount - among.iter().map(part).sum();
    for seat in among.clockwise_after(button).filter(|seat| due[*seat] > Chips::ZERO) {
        let extra = Chips(i64::from(odd > Chips::ZERO));
        odd -= extra;
        gets(seat, part(seat) + extra);
    }
}
