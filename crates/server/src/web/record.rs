//! Records of matches, as files. They hold nothing that the visitor may not know.

use axum::extract::{Path, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use games::holdem::Holdem;
use games::holdem::phh::{self, FromRecord, PhhHand, RecordError};
use games::holdem::pokerstars::{self, About, NotWritten, Time};
use table::{Game, Seat};

use super::identity::Visitor;
use super::{Failure, Site};
use crate::hub::{HubError, Log};
use crate::ids::TableId;
use crate::room::{Refusal, cut, knows};
use crate::store::{Phase, TableRow};

/// The record of a match, which may still be running.
pub(super) async fn download(
    State(site): State<Site>,
    Path(id): Path<String>,
    visitor: Option<Visitor>,
) -> Result<Response, Failure> {
    let known = known(&site, &id, visitor.as_ref()).await?;
    known.write(&site, "jsonl", "application/jsonl; charset=utf-8", |_, record, _| Ok(record)).await
}

/// The finished hands of a Hold'em match, as PHH.
pub(super) async fn phh(
    State(site): State<Site>,
    Path(id): Path<String>,
    visitor: Option<Visitor>,
) -> Result<Response, Failure> {
    let known = known(&site, &id, visitor.as_ref()).await?.of_holdem()?;
    let text = |_: &TableRow, record: String, _| Ok(phh::encode_all(&hands(&record)?));
    known.write(&site, "phhs", "application/toml; charset=utf-8", text).await
}

/// The finished hands of a Hold'em match, in PokerStars format. Aborted hands are left out.
pub(super) async fn pokerstars(
    State(site): State<Site>,
    Path(id): Path<String>,
    visitor: Option<Visitor>,
) -> Result<Response, Failure> {
    let known = known(&site, &id, visitor.as_ref()).await?.of_holdem()?;
    known.write(&site, "txt", "text/plain; charset=utf-8", as_pokerstars).await
}

fn as_pokerstars(row: &TableRow, record: String, seat: Option<Seat>) -> Result<String, Refusal> {
    let (seconds, owner) = (row.created_at / 1000, name(&record, seat));
    // Trackers identify hands by their numbers, so two matches must not share any.
    let first = u64::try_from(seconds).unwrap_or(0).saturating_mul(10_000);
    let mut text = String::new();
    for (hand, n) in hands(&record)?.iter().zip(1..) {
        let (number, time) = (first.saturating_add(n), Time::from_unix(seconds));
        let about = About { number, time, owner: owner.clone(), ..About::of(hand) };
        match pokerstars::write(hand, &about) {
            Ok(hand) => text.push_str(&hand),
            Err(NotWritten::BrokenOff) => {}
            Err(NotWritten::Replay(_)) => return Err(Refusal::Damaged("the record")),
        }
    }
    Ok(text)
}

/// The name of the player in a seat at that time.
fn name(record: &str, seat: Option<Seat>) -> Option<String> {
    let header: serde_json::Value = serde_json::from_str(record.lines().next()?).ok()?;
    let names = header.pointer("/fairdeal/names")?;
    names.get(usize::from(seat?.index()))?.as_str().map(str::to_owned)
}

/// What is known of a match, and who may read it.
struct Known {
    row: TableRow,
    whole: Whole,
    /// The reader's seat, if they sit there or stayed to the end.
    seat: Option<Seat>,
}

/// The source of the record.
enum Whole {
    /// It must be made from the log.
    Log(Log),
    /// It is already stored.
    Record(String),
}

impl Known {
    fn of_holdem(self) -> Result<Self, Failure> {
        if self.row.game != Holdem::NAME {
            return Err(Failure::NotFound);
        }
        // They are replayed, which works only under the same rules.
        let known = knows(&self.row.game, self.row.rules);
        if known { Ok(self) } else { Err(HubError::Refused(Refusal::OtherRules).into()) }
    }

    /// A file with what the visitor may know. A long match takes a moment, in which others must not wait.
    async fn write(
        self,
        site: &Site,
        ending: &str,
        kind: &'static str,
        text: impl FnOnce(&TableRow, String, Option<Seat>) -> Result<String, Refusal> + Send + 'static,
    ) -> Result<Response, Failure> {
        let Self { row, whole, seat } = self;
        let name = format!("attachment; filename=\"fairdeal-{}-{}.{ending}\"", row.game, row.id);
        let written = site.replaying().run(move || {
            let whole = match whole {
                Whole::Log(log) => log.whole_record(None)?,
                Whole::Record(record) => record,
            };
            text(&row, cut(&whole, seat)?, seat)
        });
        let text = written.await?.map_err(HubError::Refused)?;
        Ok(([(CONTENT_TYPE, kind.to_owned()), (CONTENT_DISPOSITION, name)], text).into_response())
    }
}

async fn known(site: &Site, id: &str, visitor: Option<&Visitor>) -> Result<Known, Failure> {
    let id: TableId = id.parse().map_err(|_| Failure::NotFound)?;
    let store = site.hub().store();
    let row = store.table(id).await?.ok_or(Failure::NotFound)?;
    let (whole, seat) = match row.phase {
        Phase::Gathering => return Err(HubError::Refused(Refusal::NotBegun).into()),
        Phase::Playing => {
            let seat = {
                let live = site.hub().table(id);
                let room = site.hub().read(&live).await?;
                visitor.and_then(|visitor| room.seat_of(visitor.player))
            };
            (Whole::Log(site.hub().log(id).await?), seat)
        }
        Phase::Over => {
            let record = store.record(id).await?.ok_or(Failure::NotFound)?;
            (Whole::Record(record), seat(site, id, visitor).await?)
        }
    };
    Ok(Known { row, whole, seat })
}

/// The seat in which a visitor stayed to the end of a finished match.
pub(super) async fn seat(site: &Site, id: TableId, visitor: Option<&Visitor>) -> Result<Option<Seat>, Failure> {
    let Some(visitor) = visitor else { return Ok(None) };
    let store = site.hub().store();
    // A player who left has a result, too, but the cards dealt to the seat since then were not dealt to them.
    if !store.sits(&visitor.player, id).await? {
        return Ok(None);
    }
    let results = store.results(id).await?;
    let own = results.into_iter().find(|result| result.player == Some(visitor.player));
    Ok(own.and_then(|own| u8::try_from(own.seat).ok()).and_then(Seat::new))
}

/// The finished hands. One that ended before anybody had cards does not count.
fn hands(record: &str) -> Result<Vec<PhhHand>, Refusal> {
    let mut reader = FromRecord::new();
    let mut hands = Vec::new();
    for line in record.lines() {
        match reader.line(line) {
            Ok(hand) => hands.extend(hand),
            Err(RecordError::NotBegun) => {}
            Err(RecordError::Trouble(_) | RecordError::Kept | RecordError::Unfinished) => {
                return Err(Refusal::Damaged("the record"));
            }
        }
    }
    Ok(hands)
}
