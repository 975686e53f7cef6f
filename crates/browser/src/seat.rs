//! A member at a private table in a browser, before, in and after a match.

mod awake;
mod speaking;
mod wanting;

use dealing::decode;
use peer::frame::{From, FromHub, ToHub};
use peer::place::{Caller, Door, Foyer, Hearing, Line, Overheard, Pauses, Post, Rest, Said, Unheard};
use peer::{Beside, Entry, Head, Member, Private, Record, TableId};
use rand::rngs::ChaCha20Rng;
use rand::{Rng as _, SeedableRng as _};
use serde_json::{Value, json};
use zeroize::Zeroizing;

use awake::Awake;

use crate::call::{Call, Effect, Event};
use crate::kept::{Kept, Keys, random};
use crate::matched::Matched;
use crate::only::Only;
use crate::trouble::Trouble;

/// What a call brings from outside.
pub(crate) struct Around {
    pub(crate) clock: u64,
    pub(crate) now: u64,
    pub(crate) rng: ChaCha20Rng,
}

impl Around {
    pub(crate) fn new(call: &Call<'_>) -> Self {
        Self { clock: call.clock, now: call.now, rng: ChaCha20Rng::from_seed(call.random) }
    }
}

/// A member, or a spectator.
pub struct Seat {
    only: Only,
    kept: Kept,
    keys: Keys,
    stage: Stage,
    door: Door,
    post: Post,
    /// The connection, while there is one.
    line: Option<Line>,
    pauses: Pauses,
    awake: Awake,
    /// The log, for a hub that has lost it and for the record.
    entries: Vec<Vec<u8>>,
    /// How much of it goes back to a hub next.
    returning: Option<usize>,
    /// Whether a simple computer plays for this member.
    auto: bool,
    /// What has happened that the page does not know.
    news: Vec<Value>,
    /// What the page of the match has to be told.
    page: Vec<Value>,
    /// Something has changed since the page was told how things are.
    changed: bool,
    told: u64,
    /// What the page was told about the end.
    closing: Option<peer::place::Closing>,
}

enum Stage {
    Before(Box<Foyer>),
    Match(Box<dyn Matched>),
}

impl Seat {
    /// Goes to a table for the first time.
    pub(crate) fn new(wish: &str, only: Only, mut around: Around) -> Result<(Self, Vec<Effect>), Trouble> {
        let kept = Kept::new(wish, &mut around.rng)?;
        let private = Private::new(&Zeroizing::new(random(&mut around.rng)));
        let mut effects = vec![Effect::Keep(kept.text()), Effect::Secret(dealing::encode(&private))];
        let (seat, more) = Self::sit_down(kept, private, Vec::new(), only, around)?;
        effects.extend(more);
        Ok((seat, effects))
    }

    /// Comes back to a table, with what was stored.
    pub(crate) fn resume(
        kept: &str,
        secret: &[u8],
        entries: &[&[u8]],
        only: Only,
        mut around: Around,
    ) -> Result<(Self, Vec<Effect>), Trouble> {
        let kept = Kept::read(kept)?;
        let mut effects = Vec::new();
        let private = match decode(secret) {
            Ok(private) => private,
            // Nothing is secret any more.
            Err(_) if kept.over => Private::lost(&Zeroizing::new(random(&mut around.rng))),
            // They watch until there are new keys.
            Err(_) => {
                let private = Private::lost(&Zeroizing::new(random(&mut around.rng)));
                effects.push(Effect::Secret(dealing::encode(&private)));
                effects.push(Effect::Tell(json!({ "news": { "secrets": "lost" } }).to_string()));
                private
            }
        };
        let decoded = entries.iter().map(|bytes| Ok((decode(bytes).map_err(|_| damaged("an entry"))?, *bytes)));
        let decoded: Vec<(Entry, &[u8])> = decoded.collect::<Result<_, Trouble>>()?;
        let (seat, more) = Self::sit_down(kept, private, decoded, only, around)?;
        effects.extend(more);
        Ok((seat, effects))
    }

