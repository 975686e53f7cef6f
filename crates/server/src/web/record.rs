//! Records of matches, as files. What a visitor may not know is not in them.

use axum::extract::{Path, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use games::holdem::Holdem;
use games::holdem::phh::{self, FromRecord, PhhHand, RecordError};
use games::holdem::pokerstars::{self, About, NotWritten, Time};
use table::{Game, Seat};

use super::identity::Visitor;
use super::{Failure, Site};
use crate::hub::HubError;
use crate::ids::TableId;
use crate::room::{Refusal, cut, knows};
use crate::store::{Phase, TableRow};

/// The record of a match, also of one that is still played.
pub(super) async fn download(
    State(site): State<Site>,
    Path(id): Path<String>,
    visitor: Option<Visitor>,
) -> Result<Response, Failure> {
    let Known { row, record, .. } = known(&site, &id, visitor.as_ref()).await?;
    Ok(file(&row, "jsonl", "application/jsonl; charset=utf-8", record))
}

/// The hands of a match of Hold'em that are over, as PHH.
pub(super) async fn phh(
    State(site): State<Site>,
    Path(id): Path<String>,
    visitor: Option<Visitor>,
) -> Result<Response, Failure> {
    let Known { row, record, .. } = known(&site, &id, visitor.as_ref()).await?;
    check_holdem(&row)?;
    let text = phh::encode_all(&hands(&record)?);
    Ok(file(&row, "phhs", "application/toml; charset=utf-8", text))
}

/// The hands of a match of Hold'em that are over, in the form of PokerStars. A hand that was broken off is not in it.
pub(super) async fn pokerstars(
    State(site): State<Site>,
    Path(id): Path<String>,
    visitor: Option<Visitor>,
) -> Result<Response, Failure> {
    let known = known(&site, &id, visitor.as_ref()).await?;
    check_holdem(&known.row)?;
    let (seconds, owner) = (known.row.created_at / 1000, known.name());
    // Trackers know hands by their numbers, so those of two matches must differ.
    let first = u64::try_from(seconds).unwrap_or(0).saturating_mul(10_000);
    let mut text = String::new();
    for (hand, n) in hands(&known.record)?.iter().zip(1..) {
        let (number, time) = (first.saturating_add(n), Time::from_unix(seconds));
        let about = About { number, time, owner: owner.clone(), ..About::of(hand) };
        match pokerstars::write(hand, &about) {
            Ok(hand) => text.push_str(&hand),
            Err(NotWritten::BrokenOff) => {}
            Err(NotWritten::Replay(_)) => return Err(HubError::Refused(Refusal::Damaged("the record")).into()),
        }
    }
    Ok(file(&known.row, "txt", "text/plain; charset=utf-8", text))
}

/// Hands are of Hold'em; and they are played again, which can be done under the same rules only.
fn check_holdem(row: &TableRow) -> Result<(), Failure> {
    if row.game != Holdem::NAME {
        return Err(Failure::NotFound);
    }
    if knows(&row.game, row.rules) { Ok(()) } else { Err(HubError::Refused(Refusal::OtherRules).into()) }
}

/// What a visitor may know of a match.
struct Known {
    row: TableRow,
    record: String,
    /// Where he sits, or sat to the end.
    seat: Option<Seat>,
}

impl Known {
    /// What he was called then.
    fn name(&self) -> Option<String> {
        let header: serde_json::Value = serde_json::from_str(self.record.lines().next()?).ok()?;
        let names = header.pointer("/fairdeal/names")?;
        names.get(usize::from(self.seat?.index()))?.as_str().map(str::to_owned)
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
            (site.hub().whole_record(id, None).await?, seat)
        }
        Phase::Over => (store.record(id).await?.ok_or(Failure::NotFound)?, seat(site, id, visitor).await?),
    };
    let record = cut(&whole, seat).map_err(HubError::Refused)?;
    Ok(Known { row, record, seat })
}

/// Where a visitor sat to the end of a match that is over.
pub(super) async fn seat(site: &Site, id: TableId, visitor: Option<&Visitor>) -> Result<Option<Seat>, Failure> {
    let Some(visitor) = visitor else { return Ok(None) };
    let results = site.hub().store().results(id).await?;
    let own = results.into_iter().find(|result| result.player == Some(visitor.player));
    Ok(own.and_then(|own| u8::try_from(own.seat).ok()).and_then(Seat::new))
}

/// The hands that are over. One that ended before anybody had cards is none.
fn hands(record: &str) -> Result<Vec<PhhHand>, Failure> {
    let mut reader = FromRecord::new();
    let mut hands = Vec::new();
    for line in record.lines() {
        match reader.line(line) {
            Ok(hand) => hands.extend(hand),
            Err(RecordError::NotBegun) => {}
            Err(RecordError::Trouble(_) | RecordError::Kept | RecordError::Unfinished) => {
                return Err(HubError::Refused(Refusal::Damaged("the record")).into());
            }
        }
    }
    Ok(hands)
}

fn file(row: &TableRow, ending: &str, kind: &'static str, text: String) -> Response {
    let name = format!("attachment; filename=\"fairdeal-{}-{}.{ending}\"", row.game, row.id);
    ([(CONTENT_TYPE, kind.to_owned()), (CONTENT_DISPOSITION, name)], text).into_response()
}
