//! The table: what the person does, what is due without them, and what is stored of it.

use page::{Asked, Lang};
use rand::rngs::ChaCha20Rng;
use rand::{Rng as _, SeedableRng as _};
use room::ids::Millis;
use room::sight::{self, Click, Clicked, Watched};
use room::{Command, Due, Entry, Event, Face, Keep, Refusal};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use table::Height;
use zeroize::Zeroizing;

use crate::call::{Call, Effect};
use crate::seeing::Seen;
use crate::trouble::Trouble;
use crate::wish::{Granted, PERSON, SEAT, Wish, entry};

/// What the room keeps beside its state: what happened, for the log in words.
const KEEP: Keep = Keep { seen: true, record: false, private: false };
/// How long to leave something alone that is due and was refused.
const PAUSE: u32 = 500;
/// The longest time without a call, so that no timer of a browser is too long.
const LONGEST: i64 = 3_600_000;

/// The version of what a page keeps.
const VERSION: u8 = 1;

/// What a page keeps beside the log and the secret.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    version: u8,
    game: String,
}

/// What a page can want.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Want {
    /// To be shown the table, in this language: it was loaded, and has nothing.
    Draw(String),
    /// A message of the table's script, as over a socket.
    Page(String),
}

/// A table for one person.
pub(crate) struct Alone {
    pub(crate) room: Watched,
    /// How many entries its log has.
    height: u64,
    /// The table's time when the page's own clock, which never runs backwards, is at zero.
    zero: i64,
    /// Since when it has been played without a pause.
    since: Millis,
    /// What the page has, once it has asked for it.
    seen: Option<Seen>,
}

/// The beginning of a table.
pub(crate) enum Begun {
    /// There it is; and what to store.
    Table(Box<Alone>, Vec<Effect>),
    /// The form is wrong.
    Wrong(Effect),
}

impl Alone {
    /// Somebody wants to play.
    pub(crate) fn begin(wish: &str, call: &Call<'_>) -> Result<Begun, Trouble> {
        let mut rng = ChaCha20Rng::from_seed(call.random);
        let (mut secret, mut session) = (Zeroizing::new([0; 32]), [0; 32]);
        rng.fill_bytes(&mut *secret);
        rng.fill_bytes(&mut session);
        let events = match Wish::read(wish)?.grant(session)? {
            Granted::Events(events) => events,
            Granted::Wrong(form) => return Ok(Begun::Wrong(told(&json!({ "wrong": form })))),
        };
        let zero = zero(call);
        let at = Millis(zero.saturating_add(signed(call.now)));
        let first = Entry { at, events };
        let room = Watched::replay(*secret, [first.clone()], KEEP);
        let room = room.map_err(|why| Trouble::new("other", why.to_string()))?;
        let kept = Kept { version: VERSION, game: room.terms().game.clone() };
        let mut alone = Self { room, height: 0, zero, since: at, seen: None };
        let mut effects = vec![Effect::Keep(json!(kept).to_string()), Effect::Secret(secret.to_vec())];
        effects.push(alone.log(&first)?);
        effects.push(alone.begun());
        effects.extend(alone.wake(at));
        Ok(Begun::Table(Box::new(alone), effects))
    }

    /// They come back, with what was stored.
    pub(crate) fn resume(
        kept: &str,
        secret: &[u8],
        entries: &[&[u8]],
        call: &Call<'_>,
    ) -> Result<(Self, Vec<Effect>), Trouble> {
        let damaged = |why: &str| Trouble::new("damaged", why);
        let kept: Kept = serde_json::from_str(kept).map_err(|why| damaged(&why.to_string()))?;
        if kept.version != VERSION {
            return Err(damaged("it was kept by another version"));
        }
        let secret: Zeroizing<[u8; 32]> = Zeroizing::new(secret.try_into().map_err(|_| damaged("the secret"))?);
        let entries = entries.iter().map(|bytes| entry(bytes)).collect::<Result<Vec<Entry>, Trouble>>()?;
        let height = u64::try_from(entries.len()).unwrap_or(u64::MAX);
        let room = Watched::replay(*secret, entries, KEEP).map_err(|why| Trouble::kept(&why))?;
        if room.seat_of(PERSON).is_none() || room.seat_of(PERSON) != SEAT || room.play().is_none() {
            return Err(damaged("nobody sits there"));
        }
        // A clock that was set back must not hold up the table.
        let zero = zero(call).max(room.at().0.saturating_sub(signed(call.now)));
        let since = Millis(zero.saturating_add(signed(call.now)));
        let alone = Self { room, height, zero, since, seen: None };
        let effects = [alone.begun()].into_iter().chain(alone.wake(since)).collect();
        Ok((alone, effects))
    }

    /// Time has passed: something may be due.
    pub(crate) fn tick(&mut self, call: &Call<'_>) -> Vec<Effect> {
        let at = self.at(call);
        let Some(due) = self.due().filter(|due| due.granted(self.since) <= at) else {
            return self.wake(at).into_iter().collect();
        };
        // One event at a time, so that each is seen, and the person comes in between.
        let done = self.room.tick(&due).ok_or(Refusal::NotAsked).and_then(|event| self.apply(at, event));
        match done {
            Ok(logged) => self.after(at, vec![logged]),
            Err(_) => vec![Effect::Wake(PAUSE)],
        }
    }

    /// The page wants something.
    pub(crate) fn want(&mut self, wanted: &str, call: &Call<'_>) -> Result<Vec<Effect>, Trouble> {
        let wanted: Want = serde_json::from_str(wanted)
            .map_err(|why| Trouble::new("other", format!("nobody can want that: {why}")))?;
        let at = self.at(call);
        match wanted {
            Want::Draw(lang) => {
                self.seen = Some(Seen::new(Lang::from_code(&lang).unwrap_or_default()));
                Ok(self.after(at, Vec::new()))
            }
            Want::Page(message) => Ok(self.hear(&message, at)),
        }
    }

