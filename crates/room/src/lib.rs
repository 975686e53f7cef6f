//! A table of the house as a pure state machine: seats, a match, the chat; how people see it; and the form for a new one.
//! The same on a server, with people, and in a browser, for one person and computers.
//!
//! A room is exactly what its log says ([`Room::apply`], one function that checks and changes; an error changes
//! nothing). It has no clock and no entropy: times come with events, the house's secret with the room.
//!
//! ```text
//! gathering   people and computers sit down                       Started ->
//! playing     seeds, turns, choices; between deals all look       (the last deal ends) ->
//! over        the result is final; the next match is another table
//! ```
//!
//! No match is played for nobody. At least one player sits at a table that starts. If all of them are away, the deal
//! on the table is played to its end, and then the match waits until one is back; a player who is out of the match
//! counts as present when they ask for the next deal. When the last player has left, or the log has become too long,
//! the match ends with the deal.
//!
//! [`Room::due`] returns what is due without anybody doing anything (a computer's move, a time that is up, the next
//! deal); [`Room::tick`] turns it into an event like all others.
//!
//! - `event`: the events in the log
//! - `command`: the commands of players, turned into events
//! - `decided`: an action or a choice on its way to the table
//! - `cut`: a record, cut to what one reader may know
//! - `playing`, `dealing`: the match, and what the house does in it
//! - `ended`: the deal that ended last
//! - `play`: what a room does with a match without knowing its game
//! - `kept`: the games that a room can keep
//! - `clock`, `timing`: whom the table waits for and since when, what is due, and when
//! - `pausing`: how long something stays visible before the house covers it
//! - `talk`: the chat, and who is muted
//! - `names`: names that look alike
//! - `mind`: what a computer's move is computed from
//! - `seen`: what happened, for those who look on
//! - `hint`: who may ask for hints, and who has
//!
//! A room renders nothing: how it looks and what is said about it is [`sight`]. [`form`] is how one is created, [`ids`] how
//! tables and players are named.

mod chair;
mod checks;
mod clock;
mod command;
mod cut;
mod dealing;
mod decided;
mod ended;
mod event;
pub mod form;
mod hint;
pub mod ids;
mod kept;
mod mind;
mod names;
mod pausing;
mod play;
mod playing;
mod refusal;
mod seating;
mod seen;
pub mod sight;
mod talk;
#[cfg(test)]
pub(crate) mod tests;
mod timing;

use std::any::Any;

use dealers::house::Seed;
use games::AnyGame;
use games::desk::{Made, Pace};
use table::{Game as _, Seat, Seats, Standing};
use zeroize::Zeroizing;

use crate::ids::{Millis, PlayerId, TableId};

pub use chair::{Chair, Leaver};
pub use checks::{check_settings, check_text, knows, reveal_seed, rules};
pub use command::Command;
pub use cut::cut;
pub use decided::Decided;
pub use ended::Ended;
pub use event::{Entry, Event, Face, Hints, Sitter, Terms};
use hint::Given;
pub use kept::{Kept, Sendable};
pub(crate) use mind::Mind;
pub use mind::Pondering;
pub(crate) use play::event;
pub use play::{Input, Play};
pub use playing::{Awaited, Playing, Stage};
pub use refusal::{Illegal, Refusal};
pub use seen::Seen;
pub use talk::Remark;
pub use timing::{Countdown, Due, SECONDS_TO_LOOK};

use checks::digits;
use clock::Clock;
use talk::Talk;

/// The most characters in a name.
pub const LONGEST_NAME: usize = 24;
/// The most characters in a chat message.
pub const LONGEST_TEXT: usize = 400;
/// The number of pictures to choose from, including the computers' picture.
pub const AVATARS: u8 = 24;
/// The whole log is read to load a table, so its length is limited: after this many events the match ends with the
/// deal on the table, and only events needed for that are accepted. A long evening has a few thousand. Chat is counted
/// separately (`talk`).
const MOST_EVENTS: u32 = 200_000;
/// After this many events before the match nobody can sit down any more: people who only come and go must not use up
/// the events that the match needs.
const MOST_GATHERING: u32 = 2_000;

/// A table.
pub struct Room {
    terms: Terms,
    game: AnyGame,
    secret: Zeroizing<[u8; 32]>,
    chairs: Vec<Chair>,
    phase: Phase,
    /// The player who created the table, or was handed it.
    owner: Option<PlayerId>,
    /// How often the seating has changed.
    seatings: u64,
    /// The chat.
    talk: Talk,
    /// How many turns in a row each seat has missed.
    expired: Vec<u32>,
    /// The seats that have seen how the deal ended.
    ready: Seats,
    /// The hints that seats were given in this match.
    hints: Vec<Given>,
    again: Option<Again>,
    /// The number of events so far.
    events: u32,
    /// When the last event happened.
    at: Millis,
    /// Since when each question is open.
    clock: Clock,
    keep: Keep,
}

