//! Bots over a socket, with the messages of `docs/bots.md`.
//!
//! A program opens a socket to a table. If it does not sit there yet and there is a free seat, it sits down. It gets
//! the same messages as over a pipe; its answers are accepted at once or refused, and until its time is up it may
//! answer again. Between deals it is ready automatically. With `?seeds=true` it also takes part in shuffling.

use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{Message, Utf8Bytes, WebSocketUpgrade};
use axum::extract::{Path, Query, State};
use axum::response::Response;
use bots::protocol::{self, Answer, LONGEST_ANSWER, Sitting};
use serde::{Deserialize, Serialize};
use table::{Eye, Height, Rules as _, Seat};

use super::{Trouble, carry_out};
use crate::hub::{HubError, Watching};
use crate::ids::TableId;
use crate::room::{Command, Event, Kept, Play as _, Playing, Refusal, Room, Stage};
use crate::web::identity::Visitor;
use crate::web::seeds::{self, Answered, Request};
use crate::web::talk::{self, Closed, Line, converse};
use crate::web::whole::whole;
use crate::web::{Failure, Site};
use page::Lang;

/// How a program sits down.
#[derive(Deserialize)]
pub(super) struct Wish {
    /// Whether it will send seeds.
    #[serde(default)]
    seeds: bool,
}

