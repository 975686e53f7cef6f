//! A place at a table of a chain: a thread that follows the table, keeps the player's cards, and says what they want.
//!
//! ```text
//! screen or computer <- told: now, over, note, lost -- thread: Remote, Player -- node
//! screen or computer -- want: decide, leave, …      -> thread
//! ```
//!
//! What is told is proven: it is the state after some block, against the header of the next. An action is sent again
//! after every block until the table has moved on, so a lost connection loses nothing but time.

mod doing;

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use ::chain::client::{Player, Unready, turn};
use ::chain::dealer::RecordOf;
use ::chain::store::Key as _;
use ::chain::tables::{self, Gone, Hand, HandOf, Ring, RingOf, WhyGone};
use ::chain::{Address, Coins, bank};
use cards::Card;
use games::holdem::Holdem;
use remote::{Error, Remote, Seen};
use table::{Awaiting, Seat};
use tokio::sync::mpsc as channels;

use super::contact::Contact;
use super::files::Files;
use crate::failure::Failure;
use crate::play::screen::MoveOf;
use doing::Doing;

/// How often what is trusted is kept.
const KEEP: Duration = Duration::from_secs(15);
/// The pause before a lost node is asked again.
const AGAIN: Duration = Duration::from_millis(500);

/// What is told.
pub(super) enum Told {
    /// How things are.
    Now(Box<Now>),
    /// A hand is over.
    Over(Box<Ended>),
    /// The player has no seat any more.
    Gone(Parting),
    /// Something that the person should know.
    Note(String),
    /// The connection is lost, or a node lies; it is tried again.
    Lost(String),
    /// It cannot go on. Nothing follows.
    Failed(Failure),
}

/// How things are at the table.
pub(super) struct Now {
    /// Who sits there, and the terms.
    pub(super) ring: Ring,
    /// The hand that is being played.
    pub(super) hand: Option<Hand>,
    /// This player's seat.
    pub(super) me: Option<Seat>,
    /// Their cards in this hand.
    pub(super) own: Option<[Card; 2]>,
    /// Whether they have to act, and everything is there to decide on.
    pub(super) asked: bool,
    /// Why they cannot decide although it is their turn.
    pub(super) unready: Option<Unready>,
    /// Milliseconds until the time of whoever is to act is up.
    pub(super) left: Option<u64>,
    /// What they have beside the table.
    pub(super) coins: Coins,
    /// A deck is ready for the next hand.
    pub(super) deck: bool,
    /// The state is the one after this block.
    pub(super) height: u64,
    /// How many seconds old the last block is, by the own clock.
    pub(super) behind: u64,
    /// Something of the player's is on its way.
    pub(super) busy: Option<&'static str>,
}

/// A hand that is over.
pub(super) struct Ended {
    /// Its number.
    pub(super) number: u32,
    /// How it was played, if that is proven.
    pub(super) hand: Option<Hand>,
    /// The stacks after it, of those who were in it.
    pub(super) stacks: Vec<(Seat, Coins)>,
}

/// How somebody lost their seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Parting {
    /// Why.
    pub(super) why: WhyGone,
    /// What came back to the wallet.
    pub(super) returned: Coins,
    /// What is in the wallet now.
    pub(super) coins: Coins,
}

/// What a player wants.
#[derive(Clone, Debug)]
pub(super) enum Want {
    /// To make this move.
    Decide(MoveOf<Holdem>),
    /// Not to be dealt in for a while.
    SitOut,
    /// To be dealt in again.
    Return,
    /// More chips.
    Rebuy(Coins),
    /// To give up the seat.
    Leave,
    /// To stop the program.
    Quit,
}

/// A place at a table, or beside it. Dropping it ends the thread.
pub(super) struct Desk {
    pub(super) told: Receiver<Told>,
    want: channels::UnboundedSender<Want>,
    thread: Option<JoinHandle<()>>,
}

