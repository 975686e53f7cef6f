//! The hub of a match is lost for good, and the players' own programs continue at another one.

use std::net::TcpListener;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use ::peer::frame::From;
use ::peer::{Aside, Beside, Entry, Fresh, Guest, News, Private, Record, Seated, TableKey, Ticket, Why, verify};
use fairdeal::peer::net::{Command, Event, Held, Link, Who};
use games::AnyGame;
use games::ongdu::Ongdu;
use rand::SeedableRng as _;
use rand::rngs::ChaCha20Rng;
use results::Secret;
use server::private::{Making, Standby};
use server::store::Store;
use table::{Moves as _, Rules as _};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use super::{PATIENCE, random};

/// How long a hub may be silent.
const SILENCE: Duration = Duration::from_secs(2);

fn key(number: u8) -> Secret {
    Secret::from_bytes(&[number + 1; 32]).unwrap()
}

fn hub_key(number: u8) -> Secret {
    Secret::from_bytes(&[number + 100; 32]).unwrap()
}

fn clock() -> u64 {
    u64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis()).unwrap()
}

fn making(key: &TableKey) -> Making {
    Making {
        table: server::ids::PrivateId(key.table().0),
        access: key.access().public(),
        game: "ongdu".to_owned(),
        seats: 3,
        name: "Friday".to_owned(),
        listed: false,
        knock: false,
    }
}

/// A hub on somebody's own computer. Dropping it is a crash.
struct OwnHub {
    runtime: Option<Runtime>,
    _data: TempDir,
}

impl OwnHub {
    /// Serves private tables from a new database, after it was prepared.
    fn serve<T>(listener: TcpListener, prepare: impl AsyncFnOnce(&Store) -> T) -> (Self, T) {
        let data = tempfile::tempdir().unwrap();
        let database = format!("sqlite:{}", data.path().join("hub.sqlite").display());
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let prepared = runtime.block_on(async {
            let store = Store::open(&database).await.unwrap();
            let prepared = prepare(&store).await;
            listener.set_nonblocking(true).unwrap();
            let listener = tokio::net::TcpListener::from_std(listener).unwrap();
            tokio::spawn(server::private::serve(listener, store, std::future::pending()));
            prepared
        });
        (Self { runtime: Some(runtime), _data: data }, prepared)
    }
}

impl Drop for OwnHub {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// A player's program, before and during a match.
enum Seat {
    Guest(Box<Guest>),
    Playing(Box<Seated<Ongdu>>),
    Moving,
}

struct Program {
    number: u8,
    seat: Seat,
    held: Held,
    link: Link,
    entries: Vec<Vec<u8>>,
    here: u64,
    hubs: Vec<results::Public>,
    rng: ChaCha20Rng,
}

impl Program {
    fn open(ticket: &Ticket, number: u8) -> Self {
        let identity = Secret::from_bytes(&[number + 50; 32]).unwrap();
        let private = Private::new(&[number + 1; 32]);
        let mut guest = Guest::new(ticket.key.clone(), key(number), ticket.hub, Some(identity), private);
        guest.join(&format!("player {number}"), None, random(), &random());
        let held = Held::default();
        let link = Link::open(Who::Member { ticket: ticket.clone(), key: key(number) }, held.clone()).unwrap();
        let (seat, rng) = (Seat::Guest(Box::new(guest)), ChaCha20Rng::from_seed([number; 32]));
        Self { number, seat, held, link, entries: Vec::new(), here: 0, hubs: Vec::new(), rng }
    }

    fn guest(&mut self) -> &mut Guest {
        match &mut self.seat {
            Seat::Guest(guest) => guest,
            Seat::Playing(_) | Seat::Moving => panic!("the match has begun"),
        }
    }

    fn seated(&self) -> Option<&Seated<Ongdu>> {
        match &self.seat {
            Seat::Playing(seated) => Some(seated),
            Seat::Guest(_) | Seat::Moving => None,
        }
    }

