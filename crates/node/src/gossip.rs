//! Transactions on their way to other nodes.
//!
//! The engine carries blocks and votes, but no transactions. So every node keeps a line to the others' RPC ports and
//! sends whatever it lets into its pool. Who sends it does not matter: a node judges a transaction from another node like
//! one from anybody. What a node knows already it does not pass on, so nothing goes round in circles. A node that the
//! others do not know of asks them to send theirs back over the same line.

use core::net::SocketAddr;
use core::time::Duration;
use std::sync::Arc;

use chain::Signed;
use chain::tx::MOST_BYTES;
use futures_util::{SinkExt, StreamExt};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio_tungstenite::tungstenite::Message;

use crate::core::Shared;

/// A line that fails is opened again after this long, at first.
const SOONEST: Duration = Duration::from_millis(250);
/// And after this long, if it fails again and again.
const LATEST: Duration = Duration::from_secs(10);
/// The other node hears at least this often from this one: lines that are silent are closed there.
const PING: Duration = Duration::from_secs(15);
/// A message must be taken after this long.
const SLOW: Duration = Duration::from_secs(10);

/// Sends what is let in to another node, until this one stops. With `both`, it sends back what it lets in.
pub async fn tell(shared: Shared, to: SocketAddr, both: bool) {
    let query = if both { "?both" } else { "" };
    let mut pause = SOONEST;
    loop {
        match tokio_tungstenite::connect_async(format!("ws://{to}/gossip{query}")).await {
            Ok((line, _)) => {
                tracing::info!(%to, "transactions are sent to another node");
                pause = SOONEST;
                // Whatever waits here may be news there.
                let news = shared.news.subscribe();
                let why = send(&shared, line, news).await;
                tracing::info!(%to, why, "the line to another node is closed");
            }
            Err(why) => tracing::debug!(%to, %why, "another node cannot be reached"),
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(LATEST);
    }
}

async fn send<L>(shared: &Shared, line: L, mut news: Receiver<Arc<Signed>>) -> String
where
    L: futures_util::Sink<Message, Error = tokio_tungstenite::tungstenite::Error>
        + futures_util::Stream<Item = Result<Message, tokio_tungstenite::tungstenite::Error>>
        + Unpin,
{
    let (mut out, mut answers) = line.split();
    let mut ping = tokio::time::interval(PING);
    let mut waiting = shared.everything_waiting().into_iter();
    loop {
        let message = match waiting.next() {
            Some(signed) => frame(&signed),
            None => tokio::select! {
                told = news.recv() => match told {
                    Ok(signed) => frame(&signed),
                    // The line is too slow. What it missed and what still waits is said again.
                    Err(RecvError::Lagged(missed)) => {
                        tracing::debug!(missed, "a line to another node is too slow");
                        waiting = shared.everything_waiting().into_iter();
                        continue;
                    }
                    Err(RecvError::Closed) => return "the node stops".to_owned(),
                },
                answer = answers.next() => match answer {
                    Some(Ok(Message::Close(_))) | None => return "it was closed there".to_owned(),
                    Some(Ok(Message::Binary(frame))) => {
                        hear(shared, &frame).await;
                        continue;
                    }
                    Some(Ok(_)) => continue,
                    Some(Err(why)) => return why.to_string(),
                },
                _ = ping.tick() => Message::Ping(Default::default()),
            },
        };
        match tokio::time::timeout(SLOW, out.send(message)).await {
            Ok(Ok(())) => {}
            Ok(Err(why)) => return why.to_string(),
            Err(_) => return "nothing is read there".to_owned(),
        }
    }
}

/// A transaction from the other node, which this one has chosen to listen to.
async fn hear(shared: &Shared, frame: &[u8]) {
    let signed = (frame.len() <= MOST_BYTES).then(|| borsh::from_slice::<Signed>(frame).ok()).flatten();
    if let Some(signed) = signed {
        let shared = shared.clone();
        let _ = tokio::task::spawn_blocking(move || shared.submit(signed)).await;
    }
}

fn frame(signed: &Signed) -> Message {
    Message::Binary(borsh::to_vec(signed).expect("plain data can be written to memory").into())
}
