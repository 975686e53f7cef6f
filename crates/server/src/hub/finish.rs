//! What is stored about a table apart from its log: the lobby's summary, and results when a match is over.

use games::AnyGame;
use serde::{Deserialize, Serialize};
use table::Seat;

use super::{Hub, HubError, aside, entry};
use crate::ids::{PlayerId, TableId};
use crate::room::{Entry, Keep, Refusal, Room, Stage, knows};
use crate::store::{self, Change, Phase, SeatResult, Secret, Store, TableRow};

/// The lobby's summary of a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Summary {
    /// The seats, in order.
    pub seats: Vec<Option<Seated>>,
    /// The player who may start the match.
    pub owner: Option<PlayerId>,
    /// Seconds for a move; 0 means no limit.
    pub seconds: i64,
}

impl Summary {
    /// The summary of a table for a list of tables that continue: `None` if it has other rules, as an upgrade leaves
    /// them behind, or if its game or summary cannot be read; the log says so then.
    pub(crate) fn listed(store: &Store, row: &TableRow) -> Option<Self> {
        if AnyGame::from_name(&row.game).is_none() {
            store.passed_over(&row.id.to_string(), "unknown game");
        }
        if knows(&row.game, row.rules) { Self::of(store, row) } else { None }
    }

    /// The stored summary of a table; if it cannot be read, the log says so.
    pub(crate) fn of(store: &Store, row: &TableRow) -> Option<Self> {
        let read = serde_json::from_str(&row.summary);
        read.inspect_err(|_| store.passed_over(&row.id.to_string(), "its summary cannot be read")).ok()
    }
}

/// The occupant of a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Seated {
    /// Their name.
    pub name: String,
    /// Their picture.
    pub avatar: u8,
    /// The level, if it is a computer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub computer: Option<String>,
}

/// The parts of a table that the lobby shows, to notice when they change.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Lobby {
    seatings: u64,
    pub(super) stage: Option<Stage>,
}

impl Lobby {
    pub(super) fn of(room: &Room) -> Self {
        Self { seatings: room.seatings(), stage: room.stage() }
    }
}

/// The phase of a table.
pub(super) fn phase(room: &Room) -> Phase {
    match room.stage() {
        None => Phase::Gathering,
        Some(Stage::Deal | Stage::Between) => Phase::Playing,
        Some(Stage::Over) => Phase::Over,
    }
}

/// The lobby's summary, as it is stored.
pub(super) fn summary(room: &Room) -> String {
    use table::Value as _;
    let seats = room.chairs().map(|(seat, chair)| {
        let face = chair.face(seat)?;
        Some(Seated { name: face.name, avatar: face.avatar, computer: chair.computer().map(|kind| kind.text()) })
    });
    let seconds = room.seconds().and_then(|seconds| i64::try_from(seconds).ok()).unwrap_or(0);
    let summary = Summary { seats: seats.collect(), owner: room.owner(), seconds };
    serde_json::to_string(&summary).unwrap_or_default()
}

/// Logs that a match has begun or ended.
pub(super) fn report(id: TableId, before: Option<Stage>, room: &Room) {
    let (after, over) = (room.stage(), Some(Stage::Over));
    if before.is_none() && after.is_some() {
        tracing::info!(table = id.tag(), "match started");
    }
    if before != over && after == over {
        tracing::info!(table = id.tag(), "match over");
    }
}

/// The players at a table.
pub(super) fn seated(room: &Room) -> Vec<PlayerId> {
    room.chairs().filter_map(|(_, chair)| chair.player()).collect()
}

impl Hub {
    /// What an entry changes apart from the log. `before` is the state before it, `body` the entry.
    pub(super) async fn change(
        &self,
        id: TableId,
        room: &Room,
        before: &Lobby,
        body: &str,
    ) -> Result<Option<Change>, HubError> {
        let after = Lobby::of(room);
        let over = |lobby: &Lobby| lobby.stage == Some(Stage::Over);
        // Between and within deals nothing changes that the lobby shows.
        let same = before.seatings == after.seatings
            && before.stage.is_some() == after.stage.is_some()
            && over(before) == over(&after);
        if same {
            return Ok(None);
        }
        let mut change = Change {
            phase: phase(room),
            due_at: room.due().map(|due| due.at.0),
            summary: summary(room),
            // Players who stayed to the end find it among their tables.
            seated: (!over(before)).then(|| seated(room)),
            results: Vec::new(),
            record: None,
        };
        if over(&after) && !over(before) {
            change.record = Some(self.whole_record(id, body).await?);
            change.results = results(room);
        }
        Ok(Some(change))
    }

    /// The log of a table, as it is stored.
    pub(crate) async fn log(&self, id: TableId) -> Result<Log, HubError> {
        Log::of(&self.0.store, id).await
    }

    /// The record of a match that ends with `further`, an entry that is not stored yet.
    async fn whole_record(&self, id: TableId, further: &str) -> Result<String, HubError> {
        let log = self.log(id).await?;
        let further = serde_json::from_str(further).map_err(|_| Refusal::Damaged("an entry"))?;
        aside(log.len(), move || log.whole_record(Some(further))).await
    }
}

/// A table's log and the house's secret for it: enough to replay it, which may take long.
pub(crate) struct Log {
    secret: Secret,
    entries: Vec<store::Entry>,
}

impl Log {
    /// The stored log, for reading only: nothing happens at the table.
    pub(crate) async fn of(store: &Store, id: TableId) -> Result<Self, HubError> {
        let secret = store.secret(id).await?.ok_or(HubError::NoTable)?;
        Ok(Self { secret, entries: store.entries(id, 0).await? })
    }

    /// The number of entries.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// What is needed to replay it.
    pub(crate) fn read(&self) -> Result<([u8; 32], Vec<Entry>), Refusal> {
        let entries = self.entries.iter().map(entry).collect::<Result<Vec<Entry>, Refusal>>()?;
        Ok((*self.secret.expose(), entries))
    }

    /// The record of the match so far, with the cards dealt to all seats: for the store, and to be cut before anybody
    /// sees it.
    pub(crate) fn whole_record(&self, further: Option<Entry>) -> Result<String, Refusal> {
        let (secret, entries) = self.read()?;
        let keep = Keep { seen: false, record: true, private: true };
        Room::replay(secret, entries.into_iter().chain(further), keep).map(|mut room| room.take_record())
    }
}

/// The seats' results in a match. A player who left it has lost it, no matter how well a computer played on for them.
fn results(room: &Room) -> Vec<SeatResult> {
    let (Some(standing), Some(play)) = (room.standing(), room.play()) else { return Vec::new() };
    let winners = standing.winners();
    let result = |seat: Seat| {
        let chair = room.chair(seat)?;
        let (stayed, players) = (chair.left.is_none(), i64::from(room.terms().players));
        Some(SeatResult {
            seat: i64::from(seat.index()),
            player: chair.left.as_ref().map(|leaver| leaver.player).or(chair.player()),
            name: chair.face(seat)?.name,
            game: room.terms().game.clone(),
            players,
            place: if stayed { i64::from(standing.place[seat]) } else { players },
            total: standing.total[seat].0,
            won: stayed && winners.only() == Some(seat),
            shared: stayed && winners.contains(seat) && winners.only().is_none(),
            deals: i64::from(play.deals_over()),
            over_at: room.at().0,
        })
    };
    room.chairs().filter_map(|(seat, _)| result(seat)).collect()
}
