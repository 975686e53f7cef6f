//! A small chain with known keys and nobody who deals, for tests of everything else.

use ed25519_dalek::{Signer, SigningKey};

use crate::execute::{Executed, Receipt};
use crate::staking::possession;
use crate::{
    Address, Block, Body, Coins, FirstValidator, Genesis, Params, Signed, State, Tx, bank, staking, supply, tables,
};

/// The key with this number.
pub fn key(number: u16) -> SigningKey {
    let [high, low] = number.to_be_bytes();
    let mut seed = [0x5a; 32];
    seed[..2].copy_from_slice(&[high, low]);
    SigningKey::from_bytes(&seed)
}

/// The address of a key.
pub fn address(key: &SigningKey) -> Address {
    Address(key.verifying_key().to_bytes())
}

/// What every account has at first.
pub const WEALTH: Coins = Coins(10_000_000);

/// What every validator has staked at first.
pub const STAKE: Coins = Coins(1_000_000);

/// The first number of the keys of players.
const PLAYERS: u16 = 1_000;

/// The first number of the keys of operators.
const OPERATORS: u16 = 2_000;

/// A chain whose keys are all known.
#[derive(Clone, Debug)]
pub struct Kit {
    /// How it began.
    pub genesis: Genesis,
    /// Its state.
    pub state: State,
    /// Its blocks.
    pub blocks: Vec<Block>,
    /// How much later each block is than the one before, in milliseconds.
    pub pace: u64,
}

impl Kit {
    /// A chain with this many validators and players, with parameters that suit tests.
    pub fn new(validators: u16, players: u16) -> Self {
        let mut params = Params::default();
        params.staking.evidence_blocks = 20;
        params.staking.unbonding = 60_000;
        params.governance.period = 60_000;
        params.governance.deposit = Coins(1_000);
        params.governance.upgrade_notice = 5;
        Self::with(validators, players, params)
    }

    /// A chain with these parameters.
    pub fn with(validators: u16, players: u16, params: Params) -> Self {
        let operators = (0..validators).map(|number| address(&key(OPERATORS + number)));
        let players = (0..players).map(|number| address(&key(PLAYERS + number)));
        let first = |number: u16| FirstValidator {
            consensus: address(&key(number)),
            operator: address(&key(OPERATORS + number)),
            stake: STAKE,
        };
        let mut genesis = Genesis {
            name: "test".into(),
            time: 1_000,
            params,
            accounts: operators.chain(players).map(|address| (address, WEALTH)).collect(),
            validators: (0..validators).map(first).collect(),
        };
        genesis.check().expect("a chain can begin like this");
        // With one seat there can be no committee, so nobody deals and nobody waits for keys.
        genesis.params.dealer.members = 1;
        Self { state: State::new(&genesis), genesis, blocks: Vec::new(), pace: 1_000 }
    }

    /// The consensus key of a validator.
    pub fn consensus(&self, number: u16) -> Address {
        address(&key(number))
    }

    /// The key of a validator's operator.
    pub fn operator(&self, number: u16) -> SigningKey {
        key(OPERATORS + number)
    }

    /// The key of a player.
    pub fn player(&self, number: u16) -> SigningKey {
        key(PLAYERS + number)
    }

    /// The address of a player.
    pub fn player_address(&self, number: u16) -> Address {
        address(&self.player(number))
    }

    /// What somebody has.
    pub fn balance(&self, of: &SigningKey) -> Coins {
        bank::balance(self.state.store(), &address(of))
    }

    /// A transaction with the next nonce and the least fee.
    pub fn tx(&self, by: &SigningKey, body: impl Into<Body>) -> Signed {
        self.later_tx(by, 0, body)
    }

    /// A transaction with the least fee, for somebody who makes this many others before it in the same block.
    pub fn later_tx(&self, by: &SigningKey, others: u64, body: impl Into<Body>) -> Signed {
        let from = address(by);
        let account = self.state.store().get_or_default(&bank::AccountOf(from));
        let chain = self.state.tip().chain;
        let nonce = account.nonce + others;
        let mut tx = Tx { chain, from, nonce, fee: Coins::ZERO, body: body.into() };
        if tx.is_duty() {
            tx.nonce = 0;
            return tx.sign(by);
        }
        let gas = bank::gas(&tx.clone().sign(by));
        tx.fee = Coins(Params::of(self.state.store()).bank.gas_price.0 * gas);
        tx.sign(by)
    }

    /// A duty that nobody waits for.
    pub fn duty(&self, by: &SigningKey) -> Signed {
        self.tx(by, tables::Tx::Act { table: 1, hand: 1, height: 0, action: tables::Action::Fold })
    }

    /// The next block, by the validator whose turn it is.
    pub fn block(&self, transactions: Vec<Signed>) -> Block {
        let validators = staking::validators(self.state.store());
        let proposer = staking::proposer(&validators, self.state.tip().height + 1, 0);
        self.block_by(proposer.expect("a chain always has a validator"), transactions)
    }

    /// The next block, by this validator in its first turn. Those whose turn was before have missed it.
    pub fn block_by(&self, proposer: Address, transactions: Vec<Signed>) -> Block {
        let time = self.state.tip().time + self.pace;
        let validators = staking::validators(self.state.store());
        let round = staking::round_of(&validators, self.state.tip().height + 1, &proposer).unwrap_or(0);
        let header = self.state.next_header(proposer, round, time, &transactions);
        Block { header, transactions }
    }

    /// Executes the next block, and checks that no coin has come or gone.
    pub fn next_block(&mut self, transactions: Vec<Signed>) -> Executed {
        let block = self.block(transactions);
        let executed = self.state.execute(&block).expect("the block is the next one");
        self.blocks.push(block);
        assert_eq!(supply(self.state.store()), self.genesis.supply(), "coins have come or gone");
        executed
    }

    /// Executes one transaction in a block of its own.
    pub fn run(&mut self, by: &SigningKey, body: impl Into<Body>) -> Receipt {
        let tx = self.tx(by, body);
        self.next_block(vec![tx]).receipts.remove(0)
    }

    /// Executes one transaction that must be carried out.
    pub fn done(&mut self, by: &SigningKey, body: impl Into<Body>) {
        assert_eq!(self.run(by, body), Receipt::Done);
    }

    /// Executes empty blocks until this much of the game clock has passed.
    pub fn wait(&mut self, milliseconds: u64) {
        let end = self.state.tip().clock + milliseconds;
        while self.state.tip().clock < end {
            self.next_block(Vec::new());
        }
    }

    /// A transaction that registers a consensus key.
    pub fn registration(&self, operator: &SigningKey, consensus: &SigningKey, stake: Coins) -> staking::Tx {
        let message = possession(&self.state.tip().chain, &address(operator), &address(consensus));
        let proof = consensus.sign(&message).to_bytes();
        staking::Tx::Register { consensus: address(consensus), stake, proof }
    }
}
