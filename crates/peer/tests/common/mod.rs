//! A private table in one process: a hub, its log, and peers who read it at their own pace.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "what goes wrong here fails a test")]
#![allow(dead_code, reason = "not every test uses everything")]

use games::AnyGame;
use peer::*;
use rand::rngs::ChaCha20Rng;
use rand::{Rng, SeedableRng};
use results::{Secret, Uuid, seed_hash};
use table::{Game, Moves as _, Rules as _, Seat};

/// One peer, with everything a program would keep on its disk.
pub(crate) struct Peer<G: Game> {
    pub(crate) member: Member,
    pub(crate) lobby: Lobby,
    pub(crate) session: Option<Session<G>>,
    pub(crate) identity: Secret,
    /// How much of the log it has heard.
    pub(crate) read: usize,
    /// What it has stored.
    pub(crate) stored: Vec<u8>,
    pub(crate) name: String,
    pub(crate) plays: bool,
    /// It hears and deals, but makes no move.
    pub(crate) waits: bool,
    /// It does not hear or say anything.
    pub(crate) gone: bool,
    pub(crate) effects: Vec<(u8, Effect)>,
    /// Everything that was said in the log, by whom.
    pub(crate) heard: Vec<(u8, Body)>,
    /// What it says instead of what its session says.
    pub(crate) lie: Option<Lie>,
    /// How it decides, if not at random.
    pub(crate) choose: Option<Choose<G>>,
    /// It does not sign the result.
    pub(crate) refuses: bool,
    private: Option<Private>,
    secrets: (u8, [u8; 32]),
}

/// Says something else: from everything that was heard, and what an honest program would say now. Asked after every
/// entry, also if that is nothing.
pub(crate) type Lie = Box<dyn FnMut(&[(u8, Body)], Vec<Body>) -> Vec<Body> + Send>;

/// Decides for a player who has to decide; `None` for a random move.
pub(crate) type Choose<G> = Box<dyn FnMut(&Session<G>, Seat) -> Option<MoveOf<G>> + Send>;

/// Says this instead of everything of the same kind.
pub(crate) fn instead(lie: Body) -> Lie {
    Box::new(move |_, bodies| {
        let same = |body: &Body| core::mem::discriminant(&lie) == core::mem::discriminant(body);
        bodies.into_iter().map(|body| if same(&body) { lie.clone() } else { body }).collect()
    })
}

/// Everybody at the table.
pub(crate) struct Place<G: Game> {
    pub(crate) hub: Hub,
    pub(crate) log: Vec<Entry>,
    pub(crate) peers: Vec<Peer<G>>,
    pub(crate) clock: u64,
    pub(crate) rng: ChaCha20Rng,
    pub(crate) key: TableKey,
    /// How many bytes were sealed.
    pub(crate) bytes: usize,
    pub(crate) restarts: u32,
    /// How often nothing was on its way.
    pub(crate) idle: u32,
}

pub(crate) fn secret(bytes: [u8; 32]) -> Secret {
    Secret::from_bytes(&bytes).unwrap()
}

impl<G: Game> Place<G> {
    /// A table with this many players.
    pub(crate) fn new(players: u8, seed: u64) -> Self {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let key = TableKey::new(random(&mut rng));
        let hub = Hub::new(key.table(), key.access().public(), secret(random(&mut rng)));
        let mut place = Self {
            hub,
            log: Vec::new(),
            peers: Vec::new(),
            clock: 1_700_000_000_000,
            rng,
            key,
            bytes: 0,
            restarts: 0,
            idle: 0,
        };
        for number in 0..players {
            place.join(&format!("player {number}"), true);
            place.settle();
        }
        place
    }

