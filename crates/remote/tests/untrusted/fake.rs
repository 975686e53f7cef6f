//! A node in this process that says what a test wants it to say.

use std::sync::Arc;

use chain::light::{Certificate, Decided};
use chain::staking::{self, Kind, Vote};
use chain::testing::{Kit, key};
use chain::{Address, Header, Signed, State, hex, unhex};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio_tungstenite::tungstenite::Message;

use light::in_hex;
use remote::Place;

/// A chain of which every block is known, and the state after each.
pub(super) struct World {
    pub(super) kit: Kit,
    pub(super) decided: Vec<Decided>,
    pub(super) states: Vec<State>,
}

impl World {
    /// With four validators and three players.
    pub(super) fn new() -> Self {
        let kit = Kit::new(4, 3);
        Self { states: vec![kit.state.clone()], kit, decided: Vec::new() }
    }

    /// A block with these transactions, decided by the validators with these keys.
    pub(super) fn block(&mut self, transactions: Vec<Signed>, by: &[u16]) {
        let validators = staking::validators(self.kit.state.store());
        self.kit.next_block(transactions);
        let header = self.kit.blocks.last().unwrap().header.clone();
        self.decided.push(Decided { certificate: signed(&header, by), header, validators });
        self.states.push(self.kit.state.clone());
    }

    /// So many empty blocks.
    pub(super) fn blocks(mut self, count: usize) -> Self {
        (0..count).for_each(|_| self.block(Vec::new(), &[0, 1, 2, 3]));
        self
    }

    /// What an honest node says whose last block is this one. It has the header of the next, too, as if that came at
    /// once.
    pub(super) fn answer(&self, at: u64, method: &str, params: &Value) -> Value {
        let state = &self.states[usize::try_from(at).unwrap()];
        match method {
            "status" => json!({ "chain": hex(&self.kit.genesis.chain()), "height": at }),
            "subscribe" => json!({ "cursor": 0 }),
            "header" => {
                let index = usize::try_from(params["height"].as_u64().unwrap() - 1).unwrap();
                self.decided.get(index).map_or(Value::Null, |decided| json!({ "decided": in_hex(decided) }))
            }
            "entries" => {
                let entry = |key: &Value| {
                    let key = unhex(key.as_str().unwrap()).unwrap();
                    let (value, proof) = state.store().prove(&key).unwrap();
                    json!({ "key": hex(&key), "value": value.map(|value| hex(&value)), "proof": in_hex(&proof) })
                };
                let entries: Vec<Value> = params["keys"].as_array().unwrap().iter().map(entry).collect();
                json!({ "height": at, "entries": entries })
            }
            "submit" => json!({ "id": "" }),
            _ => Value::Null,
        }
    }
}

/// A certificate by the validators with these keys.
pub(super) fn signed(header: &Header, by: &[u16]) -> Certificate {
    let (chain, height, round, kind, block) = (header.chain, header.height, 0, Kind::Precommit, header.hash());
    let vote = Vote { chain, height, round, kind, block: Some(block) };
    let sign = |number: &u16| (Address(key(*number).verifying_key().to_bytes()), vote.sign(&key(*number)));
    Certificate { height, round, block, signatures: by.iter().map(sign).collect() }
}

/// What a fake node does when it is asked.
pub(super) enum Says {
    /// Answers.
    This(Value),
    /// Refuses, with these words.
    No(&'static str),
    /// Sends this text, whatever it is.
    Text(String),
    /// Says nothing.
    Nothing,
    /// Closes the line.
    Close,
}

/// Starts a node that says what this function makes up.
pub(super) async fn node(says: impl Fn(&str, &Value) -> Says + Send + Sync + 'static) -> Place {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let place = listener.local_addr().unwrap().to_string().parse().unwrap();
    let says = Arc::new(says);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let says = Arc::clone(&says);
            tokio::spawn(async move {
                let Ok(mut socket) = tokio_tungstenite::accept_async(stream).await else { return };
                while let Some(Ok(Message::Text(text))) = socket.next().await {
                    let asked: Value = serde_json::from_str(&text).unwrap();
                    let reply = match says(asked["method"].as_str().unwrap(), &asked["params"]) {
                        Says::This(result) => json!({ "id": asked["id"], "result": result }).to_string(),
                        Says::No(why) => json!({ "id": asked["id"], "error": { "message": why } }).to_string(),
                        Says::Text(text) => text,
                        Says::Nothing => continue,
                        Says::Close => return,
                    };
                    if socket.send(Message::text(reply)).await.is_err() {
                        return;
                    }
                }
            });
        }
    });
    place
}
