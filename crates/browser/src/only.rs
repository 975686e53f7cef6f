//! The only game of a module. Everything that depends on it is reached from here, through pointers to functions: what no module
//! points to is in none.

use games::AnyGame;
use page::Page;
use peer::{Begun, Guest, Heard, Private, TableKey, Verifying};
use results::{Public, Secret};

use crate::kept::Keys;
use crate::matched::{Matched, Playing};
use crate::trouble::Trouble;

/// What a module can do with a match of its game.
#[derive(Clone, Copy)]
pub(crate) struct Only {
    guest: Come,
    sit: Sit,
    check: fn(&TableKey, Public) -> Verifying,
}

type Come = fn(TableKey, Secret, Public, Option<Secret>, Private) -> Guest;
type Sit = fn(Guest, (Begun, Heard), u64) -> Result<Box<dyn Matched>, Trouble>;

impl Only {
    /// This game.
    pub(crate) const fn new<G: Page>() -> Self {
        Self { guest: Guest::only::<G>, sit: sit::<G>, check: Verifying::new::<G> }
    }

    /// Comes to a table.
    pub(crate) fn guest(self, keys: &Keys, identity: Option<Secret>, private: Private) -> Guest {
        (self.guest)(keys.ticket.key.clone(), keys.key.clone(), keys.ticket.hub, identity, private)
    }

    /// Sits down at a match.
    pub(crate) fn sit(self, guest: Guest, begun: (Begun, Heard), now: u64) -> Result<Box<dyn Matched>, Trouble> {
        (self.sit)(guest, begun, now)
    }

    /// Checks a log.
    pub(crate) fn check(self, table: &TableKey, hub: Public) -> Verifying {
        (self.check)(table, hub)
    }
}

fn sit<G: Page>(guest: Guest, (begun, heard): (Begun, Heard), now: u64) -> Result<Box<dyn Matched>, Trouble> {
    let game: AnyGame = begun.start.game;
    if game.name() != G::NAME {
        return Err(Trouble::other_game(game));
    }
    let seated = guest.sit::<G>(begun, &heard, now).map_err(|why| why.to_string())?;
    Ok(Box::new(Playing::<G>::new(seated)))
}
