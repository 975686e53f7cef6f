//! A chain of several processes, and players who trust none of them.

#![allow(dead_code, reason = "every test uses a part of it")]

pub(crate) mod checks;
#[path = "../../../../tests/network/mod.rs"]
pub(crate) mod computers;
pub(crate) mod crowd;

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::{Duration, Instant};

use chain::client::{Hole, Player, Wallet};
use chain::light::{Decided, Light};
use chain::store::{Proof, Store};
use chain::tables::{HandOf, RingOf, Terms, Tx};
use chain::{Body, Coins, Export, Genesis, Hash, Signed, hex, unhex};
use dealing::Secret;
use games::holdem::Action;
use node::home::{Home, Settings};
use node::network::Plan;
use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;
use serde_json::{Value, json};
use table::{Move, Rules as _};
use tempfile::TempDir;

use crowd::Crowd;

/// How long anything may take before a test gives up.
pub(crate) const PATIENCE: Duration = Duration::from_secs(300);

/// A chain of several processes.
pub(crate) struct Net {
    /// Removed when the test is over.
    folder: TempDir,
    pub(crate) plan: Plan,
    pub(crate) homes: Vec<Home>,
    pub(crate) genesis: Genesis,
    running: Vec<Option<Child>>,
    /// Where each node listens for other nodes, and for everybody.
    addresses: Vec<(SocketAddr, SocketAddr)>,
    /// Whether each node has a computer of its own.
    apart: bool,
    banker: Wallet,
    pub(crate) players: Vec<Player>,
    rng: ChaCha20Rng,
}

impl Net {
    /// A chain with so many validators, not started yet, and accounts of so many players.
    pub(crate) fn new(validators: u8, players: u8, epoch_blocks: u64) -> Self {
        let secret = |number: u8| [number.wrapping_add(100); 32];
        let banker = Wallet::new(&secret(0));
        let wallets: Vec<Wallet> = (1..=players).map(|number| Wallet::new(&secret(number))).collect();
        let accounts = wallets.iter().chain([&banker]).map(Wallet::address).collect();
        let port = free_ports(2 * u16::from(validators));
        let plan = Plan { name: "test".into(), validators, port, members: 4, epoch_blocks, accounts };
        let folder = tempfile::tempdir().unwrap();
        let homes = plan.create(folder.path()).unwrap();
        let genesis = homes[0].genesis().unwrap();
        let mut rng = ChaCha20Rng::seed_from_u64(7);
        let chain = genesis.chain();
        let player = |wallet| Player::new(wallet, Hole::new(chain, 1, Secret::random(&mut rng)), chain, 1);
        let players = wallets.into_iter().map(player).collect();
        let running = homes.iter().map(|_| None).collect();
        let addresses = (0..u16::from(validators)).map(|number| plan.addresses(number)).collect();
        Self { folder, plan, homes, genesis, running, addresses, apart: false, banker, players, rng }
    }

    /// The same with other parameters. Only before anything is started.
    pub(crate) fn with_params(mut self, change: impl FnOnce(&mut chain::Params)) -> Self {
        change(&mut self.genesis.params);
        self.genesis.check().unwrap();
        self.homes.iter().for_each(|home| home.set_genesis(&self.genesis).unwrap());
        let chain = self.genesis.chain();
        let (players, rng) = (std::mem::take(&mut self.players), &mut self.rng);
        let again = |player: Player| Player::new(player.wallet, Hole::new(chain, 1, Secret::random(rng)), chain, 1);
        self.players = players.into_iter().map(again).collect();
        self
    }

    /// The same with every node on a computer of its own: see [`computers`].
    pub(crate) fn on_computers(mut self) -> Self {
        let at = |number: usize, port| SocketAddr::new(computers::address(number + 1).into(), port);
        self.addresses = (0..self.homes.len()).map(|number| (at(number, 27_000), at(number, 27_001))).collect();
        self.apart = true;
        for number in 0..self.homes.len() {
            let (listen, rpc) = self.addresses[number];
            let others = || self.addresses.iter().filter(|(other, _)| *other != listen);
            let (peers, gossip) = (others().map(|(peer, _)| *peer).collect(), others().map(|(_, rpc)| *rpc).collect());
            self.set(number, |settings| *settings = Settings { listen, rpc, peers, gossip, ..settings.clone() });
        }
        self
    }

