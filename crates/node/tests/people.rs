//! People at a table: the real programs, from an empty folder to a verified hand.
//!
//! `fairdeal` belongs to another package, which must not depend on the engine; it is found beside `fairdeal-node`, and
//! built if it is not there yet.

#![expect(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "what goes wrong here fails a test")]

mod terminal;

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;
use terminal::Terminal;

/// How long anything may take before a test gives up.
const PATIENCE: Duration = Duration::from_secs(180);

/// The program for people.
fn fairdeal() -> &'static Path {
    static FOUND: OnceLock<PathBuf> = OnceLock::new();
    FOUND.get_or_init(|| {
        let program = Path::new(env!("CARGO_BIN_EXE_fairdeal-node")).with_file_name("fairdeal");
        if !program.exists() {
            let built = Command::new(env!("CARGO")).args(["build", "-p", "fairdeal", "--bin", "fairdeal"]).status();
            assert!(built.is_ok_and(|status| status.success()), "cargo build -p fairdeal");
        }
        program
    })
}

/// A chain to try out, and somebody who has never heard of it.
struct World {
    node: Child,
    at: String,
    data: TempDir,
}

impl Drop for World {
    fn drop(&mut self) {
        self.node.kill().unwrap();
        self.node.wait().unwrap();
    }
}

