//! A hub behind a relay: offers, invitations, and a line for each guest.

use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;
use std::thread::JoinHandle;
use std::time::Duration;

use ::peer::TableId;
use ::peer::frame::MOST_FRAME;
use relays::line::{Glance, Line, glance};
use relays::offer::{Invitation, Offer};
use relays::{Event, FromRelay, RelayUrl, ToRelay};
use results::{Public, Secret};
use tokio::net::TcpStream;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, timeout};
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

use super::carry::{Wire, carry};
use super::client::{Client, Trouble};
use super::guest::{MOST_WAITING, frames_to, packet};
use super::{meeting, random, seconds};

/// How many guests may have a line, and how many lines may be opened in a minute: anybody on the relay can try.
const MOST_LINES: usize = 32;
const MOST_NEW: usize = 60;
/// How many lines that are over are remembered, so that what still comes for them opens no new ones.
const MOST_OVER: usize = 1024;
/// How often a guest is told that its line is over: anybody can make us say so, with keys that are nobody's.
const HANG_UP_EVERY: Duration = Duration::from_secs(1);
/// How often an offer is repeated, and how long it holds.
const OFFER_EVERY: Duration = Duration::from_secs(240);
const OFFER_HOLDS: u64 = 600;
/// How long an invitation holds.
const INVITATION_HOLDS: u64 = 86_400;
/// The pauses before another attempt to reach the relay.
const PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// How long the last words have to get there.
const TO_END: Duration = Duration::from_secs(5);

/// What a host says on a relay.
pub(crate) struct Sign {
    pub(crate) relay: RelayUrl,
    /// The hub's key on the relay.
    pub(crate) key: Secret,
    pub(crate) table: TableId,
    /// What everybody may read.
    pub(crate) offer: Option<Offer>,
    pub(crate) invitations: Option<Invitations>,
}

/// Invitations, and for whom; the identity of the host signs them.
pub(crate) struct Invitations {
    pub(crate) invitation: Invitation,
    pub(crate) to: Vec<Public>,
    pub(crate) identity: Secret,
}

