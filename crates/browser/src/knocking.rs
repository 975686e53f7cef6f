//! Somebody without a ticket, at the door of a table: they knock until somebody there lets them in. The same as in a
//! terminal, with the frames of [`peer::frame`].

use dealing::decode;
use peer::frame::{From, FromHub, ToHub, Why};
use peer::place::{Caller, End, Line, Pauses, Said};
use peer::{Knock, Knocked, Knocking, MOST_NAME, TableId, Ticket};
use rand::Rng as _;
use results::Public;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::call::{Effect, Event};
use crate::kept::random;
use crate::seat::{Around, address, send};
use crate::trouble::Trouble;

/// After this long without an answer they knock again: perhaps nobody was at the table.
const AGAIN: u64 = 10_000;
/// How often the time is looked at.
const TICK: u32 = 1_000;

/// Where somebody knocks, and what they want to be called.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wish {
    at: String,
    table: String,
    name: String,
}

/// Somebody at the door.
pub(crate) struct AtDoor {
    wish: Wish,
    table: TableId,
    line: Option<Line>,
    pauses: Pauses,
    hub: Option<Public>,
    stage: Stage,
}

enum Stage {
    /// There is no connection.
    Away,
    /// They have knocked, at this time.
    Knocking(Knocking, u64),
    /// Somebody has answered, and both compare words.
    Comparing(Knocked),
    /// They were let in, or not, or nobody has decided.
    Over,
}

impl AtDoor {
    pub(crate) fn new(wish: &str) -> Result<(Self, Vec<Effect>), Trouble> {
        let wish: Wish = serde_json::from_str(wish).map_err(|why| format!("not a wish: {why}"))?;
        if wish.name.trim().is_empty() || wish.name.len() > MOST_NAME {
            return Err(Trouble::new("name", format_args!("a name has from 1 to {MOST_NAME} bytes")));
        }
        let table = table::record::unhex(&wish.table).and_then(|id| id.try_into().ok()).map(TableId);
        let table = table.ok_or("this is not the id of a table")?;
        let (line, pauses) = (None, Pauses::default());
        let mut door = Self { wish, table, line, pauses, hub: None, stage: Stage::Away };
        let connect = door.connect(0);
        Ok((door, vec![connect, Effect::Wake(TICK)]))
    }

    fn connect(&mut self, pause: u64) -> Effect {
        // Whoever has the code has to believe that the hub is the right one: the words show whether it listens.
        (self.line, self.stage) = (Some(Line::new(None)), Stage::Away);
        Effect::Connect { pause: u32::try_from(pause).unwrap_or(u32::MAX), address: address(&self.wish.at, self.table) }
    }

    /// Something has happened.
    pub(crate) fn happens(&mut self, event: Event<'_>, mut around: Around) -> Result<Vec<Effect>, Trouble> {
        if matches!(self.stage, Stage::Over) {
            return Ok(Vec::new());
        }
        let mut effects = match event {
            Event::Frame(bytes) => self.frame(bytes, &mut around)?,
            Event::Closed(_) => self.lost(&mut around),
            Event::Tick if matches!(self.stage, Stage::Knocking(_, since) if around.now.saturating_sub(since) > AGAIN) =>
            {
                vec![self.connect(0)]
            }
            _ => Vec::new(),
        };
        if !matches!(self.stage, Stage::Over) {
            effects.push(Effect::Wake(TICK));
        }
        Ok(effects)
    }

    fn lost(&mut self, around: &mut Around) -> Vec<Effect> {
        let greeted = self.line.take().is_some_and(|line| line.is_open());
        let pause = self.pauses.next(greeted, around.rng.next_u32());
        vec![tell(&json!("offline")), self.connect(pause)]
    }

    fn frame(&mut self, bytes: &[u8], around: &mut Around) -> Result<Vec<Effect>, Trouble> {
        let Some(line) = &mut self.line else { return Ok(Vec::new()) };
        let said = match decode::<FromHub>(bytes) {
            Ok(frame) => line.hear(frame, Caller::Knock(self.table), &random(&mut around.rng)),
            Err(_) => Err(End::NotAHub),
        };
        match said {
            Ok(Said::Greet(greeting)) => Ok(vec![send(&greeting)]),
            Ok(Said::Open { hub, .. }) => {
                let (knocking, commit) = Knocking::new(self.table, self.wish.name.trim(), &mut around.rng);
                (self.hub, self.stage) = (Some(hub), Stage::Knocking(knocking, around.now));
                Ok(vec![say(&commit), tell(&json!("knocking"))])
            }
            Ok(Said::Beside { from: From::Member(_), words }) => match decode(&words) {
                Ok(words) => self.answered(words),
                Err(_) => Ok(Vec::new()),
            },
            Ok(_) => Ok(Vec::new()),
            // Both had words to compare, and nobody there has decided anything. Others would make no difference.
            Err(End::Closed(Why::TimeUp)) if matches!(self.stage, Stage::Comparing(_)) => {
                self.stage = Stage::Over;
                Ok(vec![tell(&json!("unanswered"))])
            }
            Err(why) if why.is_final() => Err(Trouble::ended(why)),
            Err(_) => Ok(self.lost(around)),
        }
    }

    fn answered(&mut self, words: Knock) -> Result<Vec<Effect>, Trouble> {
        let failed = |why: peer::Failed| Trouble::new("knock", why);
        match (words, core::mem::replace(&mut self.stage, Stage::Away)) {
            // The first who answers counts.
            (Knock::Answer(key), Stage::Knocking(knocking, _)) => {
                let (knocked, reveal) = knocking.answered(key).map_err(failed)?;
                let words = knocked.words();
                self.stage = Stage::Comparing(knocked);
                Ok(vec![say(&reveal), tell(&json!({ "words": words }))])
            }
            (Knock::Admit(sealed), Stage::Comparing(knocked)) => {
                let key = knocked.admitted(&sealed).map_err(failed)?;
                let hub = self.hub.ok_or("the hub has not said who it is")?;
                self.stage = Stage::Over;
                let ticket = Ticket { at: self.wish.at.clone(), key, hub };
                Ok(vec![tell(&json!({ "ticket": ticket.to_string() }))])
            }
            (Knock::Decline, _) => {
                self.stage = Stage::Over;
                Ok(vec![tell(&json!("declined"))])
            }
            (_, stage) => {
                self.stage = stage;
                Ok(Vec::new())
            }
        }
    }
}

fn say(words: &Knock) -> Effect {
    send(&ToHub::Beside { to: 0, words: dealing::encode(words) })
}

fn tell(door: &Value) -> Effect {
    Effect::Tell(json!({ "door": door }).to_string())
}
