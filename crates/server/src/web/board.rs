//! The list of tables while a visitor looks at it: sent over a socket whenever it changes.

use std::time::Duration;

use axum::extract::ws::{Message, Utf8Bytes, WebSocketUpgrade};
use axum::extract::{Query, State};
use axum::response::Response;
use tokio::sync::watch;
use tokio::time::sleep;

use super::identity::Visitor;
use super::socket::{LONGEST, Spoken};
use super::talk::{self, Closed, Line, News, converse};
use super::{Failure, Site, lobby};

/// Changes within this time are sent together.
const TOGETHER: Duration = Duration::from_millis(500);

pub(super) async fn open(
    State(site): State<Site>,
    Query(spoken): Query<Spoken>,
    visitor: Option<Visitor>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Failure> {
    let visitor = spoken.to(visitor.ok_or(Failure::NoPlayer)?);
    let place = site.socket(&visitor)?;
    let board = Board { changes: site.hub().lobby(), changed: false };
    let upgrade = upgrade.max_message_size(LONGEST).max_frame_size(LONGEST).write_buffer_size(0);
    Ok(upgrade.on_upgrade(move |socket| async move {
        let line = Line::new(socket, board, site.limits().patience());
        converse(&site, place, Talk { visitor, line, sent: String::new() }).await;
    }))
}

/// The list of tables, as known when it changes.
struct Board {
    changes: watch::Receiver<()>,
    /// It has changed, and is about to be sent.
    changed: bool,
}

impl News for Board {
    async fn changed(&mut self) {
        if !self.changed && self.changes.changed().await.is_err() {
            std::future::pending::<()>().await;
        }
        self.changed = true;
        sleep(TOGETHER).await;
        self.changes.borrow_and_update();
        self.changed = false;
    }
}

struct Talk {
    visitor: Visitor,
    line: Line<Board>,
    /// What the browser has.
    sent: String,
}

impl talk::Talk for Talk {
    type News = Board;

    fn line(&mut self) -> &mut Line<Board> {
        &mut self.line
    }

    fn may_send(&self, site: &Site) -> bool {
        talk::may_send(site, &self.visitor)
    }

    async fn tell(&mut self, site: &Site) -> Result<(), Closed> {
        // A list that cannot be read now may be readable next time.
        let Ok(list) = lobby::tables(site, &self.visitor).await else { return Ok(()) };
        if list.0 == self.sent {
            return Ok(());
        }
        self.sent = list.0;
        self.line.send([Message::Text(Utf8Bytes::from(self.sent.as_str()))]).await
    }

    async fn turn_away(&mut self) -> Result<(), Closed> {
        Ok(())
    }

    /// Incoming messages are ignored.
    async fn hear(&mut self, _: &Site, _: &str) -> Result<(), Closed> {
        Err(Closed)
    }
}
