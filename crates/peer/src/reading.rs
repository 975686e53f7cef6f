//! Reading a log from its beginning, as somebody who was not there: first the lobby, then the match.
//!
//! [`verify`](crate::verify()) and the [text](crate::lines) of a log look on while this reads it.

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
    // Reads only: its key signs nothing.
    let reader = Member::new(key.clone(), key.access(), hub);
    let lobby = Lobby::new(key.table(), hub);
    let mut reading = Reading { reader, lobby, entries, onlooker, broken: None };
    reading.lobby();
    reading.broken
}

struct Reading<'a, O> {
    reader: Member,
    lobby: Lobby,
    entries: &'a mut dyn Iterator<Item = Entry>,
    onlooker: &'a mut O,
    broken: Option<Broken>,
}

impl<O: Onlooker> Reading<'_, O> {
    fn lobby(&mut self) {
        while let Some(heard) = self.hear() {
            let key: Option<Public> = self.reader.chain().member(heard.number).copied();
            let taken = match (&heard.body, key) {
                (Some(body), Some(key)) => self.lobby.take(heard.number, &key, body),
                _ => Err(Void::NotNow),
            };
            let (begun, effect) = match taken {
                Ok(begun) => (begun, Ok(())),
                Err(why) => (None, Err(why)),
            };
            if !self.onlooker.lobby(&self.lobby, &heard, effect) {
                return;
            }
            if let Some(begun) = begun {
                self.reader.begin(Roster::of(&begun));
                games::with_game!(begun.start.game, G => self.session::<G>(begun, &heard));
                return;
            }
        }
    }

    fn session<G: Game>(&mut self, begun: Begun, heard: &Heard) {
        let who = Who { number: None, identity: None, private: Private::new(&[0; 32]) };
        // The lobby has checked the start.
        let Ok(mut session) = Session::<G>::new(begun, who, heard, heard.clock) else { return };
        self.onlooker.begun(&mut session);
        while let Some(heard) = self.hear() {
            self.onlooker.before(&session, &heard);
            let effect = session.hear(&heard, heard.clock);
            if !self.onlooker.said(&self.lobby, &mut session, &heard, &effect) {
                break;
            }
        }
        self.onlooker.ends(&session);
    }

    fn hear(&mut self) -> Option<Heard> {
        let entry = self.entries.next()?;
        let hub = *self.reader.chain().hub();
        match self.reader.hear(&entry) {
            Ok(heard) => {
                self.onlooker.next(&entry, &heard, &hub);
                Some(heard)
            }
            Err(why) => {
                self.broken = Some((self.reader.chain().head().height, why));
                None
            }
        }
    }
}
