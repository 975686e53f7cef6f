//! Arbitrary transactions, signed by people and validators of a small chain, in blocks: nothing panics, no coin is made or
//! lost, and two replicas agree.

#![no_main]

use std::sync::LazyLock;

use chain::laws::{Setting, World};
use chain::{Block, Body, Coins, State, Tx, staking, supply};
use libfuzzer_sys::fuzz_target;

/// A chain with a committee, a table and a hand that is being played.
static BEGUN: LazyLock<World> = LazyLock::new(|| {
    let mut world = World::new(Setting { players: 2, strangers: 3, seed: 1, ..Setting::default() });
    world.play(1).expect("an honest chain goes on");
    world
});

fuzz_target!(|data: &[u8]| {
    let mut state: State = BEGUN.state().clone();
    let before = supply(state.store());
    let wallets = BEGUN.wallets();
    let mut rest = data;
    // Each transaction: who, the fee, and a body in its encoding.
    while let Some(([who, fee], bytes)) = rest.split_first_chunk() {
        let mut reader = bytes;
        let Ok(body) = <Body as borsh::BorshDeserialize>::deserialize(&mut reader) else { return };
        rest = reader;
        let Some(wallet) = wallets.get(usize::from(*who) % wallets.len()) else { return };
        let (store, chain) = (state.store(), state.tip().chain);
        let signed = match fee % 4 {
            0 => wallet.duty(chain, body),
            1 => wallet.sign(Tx { chain, from: wallet.address(), nonce: 0, fee: Coins((*fee).into()), body }),
            _ => wallet.pay(store, chain, body),
        };
        let tip = state.tip();
        let proposer = staking::proposer(&staking::validators(store), tip.height + 1, 0).expect("there is a validator");
        let transactions = vec![signed];
        let header = state.next_header(proposer, 0, tip.time + u64::from(*fee) * 100 + 1, &transactions);
        let block = Block { header, transactions };
        let mut replica = state.clone();
        let (one, other) = (state.execute(&block), replica.execute(&block));
        assert_eq!(one.is_ok(), other.is_ok());
        assert_eq!(state.store().root(), replica.store().root(), "two replicas differ");
        assert_eq!(supply(state.store()), before, "coins have come or gone");
    }
});