    /// Hears what has happened, decides, and says what there is to say.
    fn turn(&mut self) {
        while let Ok(event) = self.link.events().recv_timeout(Duration::from_millis(2)) {
            self.take(event);
        }
        let fresh = || Fresh { nonce: random(), aux: random() };
        let mut envelopes = Vec::new();
        match &mut self.seat {
            Seat::Guest(guest) => envelopes.extend(std::iter::from_fn(|| guest.write(&fresh()))),
            Seat::Playing(seated) => {
                let session = seated.session();
                if let Some(seat) = session.is_asked() {
                    let moves = session.table().unwrap().rules().moves(session.known().unwrap(), seat);
                    seated.decide(moves.pick(&mut self.rng).unwrap());
                }
                seated.convene(self.here, clock(), &random());
                let _ = seated.to_store();
                for aside in seated.take_asides() {
                    let table = seated.member().table().table();
                    self.link.send(match aside {
                        Aside::Words(words) => Command::Beside { to: 0, words },
                        Aside::Install(change) => Command::install(table, change, &hub_key(self.number), &random()),
                    });
                }
                envelopes.extend(std::iter::from_fn(|| seated.write(&fresh())));
            }
            Seat::Moving => {}
        }
        for envelope in envelopes {
            self.link.send(Command::Append(dealing::encode(&envelope)));
        }
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::Connected { hub, .. } => {
                self.hubs.push(hub);
                self.send_again();
                if let Seat::Playing(seated) = &mut self.seat {
                    seated.connected(hub);
                }
            }
            Event::Refused { .. } => self.send_again(),
            Event::Entry(bytes) => self.hear(&bytes),
            Event::Here(here) => self.here = here,
            Event::Beside { from: From::Member(from), words } => {
                if let (Seat::Playing(seated), Ok(Beside::Ballot(ballot))) = (&mut self.seat, dealing::decode(&words)) {
                    seated.ballot(from, &ballot, &random());
                }
            }
            Event::Beside { .. } | Event::Lost(_) | Event::Woken => {}
            Event::Ended(why) => panic!("{}: {why}", self.number),
        }
    }

    fn send_again(&mut self) {
        match &mut self.seat {
            Seat::Guest(guest) => guest.send_again(),
            Seat::Playing(seated) => seated.send_again(),
            Seat::Moving => {}
        }
    }

    fn hear(&mut self, bytes: &[u8]) {
        let entry: Entry = dealing::decode(bytes).unwrap();
        self.entries.push(bytes.to_vec());
        self.seat = match std::mem::replace(&mut self.seat, Seat::Moving) {
            Seat::Guest(mut guest) => match guest.hear(&entry).unwrap() {
                News::Lobby(..) => Seat::Guest(guest),
                News::Begun(begun, heard) => {
                    self.held.may_be_replaced(&begun.start.successors, SILENCE);
                    Seat::Playing(Box::new(guest.sit(*begun, &heard, clock()).unwrap()))
                }
            },
            Seat::Playing(mut seated) => {
                let (heard, _) = seated.hear(&entry, clock()).unwrap();
                if let Some(change) = heard.change {
                    self.held.in_office(change.hub);
                }
                Seat::Playing(seated)
            }
            Seat::Moving => panic!("nobody is there"),
        };
        let member = match &self.seat {
            Seat::Guest(guest) => guest.member(),
            Seat::Playing(seated) => seated.member(),
            Seat::Moving => panic!("nobody is there"),
        };
        self.held.push(bytes, member.chain().head());
        if let Some(number) = member.number() {
            self.held.joined(number);
        }
    }
}

/// Everybody takes turns until this is so.
fn until(programs: &mut [Program], what: &str, so: impl Fn(&[Program]) -> bool) {
    let end = Instant::now() + PATIENCE;
    while !so(programs) {
        let heights: Vec<_> = programs.iter().map(|program| program.entries.len()).collect();
        assert!(Instant::now() < end, "{what}: {heights:?}");
        programs.iter_mut().for_each(Program::turn);
    }
}

fn deals(programs: &[Program]) -> u32 {
    programs.iter().filter_map(Program::seated).map(|seated| seated.session().deals()).min().unwrap_or(0)
}

