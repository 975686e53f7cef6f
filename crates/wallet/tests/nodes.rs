//! The module in one process with nodes that answer, lie or belong to another chain.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by a panic")]

use chain::light::{Certificate, Decided};
use chain::staking::{self, Kind, Vote};
use chain::tables::{self, Terms};
use chain::testing::{Kit, key};
use chain::{Address, Coins, Genesis, Header, State, hex, unhex};
use light::in_hex;
use serde_json::{Value, json};
use wallet::{Call, Effect, Event, Module};

/// A chain of which every block is known, and the state after each.
struct World {
    genesis: Genesis,
    decided: Vec<Decided>,
    states: Vec<State>,
}

impl World {
    /// With one table.
    fn new(name: &str) -> Self {
        let mut kit = Kit::new(4, 3);
        // The kit's own has too small a committee for a real chain.
        kit.genesis.params.dealer.members = 4;
        kit.genesis.name = name.to_owned();
        kit.state = State::new(&kit.genesis);
        let (mut decided, mut states) = (Vec::new(), vec![kit.state.clone()]);
        let create = tables::Tx::Create { terms: Terms::small("one <b>table</b>"), purse: Coins::ZERO };
        let host = kit.player(0);
        let create = kit.tx(&host, create);
        for transactions in [vec![create], vec![], vec![], vec![]] {
            let validators = staking::validators(kit.state.store());
            kit.next_block(transactions);
            let header = kit.blocks.last().unwrap().header.clone();
            decided.push(Decided { certificate: signed(&header), header, validators });
            states.push(kit.state.clone());
        }
        Self { genesis: kit.genesis, decided, states }
    }

    /// What an honest node says whose last block is the third.
    fn answer(&self, method: &str, params: &Value) -> Value {
        match method {
            "genesis" => json!({ "genesis": in_hex(&self.genesis) }),
            "status" => json!({ "chain": hex(&self.genesis.chain()), "height": 3 }),
            "subscribe" => json!({ "cursor": 0 }),
            "header" => {
                let index = usize::try_from(params["height"].as_u64().unwrap() - 1).unwrap();
                self.decided.get(index).map_or(Value::Null, |decided| json!({ "decided": in_hex(decided) }))
            }
            "entries" => {
                let entry = |key: &Value| {
                    let key = unhex(key.as_str().unwrap()).unwrap();
                    let (value, proof) = self.states[3].store().prove(&key).unwrap();
                    json!({ "key": hex(&key), "value": value.map(|value| hex(&value)), "proof": in_hex(&proof) })
                };
                let entries: Vec<Value> = params["keys"].as_array().unwrap().iter().map(entry).collect();
                json!({ "height": 3, "entries": entries })
            }
            _ => Value::Null,
        }
    }
}

fn signed(header: &Header) -> Certificate {
    let (chain, height, round, kind, block) = (header.chain, header.height, 0, Kind::Precommit, header.hash());
    let vote = Vote { chain, height, round, kind, block: Some(block) };
    let sign = |number: &u16| (Address(key(*number).verifying_key().to_bytes()), vote.sign(&key(*number)));
    Certificate { height, round, block, signatures: [0, 1, 2, 3].iter().map(sign).collect() }
}

/// A page: carries out effects, and is connected to a node that says what a function makes up.
#[derive(Default)]
struct Page {
    module: Module,
    calls: u64,
    told: Vec<Value>,
    kept: (String, Vec<u8>, Vec<Vec<u8>>),
    failed: Option<String>,
    /// How often a connection was opened.
    connected: u32,
    /// Nobody answers.
    refuses: bool,
}

impl Page {
    fn begin(wish: &str) -> Self {
        let mut page = Self::default();
        page.call(Event::New(wish), &mut |_, _| Value::Null);
        page
    }

    /// The same page loaded again.
    fn reload(self) -> Self {
        let mut page = Self { kept: self.kept.clone(), ..Self::default() };
        let entries = self.kept.2.iter().map(Vec::as_slice).collect();
        page.call(Event::Resume { kept: &self.kept.0, secret: &self.kept.1, entries }, &mut |_, _| Value::Null);
        page
    }

