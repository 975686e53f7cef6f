//! A player: an account, a seat, and what they do.

use dealing::Secret;
use rand::RngExt;
use rand::rngs::ChaCha20Rng;
use table::{Draw, Known, Moves as _, Rules as _, Seat};

use super::lies::Prank;
use crate::bank;
use crate::client::{Decide, Decided, Hole, Player, Wallet};
use crate::execute::State;
use crate::tables::{Action, Hand, RingOf, Tx};
use crate::tx::{Body, Signed};
use crate::units::{Address, Coins};

/// Somebody who plays.
#[derive(Debug)]
pub(super) struct Person {
    pub(super) player: Player,
    seat: u8,
    prank: Option<Prank>,
}

impl Person {
    pub(super) fn new(chain: [u8; 32], secret: &[u8; 32], table: u64, seat: u8, prank: Option<Prank>) -> Self {
        let hole = crate::hash("a player's key in a simulation", &[secret]);
        let mut wide = [0; 64];
        wide.iter_mut().zip(hole).for_each(|(to, from)| *to = from);
        let hole = Hole::new(chain, table, Secret::new(dealing::Scalar::from_bytes_mod_order_wide(&wide)));
        Self { player: Player::new(Wallet::new(secret), hole, chain, table), seat, prank }
    }

    fn address(&self) -> Address {
        self.player.address()
    }

    /// What they do now.
    pub(super) fn does(&mut self, state: &State, rng: &mut ChaCha20Rng, decide: &mut Decide<'_>) -> Vec<Signed> {
        let store = state.store();
        if store.get(&RingOf(self.player.table())).is_none() {
            return Vec::new();
        }
        let mut done = Vec::new();
        if self.player.seat(store).is_none() {
            done.extend(self.player.sit(store, self.seat, rng));
        } else {
            done.extend(self.between_hands(state, rng));
            if self.prank != Some(Prank::Sleep) {
                done.extend(self.player.act(store, decide));
            }
        }
        if self.prank == Some(Prank::Spam) {
            done.push(self.spam(state, rng));
        }
        done
    }

    /// Buys chips when there are none left, comes back after sitting out, and stands up if restless.
    fn between_hands(&self, state: &State, rng: &mut ChaCha20Rng) -> Option<Signed> {
        let (store, player) = (state.store(), &self.player);
        let awake = self.prank != Some(Prank::Sleep);
        let done = awake.then(|| player.come_back(store)).flatten().or_else(|| player.rebuy(store));
        done.or_else(|| {
            let ring = store.get(&RingOf(player.table()))?;
            let leaving = ring.player(player.seat(store)?)?.leaving;
            let leaves = self.prank == Some(Prank::Restless) && !leaving && rng.random_ratio(1, 20);
            leaves.then(|| player.pay(store, Tx::Leave { table: player.table() }))
        })
    }

    /// Something that fails, or that nobody waits for.
    fn spam(&self, state: &State, rng: &mut ChaCha20Rng) -> Signed {
        let chain = state.tip().chain;
        match rng.random_range(0..4) {
            0 => {
                let act = Tx::Act { table: self.player.table(), hand: rng.random(), height: 0, action: Action::Fold };
                self.player.wallet.duty(chain, Body::Tables(act))
            }
            1 => {
                let coins = bank::balance(state.store(), &self.address());
                self.pay(state, Body::Bank(bank::Tx::Transfer { to: self.address(), coins: coins + Coins(1) }))
            }
            2 => {
                let message = rng.random::<[u8; 32]>().to_vec();
                let tx = crate::dealer::Tx::Deck { table: self.player.table(), deck: 0, member: 0, message };
                self.player.wallet.duty(chain, Body::Dealer(tx))
            }
            _ => self.pay(state, Body::Tables(Tx::Tick { table: self.player.table() })),
        }
    }

    fn pay(&self, state: &State, body: Body) -> Signed {
        self.player.wallet.pay(state.store(), state.tip().chain, body)
    }
}

/// Any legal move, for those who have nothing better.
pub(super) fn any_move(draw: &mut impl Draw) -> impl FnMut(&Hand, Seat, Known<'_>) -> Decided {
    move |hand, seat, known| hand.table().rules().moves(known, seat).pick(draw)
}