/// What a room keeps apart from its state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Keep {
    /// What happens, for people who look on.
    pub seen: bool,
    /// The record of the match.
    pub record: bool,
    /// In the record, the cards dealt to each seat.
    pub private: bool,
}

/// The phase of a table.
pub(crate) enum Phase {
    /// People sit down.
    Gathering,
    /// The match has begun. It may be over.
    Match(Box<dyn Play>),
}

/// The table of the next match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Again {
    table: TableId,
    /// The player who asked for it.
    seat: Option<Seat>,
}

impl Room {
    /// The table that a first event makes.
    pub fn open(terms: Terms, secret: [u8; 32], at: Millis, keep: Keep) -> Result<Self, Refusal> {
        let game = AnyGame::from_name(&terms.game).ok_or(Refusal::Damaged("game"))?;
        if games::with_game!(game, G => G::VERSION) != terms.rules {
            return Err(Refusal::OtherRules);
        }
        check_settings(game, &terms.settings, terms.players).map_err(|_| Refusal::Damaged("settings"))?;
        let chairs = vec![Chair::default(); usize::from(terms.players)];
        Ok(Self {
            expired: vec![0; chairs.len()],
            game,
            secret: Zeroizing::new(secret),
            chairs,
            phase: Phase::Gathering,
            owner: terms.owner,
            seatings: 0,
            talk: Talk::default(),
            ready: Seats::NONE,
            hints: vec![Given::default(); usize::from(terms.players)],
            again: None,
            terms,
            events: 1,
            at,
            clock: Clock::new(),
            keep,
        })
    }

    /// The table that a log makes; entries in order, from the first.
    pub fn replay(secret: [u8; 32], entries: impl IntoIterator<Item = Entry>, keep: Keep) -> Result<Self, Refusal> {
        Self::replay_with(secret, entries, keep, |_| {})
    }

    /// The same; `each` is called after every event, to take out what is kept.
    pub(crate) fn replay_with(
        secret: [u8; 32],
        entries: impl IntoIterator<Item = Entry>,
        keep: Keep,
        mut each: impl FnMut(&mut Self),
    ) -> Result<Self, Refusal> {
        let mut entries = entries.into_iter();
        let Some(Entry { at, events }) = entries.next() else { return Err(Refusal::Damaged("no entries")) };
        let mut events = events.into_iter();
        let Some(Event::Opened(terms)) = events.next() else { return Err(Refusal::Damaged("no terms")) };
        let mut room = Self::open(*terms, secret, at, keep)?;
        let rest = entries.flat_map(|entry| entry.events.into_iter().map(move |event| (entry.at, event)));
        for (at, event) in events.map(|event| (at, event)).chain(rest) {
            room.apply(at, &event)?;
            each(&mut room);
        }
        Ok(room)
    }

    /// The terms it was created with.
    pub const fn terms(&self) -> &Terms {
        &self.terms
    }

    /// Its game.
    pub const fn game(&self) -> AnyGame {
        self.game
    }

    /// Its seats, in order.
    pub fn chairs(&self) -> impl Iterator<Item = (Seat, &Chair)> {
        (0..).map_while(Seat::new).zip(&self.chairs)
    }

    /// One of them.
    pub fn chair(&self, seat: Seat) -> Option<&Chair> {
        self.chairs.get(usize::from(seat.index()))
    }

    /// How often the seating, or a name, has changed.
    pub const fn seatings(&self) -> u64 {
        self.seatings
    }

    /// A player's seat.
    pub fn seat_of(&self, player: PlayerId) -> Option<Seat> {
        self.chairs().find(|(_, chair)| chair.player() == Some(player)).map(|(seat, _)| seat)
    }

    /// Whether this is the owner or, if the table has none, a player who sits at it.
    pub fn owns(&self, player: PlayerId) -> bool {
        match self.owner() {
            Some(owner) => owner == player,
            None => self.seat_of(player).is_some(),
        }
    }

    /// The owner, who may start: the player who created the table or was handed it, if they sit at it or nobody else
    /// does.
    pub fn owner(&self) -> Option<PlayerId> {
        let owner = self.owner?;
        let first = self.chairs.iter().find_map(Chair::player);
        if self.seat_of(owner).is_some() { Some(owner) } else { first.or(Some(owner)) }
    }

