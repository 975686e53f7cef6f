//! From [`PhhHand`] to text.

use core::fmt::Write;

use table::Chips;
use toml::Value;

use super::{PhhHand, Player};

/// The fields that a hand keeps apart from [`PhhHand::fields`].
pub(super) const OWN_FIELDS: [&str; 8] = [
    "variant",
    "ante_trimming_status",
    "antes",
    "blinds_or_straddles",
    "min_bet",
    "starting_stacks",
    "actions",
    "finishing_stacks",
];

/// A file with one hand.
pub fn encode(hand: &PhhHand) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = write_hand(&mut text, hand);
    text
}

/// A file with several hands, numbered from 1.
pub fn encode_all<'a>(hands: impl IntoIterator<Item = &'a PhhHand>) -> String {
    let mut text = String::new();
    for (number, hand) in (1_u64..).zip(hands) {
        let gap = if number == 1 { "" } else { "\n" };
        let _ = writeln!(text, "{gap}[{number}]");
        let _ = write_hand(&mut text, hand);
    }
    text
}

fn write_hand(out: &mut String, hand: &PhhHand) -> core::fmt::Result {
    let list = |amounts: &[Chips]| {
        let amounts: Vec<String> = amounts.iter().map(|amount| hand.unit.fixed(*amount)).collect();
        format!("[{}]", amounts.join(", "))
    };
    writeln!(out, "variant = \"NT\"")?;
    if let Some(status) = hand.ante_trimming_status {
        writeln!(out, "ante_trimming_status = {status}")?;
    }
    writeln!(out, "antes = {}", list(&hand.antes))?;
    writeln!(out, "blinds_or_straddles = {}", list(&hand.blinds_or_straddles))?;
    writeln!(out, "min_bet = {}", hand.unit.fixed(hand.min_bet))?;
    let stacks = hand.starting_stacks.iter().zip((0..).map(Player)).map(|(stack, player)| {
        if hand.unlimited.contains(&player) { "inf".to_owned() } else { hand.unit.fixed(*stack) }
    });
    writeln!(out, "starting_stacks = [{}]", stacks.collect::<Vec<_>>().join(", "))?;
    writeln!(out, "actions = [")?;
    for line in &hand.lines {
        writeln!(out, "  {},", Value::String(line.write(hand.unit)))?;
    }
    writeln!(out, "]")?;
    if let Some(stacks) = &hand.finishing_stacks {
        writeln!(out, "finishing_stacks = {}", list(stacks))?;
    }
    for (name, value) in &hand.fields {
        let bare = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
        match bare {
            true => writeln!(out, "{name} = {value}")?,
            false => writeln!(out, "{} = {value}", Value::String(name.clone()))?,
        }
    }
    Ok(())
}
