//! A radio for tests: hosts in this process, and a line that loses pieces.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use parcels::Limits;
use tokio::sync::mpsc;

use super::{MOST_HEARD, MOST_WRITTEN, Wire};

static HOSTS: Mutex<BTreeMap<String, Host>> = Mutex::new(BTreeMap::new());

/// Where the pieces of a parcel are written.
type Writer = mpsc::Sender<Vec<Vec<u8>>>;

/// A host, and those who hear everything that it writes.
#[derive(Clone)]
struct Host {
    lines: mpsc::Sender<Wire>,
    line: Line,
    guests: Arc<Mutex<Vec<Writer>>>,
}

/// What a line is like.
#[derive(Clone, Copy)]
pub(in crate::peer) struct Line {
    /// How many bytes a piece may have.
    pub(in crate::peer) piece: usize,
    /// Every so many pieces, one is lost.
    pub(in crate::peer) lost: usize,
    /// Whether all guests hear what the host writes, each with its own losses.
    pub(in crate::peer) everybody: bool,
}

/// A host with this name, to whom lines like this lead.
pub(super) fn host(name: &str, line: Line) -> mpsc::Receiver<Wire> {
    let (lines, coming) = mpsc::channel(16);
    let host = Host { lines, line, guests: Arc::default() };
    HOSTS.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), host);
    coming
}

/// A line to the host with this name.
pub(super) fn connect(name: &str) -> Option<Wire> {
    let host = HOSTS.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned()?;
    let line = host.line;
    let (ours, theirs) = (pipe(line), pipe(line));
    let wire = |heard, write, everybody| Wire {
        heard,
        write,
        piece: line.piece,
        limits: Limits::default(),
        everybody,
        connection: None,
    };
    let write = if line.everybody { all(&host, theirs.0) } else { theirs.0 };
    host.lines.try_send(wire(ours.1, write, line.everybody)).ok()?;
    Some(wire(theirs.1, ours.0, false))
}

/// Writes for everybody, with one more guest.
fn all(host: &Host, guest: Writer) -> Writer {
    host.guests.lock().unwrap_or_else(PoisonError::into_inner).push(guest);
    let (write, mut written) = mpsc::channel::<Vec<Vec<u8>>>(MOST_WRITTEN);
    let guests = host.guests.clone();
    tokio::spawn(async move {
        while let Some(pieces) = written.recv().await {
            let all = guests.lock().unwrap_or_else(PoisonError::into_inner).clone();
            for guest in all {
                let _ = guest.send(pieces.clone()).await;
            }
        }
    });
    write
}

fn pipe(line: Line) -> (Writer, mpsc::Receiver<Vec<u8>>) {
    let (write, mut written) = mpsc::channel::<Vec<Vec<u8>>>(MOST_WRITTEN);
    let (hear, heard) = mpsc::channel(MOST_HEARD);
    tokio::spawn(async move {
        let mut count = 0;
        while let Some(pieces) = written.recv().await {
            for piece in pieces {
                assert!(piece.len() <= line.piece);
                count += 1;
                if (line.lost == 0 || count % line.lost != 0) && hear.send(piece).await.is_err() {
                    return;
                }
            }
        }
    });
    (write, heard)
}