    /// A message of the table's script.
    fn hear(&mut self, message: &str, at: Millis) -> Vec<Effect> {
        let asked: Result<Asked<Command>, Refusal> =
            serde_json::from_str(message).map_err(|why| Refusal::NotAMove(why.to_string()));
        match asked.and_then(|asked| self.carry_out(asked, at)) {
            Ok(effects) => self.after(at, effects),
            Err(why) => {
                let why = why.say(self.lang());
                vec![page(&json!({ "refused": why }))]
            }
        }
    }

    fn carry_out(&mut self, asked: Asked<Command>, at: Millis) -> Result<Vec<Effect>, Refusal> {
        let clicked = match asked {
            Asked::Draft(draft) => {
                if let Some(seen) = &mut self.seen {
                    seen.prepare(draft.get());
                }
                return Ok(Vec::new());
            }
            // Whoever leaves begins another match: the page forgets this one.
            Asked::Command(Command::Stand {}) => return Ok(vec![told(&json!({ "left": true }))]),
            Asked::Command(
                command @ (Command::Act { .. } | Command::Choose { .. } | Command::Ready { .. } | Command::Back {}),
            ) => {
                let event = self.room.event(PERSON, &Face { name: String::new(), avatar: 0 }, command)?;
                return Ok(vec![self.apply(at, event)?]);
            }
            // There is nobody to talk to, and nothing that could be changed about the table.
            Asked::Command(_) => return Err(Refusal::NotAsked),
            Asked::Hint {} => return self.hint(at),
            Asked::Press { key, height, draft } => self.click(height, Click::Key(key), draft.as_deref())?,
            Asked::Place { place, height, draft } => self.click(height, Click::Place(place), draft.as_deref())?,
        };
        let (draft, effects) = match clicked {
            Clicked::Event(event, kept) => (kept, vec![self.apply(at, event)?]),
            Clicked::Draft(draft, said) => {
                (draft, said.map(|said| page(&json!({ "said": said }))).into_iter().collect())
            }
            Clicked::Refused(why) => return Ok(vec![page(&json!({ "refused": why }))]),
        };
        if let Some(seen) = &mut self.seen {
            seen.hold(draft);
        }
        Ok(effects)
    }

    fn click(&self, height: Height, what: Click, draft: Option<&RawValue>) -> Result<Clicked, Refusal> {
        sight::click_at(&self.room, (PERSON, height), self.lang(), what, draft.map(RawValue::get))
    }

    /// What a strong player would do. Takes long.
    fn hint(&mut self, at: Millis) -> Result<Vec<Effect>, Refusal> {
        let seat = self.room.seat_of(PERSON).ok_or(Refusal::NotSeated)?;
        if !self.room.allows_hints() {
            return Err(Refusal::NoHints);
        }
        let hint = sight::hint(&self.room, seat, self.lang()).and_then(|think| think()).ok_or(Refusal::NotAsked)?;
        let mut effects = Vec::new();
        if !self.room.was_hinted(seat, hint.height) {
            effects.push(self.apply(at, Event::Hinted { seat, height: hint.height })?);
        }
        let draft: Value = serde_json::from_str(&hint.draft).unwrap_or_default();
        let (what, why, key, height) = (hint.what, hint.why, hint.key, hint.height);
        effects
            .push(page(&json!({ "hint": { "what": what, "why": why, "draft": draft, "key": key, "height": height } })));
        Ok(effects)
    }

    /// Something happens: the room takes it, and it must be stored before anything is shown.
    fn apply(&mut self, at: Millis, event: Event) -> Result<Effect, Refusal> {
        self.room.apply(at, &event)?;
        self.log(&Entry { at, events: vec![event] }).map_err(|_| Refusal::Damaged("an entry"))
    }

    fn log(&mut self, entry: &Entry) -> Result<Effect, Trouble> {
        let text = serde_json::to_vec(entry).map_err(|why| Trouble::new("other", why.to_string()))?;
        self.height = self.height.saturating_add(1);
        Ok(Effect::Log { height: self.height, entry: text })
    }

    /// What was done; then the table as it is now, and when to come back.
    fn after(&mut self, at: Millis, mut effects: Vec<Effect>) -> Vec<Effect> {
        if let Some(seen) = &mut self.seen {
            effects.push(page(&seen.show(&self.room, at, self.since)));
        }
        effects.extend(self.wake(at));
        effects
    }

    /// There is a match, and the page can show it.
    fn begun(&self) -> Effect {
        told(&json!({ "match": { "game": self.room.terms().game } }))
    }

    fn due(&self) -> Option<Due> {
        self.room.due()
    }

    fn wake(&self, at: Millis) -> Option<Effect> {
        let left = self.due()?.granted(self.since).since(at).clamp(0, LONGEST);
        Some(Effect::Wake(u32::try_from(left).unwrap_or(PAUSE)))
    }

    fn at(&self, call: &Call<'_>) -> Millis {
        Millis(self.zero.saturating_add(signed(call.now))).max(self.room.at())
    }

    fn lang(&self) -> Lang {
        self.seen.as_ref().map(Seen::lang).unwrap_or_default()
    }
}

/// The time when the page's clock was at zero.
fn zero(call: &Call<'_>) -> i64 {
    signed(call.clock).saturating_sub(signed(call.now))
}

fn signed(millis: u64) -> i64 {
    i64::try_from(millis).unwrap_or(i64::MAX)
}

fn told(value: &Value) -> Effect {
    Effect::Tell(value.to_string())
}

/// Something for the table's script.
fn page(message: &Value) -> Effect {
    told(&json!({ "page": message }))
}
