//! A liar who comes to a table of others: that is how tests of pages get somebody whose proofs are wrong.

use std::time::Duration;

use ::peer::{Body, Ticket};
use games::holdem::Holdem;

use super::lies::{illegal_raises, silent_after, swapped, wrong_shares};
use super::{Wired, now, random};

#[test]
#[ignore = "a liar for tests of pages: FAIRDEAL_TICKET says where, and FAIRDEAL_LIE about what"]
fn a_liar_plays_holdem_at_a_table_of_others() {
    let told = |name: &str| std::env::var(name).unwrap_or_else(|_| panic!("{name} is not set"));
    let ticket: Ticket = told("FAIRDEAL_TICKET").parse().unwrap();
    let mut liar = Wired::<Holdem>::open(&ticket, "Mallory", 7, true);
    liar.peer.lie = Some(match told("FAIRDEAL_LIE").as_str() {
        "shuffle" => swapped(false),
        "share" => wrong_shares(),
        "move" => illegal_raises(),
        "silence" => silent_after(|body| matches!(body, Body::Act { .. })),
        other => panic!("no such lie: {other}"),
    });
    liar.peer.join(random());
    loop {
        liar.step(now());
        std::thread::sleep(Duration::from_millis(5));
    }
}
