//! Amounts and names as the text has them.

use table::Chips;

use crate::holdem::phh::{PhhHand, Seating, Unit};

/// How amounts are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Money {
    unit: Unit,
    sign: &'static str,
    /// The currency, where there is one that the form knows.
    pub(super) currency: Option<&'static str>,
}

impl Money {
    pub(super) fn of(hand: &PhhHand) -> Self {
        let (sign, currency) = match hand.fields.get("currency").and_then(toml::Value::as_str) {
            Some("USD") => ("$", Some("USD")),
            Some("EUR") => ("€", Some("EUR")),
            Some("GBP") => ("£", Some("GBP")),
            _ => ("", None),
        };
        Self { unit: hand.unit, sign, currency }
    }

    /// `20`, `$1.50`.
    pub(super) fn show(&self, chips: Chips) -> String {
        let text = self.unit.show(chips);
        match text.split_once('.') {
            Some((whole, fraction)) => format!("{}{whole}.{fraction:0<2}", self.sign),
            None => format!("{}{text}", self.sign),
        }
    }
}

/// What the players are called, by player of the file: no two alike, and nothing in them that could be taken for
/// another part of the text. A player without a name is called by their chair, the same in every hand.
pub(super) fn names(hand: &PhhHand, seating: &Seating) -> Vec<String> {
    let given = hand.fields.get("players").and_then(toml::Value::as_array);
    let given = |n: usize| given.and_then(|names| names.get(n)).and_then(toml::Value::as_str).unwrap_or_default();
    let mut names: Vec<String> = Vec::new();
    for (player, seat) in seating.players() {
        let plain = plain(given(player.index()));
        let plain = if plain.is_empty() { format!("Player {}", seat.index() + 1) } else { plain };
        let mut name = plain.clone();
        let mut times = 1;
        while names.contains(&name) {
            times += 1;
            name = format!("{plain} {times}");
        }
        names.push(name);
    }
    names
}

/// A name on one line, without the signs that end names.
pub(super) fn plain(name: &str) -> String {
    let letter = |c: char| if c.is_control() || c.is_whitespace() || ":[]()'".contains(c) { ' ' } else { c };
    name.chars().map(letter).collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}
