//! What is outside, for the task that runs inside: sockets, clocks and wishes come in by calls; effects go out.

use core::future::poll_fn;
use core::pin::{Pin, pin};
use core::task::Poll;
use core::time::Duration;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use chain::Address;
use light::{Cut, LONGEST, Net, Place, Wire};
use rand::rngs::ChaCha20Rng;
use rand::{Rng as _, SeedableRng as _};
use serde_json::Value;

use crate::call::{Call, Effect, Event};
use crate::session::Want;

/// How many frames of a node may wait at a time.
const MOST_HEARD: usize = 256;
/// How many wishes may wait: a person is not that fast.
const MOST_WANTS: usize = 100;
/// How often the module wants to be called at least.
const SLOWLY: Duration = Duration::from_secs(5);

/// The world outside. Clones are the same one.
#[derive(Clone)]
pub(crate) struct World(Rc<RefCell<Inner>>);

struct Inner {
    clock: u64,
    now: Duration,
    rng: ChaCha20Rng,
    effects: Vec<Effect>,
    wants: VecDeque<Want>,
    socket: Socket,
    /// When the task wants to be looked at again.
    wake: Option<Duration>,
    /// Whose wallet it is, for questions.
    pub(crate) owner: Option<(Address, zeroize::Zeroizing<[u8; 32]>)>,
}

/// The connection of the page.
#[derive(Default)]
struct Socket {
    /// How many there were.
    number: u64,
    open: bool,
    /// Why it has ended.
    closed: Option<String>,
    heard: VecDeque<Vec<u8>>,
}

impl Socket {
    /// Keeps a frame until the task takes it. Whoever sends more than a node has to say is not listened to any longer: the
    /// memory of a module never shrinks.
    fn hears(&mut self, frame: &[u8]) {
        if self.closed.is_some() {
            return;
        }
        let waiting: usize = self.heard.iter().map(Vec::len).sum();
        if self.heard.len() < MOST_HEARD && waiting.saturating_add(frame.len()) <= LONGEST {
            self.heard.push_back(frame.to_vec());
        } else {
            self.heard.clear();
            self.closed = Some("the node said too much at once".to_owned());
        }
    }
}

impl World {
    pub(crate) fn new(call: &Call<'_>, effects: Vec<Effect>) -> Self {
        Self(Rc::new(RefCell::new(Inner {
            clock: call.clock,
            now: Duration::from_millis(call.now),
            rng: ChaCha20Rng::from_seed(call.random),
            effects,
            wants: VecDeque::new(),
            socket: Socket::default(),
            wake: None,
            owner: None,
        })))
    }

    /// Something has happened outside.
    pub(crate) fn happens(&self, call: &Call<'_>) -> Result<(), String> {
        let inner = &mut *self.0.borrow_mut();
        // Old randomness is part of the new: a call that repeats some does no harm.
        let mut seed = call.random;
        let mut before = [0; 32];
        inner.rng.fill_bytes(&mut before);
        seed.iter_mut().zip(before).for_each(|(new, old)| *new ^= old);
        inner.rng = ChaCha20Rng::from_seed(seed);
        (inner.clock, inner.now, inner.wake) = (call.clock, inner.now.max(Duration::from_millis(call.now)), None);
        match &call.event {
            // The first frame of a connection is empty, and says that it is open.
            Event::Frame([]) => inner.socket.open = true,
            Event::Frame(frame) => inner.socket.hears(frame),
            Event::Closed(why) => inner.socket.closed = Some((*why).to_owned()),
            Event::Want(wanted) => {
                let want = serde_json::from_str(wanted).map_err(|why| format!("nobody can want this: {why}"))?;
                if inner.wants.len() < MOST_WANTS {
                    inner.wants.push_back(want);
                }
            }
            Event::New(_) | Event::Resume { .. } | Event::Tick | Event::Ask(_) | Event::Knock(_) => {}
        }
        Ok(())
    }

    /// What is to be done outside.
    pub(crate) fn effects(&self) -> Vec<Effect> {
        let inner = &mut *self.0.borrow_mut();
        let mut effects = core::mem::take(&mut inner.effects);
        let wake = inner.wake.map_or(SLOWLY, |wake| wake.saturating_sub(inner.now).min(SLOWLY));
        let wake = wake.max(Duration::from_millis(5));
        effects.push(Effect::Wake(u32::try_from(wake.as_millis()).unwrap_or(u32::MAX)));
        effects
    }

    pub(crate) fn perform(&self, effect: Effect) {
        self.0.borrow_mut().effects.push(effect);
    }

    /// Tells the page something.
    pub(crate) fn tell(&self, told: &Value) {
        self.perform(Effect::Tell(told.to_string()));
    }

    pub(crate) fn random(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        self.0.borrow_mut().rng.fill_bytes(&mut bytes);
        bytes
    }

    pub(crate) fn rng(&self) -> ChaCha20Rng {
        ChaCha20Rng::from_seed(self.random())
    }

    pub(crate) fn now(&self) -> Duration {
        self.0.borrow().now
    }

