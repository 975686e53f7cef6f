//! A socket of a private table, with the frames of [`peer::frame`].
//!
//! 1. The hub sends a challenge; the other side has a little time to say hello, or to knock.
//! 2. Members and spectators are sent the log from what they have, in pieces that they have to take before they get the
//!    next, and then every new entry. Whether they read slowly is their own business.
//! 3. The member who runs a hub that may replace another installs it, once people have agreed on it.
//! 4. Members append; their first entry makes them one. Everything that is refused is refused to its author alone.
//!
//! Limits are those of all sockets (`talk`), and those of the log layer: a budget for every member.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::body::Bytes;
use axum::extract::ws::{Message, WebSocketUpgrade};
use axum::extract::{Path, RawQuery, State};
use axum::response::Response;
use peer::Head;
use peer::frame::{FromHub, Hello, MOST_FRAME, ToHub, Why};
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use crate::hub::random;
use crate::ids::PrivateId;
use crate::private::{Entered, Letters, Live, MOST_KNOCK, Present, Role};
use crate::store::PrivateRow;
use crate::web::address::Address;
use crate::web::limits::Sender;
use crate::web::patience::{Inflow, Patience};
use crate::web::talk::{self, Closed, Line, News, converse};
use crate::web::{Failure, Site};

/// How long somebody may knock, and how much they may say.
const TO_KNOCK: Duration = Duration::from_secs(300);
const MOST_KNOCKS: u32 = 8;

/// How often a device shows that it is awake. More often than at a house table: here everybody waits for somebody's device, and
/// should know soon that it sleeps.
const AWAKE: Duration = Duration::from_secs(5);

/// What somebody puts behind the address who wants to see signs of life. A page does, because its browser answers pings and
/// does not tell. A program sees pings itself, and through a relay or a radio every frame costs something.
const SIGNS: &str = "signs";

/// How much of the log is sent before the socket is looked at again.
const PIECE: usize = 64 << 10;

