//! Nodes as processes of their own, on loopback: hands are played to their end, whatever is killed.

#![expect(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "what goes wrong here fails a test")]

mod common;

use chain::supply;
use common::{Net, ask, is_private, post};
use node::disk::Disk;
use serde_json::json;

/// Hands go on while one of four nodes is down, and after all were.
#[test]
fn four_processes_deal_hands_and_survive_kills() {
    let mut net = Net::new(4, 3, 60);
    net.start_all();
    net.open_table(0);
    net.play(2, 0);
    // One is gone: three are enough to decide, and enough to deal.
    net.kill(3);
    net.play(1, 1);
    let height = net.height(1).unwrap();
    net.start(3);
    net.await_height(3, height);
    // All are gone at once.
    (0..4).for_each(|number| net.kill(number));
    net.start_all();
    net.play(1, 3);
    let height = net.height(3).unwrap();
    (0..4).for_each(|number| net.await_height(number, height));
    // A hand is proven to somebody who trusts nobody.
    let hands = ask(net.rpc(2), "hands", &json!({ "table": 1 })).unwrap();
    let hand = hands[0].as_u64().unwrap();
    net.export(2, hand).check().unwrap();
    // Everybody has the same state at the same height, and no coin was lost or made.
    (0..4).for_each(|number| net.kill(number));
    let states: Vec<_> = net.homes.iter().map(|home| Disk::open(&home.database()).unwrap()).collect();
    let lowest = states.iter().map(|disk| disk.state().unwrap().unwrap().tip().height).min().unwrap();
    let header = |disk: &Disk| disk.block(lowest).unwrap().unwrap().block.header.hash();
    assert!(states.iter().all(|disk| header(disk) == header(&states[0])), "one chain");
    for disk in &states {
        let state = disk.state().unwrap().unwrap();
        assert_eq!(supply(state.store()), net.genesis.supply());
    }
    for home in &net.homes {
        assert!(["node.key", "validator.key"].iter().all(|key| is_private(&home.folder().join(key))));
        let seeds: Vec<_> = std::fs::read_dir(home.seeds()).unwrap().map(|seed| seed.unwrap().path()).collect();
        assert!((1..=3).contains(&seeds.len()), "seeds of past epochs are erased: {seeds:?}");
        assert!(seeds.iter().all(|seed| is_private(seed)));
    }
}

/// One validator is a chain too, and its node answers nonsense with words.
#[test]
fn a_node_alone_makes_blocks_and_refuses_nonsense() {
    let mut net = Net::new(1, 0, 500);
    net.start_all();
    net.await_height(0, 3);
    let rpc = net.rpc(0);
    for (body, code) in [
        (&b"nonsense"[..], "-32700"),
        (b"{}", "-32600"),
        (br#"{"id":1,"method":"fly"}"#, "-32601"),
        (br#"{"id":1,"method":"submit","params":{"transaction":"00"}}"#, "-32602"),
        (br#"{"id":1,"method":"entries","params":{"keys":["zz"]}}"#, "-32602"),
        (br#"{"id":1,"method":"header","params":{"height":-1}}"#, "-32602"),
        (b"\xff\xfe", "-32700"),
    ] {
        let answer = post(rpc, body).unwrap();
        assert!(answer.contains(code), "{answer}");
    }
    let huge = vec![b' '; 1 << 20];
    assert!(!post(rpc, &huge).is_ok_and(|answer| answer.contains("result")), "too long");
    let height = net.height(0).unwrap();
    net.await_height(0, height + 2);
    // A second node in its folder says so and ends.
    let second = std::process::Command::new(env!("CARGO_BIN_EXE_fairdeal-node"))
        .arg("start")
        .arg(net.homes[0].folder())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&second.stderr);
    assert!(!second.status.success() && said.contains("another node is using this folder"), "{said}");
}
