//! A world with one block open at a time, in which tables are tried. After every step it checks that no coin was
//! created or lost.

mod aborts;
mod creating;
mod encoding;
mod hands;
mod published;
mod rake;
mod random;
mod seats;
mod signed;
mod time;

use std::collections::BTreeMap;

use cards::Card;
use dealing::{Knowledge, Scalar, Secret};
use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;
use rand::seq::SliceRandom;
use table::{Faces, Seat, Slot};

use super::*;
use crate::dealer::{AheadOf, Verified};
use crate::execute::{Cx, Now, State, TipKey};
use crate::genesis::{FirstValidator, Genesis};
use crate::params::{Params as AllParams, ParamsKey};
use crate::store::Store;
use crate::units::{Address, Coins};
use crate::wired::Wired;
use crate::{bank, dealer, governance, staking};

/// What everybody has at first.
const RICH: Coins = Coins(1_000_000);
/// Somebody who creates tables and never plays.
const HOST: u8 = 99;

struct World {
    store: Store,
    events: Vec<crate::Event>,
    now: Now,
    verified: Verified,
    supply: Coins,
    /// Cards that were put into a deck on purpose.
    stacked: BTreeMap<u32, Faces>,
    next_deck: u32,
}

/// The treasury is the address of zeros, so players begin with one.
fn who(player: u8) -> Address {
    Address([player + 1; 32])
}

fn validator(index: u8) -> Address {
    Address([200 + index; 32])
}

fn seat(index: u8) -> Seat {
    Seat::new(index).unwrap()
}

fn secret(player: u8) -> Secret {
    Secret::new(Scalar::from(1_000 + u64::from(player)))
}

fn genesis() -> Genesis {
    let validators = (0..4).map(|index| {
        let stake = Coins(100_000);
        FirstValidator { consensus: validator(index), operator: who(100 + index), stake }
    });
    Genesis {
        name: "test".into(),
        time: 0,
        params: AllParams::default(),
        accounts: (0..20).chain([HOST]).map(|player| (who(player), RICH)).collect(),
        validators: validators.collect(),
    }
}

/// Blinds 5 and 10, buy-ins from 200 to 2,000, a bond of 50, 20 seconds for an action.
fn terms() -> Terms {
    Terms {
        label: "a table".into(),
        max_players: 9,
        small_blind: Coins(5),
        big_blind: Coins(10),
        min_buy_in: Coins(200),
        max_buy_in: Coins(2_000),
        player_bond: Coins(50),
        action_timeout_secs: 20,
        dealer_timeout_secs: 60,
        rake_bps: 0,
    }
}

/// Lets a committee deal that has so much to lose that a table can have this many chips. Nothing is dealt with its keys.
fn open_epoch(store: &mut Store, chips: Coins) {
    let price = |stake: &Coins| staking::price(store, *stake, staking::Offence::Withheld);
    let stake = (1..).map(|times| Coins(chips.0 * times / 100)).find(|stake| price(stake) >= chips);
    let (who, stake) = (validator(9), stake.unwrap());
    // It deals, but makes no blocks.
    let standing = staking::Standing::Removed;
    let keeper = staking::Validator { standing, ..staking::Validator::new(who, stake) };
    store.put(&staking::ValidatorOf(who), keeper);
    let member = dealer::Member { validator: who, stake };
    // A key, a hash, a list of one share (by the member with number 0), and two empty lists.
    let joint = [&[0; 64][..], &[1, 0], &[0, 1], &[1, 0], &[0; 32], &[0; 4]].concat();
    let joint = Wired(dealing::decode(&joint).unwrap());
    let epoch = dealer::Epoch { members: vec![member], threshold: 1, random: [0; 32], joint, decks: 0, closed: false };
    store.put(&dealer::EpochOf(1), epoch);
    let course = dealer::Course { current: Some(1), rotates: u64::MAX, next: 2, ..Default::default() };
    store.put(&dealer::CourseKey(), course);
    store.remove(&dealer::CeremonyKey());
}

fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|card| card.parse().unwrap()).collect()
}

