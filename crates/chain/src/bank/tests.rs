use ed25519_dalek::{Signature, Verifier, VerifyingKey};

use super::*;
use crate::execute::Refused as TxRefused;
use crate::params::Params as AllParams;
use crate::testing::{Kit, WEALTH, address, key};
use crate::tx::Signed;
use crate::units::Coins;
use crate::{BadBlock, Event as AnyEvent, Receipt};

fn transfer(to: Address, coins: u64) -> Tx {
    Tx::Transfer { to, coins: Coins(coins) }
}

fn refusal(kit: &mut Kit, signed: &Signed) -> TxRefused {
    let proposer = kit.consensus(0);
    kit.state.check_tx(signed, proposer).unwrap_err()
}

#[test]
fn a_transfer_moves_coins_and_pays_proposer_and_treasury() {
    let mut kit = Kit::new(1, 2);
    let (alice, bob) = (kit.player(0), kit.player_address(1));
    let signed = kit.tx(&alice, transfer(bob, 500));
    let (fee, operator) = (signed.tx.fee, kit.operator(0));
    let executed = kit.next_block(vec![signed]);
    assert_eq!(executed.receipts, [Receipt::Done]);
    let from = address(&alice);
    let transferred = Event::Transferred { from, to: bob, coins: Coins(500) };
    assert_eq!(executed.events.list, [AnyEvent::Bank(transferred)]);
    assert_eq!(kit.balance(&alice), Coins(WEALTH.0 - 500 - fee.0));
    assert_eq!(balance(kit.state.store(), &bob), Coins(WEALTH.0 + 500));
    assert_eq!(kit.balance(&operator), WEALTH + fee.bps(5_000));
    assert_eq!(balance(kit.state.store(), &TREASURY), Coins(fee.0 - fee.bps(5_000).0));
}

#[test]
fn a_transfer_that_fails_costs_fee_and_nonce_and_nothing_else() {
    let mut kit = Kit::new(1, 2);
    let (alice, bob) = (kit.player(0), kit.player_address(1));
    for coins in [0, WEALTH.0] {
        let (before, signed) = (kit.balance(&alice), kit.tx(&alice, transfer(bob, coins)));
        let fee = signed.tx.fee;
        let executed = kit.next_block(vec![signed]);
        assert!(matches!(executed.receipts[..], [Receipt::Failed(_)]), "{:?}", executed.receipts);
        assert_eq!(executed.events.list, []);
        assert_eq!(kit.balance(&alice), Coins(before.0 - fee.0));
    }
    assert_eq!(balance(kit.state.store(), &bob), WEALTH);
    assert_eq!(kit.state.store().get(&AccountOf(address(&alice))).unwrap().nonce, 2);
}

#[test]
fn a_transaction_counts_once_and_in_order() {
    let mut kit = Kit::new(1, 2);
    let (alice, bob) = (kit.player(0), kit.player_address(1));
    let first = kit.tx(&alice, transfer(bob, 1));
    let second = kit.later_tx(&alice, 1, transfer(bob, 2));
    assert_eq!(refusal(&mut kit, &second), TxRefused::Nonce { expected: 0 });
    let executed = kit.next_block(vec![second.clone(), first.clone(), first.clone(), second.clone()]);
    assert!(matches!(executed.receipts[..], [Receipt::Void(_), Receipt::Done, Receipt::Void(_), Receipt::Done]));
    assert_eq!(refusal(&mut kit, &first), TxRefused::Nonce { expected: 2 });
    assert_eq!(balance(kit.state.store(), &bob), Coins(WEALTH.0 + 3));
}

#[test]
fn a_fee_that_is_too_low_is_refused() {
    let mut kit = Kit::new(1, 2);
    let alice = kit.player(0);
    let mut tx = kit.tx(&alice, transfer(kit.player_address(1), 1)).tx;
    let least = tx.fee;
    tx.fee = Coins(least.0 - 1);
    assert_eq!(refusal(&mut kit, &tx.clone().sign(&alice)), TxRefused::Fee { least });
    tx.fee = WEALTH + Coins(1);
    let needed = tx.fee;
    let poor = Refused::NotEnough { balance: WEALTH, needed };
    assert_eq!(refusal(&mut kit, &tx.sign(&alice)), TxRefused::Bank(poor));
}

