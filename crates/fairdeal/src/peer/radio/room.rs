//! What a host says to all its guests at once, where the radio cannot do otherwise.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use parcels::Speaker;
use tokio::sync::{Notify, mpsc};
use tokio::time::{Instant as Moment, sleep_until};

/// Everybody who hears the host.
pub(super) struct Room {
    speaker: Mutex<Speaker>,
    begun: Instant,
    said: Notify,
}

impl Room {
    pub(super) fn new(session: u32) -> Self {
        Self { speaker: Mutex::new(Speaker::new(session)), begun: Instant::now(), said: Notify::new() }
    }

    fn speaker(&self) -> MutexGuard<'_, Speaker> {
        self.speaker.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a message through a line, or says it to everybody.
    pub(super) fn send(&self, link: &mut parcels::Link, message: Vec<u8>) -> Result<(), parcels::Refused> {
        let sent = link.send_with(message, &mut self.speaker());
        self.said.notify_one();
        sent
    }

    /// A guest has missed something.
    pub(super) fn missed(&self, from: u32, length: u16) {
        self.speaker().again(from, length, self.begun.elapsed());
        self.said.notify_one();
    }

    /// A guest may have got something.
    pub(super) fn settle(&self, link: &parcels::Link) {
        link.settle(&mut self.speaker());
    }

    /// A guest is gone.
    pub(super) fn leave(&self, guest: Option<u32>) {
        if let Some(guest) = guest {
            self.speaker().leave(guest);
        }
    }

    fn next(&self) -> Result<Vec<u8>, Option<Duration>> {
        self.speaker().poll(self.begun.elapsed())
    }

    /// Says everything that there is to say, until nothing can be written any more.
    pub(super) async fn speak(&self, write: mpsc::Sender<Vec<Vec<u8>>>) {
        loop {
            match self.next() {
                Ok(piece) => {
                    if write.send(vec![piece]).await.is_err() {
                        return;
                    }
                }
                Err(Some(at)) => sleep_until(Moment::from_std(self.begun + at)).await,
                Err(None) => self.said.notified().await,
            }
        }
    }
}
