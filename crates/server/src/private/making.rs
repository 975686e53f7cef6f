//! A new private table, and one whose hub may replace another.

use std::sync::Arc;

use peer::Hub;
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

/// A hub on a player's own computer that may replace a lost one.
#[derive(Clone, Debug)]
pub struct Standby {
    /// The table. Nobody can knock there: only people with a ticket come.
    pub making: Making,
    /// The key that the member announced for this hub.
    pub key: results::Secret,
    /// The key of the hub that began the log.
    pub first: Public,
    /// The log as that member has it.
    pub entries: Vec<Vec<u8>>,
}

/// Hands the log of a lost hub to one that may replace it, in a database of a player's own computer. Served by
/// [`serve`](super::serve), it gets what other members have more, passes words on, and puts nothing in order before its
/// member [installs](peer::frame::ToHub::Install) a change. If the table is there already, nothing happens.
///
/// # Errors
/// Fails if the entries are not a log, the table belongs to another hub, or the database cannot write it.
pub async fn stand_by(store: &Store, standby: Standby) -> Result<(), HubError> {
    let Standby { making, key, first, entries } = standby;
    let mut hub = Hub::standby(making.table.table(), making.access, first, key.clone());
    let fits = |bytes: &Vec<u8>| dealing::decode(bytes).is_ok_and(|entry| hub.keep(&entry).is_ok());
    if !entries.iter().all(fits) {
        return Err(HubError::Unavailable("the log is damaged".to_owned()));
    }
    let (table, secret) = (making.table, Secret::new(*key.bytes()));
    match store.create_private(making.row(secret.clone(), Some(first), None)).await {
        Ok(()) => {}
        Err(CreateError::IdTaken) if store.private_secret(table).await?.as_ref() == Some(&secret) => return Ok(()),
        Err(why) => return Err(failure(why)),
    }
    for (height, entry) in (0..).zip(entries) {
        store.append_private(table, height, entry).await.map_err(CreateError::Failed).map_err(failure)?;
    }
    Ok(())
}

impl Making {
    fn row(self, secret: Secret, first: Option<Public>, code: Option<Code>) -> NewPrivate {
        let Self { table, access, game, seats, name, listed, .. } = self;
        NewPrivate { id: table, access, secret, first, code, game, seats, name, listed, at: now().0 }
    }
}

fn failure(why: CreateError) -> HubError {
    match why {
        CreateError::CodeTaken => HubError::TooMany,
        CreateError::IdTaken => HubError::Taken,
        CreateError::Failed(AppendError::Unavailable(why)) => why.into(),
        CreateError::Failed(AppendError::Unknown) => HubError::Unsure,
        CreateError::Failed(why) => HubError::Unavailable(why.to_string()),
    }
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
            let new = making.clone().row(Secret::new(*key.bytes()), None, code);
            match self.0.store.create_private(new).await {
                Ok(()) => {
                    self.0.metrics.tables.inc();
                    tracing::info!(table = making.table.tag(), "private table created");
                    self.tell_lobby();
                    return Ok(Made { hub: key.public(), code });
                }
                Err(CreateError::CodeTaken) => {}
                Err(why) => return Err(failure(why)),
            }
        }
        Err(HubError::TooMany)
    }
}