    fn sit_down(
        kept: Kept,
        private: Private,
        entries: Vec<(Entry, &[u8])>,
        only: Only,
        mut around: Around,
    ) -> Result<(Self, Vec<Effect>), Trouble> {
        let keys = kept.keys()?;
        let guest = only.guest(&keys, keys.identity.clone(), private);
        let (mut foyer, mut post) = (Foyer::new(guest), Post::new(around.now));
        let stored = entries.iter().map(|(_, bytes)| bytes.to_vec()).collect();
        for (entry, _) in entries {
            let head = foyer.recall(entry.clone()).map_err(damaged)?;
            if let Some(head) = head {
                post.stored(&[(entry, head)], foyer.guest.member(), around.now);
            }
        }
        let door = Door::new(keys.ticket.table(), random(&mut around.rng));
        let mut seat = Self {
            only,
            kept,
            keys,
            stage: Stage::Before(Box::new(foyer)),
            door,
            post,
            line: None,
            pauses: Pauses::default(),
            awake: Awake::new(&around),
            entries: stored,
            returning: None,
            auto: false,
            news: Vec::new(),
            page: Vec::new(),
            changed: true,
            told: around.now,
            closing: None,
        };
        seat.sit(&around)?;
        if let Stage::Match(matched) = &mut seat.stage {
            matched.resumed(around.now, around.clock);
        }
        let mut effects = Vec::new();
        if !seat.kept.over {
            seat.connect(0, around.now, &mut effects);
        }
        seat.tell(&mut around, &mut effects);
        Ok((seat, effects))
    }

    /// Sits down at the match, if it has begun.
    fn sit(&mut self, around: &Around) -> Result<(), Trouble> {
        let Stage::Before(foyer) = &mut self.stage else { return Ok(()) };
        let Some(begun) = foyer.begun() else { return Ok(()) };
        let number = foyer.guest.member().number();
        if self.keys.identity.is_some() && !begun.players.iter().any(|player| Some(player.number) == number) {
            return Err(Trouble::new("without_you", "the match at this table has begun without you"));
        }
        // Nobody is in the foyer any more: what stands there now is never looked at.
        let empty = self.only.guest(&self.keys, None, Private::new(&[0; 32]));
        let foyer = core::mem::replace(&mut **foyer, Foyer::new(empty));
        let Some((guest, begun, rest)) = foyer.into_match() else { return Ok(()) };
        let mut matched = self.only.sit(guest, begun, around.now)?;
        for rest in rest {
            // Only what was stored: new entries are heard one by one.
            let Rest::Stored(entry) = rest else { continue };
            if let Hearing::Heard { head, .. } = matched.hear(&entry, around.now).map_err(damaged)? {
                self.post.stored(&[(entry, head)], matched.member(), around.now);
            }
        }
        self.stage = Stage::Match(matched);
        self.changed = true;
        Ok(())
    }

    /// Something has happened.
    pub(crate) fn happens(&mut self, event: Event<'_>, mut around: Around) -> Result<Vec<Effect>, Trouble> {
        let mut effects = Vec::new();
        if self.awake.has_slept(&around) {
            self.post.slept(around.now);
        }
        match event {
            Event::Frame(bytes) => self.frame(bytes, &mut around, &mut effects)?,
            Event::Closed(why) => self.lost(why, &mut around, &mut effects),
            Event::Want(wanted) => {
                if let Err(why) = self.want(wanted, &mut around, &mut effects) {
                    self.news.push(json!({ "refused": why }));
                }
            }
            Event::Tick | Event::New(_) | Event::Resume { .. } | Event::Ask(_) | Event::Knock(_) => {}
        }
        if self.line.is_some() && self.awake.is_silent(around.now) {
            self.lost("the hub has fallen silent", &mut around, &mut effects);
        }
        self.speak(&mut around, &mut effects);
        self.tell(&mut around, &mut effects);
        Ok(effects)
    }

