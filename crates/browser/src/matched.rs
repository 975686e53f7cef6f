//! A match, whatever its game is: a place at the table behind one interface.

use bots::Simple as _;
use page::{Lang, Page};
use peer::place::{Closing, Hearing, Overheard, Place, Post};
use peer::{Aside, Entry, Fresh, Member, MoveOf, NotNext, Seated, Ticket};
use rand::rngs::ChaCha20Rng;
use results::Public;
use serde_json::{Value, json};
use table::{Eye, Known, Move, Rules as _, Table};
use zeroize::Zeroizing;

use crate::drawing::{Drawing, Wanted};
use crate::telling;

/// A match that somebody plays or watches.
pub(crate) trait Matched {
    fn member(&self) -> &Member;
    fn tick(&mut self, post: &Post, now: u64, clock: u64, aux: &[u8; 32]);
    /// What was stored is heard again.
    fn resumed(&mut self, now: u64, clock: u64);
    fn hear(&mut self, entry: &Entry, now: u64) -> Result<Hearing, NotNext>;
    fn overhear(&mut self, from: u8, words: &[u8], aux: &[u8; 32]) -> Overheard;
    /// A new connection to the hub with this key.
    fn connected(&mut self, hub: Public);
    /// What only this member knows, if it has changed and is still needed.
    fn to_store(&mut self) -> Option<Zeroizing<Vec<u8>>>;
    /// Words for everybody about a new hub.
    fn asides(&mut self) -> Vec<Vec<u8>>;
    fn next(&mut self, post: &mut Post, fresh: &Fresh, now: u64) -> Option<Vec<u8>>;
    fn close(&mut self, post: &Post, now: u64) -> Option<Closing>;
    fn chat(&mut self, text: &str, clock: u64, fresh: &Fresh) -> Result<Vec<u8>, String>;
    /// Makes a move, given as JSON.
    fn decide(&mut self, choice: bool, json: Value) -> Result<(), String>;
    /// A simple computer makes the move that is asked for, if any.
    fn decide_simply(&mut self, rng: &mut ChaCha20Rng);
    fn leave(&mut self);
    fn abandon(&mut self);
    fn again(&mut self, ticket: Ticket) -> bool;
    /// What has happened since the last call.
    fn seen(&mut self) -> Vec<Value>;
    /// How things are.
    fn now(&self, post: &Post, now: u64) -> Value;
    /// How the match ended, if it has.
    fn over(&self) -> Option<Value>;
    /// From now on the page is drawn, in this language.
    fn draw(&mut self, lang: Lang);
    /// The parts of the page that have changed, if it is drawn.
    fn drawn(&mut self, post: &Post, now: u64) -> Option<Value>;
    /// A message of the page; returns what it is told, and what its person wants to say.
    fn clicked(&mut self, message: &str, post: &Post, now: u64) -> Result<Clicked, String>;
    /// Why nothing is said, although there is something to say.
    fn is_alone(&self, post: &Post, now: u64) -> bool;
}

/// What came of a message of the page.
#[derive(Default)]
pub(crate) struct Clicked {
    /// What the page is told.
    pub(crate) told: Option<Value>,
    /// What its person wants to say to the others.
    pub(crate) said: Option<String>,
}

/// A match of one game.
pub(crate) struct Playing<G: Page> {
    place: Place<G>,
    /// The height that a computer answered last: a move that was refused is not tried twice.
    answered: Option<u64>,
    /// What the page has not been told.
    unseen: Vec<Value>,
    drawing: Drawing<G>,
    /// Whether somebody looks at it.
    draws: bool,
}

impl<G: Page> Playing<G> {
    pub(crate) fn new(mut seated: Seated<G>) -> Self {
        seated.see();
        let drawing = Drawing::new(Lang::default(), seated.session());
        let place = Place::new(seated);
        Self { place, answered: None, unseen: Vec::new(), drawing, draws: false }
    }

    /// Looks at what has happened.
    fn look(&mut self) {
        for seen in self.place.seated.take_seen() {
            self.unseen.push(telling::seen(&seen));
            self.drawing.see(&seen);
        }
    }

    /// What a simple computer would do. Better ones are large, and take long on a phone.
    fn computed(&mut self, rng: &mut ChaCha20Rng) -> Option<MoveOf<G>> {
        let session = self.place.seated.session();
        let (seat, table, known) = (session.is_asked()?, session.table()?, session.known()?);
        let known = Known::with(table.open(), known.own);
        let by_default = |table: &Table<G::Rules>| table.rules().default_move(known, seat);
        if self.answered.replace(table.height().0) == Some(table.height().0) {
            return by_default(table);
        }
        let (view, moves) = (table.rules().view(known, Eye::Seat(seat)), table.rules().moves(known, seat));
        G::Rules::simple(seat, &view, &moves, rng).or_else(|| by_default(table))
    }
}