    fn call(&mut self, event: Event<'_>, node: &mut dyn FnMut(&str, &Value) -> Value) {
        self.calls += 1;
        // The blocks of this chain are from 1970.
        let now = self.calls;
        let random = [u8::try_from(now % 251).unwrap(); 32];
        let effects = self.module.answer(&Call { clock: 5_000, now, random, event });
        for effect in effects {
            match effect {
                Effect::Keep(text) => self.kept.0 = text,
                Effect::Secret(secret) => self.kept.1 = secret,
                Effect::Log { height, entry } => {
                    assert_eq!(usize::try_from(height).unwrap(), self.kept.2.len() + 1);
                    self.kept.2.push(entry);
                }
                Effect::Connect { address, .. } => {
                    assert!(address.starts_with("ws://"), "{address}");
                    self.connected += 1;
                    let event = if self.refuses { Event::Closed("nobody is there") } else { Event::Frame(&[]) };
                    self.call(event, node);
                }
                Effect::Send(frame) => {
                    let asked: Value = serde_json::from_slice(&frame).unwrap();
                    let result = node(asked["method"].as_str().unwrap(), &asked["params"]);
                    let reply = json!({ "id": asked["id"], "result": result }).to_string();
                    self.call(Event::Frame(reply.as_bytes()), node);
                }
                Effect::Tell(text) => self.told.push(serde_json::from_str(&text).unwrap()),
                Effect::Failed(why) => self.failed = Some(why),
                Effect::Erase | Effect::Wake(_) => {}
            }
        }
    }

    /// Uses a node, until it has answered everything.
    fn connect(&mut self, at: &str, chain: Option<&str>, node: &mut dyn FnMut(&str, &Value) -> Value) {
        let want = json!({ "node": { "at": at, "chain": chain, "trust": null } }).to_string();
        self.told.clear();
        self.call(Event::Want(&want), node);
    }

    fn list(&self) -> Option<&str> {
        self.told.iter().rev().find_map(|told| told["list"].as_str())
    }

    fn trouble(&self) -> Option<(&str, bool)> {
        let last = self.told.iter().rev().find_map(|told| told.get("trouble"))?;
        Some((last["text"].as_str()?, last["lie"].as_bool()?))
    }
}

