//! Programs at a table that can lose its hub.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "what goes wrong here fails a test")]
#![allow(dead_code, reason = "not every test uses everything")]

use std::collections::BTreeMap;

use games::AnyGame;
use games::ongdu::Ongdu;
use peer::*;
use rand::rngs::ChaCha20Rng;
use rand::{Rng as _, SeedableRng as _};
use results::Secret;
use table::{Moves as _, Rules as _};

/// The key that signs a member's entries.
pub(crate) fn key(number: u8) -> Secret {
    Secret::from_bytes(&[number + 1; 32]).unwrap()
}

/// The key of the hub that a member could run; 100 is in office first.
pub(crate) fn hub_key(number: u8) -> Secret {
    Secret::from_bytes(&[number + 100; 32]).unwrap()
}

pub(crate) struct Room {
    pub(crate) key: TableKey,
    pub(crate) hub: Hub,
    pub(crate) log: Vec<Entry>,
    pub(crate) seated: Vec<Seated<Ongdu>>,
    pub(crate) clock: u64,
    lobby: Lobby,
    first: results::Public,
    /// Entries that only one member has heard.
    alone: BTreeMap<usize, Vec<Entry>>,
    pub(crate) rng: ChaCha20Rng,
}

impl Room {
    /// A match between this many people and computers, which member 0 runs. One more has joined and does not play. The
    /// first three people could run a hub.
    pub(crate) fn new(people: u8, computers: u8) -> Self {
        let mut rng = ChaCha20Rng::seed_from_u64(people.into());
        let table = TableKey::new([7; 32]);
        let first = hub_key(100).public();
        let mut hub = Hub::new(table.table(), table.access().public(), hub_key(100));
        let (mut log, clock, seats) = (Vec::new(), 1_700_000_000_000, people + computers);
        let mut guests: Vec<Guest> = (0..=seats).map(|number| guest(&table, number, None)).collect();
        let mut settle = |guests: &mut Vec<Guest>| {
            let mut begun = Vec::new();
            while let Some(envelope) = guests.iter_mut().find_map(|guest| guest.write(&fresh(&mut rng))) {
                let entry = hub.order(envelope, clock, &[0; 32]).unwrap();
                hub.adopt(&entry).unwrap();
                for guest in &mut *guests {
                    match guest.hear(&entry).unwrap() {
                        News::Lobby(_, effect) => assert_eq!(effect, Ok(())),
                        News::Begun(match_, heard) => begun.push((*match_, heard)),
                    }
                }
                log.push(entry);
            }
            begun
        };
        for number in 0..=seats {
            let computer = (people..seats).contains(&number);
            let run_by = computer.then(|| RunBy::new(table.table(), 0, &key(0), &key(number).public(), &[0; 32]));
            let guest = &mut guests[usize::from(number)];
            guest.join(&format!("player {number}"), run_by, [number; 32], &[0; 32]);
            if number < people.min(3) {
                assert!(guest.stand(hub_key(number).public(), &format!("http://10.0.0.{number}:7777")));
            }
            settle(&mut guests);
        }
        let lobby = guests[0].lobby().clone();
        let members: Vec<u8> = (0..seats).collect();
        let settings = vec![("max_rounds".to_owned(), "1".to_owned())];
        guests[0].start(lobby.start(AnyGame::Ongdu, settings, &members, None).unwrap());
        settle(&mut guests);
        let accepted = guests.iter_mut().filter_map(|guest| guest.accept().then_some(())).count();
        assert_eq!(accepted, usize::from(seats));
        let begun = settle(&mut guests);
        let sit = |(guest, (begun, heard)): (Guest, (Begun, Heard))| guest.sit(begun, &heard, 0).unwrap();
        let seated = guests.into_iter().zip(begun).map(sit).collect();
        let mut room = Self { key: table, hub, log, seated, clock, lobby, first, alone: BTreeMap::new(), rng };
        room.settle(&[]);
        room
    }

    pub(crate) fn chain(&self) -> Chain {
        self.seated[0].member().chain().clone()
    }

