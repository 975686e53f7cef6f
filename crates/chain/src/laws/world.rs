//! The world: blocks, one after another.

use std::collections::BTreeMap;

use rand::rngs::ChaCha20Rng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use super::broken::Broken;
use super::lies::{Lie, Prank};
use super::players::{Person, any_move};
use super::tally::Tally;
use super::validators::Validator;
use crate::client::{Decide, Hole, Wallet};
use crate::dealer::{self, DeckOf, EpochOf};
use crate::event::Event;
use crate::execute::Executed;
use crate::export::{Collector, Export};
use crate::genesis::FirstValidator;
use crate::params::Params;
use crate::tables::{Terms, Tx as TableTx};
use crate::tx::{Body, Signed};
use crate::units::{Address, Coins, Hash};
use crate::{Block, Genesis, State, bank, staking, supply, tables};

/// What a world is made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting {
    /// How many validators.
    pub validators: u8,
    /// How many seats a committee has.
    pub members: u8,
    /// How many tables.
    pub tables: u8,
    /// How many players sit at each.
    pub players: u8,
    /// Validators who lie, by number, from 0.
    pub liars: Vec<(u8, Lie)>,
    /// Players who are up to no good, by number at every table, from 0.
    pub pranks: Vec<(u8, Prank)>,
    /// How many of a thousand messages do not reach a proposer in time, and are sent again.
    pub lost: u16,
    /// How many blocks an epoch deals.
    pub epoch_blocks: u64,
    /// How many accounts with coins belong to nobody who plays or deals.
    pub strangers: u8,
    /// Everything follows from it.
    pub seed: u64,
}

impl Setting {
    fn lies(&self, validator: u8) -> bool {
        self.liars.iter().any(|(liar, _)| *liar == validator)
    }
}

impl Default for Setting {
    fn default() -> Self {
        Self {
            validators: 4,
            members: 4,
            tables: 1,
            players: 9,
            liars: Vec::new(),
            pranks: Vec::new(),
            lost: 0,
            epoch_blocks: 500,
            strangers: 0,
            seed: 1,
        }
    }
}

/// A chain and everybody on it.
#[derive(Debug)]
pub struct World {
    setting: Setting,
    genesis: Genesis,
    state: State,
    replica: State,
    validators: Vec<Validator>,
    people: Vec<Person>,
    banker: Wallet,
    strangers: Vec<Wallet>,
    blocks: Vec<Block>,
    /// Whether blocks are kept.
    keeps: bool,
    /// What proves hands, if it is collected, and the hands that ended with the last block.
    collector: Option<Collector>,
    exports: Vec<Export>,
    tally: Tally,
    rng: ChaCha20Rng,
}

/// What every account has at first.
const WEALTH: Coins = Coins(1_000_000_000_000);

/// What every validator has staked at first.
const STAKE: Coins = Coins(10_000_000_000);

impl World {
    /// A world at its beginning.
    pub fn new(setting: Setting) -> Self {
        let mut rng = ChaCha20Rng::seed_from_u64(setting.seed);
        let lie = |number: u8| setting.liars.iter().find(|(liar, _)| *liar == number).map(|(_, lie)| *lie);
        let validators: Vec<Validator> =
            (0..setting.validators).map(|number| Validator::new(&rng.random(), lie(number))).collect();
        let banker = Wallet::new(&rng.random());
        let secrets: Vec<[u8; 32]> =
            (0..u16::from(setting.tables) * u16::from(setting.players)).map(|_| rng.random()).collect();
        let first = |validator: &Validator| FirstValidator {
            consensus: validator.address(),
            operator: validator.address(),
            stake: STAKE,
        };
        let people = secrets.iter().map(|secret| Wallet::new(secret).address());
        let strangers: Vec<Wallet> = (0..setting.strangers).map(|_| Wallet::new(&rng.random())).collect();
        let others = strangers.iter().chain([&banker]).map(Wallet::address);
        let accounts = people.chain(others).map(|address| (address, WEALTH)).collect();
        let mut params = Params::default();
        params.dealer.members = setting.members;
        params.dealer.epoch_blocks = setting.epoch_blocks;
        params.tables.hand_gap = 1;
        let validators_at_first = validators.iter().map(first).collect();
        let genesis =
            Genesis { name: "simulation".into(), time: 1_000, params, accounts, validators: validators_at_first };
        let chain = genesis.chain();
        let players = setting.players.max(1);
        let prank = |number: u8| setting.pranks.iter().find(|(who, _)| *who == number).map(|(_, prank)| *prank);
        let people = (0_u64..).zip(&secrets).map(|(i, secret)| {
            let (table, seat) = (1 + i / u64::from(players), u8::try_from(i % u64::from(players)).unwrap_or(0));
            Person::new(chain, secret, table, seat, prank(seat))
        });
        let people = people.collect();
        let state = State::new(&genesis);
        let replica = state.clone();
        Self {
            setting,
            genesis,
            state,
            replica,
            validators,
            people,
            banker,
            strangers,
            blocks: Vec::new(),
            keeps: false,
            collector: None,
            exports: Vec::new(),
            tally: Tally::default(),
            rng,
        }
    }

