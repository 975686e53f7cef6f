//! A table as somebody sees it who sits there or watches, and what they do.
//!
//! What is told is proven: it is the state after some block, against the header of the next. An action is sent again
//! after every block until the table has moved on, so a lost connection loses nothing but time.
//!
//! Whoever uses this calls [`Following::look`] and [`Following::saw`] in turn, [`Following::want`] in between, and reads
//! [`Following::told`] after each. Only `look` may be given up before its end.

mod doing;

use core::time::Duration;

use cards::Card;
use chain::client::{Player, Unready, turn};
use chain::dealer::RecordOf;
use chain::store::Key as _;
use chain::tables::{self, Gone, Hand, HandOf, Ring, RingOf, WhyGone};
use chain::{Address, Coins, bank};
use games::holdem;
use table::{Awaiting, Faces, Move, NoChoice, Seat};

use crate::{Error, Net, Remote, Seen};
use doing::Doing;
pub use doing::What;

/// The pause before a lost node is asked again.
const AGAIN: Duration = Duration::from_millis(500);
/// The pause before another look after one that showed nothing new.
const SAME: Duration = Duration::from_millis(50);

/// What is told.
#[derive(Debug)]
pub enum Told {
    /// How things are.
    Now(Box<Now>),
    /// A hand is over.
    Over(Box<Ended>),
    /// The player has no seat any more.
    Gone(Parting),
    /// Something that the person should know.
    Note(Note),
    /// The connection is lost, or a node lies; it is tried again.
    Lost(Error),
}

/// Something that a person should know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Note {
    /// They decided too late.
    NotYourTurn,
    /// Something else is still on its way.
    Wait(What),
    /// It was done, and the table shows it.
    Done(What),
    /// It was refused, in the words of a node.
    Refused(What, String),
    /// A node says that it was done, but the table does not show it.
    NotShown(What),
    /// The node does not show how this hand ended.
    NoEnd(u32),
    /// Something was wrong with a node, and another one is asked.
    Trouble(Error),
}

/// Why it cannot go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stopped {
    /// There is no such table.
    NoTable(u64),
    /// No node can help.
    Chain(Error),
}

/// How things are at the table.
#[derive(Clone, Debug)]
pub struct Now {
    /// Who sits there, and the terms.
    pub ring: Ring,
    /// The hand that is being played.
    pub hand: Option<Hand>,
    /// This player's seat.
    pub me: Option<Seat>,
    /// Their cards in this hand.
    pub own: Option<[Card; 2]>,
    /// Whether they have to act, and everything is there to decide on.
    pub asked: bool,
    /// Why they cannot decide although it is their turn.
    pub unready: Option<Unready>,
    /// Milliseconds until the time of whoever is to act is up.
    pub left: Option<u64>,
    /// What they have beside the table.
    pub coins: Coins,
    /// A deck is ready for the next hand.
    pub deck: bool,
    /// The state is the one after this block.
    pub height: u64,
    /// How many seconds old the last block is, by the own clock.
    pub behind: u64,
    /// Something of the player's is on its way.
    pub busy: Option<What>,
}

/// A hand that is over.
#[derive(Clone, Debug)]
pub struct Ended {
    /// Its number.
    pub number: u32,
    /// How it was played, if that is proven.
    pub hand: Option<Hand>,
    /// The stacks after it, of those who were in it.
    pub stacks: Vec<(Seat, Coins)>,
}

/// How somebody lost their seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parting {
    /// Why.
    pub why: WhyGone,
    /// What came back to the wallet.
    pub returned: Coins,
    /// What is in the wallet now.
    pub coins: Coins,
}

/// What a player wants.
#[derive(Clone, Debug)]
pub enum Want {
    /// To make this move.
    Decide(Move<holdem::Action, NoChoice>),
    /// Not to be dealt in for a while.
    SitOut,
    /// To be dealt in again.
    Return,
    /// More chips.
    Rebuy(Coins),
    /// To give up the seat.
    Leave,
}

/// A table that is followed.
pub struct Following<N: Net> {
    remote: Remote<N>,
    table: u64,
    player: Option<Player>,
    /// The account of somebody who only looks on.
    purse: Option<Address>,
    told: Vec<Told>,
    last: Option<Seen>,
    /// The hand that was being played.
    hand: Option<u32>,
    /// A transaction on its way.
    doing: Option<Doing>,
}