    /// The lobby before the start.
    pub(crate) fn lobby(&self) -> Lobby {
        self.lobby.clone()
    }

    pub(crate) fn record(&self) -> Record {
        Record { key: self.key.clone(), hub: self.first, entries: self.log.clone() }
    }

    /// Another program of a member, with the whole log.
    pub(crate) fn member(&self, number: u8) -> Member {
        let mut member = Member::new(self.key.clone(), key(number), self.first);
        member.begin(self.chain().roster().unwrap().clone());
        self.log.iter().for_each(|entry| drop(member.hear(entry).unwrap()));
        member
    }

    /// A member's program, started again with what it had stored.
    pub(crate) fn restarted(&self, number: u8, stored: &[u8]) -> Seated<Ongdu> {
        let mut guest = guest(&self.key, number, Some(dealing::decode(stored).unwrap()));
        let mut entries = self.log.iter();
        let (begun, heard) = loop {
            if let News::Begun(begun, heard) = guest.hear(entries.next().unwrap()).unwrap() {
                break (*begun, heard);
            }
        };
        let mut seated = guest.sit(begun, &heard, 0).unwrap();
        entries.for_each(|entry| drop(seated.hear(entry, 0).unwrap()));
        seated
    }

    /// A change to this member's hub at the end of the log.
    pub(crate) fn proposal(&self, successor: u8) -> Proposal {
        let (number, head) = (self.hub.chain().changes() + 1, self.hub.head());
        Proposal { number, head, clock: self.clock + 1_000, successor, hub: hub_key(successor).public() }
    }

    /// A vote of somebody, whether they have one or not.
    pub(crate) fn vote(&self, voter: u8, proposal: Proposal) -> Vote {
        let of = self.chain().roster().unwrap().of;
        Vote::new(self.key.table(), &of, proposal, (voter, &key(voter)), &[0; 32])
    }

    /// The next envelope of a member, written by hand.
    pub(crate) fn envelope(&self, number: u8, seen: Head) -> Envelope {
        self.write(number, seen, &Body::Here)
    }

    fn write(&self, number: u8, seen: Head, body: &Body) -> Envelope {
        let sequence = self.hub.chain().written(number).unwrap();
        let fresh = Fresh { nonce: [3; 24], aux: [4; 32] };
        Envelope::write(&self.key, &key(number), Some(number), sequence, seen, &dealing::encode(body), &fresh)
    }

    /// The hub orders what a member says, and nobody hears it.
    pub(crate) fn ordered(&mut self, number: u8, body: &Body) -> Entry {
        self.clock += 10;
        self.hub.order(self.write(number, self.hub.head(), body), self.clock, &[0; 32]).unwrap()
    }

    /// A member says something, and everybody hears it.
    pub(crate) fn say(&mut self, number: u8, body: &Body) {
        let entry = self.ordered(number, body);
        self.put(entry);
    }

    fn put(&mut self, entry: Entry) {
        self.hub.adopt(&entry).unwrap();
        for seated in &mut self.seated {
            seated.hear(&entry, self.clock).unwrap();
        }
        self.log.push(entry);
    }

    /// Only one member hears what the hub has put in order before it was lost.
    pub(crate) fn hear_alone(&mut self, member: usize, entry: &Entry) {
        self.seated[member].hear(entry, self.clock).unwrap();
        self.alone.entry(member).or_default().push(entry.clone());
    }

    /// Everything that has to be said is said, apart from those who are silent.
    fn settle(&mut self, silent: &[usize]) {
        loop {
            let rng = &mut self.rng;
            let speakers = self.seated.iter_mut().enumerate().filter(|(at, _)| !silent.contains(at));
            let Some(envelope) = speakers.filter_map(|(_, seated)| seated.write(&fresh(rng))).next() else { return };
            self.clock += 10;
            let entry = self.hub.order(envelope, self.clock, &[0; 32]).unwrap();
            self.put(entry);
        }
    }