    /// Keeps all blocks from now on.
    pub const fn keep_blocks(&mut self) {
        self.keeps = true;
    }

    /// Collects what proves hands. Must be called before the first block.
    pub fn collect(&mut self) {
        self.collector = Some(Collector::default());
    }

    /// The hands that ended with the last block in which some did, with what proves them.
    pub fn exports(&self) -> &[Export] {
        &self.exports
    }

    /// How the chain began.
    pub const fn genesis(&self) -> &Genesis {
        &self.genesis
    }

    /// The chain now.
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// The blocks that were kept.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// What happened so far.
    pub const fn tally(&self) -> &Tally {
        &self.tally
    }

    /// A validator's number.
    pub fn number(&self, validator: &Address) -> Option<u8> {
        (0..).zip(&self.validators).find(|(_, one)| one.address() == *validator).map(|(number, _)| number)
    }

    /// Blocks until so many hands have ended, with players who make any legal move.
    pub fn play(&mut self, hands: u64) -> Result<(), Broken> {
        let mut draw = ChaCha20Rng::from_rng(&mut self.rng);
        let mut decide = any_move(&mut draw);
        self.play_with(hands, &mut decide)
    }

    /// Blocks until so many hands have ended, with players who decide like this.
    pub fn play_with(&mut self, hands: u64, decide: &mut Decide<'_>) -> Result<(), Broken> {
        let ended = |tally: &Tally| tally.completed + tally.aborted;
        let aim = ended(&self.tally) + hands;
        let (mut last, mut since) = (ended(&self.tally), self.tally.blocks);
        while ended(&self.tally) < aim {
            self.step(decide)?;
            if ended(&self.tally) != last {
                (last, since) = (ended(&self.tally), self.tally.blocks);
            } else if self.tally.blocks > since + 3_000 {
                return Err(Broken::Stuck { height: self.state.tip().height });
            }
        }
        Ok(())
    }

    /// The next block.
    pub fn step(&mut self, decide: &mut Decide<'_>) -> Result<Executed, Broken> {
        let validators = staking::validators(self.state.store());
        let height = self.state.tip().height + 1;
        let proposer = staking::proposer(&validators, height, 0).unwrap_or(Address([0; 32]));
        let transactions = self.gather(proposer, decide);
        self.make(proposer, transactions)
    }

    /// A block by this proposer with these transactions.
    pub fn make(&mut self, proposer: Address, transactions: Vec<Signed>) -> Result<Executed, Broken> {
        let time = self.state.tip().time + self.rng.random_range(800..1_500);
        let validators = staking::validators(self.state.store());
        let round = staking::round_of(&validators, self.state.tip().height + 1, &proposer).unwrap_or(0);
        let header = self.state.next_header(proposer, round, time, &transactions);
        self.execute(Block { header, transactions })
    }

    fn execute(&mut self, block: Block) -> Result<Executed, Broken> {
        let before = supply(self.state.store());
        let honest = self.honest_seats();
        let executed = self.state.execute(&block).map_err(Broken::Block)?;
        let other = self.replica.execute(&block).map_err(Broken::Block)?;
        if other.root != executed.root || other.events != executed.events {
            return Err(Broken::Replicas { height: block.header.height });
        }
        let after = supply(self.state.store());
        if before != after {
            return Err(Broken::Supply { before, after });
        }
        self.tally.count(&executed);
        self.tally.bytes += block.transactions.iter().map(|tx| u64::try_from(tx.size()).unwrap_or(0)).sum::<u64>();
        for (address, (offences, _)) in &self.tally.slashed {
            let number = self.number(address).unwrap_or(u8::MAX);
            let lies = self.setting.liars.iter().any(|(liar, lie)| *liar == number && lie.can_be_punished());
            if !lies {
                return Err(Broken::Innocent { validator: number, why: format!("{offences:?}") });
            }
        }
        for event in &executed.events.list {
            if let Event::Tables(tables::Event::HandAborted { table, hand, .. }) = event
                && let Some((honest, needed)) = honest.get(&(*table, *hand))
                && honest >= needed
            {
                return Err(Broken::Aborted { hand: *hand, honest: *honest });
            }
        }
        if let Some(collector) = &mut self.collector {
            let ended = collector.observe(&block, &executed, &self.state);
            if !ended.is_empty() {
                self.exports = ended;
            }
        }
        if self.keeps {
            self.blocks.push(block);
        }
        Ok(executed)
    }

    /// The players: their keys, and the keys that their cards are sealed to.
    pub fn people(&self) -> impl Iterator<Item = (&Wallet, &Hole)> {
        self.people.iter().map(|person| (&person.player.wallet, &person.player.hole))
    }