impl Desk {
    /// Follows a table; with a player, who sits there, also plays.
    pub(super) fn begin(contact: Contact, table: u64, player: Option<Player>) -> Result<Self, Failure> {
        let (tell, told) = channel();
        let (want, wants) = channels::unbounded_channel();
        let (runtime, remote, files) = contact.into_parts();
        let mut following = Following {
            remote,
            files,
            table,
            player,
            tell,
            last: None,
            hand: None,
            doing: None,
            kept: Instant::now(),
            lost: false,
        };
        let thread = std::thread::Builder::new().name("table".to_owned()).spawn(move || {
            runtime.block_on(following.run(wants));
            // Looking up a name may still hang; nobody waits for that.
            runtime.shutdown_background();
        });
        let thread = thread.map_err(|why| Failure::input(format!("no thread can be started: {why}")))?;
        Ok(Self { told, want, thread: Some(thread) })
    }

    /// Tells the thread. After its end nothing happens.
    pub(super) fn want(&self, want: Want) {
        let _ = self.want.send(want);
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        self.want(Want::Quit);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The thread's side.
struct Following {
    remote: Remote,
    files: Files,
    table: u64,
    player: Option<Player>,
    tell: Sender<Told>,
    last: Option<Seen>,
    /// The hand that was being played.
    hand: Option<u32>,
    /// A transaction on its way.
    doing: Option<Doing>,
    kept: Instant,
    lost: bool,
}

/// The screen is gone, or has been told that nothing follows.
struct Closed;

impl Following {
    async fn run(&mut self, mut wants: channels::UnboundedReceiver<Want>) {
        while let Ok(()) = self.step(&mut wants).await {}
        let _ = self.files.keep_anchor(self.remote.anchor());
    }

    /// One look at the table, or one wish.
    async fn step(&mut self, wants: &mut channels::UnboundedReceiver<Want>) -> Result<(), Closed> {
        let who: Vec<Address> = self.player.iter().map(Player::address).collect();
        let looked = tokio::select! {
            biased;
            want = wants.recv() => match want {
                None | Some(Want::Quit) => return Err(Closed),
                Some(want) => return self.want(want).await,
            },
            seen = self.remote.table(self.table, &who) => seen,
        };
        for trouble in self.remote.troubles() {
            self.note(trouble.to_string())?;
        }
        let seen = match looked {
            Ok(seen) => seen,
            Err(why) => return self.lost(&why).await,
        };
        self.lost = false;
        let same = self.last.as_ref().is_some_and(|last| last.height == seen.height);
        if same {
            tokio::time::sleep(Duration::from_millis(50)).await;
            return Ok(());
        }
        self.saw(seen).await?;
        if self.kept.elapsed() >= KEEP {
            self.kept = Instant::now();
            if let Err(why) = self.files.keep_anchor(self.remote.anchor()) {
                self.tell(Told::Failed(why))?;
                return Err(Closed);
            }
        }
        Ok(())
    }

    fn tell(&self, told: Told) -> Result<(), Closed> {
        self.tell.send(told).map_err(|_| Closed)
    }

    fn note(&self, text: String) -> Result<(), Closed> {
        self.tell(Told::Note(text))
    }

    async fn lost(&mut self, why: &Error) -> Result<(), Closed> {
        if !why.is_the_nodes() {
            self.tell(Told::Failed(super::contact::failed(why)))?;
            return Err(Closed);
        }
        self.lost = true;
        self.tell(Told::Lost(why.to_string()))?;
        tokio::time::sleep(AGAIN).await;
        Ok(())
    }

    /// The table as it is after another block.
    async fn saw(&mut self, seen: Seen) -> Result<(), Closed> {
        let Some(ring) = seen.store.get(&RingOf(self.table)).cloned() else {
            self.tell(Told::Failed(Failure::input(format!("there is no table {}", self.table))))?;
            return Err(Closed);
        };
        let number = seen.store.get(&HandOf(self.table)).map(Hand::number);
        if let Some(over) = self.hand.filter(|before| number != Some(*before)) {
            self.over(over, &ring).await?;
        }
        self.hand = number;
        let before = self.last.replace(seen);
        self.say_again().await?;
        self.look_after(&ring).await?;
        let Some(seen) = &self.last else { return Ok(()) };
        let now = self.now(seen, ring);
        let was = |player: &Player| {
            let (before, address) = (before.as_ref()?, player.address());
            let ring = before.store.get(&RingOf(self.table))?;
            Some((ring.seat_of(&address)?, bank::balance(&before.store, &address)))
        };
        let parted = match (now.me, self.player.as_ref().and_then(was)) {
            (None, Some((seat, had))) => {
                let why =
                    now.ring.chair(seat).and_then(|chair| chair.last).map_or(WhyGone::Left, |Gone { why, .. }| why);
                Some(Parting { why, returned: now.coins.minus(had).unwrap_or_default(), coins: now.coins })
            }
            _ => None,
        };
        self.tell(Told::Now(Box::new(now)))?;
        if let Some(parting) = parted {
            self.files.forget_seats(&self.remote.chain(), self.table);
            self.tell(Told::Gone(parting))?;
        }
        Ok(())
    }

    fn now(&self, seen: &Seen, ring: Ring) -> Now {
        let store = &seen.store;
        let hand = store.get(&HandOf(self.table)).cloned();
        let me = self.player.as_ref().and_then(|player| ring.seat_of(&player.address()));
        let dealt = self.player.as_ref().zip(hand.as_ref()).and_then(|(player, hand)| {
            let seat = hand.seat_of(&player.address())?;
            player.hole.cards(store, seat)
        });
        let ready = self.player.as_ref().map(|player| turn(store, self.table, &player.address(), &player.hole));
        let (asked, unready) = match ready {
            Some(Ok(_)) => (true, None),
            Some(Err(Unready::NotYourTurn)) | None => (false, None),
            Some(Err(why)) => (false, Some(why)),
        };
        let clock = seen.tip().map_or(0, |tip| tip.clock);
        Now {
            left: tables::deadline(store, self.table).map(|deadline| deadline.saturating_sub(clock)),
            coins: self.player.as_ref().map_or(Coins::ZERO, |player| bank::balance(store, &player.address())),
            deck: ::chain::dealer::ready_deck(store, self.table).is_some(),
            height: seen.height,
            behind: self.remote.behind().as_secs(),
            busy: self.doing.as_ref().map(Doing::what),
            ring,
            hand,
            me,
            own: dealt,
            asked,
            unready,
        }
    }

    /// A hand has ended: how is in no state, but the node can show it, and its hash is in the state.
    async fn over(&mut self, number: u32, ring: &Ring) -> Result<(), Closed> {
        let ended = match self.ended(number).await.unwrap_or_default() {
            Some((hand, stacks)) => {
                let stacks = stacks.into_iter().filter_map(|(seat, stack)| Some((Seat::new(seat)?, stack))).collect();
                Ended { number, hand: Some(hand), stacks }
            }
            None => {
                self.note(format!("The node does not show how hand {number} ended. The stacks are right."))?;
                let stacks = ring.players().map(|(seat, player)| (seat, player.stack)).collect();
                Ended { number, hand: None, stacks }
            }
        };
        self.tell(Told::Over(Box::new(ended)))
    }

    /// How a hand was played, and the stacks after it, if the node shows it and the state proves it.
    async fn ended(&mut self, number: u32) -> Result<Option<Settled>, Error> {
        let Some(export) = self.remote.export(self.table, number).await? else { return Ok(None) };
        let Ok(hand) = borsh::from_slice::<Hand>(&export.played) else { return Ok(None) };
        let seen = self.remote.see(&[RecordOf(self.table, number).bytes()]).await?;
        let settled = seen.store.get(&RecordOf(self.table, number)).map(|record| record.settled);
        let proven = settled == Some(tables::settled(&hand, &export.stacks));
        Ok(proven.then_some((hand, export.stacks)))
    }
}

/// A hand as it was played, and the stacks after it, by seat.
type Settled = (Hand, Vec<(u8, Coins)>);

/// Whether a hand was played to its end, and not aborted.
pub(super) fn is_complete(hand: &Hand) -> bool {
    matches!(hand.table().awaiting(), Awaiting::Over)
}