    /// The match, once it has begun.
    pub fn play(&self) -> Option<&dyn Play> {
        match &self.phase {
            Phase::Gathering => None,
            Phase::Match(play) => Some(play.as_ref()),
        }
    }

    /// The match with the types of its game, once it has begun; `None` as well if that is another game.
    pub fn playing<G: Kept>(&self) -> Option<&Playing<G>> {
        let play: &dyn Any = self.play()?;
        play.downcast_ref()
    }

    /// The same, to take out what was kept.
    pub fn playing_mut<G: Kept>(&mut self) -> Option<&mut Playing<G>> {
        let Phase::Match(play) = &mut self.phase else { return None };
        let play: &mut dyn Any = play.as_mut();
        play.downcast_mut()
    }

    /// The stage of the match, once it has begun.
    pub fn stage(&self) -> Option<Stage> {
        self.play().map(|play| play.stage())
    }

    /// The score of the match, once it has begun.
    pub fn standing(&self) -> Option<Standing> {
        self.play().map(|play| play.standing_now())
    }

    /// The table of the next match, once a player has asked for one.
    pub fn again(&self) -> Option<TableId> {
        self.again.map(|again| again.table)
    }

    /// The player who asked for it.
    pub fn wants_again(&self) -> Option<Seat> {
        self.again.and_then(|again| again.seat)
    }

    /// The seconds that players have; `None` if there is no limit.
    pub fn seconds(&self) -> Option<u64> {
        games::with_game!(self.game, G => {
            let settings = serde_json::from_value(self.terms.settings.clone()).ok()?;
            <G as Pace>::seconds(&settings)
        })
    }

    /// The seats that have seen how the deal ended.
    pub const fn ready(&self) -> Seats {
        self.ready
    }

    /// Whether this seat's player is away, so that their moves are made for them.
    pub fn is_away(&self, seat: Seat) -> bool {
        i64::from(self.expired_of(seat)) >= self.setting("away_after").unwrap_or(3)
    }

    /// How many turns in a row this seat has missed.
    fn expired_of(&self, seat: Seat) -> u32 {
        self.expired.get(usize::from(seat.index())).copied().unwrap_or(0)
    }

    /// When the last event happened.
    pub const fn at(&self) -> Millis {
        self.at
    }

    /// The lines of the record since the last call, if it is kept.
    pub fn take_record(&mut self) -> String {
        match &mut self.phase {
            Phase::Gathering => String::new(),
            Phase::Match(play) => play.take_record(),
        }
    }

    /// Checks an event and applies it; an error changes nothing.
    pub fn apply(&mut self, at: Millis, event: &Event) -> Result<(), Refusal> {
        if self.is_full(event) {
            return Err(Refusal::Full);
        }
        match event {
            Event::Opened(_) => return Err(Refusal::Damaged("opened twice")),
            Event::Sat { seat, who } => self.sit(*seat, who)?,
            Event::Stood { seat } => self.stand(*seat, at)?,
            Event::Handed { seat } => self.hand_on(*seat)?,
            Event::Started => self.start(at)?,
            Event::Committed { seat, deck, commitment } => {
                let commitment = digits(commitment)?;
                self.running()?.take(&Input::Commit { seat: *seat, deck: *deck, commitment }, at)?;
            }
            Event::Revealed { seat, deck, seed, nonce } => {
                let seed = Seed { seed: digits(seed)?, nonce: digits(nonce)? };
                self.running()?.take(&Input::Reveal { seat: *seat, deck: *deck, seed }, at)?;
            }
            Event::SeedsDue => self.running()?.take(&Input::SeedsDue, at)?,
            Event::Woke { seat } => self.running()?.take(&Input::Wake(*seat), at)?,
            Event::Acted { seat, height, action, timeout } => {
                let made = self.made(*seat, *timeout);
                self.running()?.take(&Input::Act { seat: *seat, height: *height, action, made }, at)?;
                self.expire(*seat, *timeout);
            }
            Event::Chose { seat, height, choice, timeout } => {
                let made = self.made(*seat, *timeout);
                self.running()?.take(&Input::Choose { seat: *seat, height: *height, choice, made }, at)?;
                self.expire(*seat, *timeout);
            }
            Event::Dealt => self.running()?.take(&Input::GoOn, at)?,
            Event::Ready { seat, deal } => self.make_ready(*seat, *deal, at)?,
            Event::Hinted { seat, height } => self.note_hint(*seat, *height, at)?,
            Event::Next => self.next(at)?,
            Event::Back { seat } => {
                self.chair(*seat).filter(|chair| chair.player().is_some()).ok_or(Refusal::NotSeated)?;
                if self.expired_of(*seat) == 0 {
                    return Err(Refusal::NotAway);
                }
                self.expire(*seat, false);
            }
            Event::Muted { player, muted } => self.mute(*player, *muted)?,
            Event::Said { player, name, text } => self.remark(at, *player, name, text)?,
            Event::Renamed { seat, face } => self.rename(*seat, face)?,
            Event::Again { table, seat } => {
                if self.stage() != Some(Stage::Over) {
                    return Err(Refusal::NotOver);
                }
                self.again = Some(Again { table: *table, seat: *seat });
            }
        }
        if matches!(event, Event::Sat { .. } | Event::Stood { .. } | Event::Renamed { .. }) {
            self.seatings += 1;
        }
        self.events = self.events.saturating_add(u32::from(!event.is_talk()));
        self.at = at;
        if self.stage() == Some(Stage::Between) && (self.is_deserted() || self.events >= MOST_EVENTS) {
            self.running()?.take(&Input::Close, at)?;
        }
        self.note(at);
        Ok(())
    }