#[test]
fn a_wallet_shows_the_tables_that_a_node_proves_and_is_the_same_after_a_reload() {
    let world = World::new("test");
    let mut page = Page::begin(r#"{"key":null}"#);
    let mine = page.told[0]["wallet"].as_str().unwrap().to_owned();
    assert!(mine.starts_with("deal1"));
    page.connect("127.0.0.1:5", None, &mut |method, params| world.answer(method, params));
    let list = page.list().unwrap();
    assert!(list.contains("table-1") && list.contains("one &lt;b&gt;table&lt;/b&gt;"), "{list}");
    let page = page.reload();
    assert_eq!(page.told[0]["wallet"], mine);
}

#[test]
fn a_node_that_lies_is_called_so_and_nothing_is_shown() {
    let world = World::new("test");
    let lies: [fn(&str, Value) -> Value; 2] = [
        |method, mut truth| {
            if method == "entries" {
                truth["entries"][0]["value"] = Value::Null;
            }
            truth
        },
        |method, mut truth| {
            if method == "header" {
                let bytes = unhex(truth["decided"].as_str().unwrap()).unwrap();
                let mut decided: Decided = borsh::from_slice(&bytes).unwrap();
                decided.header.root = [1; 32];
                truth = json!({ "decided": in_hex(&decided) });
            }
            truth
        },
    ];
    for lie in lies {
        let mut page = Page::begin(r#"{"key":null}"#);
        page.connect("127.0.0.1:5", None, &mut |method, params| lie(method, world.answer(method, params)));
        let (text, is_lie) = page.trouble().unwrap();
        assert!(is_lie && text.contains("does not prove what it says"), "{text}");
        assert_eq!(page.list(), None);
    }
}

#[test]
fn a_chain_is_remembered_and_another_one_at_the_same_node_is_refused() {
    let world = World::new("test");
    let other = World::new("another");
    let mut page = Page::begin(r#"{"key":null}"#);
    let chain = hex(&world.genesis.chain());
    page.connect("node.example.org", Some(&"0".repeat(64)), &mut |method, params| world.answer(method, params));
    assert!(page.trouble().unwrap().0.contains("not to 000000000000"), "{:?}", page.told);
    page.connect("node.example.org", Some(&chain), &mut |method, params| world.answer(method, params));
    assert!(page.told.iter().any(|told| told["at"]["chain"] == chain));
    // It is kept, so that another chain is noticed after a reload as well.
    let mut page = page.reload();
    page.connect("node.example.org", None, &mut |method, params| other.answer(method, params));
    assert!(page.trouble().unwrap().0.contains("belongs to chain"), "{:?}", page.told);
    assert!(page.told.iter().all(|told| told.get("at").is_none()));
    // Whoever means the other one can say so: the page is told its name.
    let found = page.told.iter().rev().find_map(|told| told["trouble"]["found"].as_str()).unwrap().to_owned();
    assert_eq!(found, hex(&other.genesis.chain()));
    page.connect("node.example.org", Some(&found), &mut |method, params| other.answer(method, params));
    assert!(page.list().is_some());
    // Chains on one's own computer begin anew all the time.
    page.connect("127.0.0.1:5", None, &mut |method, params| world.answer(method, params));
    page.connect("127.0.0.1:5", None, &mut |method, params| other.answer(method, params));
    assert!(page.told.iter().any(|told| told["note"].as_str().is_some_and(|note| note.contains("another chain"))));
}

#[test]
fn nonsense_is_refused() {
    let mut nobody = |_: &str, _: &Value| Value::Null;
    for wish in ["", "{}x", r#"{"key":"00"}"#, &format!(r#"{{"key":"{}"}}"#, "0".repeat(64))] {
        assert!(Page::begin(wish).failed.is_some(), "{wish}");
    }
    let mut page = Page::default();
    page.call(Event::Tick, &mut nobody);
    assert_eq!(page.failed.take().unwrap(), "there is no wallet yet");
    for (kept, secret) in [("{", [1; 32].as_slice()), ("{}", &[1; 31]), ("[]", &[1; 32])] {
        page.call(Event::Resume { kept, secret, entries: Vec::new() }, &mut nobody);
        assert!(page.failed.take().is_some(), "{kept}");
    }
    let mut page = Page::begin(&format!(r#"{{"key":"{}"}}"#, "07".repeat(32)));
    assert_eq!(page.kept.1, [7; 32]);
    page.connect("a b", None, &mut nobody);
    assert!(page.trouble().unwrap().0.contains("not the address of a node"));
    page.connect("127.0.0.1:5", None, &mut nobody);
    assert!(page.trouble().unwrap().0.contains("not a node, or a broken one"));
    page.call(Event::Want("{}"), &mut nobody);
    assert!(page.failed.take().unwrap().contains("nobody can want this"));
    let mut module = Module::default();
    assert!(String::from_utf8_lossy(&module.call(&[1, 2, 3])).contains("cut off"));
}

#[test]
fn a_connection_that_is_lost_is_told_and_opened_again() {
    let world = World::new("test");
    let mut page = Page::begin(r#"{"key":null}"#);
    page.connect("127.0.0.1:5", None, &mut |method, params| world.answer(method, params));
    assert_eq!(page.connected, 2, "once for the genesis, and once to stay");
    page.told.clear();
    page.call(Event::Closed("gone"), &mut |method, params| world.answer(method, params));
    // Nobody waited for an answer, so it is opened again at once.
    assert_eq!((page.connected, page.failed.as_deref()), (3, None));
    let mut nobody = |_: &str, _: &Value| Value::Null;
    page.refuses = true;
    page.call(Event::Closed("gone again"), &mut nobody);
    assert_eq!(page.trouble(), Some(("The connection to the node at 127.0.0.1:5 was lost.", false)));
    for _ in 0..5 {
        page.calls += 1_000;
        page.call(Event::Tick, &mut nobody);
    }
    assert_eq!(page.trouble(), Some(("No node can be reached at 127.0.0.1:5.", false)));
    // Once it is there again, the tables are shown again.
    page.refuses = false;
    page.told.clear();
    for _ in 0..20 {
        page.calls += 1_000;
        page.call(Event::Tick, &mut |method, params| world.answer(method, params));
    }
    assert!(page.list().is_some() && page.trouble().is_none(), "{:?}", page.told);
}

#[test]
fn a_chain_on_ones_own_computer_that_begins_anew_is_met_again_without_a_reload() {
    let (world, other) = (World::new("test"), World::new("another"));
    let mut page = Page::begin(r#"{"key":null}"#);
    page.connect("127.0.0.1:5", None, &mut |method, params| world.answer(method, params));
    page.told.clear();
    page.call(Event::Closed("gone"), &mut |method, params| other.answer(method, params));
    for _ in 0..5 {
        page.calls += 1_000;
        page.call(Event::Tick, &mut |method, params| other.answer(method, params));
    }
    let met = hex(&other.genesis.chain());
    assert!(page.told.iter().any(|told| told["at"]["chain"] == met) && page.list().is_some(), "{:?}", page.told);
}