/// A hub that can be reached through a relay until this is dropped.
pub(crate) struct Serving {
    end: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Serving {
    /// Connects to the relay, invites, and connects every guest to the hub that listens there.
    pub(crate) fn start(sign: Sign, hub: SocketAddr) -> Result<Self, Trouble> {
        let (tell, told) = std::sync::mpsc::channel();
        let serving = Self::spawn(hub, async move {
            match first(&sign).await {
                Ok(client) => {
                    let _ = tell.send(Ok(()));
                    Some((sign, Some(client)))
                }
                Err(why) => {
                    let _ = tell.send(Err(why));
                    None
                }
            }
        })?;
        told.recv().unwrap_or(Err(Trouble::Lost))?;
        Ok(serving)
    }

    /// The same without invitations, and without waiting for the relay.
    pub(crate) fn later(sign: Sign, hub: SocketAddr) -> Result<Self, Trouble> {
        Self::spawn(hub, std::future::ready(Some((sign, None))))
    }

    fn spawn(
        hub: SocketAddr,
        begin: impl Future<Output = Option<(Sign, Option<Client>)>> + Send + 'static,
    ) -> Result<Self, Trouble> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|_| Trouble::Lost)?;
        let (end, ended) = oneshot::channel::<()>();
        let serving = async move {
            let Some((sign, client)) = begin.await else { return };
            let (tell, lines) = mpsc::channel(MOST_WAITING);
            let board = Switchboard {
                sign,
                hub,
                lines: BTreeMap::new(),
                over: VecDeque::new(),
                hang_ups: HangUps::default(),
                opened: VecDeque::new(),
                tell,
            };
            board.run(client, lines, ended).await;
        };
        let thread = std::thread::Builder::new().name("relay".to_owned()).spawn(move || {
            runtime.block_on(serving);
            runtime.shutdown_background();
        });
        let thread = thread.map_err(|_| Trouble::Lost)?;
        Ok(Self { end: Some(end), thread: Some(thread) })
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The first connection, with the invitations.
async fn first(sign: &Sign) -> Result<Client, Trouble> {
    let mut client = Client::connect(&sign.relay).await?;
    let now = seconds();
    let mut events = Vec::new();
    if let Some(Invitations { invitation, to, identity }) = &sign.invitations {
        for to in to {
            let draft = invitation.write(now, now + INVITATION_HOLDS);
            events.push(meeting::wrapped(&draft, identity, to, now + INVITATION_HOLDS).ok_or(Trouble::Lost)?);
        }
    }
    let published = client.publish(&events, &mut |_| ()).await?;
    if published.refused > 0 {
        return Err(Trouble::Refused(published.why.unwrap_or_default()));
    }
    greet(&mut client, sign).await?;
    Ok(client)
}

/// What is said to the relay after every connection.
async fn greet(client: &mut Client, sign: &Sign) -> Result<(), Trouble> {
    client.begin(&frames_to(sign.key.public())).await?;
    offer(client, sign).await
}

async fn offer(client: &mut Client, sign: &Sign) -> Result<(), Trouble> {
    let now = seconds();
    let Some(offer) = &sign.offer else { return Ok(()) };
    let event = offer.write(now, now + OFFER_HOLDS).sign(&sign.key, &random().ok_or(Trouble::Lost)?);
    client.say(&ToRelay::Event(event)).await
}

type Key = (Public, u64);

/// A packet for a guest, or the end of a line.
type Said = (Key, Option<String>);

/// All lines of a hub.
struct Switchboard {
    sign: Sign,
    hub: SocketAddr,
    lines: BTreeMap<Key, mpsc::Sender<String>>,
    over: VecDeque<Key>,
    hang_ups: HangUps,
    /// When the last lines were opened.
    opened: VecDeque<Instant>,
    tell: mpsc::Sender<Said>,
}

/// To whom it was said that their line is over. Whoever does not hear it notices that the line is silent.
#[derive(Default)]
struct HangUps {
    last: Option<Instant>,
    said: VecDeque<Key>,
}

impl HangUps {
    /// Whether it is said now: once for each line, and not often.
    fn is_due(&mut self, key: Key, now: Instant) -> bool {
        if self.last.is_some_and(|last| now < last + HANG_UP_EVERY) || self.said.contains(&key) {
            return false;
        }
        self.last = Some(now);
        remember(&mut self.said, key);
        true
    }
}

/// Remembers a line, and forgets the earliest if there are too many.
fn remember(lines: &mut VecDeque<Key>, key: Key) {
    lines.push_back(key);
    if lines.len() > MOST_OVER {
        lines.pop_front();
    }
}

impl Switchboard {
    /// Connects guests until the end, and to the relay again whenever that is lost. Lines outlive that.
    async fn run(
        mut self,
        mut connected: Option<Client>,
        mut said: mpsc::Receiver<Said>,
        mut ended: oneshot::Receiver<()>,
    ) {
        let mut pause = if connected.is_some() { PAUSE } else { Duration::ZERO };
        loop {
            let Some(mut client) = connected.take() else {
                tokio::select! {
                    () = sleep(pause) => {}
                    _ = &mut ended => return,
                }
                pause = (pause * 2).clamp(PAUSE, LONGEST_PAUSE);
                connected = Client::connect(&self.sign.relay).await.ok();
                if let Some(client) = &mut connected
                    && greet(client, &self.sign).await.is_err()
                {
                    connected = None;
                }
                continue;
            };
            pause = PAUSE;
            match self.serve(&mut client, &mut said, &mut ended).await {
                Ok(()) => {
                    let _ = timeout(TO_END, self.finish(client, said)).await;
                    return;
                }
                Err(why) => tracing::debug!(%why, "the relay is lost"),
            }
        }
    }

    /// Serves with one connection to the relay; ends well when the host ends.
    async fn serve(
        &mut self,
        client: &mut Client,
        said: &mut mpsc::Receiver<Said>,
        ended: &mut oneshot::Receiver<()>,
    ) -> Result<(), Trouble> {
        let wanted = frames_to(self.sign.key.public());
        let mut offers = interval(OFFER_EVERY);
        offers.set_missed_tick_behavior(MissedTickBehavior::Delay);
        offers.reset();
        loop {
            tokio::select! {
                message = client.next() => match message? {
                    Some(FromRelay::Event { event, .. }) if wanted.fits(&event) => self.heard(&event),
                    Some(FromRelay::Closed { why, .. }) => return Err(Trouble::Refused(why)),
                    _ => {}
                },
                Some(said) = said.recv() => self.say(client, said).await?,
                _ = offers.tick() => offer(client, &self.sign).await?,
                _ = &mut *ended => return Ok(()),
            }
            client.is_patient()?;
        }
    }

