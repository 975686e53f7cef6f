//! Reading a log from its beginning, as somebody who was not there: first the lobby, then the match.
//!
//! [`verify`](crate::verify()) and the [text](crate::lines) of a log look on while this reads it.

use games::AnyGame;
use results::Public;
use table::Game;

use crate::chain::NotNext;
use crate::change::Roster;
use crate::entry::Entry;
use crate::lobby::{Begun, Lobby, Void};
use crate::member::{Heard, Member};
use crate::seal::TableKey;
use crate::session::{Effect, Private, Session, Who};

/// Somebody who looks on. `false` ends the reading.
pub(crate) trait Onlooker {
    /// An entry is the next one, put there by this hub if it is not a change of the hub. Called before all else.
    fn next(&mut self, _entry: &Entry, _heard: &Heard, _hub: &Public) {}
    /// Something was said before a match.
    fn lobby(&mut self, lobby: &Lobby, heard: &Heard, effect: Result<(), Void>) -> bool;
    /// A match has begun with the entry before.
    fn begun<G: Game>(&mut self, session: &mut Session<G>);
    /// Something is about to be said in the match.
    fn before<G: Game>(&mut self, session: &Session<G>, heard: &Heard);
    /// It was said.
    fn said<G: Game>(&mut self, lobby: &Lobby, session: &mut Session<G>, heard: &Heard, effect: &Effect) -> bool;
    /// The log ends in a match.
    fn ends<G: Game>(&mut self, session: &Session<G>);
}

/// Where a log stops being one: the height, and why the entry there is not the next one.
pub(crate) type Broken = (u64, NotNext);

/// Reads a log.
pub(crate) fn read(
    key: &TableKey,
    hub: Public,
    entries: &mut dyn Iterator<Item = Entry>,
    onlooker: &mut impl Onlooker,
) -> Option<Broken> {
    let mut reading = Reading::new(key, hub);
    for entry in entries {
        if !reading.next(&entry, onlooker) {
            break;
        }
    }
    reading.end(onlooker)
}

/// A log that is read entry by entry.
pub(crate) struct Reading<O> {
    reader: Member,
    lobby: Lobby,
    /// The match, once it has begun.
    session: Option<Box<dyn Sitting<O>>>,
    begin: Begin<O>,
    /// The match is of a game that this reader does not have.
    other: Option<AnyGame>,
    broken: Option<Broken>,
}

/// Begins to read the match. A value, so that a program which has only one game contains no code of the others.
type Begin<O> = fn(&mut Reading<O>, Begun, &Heard, &mut O) -> bool;

/// A match that is read, whatever its game is.
trait Sitting<O> {
    fn take(&mut self, lobby: &Lobby, heard: &Heard, onlooker: &mut O) -> bool;
    fn end(&self, onlooker: &mut O);
}

impl<G: Game, O: Onlooker> Sitting<O> for Session<G> {
    fn take(&mut self, lobby: &Lobby, heard: &Heard, onlooker: &mut O) -> bool {
        onlooker.before(self, heard);
        let effect = self.hear(heard, heard.clock);
        onlooker.said(lobby, self, heard, &effect)
    }

    fn end(&self, onlooker: &mut O) {
        onlooker.ends(self);
    }
}

impl<O: Onlooker> Reading<O> {
    /// Reads a log of any game.
    pub(crate) fn new(key: &TableKey, hub: Public) -> Self {
        let begin: Begin<O> = |reading, begun, heard, onlooker| {
            let game = begun.start.game;
            games::with_game!(game, G => reading.begin::<G>(begun, heard, onlooker))
        };
        Self::with(key, hub, Lobby::new(key.table(), hub), begin)
    }

    /// Reads a log of one game; ends where a match of another one begins.
    pub(crate) fn only<G: Game>(key: &TableKey, hub: Public) -> Self {
        let begin: Begin<O> = |reading, begun, heard, onlooker| {
            if begun.start.game.name() != G::NAME {
                reading.other = Some(begun.start.game);
                return false;
            }
            reading.begin::<G>(begun, heard, onlooker)
        };
        Self::with(key, hub, Lobby::only::<G>(key.table(), hub), begin)
    }

    fn with(key: &TableKey, hub: Public, lobby: Lobby, begin: Begin<O>) -> Self {
        // Reads only: its key signs nothing.
        let reader = Member::new(key.clone(), key.access(), hub);
        Self { reader, lobby, session: None, begin, other: None, broken: None }
    }

    /// The game of the match, if the log could not be read further because of it.
    pub(crate) const fn other(&self) -> Option<AnyGame> {
        self.other
    }

    /// Reads the next entry; `false` if that was the last that is looked at.
    pub(crate) fn next(&mut self, entry: &Entry, onlooker: &mut O) -> bool {
        let hub = *self.reader.chain().hub();
        let heard = match self.reader.hear(entry) {
            Ok(heard) => heard,
            Err(why) => {
                self.broken = Some((self.reader.chain().head().height, why));
                return false;
            }
        };
        onlooker.next(entry, &heard, &hub);
        match &mut self.session {
            Some(session) => session.take(&self.lobby, &heard, onlooker),
            None => self.gather(&heard, onlooker),
        }
    }

    fn gather(&mut self, heard: &Heard, onlooker: &mut O) -> bool {
        let key: Option<Public> = self.reader.chain().member(heard.number).copied();
        let taken = match (&heard.body, key) {
            (Some(body), Some(key)) => self.lobby.take(heard.number, &key, body),
            _ => Err(Void::NotNow),
        };
        let (begun, effect) = match taken {
            Ok(begun) => (begun, Ok(())),
            Err(why) => (None, Err(why)),
        };
        let goes_on = onlooker.lobby(&self.lobby, heard, effect);
        let Some(begun) = begun.filter(|_| goes_on) else { return goes_on };
        self.reader.begin(Roster::of(&begun));
        (self.begin)(self, begun, heard, onlooker)
    }

    fn begin<G: Game>(&mut self, begun: Begun, heard: &Heard, onlooker: &mut O) -> bool {
        let who = Who { number: None, identity: None, private: Private::new(&[0; 32]) };
        // The lobby has checked the start.
        let Ok(mut session) = Session::<G>::new(begun, who, heard, heard.clock) else { return false };
        onlooker.begun(&mut session);
        self.session = Some(Box::new(session));
        true
    }

    /// The log ends here; returns where it stopped being one, if it did.
    pub(crate) fn end(self, onlooker: &mut O) -> Option<Broken> {
        if let Some(session) = &self.session {
            session.end(onlooker);
        }
        self.broken
    }
}