impl<G: Page> Matched for Playing<G> {
    fn member(&self) -> &Member {
        self.place.seated.member()
    }

    fn tick(&mut self, post: &Post, now: u64, clock: u64, aux: &[u8; 32]) {
        self.place.tick(post, now, clock, aux);
        self.look();
    }

    fn resumed(&mut self, now: u64, clock: u64) {
        self.place.resumed(now, clock);
    }

    fn hear(&mut self, entry: &Entry, now: u64) -> Result<Hearing, NotNext> {
        let heard = self.place.hear(entry, now);
        self.look();
        heard
    }

    fn overhear(&mut self, from: u8, words: &[u8], aux: &[u8; 32]) -> Overheard {
        let heard = self.place.overhear(from, words, aux);
        if let Overheard::Chat { from, text } = &heard {
            self.drawing.say(from, text);
        }
        heard
    }

    fn connected(&mut self, hub: Public) {
        self.place.seated.send_again();
        self.place.seated.connected(hub);
    }

    fn to_store(&mut self) -> Option<Zeroizing<Vec<u8>>> {
        let done = self.place.is_done();
        let private = self.place.seated.to_store().filter(|_| !done)?;
        Some(Zeroizing::new(dealing::encode(private)))
    }

    fn asides(&mut self) -> Vec<Vec<u8>> {
        let words = self.place.seated.take_asides().into_iter().filter_map(|aside| match aside {
            Aside::Words(words) => Some(words),
            // A browser runs no hub.
            Aside::Install(_) => None,
        });
        words.collect()
    }

    fn next(&mut self, post: &mut Post, fresh: &Fresh, now: u64) -> Option<Vec<u8>> {
        post.next(&mut self.place.seated, fresh, now)
    }

    fn close(&mut self, post: &Post, now: u64) -> Option<Closing> {
        self.place.close(post, false, now)
    }

    fn chat(&mut self, text: &str, clock: u64, fresh: &Fresh) -> Result<Vec<u8>, String> {
        let words = self.place.seated.chat(text, clock, fresh).map_err(|why| why.to_string())?;
        let session = self.place.seated.session();
        let me = session.me().and_then(|me| session.begun().players.get(usize::from(me.index())));
        self.drawing.say(me.map_or("", |player| player.join.name.as_str()), text);
        Ok(words)
    }

    fn decide(&mut self, choice: bool, json: Value) -> Result<(), String> {
        let unknown = |why: serde_json::Error| format!("this is no move of the game: {why}");
        let decided: MoveOf<G> = match choice {
            false => Move::Act(serde_json::from_value(json).map_err(unknown)?),
            true => Move::Choose(serde_json::from_value(json).map_err(unknown)?),
        };
        let taken = self.place.seated.decide(decided);
        self.look();
        if taken { Ok(()) } else { Err("this move is not possible now".to_owned()) }
    }

    fn decide_simply(&mut self, rng: &mut ChaCha20Rng) {
        if let Some(decided) = self.computed(rng) {
            self.place.seated.decide(decided);
            self.look();
        }
    }

    fn leave(&mut self) {
        self.place.seated.leave();
    }

    fn abandon(&mut self) {
        self.place.seated.abandon();
    }

    fn again(&mut self, ticket: Ticket) -> bool {
        self.place.seated.again(ticket)
    }

    fn seen(&mut self) -> Vec<Value> {
        core::mem::take(&mut self.unseen)
    }

    fn now(&self, post: &Post, now: u64) -> Value {
        json!({ "match": telling::state(self.place.seated.session(), post, now) })
    }

    fn over(&self) -> Option<Value> {
        telling::over(self.place.seated.session())
    }

    fn draw(&mut self, lang: Lang) {
        self.draws = true;
        self.drawing.again(lang);
    }

    fn drawn(&mut self, post: &Post, now: u64) -> Option<Value> {
        self.draws.then(|| self.drawing.show(self.place.seated.session(), post, now))
    }

    fn clicked(&mut self, message: &str, post: &Post, now: u64) -> Result<Clicked, String> {
        match self.drawing.hear(message, self.place.seated.session(), post, now)? {
            Wanted::Nothing => Ok(Clicked::default()),
            Wanted::Tell(told) => Ok(Clicked { told: Some(told), said: None }),
            Wanted::Say(text) => Ok(Clicked { told: None, said: Some(text) }),
            Wanted::Leave => {
                self.place.seated.leave();
                Ok(Clicked::default())
            }
            Wanted::Move(decided) => {
                let taken = self.place.seated.decide(decided);
                self.look();
                if taken { Ok(Clicked::default()) } else { Err("this move is not possible now".to_owned()) }
            }
        }
    }

    fn is_alone(&self, post: &Post, now: u64) -> bool {
        self.place.is_alone(post, now)
    }
}