pub(super) async fn open(
    State(site): State<Site>,
    Path(id): Path<String>,
    from: Address,
    RawQuery(query): RawQuery,
    inflow: Option<Extension<Inflow>>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Failure> {
    let id: PrivateId = id.parse().map_err(|_| Failure::NotFound)?;
    let row = site.private().store().private(id).await?.ok_or(Failure::NotFound)?;
    let place = site.private_socket(from)?;
    let challenge = random::<32>()?;
    if let Some(Extension(inflow)) = inflow {
        inflow.is_private();
    }
    let upgrade =
        upgrade.max_message_size(MOST_FRAME).max_frame_size(MOST_FRAME).read_buffer_size(4 << 10).write_buffer_size(0);
    Ok(upgrade.on_upgrade(move |socket| async move {
        let live = site.private().table(id);
        let usual = site.limits().patience();
        let patience = Patience { ping: usual.ping.min(AWAKE), ..usual };
        let feed = Feed {
            height: live.height(),
            here: live.here(),
            ending: site.private().ending(),
            sleeping: site.private().sleeping(),
            letters: None,
            letter: None,
            until: Some(Instant::now() + patience.ask),
            more: false,
        };
        let (sender, naps) = (site.limits().sender(), site.private().naps());
        let (line, stage) = (Line::new(socket, feed, patience), Stage::Asked(challenge));
        let signs = query.as_deref() == Some(SIGNS);
        let talk = Talk { row, live, from, sender, naps, signs, line, stage };
        converse(&site, place, talk).await;
    }))
}

/// Everything that can happen at a table.
struct Feed {
    height: watch::Receiver<u64>,
    here: watch::Receiver<u64>,
    ending: watch::Receiver<bool>,
    sleeping: watch::Receiver<u64>,
    /// Words beside the log, once they have been let in.
    letters: Option<Letters>,
    /// The next of them.
    letter: Option<FromHub>,
    /// When the socket is closed, unless something happens before.
    until: Option<Instant>,
    /// There is something to send.
    more: bool,
}

impl News for Feed {
    async fn changed(&mut self) {
        if self.more || self.letter.is_some() {
            return;
        }
        let until = self.until;
        let late = async { sleep_until(until.unwrap_or_else(Instant::now)).await };
        let Some(letters) = &mut self.letters else {
            tokio::select! {
                _ = self.ending.changed() => {}
                () = late, if until.is_some() => {}
            }
            return;
        };
        tokio::select! {
            Ok(()) = self.height.changed() => {}
            Ok(()) = self.here.changed() => {}
            Ok(()) = self.ending.changed() => {}
            Ok(()) = self.sleeping.changed() => {}
            Ok(()) = letters.close.changed() => {}
            Some(letter) = letters.words.recv() => self.letter = Some(letter),
            () = late, if until.is_some() => {}
            else => std::future::pending().await,
        }
    }
}

struct Talk {
    row: PrivateRow,
    live: Arc<Live>,
    from: Address,
    sender: Sender,
    /// How often this computer had slept before they connected.
    naps: u64,
    /// They want to see that the hub is there.
    signs: bool,
    line: Line<Feed>,
    stage: Stage,
}

/// How far the conversation is.
enum Stage {
    /// A challenge is sent with the first news.
    Asked([u8; 32]),
    /// They have the challenge.
    Greeted([u8; 32]),
    /// They have knocked, and said this much.
    Knocking { present: Present, said: u32 },
    /// They have a ticket.
    Inside(Box<Inside>),
    /// The socket is being closed.
    Over,
}

/// Somebody with a ticket.
struct Inside {
    present: Present,
    /// How many entries they have, or are on their way.
    sent: u64,
    /// The next ones.
    waiting: VecDeque<Bytes>,
    /// Who they say they are, if the hub has lost the entry that shows it.
    claim: Option<(Hello, [u8; 32])>,
    /// Until this height they return entries that the hub has lost.
    returns: u64,
    /// Who is there, as they know it.
    here: u64,
}

impl talk::Talk for Talk {
    type News = Feed;

    fn line(&mut self) -> &mut Line<Feed> {
        &mut self.line
    }

    fn may_send(&self, site: &Site) -> bool {
        site.limits().message_of(&self.sender, self.from.0)
    }

    async fn tell(&mut self, site: &Site) -> Result<(), Closed> {
        let feed = &mut self.line.watching;
        feed.more = false;
        if *feed.ending.borrow_and_update() || *feed.sleeping.borrow_and_update() != self.naps {
            return self.close(Why::Closing).await;
        }
        let closed = feed.letters.as_mut().and_then(|letters| *letters.close.borrow_and_update());
        if let Some(why) = closed {
            return self.close(why).await;
        }
        if feed.until.is_some_and(|until| until <= Instant::now()) {
            // They may come back: a device that was frozen for a while has done nothing wrong.
            return self.close(Why::TimeUp).await;
        }
        if let Some(letter) = feed.letter.take() {
            self.say([letter]).await?;
        }
        match &self.stage {
            Stage::Asked(challenge) => {
                let challenge = *challenge;
                self.stage = Stage::Greeted(challenge);
                self.say([FromHub::Challenge(challenge)]).await
            }
            Stage::Greeted(_) | Stage::Knocking { .. } | Stage::Over => Ok(()),
            Stage::Inside(_) => {
                self.returned(site).await?;
                self.pass_on(site).await
            }
        }
    }

    /// Who is there, once more.
    fn sign_of_life(&mut self) -> Option<Message> {
        let Stage::Inside(inside) = &self.stage else { return None };
        self.signs.then(|| Message::Binary(dealing::encode(&FromHub::Here(inside.here)).into()))
    }

    async fn turn_away(&mut self) -> Result<(), Closed> {
        self.say([FromHub::Refused { sequence: 0, why: Why::TooMuch(1000) }]).await
    }

    async fn hear(&mut self, _: &Site, _: &str) -> Result<(), Closed> {
        self.close(Why::Malformed).await
    }

    async fn hear_bytes(&mut self, site: &Site, bytes: Bytes) -> Result<(), Closed> {
        if site.private().naps() != self.naps {
            return self.close(Why::Closing).await;
        }
        let Ok(frame) = dealing::decode::<ToHub>(&bytes) else { return self.close(Why::Malformed).await };
        match (&mut self.stage, frame) {
            (Stage::Greeted(challenge), ToHub::Hello(hello)) => {
                let challenge = *challenge;
                match site.private().hello(&self.live, &self.row, &hello, &challenge).await {
                    Ok(entered) => self.enter(hello, challenge, &entered).await,
                    Err(why) => self.close(why).await,
                }
            }
            (Stage::Greeted(_), ToHub::Knock(table)) => self.knock(site, table == self.row.id.table()).await,
            (Stage::Knocking { present, said }, ToHub::Beside { to: 0, words }) => {
                *said += 1;
                let fine = *said <= MOST_KNOCKS && words.len() <= MOST_KNOCK;
                match fine.then(|| present.say(0, words)).flatten() {
                    Some(words) => site.private().pass_on(&self.live, &words).await,
                    None => drop(site.limited("a knock")),
                }
                Ok(())
            }
            (Stage::Inside(inside), ToHub::Beside { to, words }) => {
                match inside.present.say(to, words) {
                    Some(words) => site.private().pass_on(&self.live, &words).await,
                    None => drop(site.limited("words beside the log")),
                }
                Ok(())
            }
            // Who they are shows in the entries that they are returning.
            (Stage::Inside(inside), ToHub::Append(_)) if inside.claim.is_some() => {
                self.say([FromHub::Refused { sequence: 0, why: Why::TooMuch(250) }]).await
            }
            (Stage::Inside(inside), ToHub::Append(envelope)) => {
                let sender = inside.present.member();
                match site.private().append(&self.live, sender, &envelope).await {
                    // Their first entry makes them a member.
                    Ok(number) if sender.is_none() => {
                        inside.present.becomes(number);
                        Ok(())
                    }
                    Ok(_) => Ok(()),
                    Err((_, why @ Why::NoTable)) => self.close(why).await,
                    Err((sequence, why)) => self.say([FromHub::Refused { sequence, why }]).await,
                }
            }
            (Stage::Inside(_), ToHub::Install { change, signature }) => {
                match site.private().install(&self.live, &change, &signature).await {
                    Ok(()) => Ok(()),
                    Err(why) => self.say([FromHub::Refused { sequence: 0, why }]).await,
                }
            }
            (Stage::Inside(inside), ToHub::Entry(entry)) if inside.sent < inside.returns => {
                match site.private().give_back(&self.live, &entry).await {
                    Ok(()) => self.returned(site).await,
                    Err(why) => self.close(why).await,
                }
            }
            // Another member has been faster.
            (Stage::Inside(inside), ToHub::Entry(_)) if inside.returns > 0 => self.returned(site).await,
            _ => self.close(Why::Malformed).await,
        }
    }
}

impl Talk {
    /// They have a ticket.
    async fn enter(&mut self, hello: Hello, challenge: [u8; 32], entered: &Entered) -> Result<(), Closed> {
        let role = entered.member.map_or(Role::Spectator, Role::Member);
        let (present, letters) = match Present::enter(&self.live, role, None) {
            Ok(entered) => entered,
            Err(why) => return self.close(why).await,
        };
        let feed = &mut self.line.watching;
        (feed.letters, feed.until, feed.more) = (Some(letters), None, true);
        let (behind, have) = (entered.behind, hello.have.height);
        let claim = (entered.member.is_none() && hello.member.is_some()).then_some((hello, challenge));
        // The entries that the hub has lost are theirs already.
        let sent = if behind { entered.head.height } else { have };
        let returns = if behind { have } else { 0 };
        let here = *self.line.watching.here.borrow_and_update();
        self.stage = Stage::Inside(Box::new(Inside { present, sent, waiting: VecDeque::new(), claim, returns, here }));
        let welcome = FromHub::Welcome { hub: entered.hub, head: entered.head };
        let behind = behind.then_some(FromHub::Behind(entered.head));
        self.say([welcome, FromHub::Here(here)].into_iter().chain(behind)).await
    }

    /// They have no ticket. What they are told is no secret.
    async fn knock(&mut self, site: &Site, here: bool) -> Result<(), Closed> {
        if !here || self.row.code.is_none() {
            return self.close(Why::NotAdmitted).await;
        }
        let Ok(random) = random::<4>() else { return Err(Closed) };
        let hub = match site.private().hub_key(&self.live).await {
            Ok(hub) => hub,
            Err(why) => return self.close(why).await,
        };
        let (present, letters) = match Present::enter(&self.live, Present::knock(random), site.household(self.from)) {
            Ok(entered) => entered,
            Err(why) => return self.close(why).await,
        };
        let feed = &mut self.line.watching;
        (feed.letters, feed.until) = (Some(letters), Some(Instant::now() + TO_KNOCK));
        self.stage = Stage::Knocking { present, said: 0 };
        self.say([FromHub::Welcome { hub, head: Head::begin(self.row.id.table(), &hub) }]).await
    }

    /// Sends the next piece of the log, and who is there.
    async fn pass_on(&mut self, site: &Site) -> Result<(), Closed> {
        let Stage::Inside(inside) = &mut self.stage else { return Ok(()) };
        let feed = &mut self.line.watching;
        let height = *feed.height.borrow_and_update();
        // What they are returning they have.
        inside.sent = inside.sent.max(inside.returns.min(height));
        if inside.waiting.is_empty() && inside.sent < height {
            match site.private().entries(&self.live, inside.sent).await {
                Ok(entries) => inside.waiting = entries.into(),
                Err(why) => return self.close(why).await,
            }
        }
        let (mut piece, mut size) = (Vec::new(), 0);
        while size < PIECE
            && let Some(entry) = inside.waiting.pop_front()
        {
            size += entry.len();
            inside.sent += 1;
            piece.push(FromHub::Entry(entry.into()));
        }
        feed.more = !inside.waiting.is_empty() || inside.sent < height && !piece.is_empty();
        let here = *feed.here.borrow_and_update();
        let here = (std::mem::replace(&mut inside.here, here) != here).then_some(FromHub::Here(here));
        self.say(piece.into_iter().chain(here)).await
    }

    /// The hub has got an entry back; perhaps it is the one that shows who they are.
    async fn returned(&mut self, site: &Site) -> Result<(), Closed> {
        let Stage::Inside(inside) = &mut self.stage else { return Ok(()) };
        if let Some((hello, challenge)) = &inside.claim
            && let Some(number) = site.private().member(&self.live, hello, challenge).await
        {
            inside.claim = None;
            inside.present.becomes(number);
        }
        Ok(())
    }

    async fn say(&mut self, frames: impl IntoIterator<Item = FromHub>) -> Result<(), Closed> {
        let frames = frames.into_iter().map(|frame| Message::Binary(dealing::encode(&frame).into()));
        self.line.send(frames).await
    }

    /// Says why, and closes the socket.
    async fn close(&mut self, why: Why) -> Result<(), Closed> {
        // They are not there any more.
        self.stage = Stage::Over;
        let last = Message::Binary(dealing::encode(&FromHub::Closed(why)).into());
        self.line.hang_up([last, Message::Close(None)]).await
    }
}
