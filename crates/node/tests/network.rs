//! A node as a process of its own, on loopback. What several of them survive is in `trials`.

#![expect(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "what goes wrong here fails a test")]

mod common;

use common::{Net, post};

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