    /// A frame has come.
    fn frame(&mut self, bytes: &[u8], around: &mut Around, effects: &mut Vec<Effect>) -> Result<(), Trouble> {
        let member = match &self.stage {
            Stage::Before(foyer) => foyer.guest.member(),
            Stage::Match(matched) => matched.member(),
        };
        let (number, have) = (member.number(), member.chain().head());
        let caller = Caller::Member {
            table: &self.keys.ticket.key,
            have,
            member: number.map(|number| (number, &self.keys.key)),
        };
        // What comes after the end of a connection belongs to nobody.
        let Some(line) = &mut self.line else { return Ok(()) };
        let said = match decode::<FromHub>(bytes) {
            Ok(frame) => line.hear(frame, caller, &random(&mut around.rng)),
            Err(_) => Err(peer::place::End::NotAHub),
        };
        let now = around.now;
        self.awake.heard(now);
        match said {
            Ok(Said::Greet(greeting)) => effects.push(Effect::Send(dealing::encode(&greeting))),
            Ok(Said::Open { hub, head }) => {
                self.post.connected(hub, head, now);
                match &mut self.stage {
                    Stage::Before(foyer) => foyer.guest.send_again(),
                    Stage::Match(matched) => matched.connected(hub),
                }
                self.changed = true;
            }
            Ok(Said::Entry { height, bytes }) => {
                self.post.entry(now);
                self.entry(height, bytes, around, effects)?;
            }
            Ok(Said::Refused { why, .. }) => self.post.refused(why, now),
            Ok(Said::Beside { from, words }) => self.beside(from, &words, around, effects),
            Ok(Said::Here(members)) => {
                self.post.are_here(members);
                self.changed = true;
            }
            Ok(Said::Behind(head)) => self.returning = usize::try_from(head.height).ok(),
            Err(why) if why.is_final() => {
                self.line = None;
                self.post.lost(why.to_string(), now);
                return Err(Trouble::ended(why));
            }
            Err(why) => self.lost(&why.to_string(), around, effects),
        }
        Ok(())
    }

    /// The next entry of the log: it is heard, and stored before anything follows from it.
    fn entry(
        &mut self,
        height: u64,
        bytes: Vec<u8>,
        around: &mut Around,
        effects: &mut Vec<Effect>,
    ) -> Result<(), Trouble> {
        let stored = u64::try_from(self.entries.len()).unwrap_or(u64::MAX);
        if height <= stored {
            return Ok(());
        }
        let wrong = "the hub sent something that is not an entry";
        let entry: Entry = decode(&bytes).map_err(|_| Trouble::new("not_an_entry", wrong))?;
        let not_next = |why| Trouble::not_next(&why);
        let (head, begun) = match &mut self.stage {
            Stage::Before(foyer) => {
                let heard = foyer.hear(&entry).map_err(|why| match why {
                    Unheard::NotNext(why) => not_next(why),
                    Unheard::Void(why) => Trouble::new("same_identity", why),
                })?;
                let Some((head, happened)) = heard else { return Ok(()) };
                self.news.extend(happened.iter().map(|happened| json!({ "lobby": format!("{happened:?}") })));
                (head, foyer.begun().is_some())
            }
            Stage::Match(matched) => match matched.hear(&entry, around.now).map_err(not_next)? {
                Hearing::Heard { head, .. } => (head, false),
                // It comes again through another connection.
                Hearing::Pledged => return Ok(()),
                Hearing::Released => {
                    self.reconnect(around, effects);
                    return Ok(());
                }
            },
        };
        effects.push(Effect::Log { height: head.height, entry: bytes.clone() });
        self.entries.push(bytes);
        self.changed = true;
        self.stored(entry, head, around, effects);
        if begun {
            self.sit(around)?;
            self.news.push(json!("begun"));
        }
        Ok(())
    }

