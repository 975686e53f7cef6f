//! The end of the text: pots, board, and a line for each seat.

use table::{Chips, PerSeat, Seat, Table};

use super::naming;
use super::writer::{Writer, hand, shown};
use crate::holdem::phase::{Ending, Phase};
use crate::holdem::phh::Seating;
use crate::holdem::{Deal, Street, score};

/// A pot, and who got how much of it.
pub(super) struct Paid {
    amount: Chips,
    pub(super) won: PerSeat<Chips>,
}

/// The pots, the main pot first.
pub(super) fn pots(table: &Table<Deal>) -> Vec<Paid> {
    let rules = table.rules();
    let Some(ranks) = rules.ranks(table.open()).filter(|_| rules.phase == Phase::Over(Ending::Showdown)) else {
        return vec![Paid { amount: rules.won.iter().copied().sum(), won: rules.won }];
    };
    let paid = |pot: score::Pot| {
        let mut won = PerSeat::new(rules.setup().players);
        score::split(pot.amount, score::winners(pot.eligible, &ranks), rules.button, &mut won);
        Paid { amount: pot.amount, won }
    };
    rules.pots().map(paid).collect()
}

/// What the n-th of so many pots is called.
pub(super) fn pot_name(n: usize, of: usize) -> String {
    match (n, of) {
        (_, 1) => "pot".to_owned(),
        (0, _) => "main pot".to_owned(),
        (_, 2) => "side pot".to_owned(),
        (n, _) => format!("side pot-{n}"),
    }
}

/// Writes it.
pub(super) fn write(writer: &mut Writer<'_>, table: &Table<Deal>, seating: &Seating, pots: &[Paid]) {
    let (rules, money) = (table.rules(), writer.money);
    writer.line("*** SUMMARY ***");
    let parts = pots.iter().enumerate().filter(|_| pots.len() > 1).map(|(n, pot)| {
        let name = pot_name(n, pots.len());
        format!(
            " {}{} {}.",
            name.get(..1).unwrap_or_default().to_uppercase(),
            name.get(1..).unwrap_or_default(),
            money.show(pot.amount)
        )
    });
    let parts: String = parts.collect();
    let total: Chips = pots.iter().map(|pot| pot.amount).sum();
    writer.line(&format!("Total pot {}{parts} | Rake {}", money.show(total), money.show(Chips::ZERO)));
    let board = shown(table, rules.open_board());
    if !board.is_empty() {
        writer.line(&format!("Board {}", naming::list(&board)));
    }
    for seat in rules.dealt_in.iter() {
        let (name, place, result) = (writer.name(seating, seat), places(rules, seat), result(writer, table, seat));
        writer.line(&format!("Seat {}: {name}{place} {result}", seat.index() + 1));
    }
}

fn places(rules: &Deal, seat: Seat) -> String {
    let button = if rules.button == seat { " (button)" } else { "" };
    let blind = match seat {
        seat if rules.blind_seats.small == seat => " (small blind)",
        seat if rules.blind_seats.big == seat => " (big blind)",
        _ => "",
    };
    format!("{button}{blind}")
}

/// What became of a seat.
fn result(writer: &Writer<'_>, table: &Table<Deal>, seat: Seat) -> String {
    let rules = table.rules();
    let won = rules.won[seat];
    if writer.mucked.contains(&seat) {
        return "mucked".to_owned();
    }
    if let Some((_, street)) = writer.ended.iter().find(|(other, _)| *other == seat) {
        // Antes are not bets.
        let bet = rules.betting.total[seat] - ante(rules, seat);
        return match street {
            Street::Preflop if bet == Chips::ZERO => "folded before Flop (didn't bet)".to_owned(),
            Street::Preflop => "folded before Flop".to_owned(),
            Street::Flop => "folded on the Flop".to_owned(),
            Street::Turn => "folded on the Turn".to_owned(),
            Street::River => "folded on the River".to_owned(),
        };
    }
    if rules.phase == Phase::Over(Ending::AllFolded) {
        return format!("collected ({})", writer.money.show(won));
    }
    let (hole, name) = hand(table, seat);
    let hole = naming::list(&hole);
    match won {
        Chips::ZERO => format!("showed {hole} and lost with {name}"),
        won => format!("showed {hole} and won ({}) with {name}", writer.money.show(won)),
    }
}

/// What a seat has paid as an ante that counts like a bet.
fn ante(rules: &Deal, seat: Seat) -> Chips {
    use crate::holdem::Antes;
    let asked = match &rules.setup().antes {
        Antes::Each(ante) => *ante,
        Antes::Seats { amounts, dead: false } => amounts[seat],
        Antes::None | Antes::BigBlind(_) | Antes::Seats { dead: true, .. } => Chips::ZERO,
    };
    asked.min(rules.setup().stacks[seat])
}