    pub(crate) fn belongs_to(&self, address: Address, secret: &[u8; 32]) {
        self.0.borrow_mut().owner = Some((address, zeroize::Zeroizing::new(*secret)));
    }

    /// Whose wallet it is, and its key.
    pub(crate) fn owner(&self) -> Option<(Address, zeroize::Zeroizing<[u8; 32]>)> {
        self.0.borrow().owner.clone()
    }

    /// The next wish.
    pub(crate) async fn want(&self) -> Want {
        loop {
            if let Some(want) = self.wait(None, |inner| inner.wants.pop_front()).await {
                return want;
            }
        }
    }

    /// Waits for so long.
    pub(crate) async fn pause(&self, how_long: Duration) {
        let until = self.now().saturating_add(how_long);
        self.wait(Some(until), |_| None::<()>).await;
    }

    /// Waits until something is there, until this time at the latest.
    async fn wait<T>(&self, until: Option<Duration>, mut ready: impl FnMut(&mut Inner) -> Option<T>) -> Option<T> {
        poll_fn(|_| {
            let inner = &mut *self.0.borrow_mut();
            match (ready(inner), until) {
                (Some(done), _) => Poll::Ready(Some(done)),
                (None, Some(until)) if inner.now >= until => Poll::Ready(None),
                (None, until) => {
                    inner.wake = [inner.wake, until].into_iter().flatten().min();
                    Poll::Pending
                }
            }
        })
        .await
    }
}

impl Net for World {
    type Wire = Connection;

    async fn open(&mut self, place: &Place, patience: Duration) -> Result<Connection, Cut> {
        let (number, until) = {
            let inner = &mut *self.0.borrow_mut();
            let number = inner.socket.number.wrapping_add(1);
            inner.socket = Socket { number, ..Socket::default() };
            inner.effects.push(Effect::Connect { pause: 0, address: place.address() });
            (number, inner.now.saturating_add(patience))
        };
        let opened = self.wait(Some(until), |inner| match &inner.socket {
            Socket { closed: Some(why), .. } => Some(Err(Cut::Unreachable(why.clone()))),
            Socket { open: true, .. } => Some(Ok(())),
            Socket { .. } => None,
        });
        opened.await.unwrap_or(Err(Cut::Silent)).map(|()| Connection { world: self.clone(), number })
    }

    fn clock(&self) -> u64 {
        self.0.borrow().clock
    }

    fn now(&self) -> Duration {
        Self::now(self)
    }

    async fn sleep(&mut self, until: Duration) {
        self.wait(Some(until), |_| None::<()>).await;
    }
}

/// A connection to a node.
pub(crate) struct Connection {
    world: World,
    number: u64,
}

impl Wire for Connection {
    async fn send(&mut self, text: String, _: Duration) -> Result<(), Cut> {
        let inner = &mut *self.world.0.borrow_mut();
        if let Some(why) = ended(&inner.socket, self.number) {
            return Err(Cut::Lost(why));
        }
        inner.effects.push(Effect::Send(text.into_bytes()));
        Ok(())
    }

    async fn hear(&mut self, until: Duration) -> Result<String, Cut> {
        let number = self.number;
        let heard = self.world.wait(Some(until), |inner| {
            let current = inner.socket.number == number;
            match inner.socket.heard.pop_front().filter(|_| current) {
                Some(frame) => Some(Ok(frame)),
                None => ended(&inner.socket, number).map(|why| Err(Cut::Lost(why))),
            }
        });
        let frame = heard.await.unwrap_or(Err(Cut::Silent))?;
        if frame.len() > LONGEST {
            return Err(Cut::Nonsense("an answer of a size that nodes give"));
        }
        String::from_utf8(frame).map_err(|_| Cut::Nonsense("text"))
    }
}

/// Why a connection has ended, if it has.
fn ended(socket: &Socket, number: u64) -> Option<String> {
    if socket.number == number { socket.closed.clone() } else { Some("there is another one".to_owned()) }
}

/// One of two.
pub(crate) enum Either<A, B> {
    First(A),
    Second(B),
}

/// Whichever is done first; the other one is given up.
pub(crate) async fn race<A, B>(first: impl Future<Output = A>, second: impl Future<Output = B>) -> Either<A, B> {
    let (mut first, mut second) = (pin!(first), pin!(second));
    poll_fn(|cx| match Pin::as_mut(&mut first).poll(cx) {
        Poll::Ready(done) => Poll::Ready(Either::First(done)),
        Poll::Pending => Pin::as_mut(&mut second).poll(cx).map(Either::Second),
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_that_talks_without_end_is_not_listened_to() {
        let mut socket = Socket::default();
        for _ in 0..MOST_HEARD {
            socket.hears(b"nonsense");
        }
        assert_eq!((socket.heard.len(), &socket.closed), (MOST_HEARD, &None));
        for _ in 0..100_000 {
            socket.hears(b"nonsense");
        }
        assert!(socket.heard.is_empty() && socket.closed.is_some());

        let mut socket = Socket::default();
        socket.hears(&vec![0; LONGEST]);
        assert_eq!(socket.closed, None);
        socket.hears(&[0]);
        assert!(socket.heard.is_empty() && socket.closed.is_some());
    }
}
