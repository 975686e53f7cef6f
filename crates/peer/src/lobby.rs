//! Before a match: who has joined, and how the host starts it.
//!
//! 1. Newcomers join; each may bring computers, and say that they could run a hub. The member with the lowest number is
//!    the host.
//! 2. The host says how the match starts. Its id is the hash of that.
//! 3. Everybody named there accepts it by committing to a seed. Then it has begun, and nobody can undo that. Before,
//!    the host can start differently, for instance without a player who does not answer.

use core::fmt;
use std::collections::BTreeSet;

use results::Public;
use table::{Game, Map, Settings as _};

use crate::body::{Body, Join};
use crate::change::Standby;
use crate::hash::hash;
use crate::seal::TableId;
use crate::start::{BadStart, Start};

/// Everybody at a table, and how far they are towards a match.
#[derive(Clone, Debug)]
pub struct Lobby {
    table: TableId,
    hub: Public,
    joined: Map<u8, Joined>,
    /// Who could run a hub.
    standing: Map<u8, Standby>,
    offered: Option<Offered>,
    check_settings: fn(&Start) -> Result<(), BadStart>,
}

/// A member who has joined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Joined {
    /// How they introduced themselves.
    pub join: Join,
    /// The key that signs their entries.
    pub key: Public,
}

/// A start that not everybody has accepted yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offered {
    /// The match.
    pub id: [u8; 32],
    /// How it starts.
    pub start: Start,
    /// The commitments of those who have accepted it, by member.
    pub accepted: Map<u8, [u8; 32]>,
}

/// A match that has begun.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Begun {
    /// The table.
    pub table: TableId,
    /// Its id.
    pub id: [u8; 32],
    /// How it starts.
    pub start: Start,
    /// Everybody's commitment to a seed, by seat.
    pub seed_hashes: Vec<[u8; 32]>,
    /// Who sits where.
    pub players: Vec<Player>,
}

/// A player of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Player {
    /// Their number at the table.
    pub number: u8,
    /// The person behind the seat: their own number, or that of the member who runs the computer.
    pub person: u8,
    /// How they introduced themselves.
    pub join: Join,
}

/// Why something said before a match has no effect. Nobody is to blame for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Void {
    /// It does not belong before a match, or not there.
    NotNow,
    /// The introduction is not signed by the identity it names, or not for this table and key.
    BadJoin,
    /// A member with this identity is already here.
    SameIdentity,
    /// A computer needs the word of a person who has joined.
    NotRunBy,
    /// Only the host can start.
    NotTheHost,
    /// The match cannot start like this.
    BadStart(BadStart),
    /// Another match is on offer.
    OtherMatch,
    /// A hub with this key is already there.
    SameHub,
}

impl fmt::Display for Void {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotNow => f.write_str("it does not belong there"),
            Self::BadJoin => f.write_str("the introduction is not signed by the identity it names"),
            Self::SameIdentity => f.write_str("somebody with this identity is already at the table"),
            Self::NotRunBy => f.write_str("nobody at the table runs this computer"),
            Self::NotTheHost => f.write_str("only the host can start"),
            Self::BadStart(why) => write!(f, "the match cannot start like this: {why}"),
            Self::OtherMatch => f.write_str("another match is on offer"),
            Self::SameHub => f.write_str("another hub has this key"),
        }
    }
}

impl core::error::Error for Void {}

impl Lobby {
    /// An empty table.
    pub const fn new(table: TableId, hub: Public) -> Self {
        Self::with(table, hub, |start| games::with_game!(start.game, G => settings::<G>(start).map(drop)))
    }

    /// The same for somebody who has one game, and no code of the others. They cannot check how a match of another one starts,
    /// and must not go on once it has begun: whoever has that game begins anew, and checks everything.
    pub const fn only<G: Game>(table: TableId, hub: Public) -> Self {
        Self::with(table, hub, |start| match start.game.name() == G::NAME {
            true => settings::<G>(start).map(drop),
            false => Ok(()),
        })
    }

    const fn with(table: TableId, hub: Public, check_settings: fn(&Start) -> Result<(), BadStart>) -> Self {
        Self { table, hub, joined: Map::new(), standing: Map::new(), offered: None, check_settings }
    }

    /// Everybody who has joined and not left, by number.
    pub const fn joined(&self) -> &Map<u8, Joined> {
        &self.joined
    }

    /// Who could run a hub if this one is lost, by number.
    pub const fn standing(&self) -> &Map<u8, Standby> {
        &self.standing
    }

    /// The start that is on offer.
    pub const fn offered(&self) -> Option<&Offered> {
        self.offered.as_ref()
    }

    /// Who can start the match: the first person who has not left.
    pub fn host(&self) -> Option<u8> {
        let person = |(number, joined): (&u8, &Joined)| joined.join.run_by.is_none().then_some(*number);
        self.joined.iter().find_map(person)
    }

    /// The person behind a member.
    pub fn person(&self, number: u8) -> Option<u8> {
        let joined = self.joined.get(&number)?;
        Some(joined.join.run_by.map_or(number, |run_by| run_by.number))
    }

    /// A start with these members in these seats. Those of them who could run a hub are its successors, in the order of
    /// their numbers; the member who runs the hub comes last, since they may be lost with it. The host may choose another
    /// order.
    pub fn start(
        &self,
        game: games::AnyGame,
        settings: Vec<(String, String)>,
        members: &[u8],
        hub_run_by: Option<u8>,
    ) -> Result<Start, BadStart> {
        let seat = |number: &u8| Some((*number, self.joined.get(number).map(|joined| joined.hash(self.table))?));
        let seats = members.iter().map(seat).collect::<Option<Vec<_>>>().ok_or(BadStart::Seats)?;
        let people: Vec<u8> = members.iter().filter_map(|number| self.person(*number)).collect();
        let plays = |standby: &&Standby| people.contains(&standby.number);
        let mut successors: Vec<Standby> = self.standing.values().filter(plays).cloned().collect();
        successors.sort_by_key(|standby| Some(standby.number) == hub_run_by);
        let threshold = Start::right_threshold(&people);
        let start = Start { game, settings, seats, threshold, hub_run_by, successors };
        self.check(&start)?;
        Ok(start)
    }

