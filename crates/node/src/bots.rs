//! Computers that play at a table, for a chain that is tried out: inside the node, with its state.

use core::time::Duration;

use bots::{Course, Kind, Past};
use chain::client::{Decided, Hole, Player, Wallet};
use chain::store::Store;
use chain::tables::{self, Hand, RingOf};
use chain::{Hash, Signed};
use dealing::Secret;
use games::holdem::{Deal, Holdem, Settings};
use rand::rngs::ChaCha20Rng;
use rand::{RngExt, SeedableRng};
use table::{Known, Seat};

use crate::core::Shared;

/// Computers at one table.
#[derive(Debug)]
pub struct Bots {
    players: Vec<Player>,
    kind: Kind,
    settings: Settings,
    rng: ChaCha20Rng,
}

impl Bots {
    /// Computers with these accounts, who sit at a table from the last seat down. The seed must be random and secret.
    pub fn new(chain: Hash, table: u64, secrets: &[[u8; 32]], kind: Kind, seed: [u8; 32]) -> Self {
        let mut rng = ChaCha20Rng::from_seed(seed);
        let players = secrets.iter().map(|secret| {
            let hole = Hole::new(chain, table, Secret::random(&mut rng));
            Player::new(Wallet::new(secret), hole, chain, table)
        });
        let players = players.collect();
        Self { players, kind, settings: Settings { ring: true, ..Settings::default() }, rng }
    }

    /// Plays, until the node stops. For a move they take their time, so that people can follow.
    pub async fn run(mut self, shared: Shared, pace: Duration) {
        let mut seen = shared.seen.clone();
        while seen.changed().await.is_ok() {
            let (mut state, _) = shared.moment();
            if !pace.is_zero() && self.is_asked(state.store()) {
                tokio::time::sleep(pace).await;
                (state, _) = shared.moment();
            }
            for signed in self.do_something(state.store()) {
                // What is refused is tried again after the next block.
                if let Err(why) = shared.submit(signed) {
                    tracing::debug!(%why, "a computer's transaction is refused");
                }
            }
        }
    }

    /// Whether it is the turn of one of them.
    fn is_asked(&self, store: &Store) -> bool {
        let is_asked =
            |player: &Player| tables::turn(store, player.table()).is_some_and(|turn| turn.player == player.address());
        self.players.iter().any(is_asked)
    }

    /// What they do now, each of them.
    pub fn do_something(&mut self, store: &Store) -> Vec<Signed> {
        let Self { players, kind, settings, rng } = self;
        let mut done = Vec::new();
        for (number, player) in (0..).zip(players) {
            let Some(ring) = store.get(&RingOf(player.table())) else { continue };
            match player.seat(store) {
                None => {
                    let seat = ring.terms.max_players.saturating_sub(1).saturating_sub(number);
                    done.extend(player.sit(store, seat, rng));
                }
                Some(_) => {
                    done.extend(player.come_back(store).or_else(|| player.rebuy(store)));
                    let mut decide =
                        |hand: &Hand, seat: Seat, known: Known<'_>| decide(*kind, settings, hand, seat, known, rng);
                    done.extend(player.act(store, &mut decide));
                }
            }
        }
        done
    }
}

/// What a computer of this kind does in this seat of a hand.
pub fn decide(
    kind: Kind,
    settings: &Settings,
    hand: &Hand,
    seat: Seat,
    known: Known<'_>,
    rng: &mut ChaCha20Rng,
) -> Decided {
    let past: Vec<Past<Deal>> = hand.actions().map(|(seat, action)| Past::Did(seat, action)).collect();
    let course = Course::<Holdem> { settings, deal: hand.number().saturating_add(1), past: &past };
    let mut draw = rand::rngs::Xoshiro256PlusPlus::from_seed(rng.random());
    kind.decide(course, hand.table(), seat, known, &mut draw)
}