    /// Everybody plays until it is only the silent ones' turn, or for this many turns.
    pub(crate) fn play(&mut self, turns: usize, silent: &[usize]) {
        for _ in 0..turns {
            self.settle(silent);
            let mut moved = false;
            for at in (0..self.seated.len()).filter(|at| !silent.contains(at)) {
                let session = self.seated[at].session();
                let Some(seat) = session.is_asked() else { continue };
                let moves = session.table().unwrap().rules().moves(session.known().unwrap(), seat);
                let picked = moves.pick(&mut self.rng).unwrap();
                moved |= self.seated[at].decide(picked);
            }
            if !moved {
                return;
            }
        }
    }

    pub(crate) fn play_to_the_end(&mut self) {
        self.play(10_000, &[]);
        self.settle(&[]);
        for seated in &self.seated {
            assert!(seated.session().ended().is_some_and(Ended::is_complete));
        }
    }

    /// The hub that a member could run, with the log of that member.
    pub(crate) fn hub_of(&self, number: u8) -> Hub {
        let (id, access) = (self.key.table(), self.key.access().public());
        let mut hub = Hub::standby(id, access, self.first, hub_key(number));
        for entry in &self.log {
            hub.keep(entry).unwrap();
        }
        hub
    }

    /// These members connect to a hub that is not in office, for half a minute.
    pub(crate) fn gather(&mut self, hub: &mut Hub, members: &[usize]) {
        let candidate = (0..=9).find(|number| hub_key(*number).public() == hub.key()).unwrap();
        let here = members.iter().fold(0, |here, member| here | 1 << member);
        members.iter().for_each(|member| self.seated[*member].connected(hub.key()));
        for round in 0..60 {
            self.clock += 500;
            // Those who have more of the log bring it, but not at once.
            for member in members.iter().filter(|_| round > 3) {
                for entry in self.alone.remove(member).unwrap_or_default() {
                    hub.adopt(&entry).unwrap();
                    self.log.push(entry);
                }
            }
            let mut said = Vec::new();
            for member in members {
                self.catch_up(*member);
                let seated = &mut self.seated[*member];
                seated.convene(here, self.clock, &[1; 32]);
                seated.to_store();
                said.extend(seated.take_asides().into_iter().map(|aside| (*member, aside)));
            }
            while let Some((from, aside)) = said.pop() {
                match aside {
                    Aside::Words(words) => {
                        let Ok(Beside::Ballot(ballot)) = dealing::decode(&words) else { panic!("a ballot") };
                        for to in members.iter().filter(|to| **to != from) {
                            self.seated[*to].ballot(u8::try_from(from).unwrap(), &ballot, &[1; 32]);
                            said.extend(self.seated[*to].take_asides().into_iter().map(|aside| (*to, aside)));
                        }
                    }
                    Aside::Install(change) => {
                        let head = change.proposal.after(self.key.table());
                        let signature = hub_key(candidate).sign(&installation(head), &[0; 32]);
                        let entry = hub.install(&change, &signature).unwrap();
                        hub.keep(&entry).unwrap();
                        self.log.push(entry);
                    }
                }
            }
            if hub.is_in_office() {
                members.iter().for_each(|member| self.catch_up(*member));
                return;
            }
        }
    }

    fn catch_up(&mut self, member: usize) {
        let seated = &mut self.seated[member];
        while let Some(entry) = self.log.get(usize::try_from(seated.member().chain().head().height).unwrap()) {
            seated.hear(entry, self.clock).unwrap();
        }
    }
}

fn guest(table: &TableKey, number: u8, private: Option<Private>) -> Guest {
    let identity = Some(Secret::from_bytes(&[number + 50; 32]).unwrap());
    let private = private.unwrap_or_else(|| Private::new(&[number; 32]));
    Guest::new(table.clone(), key(number), hub_key(100).public(), identity, private)
}

fn fresh(rng: &mut ChaCha20Rng) -> Fresh {
    let mut fresh = Fresh { nonce: [0; 24], aux: [0; 32] };
    rng.fill_bytes(&mut fresh.nonce);
    rng.fill_bytes(&mut fresh.aux);
    fresh
}