    /// Somebody joins, or comes to watch.
    pub(crate) fn join(&mut self, name: &str, plays: bool) -> usize {
        let number = u8::try_from(self.peers.len()).unwrap();
        let secrets = (number, random(&mut self.rng));
        let mut peer = Peer::new(&self.key, *self.hub.chain().hub(), name, secrets, plays);
        if plays {
            peer.join(random(&mut self.rng));
        }
        self.peers.push(peer);
        self.peers.len() - 1
    }

    /// The host starts, and everybody accepts.
    pub(crate) fn start(&mut self, game: AnyGame, settings: &[(&str, &str)]) {
        self.start_with(game, settings, None);
    }

    /// The same at a table whose hub a member runs.
    pub(crate) fn start_with(&mut self, game: AnyGame, settings: &[(&str, &str)], hub_run_by: Option<u8>) {
        self.peers[0].start(game, settings, hub_run_by);
        self.settle();
    }

    /// Everybody hears and says everything, in a random order.
    pub(crate) fn settle(&mut self) {
        while self.step() {}
    }

    /// One peer hears an entry, or says something; `false` if nobody can.
    pub(crate) fn step(&mut self) -> bool {
        let count = self.peers.len();
        let first = usize::try_from(self.rng.next_u32()).unwrap() % count;
        for at in (first..count).chain(0..first) {
            if self.peers[at].gone {
                continue;
            }
            if self.write(at) || self.read(at) {
                return true;
            }
        }
        false
    }

    /// Plays until this many deals have begun.
    pub(crate) fn play_until(&mut self, deals: u32, mut stop: impl FnMut(&Session<G>) -> bool) {
        for round in 0..20_000 {
            assert!(round < 19_999, "this never happens:\n{}", self.describe());
            for at in 0..self.peers.len() {
                self.peers[at].decide(&mut self.rng);
            }
            self.step();
            let session = self.peers[0].session.as_ref().unwrap();
            if session.deals() >= deals && stop(session) {
                return;
            }
        }
    }

    /// A start that one peer accepts; then they lose their secrets, and the match begins.
    pub(crate) fn start_without_seed(&mut self, game: AnyGame, settings: &[(&str, &str)], at: usize) {
        let last = self.peers.len() - 1;
        self.peers[last].gone = true;
        self.start(game, settings);
        self.restart_with(at, Private::lost(&[99; 32]));
        self.peers[last].gone = false;
        self.settle();
    }

    /// Plays on without those who are gone until this many deals have begun.
    pub(crate) fn play_until_without(&mut self, deals: u32) {
        for round in 0..20_000 {
            assert!(round < 19_999, "this never happens:\n{}", self.describe());
            let mut moved = false;
            for at in 0..self.peers.len() {
                moved |= !self.peers[at].gone && self.peers[at].decide(&mut self.rng);
            }
            if !self.step() && !moved {
                self.pass_time();
            }
            if self.peers[0].session.as_ref().unwrap().deals() >= deals {
                return;
            }
        }
    }

    /// Nothing is on its way: time passes.
    fn pass_time(&mut self) {
        self.idle += 1;
        self.clock += 10_000;
        let now = self.clock;
        for session in self.peers.iter_mut().filter(|peer| !peer.gone).filter_map(|peer| peer.session.as_mut()) {
            session.tick(0, now);
        }
    }

    fn read(&mut self, at: usize) -> bool {
        let peer = &mut self.peers[at];
        let Some(entry) = self.log.get(peer.read) else { return false };
        peer.hear(entry, self.clock);
        true
    }

