//! A connection to one node: questions, answers, and news in between.

use core::time::Duration;
use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::wire::{Cut, Net, Wire};
use crate::{Error, Place};

/// The longest answer: an exported hand in hex, and what is around it.
pub const LONGEST: usize = 32 << 20;
/// How much may come that nobody asked for before the answer to a question.
const MOST_BETWEEN: usize = 1_000;

/// A connection to one node.
pub(crate) struct Line<W> {
    place: Place,
    wire: W,
    /// The number of the next question.
    next: u64,
    /// There was news since somebody waited for it.
    news: bool,
}

impl<W> core::fmt::Debug for Line<W> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Line({})", self.place)
    }
}

impl<W: Wire> Line<W> {
    /// Connects to a node.
    pub(crate) async fn open<N: Net<Wire = W>>(net: &mut N, place: Place, patience: Duration) -> Result<Self, Error> {
        match net.open(&place, patience).await {
            Ok(wire) => Ok(Self { place, wire, next: 1, news: false }),
            Err(cut) => Err(error(&place, cut)),
        }
    }

    /// Whom it leads to.
    pub(crate) const fn place(&self) -> &Place {
        &self.place
    }

    /// The error for something that no node would say.
    pub(crate) fn nonsense(&self, expected: &'static str) -> Error {
        Error::Nonsense { place: self.place.clone(), expected }
    }

    /// One question, answered until this time at the latest.
    pub(crate) async fn ask(&mut self, method: &str, params: Value, until: Duration) -> Result<Value, Error> {
        let mut answers = self.ask_all(method, vec![params], until).await?;
        answers.pop().ok_or_else(|| self.nonsense("an answer"))
    }

    /// Several questions at once; the answers in the same order.
    pub(crate) async fn ask_all(
        &mut self,
        method: &str,
        params: Vec<Value>,
        until: Duration,
    ) -> Result<Vec<Value>, Error> {
        let (first, count) = (self.next, params.len());
        for params in params {
            let request = json!({ "jsonrpc": "2.0", "id": self.next, "method": method, "params": params });
            self.next += 1;
            self.wire.send(request.to_string(), until).await.map_err(|cut| error(&self.place, cut))?;
        }
        let mut answers: BTreeMap<u64, Value> = BTreeMap::new();
        for _ in 0..count.saturating_add(MOST_BETWEEN) {
            if answers.len() == count {
                return Ok(answers.into_values().collect());
            }
            let mut said = self.hear(until).await?;
            // Answers to questions that nobody waits for any more are passed over.
            let Some(id) = said.get("id").and_then(Value::as_u64).filter(|id| (first..self.next).contains(id)) else {
                continue;
            };
            if let Some(wrong) = said.get("error") {
                let why = wrong.get("message").and_then(Value::as_str).unwrap_or("it does not say why");
                return Err(Error::Refused { why: harmless(why) });
            }
            answers.insert(id, said.get_mut("result").map(Value::take).unwrap_or_default());
        }
        Err(self.nonsense("an answer before so much else"))
    }

    /// Asks to be told of every block.
    pub(crate) async fn subscribe(&mut self, until: Duration) -> Result<(), Error> {
        self.ask("subscribe", json!({}), until).await.map(drop)
    }

    /// Waits for news until this time at the latest; whether there was any.
    pub(crate) async fn news(&mut self, until: Duration) -> Result<bool, Error> {
        while !self.news {
            match self.hear(until).await {
                Ok(_) => {}
                Err(Error::Silent { .. }) => return Ok(false),
                Err(why) => return Err(why),
            }
        }
        self.news = false;
        Ok(true)
    }

    /// The next thing that the node says.
    async fn hear(&mut self, until: Duration) -> Result<Value, Error> {
        let text = self.wire.hear(until).await.map_err(|cut| error(&self.place, cut))?;
        let said: Value = serde_json::from_str(&text).map_err(|_| self.nonsense("JSON"))?;
        self.news |= said.get("method").and_then(Value::as_str) == Some("news");
        Ok(said)
    }
}

fn error(place: &Place, cut: Cut) -> Error {
    let place = place.clone();
    match cut {
        Cut::Unreachable(why) => Error::Unreachable { place, why },
        Cut::Silent => Error::Silent { place },
        Cut::Lost(why) => Error::Lost { place, why },
        Cut::Nonsense(expected) => Error::Nonsense { place, expected },
    }
}

/// Words of a stranger, that cannot steer a terminal and do not fill it.
pub(crate) fn harmless(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(300).collect()
}
