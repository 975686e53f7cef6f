//! Somebody who plays at a table: when to sit down, to come back and to act.

use games::holdem;
use rand::CryptoRng;
use table::{Faces, Known, Move, NoChoice, Rules as _, Seat};

use super::{Hole, Wallet, turn};
use crate::bank::{self, AccountOf};
use crate::dealer::DeckOf;
use crate::execute::TipKey;
use crate::params::ParamsKey;
use crate::store::{Key as _, Store};
use crate::tables::{Action, Hand, HandOf, RingOf, Tx};
use crate::tx::{Body, Signed};
use crate::units::{Address, Coins, Hash};

/// How a player decides: the hand, their seat, and the faces they know.
pub type Decide<'a> = dyn FnMut(&Hand, Seat, Known<'_>) -> Decided + 'a;

/// What a player decides; `None` for what is done in place of somebody who is away.
pub type Decided = Option<Move<holdem::Action, NoChoice>>;

/// What is left in the account besides the buy-in and the bond, for fees.
const FOR_FEES: Coins = Coins(100_000);

/// Somebody who plays at a table.
#[derive(Debug)]
pub struct Player {
    /// Their account.
    pub wallet: Wallet,
    /// The key that their cards are sealed to.
    pub hole: Hole,
    chain: Hash,
    table: u64,
    /// The last turn that was answered, by hand and height, and the answer.
    answered: Option<((u32, u64), Signed)>,
}

impl Player {
    /// Somebody at a table of this chain, or about to sit down there.
    pub const fn new(wallet: Wallet, hole: Hole, chain: Hash, table: u64) -> Self {
        Self { wallet, hole, chain, table, answered: None }
    }

    /// Their account.
    pub fn address(&self) -> Address {
        self.wallet.address()
    }

    /// The table.
    pub const fn table(&self) -> u64 {
        self.table
    }

    /// The entries of the state that they need to see, by key. `deck` is the deck of the hand that is being played, if it
    /// is known: without it, only what comes before the hand.
    pub fn needs(&self, deck: Option<u32>) -> Vec<Vec<u8>> {
        let table = self.table;
        let deck = deck.map(|deck| DeckOf(table, deck).bytes());
        let always = [
            TipKey().bytes(),
            ParamsKey().bytes(),
            AccountOf(self.address()).bytes(),
            RingOf(table).bytes(),
            HandOf(table).bytes(),
        ];
        always.into_iter().chain(deck).collect()
    }

    /// Their seat, if they sit.
    pub fn seat(&self, store: &Store) -> Option<Seat> {
        store.get(&RingOf(self.table))?.seat_of(&self.address())
    }

    /// Sits down with as many chips as there may be, if there is room and money.
    pub fn sit(&self, store: &Store, seat: u8, rng: &mut impl CryptoRng) -> Option<Signed> {
        let ring = store.get(&RingOf(self.table))?;
        let buy_in = ring.terms.max_buy_in;
        let needed = buy_in + ring.terms.player_bond + FOR_FEES;
        let free = ring.chairs.get(usize::from(seat))?.player.is_none();
        let can = bank::balance(store, &self.address()) >= needed && free;
        let sit = self.hole.sit(&self.address(), Some(seat), buy_in, rng);
        can.then(|| self.pay(store, sit))
    }

    /// Comes back after sitting out.
    pub fn come_back(&self, store: &Store) -> Option<Signed> {
        let player = store.get(&RingOf(self.table))?.player(self.seat(store)?)?;
        player.out.is_some().then(|| self.pay(store, Tx::Return { table: self.table }))
    }

    /// Buys chips if there are none left.
    pub fn rebuy(&self, store: &Store) -> Option<Signed> {
        let (ring, seat) = (store.get(&RingOf(self.table))?, self.seat(store)?);
        let playing = store.get(&HandOf(self.table)).is_some_and(|hand| hand.seats().contains(seat));
        let broke = !playing && ring.player(seat)?.stack == Coins::ZERO;
        broke.then(|| self.pay(store, Tx::Rebuy { table: self.table, coins: ring.terms.max_buy_in }))
    }

    /// Acts, if it is their turn and they can see their cards. Asked again, they say the same: it may have been lost.
    pub fn act(&mut self, store: &Store, decide: &mut Decide<'_>) -> Option<Signed> {
        if let Some(answer) = self.answered(store) {
            return Some(answer);
        }
        let (turn, cards) = turn(store, self.table, &self.address(), &self.hole).ok()?;
        let hand = store.get(&HandOf(self.table))?;
        let table = hand.table();
        let mut own = Faces::new();
        table.rules().hole(turn.seat).slots().zip(cards).for_each(|(slot, card)| own.insert(slot, card));
        let known = Known::with(table.open(), &own);
        let decided = decide(hand, turn.seat, known).or_else(|| table.rules().default_move(known, turn.seat))?;
        let Move::Act(action) = decided;
        let action = Action::from(action);
        let act = Tx::Act { table: self.table, hand: turn.hand, height: turn.height, action };
        let answer = self.wallet.duty(self.chain, Body::Tables(act));
        self.answered = Some(((turn.hand, turn.height), answer.clone()));
        Some(answer)
    }

    /// What they said in this turn, if it is still their turn: it may have been lost on its way.
    pub fn answered(&self, store: &Store) -> Option<Signed> {
        let (turn, _) = turn(store, self.table, &self.address(), &self.hole).ok()?;
        let answer = self.answered.as_ref().filter(|(to, _)| *to == (turn.hand, turn.height));
        answer.map(|(_, answer)| answer.clone())
    }

    /// An ordinary transaction about the table.
    pub fn pay(&self, store: &Store, tx: Tx) -> Signed {
        self.wallet.pay(store, self.chain, Body::Tables(tx))
    }
}