impl World {
    fn new() -> Self {
        let port = free_ports();
        let node = Command::new(env!("CARGO_BIN_EXE_fairdeal-node"))
            .args(["dev", "--bots", "2", "--level", "easy", "--pace", "0", "--port", &port.to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let world = Self { node, at: format!("127.0.0.1:{}", port + 1), data: tempfile::tempdir().unwrap() };
        let begin = Instant::now();
        while world.json("tables").is_none_or(|tables| tables["tables"].as_array().is_none_or(Vec::is_empty)) {
            assert!(begin.elapsed() < PATIENCE, "there is no table: {}", world.run("tables").1);
            std::thread::sleep(Duration::from_millis(200));
        }
        world
    }

    fn command(&self, words: &str) -> Command {
        let mut command = Command::new(fairdeal());
        command.arg("chain").args(words.split_whitespace()).args(["--node", &self.at, "--data"]).arg(self.data.path());
        command.stdin(Stdio::null());
        command
    }

    /// What a command prints, and what it complains about; and whether it went well.
    fn run(&self, words: &str) -> (String, String, Option<i32>) {
        let Output { stdout, stderr, status } = self.command(words).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (text(stdout), text(stderr), status.code())
    }

    #[track_caller]
    fn good(&self, words: &str) -> String {
        let (out, complaint, code) = self.run(words);
        assert_eq!(code, Some(0), "{words}: {complaint}");
        out
    }

    /// The one line that a command complains with.
    #[track_caller]
    fn refused(&self, words: &str) -> String {
        let (_, complaint, code) = self.run(words);
        assert_eq!(code, Some(2), "{words}: {complaint}");
        let lines: Vec<&str> = complaint.lines().filter(|line| line.starts_with("fairdeal: ")).collect();
        assert_eq!(lines.len(), 1, "{words}: {complaint}");
        lines[0].to_owned()
    }

    fn json(&self, words: &str) -> Option<Value> {
        let (out, _, code) = self.run(&format!("{words} --json"));
        (code == Some(0)).then(|| serde_json::from_str(&out).unwrap())
    }
}

/// Two ports in a row that nobody uses.
fn free_ports() -> u16 {
    // Tests of one process must not choose the same at the same time.
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let pid = u16::try_from(std::process::id() % 300).unwrap();
    let free = |port: u16| TcpListener::bind(("127.0.0.1", port)).is_ok();
    for _ in 0..300 {
        let port = 33_000 + (pid * 20 + NEXT.fetch_add(2, Ordering::Relaxed)) % 6_000;
        if free(port) && free(port + 1) {
            return port;
        }
    }
    panic!("there are no free ports");
}

/// Somebody makes a wallet, gets coins, plays a hand at the screen, leaves, and checks that hand.
#[test]
fn a_newcomer_plays_a_hand_and_takes_everything_home() {
    let world = World::new();
    assert!(world.refused("wallet show").contains("fairdeal chain wallet new"));
    let made = world.good("wallet new");
    let address = made.lines().next().unwrap().split_whitespace().last().unwrap().to_owned();
    assert!(address.starts_with("deal1"), "{made}");
    assert!(world.refused("wallet new").contains("never overwritten"));
    // Nothing to play with, and nothing that is there.
    assert!(world.refused("sit 1").contains("fairdeal chain wallet faucet"));
    assert!(world.refused("sit 99").contains("there is no table 99"));
    assert!(world.refused("play").contains("terminal"));
    assert!(world.refused("leave").contains("you have no seat at any table"));
    assert!(world.refused("play --auto easy").contains("you have no seat at any table"));
    assert!(world.refused("verify 1 4000000").contains("the node has no hand 4000000"));
    let zeros = "0".repeat(64);
    assert!(world.refused(&format!("tables --chain {zeros}")).contains("not to 000000000000"));
    assert!(world.refused(&format!("wallet send {address} 5")).contains("you have 0 coins"));
    assert!(world.good("wallet faucet").contains("You got 1,000,000 coins"));
    assert!(world.refused("wallet faucet").contains("the node refuses"));
    assert!(world.refused("sit 1 --buy-in 1").contains("you can buy 800 to 2,000 chips here"));
    // At the screen.
    let mut screen = Terminal::start(&world.command("sit 1 --buy-in 1000"));
    let mut acted = false;
    let begin = Instant::now();
    loop {
        let shown = screen.wait("a question", |text| text.contains("your turn") || text.contains("is over"));
        if shown.contains("is over") && acted {
            break;
        }
        if shown.contains("your turn") {
            acted = true;
            screen.press("c", |text| !text.contains("your turn"));
        } else {
            screen.press("\r", |text| !text.contains("is over"));
        }
        assert!(begin.elapsed() < PATIENCE, "{shown}");
    }
    screen.press("q", |text| text.contains("Leave the table?"));
    screen.send("\r");
    // Whoever is in the next hand by now plays it to its end.
    let ended = screen.end(|text| if text.contains("your turn") { Some("c") } else { None });
    assert!(ended.contains("You left the table."), "{ended}");
    let wallet = world.json("wallet show").unwrap();
    assert_eq!(wallet["seats"].as_array().map(Vec::len), Some(0));
    let coins = wallet["coins"].as_u64().unwrap();
    assert!((990_000..=1_010_000).contains(&coins), "chips and bond are back: {coins}");
    // What was played proves itself, also to somebody without a node.
    let verified = world.good("verify 1 last");
    assert!(
        verified.contains("valid") && verified.contains("validators of this chain have signed this root"),
        "{verified}"
    );
    let file = world.data.path().join("hand.json");
    world.good(&format!("verify 1 last --output {}", file.display()));
    let offline = Command::new(fairdeal()).arg("verify").arg(&file).output().unwrap();
    assert!(offline.status.success());
}

/// A computer plays for somebody, who then has everything back; and a closed pipe is no reason to panic.
#[test]
fn a_computer_plays_for_somebody_and_leaves() {
    let world = World::new();
    world.good("wallet new");
    world.good("wallet faucet");
    let played = world.good("sit 1 --auto easy --hands 1");
    assert!(
        played.contains("dealt") && played.contains("is over") && played.contains("You left the table."),
        "{played}"
    );
    // With a key that others can read, nothing is done.
    let key = world.data.path().join("chain/wallet.key");
    let mode = |mode| {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&key, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    mode(0o644);
    assert!(world.refused("wallet show").contains("chmod 600"));
    mode(0o600);
    let mut piped = world.command("tables").stdout(Stdio::piped()).spawn().unwrap();
    drop(piped.stdout.take());
    assert!(piped.wait().unwrap().success(), "a closed pipe is nobody's fault");
    // Nobody answers there, and the next node is asked.
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let mut command = Command::new(fairdeal());
    command.args(["chain", "tables", "--data"]).arg(world.data.path());
    let alone = command.args(["--node", &nobody]).output().unwrap();
    let complaint = String::from_utf8(alone.stderr).unwrap();
    assert!(alone.status.code() == Some(2) && complaint.contains("no node can be reached"), "{complaint}");
    let mut command = Command::new(fairdeal());
    command.args(["chain", "tables", "--data"]).arg(world.data.path());
    let both = command.args(["--node", &format!("{nobody},{}", world.at)]).output().unwrap();
    assert!(both.status.success() && !both.stdout.is_empty());
}
