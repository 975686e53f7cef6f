//! What holds for every chain, whatever is done on it.

use proptest::collection::vec;
use proptest::prelude::*;

use crate::bank::AccountOf;
use crate::governance::{Action, Change, Choice};
use crate::staking::{Evidence, Kind, Vote};
use crate::testing::{Kit, address, key};
use crate::{BadBlock, Body, Coins, Receipt, Signed, State, bank, governance, staking, supply, tables};

const VALIDATORS: u16 = 4;
const PLAYERS: u16 = 4;

/// Something that somebody may try.
#[derive(Clone, Debug)]
struct Attempt {
    by: u16,
    what: What,
    /// Often what is possible, sometimes far too much.
    coins: u64,
}

#[derive(Clone, Debug)]
enum What {
    Transfer(u16),
    Register(u16),
    Bond(u16),
    Unbond(u16),
    Unjail(u16),
    DoubleSign(u16, bool),
    Spend(u16),
    Rake,
    Upgrade,
    Vote(u64, u16, Choice),
    Duty,
    Forged,
}

fn attempts() -> impl Strategy<Value = Attempt> {
    let who = 0..VALIDATORS + PLAYERS;
    let choice = prop_oneof![
        4 => Just(Choice::Yes), 2 => Just(Choice::No), 1 => Just(Choice::Veto), 1 => Just(Choice::Abstain)
    ];
    let what = prop_oneof![
        4 => who.clone().prop_map(What::Transfer),
        2 => who.clone().prop_map(What::Register),
        3 => who.clone().prop_map(What::Bond),
        4 => who.clone().prop_map(What::Unbond),
        1 => who.clone().prop_map(What::Unjail),
        1 => (who.clone(), any::<bool>()).prop_map(|(who, really)| What::DoubleSign(who, really)),
        1 => who.clone().prop_map(What::Spend),
        1 => Just(What::Rake),
        1 => Just(What::Upgrade),
        4 => (0..4_u64, who.clone(), choice).prop_map(|(proposal, who, choice)| What::Vote(proposal, who, choice)),
        1 => Just(What::Duty),
        1 => Just(What::Forged),
    ];
    let coins = prop_oneof![6 => 0..2_000_000_u64, 1 => any::<u64>()];
    (who, what, coins).prop_map(|(by, what, coins)| Attempt { by, what, coins })
}

/// The key of somebody: the first are operators.
fn somebody(kit: &Kit, number: u16) -> ed25519_dalek::SigningKey {
    if number < VALIDATORS { kit.operator(number) } else { kit.player(number - VALIDATORS) }
}

