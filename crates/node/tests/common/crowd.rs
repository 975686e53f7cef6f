//! Players at one table, each in their own manner, who play while a test does something else.
//!
//! They live near nodes, in circles: each circle asks its node, checks every answer by itself, and turns to the next node
//! when that one says nothing for a while.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use bots::Kind;
use chain::client::Player;
use chain::light::Light;
use chain::store::Store;
use chain::tables::{RingOf, Tx, turn};
use chain::{Genesis, Signed};
use games::holdem::Settings;
use rand::rngs::ChaCha20Rng;
use rand::{RngExt, SeedableRng};

use super::{Net, look_for, submit};

/// How somebody plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Manner {
    /// A computer, which acts at once.
    Computer(Kind),
    /// A person, who thinks a while.
    Person,
    /// Sits there and never acts.
    Asleep,
    /// Leaves the table after a hand, and sits down again some seconds later.
    Wanderer,
}

/// Everybody at a table of nine.
pub(crate) const NINE: [Manner; 9] = [
    Manner::Computer(Kind::Normal),
    Manner::Person,
    Manner::Asleep,
    Manner::Computer(Kind::Easy),
    Manner::Wanderer,
    Manner::Computer(Kind::Hard),
    Manner::Asleep,
    Manner::Person,
    Manner::Computer(Kind::Random),
];

/// How long a person thinks at most, and a wanderer is away, in milliseconds.
const THOUGHT: core::ops::Range<u64> = 200..1_500;
const AWAY: Duration = Duration::from_secs(4);

/// Players who play until they are told to stop.
pub(crate) struct Crowd {
    stop: Arc<AtomicBool>,
    /// How often wanderers have come back.
    returned: Arc<AtomicU32>,
    circles: Vec<JoinHandle<()>>,
}

impl Crowd {
    /// Lets the players of a chain play, in these manners: the first circle near the first node and so on.
    pub(crate) fn play(net: &mut Net, manners: &[Manner]) -> Self {
        let nodes: Vec<SocketAddr> = (0..net.homes.len()).map(|number| net.rpc(number)).collect();
        let players = std::mem::take(&mut net.players).into_iter().zip(manners.iter().copied());
        let guests = (0..).zip(players).map(|(seat, (player, manner))| Guest::new(seat, player, manner));
        let mut circles: Vec<Vec<Guest>> = nodes.iter().map(|_| Vec::new()).collect();
        for (number, guest) in guests.enumerate() {
            circles[number % nodes.len()].push(guest);
        }
        let (stop, returned) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU32::new(0)));
        let begin = |(near, guests): (usize, Vec<Guest>)| {
            let (nodes, stop, genesis) = (nodes.clone(), Arc::clone(&stop), net.genesis.clone());
            let circle = Circle { nodes, near, guests, stop, returned: Arc::clone(&returned) };
            std::thread::spawn(move || circle.play(&genesis))
        };
        let circles = circles.into_iter().enumerate().filter(|(_, guests)| !guests.is_empty()).map(begin).collect();
        Self { stop, returned, circles }
    }

    /// How often wanderers have come back so far.
    pub(crate) fn returned(&self) -> u32 {
        self.returned.load(Ordering::Relaxed)
    }

    /// Whether a player has noticed something wrong, and gave up.
    pub(crate) fn is_broken(&self) -> bool {
        self.circles.iter().any(JoinHandle::is_finished)
    }

    /// Ends it. Fails if a player was told something that is not proven.
    pub(crate) fn stop(mut self) {
        self.stop.store(true, Ordering::Relaxed);
        for circle in self.circles.drain(..) {
            circle.join().expect("no player was lied to");
        }
    }
}

impl Drop for Crowd {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// Somebody at the table.
struct Guest {
    seat: u8,
    player: Player,
    manner: Manner,
    /// The turn they think about, by hand and height, and until when.
    thinks: Option<((u32, u64), Instant)>,
    /// The hand after which a wanderer leaves, and when they have left.
    hand: Option<u32>,
    left: Option<Instant>,
}

impl Guest {
    const fn new(seat: u8, player: Player, manner: Manner) -> Self {
        Self { seat, player, manner, thinks: None, hand: None, left: None }
    }

    /// What they do now.
    fn does(&mut self, store: &Store, rng: &mut ChaCha20Rng, returned: &AtomicU32) -> Vec<Signed> {
        let mut done = Vec::new();
        if self.player.seat(store).is_none() {
            let away = self.hand.is_some() && self.left.get_or_insert_with(Instant::now).elapsed() < AWAY;
            if !away {
                done.extend(self.player.sit(store, self.seat, rng));
            }
            return done;
        }
        if self.manner == Manner::Asleep {
            return done;
        }
        if self.left.take().is_some() {
            self.hand = None;
            returned.fetch_add(1, Ordering::Relaxed);
        }
        done.extend(self.player.come_back(store).or_else(|| self.player.rebuy(store)));
        let now = turn(store, self.player.table()).filter(|turn| turn.player == self.player.address());
        if let (Manner::Wanderer, Some(now)) = (self.manner, &now) {
            self.hand = Some(now.hand);
            let seated = store.get(&RingOf(self.player.table())).and_then(|ring| ring.player(now.seat));
            if seated.is_some_and(|seated| !seated.leaving) {
                done.push(self.player.pay(store, Tx::Leave { table: self.player.table() }));
            }
        }
        let kind = match self.manner {
            Manner::Computer(kind) => kind,
            Manner::Person | Manner::Wanderer | Manner::Asleep => Kind::Normal,
        };
        if let (Manner::Person, Some(now)) = (self.manner, now) {
            let (asked, until) = self.thinks.unwrap_or(((0, 0), Instant::now()));
            if asked != (now.hand, now.height) {
                let thought = Duration::from_millis(rng.random_range(THOUGHT));
                self.thinks = Some(((now.hand, now.height), Instant::now() + thought));
                return done;
            }
            if Instant::now() < until {
                return done;
            }
        }
        let settings = Settings { ring: true, ..Settings::default() };
        let mut decide = |hand: &chain::tables::Hand, seat, known: table::Known<'_>| {
            node::bots::decide(kind, &settings, hand, seat, known, rng)
        };
        done.extend(self.player.act(store, &mut decide));
        done
    }
}

/// Players near a node.
struct Circle {
    nodes: Vec<SocketAddr>,
    near: usize,
    guests: Vec<Guest>,
    stop: Arc<AtomicBool>,
    returned: Arc<AtomicU32>,
}

impl Circle {
    fn play(mut self, genesis: &Genesis) {
        let mut rng = ChaCha20Rng::seed_from_u64(u64::try_from(self.near).unwrap());
        let mut light = Light::new(genesis);
        while !self.stop.load(Ordering::Relaxed) {
            let rpc = self.nodes[self.near % self.nodes.len()];
            let needs = |deck| self.guests.iter().flat_map(|guest| guest.player.needs(deck)).collect();
            let Some(store) = look_for(rpc, &needs, &mut light) else {
                self.near += 1;
                std::thread::sleep(Duration::from_millis(100));
                continue;
            };
            if store.get(&RingOf(1)).is_some() {
                for guest in &mut self.guests {
                    for signed in guest.does(&store, &mut rng, &self.returned) {
                        // What is refused is tried again.
                        let _ = submit(rpc, &signed);
                    }
                }
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}
