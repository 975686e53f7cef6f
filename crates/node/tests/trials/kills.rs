//! Nodes that are killed in the middle of everything: one, two, or all at once.

use std::time::{Duration, Instant};

use bots::Kind;
use chain::client::Wallet;
use chain::{Body, staking};
use rand::rngs::ChaCha20Rng;
use rand::seq::SliceRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::json;

use crate::common::checks::Disks;
use crate::common::crowd::{Crowd, Manner, NINE};
use crate::common::{Net, ask, submit};
use crate::{alone, quick, soak};

/// `FAIRDEAL_SEED` repeats a run as far as timing allows.
#[test]
fn the_chain_goes_on_after_kills_of_one_two_or_all_nodes() {
    let _alone = alone();
    let seed = std::env::var("FAIRDEAL_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let mut chance = ChaCha20Rng::seed_from_u64(seed);
    let rounds: Vec<usize> = if soak() {
        // How many nodes die: of ten times, six times one, twice two, twice all.
        (0..100).map(|_| [1, 1, 1, 1, 1, 1, 2, 2, 4, 4][chance.random_range(0..10)]).collect()
    } else {
        vec![1, 2, 4]
    };
    let begin = Instant::now();
    let mut net = Net::new(4, 9, 60).with_params(|params| {
        // Who was dead is free again soon, so that it can be killed as a validator.
        params.staking.penalties.silent.jail = 10_000;
        params.staking.penalties.silent_in_keys.jail = 10_000;
        params.staking.forget = 0;
        params.dealer.keys_timeout = 10_000;
    });
    net.start_all();
    net.open_table_with(0, quick());
    let quick_ones = [Manner::Computer(Kind::Normal); 4];
    let crowd = Crowd::play(&mut net, if soak() { &NINE } else { &quick_ones });
    net.await_hands(1, 0, &crowd);
    for (number, dead) in (1..).zip(&rounds) {
        std::thread::sleep(Duration::from_millis(chance.random_range(0..3_000)));
        let mut nodes = [0, 1, 2, 3];
        nodes.shuffle(&mut chance);
        let height = (0..4).filter_map(|node| net.height(node)).max().unwrap();
        let nodes = &nodes[..*dead];
        nodes.iter().for_each(|node| net.kill(*node));
        std::thread::sleep(Duration::from_millis(chance.random_range(0..2_000)));
        nodes.iter().for_each(|node| net.start(*node));
        (0..4).for_each(|node| net.await_height(node, height + 3));
        if number % 5 == 0 || !soak() {
            net.await_hands(1, nodes[0], &crowd);
        }
        release(&net);
        if soak() {
            let now = net.height(nodes[0]).unwrap_or_default();
            println!("seed {seed}, {} s: kill {number}, nodes {nodes:?}, height {now}", begin.elapsed().as_secs());
        }
    }
    crowd.stop();
    let disks = Disks::check(&mut net);
    let (played, aborted) = disks.hands();
    let checked = disks.verify_hands(if soak() { 3 } else { 1 });
    let (kills, height) = (rounds.iter().sum::<usize>(), disks.height());
    println!(
        "seed {seed}: {kills} processes killed {} times, {height} blocks, {played} hands, {aborted} aborted",
        rounds.len()
    );
    println!(
        "seed {seed}: supply, headers and states are the same everywhere, nobody signed twice, {checked} hands checked"
    );
    assert!(played > rounds.len() / 5 && checked > 0);
}

/// Whoever was jailed because they were dead asks to be released.
fn release(net: &Net) {
    for home in &net.homes {
        let Ok(Some(key)) = home.validator_key() else { continue };
        let wallet = Wallet::new(&key.to_bytes());
        let consensus = wallet.address();
        let list = ask(net.rpc(0), "validators", &json!({})).unwrap_or_default();
        let free = |one: &serde_json::Value| one["consensus"] == consensus.to_string() && one["standing"] == "Free";
        if list.as_array().is_none_or(|list| list.iter().any(free)) {
            continue;
        }
        let account = ask(net.rpc(0), "account", &json!({ "address": consensus.to_string() })).unwrap_or_default();
        let Some(nonce) = account["nonce"].as_u64() else { continue };
        let state = chain::State::new(&net.genesis);
        let body = Body::Staking(staking::Tx::Unjail { consensus });
        let signed = wallet.pay_at(state.store(), net.genesis.chain(), nonce, body);
        // If it is too early, it is asked again after the next kill.
        let _ = submit(net.rpc(0), &signed);
    }
}