fn signed(kit: &Kit, attempt: &Attempt) -> Signed {
    let by = somebody(kit, attempt.by);
    let coins = Coins(attempt.coins);
    // The operator of a validator is the only one who can do much, so it is usually the one who tries.
    let operator = |who: u16| if who < VALIDATORS { kit.operator(who) } else { by.clone() };
    let (by, body): (_, Body) = match attempt.what {
        What::Transfer(to) => {
            let to = address(&somebody(kit, to));
            (by, bank::Tx::Transfer { to, coins }.into())
        }
        What::Register(who) => {
            let tx = kit.registration(&by, &key(who), coins);
            (by, tx.into())
        }
        What::Bond(who) => (operator(who), staking::Tx::Bond { consensus: kit.consensus(who), coins }.into()),
        What::Unbond(who) => (operator(who), staking::Tx::Unbond { consensus: kit.consensus(who), coins }.into()),
        What::Unjail(who) => (operator(who), staking::Tx::Unjail { consensus: kit.consensus(who) }.into()),
        What::DoubleSign(who, really) => {
            let (chain, height, kind) = (kit.state.tip().chain, kit.state.tip().height, Kind::Prevote);
            let vote = |block| Vote { chain, height, round: 0, kind, block };
            let sign = |vote: Vote| (vote, vote.sign(&key(who)));
            let (one, other) = (sign(vote(None)), sign(vote(really.then_some([5; 32]))));
            let evidence = Evidence { consensus: kit.consensus(who), one, other };
            (by, staking::Tx::DoubleSign { evidence: evidence.into() }.into())
        }
        What::Spend(to) => {
            let action = Action::Spend { to: address(&somebody(kit, to)), coins: Coins(attempt.coins % 2_000) };
            (by, governance::Tx::Propose { action }.into())
        }
        What::Rake => {
            let most_rake_bps = u16::try_from(attempt.coins % 2_000).unwrap();
            let change = Change::Tables(tables::Params { most_rake_bps, ..tables::Params::default() });
            (by, governance::Tx::Propose { action: Action::Change(change) }.into())
        }
        What::Upgrade => {
            // Far enough away that it never comes.
            let action = Action::Upgrade { version: 2, height: 1_000_000 };
            (by, governance::Tx::Propose { action }.into())
        }
        What::Vote(proposal, who, choice) => {
            (operator(who), governance::Tx::Vote { proposal, consensus: kit.consensus(who), choice }.into())
        }
        What::Duty => return kit.duty(&by),
        What::Forged => {
            let mut signed = kit.tx(&by, bank::Tx::Transfer { to: kit.player_address(0), coins });
            signed.signature[0] ^= 1;
            return signed;
        }
    };
    kit.tx(&by, body)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn coins_are_conserved_and_replicas_are_equal(
        blocks in vec((vec(attempts(), 0..6), 1..5_000_u64), 1..40),
    ) {
        let mut kit = Kit::new(VALIDATORS, PLAYERS);
        let mut replica = kit.state.clone();
        let mut roots = Vec::new();
        for (attempts, pace) in &blocks {
            kit.pace = *pace;
            let transactions = attempts.iter().map(|attempt| signed(&kit, attempt)).collect();
            // Checks the supply, too.
            let executed = kit.next_block(transactions);
            let same = replica.execute(kit.blocks.last().unwrap()).unwrap();
            prop_assert_eq!((same.root, &same.receipts, &same.events), (executed.root, &executed.receipts, &executed.events));
            prop_assert!(!staking::validators(kit.state.store()).is_empty());
            roots.push(executed.root);
        }
        // A fresh replay, which goes through snapshots from time to time.
        let mut fresh = State::new(&kit.genesis);
        for (number, (block, root)) in kit.blocks.iter().zip(&roots).enumerate() {
            prop_assert_eq!(fresh.execute(block).unwrap().root, *root);
            if number % 7 == 3 {
                fresh = State::from_snapshot(&fresh.snapshot(), root).unwrap();
            }
        }
        prop_assert_eq!(supply(fresh.store()), kit.genesis.supply());
    }

    #[test]
    fn a_transaction_that_fails_changes_nothing_but_fee_and_nonce(
        before in vec(attempts(), 0..30), attempt in attempts(),
    ) {
        let mut kit = Kit::new(VALIDATORS, PLAYERS);
        for attempt in &before {
            let transaction = signed(&kit, attempt);
            kit.next_block(vec![transaction]);
        }
        let transaction = signed(&kit, &attempt);
        let (from, fee) = (transaction.tx.from, transaction.tx.fee);
        let mut without = kit.clone();
        let executed = kit.next_block(vec![transaction]);
        let other = without.next_block(Vec::new());
        if executed.receipts == [Receipt::Done] {
            return Ok(());
        }
        prop_assert_eq!(executed.events, other.events);
        let paid = matches!(executed.receipts[..], [Receipt::Failed(_)]);
        let mut entries: std::collections::BTreeMap<_, _> = without.state.store().entries().collect();
        let differing: Vec<Vec<u8>> = kit.state.store().entries()
            .filter(|(key, value)| entries.remove(key).as_ref() != Some(value))
            .map(|(key, _)| key.to_vec())
            .collect();
        prop_assert!(entries.is_empty(), "nothing is gone");
        // Besides the account: the proposer's, the treasury's, and where the chain is.
        prop_assert!(differing.len() <= if paid { 4 } else { 1 }, "{:?}", differing);
        let account = |kit: &Kit| kit.state.store().get_or_default(&AccountOf(from));
        let (after, expected) = (account(&kit), account(&without));
        prop_assert_eq!(after.nonce, expected.nonce + u64::from(paid));
        let operator = staking::payee(kit.state.store(), &kit.blocks.last().unwrap().header.proposer);
        let back = if paid && operator == from { fee.bps(5_000) } else { Coins::ZERO };
        let cost = if paid { fee } else { Coins::ZERO };
        prop_assert_eq!(after.balance, Coins(expected.balance.0 - cost.0) + back);
    }
}

