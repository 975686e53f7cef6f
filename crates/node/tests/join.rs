//! New nodes join a chain that runs: with all its blocks, or with a snapshot. And operators stake.

#![expect(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "what goes wrong here fails a test")]

mod common;

use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use chain::tables::Terms;
use common::{Net, PATIENCE, ask, get, submit};
use serde_json::{Value, json};

fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_fairdeal-node"))
}

/// Runs a command to its end: what it said, if it went well, and otherwise why not.
fn run(args: &[&str]) -> Result<String, String> {
    let output = program().args(args).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
}

fn free_port() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

/// A node that joins a chain; killed when dropped.
struct Joined {
    folder: PathBuf,
    rpc: SocketAddr,
    running: Option<Child>,
}

impl Joined {
    /// Makes its folder.
    fn new(net: &Net, under: &Path, name: &str) -> Self {
        let (folder, rpc, listen) = (under.join(name), free_port(), free_port());
        let (peer, from) = net.plan.addresses(0);
        let said = run(&[
            "init",
            folder.to_str().unwrap(),
            "--from",
            &from.to_string(),
            "--peer",
            &peer.to_string(),
            "--listen",
            &listen.to_string(),
            "--rpc",
            &rpc.to_string(),
            "--name",
            name,
            "--validator",
        ])
        .unwrap();
        assert!(said.contains(&chain::hex(&net.genesis.chain())) && said.contains("compare"), "{said}");
        Self { folder, rpc, running: None }
    }

    fn path(&self) -> &str {
        self.folder.to_str().unwrap()
    }

    fn start(&mut self, args: &[&str]) {
        let log = std::fs::File::create(self.folder.join("log")).unwrap();
        let child =
            program().arg("start").arg(&self.folder).args(args).stdin(Stdio::null()).stderr(log).spawn().unwrap();
        self.running = Some(child);
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.folder.join("log")).unwrap_or_default()
    }

    fn await_height(&self, height: u64) {
        wait("a node that joins", &|| self.log(), || {
            ask(self.rpc, "status", &json!({})).is_ok_and(|status| status["height"].as_u64() >= Some(height))
        });
    }
}