impl World {
    fn new() -> Self {
        let mut store = State::new(&genesis()).store().clone();
        open_epoch(&mut store, Coins(10_000_000));
        let now = Now {
            chain: genesis().chain(),
            height: 100,
            parent_clock: 50_000,
            clock: 50_000,
            parent: [0; 32],
            proposer: validator(0),
            round: 0,
        };
        let mut world = Self {
            store,
            events: Vec::new(),
            now,
            verified: Verified::default(),
            supply: Coins::ZERO,
            stacked: BTreeMap::new(),
            next_deck: 0,
        };
        world.supply = world.total();
        world
    }

    /// With one table, number 1, of these terms.
    fn with(terms: Terms) -> Self {
        let mut world = Self::new();
        world.tx(HOST, Tx::Create { terms, purse: Coins(1_000) }).unwrap();
        world
    }

    /// With one table where these players sit in the seats of the same number, with these stacks.
    fn seated(stacks: &[(u8, u64)]) -> Self {
        let mut world = Self::with(terms());
        for (player, stack) in stacks {
            world.sit(*player, *stack).unwrap();
        }
        world
    }

    fn params(&mut self, change: impl FnOnce(&mut Params)) {
        self.store.edit(&ParamsKey(), |params| change(&mut params.tables)).unwrap();
    }

