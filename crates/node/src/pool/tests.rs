use chain::testing::{Kit, key};
use chain::{Body, Tx, bank, tables};
use ed25519_dalek::SigningKey;

use super::*;

/// A transfer with this nonce that pays so many times the least fee.
fn transfer(kit: &Kit, by: &SigningKey, nonce: u64, times: u64) -> Signed {
    let body = bank::Tx::Transfer { to: kit.player_address(0), coins: Coins(1) };
    let signed = kit.later_tx(by, nonce, body);
    let fee = Coins(signed.tx.fee.0 * times);
    Tx { fee, ..signed.tx }.sign(by)
}

/// An action of somebody at a table.
fn duty(kit: &Kit, by: &SigningKey, hand: u32) -> Signed {
    let act = tables::Tx::Act { table: 1, hand, height: 0, action: tables::Action::Fold };
    let from = Address(by.verifying_key().to_bytes());
    let tx = Tx { chain: kit.state.tip().chain, from, nonce: 0, fee: Coins::ZERO, body: Body::Tables(act) };
    tx.sign(by)
}

fn add(pool: &mut Pool, kit: &Kit, signed: &Signed) -> Result<(), NotLetIn> {
    pool.add(kit.state.store(), Authentic::check(signed.clone())?, true, false)
}

#[test]
fn those_who_pay_most_come_first_and_each_account_in_order() {
    let (kit, mut pool) = (Kit::new(1, 2), Pool::default());
    let (alice, bob) = (kit.player(0), kit.player(1));
    let cheap = transfer(&kit, &alice, 0, 1);
    let dear = transfer(&kit, &alice, 1, 9);
    let middle = transfer(&kit, &bob, 0, 5);
    for signed in [&middle, &cheap, &dear] {
        add(&mut pool, &kit, signed).unwrap();
    }
    assert_eq!(pool.fill(kit.state.store()), [middle, cheap, dear], "the dear one must wait for the cheap one");
}

#[test]
fn duties_come_first_in_the_order_in_which_they_came() {
    let (kit, mut pool) = (Kit::new(1, 2), Pool::default());
    let paid = transfer(&kit, &kit.player(0), 0, 9);
    let free = [3, 1, 2].map(|hand| duty(&kit, &kit.player(1), hand));
    add(&mut pool, &kit, &paid).unwrap();
    for signed in &free {
        add(&mut pool, &kit, signed).unwrap();
    }
    let [a, b, c] = free;
    assert_eq!(pool.fill(kit.state.store()), [a.clone(), b.clone(), c.clone(), paid]);
    assert_eq!(pool.duties(), [a, b, c]);
}

#[test]
fn only_what_waits_here_is_known_to_be_authentic() {
    let (kit, mut pool) = (Kit::new(1, 2), Pool::default());
    let (paid, free) = (transfer(&kit, &kit.player(0), 0, 1), duty(&kit, &kit.player(1), 1));
    add(&mut pool, &kit, &paid).unwrap();
    add(&mut pool, &kit, &free).unwrap();
    let forged = Signed { signature: [1; 64], ..paid.clone() };
    let unknown = transfer(&kit, &kit.player(1), 0, 1);
    let block = [paid.clone(), forged, unknown, free.clone()];
    assert_eq!(pool.authentic(&block), BTreeSet::from([paid.id(), free.id()]));
    // What was in a block need not have been correct, so it is not remembered as such.
    pool.executed(kit.state.store(), 1, &block, &[const { Receipt::Done }; 4]);
    assert!(pool.authentic(&block).is_empty());
}

#[test]
fn what_cannot_count_is_not_let_in() {
    let (kit, mut pool) = (Kit::new(1, 1), Pool::default());
    let alice = kit.player(0);
    let good = transfer(&kit, &alice, 0, 1);
    let with = |change: fn(&mut Tx)| {
        let mut tx = good.tx.clone();
        change(&mut tx);
        tx.sign(&alice)
    };
    let refused = |signed: &Signed| add(&mut Pool::default(), &kit, signed).unwrap_err();
    assert_eq!(refused(&with(|tx| tx.chain = [9; 32])), NotLetIn::Chain);
    assert_eq!(refused(&with(|tx| tx.nonce = 64)), NotLetIn::Nonce { next: 0 });
    assert_eq!(refused(&with(|tx| tx.nonce = 1)), NotLetIn::Nonce { next: 0 }, "without gaps");
    assert_eq!(refused(&with(|tx| tx.fee.0 -= 1)), NotLetIn::Fee { least: good.tx.fee });
    assert_eq!(refused(&with(|tx| tx.fee = Coins(u64::MAX / 2))), NotLetIn::Poor);
    assert_eq!(refused(&Signed { signature: [1; 64], ..good.clone() }), NotLetIn::Signature);
    let free = duty(&kit, &alice, 1);
    assert_eq!(refused(&Tx { nonce: 1, ..free.tx.clone() }.sign(&alice)), NotLetIn::NotFree);
    assert_eq!(refused(&Signed { signature: [1; 64], ..free.clone() }), NotLetIn::Signature);
    let free = Authentic::check(free).unwrap();
    assert_eq!(pool.add(kit.state.store(), free, false, false), Err(NotLetIn::NotAwaited));
    assert_eq!(add(&mut pool, &kit, &good), Ok(()));
    assert_eq!(add(&mut pool, &kit, &good), Err(NotLetIn::Known));
    assert_eq!(pool.len(), (0, 1));
}

