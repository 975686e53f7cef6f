//! A poker chain: what a replica has to do for a hand, and for a block of transfers.
//!
//! The blocks are made once, with everybody's secrets in one place; what is measured is their execution by somebody who
//! knows none of them. A hand is one of nine players who all stay to the showdown, so that every card that can be opened
//! is. It begins with its deck: a block pays for it, then the members shuffle it, eight in a block, as they do while
//! another hand is played.

use std::cell::OnceCell;
use std::rc::Rc;

use ::chain::client::{Hole, Wallet};
use ::chain::dealer::keeper::Keeper;
use ::chain::dealer::{CourseKey, Tx as DealerTx};
use ::chain::genesis::FirstValidator;
use ::chain::tables::{Action, HandOf, Terms, Tx as TableTx};
use ::chain::{Address, Block, Body, Coins, Event, Genesis, Params, Receipt, Signed, State};
use ::chain::{bank, tables};
use dealing::Secret;
use rand::rngs::ChaCha20Rng;
use rand::{RngExt, SeedableRng};

use super::{Batch, Bench, Unit};

/// How many seats a committee has.
const COMMITTEES: [u8; 4] = [4, 16, 32, 64];
/// How many play.
const PLAYERS: u8 = 9;
/// The table where they do.
const TABLE: u64 = 1;
/// How many shuffles are in a block.
const SHUFFLES: usize = 8;
/// What a deck costs.
const DECK_PRICE: Coins = Coins(1_000_000);
/// How many transfers are in a block.
const TRANSFERS: u64 = 2_000;
/// No hand takes so many blocks.
const MOST_BLOCKS: usize = 1_000;

pub(super) fn benches() -> impl Iterator<Item = Bench> {
    let transfers = Bench {
        name: format!("chain_transfers_{TRANSFERS}"),
        unit: Unit::PerSecond("transfers/s"),
        ready: Box::new(|| Ok(Rc::new(Part::transfers()?).executed(TRANSFERS))),
    };
    COMMITTEES.into_iter().flat_map(hands).chain([transfers])
}

fn hands(members: u8) -> [Bench; 3] {
    // A hand of a large committee takes a while to make: only if it is asked for, and once for all figures.
    let hand: Rc<OnceCell<Result<Rc<Part>, String>>> = Rc::default();
    let bench = |name: String, unit, measured: fn(Rc<Part>) -> Batch| {
        let hand = Rc::clone(&hand);
        let ready = move || hand.get_or_init(|| Part::hand(members).map(Rc::new)).clone().map(measured);
        Bench { name, unit, ready: Box::new(ready) }
    };
    [
        bench(format!("chain_hand_{members}_verify_ms"), Unit::Milliseconds, |hand| hand.executed(1)),
        bench(format!("chain_hand_{members}_bytes"), Unit::Size("bytes"), |hand| {
            let bytes = hand.bytes();
            Box::new(move || Ok(bytes))
        }),
        bench(format!("chain_hands_{members}"), Unit::PerSecond("hands/s"), |hand| hand.executed(1)),
    ]
}

/// A part of a chain: a state, and the blocks that follow.
struct Part {
    before: State,
    blocks: Vec<Block>,
}

impl Part {
    /// A hand of nine to the showdown, from the block that begins its deck to the one that ends it.
    fn hand(members: u8) -> Result<Self, String> {
        let mut site = Site::new(members);
        site.prepare()?;
        let before = site.state.clone();
        site.kept = Some(Vec::new());
        site.play_hand()?;
        Ok(Self { before, blocks: site.kept.take().unwrap_or_default() })
    }