#[test]
fn forged_signatures_and_other_chains_are_refused() {
    let mut kit = Kit::new(1, 2);
    let (alice, bob) = (kit.player(0), kit.player(1));
    let good = kit.tx(&alice, transfer(address(&bob), 1));
    let mut forged = good.clone();
    forged.signature[7] ^= 1;
    let by_bob = good.tx.clone().sign(&bob);
    let mut changed = good.clone();
    changed.tx.body = transfer(address(&bob), 1_000).into();
    for signed in [&forged, &by_bob, &changed] {
        assert_eq!(refusal(&mut kit, signed), TxRefused::Signature);
    }
    let mut elsewhere = good.tx.clone();
    elsewhere.chain = [9; 32];
    assert_eq!(refusal(&mut kit, &elsewhere.sign(&alice)), TxRefused::Chain);
    let executed = kit.next_block(vec![forged, by_bob, changed, good]);
    assert!(matches!(executed.receipts[..], [Receipt::Void(_), Receipt::Void(_), Receipt::Void(_), Receipt::Done]));
}

#[test]
fn nobody_can_sign_for_the_treasury() {
    let mut kit = Kit::new(1, 1);
    let mut tx = kit.tx(&key(1), transfer(kit.player_address(0), 0)).tx;
    tx.from = TREASURY;
    // The address is a point of order four, so a check that is not strict takes a made-up signature (the neutral
    // element and 0) for every fourth message.
    let lax = VerifyingKey::from_bytes(&TREASURY.0).unwrap();
    let mut signature = [0; 64];
    signature[0] = 1;
    let mut fooled = 0;
    for nonce in 0..64 {
        tx.nonce = nonce;
        fooled += u32::from(lax.verify(&tx.hash(), &Signature::from_bytes(&signature)).is_ok());
        assert_eq!(refusal(&mut kit, &Signed { tx: tx.clone(), signature }), TxRefused::Signature);
    }
    assert!(fooled > 0);
}

#[test]
fn work_is_priced() {
    let kit = Kit::new(2, 1);
    let alice = kit.player(0);
    let transfer = kit.tx(&alice, transfer(kit.player_address(0), 1));
    let bytes = u64::try_from(transfer.size()).unwrap() / 10;
    assert_eq!(gas(&transfer), 50 + bytes + transfer.tx.body.work());
    assert_eq!(transfer.tx.fee, Coins(gas(&transfer)));
    // A second signature has to be checked.
    let registration = kit.tx(&alice, kit.registration(&alice, &key(77), Coins(5_000)));
    assert!(gas(&registration) > gas(&transfer) + 50);
}

#[test]
fn blocks_have_limits_and_room_for_duties() {
    let mut params = AllParams::default();
    params.bank.block_bytes = 1_000_000;
    params.bank.block_gas = 200_000;
    params.bank.duty_reserve_bps = 2_500;
    let mut kit = Kit::with(1, 1, params);
    let alice = kit.player(0);
    let signed = kit.tx(&alice, transfer(kit.player_address(0), 1));
    let each = gas(&signed);
    let most = usize::try_from(150_000 / each).unwrap();
    let too_many = kit.block(vec![signed.clone(); most + 1]);
    let reserve = BadBlock::Reserve { bytes: 750_000, gas: 150_000 };
    assert_eq!(kit.state.execute(&too_many).unwrap_err(), reserve);
    let full = kit.block(vec![signed; most]);
    assert!(kit.state.execute(&full).is_ok());
    // Duties have the reserved room, but not more.
    let duty = kit.duty(&alice);
    let each = gas(&duty);
    let most = usize::try_from(200_000 / each).unwrap();
    let full = kit.block(vec![duty.clone(); most]);
    let too_many = kit.block(vec![duty.clone(); most + 1]);
    assert_eq!(kit.state.execute(&too_many).unwrap_err(), BadBlock::Gas { most: 200_000 });
    assert!(kit.state.execute(&full).is_ok());
}

#[test]
fn a_duty_is_free_and_has_no_nonce() {
    let mut kit = Kit::new(1, 1);
    let alice = kit.player(0);
    let duty = kit.duty(&alice);
    let mut paid = duty.tx.clone();
    paid.fee = Coins(1);
    assert_eq!(refusal(&mut kit, &paid.sign(&alice)), TxRefused::NotFree);
    let mut numbered = duty.tx.clone();
    numbered.nonce = 1;
    assert_eq!(refusal(&mut kit, &numbered.sign(&alice)), TxRefused::NotFree);
    kit.next_block(vec![duty]);
    assert_eq!(kit.balance(&alice), WEALTH);
}

#[test]
fn parameters_of_the_bank_have_ranges() {
    assert!(Params::default().check().is_ok());
    for wrong in [
        Params { proposer_bps: 10_001, ..Params::default() },
        Params { block_bytes: 1_000, ..Params::default() },
        Params { block_gas: 0, ..Params::default() },
        Params { duty_reserve_bps: 10_000, ..Params::default() },
        Params { gas_price: Coins::MOST, ..Params::default() },
    ] {
        assert!(wrong.check().is_err(), "{wrong:?}");
    }
}