    /// The keys of strangers and of validators, who are their own operators.
    pub fn wallets(&self) -> Vec<&Wallet> {
        self.strangers.iter().chain(self.validators.iter().map(|one| &one.wallet)).collect()
    }

    /// The validators, in the order of their numbers.
    pub fn validators(&self) -> Vec<Address> {
        self.validators.iter().map(Validator::address).collect()
    }

    /// What a validator has to say now, with these transactions before it.
    pub fn says(&mut self, validator: u8, pending: &[Signed]) -> Vec<Signed> {
        let said = |one: &mut Validator| one.says(&self.state, pending, &mut self.rng);
        self.validators.get_mut(usize::from(validator)).map(said).unwrap_or_default()
    }

    /// What players do now, if they make any legal move.
    pub fn people_do(&mut self) -> Vec<Signed> {
        let mut draw = ChaCha20Rng::from_rng(&mut self.rng);
        let mut decide = any_move(&mut draw);
        let mut done = self.create_tables();
        for person in &mut self.people {
            done.extend(person.does(&self.state, &mut self.rng, &mut decide));
        }
        done
    }

    /// Makes a validator lie from now on, or be honest.
    pub fn turn(&mut self, validator: u8, lie: Option<Lie>) {
        if let Some(one) = self.validators.get_mut(usize::from(validator)) {
            one.lie = lie;
        }
        self.setting.liars.retain(|(liar, old)| *liar != validator || old.can_be_punished());
        self.setting.liars.extend(lie.map(|lie| (validator, lie)));
    }

    /// A validator's program is started again.
    pub fn restart(&mut self, validator: u8) {
        self.validators.get_mut(usize::from(validator)).into_iter().for_each(Validator::restart);
    }

    /// How many key generations and epochs a validator has secrets of.
    pub fn secrets(&self, validator: u8) -> usize {
        self.validators.get(usize::from(validator)).map_or(0, |one| one.keeper.sessions().count())
    }

    /// For every hand being played: how many honest seats deal it, and how many are needed.
    fn honest_seats(&self) -> BTreeMap<(u64, u32), (usize, usize)> {
        let store = self.state.store();
        let lies = |address: &Address| self.number(address).is_none_or(|number| self.setting.lies(number));
        let count = |(DeckOf(table, hand), deck): (DeckOf, &dealer::Deck)| {
            let epoch = store.get(&EpochOf(deck.epoch))?;
            let honest = epoch.members.iter().filter(|member| !lies(&member.validator)).count();
            Some(((table, hand), (honest, epoch.threshold.into())))
        };
        store.all::<DeckOf>().filter(|(_, deck)| deck.in_hand).filter_map(count).collect()
    }

    /// The transactions of the next block, in the order in which they reached its proposer.
    fn gather(&mut self, proposer: Address, decide: &mut Decide<'_>) -> Vec<Signed> {
        let mut pool: Vec<Signed> = self.create_tables();
        for person in &mut self.people {
            let done = person.does(&self.state, &mut self.rng, decide);
            pool.extend(done);
        }
        let censor = self.validators.iter().position(|one| one.address() == proposer && one.lie == Some(Lie::Censor));
        // A proposer who censors leaves out the one after it.
        let victim = censor.and_then(|at| self.validators.get((at + 1) % self.validators.len()));
        let victim = victim.map(Validator::address);
        let mut order: Vec<usize> = (0..self.validators.len()).collect();
        order.shuffle(&mut self.rng);
        let mut room = bank::Room::new(&Params::of(self.state.store()).bank);
        pool.retain(|signed| room.take(signed).is_ok());
        for at in order {
            let Some(validator) = self.validators.get_mut(at) else { continue };
            let said = validator.says(&self.state, &pool, &mut self.rng);
            for signed in said {
                let lost = self.rng.random_range(0..1_000) < self.setting.lost || Some(validator.address()) == victim;
                if !lost && room.take(&signed).is_ok() {
                    pool.push(signed);
                }
            }
        }
        pool
    }

    /// The tables are created in the first block.
    fn create_tables(&self) -> Vec<Signed> {
        if self.state.tip().height > 0 {
            return Vec::new();
        }
        let (store, chain) = (self.state.store(), self.state.tip().chain);
        let create = |number: u8| {
            let terms = Terms::small(format!("table {}", number + 1));
            let body = Body::Tables(TableTx::Create { terms, purse: Coins(1_000_000) });
            self.banker.pay_at(store, chain, number.into(), body)
        };
        (0..self.setting.tables).map(create).collect()
    }

    /// Whoever created the tables closes one.
    pub fn close_table(&self, table: u64) -> Signed {
        let body = Body::Tables(TableTx::Close { table });
        self.banker.pay(self.state.store(), self.state.tip().chain, body)
    }

    /// The hash of the last block.
    pub fn tip(&self) -> Hash {
        self.state.tip().hash
    }

    /// What somebody has in their account.
    pub fn balance(&self, of: &Address) -> Coins {
        bank::balance(self.state.store(), of)
    }
}
