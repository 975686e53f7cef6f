//! Transactions on their way to other nodes.
//!
//! The engine carries blocks and votes, but no transactions. So every node keeps a line to the others' RPC ports and
//! sends whatever it lets into its pool. Who sends it does not matter: a node judges a transaction from another node like
//! one from anybody. What a node knows already it does not pass on, so nothing goes round in circles.

use core::net::SocketAddr;
use core::time::Duration;
use std::sync::Arc;

use axum::extract::ws::{Message as Frame, WebSocket};
use chain::Signed;
use chain::tx::MOST_BYTES;
use futures_util::{SinkExt, StreamExt};
use tokio::sync::broadcast::error::RecvError;
use tokio_tungstenite::tungstenite::Message;

use crate::core::Shared;
use crate::pool::NotLetIn;

/// A line that fails is opened again after this long, at first.
const SOONEST: Duration = Duration::from_millis(250);
/// And after this long, if it fails again and again.
const LATEST: Duration = Duration::from_secs(10);
/// A line that brought so much nonsense is closed.
const MOST_NONSENSE: u32 = 1_000;
/// The most bytes and transactions that a line may bring in a second.
const MOST_PER_SECOND: (usize, usize) = (8 << 20, 2_000);

/// Sends what is let in to another node, until this one stops.
pub async fn tell(shared: Shared, to: SocketAddr) {
    let mut pause = SOONEST;
    loop {
        match tokio_tungstenite::connect_async(format!("ws://{to}/gossip")).await {
            Ok((line, _)) => {
                tracing::info!(%to, "transactions are sent to another node");
                pause = SOONEST;
                // Whatever waits here may be news there.
                let news = shared.news.subscribe();
                let (_, waiting) = shared.moment();
                let why = send(line, waiting, news).await;
                tracing::info!(%to, why, "the line to another node is closed");
            }
            Err(why) => tracing::debug!(%to, %why, "another node cannot be reached"),
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(LATEST);
    }
}

async fn send<L>(line: L, waiting: Vec<Signed>, mut news: tokio::sync::broadcast::Receiver<Arc<Signed>>) -> String
where
    L: futures_util::Sink<Message, Error = tokio_tungstenite::tungstenite::Error>
        + futures_util::Stream<Item = Result<Message, tokio_tungstenite::tungstenite::Error>>
        + Unpin,
{
    let (mut out, mut answers) = line.split();
    for signed in waiting {
        if let Err(why) = out.send(frame(&signed)).await {
            return why.to_string();
        }
    }
    loop {
        tokio::select! {
            told = news.recv() => match told {
                Ok(signed) => {
                    if let Err(why) = out.send(frame(&signed)).await {
                        return why.to_string();
                    }
                }
                // The line is too slow. What it missed is said again, if anybody waits for it.
                Err(RecvError::Lagged(missed)) => tracing::debug!(missed, "a line to another node is too slow"),
                Err(RecvError::Closed) => return "the node stops".to_owned(),
            },
            answer = answers.next() => match answer {
                Some(Ok(Message::Close(_))) | None => return "it was closed there".to_owned(),
                Some(Ok(_)) => {}
                Some(Err(why)) => return why.to_string(),
            },
        }
    }
}

fn frame(signed: &Signed) -> Message {
    Message::Binary(borsh::to_vec(signed).expect("plain data can be written to memory").into())
}

/// Hears what another node sends, until it stops or talks nonsense.
pub async fn hear(shared: Shared, mut line: WebSocket) {
    let (mut nonsense, mut second, mut bytes, mut count) = (0, tokio::time::Instant::now(), 0, 0);
    while let Some(Ok(frame)) = line.next().await {
        let Frame::Binary(frame) = frame else { continue };
        if second.elapsed() >= Duration::from_secs(1) {
            (second, bytes, count) = (tokio::time::Instant::now(), 0, 0);
        }
        (bytes, count) = (bytes + frame.len(), count + 1);
        if bytes > MOST_PER_SECOND.0 || count > MOST_PER_SECOND.1 {
            tokio::time::sleep_until(second + Duration::from_secs(1)).await;
        }
        let signed = (frame.len() <= MOST_BYTES).then(|| borsh::from_slice::<Signed>(&frame).ok()).flatten();
        let good = signed.is_some_and(|signed| match tokio::task::block_in_place(|| shared.submit(signed)) {
            Ok(_) => true,
            // Somebody else was faster, or the chain has moved on: nobody's fault.
            Err(why) => !matches!(why, NotLetIn::Chain | NotLetIn::Bytes | NotLetIn::Signature | NotLetIn::NotFree),
        });
        nonsense += u32::from(!good);
        if nonsense > MOST_NONSENSE {
            tracing::warn!("another node talks nonsense, and its line is closed");
            return;
        }
    }
}