pub(super) async fn open(
    State(site): State<Site>,
    Path(id): Path<String>,
    Query(Wish { seeds }): Query<Wish>,
    visitor: Option<Visitor>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Trouble> {
    let id: TableId = id.parse().map_err(|_| Failure::NotFound)?;
    let visitor = visitor.ok_or(Failure::NoPlayer)?;
    let upgrade = upgrade.map_err(|why| Failure::Bad(format!("expected a WebSocket: {}", why.body_text())))?;
    let live = site.hub().table(id);
    let seated = site.hub().read(&live).await?.seat_of(visitor.player).is_some();
    if !seated {
        let sit = Command::Sit { seat: None, seeds };
        carry_out(&site, id, &visitor, sit).await?;
    }
    let place = site.socket(&visitor)?;
    let watching = live.watch(visitor.player);
    let upgrade = upgrade.max_message_size(LONGEST_ANSWER).max_frame_size(LONGEST_ANSWER);
    let upgrade = upgrade.read_buffer_size(2 << 10).write_buffer_size(8 << 10);
    Ok(upgrade.on_upgrade(move |socket| async move {
        let line = Line::new(socket, watching, site.limits().patience());
        converse(&site, place, Talk { visitor, line, told: Told::default() }).await;
    }))
}

struct Talk {
    visitor: Visitor,
    line: Line,
    told: Told,
}

/// What the program has been told.
#[derive(Default)]
struct Told {
    hello: bool,
    /// The deal, and the number of its events.
    deal: u32,
    past: usize,
    /// The last question and its height.
    id: u64,
    asked: Option<Height>,
    /// The last deal that it knows to be over.
    ended: u32,
    over: bool,
    /// The last seed request it got.
    seeds: Option<(u32, &'static str)>,
    /// Whether it has been told that it is not asked for seeds any more.
    silent: bool,
}

/// A program's message: an answer, or a command.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Wanted {
    Command(Command),
}

impl talk::Talk for Talk {
    type News = Watching;

    fn line(&mut self) -> &mut Line {
        &mut self.line
    }

    fn may_send(&self, site: &Site) -> bool {
        talk::may_send(site, &self.visitor)
    }

    /// Sends what is new.
    async fn tell(&mut self, site: &Site) -> Result<(), Closed> {
        let live = self.line.watching.live().clone();
        let (lines, ready) = {
            let Ok(room) = site.hub().read(&live).await else { return Err(Closed) };
            // A player who has left gets no more messages.
            let seat = room.seat_of(self.visitor.player).ok_or(Closed)?;
            (self.told.news(&room, seat), ready(&room, seat))
        };
        if !lines.is_empty() {
            self.send(lines).await?;
        }
        if let Some(deal) = ready {
            let Visitor { player, face, .. } = &self.visitor;
            // If another player was faster, the next deal is already on the table.
            let _ = site.hub().command_here(live.id(), *player, face, Command::Ready { deal }).await;
        }
        Ok(())
    }

    async fn turn_away(&mut self) -> Result<(), Closed> {
        self.send([protocol::refused(self.told.id, "too many messages")]).await
    }

    async fn hear(&mut self, site: &Site, text: &str) -> Result<(), Closed> {
        let id = self.told.id;
        let text = &*whole(text);
        let done = match Answer::read(text) {
            // An answer to an earlier question comes too late, which can happen.
            Ok(answer) if answer.id < id => Ok(()),
            Ok(answer) if answer.id > id => {
                Err(Refusal::NotAMove(format!("it answers question {}, but the current one is {id}", answer.id)).into())
            }
            Ok(answer) => self.answer(site, answer).await,
            Err(why) => match serde_json::from_str(text) {
                Ok(Wanted::Command(command)) => {
                    let answer = Answered::to(&command);
                    let done = carry_out(site, self.line.watching.live().id(), &self.visitor, command).await;
                    match answer {
                        None => done,
                        Some(answer) => match answer.when(done) {
                            Ok(answered) => return self.send([line("answered", &answered)]).await,
                            Err(why) => Err(why),
                        },
                    }
                }
                Err(_) => Err(Refusal::NotAMove(why).into()),
            },
        };
        match done {
            Ok(()) => Ok(()),
            Err(HubError::NoTable) => Err(Closed),
            Err(why @ HubError::Unavailable(_)) => {
                let why = Failure::Hub(why);
                why.note();
                self.send([protocol::refused(id, &why.text(Lang::En))]).await
            }
            Err(why) => self.send([protocol::refused(id, &why.to_string())]).await,
        }
    }
}

impl Talk {
    /// Sends lines, one message each.
    async fn send(&mut self, lines: impl IntoIterator<Item = String>) -> Result<(), Closed> {
        let message = |mut line: String| {
            line.truncate(line.trim_end().len());
            Message::Text(Utf8Bytes::from(line))
        };
        self.line.send(lines.into_iter().map(message)).await
    }

    async fn answer(&mut self, site: &Site, answer: Answer) -> Result<(), HubError> {
        let live = self.line.watching.live().clone();
        let event = {
            let room = site.hub().read(&live).await?;
            let seat = room.seat_of(self.visitor.player).ok_or(Refusal::NotSeated)?;
            let play = room.play().ok_or(Refusal::NotBegun)?;
            if self.told.asked != Some(play.height()) {
                return Err(Refusal::NotAsked.into());
            }
            games::with_game!(room.game(), G => answered::<G>(&room, seat, answer))?
        };
        let done = site.hub().event(&live, self.visitor.player, event).await;
        done.inspect_err(|why| site.refused(live.id(), why))
    }
}

/// A program's answer, as an event.
fn answered<G: Kept>(room: &Room, seat: Seat, answer: Answer) -> Result<Event, Refusal> {
    let playing = room.playing::<G>().ok_or(Refusal::NotBegun)?;
    let a_move = answer.decision::<G::Rules>().map_err(Refusal::NotAMove)?;
    playing.event(seat, a_move, false).ok_or(Refusal::NotAsked)
}

/// A message of this kind.
fn line(kind: &str, body: &impl Serialize) -> String {
    serde_json::json!({ kind: body }).to_string()
}

/// The deal whose end a program should confirm.
fn ready(room: &Room, seat: Seat) -> Option<u32> {
    let play = room.play()?;
    (play.stage() == Stage::Between && !room.ready().contains(seat)).then(|| play.deals_over())
}

impl Told {
    /// The new lines.
    fn news(&mut self, room: &Room, seat: Seat) -> Vec<String> {
        let mut lines = games::with_game!(room.game(), G => match room.playing::<G>() {
            Some(playing) => self.played(playing, seat),
            None => return Vec::new(),
        });
        if room.stage() == Some(Stage::Deal) {
            let request = Request::to(room, seat);
            let which = request.as_ref().map(Request::which);
            if which != self.seeds {
                lines.extend(request.map(|request| line("seeds", &request)));
                self.seeds = which;
            }
        }
        let silent = seeds::may_wake(room, seat);
        if silent && !self.silent {
            lines.push(line("silent", &serde_json::json!({})));
        }
        self.silent = silent;
        if let (Some(Stage::Over), Some(standing), false) = (room.stage(), room.standing(), self.over) {
            self.over = true;
            lines.push(protocol::over(&standing));
        }
        lines
    }

    /// What happened in the match since the last time, and a question if there is one.
    fn played<G: Kept>(&mut self, playing: &Playing<G>, seat: Seat) -> Vec<String> {
        let mut lines = Vec::new();
        let (table, course) = (playing.table(), playing.course());
        let ended = playing.ended().map_or(0, |ended| ended.deal);
        if !self.hello {
            self.hello = true;
            // A program's random numbers are its own business; it gets a seed to start with.
            let seed = u32::from_be_bytes([0, 0, seat.index(), course.deal.to_be_bytes()[3]]);
            let (players, names) = (table.rules().players(), playing.names());
            let seconds = G::seconds(playing.settings()).map_or(0.0, |seconds| seconds as f64);
            let sitting = Sitting { seat, players, names, settings: playing.settings(), seed };
            lines.push(protocol::hello::<G>(&sitting, seconds));
            self.ended = ended;
        }
        if let Some(last) = playing.ended().filter(|last| last.deal > self.ended) {
            let known = if self.deal == last.deal { self.past } else { 0 };
            lines.extend(last.past.iter().skip(known).map(protocol::past));
            lines.push(protocol::end(last.deal, &last.table, seat, last.known_to(Eye::Seat(seat))));
            self.ended = last.deal;
        }
        if playing.stage() == Stage::Deal {
            if self.deal != course.deal {
                (self.deal, self.past) = (course.deal, 0);
                lines.push(protocol::deal(self.deal));
            }
            lines.extend(course.past.iter().skip(self.past).map(protocol::past));
            self.past = course.past.len();
            let asked = playing.asks(seat).then(|| table.height());
            if asked.is_some() && asked != self.asked {
                self.id += 1;
                lines.push(protocol::ask(self.id, table, seat, playing.known_to(Eye::Seat(seat)), course));
            }
            self.asked = asked;
        }
        lines
    }
}

/// Reads a text as every message a program can send.
#[cfg(any(test, feature = "laws"))]
pub(super) fn decode(text: &str) {
    let text = &*whole(text);
    let _ = (Answer::read(text).is_ok(), serde_json::from_str::<Wanted>(text).is_ok());
}
