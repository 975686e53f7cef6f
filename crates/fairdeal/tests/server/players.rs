//! People who play over HTTP, with a ledger of accepted moves.

use std::collections::BTreeSet;
use std::io;
use std::net::SocketAddr;

use dealers::Checker;
use dealers::house::{Asked, Audit, Commitments, Kept, Seed, Witness};
use games::AnyGame;
use serde_json::{Value, json};
use table::Seat;
use table::record::{hex, unhex};

use super::http::request;

/// A table with its people.
pub(crate) struct Table {
    pub(crate) id: String,
    pub(crate) game: &'static str,
    pub(crate) keys: Vec<String>,
    /// Accepted moves: height, seat, and the action or choice.
    pub(crate) accepted: Vec<(u64, u64, Value)>,
    /// The accepted seeds, as the record names them.
    pub(crate) seeds: BTreeSet<String>,
    /// What everybody has seen of the shuffles.
    witnesses: Vec<Witness>,
}

/// How people sit at a table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    /// Two people, and a computer.
    Plain,
    /// The two add a seed to every deck; a third person does nothing at all, so there is a time limit.
    SeedsAndOneAbsent,
}

impl Table {
    /// Two people and a computer sit down, and the match begins.
    pub(crate) fn begin(server: SocketAddr, game: &'static str, settings: &Value) -> Self {
        Self::begin_as(server, game, settings, Manner::Plain)
    }

    /// People sit down like this, and the match begins.
    pub(crate) fn begin_as(server: SocketAddr, game: &'static str, settings: &Value, manner: Manner) -> Self {
        let ask = |path: &str, key: Option<&str>, body: Value| {
            let answer = request(server, "POST", path, key, Some(&body)).expect("the server answers");
            assert!(answer.status < 300, "{path}: {answer:?}");
            answer
        };
        let come = |name: &str| {
            let made = ask("/api/v1/players", None, json!({ "name": name })).json();
            made["key"].as_str().expect("a key").to_owned()
        };
        let keys = vec![come("Anna"), come("Bert")];
        let seeds = manner == Manner::SeedsAndOneAbsent;
        let players = if seeds { 4 } else { 3 };
        let new = json!({
            "game": game, "players": players, "settings": settings, "sit": true, "seeds": seeds,
            "computers": ["easy"], "pace": 5,
        });
        let made = ask("/api/v1/tables", Some(&keys[0]), new).json();
        let id = made["table"].as_str().expect("an id").to_owned();
        let commands = format!("/api/v1/tables/{id}/commands");
        ask(&commands, Some(&keys[1]), json!({ "sit": { "seeds": seeds } }));
        if seeds {
            ask(&commands, Some(&come("Cleo")), json!({ "sit": {} }));
        }
        ask(&commands, Some(&keys[0]), json!({ "start": {} }));
        let witness = |seat| Witness::new(&id, Seat::new(seat).expect("a seat"));
        let witnesses = vec![witness(0), witness(1)];
        Self { id, game, keys, accepted: Vec::new(), seeds: BTreeSet::new(), witnesses }
    }

    /// The table as one of its players sees it.
    pub(crate) fn state(&self, server: SocketAddr, seat: usize) -> io::Result<Value> {
        let answer = request(server, "GET", &format!("/api/v1/tables/{}", self.id), Some(&self.keys[seat]), None)?;
        if answer.status != 200 {
            return Err(io::Error::other(format!("{answer:?}")));
        }
        Ok(answer.json())
    }

    /// A player whose turn it is moves; returns the height before it, or nothing if it is nobody's turn.
    pub(crate) fn step(&mut self, servers: &[SocketAddr]) -> io::Result<Option<u64>> {
        self.step_at(|seat| (servers[seat % servers.len()], servers[seat % servers.len()]))
    }

    /// The same, but everybody asks one server and answers another.
    pub(crate) fn step_elsewhere(&mut self, asked: SocketAddr, answered: SocketAddr) -> io::Result<Option<u64>> {
        self.step_at(|_| (asked, answered))
    }

