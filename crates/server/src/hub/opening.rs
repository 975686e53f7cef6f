//! A new table.

use super::{Hub, HubError, body, finish, random};
use crate::clock::now;
use crate::ids::{Code, TableId};
use crate::room::{Entry, Event, Keep, Room, Terms};
use crate::store::{AppendError, CreateError, NewTable, Secret};

/// How many ids, and codes for each, are tried for a new table.
const MOST_IDS: usize = 3;
const MOST_CODES: usize = 20;

/// A table to be created.
#[derive(Clone, Debug)]
pub struct Opening {
    /// Its terms; the session is drawn here.
    pub terms: Terms,
    /// Its first events: people and computers sit down.
    pub events: Vec<Event>,
}

impl Hub {
    /// Creates a table. Everything random about it is drawn here.
    pub async fn open(&self, opening: Opening) -> Result<(TableId, Code), HubError> {
        for _ in 0..MOST_IDS {
            let id = TableId(u64::from_be_bytes(random::<8>()?));
            if let Some(code) = self.open_as(id, opening.clone()).await? {
                return Ok((id, code));
            }
        }
        Err(HubError::TooMany)
    }

    /// Creates a table with this id; `None` if it already exists.
    pub(super) async fn open_as(&self, id: TableId, opening: Opening) -> Result<Option<Code>, HubError> {
        if self.loaded() >= self.0.most_tables {
            return Err(HubError::TooMany);
        }
        let Opening { mut terms, events } = opening;
        terms.session = table::record::hex(&random::<32>()?);
        let secret = random::<32>()?;
        let at = now();
        // Tried first, so that only a valid table is stored.
        let mut room = Room::open(terms.clone(), secret, at, Keep::default())?;
        events.iter().try_for_each(|event| room.apply(at, event))?;
        let mut all = vec![Event::Opened(Box::new(terms.clone()))];
        all.extend(events);
        let body = body(&Entry { at, events: all })?;
        for _ in 0..MOST_CODES {
            let code = code()?;
            let new = NewTable {
                id,
                code,
                game: terms.game.clone(),
                rules: i64::from(terms.rules),
                listed: terms.listed,
                phase: finish::phase(&room),
                at: at.0,
                due_at: room.due().map(|due| due.at.0),
                summary: finish::summary(&room),
                secret: Secret::new(secret),
                seated: finish::seated(&room),
                body: body.clone(),
            };
            match self.0.store.create(new).await {
                Ok(()) => {
                    self.0.metrics.tables.inc();
                    tracing::info!(table = id.tag(), game = terms.game, "table created");
                    finish::report(id, None, &room);
                    self.0.lobby.send_replace(());
                    if room.due().is_some() {
                        self.table(id);
                    }
                    return Ok(Some(code));
                }
                Err(CreateError::IdTaken) => return Ok(None),
                Err(CreateError::CodeTaken) => {}
                Err(CreateError::Failed(AppendError::Unavailable(why))) => return Err(why.into()),
                Err(CreateError::Failed(AppendError::Unknown)) => return Err(HubError::Unsure),
                Err(CreateError::Failed(why)) => return Err(HubError::Unavailable(why.to_string())),
            }
        }
        Err(HubError::TooMany)
    }
}

/// A code that nobody can predict.
pub(crate) fn code() -> Result<Code, HubError> {
    loop {
        // The last 967,296 of the 2^32 numbers would make small codes more likely.
        let number = u32::from_be_bytes(random::<4>()?);
        if number < u32::MAX / Code::COUNT * Code::COUNT
            && let Some(code) = Code::new(number % Code::COUNT)
        {
            return Ok(code);
        }
    }
}
