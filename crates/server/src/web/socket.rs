//! A table in a browser: parts of the page go out whenever they change, clicks come in.

use axum::extract::ws::{Message, Utf8Bytes, WebSocketUpgrade};
use axum::extract::{Path, Query, State};
use axum::response::Response;
use page::{Asked, Lang, beside, desk, felt};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use table::{Height, Seat};

use super::fairness::proofs;
use super::identity::Visitor;
use super::seeds::{Answered, Request};
use super::table::looker;
use super::talk::{self, Closed, Line, converse};
use super::whole::whole;
use super::{Failure, Site};
use crate::clock::now;
use crate::hub::{HubError, Reading, Watching};
use crate::ids::TableId;
use crate::room::{Command, Countdown, Refusal, Room};
use crate::sight::{self, Click, Clicked};

/// The longest message that a browser may send.
pub(super) const LONGEST: usize = 16 << 10;

/// What a browser is sent.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Told<'a> {
    Parts(Parts<'a>),
    Refused(&'a str),
    Said(&'a str),
    Answered(Answered),
    Hint { what: &'a str, why: &'a [String], draft: &'a RawValue, key: Option<char>, height: Height },
}

/// The parts of the page that have changed, and data for scripts.
#[derive(Serialize)]
struct Parts<'a> {
    /// The height that the next input must name, once the match has begun.
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<Height>,
    parts: Vec<&'a str>,
    /// How many of this browser's drafts it answers: if there are more, the browser's own draft is newer.
    drafts: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<Clock>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seeds: Option<Seeds<'a>>,
    /// This seat sends no seeds, and would be asked for them again.
    wake: bool,
    asked: bool,
}

/// How much time is left.
#[derive(Serialize)]
struct Clock {
    left: i64,
    whole: i64,
    mine: bool,
}

/// The browser's part in shuffling.
#[derive(Serialize)]
struct Seeds<'a> {
    #[serde(flatten)]
    request: Request<'a>,
    /// How many milliseconds it has for that.
    left: i64,
}

/// The language of the page that opens a socket: browsers do not send it there.
#[derive(Deserialize)]
pub(super) struct Spoken {
    lang: Option<String>,
}

impl Spoken {
    /// The visitor, in that language.
    pub(super) fn to(&self, visitor: Visitor) -> Visitor {
        match self.lang.as_deref().and_then(Lang::from_code) {
            Some(lang) => visitor.speaking(lang),
            None => visitor,
        }
    }
}

pub(super) async fn open(
    State(site): State<Site>,
    Path(id): Path<String>,
    Query(spoken): Query<Spoken>,
    visitor: Option<Visitor>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Failure> {
    let id: TableId = id.parse().map_err(|_| Failure::NotFound)?;
    let visitor = spoken.to(visitor.ok_or(Failure::NoPlayer)?);
    let live = site.hub().table(id);
    drop(site.hub().read_in_words(&live).await?);
    let place = site.socket(&visitor)?;
    let watching = live.watch(visitor.player);
    let upgrade =
        upgrade.max_message_size(LONGEST).max_frame_size(LONGEST).read_buffer_size(4 << 10).write_buffer_size(0);
    Ok(upgrade.on_upgrade(move |socket| async move {
        let line = Line::new(socket, watching, site.limits().patience());
        converse(&site, place, Talk { visitor, line, draft: None, drafts: 0, has: page::Parts::default() }).await;
    }))
}

struct Talk {
    visitor: Visitor,
    line: Line,
    draft: Option<Box<RawValue>>,
    /// How many drafts have arrived.
    drafts: u64,
    /// The parts of the page that the browser has.
    has: page::Parts,
}

/// What became of a message.
enum Done {
    /// Nothing that needs to be said.
    Quietly,
    /// There is a text to show about it.
    Said(String),
    /// A button cannot be pressed, and says why.
    Refused(String),
}

impl talk::Talk for Talk {
    type News = Watching;

    fn line(&mut self) -> &mut Line {
        &mut self.line
    }

    fn may_send(&self, site: &Site) -> bool {
        talk::may_send(site, &self.visitor)
    }

    async fn tell(&mut self, site: &Site) -> Result<(), Closed> {
        self.show(site).await
    }

    async fn turn_away(&mut self) -> Result<(), Closed> {
        let why = Failure::TooMany.text(self.visitor.lang);
        self.say(&Told::Refused(&why)).await
    }

    /// Something was clicked.
    async fn hear(&mut self, site: &Site, text: &str) -> Result<(), Closed> {
        let lang = self.visitor.lang;
        let done = match serde_json::from_str(&whole(text)) {
            Ok(asked) => self.carry_out(site, asked).await,
            Err(why) => Err(HubError::Refused(Refusal::NotAMove(why.to_string()))),
        };
        match done {
            Ok(Done::Quietly) => Ok(()),
            Ok(Done::Said(said)) => self.say(&Told::Said(&said)).await,
            Ok(Done::Refused(why)) => self.say(&Told::Refused(&why)).await,
            Err(HubError::NoTable) => Err(Closed),
            Err(why) => {
                site.refused(self.line.watching.live().id(), &why);
                let quiet = matches!(why, HubError::Refused(Refusal::Seed(_)));
                let why = Failure::Hub(why);
                why.note();
                if quiet { Ok(()) } else { self.say(&Told::Refused(&why.text(lang))).await }
            }
        }
    }
}

impl Talk {
    async fn say(&mut self, told: &Told<'_>) -> Result<(), Closed> {
        let text = serde_json::to_string(told).map_err(|_| Closed)?;
        self.line.send([Message::Text(Utf8Bytes::from(text))]).await
    }

    /// Sends the parts that have changed.
    async fn show(&mut self, site: &Site) -> Result<(), Closed> {
        let live = self.line.watching.live().clone();
        let text = {
            let Ok(room) = site.hub().read_in_words(&live).await else { return Err(Closed) };
            let Ok(looker) = looker(site, &self.visitor, live.id(), &room).await else { return Err(Closed) };
            let lang = looker.lang;
            let frame = sight::frame(&room, &looker);
            let shown = sight::show(&room, looker.eye(), lang, self.draft.as_deref().map(RawValue::get));
            if let Some(shown) = &shown {
                self.draft = RawValue::from_string(shown.draft.clone()).ok();
            }
            let parts = self.has.changed([
                ("felt", felt(&frame, shown.as_ref())),
                ("desk", desk(&frame, shown.as_ref())),
                ("log", beside::log(room.told(), lang)),
                ("talk", beside::talk(sight::remarks(&room), lang)),
                ("hush", beside::hush(sight::order(&room, &looker).as_ref(), lang)),
                ("proofs", proofs(&room, lang)),
                ("leave", beside::leave(&frame)),
            ]);
            let told = Told::Parts(Parts {
                height: room.play().map(|play| play.height()),
                parts: parts.iter().map(String::as_str).collect(),
                drafts: self.drafts,
                clock: clock(&room, looker.seat),
                seeds: seeds(&room, looker.seat),
                wake: looker.seat.is_some_and(|seat| super::seeds::may_wake(&room, seat)),
                asked: shown.as_ref().is_some_and(|shown| shown.asked),
            });
            serde_json::to_string(&told).map_err(|_| Closed)?
        };
        self.line.send([Message::Text(Utf8Bytes::from(text))]).await
    }

    /// Carries out a message.
    async fn carry_out(&mut self, site: &Site, asked: Asked<Command>) -> Result<Done, HubError> {
        let (live, lang, player) = (self.line.watching.live().clone(), self.visitor.lang, self.visitor.player);
        let clicked = match asked {
            Asked::Draft(draft) => {
                self.draft = Some(draft);
                self.drafts += 1;
                self.again(site).await;
                return Ok(Done::Quietly);
            }
            Asked::Command(command) => {
                site.may_command(&self.visitor, live.id(), &command).await?;
                self.face(site).await?;
                let answer = Answered::to(&command);
                let done = site.hub().command_here(live.id(), player, &self.visitor.face, command).await;
                match answer {
                    // Only the browser needs to know whether it came in time.
                    Some(answer) => {
                        let answered = answer.when(done).inspect_err(|why| site.refused(live.id(), why))?;
                        let _ = self.say(&Told::Answered(answered)).await;
                    }
                    None => done?,
                }
                return Ok(Done::Quietly);
            }
            Asked::Hint {} => {
                let hint = site.hint(&live, &self.visitor).await?;
                if let Ok(draft) = RawValue::from_string(hint.draft) {
                    let (key, height) = (hint.key, hint.height);
                    let told = Told::Hint { what: &hint.what, why: &hint.why, draft: &draft, key, height };
                    let _ = self.say(&told).await;
                }
                return Ok(Done::Quietly);
            }
            Asked::Press { key, height, draft } => {
                let (room, draft) = (site.hub().read(&live).await?, draft.as_deref().map(RawValue::get));
                sight::click_at(&room, (player, height), lang, Click::Key(key), draft)?
            }
            Asked::Place { place, height, draft } => {
                let (room, draft) = (site.hub().read(&live).await?, draft.as_deref().map(RawValue::get));
                sight::click_at(&room, (player, height), lang, Click::Place(place), draft)?
            }
        };
        match clicked {
            Clicked::Event(event, kept) => {
                self.draft = RawValue::from_string(kept).ok();
                site.hub().event(&live, player, event).await?;
                Ok(Done::Quietly)
            }
            Clicked::Draft(draft, said) => {
                self.draft = RawValue::from_string(draft).ok();
                self.again(site).await;
                Ok(said.map_or(Done::Quietly, Done::Said))
            }
            Clicked::Refused(why) => Ok(Done::Refused(why)),
        }
    }

    /// Shows the page again although the table has not changed.
    async fn again(&mut self, site: &Site) {
        // If it cannot be sent, the next read fails.
        let _ = self.show(site).await;
    }

    /// A visitor's name may have changed on another page.
    async fn face(&mut self, site: &Site) -> Result<(), HubError> {
        if let Some(stored) = site.hub().store().player(&self.visitor.player).await? {
            self.visitor.face = crate::room::Face { name: stored.name, avatar: stored.avatar.parse().unwrap_or(1) };
        }
        Ok(())
    }
}

fn clock(room: &Reading<'_>, seat: Option<Seat>) -> Option<Clock> {
    let Countdown { due, mine } = room.countdown(seat)?;
    Some(Clock { left: room.granted(&due).since(now()).max(0), whole: due.at.since(due.since), mine })
}

fn seeds(room: &Room, seat: Option<Seat>) -> Option<Seeds<'_>> {
    let left = room.due()?.at.since(now()).max(0);
    Some(Seeds { request: Request::to(room, seat?)?, left })
}

/// Reads a text as every message a browser can send.
#[cfg(any(test, feature = "laws"))]
pub(super) fn decode(text: &str) {
    let _ = serde_json::from_str::<Asked<Command>>(&whole(text)).is_ok();
}