impl Drop for Joined {
    fn drop(&mut self) {
        if let Some(mut child) = self.running.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn wait(what: &str, log: &dyn Fn() -> String, mut until: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !until() {
        assert!(begin.elapsed() < PATIENCE, "waited too long for {what}\n{}", log());
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// What cannot be written down must not be signed.
#[test]
fn a_node_whose_disk_is_full_says_so_and_ends() {
    let net = Net::new(1, 0, 500);
    let folder = net.homes[0].folder();
    let log = std::fs::File::create(folder.join("log")).unwrap();
    // Without this, the system would end it at once, and not only refuse to write.
    let script = "trap '' XFSZ; exec \"$0\" start \"$1\"";
    let program = env!("CARGO_BIN_EXE_fairdeal-node");
    let mut shell = Command::new("sh");
    let child = shell.args(["-c", script, program]).arg(folder).stdin(Stdio::null()).stderr(log).spawn().unwrap();
    let mut node = Joined { folder: folder.to_owned(), rpc: net.rpc(0), running: Some(child) };
    node.await_height(2);
    let child = node.running.as_mut().unwrap();
    let pid = rustix::process::Pid::from_child(child);
    let none = rustix::process::Rlimit { current: Some(1_024), maximum: Some(1_024) };
    rustix::process::prlimit(Some(pid), rustix::process::Resource::Fsize, none).unwrap();
    let begin = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        assert!(begin.elapsed() < PATIENCE, "it goes on");
        std::thread::sleep(Duration::from_millis(100));
    };
    let said = node.log();
    // The database or the engine's own log: whichever is written first.
    let why = ["the database cannot be used", "the disk cannot be written", "look at the disk"];
    let ends = said.lines().find(|line| line.starts_with("fairdeal-node: ")).unwrap_or_default();
    assert!(!status.success() && why.iter().any(|why| ends.contains(why)), "{status} {said}");
    // Nothing is lost: with room again, it goes on.
    node.start(&[]);
    node.await_height(4);
}

#[test]
fn a_transaction_that_came_while_nobody_could_be_told_is_told_later() {
    let mut net = Net::new(1, 0, 500);
    net.start_all();
    net.await_height(0, 2);
    let folder = tempfile::tempdir().unwrap();
    let mut joined = Joined::new(&net, folder.path(), "joined");
    joined.start(&["--dealer", "off"]);
    joined.await_height(2);
    net.kill(0);
    wait("a line that is closed", &|| joined.log(), || joined.log().contains("the line to another node is closed"));
    submit(joined.rpc, &net.new_table(Terms::small("table"))).unwrap();
    net.start(0);
    let tables = |rpc| ask(rpc, "tables", &json!({})).ok().and_then(|tables| tables.as_array().map(Vec::len));
    net.wait("a table on the chain", || tables(net.rpc(0)) == Some(1));
}

#[test]
fn nodes_join_with_all_blocks_or_a_snapshot_and_stake() {
    let mut net = Net::new(1, 2, 500);
    net.start_all();
    net.open_table(0);
    net.play(1, 0);
    let first = ask(net.rpc(0), "hands", &json!({ "table": 1 })).unwrap()[0].as_u64().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let from = net.rpc(0).to_string();

    // One takes all blocks, one begins with a snapshot.
    let mut patient = Joined::new(&net, folder.path(), "patient");
    let mut quick = Joined::new(&net, folder.path(), "quick");
    patient.start(&["--dealer", "off", "--log", "json"]);
    let status = ask(net.rpc(0), "status", &json!({})).unwrap();
    let trust = |height: &Value, hash: &str| format!("{height}:{hash}");
    let lie = trust(&status["height"], &"7".repeat(64));
    let why = run(&["restore", quick.path(), "--from", &from, "--trust", &lie]).unwrap_err();
    assert!(why.contains("is not the trusted one"), "{why}");
    // A snapshot is made anew only now and then, so the trusted block may be after it: then the genesis must do.
    let said = run(&["restore", quick.path(), "--from", &from]).unwrap();
    assert!(said.contains("begins after block"), "{said}");
    let why = run(&["restore", quick.path(), "--from", &from]).unwrap_err();
    assert!(why.contains("has a chain already"), "{why}");
    quick.start(&[]);
    let height = net.height(0).unwrap();
    quick.await_height(height);
    patient.await_height(height);
    assert!(patient.log().contains("the node does not deal") && patient.log().starts_with('{'), "{}", patient.log());
    let block = |rpc, height: u64| ask(rpc, "header", &json!({ "height": height })).unwrap();
    assert!(block(quick.rpc, 1).is_null() && !block(patient.rpc, 1).is_null());
    assert_eq!(block(quick.rpc, height)["decided"], block(net.rpc(0), height)["decided"]);
    // A hand from before is with those who have seen it.
    let hand = |rpc| ask(rpc, "hand", &json!({ "table": 1, "hand": first })).unwrap();
    assert!(hand(quick.rpc).is_null() && !hand(patient.rpc).is_null());

    // The same from a file, for which somebody vouches.
    let file = folder.path().join("snapshot");
    let said = run(&["snapshot", "--output", file.to_str().unwrap(), "--rpc", &from]).unwrap();
    let vouched = said.split_whitespace().last().unwrap().to_owned();
    let third = Joined::new(&net, folder.path(), "third");
    let bytes = std::fs::read(&file).unwrap();
    let bad = folder.path().join("bad");
    std::fs::write(&bad, [&bytes[..bytes.len() - 1], &[bytes[bytes.len() - 1] ^ 1]].concat()).unwrap();
    let why = run(&["restore", third.path(), "--file", bad.to_str().unwrap(), "--trust", &vouched]).unwrap_err();
    assert!(why.contains("snapshot") && why.lines().count() == 1, "{why}");
    let why = run(&["restore", third.path(), "--file", file.to_str().unwrap(), "--trust", &lie]).unwrap_err();
    assert!(why.contains("not the trusted one"), "{why}");
    run(&["restore", third.path(), "--file", file.to_str().unwrap(), "--trust", &vouched]).unwrap();

    // One becomes a validator: the first one's operator pays.
    let operator = net.homes[0].folder().join("validator.key");
    let operator = operator.to_str().unwrap();
    let why = run(&["bond", quick.path(), "--coins", "1"]).unwrap_err();
    assert!(why.contains("the account cannot pay the fee"), "{why}");
    let said = run(&["bond", quick.path(), "--operator", operator, "--coins", "5000"]).unwrap();
    assert!(said.contains("has staked 5000, and is free"), "{said}");
    let said = run(&["bond", quick.path(), "--operator", operator, "--coins", "1000"]).unwrap();
    assert!(said.contains("has staked 6000"), "{said}");
    let deciding = || ask(net.rpc(0), "status", &json!({})).unwrap()["validators"].as_u64();
    wait("two validators", &|| quick.log(), || deciding() == Some(2));
    let why = run(&["release", quick.path(), "--operator", operator]).unwrap_err();
    assert!(why.contains("is not jailed"), "{why}");
    let said = run(&["unbond", quick.path(), "--operator", operator, "--coins", "6000"]).unwrap();
    assert!(said.contains("has staked 0"), "{said}");
    wait("one validator", &|| quick.log(), || deciding() == Some(1));

    // What a browser sees.
    let page = get(patient.rpc, "/").unwrap();
    assert!(page.contains("<h1>patient</h1>") && page.contains("Last hands"), "{page}");
    assert!(page.contains(&format!("/hands/1/{first}")), "{page}");
    let text = get(patient.rpc, &format!("/hands/1/{first}")).unwrap();
    chain::Export::from_text(&text).unwrap().check().unwrap();
    assert!(get(patient.rpc, "/hands/1/99999").unwrap().contains("this node has no hand"));
}