    fn stored(&mut self, entry: Entry, head: Head, around: &mut Around, effects: &mut Vec<Effect>) {
        let member = match &self.stage {
            Stage::Before(foyer) => foyer.guest.member(),
            Stage::Match(matched) => matched.member(),
        };
        if !self.post.stored(&[(entry, head)], member, around.now) {
            self.reconnect(around, effects);
        }
    }

    /// Words beside the log.
    fn beside(&mut self, from: From, words: &[u8], around: &mut Around, effects: &mut Vec<Effect>) {
        let aux = random(&mut around.rng);
        match (&mut self.stage, from) {
            (Stage::Before(foyer), From::Knock(number)) => {
                if foyer.answers_knocks(|member| self.post.is_here(member)) {
                    let (is_new, answer) = self.door.heard(number, words, around.now);
                    self.changed |= is_new;
                    effects.extend(answer.map(|words| send(&ToHub::Beside { to: number, words })));
                }
            }
            (Stage::Before(foyer), From::Member(_)) => {
                if let Ok(Beside::Chat(chat)) = decode(words)
                    && let Some((from, text)) = foyer.overhear(&chat)
                {
                    self.news.push(json!({ "chat": { "from": from, "text": text } }));
                }
            }
            (Stage::Match(matched), From::Member(from)) => match matched.overhear(from, words, &aux) {
                Overheard::Chat { from, text } => self.news.push(json!({ "chat": { "from": from, "text": text } })),
                Overheard::Released => self.reconnect(around, effects),
                Overheard::Nothing => {}
            },
            (Stage::Match(_), From::Knock(_)) => {}
        }
    }

    /// The connection has ended.
    fn lost(&mut self, why: &str, around: &mut Around, effects: &mut Vec<Effect>) {
        let greeted = self.line.take().is_some_and(|line| line.is_open());
        self.changed |= self.post.lost(why.to_owned(), around.now);
        self.returning = None;
        let pause = self.pauses.next(greeted, around.rng.next_u32());
        if !self.is_over() {
            self.connect(u32::try_from(pause).unwrap_or(u32::MAX), around.now, effects);
        }
    }

    /// Connects anew: everything that has come and is not stored comes again.
    fn reconnect(&mut self, around: &Around, effects: &mut Vec<Effect>) {
        self.post.reconnecting(around.now);
        self.returning = None;
        self.connect(0, around.now, effects);
    }

    fn connect(&mut self, pause: u32, now: u64, effects: &mut Vec<Effect>) {
        self.awake.heard(now.saturating_add(pause.into()));
        self.line = Some(Line::new(Some(self.keys.ticket.hub)));
        let ticket = &self.keys.ticket;
        // The browser does not tell when the hub pings it.
        let address = address(&ticket.at, ticket.table()) + "?signs";
        effects.push(Effect::Connect { pause, address });
    }

    fn is_over(&self) -> bool {
        self.kept.over || self.closing.as_ref().is_some_and(|closing| closing.done)
    }

    fn member(&self) -> &Member {
        match &self.stage {
            Stage::Before(foyer) => foyer.guest.member(),
            Stage::Match(matched) => matched.member(),
        }
    }

    /// The record of the table.
    pub(crate) fn record(&self) -> Result<Record, String> {
        let entries = self.entries.iter().map(|bytes| decode(bytes)).collect::<Result<_, _>>();
        let entries = entries.map_err(|_| "the log is damaged")?;
        Ok(Record { key: self.member().table().clone(), hub: self.keys.ticket.hub, entries })
    }
}

fn damaged(why: impl core::fmt::Display) -> Trouble {
    Trouble::new("damaged", format_args!("the stored log is damaged: {why}"))
}

/// The socket of a table at a hub.
pub(crate) fn address(at: &str, table: TableId) -> String {
    let at = at.strip_prefix("http").map_or_else(|| at.to_owned(), |rest| format!("ws{rest}"));
    format!("{at}/private/{table}/socket")
}

pub(crate) fn send(frame: &ToHub) -> Effect {
    Effect::Send(dealing::encode(frame))
}
