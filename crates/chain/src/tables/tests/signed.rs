//! Through whole blocks, with signed transactions.

use ed25519_dalek::SigningKey;

use super::*;
use crate::block::{Block, Header, transactions_hash};
use crate::execute::Receipt;
use crate::tx::{Body, Signed, Tx as AnyTx};

fn key(player: u8) -> SigningKey {
    SigningKey::from_bytes(&[player + 1; 32])
}

fn address(player: u8) -> Address {
    Address(key(player).verifying_key().to_bytes())
}

fn sign(state: &State, player: u8, nonce: u64, fee: u64, tx: Tx) -> Signed {
    let chain = state.tip().chain;
    AnyTx { chain, from: address(player), nonce, fee: Coins(fee), body: Body::Tables(tx) }.sign(&key(player))
}

fn block(state: &mut State, transactions: Vec<Signed>) -> (Vec<Receipt>, Vec<crate::Event>) {
    let tip = state.tip().clone();
    let validators = staking::validators(state.store());
    let header = Header {
        chain: tip.chain,
        height: tip.height + 1,
        parent: tip.hash,
        time: tip.time + 1_000,
        proposer: staking::proposer(&validators, tip.height + 1, 0).unwrap(),
        round: 0,
        root: state.store().root(),
        next_validators: staking::validators_hash(state.store()),
        transactions: transactions_hash(&transactions),
    };
    let executed = state.execute(&Block { header, transactions }).unwrap();
    (executed.receipts, executed.events.list)
}

fn sit(state: &State, player: u8, seat: u8) -> Tx {
    let rng = &mut ChaCha20Rng::seed_from_u64(3);
    let context = key_context(&state.tip().chain, 1, &address(player));
    let proof = dealing::encode(&Knowledge::prove(&context, &secret(player), rng)).try_into().unwrap();
    Tx::Sit { table: 1, seat: Some(seat), buy_in: Coins(500), key: *secret(player).public().bytes(), proof }
}

/// A chain with a table and two players.
fn chain() -> State {
    let mut genesis = genesis();
    genesis.accounts.extend([0, 1].map(|player| (address(player), RICH)));
    let mut state = changed(&State::new(&genesis), |cx| open_epoch(cx.store, Coins(10_000)));
    let create = sign(&state, 0, 0, 10_000, Tx::Create { terms: terms(), purse: Coins::ZERO });
    assert_eq!(block(&mut state, vec![create]).0, [Receipt::Done]);
    let sits = vec![sign(&state, 0, 1, 10_000, sit(&state, 0, 0)), sign(&state, 1, 0, 10_000, sit(&state, 1, 1))];
    assert_eq!(block(&mut state, sits).0, [Receipt::Done, Receipt::Done]);
    state
}

/// The chain as it is stored, with something put into it that the dealer would.
fn changed(state: &State, change: impl FnOnce(&mut Cx<'_>)) -> State {
    let mut store = state.store().clone();
    let tip = state.tip();
    let now = Now {
        chain: tip.chain,
        height: tip.height,
        parent_clock: tip.clock,
        clock: tip.clock,
        parent: tip.hash,
        proposer: validator(0),
        round: 0,
    };
    let (mut events, verified) = (Vec::new(), Verified::default());
    change(&mut Cx { store: &mut store, events: &mut events, now: &now, verified: &verified });
    store.commit();
    State::from_store(store)
}

/// Nobody else makes this one.
const DECK: u32 = 700;

fn dealt_hand() -> State {
    let mut state = chain();
    for _ in 0..6 {
        block(&mut state, Vec::new());
    }
    let begun = changed(&state, |cx| {
        let mut ahead = cx.store.get_or_default(&AheadOf(1));
        ahead.ready.insert(0, DECK);
        cx.store.put(&AheadOf(1), ahead);
        end_block(cx);
    });
    changed(&begun, |cx| dealt(cx, 1, &Faces::new()))
}

#[test]
fn an_action_is_free_and_counts_only_while_it_is_awaited() {
    let mut state = dealt_hand();
    let before = bank::balance(state.store(), &address(0));
    let act = |action| Tx::Act { table: 1, hand: DECK, height: 1, action };
    assert!(act(Action::Fold).is_duty() && !Tx::Tick { table: 1 }.is_duty() && !Tx::Leave { table: 1 }.is_duty());
    let paid = sign(&state, 0, 0, 1, act(Action::Call));
    let foreign = sign(&state, 1, 0, 0, act(Action::Call));
    let good = sign(&state, 0, 0, 0, act(Action::Call));
    assert_eq!(state.check_tx(&good, validator(0)), Ok(()));
    let again = sign(&state, 0, 0, 0, act(Action::Fold));
    let (receipts, _) = block(&mut state, vec![paid, foreign, good, again]);
    assert!(matches!(receipts[0], Receipt::Void(_)), "a duty costs nothing");
    assert_eq!(receipts[1], Receipt::Void("it is another seat's turn".into()));
    assert_eq!(receipts[2], Receipt::Done);
    assert_eq!(receipts[3], Receipt::Void("this answers height 1, but the table is at height 2".into()));
    assert_eq!(bank::balance(state.store(), &address(0)), before);
    assert_eq!(turn(state.store(), 1).map(|turn| turn.seat), Some(seat(1)));
}

#[test]
fn what_fails_costs_its_fee_and_nothing_else() {
    let mut state = chain();
    let before = bank::balance(state.store(), &address(1));
    let tick = sign(&state, 1, 1, 10_000, Tx::Tick { table: 1 });
    let (receipts, _) = block(&mut state, vec![tick]);
    assert_eq!(receipts, [Receipt::Failed("nobody's time is up at this table".into())]);
    assert_eq!(bank::balance(state.store(), &address(1)), Coins(before.0 - 10_000));
}

#[test]
fn time_runs_out_in_blocks_without_any_transaction() {
    let mut state = dealt_hand();
    let mut told = Vec::new();
    for _ in 0..30 {
        told.extend(block(&mut state, Vec::new()).1);
    }
    let timed_out = |event: &crate::Event| matches!(event, crate::Event::Tables(Event::TimeoutApplied { .. }));
    assert_eq!(told.iter().filter(|event| timed_out(event)).count(), 1);
    assert_eq!(stack(state.store(), 1, seat(1)), Coins(505));
}

#[test]
fn the_entries_of_a_table_are_part_of_the_root() {
    let mut state = dealt_hand();
    let root = state.store().root();
    let act = sign(&state, 0, 0, 0, Tx::Act { table: 1, hand: DECK, height: 1, action: Action::Call });
    let mut other = state.clone();
    block(&mut state, vec![act]);
    block(&mut other, Vec::new());
    assert_ne!(state.store().root(), root);
    assert_ne!(state.store().root(), other.store().root());
}
