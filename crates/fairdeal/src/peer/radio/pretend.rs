//! A radio for tests: hosts in this process, and a line that loses pieces.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use parcels::Limits;
use tokio::sync::mpsc;

use super::{MOST_HEARD, MOST_WRITTEN, Wire};

static HOSTS: Mutex<BTreeMap<String, (mpsc::Sender<Wire>, Line)>> = Mutex::new(BTreeMap::new());

/// What a line is like.
#[derive(Clone, Copy)]
pub(in crate::peer) struct Line {
    /// How many bytes a piece may have.
    pub(in crate::peer) piece: usize,
    /// Every so many pieces, one is lost.
    pub(in crate::peer) lost: usize,
}

/// A host with this name, to whom lines like this lead.
pub(super) fn host(name: &str, line: Line) -> mpsc::Receiver<Wire> {
    let (lines, coming) = mpsc::channel(16);
    HOSTS.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), (lines, line));
    coming
}

/// A line to the host with this name.
pub(super) fn connect(name: &str) -> Option<Wire> {
    let (host, line) = HOSTS.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned()?;
    let (ours, theirs) = (pipe(line), pipe(line));
    host.try_send(Wire {
        heard: ours.1,
        write: theirs.0,
        piece: line.piece,
        limits: Limits::default(),
        connection: None,
    })
    .ok()?;
    Some(Wire { heard: theirs.1, write: ours.0, piece: line.piece, limits: Limits::default(), connection: None })
}

fn pipe(line: Line) -> (mpsc::Sender<Vec<Vec<u8>>>, mpsc::Receiver<Vec<u8>>) {
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