    /// Whether too much has happened to accept this event as well.
    fn is_full(&self, event: &Event) -> bool {
        let most =
            if self.stage().is_none() && !matches!(event, Event::Started) { MOST_GATHERING } else { MOST_EVENTS };
        self.events >= most && !event.ends_something() && !event.is_talk()
    }

    /// Whether only computers sit here.
    fn is_deserted(&self) -> bool {
        self.chairs.iter().all(|chair| chair.player().is_none())
    }

    fn make_ready(&mut self, seat: Seat, deal: u32, at: Millis) -> Result<(), Refusal> {
        let play = self.running()?;
        if play.stage() != Stage::Between {
            return Err(Refusal::NotAsked);
        }
        if play.deals_over() != deal {
            return Err(Refusal::OtherDeal);
        }
        self.chair(seat).filter(|chair| chair.player().is_some()).ok_or(Refusal::NotSeated)?;
        if self.ready.contains(seat) {
            return Err(Refusal::ChosenAlready);
        }
        self.ready.insert(seat);
        self.expire(seat, false);
        if self.looking().is_empty() {
            self.next(at)?;
        }
        Ok(())
    }

    /// The players still looking at how the deal ended, whom the next deal waits for. A player who is out of the match
    /// can ask for the next deal, but holds nobody up.
    pub fn looking(&self) -> Seats {
        let Some(play) = self.play().filter(|play| play.stage() == Stage::Between) else { return Seats::NONE };
        let looks = |seat: Seat| !self.ready.contains(seat) && !self.is_away(seat) && play.takes_part(seat);
        self.chairs().filter(|(seat, chair)| chair.player().is_some() && looks(*seat)).map(|(seat, _)| seat).collect()
    }

    fn next(&mut self, at: Millis) -> Result<(), Refusal> {
        let play = self.running()?;
        if play.stage() != Stage::Between {
            return Err(Refusal::NotAsked);
        }
        play.take(&Input::NextDeal, at)?;
        self.ready = Seats::NONE;
        Ok(())
    }

    fn running(&mut self) -> Result<&mut Box<dyn Play>, Refusal> {
        match &mut self.phase {
            Phase::Gathering => Err(Refusal::NotBegun),
            Phase::Match(play) => Ok(play),
        }
    }

    /// Who makes a move of this seat.
    fn made(&self, seat: Seat, timeout: bool) -> Made {
        match (timeout, self.is_away(seat)) {
            (false, _) => Made::Freely,
            (true, false) => Made::TimeUp,
            (true, true) => Made::Away,
        }
    }

    /// A seat acted, or its time was up.
    fn expire(&mut self, seat: Seat, timeout: bool) {
        if let Some(expired) = self.expired.get_mut(usize::from(seat.index())) {
            *expired = if timeout { expired.saturating_add(1) } else { 0 };
        }
    }

    fn setting(&self, name: &str) -> Option<i64> {
        self.terms.settings.get(name)?.as_i64()
    }

    /// Whether a computer plays on for a player who leaves.
    pub fn computer_plays_on(&self) -> bool {
        self.setting_word("on_leave") == Some("bot")
    }

    fn setting_word(&self, name: &str) -> Option<&str> {
        self.terms.settings.get(name)?.as_str()
    }
}
