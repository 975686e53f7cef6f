//! A guest's way through a relay to a hub.

use ::peer::frame::MOST_FRAME;
use relays::address::Through;
use relays::line::Line;
use relays::{Draft, Filter, FromRelay, Kind, ToRelay};
use results::{Public, Secret};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};

use super::carry::{Wire, carry};
use super::client::{Client, Trouble};
use super::{fresh_key, random, seconds};
use crate::peer::Stream;

/// How many packets may wait to be looked at, and to be sent. More are lost, and sent again.
pub(super) const MOST_WAITING: usize = 64;
/// The buffer of a socket in memory.
const BUFFER: usize = 64 << 10;

const _: () = assert!(MOST_FRAME <= relays::line::MOST_FRAME, "every frame of a table fits into a frame of a line");

/// A socket as if there were a network, and the task that carries it. The task goes on for a moment after the socket is
/// closed, so that what was said before gets there.
pub(crate) type Carried = (WebSocketStream<Box<dyn Stream>>, JoinHandle<()>);

/// Connects to a hub through a relay, with a key that is used for this connection only.
pub(crate) async fn connect(through: &Through, config: WebSocketConfig) -> Result<Carried, Trouble> {
    let mut client = Client::connect(&through.relay).await?;
    let own = fresh_key().ok_or(Trouble::Lost)?;
    let id = u64::from_le_bytes(random::<8>().ok_or(Trouble::Lost)?);
    let filter = frames_to(own.public()).by(through.key);
    client.begin(&filter).await?;
    let (ours, theirs) = tokio::io::duplex(BUFFER);
    let ours = WebSocketStream::from_raw_socket(Box::new(ours) as Box<dyn Stream>, Role::Client, Some(config)).await;
    let theirs = WebSocketStream::from_raw_socket(theirs, Role::Server, Some(config)).await;
    let (say, said) = mpsc::channel(MOST_WAITING);
    let (tell, heard) = mpsc::channel(MOST_WAITING);
    let to = through.key;
    let carrying = tokio::spawn(async move {
        tokio::select! {
            () = carry(Line::new(id), Wire { heard, say }, theirs) => {}
            why = pump(client, filter, (own, to), said, tell) => tracing::debug!(%why, "the line through the relay is over"),
        }
    });
    Ok((ours, carrying))
}

/// Frames for this key. Relays should keep none; those that do must not send very old ones. Clocks may differ.
pub(super) fn frames_to(key: Public) -> Filter {
    Filter { since: Some(seconds().saturating_sub(86_400)), ..Filter::of(Kind::FRAMES) }.with('p', vec![key.hex()])
}

/// An event with a packet.
pub(super) fn packet(from: &Secret, to: &Public, content: String) -> Option<ToRelay> {
    let tags = vec![vec!["p".to_owned(), to.hex()]];
    let draft = Draft { at: seconds(), kind: Kind::FRAMES, tags, content };
    Some(ToRelay::Event(draft.sign(from, &random()?)))
}

/// Passes packets on both ways until the relay is of no use any more.
async fn pump(
    mut client: Client,
    filter: Filter,
    (own, to): (Secret, Public),
    mut said: mpsc::Receiver<String>,
    tell: mpsc::Sender<String>,
) -> Trouble {
    loop {
        tokio::select! {
            content = said.recv() => {
                let Some(event) = content.and_then(|content| packet(&own, &to, content)) else { return Trouble::Lost };
                if let Err(why) = client.say(&event).await {
                    return why;
                }
            }
            message = client.next() => match message {
                Ok(Some(FromRelay::Event { event, .. })) if filter.fits(&event) => {
                    // What finds no room comes again.
                    let _ = tell.try_send(event.content().to_owned());
                }
                Ok(Some(FromRelay::Closed { why, .. })) => return Trouble::Refused(why),
                Ok(Some(FromRelay::Kept { kept: false, why, .. })) => tracing::debug!(%why, "the relay refuses a packet"),
                Ok(_) => {}
                Err(why) => return why,
            },
        }
        if let Err(why) = client.is_patient() {
            return why;
        }
    }
}