    fn write(&mut self, at: usize) -> bool {
        let peer = &mut self.peers[at];
        peer.speak(&mut self.rng);
        let fresh = Fresh { nonce: random(&mut self.rng), aux: random(&mut self.rng) };
        let Some(envelope) = peer.member.write(&fresh) else { return false };
        self.clock += 7;
        let bytes = dealing::encode(&envelope);
        let sender = peer.member.number();
        let received = match self.hub.receive(sender, &bytes, self.clock) {
            Err(Refused::Budget(exceeded)) => {
                self.clock += exceeded.wait;
                self.hub.receive(sender, &bytes, self.clock)
            }
            other => other,
        };
        let entry = received.and_then(|envelope| self.hub.order(envelope, self.clock, &random(&mut self.rng)));
        match entry {
            Ok(entry) => {
                self.bytes += dealing::encode(&entry).len();
                self.hub.adopt(&entry).unwrap();
                self.log.push(entry);
            }
            // The log has gone on: somebody who was restarted reads what they had written before.
            Err(Refused::Unfit(why)) => {
                assert!(peer.read < self.log.len(), "{}: {why}", peer.name);
                peer.member.send_again();
                return false;
            }
            Err(other) => panic!("{other}"),
        }
        true
    }

    /// Plays until the match has ended for everybody who is there; players who are asked move at random.
    pub(crate) fn play(&mut self, restart: u32) {
        for round in 0.. {
            assert!(round < 20_000 && self.idle < 200, "the match does not end:\n{}", self.describe());
            let mut moved = false;
            for at in 0..self.peers.len() {
                moved |= !self.peers[at].gone && self.peers[at].decide(&mut self.rng);
            }
            if restart > 0 && self.rng.next_u32() % 1000 < restart {
                let at = usize::try_from(self.rng.next_u32()).unwrap() % self.peers.len();
                self.restart(at);
            }
            if !self.step() && !moved {
                if self.here().all(|peer| peer.session.as_ref().is_some_and(|session| session.ended().is_some())) {
                    return;
                }
                self.pass_time();
            }
        }
    }

    /// Where everybody is, for a failure.
    pub(crate) fn describe(&self) -> String {
        let peer = |peer: &Peer<G>| {
            let session = peer.session.as_ref();
            let waits = session.map(|session| format!("{:?}", session.waits().all()));
            let (read, unsaid) = (peer.read, peer.member.unsaid());
            let asked = session.and_then(Session::is_asked);
            format!(
                "{}: {read} of {} read, {unsaid} unsaid, asked {asked:?}, waits for {waits:?}",
                peer.name,
                self.log.len()
            )
        };
        self.peers.iter().map(peer).collect::<Vec<_>>().join("\n")
    }

    pub(crate) fn here(&self) -> impl Iterator<Item = &Peer<G>> {
        self.peers.iter().filter(|peer| !peer.gone)
    }

    /// A peer is killed and starts again from what it has stored.
    pub(crate) fn restart(&mut self, at: usize) {
        let old = &self.peers[at];
        if old.session.is_some() && !old.gone {
            self.restarts += 1;
            self.restart_with(at, dealing::decode(&old.stored).unwrap());
        }
    }

    /// A peer starts again with these secrets.
    pub(crate) fn restart_with(&mut self, at: usize, private: Private) {
        let old = &mut self.peers[at];
        let mut peer = Peer::new(&self.key, *self.hub.chain().hub(), &old.name, old.secrets, old.plays);
        peer.stored = dealing::encode(&private);
        peer.private = Some(private);
        for entry in &self.log[..old.read] {
            peer.hear(entry, self.clock);
        }
        *old = peer;
    }
}

impl<G: Game> Peer<G> {
    pub(crate) fn new(key: &TableKey, hub: results::Public, name: &str, secrets: (u8, [u8; 32]), plays: bool) -> Self {
        let (number, random) = secrets;
        let own = |purpose: u8| {
            let mut bytes = random;
            bytes[31] = purpose;
            secret(bytes)
        };
        let private = Private::new(&random);
        Self {
            member: Member::new(key.clone(), own(1), hub),
            lobby: Lobby::new(key.table(), hub),
            session: None,
            identity: own(2),
            read: 0,
            stored: dealing::encode(&private),
            name: name.to_owned(),
            plays,
            waits: false,
            gone: false,
            effects: Vec::new(),
            heard: Vec::new(),
            lie: None,
            choose: None,
            refuses: false,
            private: Some(private),
            secrets: (number, random),
        }
    }

