//! A private table in one process: players and a spectator who read one log, and what a screen is told of it.

use games::AnyGame;
use peer::{Begun, Entry, Fresh, Guest, Heard, Hub, News, Private, Seated, Session, TableKey};
use rand::rngs::ChaCha20Rng;
use rand::{Rng as _, SeedableRng as _};
use results::Secret;
use table::{Game, Moves as _, Rules as _, Seat, Seats};

use crate::peer::desk::{Now, Over, Told};

/// Everybody at the table: the players, then a spectator.
pub(super) struct Place<G: Game> {
    hub: Hub,
    rng: ChaCha20Rng,
    /// The hub's clock, and everybody's own, in milliseconds.
    pub(super) clock: u64,
    pub(super) all: Vec<Seated<G>>,
    /// Players whose programs neither hear nor say anything.
    pub(super) gone: Seats,
}

pub(super) fn seat(index: u8) -> Seat {
    Seat::new(index).unwrap()
}

fn secret(number: u8) -> Secret {
    Secret::from_bytes(&[number; 32]).unwrap()
}

impl<G: Game> Place<G> {
    /// A match that begins.
    pub(super) fn new(names: &[&str], settings: &[(&str, &str)], seed: u8) -> Self {
        let mut rng = ChaCha20Rng::from_seed([seed; 32]);
        let key = TableKey::new([seed; 32]);
        let mut hub = Hub::new(key.table(), key.access().public(), secret(100));
        let players = u8::try_from(names.len()).unwrap();
        let mut guests: Vec<Guest> = (1..=players + 1)
            .map(|number| {
                let identity = (number <= players).then(|| secret(50 + number));
                let private = Private::new(&[seed.wrapping_add(number); 32]);
                Guest::new(key.clone(), secret(number), secret(100).public(), identity, private)
            })
            .collect();
        for (guest, name) in guests.iter_mut().zip(names) {
            guest.join(name, None, [1; 32], &[0; 32]);
        }
        settle(&mut hub, &mut guests, &mut rng);
        let settings = settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let members: Vec<u8> = (0..players).collect();
        let game = AnyGame::from_name(G::NAME).unwrap();
        let start = guests[0].lobby().start(game, settings, &members, None).unwrap();
        guests[0].start(start);
        settle(&mut hub, &mut guests, &mut rng);
        for guest in &mut guests {
            guest.accept();
        }
        let begun = settle(&mut hub, &mut guests, &mut rng);
        let all = guests.into_iter().zip(begun).map(|(guest, (begun, heard))| {
            let mut seated = guest.sit(begun, &heard, 0).unwrap();
            seated.see();
            seated
        });
        Self { hub, rng, clock: 0, all: all.collect(), gone: Seats::NONE }
    }

    fn is_gone(&self, at: usize) -> bool {
        u8::try_from(at).ok().and_then(Seat::new).is_some_and(|seat| self.gone.contains(seat))
    }

    /// One envelope goes through the log and is heard by everybody; `false` if there is none.
    pub(super) fn step(&mut self) -> bool {
        let fresh = fresh(&mut self.rng);
        let here: Vec<usize> = (0..self.all.len()).filter(|at| !self.is_gone(*at)).collect();
        let Some(envelope) = here.iter().find_map(|at| self.all[*at].write(&fresh)) else { return false };
        let entry: Entry = self.hub.order(envelope, 1_700_000_000_000 + self.clock, &[0; 32]).unwrap();
        self.hub.adopt(&entry).unwrap();
        for at in here {
            self.all[at].hear(&entry, self.clock).unwrap();
        }
        true
    }

    /// Everything that is to be said is said.
    pub(super) fn settle(&mut self) {
        while self.step() {}
    }

    /// Everybody but this one decides at random, if they are asked; whether somebody did.
    pub(super) fn others_decide(&mut self, me: usize) -> bool {
        let mut decided = false;
        for at in (0..self.all.len()).filter(|at| *at != me) {
            if self.is_gone(at) {
                continue;
            }
            let session = self.all[at].session();
            if let Some(seat) = session.is_asked() {
                let moves = session.table().unwrap().rules().moves(session.known().unwrap(), seat);
                let picked = moves.pick(&mut self.rng).unwrap();
                assert!(self.all[at].decide(picked));
                decided = true;
            }
        }
        decided
    }

    /// Time passes for everybody who is there.
    pub(super) fn wait(&mut self, milliseconds: u64) {
        self.clock += milliseconds;
        for at in 0..self.all.len() {
            if !self.is_gone(at) {
                self.all[at].tick(0, self.clock);
            }
        }
    }

    pub(super) fn session(&self, at: usize) -> &Session<G> {
        self.all[at].session()
    }

    /// What somebody's screen is told: what was seen, how things are, and the end.
    pub(super) fn told(&mut self, at: usize) -> Vec<Told<G>> {
        let mut told: Vec<Told<G>> =
            self.all[at].take_seen().into_iter().map(|seen| Told::Seen(Box::new(seen))).collect();
        told.push(Told::Now(Box::new(self.now(at))));
        if let Some(over) = self.over(at) {
            told.push(Told::Over(Box::new(over)));
        }
        told
    }

    /// How things are for somebody.
    pub(super) fn now(&self, at: usize) -> Now<G> {
        let session = self.session(at);
        let all = Seats::first(u8::try_from(session.begun().players.len()).unwrap());
        Now::of(session, self.clock, all - self.gone, Ok(()))
    }

    /// How the match ended, if it has.
    pub(super) fn over(&self, at: usize) -> Option<Over> {
        let over = Over::of(self.session(at), "/data/private/3f1c/log.jsonl".into())?;
        Some(Over { done: over.complete, stored: Some("/data/collections/card_games/result.txt".into()), ..over })
    }
}

fn fresh(rng: &mut ChaCha20Rng) -> Fresh {
    let mut fresh = Fresh { nonce: [0; 24], aux: [0; 32] };
    rng.fill_bytes(&mut fresh.nonce);
    rng.fill_bytes(&mut fresh.aux);
    fresh
}

/// Everything that guests say before the match is heard by all of them.
fn settle(hub: &mut Hub, guests: &mut [Guest], rng: &mut ChaCha20Rng) -> Vec<(Begun, Heard)> {
    let mut begun = Vec::new();
    while let Some(envelope) = guests.iter_mut().find_map(|guest| guest.write(&fresh(rng))) {
        let entry = hub.order(envelope, 1_700_000_000_000, &[0; 32]).unwrap();
        hub.adopt(&entry).unwrap();
        for guest in &mut *guests {
            if let News::Begun(one, heard) = guest.hear(&entry).unwrap() {
                begun.push((*one, heard));
            }
        }
    }
    begun
}