#[test]
fn a_transaction_is_replaced_by_one_that_pays_a_tenth_more() {
    let (kit, mut pool) = (Kit::new(1, 1), Pool::default());
    let alice = kit.player(0);
    let fee = |fee: u64| Tx { fee: Coins(fee), ..transfer(&kit, &alice, 0, 1).tx }.sign(&alice);
    let least = transfer(&kit, &alice, 0, 1).tx.fee.0;
    let (first, second) = (fee(10 * least), fee(11 * least + 1));
    add(&mut pool, &kit, &first).unwrap();
    let little = fee(10 * least + 1);
    assert!(matches!(add(&mut pool, &kit, &little), Err(NotLetIn::Fee { .. })));
    add(&mut pool, &kit, &second).unwrap();
    assert_eq!(pool.fill(kit.state.store()), [second]);
    assert_eq!(pool.len(), (0, 1));
}

#[test]
fn nobody_has_room_for_more_than_their_part() {
    let (kit, mut pool) = (Kit::new(1, 2), Pool::default());
    for hand in 0..128 {
        add(&mut pool, &kit, &duty(&kit, &kit.player(0), hand)).unwrap();
    }
    assert_eq!(add(&mut pool, &kit, &duty(&kit, &kit.player(0), 128)), Err(NotLetIn::Full));
    let own = duty(&kit, &kit.player(0), 129);
    assert_eq!(
        pool.add(kit.state.store(), Authentic::check(own).unwrap(), true, true),
        Ok(()),
        "nobody can keep a node from its own"
    );
    assert_eq!(add(&mut pool, &kit, &duty(&kit, &kit.player(1), 1)), Ok(()), "others have theirs");
    assert_eq!(add(&mut pool, &kit, &transfer(&kit, &kit.player(0), 0, 1)), Ok(()), "and so have those who pay");
}

#[test]
fn what_was_in_a_block_is_gone_and_a_duty_may_be_said_again() {
    let (mut kit, mut pool) = (Kit::new(1, 1), Pool::default());
    let alice = kit.player(0);
    let (paid, free, later) = (transfer(&kit, &alice, 0, 1), duty(&kit, &alice, 1), transfer(&kit, &alice, 1, 1));
    for signed in [&paid, &free, &later] {
        add(&mut pool, &kit, signed).unwrap();
    }
    let transactions = vec![paid.clone(), free.clone()];
    let receipts = kit.next_block(transactions.clone()).receipts;
    pool.executed(kit.state.store(), kit.state.tip().height, &transactions, &receipts);
    assert_eq!(pool.len(), (0, 1));
    assert_eq!(add(&mut pool, &kit, &paid), Err(NotLetIn::Known));
    assert_eq!(add(&mut pool, &kit, &free), Ok(()), "it did not count, so it is said again");
    assert_eq!(pool.fill(kit.state.store()), [free, later]);
    // A duty that nobody took for ten blocks is forgotten.
    for _ in 0..10 {
        kit.next_block(Vec::new());
        pool.executed(kit.state.store(), kit.state.tip().height, &[], &[]);
    }
    assert_eq!(pool.len(), (0, 1));
}

#[test]
fn a_duty_that_counted_is_not_heard_again() {
    let (kit, mut pool) = (Kit::new(1, 1), Pool::default());
    let free = duty(&kit, &kit.player(0), 1);
    add(&mut pool, &kit, &free).unwrap();
    pool.executed(kit.state.store(), 1, std::slice::from_ref(&free), &[Receipt::Done]);
    assert_eq!(add(&mut pool, &kit, &free), Err(NotLetIn::Known));
    assert!(pool.is_empty());
}

#[test]
fn nobody_fills_blocks_with_what_they_cannot_pay() {
    let (mut kit, mut pool) = (Kit::new(1, 2), Pool::default());
    let (alice, bob) = (kit.player(0), kit.player(1));
    let all = kit.balance(&alice);
    let first = kit.tx(&alice, bank::Tx::Transfer { to: kit.player_address(1), coins: Coins(all.0 - 100_000) });
    add(&mut pool, &kit, &first).unwrap();
    let rest: Vec<Signed> = (1..5).map(|nonce| transfer(&kit, &alice, nonce, 400)).collect();
    rest.iter().for_each(|signed| add(&mut pool, &kit, signed).unwrap());
    // The coins are gone after the first block; what cannot pay any more takes no room, and is forgotten once it was tried.
    let receipts = kit.next_block(vec![first.clone()]).receipts;
    pool.executed(kit.state.store(), 1, std::slice::from_ref(&first), &receipts);
    let filled = pool.fill(kit.state.store());
    assert!(filled.len() < rest.len(), "{} of {}", filled.len(), rest.len());
    let void: Vec<Receipt> = rest.iter().map(|_| Receipt::Void(String::new())).collect();
    pool.executed(kit.state.store(), 2, &rest, &void);
    assert!(pool.is_empty());
    assert_eq!(add(&mut pool, &kit, &transfer(&kit, &bob, 0, 1)), Ok(()));
}

#[test]
fn a_stranger_without_coins_is_not_heard() {
    let (kit, mut pool) = (Kit::new(1, 0), Pool::default());
    let stranger = key(77);
    assert_eq!(add(&mut pool, &kit, &transfer(&kit, &stranger, 0, 1)), Err(NotLetIn::Poor));
}