#[test]
fn a_block_that_is_not_the_next_one_is_refused_and_changes_nothing() {
    let mut kit = Kit::new(2, 1);
    kit.next_block(Vec::new());
    let good =
        kit.block(vec![kit.tx(&kit.player(0), bank::Tx::Transfer { to: kit.player_address(0), coins: Coins(1) })]);
    let change = |change: &dyn Fn(&mut crate::Block)| {
        let mut block = good.clone();
        change(&mut block);
        block
    };
    let wrong = [
        (change(&|block| block.header.chain = [1; 32]), BadBlock::Chain),
        (change(&|block| block.header.height += 1), BadBlock::Height { expected: 2 }),
        (change(&|block| block.header.parent = [1; 32]), BadBlock::Parent),
        (change(&|block| block.header.time -= 1_000), BadBlock::Time),
        (change(&|block| block.header.proposer = kit.player_address(0)), BadBlock::Proposer),
        (change(&|block| block.header.root = [1; 32]), BadBlock::Root),
        (change(&|block| block.header.next_validators = [1; 32]), BadBlock::NextValidators),
        (change(&|block| block.header.transactions = [1; 32]), BadBlock::Transactions),
        (change(&|block| block.transactions.clear()), BadBlock::Transactions),
    ];
    let root = kit.state.store().root();
    for (block, why) in wrong {
        assert_eq!(kit.state.execute(&block).unwrap_err(), why);
        assert_eq!(kit.state.store().root(), root);
    }
    assert!(kit.state.execute(&good).is_ok());
}

#[test]
fn signatures_that_were_checked_before_change_nothing_but_the_time() {
    let kit = Kit::new(1, 2);
    let transfer = bank::Tx::Transfer { to: kit.consensus(0), coins: Coins(1) };
    let [good, mut forged] = [0, 1].map(|number| kit.tx(&kit.player(number), transfer.clone()));
    forged.signature = good.signature;
    let block = kit.block(vec![good.clone(), forged]);
    let (mut one, mut other) = (kit.state.clone(), kit.state.clone());
    let all_checked = one.execute(&block).unwrap();
    let known = other.execute_knowing(&block, [good.id()].into()).unwrap();
    assert_eq!((&all_checked.receipts, all_checked.root), (&known.receipts, known.root));
    assert!(matches!(known.receipts.as_slice(), [Receipt::Done, Receipt::Void(_)]), "{:?}", known.receipts);
}

#[test]
fn the_game_clock_makes_small_steps_only() {
    let mut kit = Kit::new(1, 0);
    for (pace, clock) in [(500, 500), (3_600_000, 2_500), (1, 2_501)] {
        kit.pace = pace;
        kit.next_block(Vec::new());
        assert_eq!(kit.state.tip().clock, clock);
    }
}

#[test]
fn trying_a_transaction_changes_nothing() {
    let mut kit = Kit::new(1, 1);
    let transaction = kit.tx(&kit.player(0), bank::Tx::Transfer { to: kit.consensus(0), coins: Coins(1) });
    let (root, bytes) = (kit.state.store().root(), kit.state.snapshot());
    let proposer = kit.consensus(0);
    assert_eq!(kit.state.check_tx(&transaction, proposer), Ok(()));
    assert_eq!((kit.state.store().root(), kit.state.snapshot()), (root, bytes));
    assert!(kit.state.store().prove(&[1]).is_some(), "nothing counts as changed");
}

#[test]
fn an_entry_of_a_state_can_be_shown_to_somebody_with_a_header() {
    use crate::store::Key;
    let mut kit = Kit::new(1, 1);
    kit.next_block(Vec::new());
    let header = kit.block(Vec::new()).header;
    for who in [kit.player_address(0), crate::Address([8; 32])] {
        let key = AccountOf(who).bytes();
        let (value, proof) = kit.state.store().prove(&key).unwrap();
        assert_eq!(value.is_some(), who == kit.player_address(0));
        assert_eq!(proof.verify(&header.root, &key, value.as_deref()), Ok(()));
    }
}