    /// Introduces itself.
    pub(crate) fn join(&mut self, fresh: [u8; 32]) {
        let (table, key) = (self.member.table().table(), self.member.key().public());
        let join = Join::new(table, &key, &self.identity, &self.name, None, fresh, &[0; 32]);
        self.member.say(&Body::Join(Box::new(join)));
    }

    /// The host starts the match with everybody who is there.
    pub(crate) fn start(&mut self, game: AnyGame, settings: &[(&str, &str)], hub_run_by: Option<u8>) {
        let settings = settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let members: Vec<u8> = self.lobby.joined().keys().copied().collect();
        let start = self.lobby.start(game, settings, &members, hub_run_by).unwrap();
        self.member.say(&Body::Start(Box::new(start)));
    }

    /// Hears the next entry.
    pub(crate) fn hear(&mut self, entry: &Entry, now: u64) {
        self.read += 1;
        let heard = self.member.hear(entry).unwrap();
        self.heard.extend(heard.body.clone().map(|body| (heard.number, body)));
        if let Some(session) = &mut self.session {
            let effect = session.hear(&heard, now);
            self.effects.push((heard.number, effect));
        } else if let Some(body) = &heard.body {
            let key = *self.member.chain().member(heard.number).unwrap();
            let offered = self.lobby.offered().map(|offered| offered.id);
            if let Ok(Some(begun)) = self.lobby.take(heard.number, &key, body) {
                self.member.begin(Roster::of(&begun));
                let who = Who {
                    number: self.member.number(),
                    identity: self.plays.then(|| secret(*self.identity.bytes())),
                    private: self.private.take().unwrap(),
                };
                self.session = Some(Session::new(begun, who, &heard, now).unwrap());
            } else if let Some(new) = self.lobby.offered().filter(|new| Some(new.id) != offered)
                && let Some(private) = self.private.as_ref().filter(|_| self.plays)
            {
                let hash = seed_hash(&Uuid::from_hash(&new.id), &self.identity.public(), private.seed()).0;
                self.member.say(&Body::SeedHash { of: new.id, hash });
            }
        }
        self.pass_on();
    }

    /// Stores what has to be stored, and passes on what the session says.
    pub(crate) fn pass_on(&mut self) {
        let Some(session) = &mut self.session else { return };
        if let Some(private) = session.to_store() {
            self.stored = dealing::encode(private);
        }
        let mut bodies = session.take_outbox();
        bodies.retain(|body| !self.refuses || !matches!(body, Body::Sign { .. }));
        if let Some(lie) = &mut self.lie {
            bodies = lie(&self.heard, bodies);
        }
        bodies.iter().for_each(|body| self.member.say(body));
    }

    fn speak(&mut self, _rng: &mut ChaCha20Rng) {
        self.pass_on();
    }

    /// Makes a random move, if asked.
    pub(crate) fn decide(&mut self, rng: &mut ChaCha20Rng) -> bool {
        let Some(session) = self.session.as_mut().filter(|_| !self.waits) else { return false };
        let Some(seat) = session.is_asked() else { return false };
        let chosen = self.choose.as_mut().and_then(|choose| choose(session, seat));
        let picked = chosen.or_else(|| pick::<G>(session, seat, rng));
        let said = picked.is_some_and(|picked| session.decide(picked));
        assert!(said, "{}: a move that is offered is refused", self.name);
        self.pass_on();
        true
    }
}

fn pick<G: Game>(session: &Session<G>, seat: Seat, rng: &mut ChaCha20Rng) -> Option<MoveOf<G>> {
    let (table, known) = (session.table()?, session.known()?);
    table.rules().moves(known, seat).pick(rng)
}

pub(crate) fn random<const N: usize>(rng: &mut ChaCha20Rng) -> [u8; N] {
    let mut bytes = [0; N];
    rng.fill_bytes(&mut bytes);
    bytes
}
