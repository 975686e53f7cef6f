//! A computer that sleeps in the middle of a match: its program stands still, and its connections stay open.

use std::time::Duration;

use super::process::agreed;
use super::{Homes, Player, hosting, join};

#[test]
fn a_host_whose_computer_slept_while_the_others_replaced_the_hub_plays_on_there() {
    let homes = Homes::new();
    let patience = ["--patience", "8"];
    let command = hosting(&["ongdu", "--option", "max_rounds=4"], "3", &patience);
    let mut ada = Player::start(&homes.of("ada"), &command);
    let ticket = ada.until("ticket ");
    let [mut bob, cleo] = ["bob", "cleo"].map(|name| join(&homes.of(name), &ticket, &patience));
    bob.until("cards 2");
    // The table waits for Bob, so nothing is on its way when the host falls asleep. What he says then reaches a hub that
    // does not read it before it wakes.
    bob.signal("-STOP");
    std::thread::sleep(Duration::from_millis(1500));
    ada.signal("-STOP");
    bob.signal("-CONT");
    bob.until_replaced();
    ada.signal("-CONT");
    let all = [bob.result(), cleo.result(), ada.result()];
    agreed(&all);
    for played in &all {
        assert_eq!(played.verified().changes.len(), 1, "the hub was replaced once");
        assert!(!played.lines.iter().any(|line| line.starts_with("late ")), "{:?}", played.lines);
    }
}