    /// Changes the settings of a node, for its next start.
    pub(crate) fn set(&self, number: usize, change: impl FnOnce(&mut Settings)) {
        let mut settings = self.homes[number].settings().unwrap();
        change(&mut settings);
        std::fs::write(self.homes[number].folder().join("node.toml"), toml::to_string(&settings).unwrap()).unwrap();
    }

    /// Starts a node, if it does not run.
    pub(crate) fn start(&mut self, number: usize) {
        if self.running[number].is_some() {
            return;
        }
        let file = self.homes[number].folder().join("log");
        let log = std::fs::OpenOptions::new().create(true).append(true).open(file).unwrap();
        let program = env!("CARGO_BIN_EXE_fairdeal-node");
        let mut call = if self.apart { computers::program_on(number + 1, program) } else { Command::new(program) };
        let child = call
            .arg("start")
            .arg(self.homes[number].folder())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap();
        self.running[number] = Some(child);
    }

    /// Starts all nodes.
    pub(crate) fn start_all(&mut self) {
        (0..self.homes.len()).for_each(|number| self.start(number));
    }

    /// Kills a node as the worst crash would.
    pub(crate) fn kill(&mut self, number: usize) {
        if let Some(mut child) = self.running[number].take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    /// The address for questions to a node.
    pub(crate) fn rpc(&self, number: usize) -> SocketAddr {
        self.addresses[number].1
    }

    /// The height of a node's last block, if it answers.
    pub(crate) fn height(&self, number: usize) -> Option<u64> {
        ask(self.rpc(number), "status", &json!({})).ok()?["height"].as_u64()
    }

    /// Waits until a node has reached a height.
    pub(crate) fn await_height(&self, number: usize, height: u64) {
        self.wait(&format!("node {number} at height {height}"), || self.height(number).is_some_and(|at| at >= height));
    }

    /// Waits for something.
    pub(crate) fn wait(&self, what: &str, mut until: impl FnMut() -> bool) {
        let begin = Instant::now();
        while !until() {
            assert!(begin.elapsed() < PATIENCE, "waited too long for {what}\n{}", self.logs());
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// The last lines of what the nodes wrote.
    pub(crate) fn logs(&self) -> String {
        let last = |home: &Home| {
            let log = std::fs::read_to_string(home.folder().join("log")).unwrap_or_default();
            let lines: Vec<&str> = log.lines().rev().take(12).collect();
            lines.into_iter().rev().collect::<Vec<_>>().join("\n")
        };
        self.homes.iter().map(last).collect::<Vec<_>>().join("\n----\n")
    }

    /// Opens a table: the banker does.
    pub(crate) fn open_table(&mut self, asking: usize) {
        self.open_table_with(asking, Terms::small("table"));
    }

    /// Opens a table with these terms.
    pub(crate) fn open_table_with(&mut self, asking: usize, terms: Terms) {
        let signed = self.new_table(terms);
        let rpc = self.rpc(asking);
        self.wait("a node that takes the table", || submit(rpc, &signed).is_ok());
    }

    /// The banker's first transaction: a table with these terms.
    pub(crate) fn new_table(&self, terms: Terms) -> Signed {
        let state = chain::State::new(&self.genesis);
        let create = Tx::Create { terms, purse: Coins(1_000_000_000) };
        self.banker.pay(state.store(), self.genesis.chain(), Body::Tables(create))
    }

    /// Plays until so many hands more have ended, asking this node. Players check everything it says.
    pub(crate) fn play(&mut self, hands: usize, asking: usize) {
        let rpc = self.rpc(asking);
        let ended = |rpc| ask(rpc, "hands", &json!({ "table": 1 })).ok().and_then(|list| list.as_array().map(Vec::len));
        let mut light = Light::new(&self.genesis);
        let (begin, mut first) = (Instant::now(), None);
        loop {
            let count = ended(rpc);
            first = first.or(count);
            if let (Some(count), Some(first)) = (count, first)
                && count >= first + hands
            {
                return;
            }
            assert!(begin.elapsed() < PATIENCE, "waited too long for a hand\n{}", self.logs());
            let Some(store) = look(rpc, &self.players, &mut light).filter(|store| store.get(&RingOf(1)).is_some())
            else {
                continue;
            };
            for (seat, player) in (0..).zip(&mut self.players) {
                let mut done = Vec::new();
                if player.seat(&store).is_none() {
                    done.extend(player.sit(&store, seat, &mut self.rng));
                } else {
                    done.extend(player.come_back(&store).or_else(|| player.rebuy(&store)));
                    // They stay to the showdown, and never raise.
                    let mut decide = |hand: &chain::tables::Hand, seat, known: table::Known<'_>| {
                        let moves = hand.table().rules().moves(known, seat);
                        Some(Move::Act(if moves.can_check { Action::Check } else { Action::Call }))
                    };
                    done.extend(player.act(&store, &mut decide));
                }
                for signed in done {
                    let _ = submit(rpc, &signed);
                }
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// The hands that have ended at the table, as a node knows them, the latest first; the last fifty.
    pub(crate) fn hands(&self, asking: usize) -> Vec<u64> {
        let hands = ask(self.rpc(asking), "hands", &json!({ "table": 1 })).unwrap_or_default();
        hands.as_array().into_iter().flatten().filter_map(Value::as_u64).collect()
    }

    /// Waits until so many hands more have ended, as a node sees it.
    pub(crate) fn await_hands(&self, count: usize, asking: usize, crowd: &Crowd) {
        self.wait(&format!("node {asking} to answer"), || self.height(asking).is_some());
        let before = self.hands(asking).first().copied().unwrap_or(0);
        for number in 1..=count {
            self.wait(&format!("hand {number} of {count} at node {asking}"), || {
                assert!(!crowd.is_broken(), "a player has given up\n{}", self.logs());
                self.hands(asking).iter().filter(|hand| **hand > before).count() >= number
            });
        }
    }

    /// What proves a hand, from a node.
    pub(crate) fn export(&self, asking: usize, hand: u64) -> Export {
        let found = ask(self.rpc(asking), "hand", &json!({ "table": 1, "hand": hand })).unwrap();
        borsh::from_slice(&unhex(found["export"].as_str().unwrap()).unwrap()).unwrap()
    }
}

impl Drop for Net {
    fn drop(&mut self) {
        (0..self.running.len()).for_each(|number| self.kill(number));
    }
}

/// What players need to see, proven: the state after some block, against the header of the next one.
pub(crate) fn look(rpc: SocketAddr, players: &[Player], light: &mut Light) -> Option<Store> {
    look_for(rpc, &|deck| players.iter().flat_map(|player| player.needs(deck)).collect(), light)
}

/// The same for entries with these keys, which depend on the deck of the hand that is being played.
pub(crate) fn look_for(
    rpc: SocketAddr,
    needs: &dyn Fn(Option<u32>) -> Vec<Vec<u8>>,
    light: &mut Light,
) -> Option<Store> {
    let mut deck = None;
    loop {
        let keys: BTreeSet<String> = needs(deck).iter().map(|key| hex(key)).collect();
        let answer = ask(rpc, "entries", &json!({ "keys": keys })).ok()?;
        let height = answer["height"].as_u64()?;
        let root = trusted_root(rpc, height, light)?;
        let entry = |entry: &Value| -> Option<(Vec<u8>, Option<Vec<u8>>, Proof)> {
            let value = entry["value"].as_str().map(unhex);
            let value = match value {
                Some(bytes) => Some(bytes?),
                None => None,
            };
            let proof = borsh::from_slice(&unhex(entry["proof"].as_str()?)?).ok()?;
            Some((unhex(entry["key"].as_str()?)?, value, proof))
        };
        let entries: Vec<_> = answer["entries"].as_array()?.iter().map(entry).collect::<Option<_>>()?;
        let store = Store::proven(&root, entries).expect("an honest node proves what it says");
        let number = store.get(&HandOf(1)).map(chain::tables::Hand::number);
        if number.is_none() || number == deck {
            return Some(store);
        }
        deck = number;
    }
}

/// The root of the state after this block, from the header of the next, once that is decided.
fn trusted_root(rpc: SocketAddr, height: u64, light: &mut Light) -> Option<Hash> {
    if light.height() == height + 1 {
        return Some(*light.root());
    }
    // This node is behind what others have shown already.
    if light.height() > height + 1 {
        return None;
    }
    let header = |height: u64| -> Option<Decided> {
        let answer = ask(rpc, "header", &json!({ "height": height })).ok()?;
        borsh::from_slice(&unhex(answer["decided"].as_str()?)?).ok()
    };
    let begin = Instant::now();
    let next = loop {
        if let Some(next) = header(height + 1) {
            break next;
        }
        if begin.elapsed() > Duration::from_secs(5) {
            return None;
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    if height == 0 {
        light.follow(&next, 0, u64::MAX).expect("an honest node proves what it says");
    } else {
        let parent = header(height)?.header;
        let now = next.header.time;
        light.skip(&parent, &next, now, u64::MAX).expect("an honest node proves what it says");
    }
    Some(*light.root())
}

pub(crate) fn submit(rpc: SocketAddr, signed: &Signed) -> Result<Value, String> {
    ask(rpc, "submit", &json!({ "transaction": hex(&borsh::to_vec(signed).unwrap()) }))
}

/// One question to a node.
pub(crate) fn ask(rpc: SocketAddr, method: &str, params: &Value) -> Result<Value, String> {
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string();
    let reply = post(rpc, body.as_bytes())?;
    let reply: Value = serde_json::from_str(&reply).map_err(|why| format!("{why}: {reply}"))?;
    match reply.get("error") {
        Some(why) => Err(why["message"].to_string()),
        None => Ok(reply["result"].clone()),
    }
}

/// Gets a page and returns its body.
pub(crate) fn get(rpc: SocketAddr, path: &str) -> Result<String, String> {
    exchange(rpc, format!("GET {path} HTTP/1.1\r\nHost: {rpc}\r\nConnection: close\r\n\r\n").as_bytes())
}

/// Posts a body and returns that of the answer.
pub(crate) fn post(rpc: SocketAddr, body: &[u8]) -> Result<String, String> {
    let head = format!("POST / HTTP/1.1\r\nHost: {rpc}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n", body.len());
    exchange(rpc, &[head.as_bytes(), body].concat())
}

fn exchange(rpc: SocketAddr, request: &[u8]) -> Result<String, String> {
    let said = |why: std::io::Error| why.to_string();
    let mut line = TcpStream::connect_timeout(&rpc, Duration::from_secs(2)).map_err(said)?;
    line.set_read_timeout(Some(Duration::from_secs(10))).map_err(said)?;
    line.write_all(request).map_err(said)?;
    let mut answer = Vec::new();
    line.read_to_end(&mut answer).map_err(said)?;
    let answer = String::from_utf8_lossy(&answer);
    let (_, body) = answer.split_once("\r\n\r\n").ok_or("expected an answer")?;
    Ok(body.to_owned())
}

/// The first of so many ports in a row that nobody uses.
fn free_ports(count: u16) -> u16 {
    // Tests of one process must not choose the same at the same time.
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let pid = u16::try_from(std::process::id() % 300).unwrap();
    for _ in 0..200 {
        let first = 20_000 + (pid * 40 + NEXT.fetch_add(1, Ordering::Relaxed) * 211) % 12_000;
        let free = |port: u16| TcpListener::bind(("127.0.0.1", port)).is_ok();
        if (first..first + count).all(free) {
            return first;
        }
    }
    panic!("there are no free ports");
}

/// Whether a file can be read by its owner only.
pub(crate) fn is_private(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(file).unwrap().permissions().mode() & 0o777 == 0o600
}