    /// A block in which everybody sends coins to somebody else.
    fn transfers() -> Result<Self, String> {
        let mut rng = generator();
        let wallets: Vec<Wallet> = (0..TRANSFERS).map(|_| Wallet::new(&rng.random())).collect();
        let mut site = Site::with_accounts(4, wallets.iter().map(Wallet::address).collect(), rng);
        let (before, chain) = (site.state.clone(), site.state.tip().chain);
        let to = wallets.iter().skip(1).chain(wallets.first()).map(Wallet::address);
        let pay = |(from, to): (&Wallet, Address)| {
            from.pay(before.store(), chain, Body::Bank(bank::Tx::Transfer { to, coins: Coins(1) }))
        };
        let transactions = wallets.iter().zip(to).map(pay).collect();
        site.kept = Some(Vec::new());
        site.step(transactions)?;
        Ok(Self { before, blocks: site.kept.take().unwrap_or_default() })
    }

    /// Executes the blocks; that counts as so many.
    fn executed(self: Rc<Self>, units: u64) -> Batch {
        Box::new(move || {
            let mut state = self.before.clone();
            for block in &self.blocks {
                state.execute(block).map_err(|bad| bad.to_string())?;
            }
            Ok(units)
        })
    }

    fn bytes(&self) -> u64 {
        let sizes = self.blocks.iter().flat_map(|block| &block.transactions).map(Signed::size);
        u64::try_from(sizes.sum::<usize>()).unwrap_or(u64::MAX)
    }
}

/// A chain and everybody on it: one validator with all seats of the committee, and nine players.
struct Site {
    state: State,
    validator: Wallet,
    keeper: Keeper,
    players: Vec<(Wallet, Hole)>,
    rng: ChaCha20Rng,
    /// The blocks, if they are kept.
    kept: Option<Vec<Block>>,
}

impl Site {
    fn new(members: u8) -> Self {
        let mut rng = generator();
        let wallets: Vec<Wallet> = (0..PLAYERS).map(|_| Wallet::new(&rng.random())).collect();
        let mut site = Self::with_accounts(members, wallets.iter().map(Wallet::address).collect(), rng);
        let chain = site.state.tip().chain;
        site.players = wallets
            .into_iter()
            .map(|wallet| (wallet, Hole::new(chain, TABLE, Secret::random(&mut site.rng))))
            .collect();
        site
    }

    fn with_accounts(members: u8, accounts: Vec<Address>, mut rng: ChaCha20Rng) -> Self {
        const RICH: Coins = Coins(100_000_000_000);
        let validator = Wallet::new(&rng.random());
        let address = validator.address();
        let mut params = Params::default();
        params.dealer.members = members;
        params.dealer.deck_price = DECK_PRICE;
        params.tables.hand_gap = 1;
        let genesis = Genesis {
            name: "bench".to_owned(),
            time: 1_000,
            params,
            accounts: accounts.into_iter().chain([address]).map(|address| (address, RICH)).collect(),
            validators: vec![FirstValidator { consensus: address, operator: address, stake: RICH }],
        };
        let state = State::new(&genesis);
        Self { state, keeper: Keeper::new(address), validator, players: Vec::new(), rng, kept: None }
    }

    /// Creates a table, generates the keys and seats the players.
    fn prepare(&mut self) -> Result<(), String> {
        let terms = Terms::small("bench");
        let create = self.pay(Body::Tables(TableTx::Create { terms, purse: Coins::ZERO }));
        self.step(vec![create])?;
        for _ in 0..MOST_BLOCKS {
            if self.state.store().get(&CourseKey()).is_some_and(|course| course.current.is_some()) {
                return self.seat();
            }
            let duties = self.duties(&[]);
            self.step(duties)?;
        }
        Err("the keys are not ready".to_owned())
    }

    /// Seats the players; not before there is a committee that has something to lose.
    fn seat(&mut self) -> Result<(), String> {
        let mut sit = |(wallet, hole): &(Wallet, Hole), seat: u8| {
            let sit = hole.sit(&wallet.address(), Some(seat), Coins(2_000), &mut self.rng);
            wallet.pay(self.state.store(), self.state.tip().chain, Body::Tables(sit))
        };
        let seated = self.players.iter().zip(0..).map(|(player, seat)| sit(player, seat)).collect();
        self.step(seated).map(|_| ())
    }