    fn cx<T>(&mut self, act: impl FnOnce(&mut Cx<'_>) -> T) -> T {
        let Self { store, events, now, verified, .. } = self;
        let result = act(&mut Cx { store, events, now, verified });
        self.check();
        result
    }

    fn tx(&mut self, from: u8, tx: Tx) -> Result<(), Refused> {
        let entries = |store: &Store| store.entries().map(|(key, value)| (key.to_vec(), value)).collect::<Vec<_>>();
        let (before, events) = (entries(&self.store), self.events.len());
        let result = self.cx(|cx| execute(cx, who(from), &tx));
        if result.is_err() {
            assert!(entries(&self.store) == before, "what is refused changes nothing: {tx:?}");
            assert_eq!(self.events.len(), events);
        }
        result
    }

    fn total(&self) -> Coins {
        let store = &self.store;
        bank::held(store) + staking::held(store) + governance::held(store) + held(store) + dealer::held(store)
    }

    fn check(&self) {
        if self.supply > Coins::ZERO {
            assert_eq!(self.total(), self.supply, "coins are neither created nor lost");
        }
        for (_, hand) in self.store.all::<HandOf>() {
            assert!(hand.table().rules().stacks().iter().all(|stack| stack.0 >= 0), "no stack is negative");
            let begun: Coins = hand.begun().players.iter().map(|player| player.stack).sum();
            assert_eq!(hand.chips(), begun);
        }
    }

    /// Ends the block and begins the next one, so much later, made by the next validator in turn.
    fn next(&mut self, ms: u64) {
        let turn = u8::try_from(self.now.height % 4).unwrap();
        self.next_by(ms, turn);
    }

    fn next_by(&mut self, ms: u64, by: u8) {
        self.cx(end_block);
        let (height, clock) = (self.now.height, self.now.clock);
        self.store.edit(&TipKey(), |tip| (tip.height, tip.clock) = (height, clock)).unwrap();
        self.store.commit();
        self.now.height += 1;
        self.now.parent_clock = self.now.clock;
        // As blocks do: the game clock never advances by more.
        self.now.clock += ms.min(2_000);
        self.now.proposer = validator(by);
        self.cx(staking::begin_block);
    }

    fn sit_in(&mut self, table: u64, player: u8, seat: Option<u8>, buy_in: u64) -> Result<(), Refused> {
        let rng = &mut ChaCha20Rng::seed_from_u64(1);
        let proof = Knowledge::prove(&key_context(&self.now.chain, table, &who(player)), &secret(player), rng);
        let proof = dealing::encode(&proof).try_into().unwrap();
        let key = *secret(player).public().bytes();
        self.tx(player, Tx::Sit { table, seat, buy_in: Coins(buy_in), key, proof })
    }

    fn sit(&mut self, player: u8, buy_in: u64) -> Result<(), Refused> {
        self.sit_in(1, player, Some(player), buy_in)
    }

    fn deck_is_ready(&mut self, table: u64) {
        self.next_deck += 1;
        let mut ahead = self.store.get_or_default(&AheadOf(table));
        ahead.ready.push(self.next_deck);
        self.store.put(&AheadOf(table), ahead);
    }

    /// Lets a hand begin at table 1.
    fn begin(&mut self) {
        self.deck_is_ready(1);
        for _ in 0..10 {
            if hand(&self.store, 1).is_some() {
                return;
            }
            self.next(1_000);
        }
        panic!("no hand began");
    }

    /// Lets a hand begin, and deals the hole cards.
    fn begin_dealt(&mut self) {
        self.begin();
        self.deal();
    }

    /// All faces of a deck.
    fn faces(&self, deck: u32) -> Faces {
        let mut pack: Vec<Card> = cards::Pack::STANDARD.faces().collect();
        pack.shuffle(&mut ChaCha20Rng::seed_from_u64(deck.into()));
        let shuffled = (0..).zip(pack).map(|(index, card)| (Slot::new(deck, index), card));
        self.stacked.get(&deck).cloned().unwrap_or_else(|| shuffled.collect())
    }

    /// The dealer does what the hand at table 1 waits for.
    fn deal(&mut self) {
        let (deck, _) = hand(&self.store, 1).expect("a hand");
        let faces = self.faces(deck);
        self.cx(|cx| dealt(cx, 1, &faces));
    }

    /// Decides the cards of the hand at table 1, by seat, and its board.
    fn stack_deck(&mut self, holes: &[(u8, &str)], board: &str) {
        let (deck, table) = hand(&self.store, 1).expect("a hand");
        let mut faces = Faces::new();
        for (index, hole) in holes {
            table.rules().hole(seat(*index)).slots().zip(cards(hole)).for_each(|(slot, card)| faces.insert(slot, card));
        }
        table.rules().board().slots().zip(cards(board)).for_each(|(slot, card)| faces.insert(slot, card));
        self.stacked.insert(deck, faces);
    }

    /// Whoever's turn it is at table 1 does this.
    fn act(&mut self, action: Action) -> Result<(), Refused> {
        let Turn { hand, height, player, .. } = turn(&self.store, 1).expect("somebody's turn");
        self.tx(player.0[0] - 1, Tx::Act { table: 1, hand, height, action })
    }

    fn acts(&mut self, actions: &[Action]) {
        for action in actions {
            self.act(*action).unwrap();
        }
    }

    /// Whose turn it is.
    fn turn(&self) -> Option<u8> {
        turn(&self.store, 1).map(|turn| turn.seat.index())
    }

    /// Lets the time of whoever's turn it is run out.
    fn time_out(&mut self) {
        let before = turn(&self.store, 1).expect("somebody's turn");
        for _ in 0..20 {
            self.next(2_000);
            if turn(&self.store, 1) != Some(before) {
                return;
            }
        }
        panic!("the time of {before:?} never ran out");
    }

    fn ring(&self) -> &Ring {
        self.store.get(&RingOf(1)).expect("a table")
    }

    fn player(&self, index: u8) -> &Player {
        self.ring().player(seat(index)).expect("a player")
    }

    fn stack(&self, index: u8) -> u64 {
        stack(&self.store, 1, seat(index)).0
    }

    fn status(&self, index: u8) -> Option<Status> {
        status(&self.store, 1, seat(index))
    }

    fn balance(&self, player: u8) -> u64 {
        bank::balance(&self.store, &who(player)).0
    }

    fn treasury(&self) -> u64 {
        bank::balance(&self.store, &bank::TREASURY).0
    }

    /// What has happened at tables since this was last asked.
    fn told(&mut self) -> Vec<Event> {
        let table = |event| match event {
            // The hand once more as a whole, after everything that was told of it.
            crate::Event::Tables(Event::HandSettled { .. }) => None,
            crate::Event::Tables(event) => Some(event),
            _ => None,
        };
        self.events.drain(..).filter_map(table).collect()
    }
}
