//! A player: an account, a seat, and what they do.

use dealing::Secret;
use games::holdem;
use rand::RngExt;
use rand::rngs::ChaCha20Rng;
use table::{Awaiting, Draw, Faces, Known, Move, Moves as _, NoChoice, Rules as _, Seat};

use super::lies::Prank;
use crate::bank;
use crate::client::{self, Hole, Wallet};
use crate::execute::State;
use crate::tables::{Action, Hand, HandOf, Ring, RingOf, Tx};
use crate::tx::{Body, Signed};
use crate::units::{Address, Coins};

/// Somebody who plays.
#[derive(Debug)]
pub struct Person {
    pub(super) wallet: Wallet,
    pub(super) table: u64,
    pub(super) seat: u8,
    pub(super) hole: Hole,
    pub(super) prank: Option<Prank>,
    /// The last turn that was answered: hand and height.
    answered: Option<(u32, u64)>,
}

/// How a player decides: the hand, their seat, and the faces they know.
pub type Decide<'a> = dyn FnMut(&Hand, Seat, Known<'_>) -> Decided + 'a;

/// What a player decides; `None` for what is done in place of somebody who is away.
pub type Decided = Option<Move<holdem::Action, NoChoice>>;

impl Person {
    pub(super) fn new(chain: [u8; 32], secret: &[u8; 32], table: u64, seat: u8, prank: Option<Prank>) -> Self {
        let wallet = Wallet::new(secret);
        let hole = crate::hash("a player's key in a simulation", &[secret]);
        let mut wide = [0; 64];
        wide.iter_mut().zip(hole).for_each(|(to, from)| *to = from);
        let hole = Hole::new(chain, table, Secret::new(dealing::Scalar::from_bytes_mod_order_wide(&wide)));
        Self { wallet, table, seat, hole, prank, answered: None }
    }

    pub(super) fn address(&self) -> Address {
        self.wallet.address()
    }

    /// What they do now.
    pub(super) fn does(&mut self, state: &State, rng: &mut ChaCha20Rng, decide: &mut Decide<'_>) -> Vec<Signed> {
        let store = state.store();
        let Some(ring) = store.get(&RingOf(self.table)) else { return Vec::new() };
        let mut done = Vec::new();
        match ring.seat_of(&self.address()) {
            None => done.extend(self.sits(state, rng)),
            Some(seat) => {
                done.extend(self.between_hands(state, ring, seat, rng));
                if self.prank != Some(Prank::Sleep) {
                    done.extend(self.acts(state, decide));
                }
            }
        }
        if self.prank == Some(Prank::Spam) {
            done.push(self.spam(state, rng));
        }
        done
    }

    fn sits(&self, state: &State, rng: &mut ChaCha20Rng) -> Option<Signed> {
        let ring = state.store().get(&RingOf(self.table))?;
        let buy_in = ring.terms.max_buy_in;
        let needed = buy_in + ring.terms.player_bond + Coins(100_000);
        let free = ring.chairs.get(usize::from(self.seat))?.player.is_none();
        let can = bank::balance(state.store(), &self.address()) >= needed && free;
        let sit = self.hole.sit(&self.address(), Some(self.seat), buy_in, rng);
        can.then(|| self.pay(state, Body::Tables(sit)))
    }

    /// Buys chips when there are none left, comes back after sitting out, and stands up if restless.
    fn between_hands(&self, state: &State, ring: &Ring, seat: Seat, rng: &mut ChaCha20Rng) -> Option<Signed> {
        let player = ring.player(seat)?;
        let playing = state.store().get(&HandOf(self.table)).is_some_and(|hand| hand.seats().contains(seat));
        let table = self.table;
        let tx = if player.out.is_some() && self.prank != Some(Prank::Sleep) {
            Tx::Return { table }
        } else if !playing && player.stack == Coins::ZERO {
            Tx::Rebuy { table, coins: ring.terms.max_buy_in }
        } else if self.prank == Some(Prank::Restless) && !player.leaving && rng.random_ratio(1, 20) {
            Tx::Leave { table }
        } else {
            return None;
        };
        Some(self.pay(state, Body::Tables(tx)))
    }

    fn acts(&mut self, state: &State, decide: &mut Decide<'_>) -> Option<Signed> {
        let store = state.store();
        let (turn, cards) = client::turn(store, self.table, &self.address(), &self.hole).ok()?;
        if self.answered == Some((turn.hand, turn.height)) {
            return None;
        }
        let hand = store.get(&HandOf(self.table))?;
        let table = hand.table();
        debug_assert!(matches!(table.awaiting(), Awaiting::Turn(_)), "somebody's turn is a turn");
        let mut own = Faces::new();
        table.rules().hole(turn.seat).slots().zip(cards).for_each(|(slot, card)| own.insert(slot, card));
        let known = Known::with(table.open(), &own);
        let decided = decide(hand, turn.seat, known).or_else(|| table.rules().default_move(known, turn.seat))?;
        let Move::Act(action) = decided;
        let action = Action::from(action);
        let act = Tx::Act { table: self.table, hand: turn.hand, height: turn.height, action };
        Some(self.wallet.duty(state.tip().chain, Body::Tables(act)))
    }

    /// Something that fails, or that nobody waits for.
    fn spam(&self, state: &State, rng: &mut ChaCha20Rng) -> Signed {
        let chain = state.tip().chain;
        match rng.random_range(0..4) {
            0 => {
                let act = Tx::Act { table: self.table, hand: rng.random(), height: 0, action: Action::Fold };
                self.wallet.duty(chain, Body::Tables(act))
            }
            1 => {
                let coins = bank::balance(state.store(), &self.address());
                self.pay(state, Body::Bank(bank::Tx::Transfer { to: self.address(), coins: coins + Coins(1) }))
            }
            2 => {
                let message = rng.random::<[u8; 32]>().to_vec();
                let tx = crate::dealer::Tx::Deck { table: self.table, deck: 0, member: 0, message };
                self.wallet.duty(chain, Body::Dealer(tx))
            }
            _ => self.pay(state, Body::Tables(Tx::Tick { table: self.table })),
        }
    }

    fn pay(&self, state: &State, body: Body) -> Signed {
        self.wallet.pay(state.store(), state.tip().chain, body)
    }
}

/// Any legal move, for those who have nothing better.
pub(super) fn any_move(draw: &mut impl Draw) -> impl FnMut(&Hand, Seat, Known<'_>) -> Decided {
    move |hand, seat, known| hand.table().rules().moves(known, seat).pick(draw)
}