#[test]
fn when_the_hub_is_lost_its_players_agree_on_another_and_finish_the_match() {
    let bind = || TcpListener::bind("127.0.0.1:0").unwrap();
    let address = |listener: &TcpListener| format!("http://{}", listener.local_addr().unwrap());
    let (listener, table) = (bind(), TableKey::new(random()));
    let at = address(&listener);
    let (first, made) =
        OwnHub::serve(listener, async |store| server::private::make(store, making(&table)).await.unwrap());
    let ticket = Ticket { at, key: table.clone(), hub: made.hub };
    // Every player could run a hub. That of the first will be lost as well: nobody listens there.
    let mut listeners = [bind(), bind(), bind()].map(Some);
    let mut programs: Vec<Program> = (0..3).map(|number| Program::open(&ticket, number)).collect();
    until(&mut programs, "all have joined", |all| all.iter().all(|one| one.entries.len() == 3));
    for (number, listener) in (0..).zip(&listeners) {
        let at = address(listener.as_ref().unwrap());
        let place = programs.iter_mut().position(|one| one.guest().member().number() == Some(number)).unwrap();
        let hub = hub_key(programs[place].number).public();
        assert!(programs[place].guest().stand(hub, &at));
        until(&mut programs, "they could run a hub", |all| {
            all.iter().all(|one| one.entries.len() == 4 + usize::from(number))
        });
    }
    programs.sort_by_key(|one| match &one.seat {
        Seat::Guest(guest) => guest.member().number(),
        Seat::Playing(_) | Seat::Moving => None,
    });
    let settings = vec![("max_rounds".to_owned(), "3".to_owned())];
    let start = programs[0].guest().lobby().start(AnyGame::Ongdu, settings, &[0, 1, 2], None).unwrap();
    assert_eq!(start.successors.len(), 3);
    programs[0].guest().start(start);
    until(&mut programs, "there is a start", |all| all.iter().all(|one| one.entries.len() == 7));
    for program in &mut programs {
        assert!(program.guest().accept());
    }
    until(&mut programs, "the match is on", |all| deals(all) >= 1);

    drop(first);
    listeners[0] = None;
    // The second and the third start their hubs with what they have of the log.
    let standing: Vec<OwnHub> = [1, 2]
        .map(|at: usize| {
            let standby = Standby {
                making: making(&table),
                key: hub_key(programs[at].number),
                first: made.hub,
                entries: programs[at].entries.clone(),
            };
            let listener = listeners[at].take().unwrap();
            OwnHub::serve(listener, async |store| server::private::stand_by(store, standby).await.unwrap()).0
        })
        .into();
    until(&mut programs, "another hub is in office", |all| {
        all.iter().all(|one| one.seated().is_some_and(|seated| seated.member().chain().changes() > 0))
    });
    until(&mut programs, "the match is over and signed", |all| {
        let over = |one: &Program| {
            one.seated().and_then(|seated| seated.session().ended()).is_some_and(|end| end.is_complete())
        };
        all.iter().all(over)
    });
    // Usually it is the second player's hub; on a slow computer, they may have met at the third's.
    let office = *programs[0].seated().unwrap().member().chain().hub();
    assert!([1, 2].map(|at: usize| hub_key(programs[at].number).public()).contains(&office));
    for program in &programs {
        assert_eq!((program.hubs.first(), program.hubs.last()), (Some(&made.hub), Some(&office)));
        assert_eq!(program.entries, programs[0].entries, "the same log, byte for byte");
    }
    let entries = programs[0].entries.iter().map(|bytes| dealing::decode(bytes).unwrap()).collect();
    let report = verify(&Record { key: table, hub: made.hub, entries });
    assert!(report.is_clean(), "{report:?}");
    assert_eq!(report.changes.last().map(|change| change.proposal.hub), Some(office));
    let played = report.played.unwrap();
    assert_eq!((played.ended, played.unsigned), (Some(Why::Over), vec![]));
    let texts: Vec<String> =
        programs.iter().map(|one| one.seated().unwrap().session().ended().unwrap().result().unwrap().text()).collect();
    assert!(texts.iter().all(|text| *text == played.result.as_ref().unwrap().text()), "the same result for all");
    // It takes what is said now, like any hub.
    let before = programs[0].entries.len();
    if let Seat::Playing(seated) = &mut programs[2].seat {
        seated.come_back();
    }
    until(&mut programs, "it is in the log", |all| all.iter().all(|one| one.entries.len() == before + 1));
    drop(standing);
}