    /// A deck, and the hand with it.
    fn play_hand(&mut self) -> Result<(), String> {
        let fund = self.pay(Body::Tables(TableTx::Fund { table: TABLE, coins: DECK_PRICE }));
        self.step(vec![fund])?;
        for _ in 0..MOST_BLOCKS {
            let store = self.state.store();
            let transactions = match (store.get(&HandOf(TABLE)), tables::turn(store, TABLE)) {
                (None, _) => self.shuffles(),
                (Some(_), None) => self.duties(&[]),
                (Some(_), Some(turn)) => vec![self.action(&turn)?],
            };
            let events = self.step(transactions)?;
            if events.iter().any(|event| matches!(event, Event::Tables(tables::Event::HandAborted { .. }))) {
                return Err("the hand was aborted".to_owned());
            }
            if events.iter().any(|event| matches!(event, Event::Tables(tables::Event::HandCompleted { .. }))) {
                let shown = |event: &&Event| matches!(event, Event::Tables(tables::Event::PotAwarded { .. }));
                return events.iter().find(shown).map(|_| ()).ok_or_else(|| "nobody won".to_owned());
            }
        }
        Err("the hand does not end".to_owned())
    }

    /// Pays whatever it costs to see the showdown, and never more.
    fn action(&self, turn: &tables::Turn) -> Result<Signed, String> {
        let (wallet, _) =
            self.players.iter().find(|(wallet, _)| wallet.address() == turn.player).ok_or("nobody is to act")?;
        let hand = self.state.store().get(&HandOf(TABLE)).ok_or("there is no hand")?;
        let known = table::Known::public(hand.table().open());
        let moves = table::Rules::moves(hand.table().rules(), known, turn.seat);
        let action = if moves.can_check { Action::Check } else { Action::Call };
        let act = TableTx::Act { table: TABLE, hand: turn.hand, height: turn.height, action };
        Ok(wallet.duty(self.state.tip().chain, Body::Tables(act)))
    }

    /// The next shuffles of the deck: as many as are put into one block.
    fn shuffles(&mut self) -> Vec<Signed> {
        let mut shuffles = Vec::new();
        while shuffles.len() < SHUFFLES {
            let more = self.duties(&shuffles);
            if more.is_empty() {
                break;
            }
            shuffles.extend(more);
        }
        shuffles.truncate(SHUFFLES);
        shuffles
    }

    /// Everything that the members have to say now, with these before it, as far as there is room in a block.
    fn duties(&mut self, pending: &[Signed]) -> Vec<Signed> {
        if let Some(session) = self.keeper.wants_seed(&self.state) {
            self.keeper.give_seed(session, self.rng.random());
        }
        let chain = self.state.tip().chain;
        let duties: Vec<DealerTx> = self.keeper.duties(&self.state, pending);
        let mut room = bank::Room::new(&Params::of(self.state.store()).bank);
        let signed = duties.into_iter().map(|duty| self.validator.duty(chain, Body::Dealer(duty)));
        signed.filter(|signed| room.take(signed).is_ok()).collect()
    }

    /// A transaction of the validator's.
    fn pay(&self, body: Body) -> Signed {
        self.validator.pay(self.state.store(), self.state.tip().chain, body)
    }

    /// The next block. Nothing in it may fail, except that messages may come too late: enough others were faster.
    fn step(&mut self, transactions: Vec<Signed>) -> Result<Vec<Event>, String> {
        let time = self.state.tip().time + 1_000;
        let header = self.state.next_header(self.validator.address(), 0, time, &transactions);
        let block = Block { header, transactions };
        let executed = self.state.execute(&block).map_err(|bad| bad.to_string())?;
        if let Some(Receipt::Failed(why)) = executed.receipts.iter().find(|one| matches!(one, Receipt::Failed(_))) {
            return Err(why.clone());
        }
        if let Some(kept) = &mut self.kept {
            kept.push(block);
        }
        Ok(executed.events.list)
    }
}

fn generator() -> ChaCha20Rng {
    ChaCha20Rng::from_seed([7; 32])
}