    /// Checks a start against who has joined.
    fn check(&self, start: &Start) -> Result<(), BadStart> {
        let mut seen = BTreeSet::new();
        for (number, hash) in &start.seats {
            let joined = self.joined.get(number).ok_or(BadStart::Seats)?;
            if joined.hash(self.table) != *hash || !seen.insert(*number) {
                return Err(BadStart::Seats);
            }
        }
        let people: Vec<u8> = start.seats.iter().filter_map(|(number, _)| self.person(*number)).collect();
        let right = Start::right_threshold(&people);
        if start.threshold != right {
            return Err(BadStart::Threshold(right));
        }
        let mut hubs = BTreeSet::from([*self.hub.bytes()]);
        let stands =
            |standby: &Standby| people.contains(&standby.number) && self.standing.get(&standby.number) == Some(standby);
        if !start.successors.iter().all(|standby| stands(standby) && hubs.insert(*standby.hub.bytes()))
            || start.hub_run_by.is_some_and(|number| !self.joined.contains_key(&number))
        {
            return Err(BadStart::Successors);
        }
        (self.check_settings)(start)
    }

    /// Somebody said something. Returns the match once everybody has accepted it.
    pub fn take(&mut self, number: u8, key: &Public, body: &Body) -> Result<Option<Begun>, Void> {
        match body {
            Body::Join(join) => self.join(number, key, join).map(|()| None),
            Body::Leave => {
                self.joined.remove(&number).ok_or(Void::NotNow)?;
                self.joined.retain(|_, other| other.join.run_by.is_none_or(|run_by| run_by.number != number));
                self.standing.remove(&number);
                let gone = |offered: &Offered| offered.start.seats.iter().any(|(n, _)| !self.joined.contains_key(n));
                if self.offered.as_ref().is_some_and(gone) {
                    self.offered = None;
                }
                Ok(None)
            }
            Body::Stand { hub, at } if self.person(number) == Some(number) => {
                let taken = |standby: &Standby| standby.number != number && standby.hub == *hub;
                if *hub == self.hub || self.standing.values().any(taken) {
                    return Err(Void::SameHub);
                }
                self.standing.insert(number, Standby { number, hub: *hub, at: at.clone() });
                Ok(None)
            }
            Body::Start(start) if self.host() == Some(number) => {
                self.check(start).map_err(Void::BadStart)?;
                let id = start.id(self.table, &self.hub);
                self.offered = Some(Offered { id, start: (**start).clone(), accepted: Map::new() });
                Ok(None)
            }
            Body::Start(_) => Err(Void::NotTheHost),
            Body::SeedHash { of, hash } => {
                let offered = self.offered.as_mut().ok_or(Void::NotNow)?;
                if offered.id != *of {
                    return Err(Void::OtherMatch);
                }
                if !offered.start.seats.iter().any(|(n, _)| *n == number) || offered.accepted.contains_key(&number) {
                    return Err(Void::NotNow);
                }
                offered.accepted.insert(number, *hash);
                Ok(self.begun())
            }
            _ => Err(Void::NotNow),
        }
    }

    fn join(&mut self, number: u8, key: &Public, join: &Join) -> Result<(), Void> {
        if self.joined.contains_key(&number) {
            return Err(Void::NotNow);
        }
        join.check(self.table, key).map_err(|_| Void::BadJoin)?;
        if self.joined.values().any(|other| other.join.identity == join.identity) {
            return Err(Void::SameIdentity);
        }
        if let Some(run_by) = &join.run_by {
            let owner = self.joined.get(&run_by.number).filter(|owner| owner.join.run_by.is_none());
            let owner = owner.ok_or(Void::NotRunBy)?;
            run_by.check(self.table, &owner.key, key).map_err(|_| Void::NotRunBy)?;
        }
        self.joined.insert(number, Joined { join: join.clone(), key: *key });
        Ok(())
    }

    fn begun(&self) -> Option<Begun> {
        let offered = self.offered.as_ref()?;
        let seats = offered.start.seats.iter().map(|(number, _)| *number);
        let seed_hashes = seats.clone().map(|number| offered.accepted.get(&number).copied()).collect::<Option<_>>()?;
        let player = |number: u8| {
            let join = self.joined.get(&number)?.join.clone();
            Some(Player { number, person: self.person(number)?, join })
        };
        let players = seats.map(player).collect::<Option<_>>()?;
        Some(Begun { table: self.table, id: offered.id, start: offered.start.clone(), seed_hashes, players })
    }
}

impl Joined {
    /// Stands for this introduction in a start.
    fn hash(&self, table: TableId) -> [u8; 32] {
        hash("joined", &[&table.0, self.key.bytes(), &dealing::encode(&self.join)])
    }
}

/// The settings of a match, checked.
pub(crate) fn settings<G: Game>(start: &Start) -> Result<G::Settings, BadStart> {
    let refused = |why: &dyn fmt::Display| BadStart::Settings(why.to_string());
    let players = u8::try_from(start.seats.len()).unwrap_or(u8::MAX);
    let pairs: Vec<_> = start.settings.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let settings = G::Settings::from_pairs(&pairs).map_err(|(_, why)| refused(&why))?;
    G::start(&settings, players).map_err(|why| refused(&why))?;
    Ok(settings)
}