    /// Sends what lines still have to say, and takes the offer back.
    async fn finish(&mut self, mut client: Client, mut said: mpsc::Receiver<Said>) {
        if self.sign.offer.is_some()
            && let Some(aux) = random()
        {
            let event = Offer::withdraw(&self.sign.table.0, seconds()).sign(&self.sign.key, &aux);
            let _ = client.say(&ToRelay::Event(event)).await;
        }
        let wanted = frames_to(self.sign.key.public());
        while !self.lines.is_empty() {
            let done = tokio::select! {
                said = said.recv() => match said {
                    Some(said) => self.say(&mut client, said).await.is_err(),
                    None => true,
                },
                message = client.next() => match message {
                    Ok(Some(FromRelay::Event { event, .. })) if wanted.fits(&event) => {
                        self.pass_on(&event);
                        false
                    }
                    Ok(_) => false,
                    Err(_) => true,
                },
            };
            if done {
                return;
            }
        }
    }

    async fn say(&mut self, client: &mut Client, (key, content): Said) -> Result<(), Trouble> {
        match content.and_then(|content| packet(&self.sign.key, &key.0, content)) {
            Some(event) => client.say(&event).await,
            None => {
                self.lines.remove(&key);
                remember(&mut self.over, key);
                Ok(())
            }
        }
    }

    /// A packet for a line that is there; if there is none, what it is.
    fn pass_on(&self, event: &Event) -> Option<(Key, Glance)> {
        let glance = glance(event.content())?;
        let key = (event.by(), glance.line);
        match self.lines.get(&key) {
            Some(line) => {
                // What finds no room comes again.
                let _ = line.try_send(event.content().to_owned());
                None
            }
            None => Some((key, glance)),
        }
    }

    /// A packet of a guest; the first one opens a line.
    fn heard(&mut self, event: &Event) {
        let Some((key, glance)) = self.pass_on(event) else { return };
        // A line from before this program was started, or one that is over: its guest begins a new one.
        if !glance.fresh || self.over.contains(&key) {
            if self.hang_ups.is_due(key, Instant::now()) {
                let _ = self.tell.try_send((key, Some(glance.hang_up)));
            }
            return;
        }
        while self.opened.front().is_some_and(|at| at.elapsed() >= Duration::from_secs(60)) {
            self.opened.pop_front();
        }
        if self.lines.len() >= MOST_LINES || self.opened.len() >= MOST_NEW {
            return;
        }
        self.opened.push_back(Instant::now());
        let (line, heard) = mpsc::channel(MOST_WAITING);
        let _ = line.try_send(event.content().to_owned());
        self.lines.insert(key, line);
        let (hub, table, tell) = (self.hub, self.sign.table, self.tell.clone());
        tokio::spawn(async move {
            connected(key, (hub, table), heard, &tell).await;
            let _ = tell.send((key, None)).await;
        });
    }
}

/// One guest's line to the hub, until it is over.
async fn connected(
    key: Key,
    (hub, table): (SocketAddr, TableId),
    heard: mpsc::Receiver<String>,
    tell: &mpsc::Sender<Said>,
) {
    let mut config = WebSocketConfig::default();
    (config.max_message_size, config.max_frame_size) = (Some(MOST_FRAME), Some(MOST_FRAME));
    let Ok(stream) = TcpStream::connect(hub).await else { return };
    let _ = stream.set_nodelay(true);
    let request = format!("ws://{hub}/private/{table}/socket");
    let Ok((socket, _)) = tokio_tungstenite::client_async_with_config(request, stream, Some(config)).await else {
        return;
    };
    let (say, mut said) = mpsc::channel::<String>(MOST_WAITING);
    let tell = tell.clone();
    let passing = async {
        while let Some(content) = said.recv().await {
            if tell.send((key, Some(content))).await.is_err() {
                return;
            }
        }
    };
    tokio::join!(carry(Line::new(key.1), Wire { heard, say }, socket), passing);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strangers_make_a_hub_hang_up_once_a_second_and_once_for_each_line() {
        let key = |byte: u8, line| (Secret::from_bytes(&[byte; 32]).unwrap().public(), line);
        let (mut hang_ups, now) = (HangUps::default(), Instant::now());
        let due: Vec<u8> = (1..=50).filter(|byte| hang_ups.is_due(key(*byte, 1), now)).collect();
        assert_eq!(due, [1], "many keys in one moment");
        let later = now + HANG_UP_EVERY;
        assert!(!hang_ups.is_due(key(1, 1), later), "it was said");
        assert!(hang_ups.is_due(key(1, 2), later), "another line of the same guest");
        for number in 0..2 * u64::try_from(MOST_OVER).unwrap() {
            hang_ups.is_due(key(1, number), later + HANG_UP_EVERY * u32::try_from(number + 1).unwrap());
        }
        assert_eq!(hang_ups.said.len(), MOST_OVER);
    }
}