    /// By seat: the server that is asked, and the one that is answered.
    fn step_at(&mut self, servers: impl Fn(usize) -> (SocketAddr, SocketAddr)) -> io::Result<Option<u64>> {
        for seat in 0..self.keys.len() {
            let (asked, server) = servers(seat);
            let state = self.state(asked, seat)?;
            let height = state["height"].as_u64().unwrap_or(0);
            if state["phase"] == "between" {
                self.command(
                    server,
                    seat,
                    &json!({ "ready": { "deal": state["deal"].as_u64().map(|deal| deal - 1) } }),
                )?;
                continue;
            }
            if state["seeds"].is_object() && state["awaited"].as_array().is_some_and(|all| all.contains(&json!(seat))) {
                self.add_seed(server, seat, &state)?;
                continue;
            }
            let Some((kind, what)) = decide(self.game, &state["moves"]) else { continue };
            let verb = if kind == "action" { "act" } else { "choose" };
            let done = self.command(server, seat, &json!({ verb: { "height": height, kind: what } }))?;
            if done {
                self.accepted.push((height, seat as u64, what));
            }
            return Ok(Some(height));
        }
        Ok(None)
    }

    /// Commits to a seed, or reveals it once all commitments are known. It is always the same for a deck, so that
    /// nothing else depends on what is remembered.
    fn add_seed(&mut self, server: SocketAddr, seat: usize, state: &Value) -> io::Result<()> {
        let (deck, number) = (state["seeds"]["deck"].as_u64().expect("a deck") as u32, seat as u8);
        let mut seed = Seed { seed: [number + 1; 32], nonce: [number + 5; 32] };
        seed.seed[..4].copy_from_slice(&deck.to_be_bytes());
        let session: [u8; 32] = unhex(state["session"].as_str().expect("a session")).unwrap().try_into().unwrap();
        if state["seeds"]["asked"] == "commitments" {
            let commitment = seed.commitment(&session, deck, Seat::new(number).expect("a seat"));
            self.witnesses[seat].commits(&session, deck, commitment).expect("the house is honest");
            let command = json!({ "commit": { "deck": deck, "commitment": hex(&commitment.0) } });
            if self.command(server, seat, &command)? {
                self.witnesses[seat].taken(deck, Asked::Commitments);
            }
        } else {
            let shown: Commitments =
                serde_json::from_value(state["seeds"]["commitments"].clone()).expect("all of them");
            self.witnesses[seat].sees(&session, deck, &shown).expect("the house is honest");
            let command = json!({ "reveal": { "deck": deck, "seed": hex(&seed.seed), "nonce": hex(&seed.nonce) } });
            if self.command(server, seat, &command)? {
                self.witnesses[seat].taken(deck, Asked::Seeds);
                self.seeds.insert(hex(&seed.seed));
            }
        }
        Ok(())
    }

    /// Sends a command; returns whether it was accepted. It may only be refused because others were faster.
    fn command(&self, server: SocketAddr, seat: usize, command: &Value) -> io::Result<bool> {
        let path = format!("/api/v1/tables/{}/commands", self.id);
        let answer = request(server, "POST", &path, Some(&self.keys[seat]), Some(command))?;
        match answer.status {
            204 => Ok(true),
            409 => {
                let error = answer.json()["error"].clone();
                assert!(
                    ["height", "not_asked", "chosen_already", "other_deal", "seed"].iter().any(|fine| error == *fine),
                    "{answer:?}"
                );
                Ok(false)
            }
            _ => Err(io::Error::other(format!("{answer:?}"))),
        }
    }

