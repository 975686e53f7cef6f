//! A new private table.

use std::sync::Arc;

use results::Public;
use tokio::sync::watch;

use super::Private;
use crate::clock::now;
use crate::hub::{HubError, code, random};
use crate::ids::{Code, PrivateId};
use crate::store::{AppendError, CreateError, NewPrivate, Secret, Store};

/// How many codes are tried.
const MOST_CODES: usize = 20;

/// What the creator of a private table says about it.
#[derive(Clone, Debug)]
pub struct Making {
    /// Its id, which follows from its key.
    pub table: PrivateId,
    /// Checks that somebody knows the ticket.
    pub access: Public,
    /// The game, for the lobby.
    pub game: String,
    /// The number of seats, for the lobby.
    pub seats: u8,
    /// Its name, for the lobby.
    pub name: String,
    /// Whether the lobby lists it.
    pub listed: bool,
    /// Whether people without a ticket may knock.
    pub knock: bool,
}

/// What the creator is told.
#[derive(Clone, Copy, Debug)]
pub struct Made {
    /// The hub's key.
    pub hub: Public,
    /// The code for people without a ticket.
    pub code: Option<Code>,
}

/// Creates a private table in this database, for a hub on a player's own computer ([`serve`](super::serve)).
///
/// # Errors
/// Fails if there is such a table, or the database cannot write it.
pub async fn make(store: &Store, making: Making) -> Result<Made, HubError> {
    let alone = Private::new(store.clone(), Arc::default(), usize::MAX, watch::Sender::new(()));
    alone.make(making).await
}

impl Private {
    /// Creates a private table. The hub's key is drawn here.
    ///
    /// # Errors
    /// Fails if there is such a table, there are too many, or the database cannot write it.
    pub async fn make(&self, making: Making) -> Result<Made, HubError> {
        if self.tables().len() >= self.0.most_tables {
            return Err(HubError::TooMany);
        }
        let key = loop {
            // Almost all bytes are a key.
            let bytes = random::<32>()?;
            if let Ok(key) = results::Secret::from_bytes(&bytes) {
                break key;
            }
        };
        for _ in 0..MOST_CODES {
            let code = if making.knock { Some(code()?) } else { None };
            let new = NewPrivate {
                id: making.table,
                access: making.access,
                secret: Secret::new(*key.bytes()),
                code,
                game: making.game.clone(),
                seats: making.seats,
                name: making.name.clone(),
                listed: making.listed,
                at: now().0,
            };
            match self.0.store.create_private(new).await {
                Ok(()) => {
                    self.0.metrics.tables.inc();
                    tracing::info!(table = making.table.tag(), "private table created");
                    self.tell_lobby();
                    return Ok(Made { hub: key.public(), code });
                }
                Err(CreateError::CodeTaken) => {}
                Err(CreateError::IdTaken) => return Err(HubError::Taken),
                Err(CreateError::Failed(AppendError::Unavailable(why))) => return Err(why.into()),
                Err(CreateError::Failed(AppendError::Unknown)) => return Err(HubError::Unsure),
                Err(CreateError::Failed(why)) => return Err(HubError::Unavailable(why.to_string())),
            }
        }
        Err(HubError::TooMany)
    }
}
