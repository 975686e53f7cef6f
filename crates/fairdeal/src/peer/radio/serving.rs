//! The lines of all guests, at the host.

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use ::peer::TableId;
use ::peer::frame::MOST_FRAME;
use parcels::{Advertisement, Limits, Link};
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

use super::carry::{Host, carry};
use super::room::Room;
use super::{NoRadio, Sign, Wire, air};

/// How many guests may be connected.
pub(super) const MOST_LINES: usize = 16;
/// How long lines may take to end after the hub has.
const TO_END: Duration = Duration::from_secs(4);

/// A table that can be reached over Bluetooth until this is dropped.
pub(in crate::peer) struct Serving {
    end: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Serving {
    /// Advertises, and connects every guest to the hub that listens there.
    pub(in crate::peer) fn start(
        advertisement: Advertisement,
        sign: Sign,
        hub: std::net::SocketAddr,
    ) -> Result<Self, NoRadio> {
        let failed = |why: std::io::Error| NoRadio::Unusable(why.to_string());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
        let (end, ended) = oneshot::channel::<()>();
        let (tell, told) = std::sync::mpsc::channel();
        let table = sign.table().ok_or_else(|| NoRadio::Unusable("the table has no id".to_owned()))?;
        let serving = async move {
            let (lines, coming) = mpsc::channel(MOST_LINES);
            // It is advertised until this is dropped.
            let _hosted = match air::host(&advertisement, &sign, lines).await {
                Ok(hosted) => hosted,
                Err(why) => return drop(tell.send(Err(why))),
            };
            let _ = tell.send(Ok(()));
            let lines = Arc::new(Semaphore::new(MOST_LINES));
            tokio::select! {
                _ = ended => {}
                () = guests(coming, lines.clone(), hub, table) => {}
            }
            // What was said before still gets to them.
            let all = u32::try_from(MOST_LINES).unwrap_or(u32::MAX);
            let _ = tokio::time::timeout(TO_END, lines.acquire_many(all)).await;
        };
        let thread = std::thread::Builder::new().name("radio".to_owned()).spawn(move || {
            runtime.block_on(serving);
            runtime.shutdown_background();
        });
        let thread = thread.map_err(failed)?;
        told.recv().unwrap_or_else(|_| Err(NoRadio::Unusable("it ended at once".to_owned())))?;
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

/// Connects guests to the hub as they come.
pub(super) async fn guests(
    mut coming: mpsc::Receiver<Wire>,
    lines: Arc<Semaphore>,
    hub: std::net::SocketAddr,
    table: TableId,
) {
    let mut host = Host { slow: Some(Arc::new(Semaphore::new(1))), room: None };
    while let Some(wire) = coming.recv().await {
        let Ok(line) = lines.clone().try_acquire_owned() else { continue };
        if wire.everybody && host.room.is_none() {
            let Ok(session) = getrandom::u32() else { continue };
            let (room, write) = (Arc::new(Room::new(session)), wire.write.clone());
            host.room = Some(room.clone());
            tokio::spawn(async move { room.speak(write).await });
        }
        let host = host.clone();
        tokio::spawn(async move {
            let over = guest(wire, hub, table, host).await;
            tracing::debug!(?over, "a line over Bluetooth is over");
            drop(line);
        });
    }
}

/// Connects one guest to the hub.
async fn guest(wire: Wire, hub: std::net::SocketAddr, table: TableId, host: Host) -> Option<super::carry::Over> {
    let stream = TcpStream::connect(hub).await.ok()?;
    let _ = stream.set_nodelay(true);
    let mut config = WebSocketConfig::default();
    (config.max_message_size, config.max_frame_size) = (Some(MOST_FRAME), Some(MOST_FRAME));
    let at = format!("ws://{hub}/private/{table}/socket");
    let (socket, _) = tokio_tungstenite::client_async_with_config(at, stream, Some(config)).await.ok()?;
    let session = getrandom::u32().ok()?;
    Some(carry(Link::host(session, Limits::default()), wire, socket, host).await)
}