impl<N: Net> core::fmt::Debug for Following<N> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Following(table {})", self.table)
    }
}

impl<N: Net> Following<N> {
    /// Follows a table; with a player, who sits there, also plays.
    pub const fn new(remote: Remote<N>, table: u64, player: Option<Player>) -> Self {
        Self { remote, table, player, purse: None, told: Vec::new(), last: None, hand: None, doing: None }
    }

    /// Also sees what is in this account, even if nobody plays with it.
    #[must_use]
    pub const fn with_purse(mut self, purse: Address) -> Self {
        self.purse = Some(purse);
        self
    }

    /// Whose account is looked at.
    fn account(&self) -> Option<Address> {
        self.player.as_ref().map(Player::address).or(self.purse)
    }

    /// The chain.
    pub const fn remote(&mut self) -> &mut Remote<N> {
        &mut self.remote
    }

    /// The table.
    pub const fn table(&self) -> u64 {
        self.table
    }

    /// The chain, when nobody wants to follow any more.
    pub fn into_remote(self) -> Remote<N> {
        self.remote
    }

    /// What is new since this was asked last.
    pub fn told(&mut self) -> Vec<Told> {
        core::mem::take(&mut self.told)
    }

    /// One look at the table: takes until there is another block. May be given up.
    pub async fn look(&mut self) -> Result<Seen, Error> {
        let who: Vec<Address> = self.account().into_iter().collect();
        self.remote.table(self.table, &who).await
    }

    /// What was seen, and what follows from it; how long to wait before the next look.
    pub async fn saw(&mut self, looked: Result<Seen, Error>) -> Result<Duration, Stopped> {
        for trouble in self.remote.troubles() {
            self.note(Note::Trouble(trouble));
        }
        let seen = match looked {
            Ok(seen) => seen,
            Err(why) => return self.lost(why),
        };
        if self.last.as_ref().is_some_and(|last| last.height == seen.height) {
            return Ok(SAME);
        }
        self.learn(seen).await
    }

    fn note(&mut self, note: Note) {
        self.told.push(Told::Note(note));
    }

    fn lost(&mut self, why: Error) -> Result<Duration, Stopped> {
        if !why.is_the_nodes() {
            return Err(Stopped::Chain(why));
        }
        self.told.push(Told::Lost(why));
        Ok(AGAIN)
    }

    /// The table as it is after another block.
    async fn learn(&mut self, seen: Seen) -> Result<Duration, Stopped> {
        let ring = seen.store.get(&RingOf(self.table)).cloned().ok_or(Stopped::NoTable(self.table))?;
        let number = seen.store.get(&HandOf(self.table)).map(Hand::number);
        if let Some(over) = self.hand.filter(|before| number != Some(*before)) {
            self.over(over, &ring).await;
        }
        self.hand = number;
        let before = self.last.replace(seen);
        let pause = self.say_again().await?;
        self.look_after(&ring).await;
        let Some(seen) = &self.last else { return Ok(pause) };
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
        self.told.push(Told::Now(Box::new(now)));
        self.told.extend(parted.map(Told::Gone));
        Ok(pause)
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
            coins: self.account().map_or(Coins::ZERO, |account| bank::balance(store, &account)),
            deck: chain::dealer::ready_deck(store, self.table).is_some(),
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
    async fn over(&mut self, number: u32, ring: &Ring) {
        let ended = match self.ended(number).await.unwrap_or_default() {
            Some((hand, stacks)) => {
                let stacks = stacks.into_iter().filter_map(|(seat, stack)| Some((Seat::new(seat)?, stack))).collect();
                Ended { number, hand: Some(hand), stacks }
            }
            None => {
                self.note(Note::NoEnd(number));
                let stacks = ring.players().map(|(seat, player)| (seat, player.stack)).collect();
                Ended { number, hand: None, stacks }
            }
        };
        self.told.push(Told::Over(Box::new(ended)));
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
pub fn is_complete(hand: &Hand) -> bool {
    matches!(hand.table().awaiting(), Awaiting::Over)
}

/// A seat's own cards, in their slots.
pub fn own_faces(hand: &Hand, seat: Seat, cards: [Card; 2]) -> Faces {
    hand.table().rules().hole(seat).slots().zip(cards).collect()
}
