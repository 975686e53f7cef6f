//! Four nodes on four computers, with wires between them that lose packets, delay them and are cut.

use std::time::{Duration, Instant};

use chain::{Event, tables};
use serde_json::json;

use crate::common::checks::Disks;
use crate::common::computers::{Wires, apart};
use crate::common::crowd::{Crowd, NINE};
use crate::common::{Net, ask};
use crate::{alone, quick, soak};

/// Of a hundred packets, so many are lost; the others take this long from one computer to another, in milliseconds.
const LOSS: f64 = 0.03;
const DELAY: u32 = 100;

#[test]
fn nine_players_go_on_over_a_bad_network_whatever_is_killed_or_cut() {
    let _alone = alone();
    apart("partition::nine_players_go_on_over_a_bad_network_whatever_is_killed_or_cut", || {
        if soak() {
            (1..=3).for_each(|seed| evening(seed, 10, Duration::from_secs(30)));
        } else {
            evening(1, 0, Duration::from_secs(4));
        }
    });
}

/// Plays so many hands before and after everything that goes wrong, and one more at the end. Nobody can decide for as long
/// as `cut`.
fn evening(seed: u64, hands: usize, cut: Duration) {
    let begin = Instant::now();
    let tell = |what: &str| println!("seed {seed}, {} s: {what}", begin.elapsed().as_secs());
    let mut wires = Wires::watched(seed, LOSS, DELAY, 4);
    // Who could not be reached for a while pays, but stays a validator: three of four must be enough throughout.
    let stay = |params: &mut chain::Params| {
        params.staking.penalties.silent.jail = 0;
        params.staking.penalties.silent_in_keys.jail = 0;
    };
    let mut net = Net::new(4, 9, 60).with_params(stay).on_computers();
    net.start_all();
    net.open_table_with(0, quick());
    let crowd = Crowd::play(&mut net, &NINE);
    let playing = |net: &Net| ask(net.rpc(0), "tables", &json!({})).is_ok_and(|tables| !tables[0]["hand"].is_null());
    net.wait("the first hand to begin", || playing(&net));
    net.await_hands(hands, 0, &crowd);
    tell("hands are played");

    // Two and two: nobody can decide anything, and nobody does.
    wires.split(&[1, 2]);
    let highest = |net: &Net| (0..4).filter_map(|number| net.height(number)).max().unwrap();
    let before = highest(&net);
    std::thread::sleep(cut);
    // One block may have been decided by votes that had arrived.
    assert!(highest(&net) <= before + 1, "two of four have decided a block");
    wires.join();
    (0..4).for_each(|number| net.await_height(number, before + 3));
    tell("two and two are together again");

    // Three and one: three go on, and the fourth catches up.
    wires.split(&[4]);
    let alone_at = net.height(3).unwrap();
    let others_at = highest(&net);
    net.await_hands(hands, 0, &crowd);
    net.await_height(0, others_at + 5);
    assert!(net.height(3).unwrap() <= alone_at + 1, "one of four has decided a block");
    wires.join();
    let goal = net.height(0).unwrap();
    net.await_height(3, goal);
    tell("the fourth has caught up");

    // One is killed, then all.
    net.kill(1);
    let goal = net.height(0).unwrap() + 3;
    net.await_height(0, goal);
    net.start(1);
    net.await_height(1, goal);
    tell("one was killed");
    (0..4).for_each(|number| net.kill(number));
    net.start_all();
    net.await_hands(hands + 1, 2, &crowd);
    tell("all were killed");
    net.wait("somebody to come back to the table", || crowd.returned() > 0);
    crowd.stop();

    let disks = Disks::check(&mut net);
    let seats = disks.events().iter().filter_map(|(_, event)| match event {
        Event::Tables(tables::Event::HandStarted { stacks, .. }) => Some(stacks.len()),
        _ => None,
    });
    let most = seats.max().unwrap();
    let slept =
        disks.events().iter().any(|(_, event)| matches!(event, Event::Tables(tables::Event::TimeoutApplied { .. })));
    assert!(slept, "the time of those who are asleep is up");
    let (played, aborted) = disks.hands();
    let checked = disks.verify_hands(if soak() { 3 } else { 1 });
    tell(&format!("{} blocks, {played} hands of up to {most}, {aborted} aborted, {checked} checked", disks.height()));
    assert!(checked > 0 && played > 3 * hands);
}