    /// Its record, checked: it proves what it should, heights have no gaps, and every accepted move appears once.
    pub(crate) fn check(&self, server: SocketAddr) -> String {
        let path = format!("/tables/{}/record", self.id);
        let record = request(server, "GET", &path, Some(&self.keys[0]), None).expect("the record");
        assert_eq!(record.status, 200, "{record:?}");
        games::with_game!(AnyGame::from_name(self.game).expect("a game"), G => {
            let kept: Vec<Kept> = self.witnesses.iter().flat_map(Witness::kept).cloned().collect();
            let audit = if kept.is_empty() { Audit::new() } else { Audit::with_kept(kept) };
            let mut checker = Checker::<G, Audit>::new(audit);
            for line in record.body.lines() {
                checker.line(line).unwrap_or_else(|why| panic!("{}: {why}: {line}", self.game));
            }
        });
        // Seeds of a deck that is being made are not in the record yet; a seed begins with the number of its deck.
        let making = self.state(server, 0).expect("the state")["seeds"]["deck"].as_u64();
        let making = making.map(|deck| format!("{deck:08x}"));
        for seed in self.seeds.iter().filter(|seed| making.as_ref().is_none_or(|deck| !seed.starts_with(deck))) {
            assert!(record.body.contains(seed), "{}: the seed {seed} was accepted", self.id);
        }
        let mut next = 0;
        let mut found: Vec<(u64, u64, Value)> = Vec::new();
        for line in record.body.lines() {
            let line: Value = serde_json::from_str(line).expect("lines of JSON");
            let (kind, body) = line.as_object().and_then(|line| line.iter().next()).expect("one key");
            let Some(height) = body.get("height").and_then(Value::as_u64) else { continue };
            assert_eq!(height, next, "heights have no gaps and nothing appears twice");
            next += 1;
            match kind.as_str() {
                "act" => found.push((height, body["seat"].as_u64().expect("a seat"), body["action"].clone())),
                "choices" => {
                    for choice in body["choices"].as_array().expect("choices") {
                        found.push((height, choice[0].as_u64().expect("a seat"), choice[1].clone()));
                    }
                }
                _ => {}
            }
        }
        let waiting = self.state(server, 0).expect("the state")["height"].as_u64();
        for accepted in &self.accepted {
            // A secret choice is in the record once all have chosen.
            let pending = Some(accepted.0) == waiting;
            let times = found.iter().filter(|one| *one == accepted).count();
            assert!(times == 1 || pending && times == 0, "{}: {accepted:?} appears {times} times", self.id);
        }
        record.body
    }
}

/// A player's move in this position: a simple choice that is always legal.
fn decide(game: &str, moves: &Value) -> Option<(&'static str, Value)> {
    match game {
        "blackout" => {
            if let Some(bid) = moves.get("bid") {
                let least = bid["least"].as_u64()?;
                let forbidden = bid.get("forbidden").and_then(Value::as_u64);
                let bid = if forbidden == Some(least) { least + 1 } else { least };
                return Some(("action", json!({ "bid": bid })));
            }
            let card = moves.get("play")?.get(0)?;
            Some(("action", json!({ "play": card.get("slot").unwrap_or(card) })))
        }
        "holdem" => {
            let check = moves.get("can_check")?.as_bool()?;
            Some(("action", if check { json!("check") } else { json!("call") }))
        }
        "blackjack" => {
            if let Some(bet) = moves.get("bet") {
                return Some(("choice", bet["least"].clone()));
            }
            let bust = moves.get("turn")?["bust"].as_bool()?;
            Some(("action", if bust { json!("bust") } else { json!("stand") }))
        }
        _ => None,
    }
}

/// Tables of several games, all begun.
pub(crate) fn tables(server: SocketAddr) -> Vec<Table> {
    vec![
        Table::begin(server, "blackout", &json!({ "max": 13 })),
        Table::begin(server, "holdem", &json!({ "hand_limit": 500, "blind_every": 0, "starting_chips": 1_000_000 })),
        Table::begin(server, "blackjack", &json!({ "rounds": 100, "starting_chips": 100_000 })),
        Table::begin_as(
            server,
            "blackout",
            &json!({ "max": 13, "action_timeout": 10, "away_after": 1 }),
            Manner::SeedsAndOneAbsent,
        ),
    ]
}
