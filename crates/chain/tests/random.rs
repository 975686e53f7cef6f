//! Any transactions, in any order, beside a game that goes on: no coin is made or lost, two replicas agree after every
//! block, and a failed transaction changes nothing but fee and nonce (which the supply would show).
#![cfg(feature = "laws")]
#![expect(clippy::unwrap_used, reason = "what goes wrong here fails a test")]

use chain::client::{Hole, Wallet};
use chain::laws::{Setting, World};
use chain::{Address, Body, Coins, Signed, bank, dealer, governance, staking, tables};
use dealing::{Scalar, Secret};
use rand::rngs::ChaCha20Rng;
use rand::{Rng, RngExt, SeedableRng};

/// How many transactions; all of them in soak.
fn count() -> u64 {
    if std::env::var_os("FAIRDEAL_SOAK").is_some() { 200_000 } else { 1_500 }
}

fn coins(rng: &mut impl Rng) -> Coins {
    let digits = rng.random_range(0..14);
    Coins(rng.random_range(0..10_u64.pow(digits).max(2)))
}

fn table(rng: &mut impl Rng) -> u64 {
    rng.random_range(0..4)
}

fn terms(rng: &mut impl Rng) -> tables::Terms {
    let big = 2 * rng.random_range(1..50_u64);
    tables::Terms {
        label: "any".repeat(rng.random_range(0..30)),
        max_players: if rng.random_ratio(1, 10) { 8 } else { 9 },
        small_blind: Coins(big / 2),
        big_blind: Coins(big),
        min_buy_in: Coins(big * 10),
        max_buy_in: Coins(big * rng.random_range(5..100)),
        player_bond: Coins(big * rng.random_range(0..20)),
        action_timeout_secs: rng.random_range(0..60),
        dealer_timeout_secs: rng.random_range(0..90),
        rake_bps: if rng.random_ratio(1, 10) { 100 } else { 0 },
    }
}

fn about_tables(world: &World, who: &Wallet, rng: &mut ChaCha20Rng) -> tables::Tx {
    let table = table(rng);
    match rng.random_range(0..11) {
        0 => tables::Tx::Create { terms: terms(rng), purse: coins(rng) },
        1 => tables::Tx::Fund { table, coins: coins(rng) },
        2 => tables::Tx::Close { table },
        3..5 => {
            let secret = Secret::new(Scalar::from_bytes_mod_order(rng.random()));
            let hole = Hole::new(world.state().tip().chain, table, secret);
            let seat = rng.random_ratio(1, 2).then(|| rng.random_range(0..10));
            hole.sit(&who.address(), seat, Coins(rng.random_range(10..3_000)), rng)
        }
        5 => tables::Tx::Leave { table },
        6 => tables::Tx::SitOut { table },
        7 => tables::Tx::Return { table },
        8 => tables::Tx::Rebuy { table, coins: coins(rng) },
        9 => tables::Tx::TopUpBond { table, coins: coins(rng) },
        _ => tables::Tx::Tick { table },
    }
}

fn about_stake(world: &World, who: &Wallet, rng: &mut ChaCha20Rng) -> staking::Tx {
    let validators = world.validators();
    let consensus = validators.get(rng.random_range(0..validators.len())).copied().unwrap();
    match rng.random_range(0..4) {
        0 => staking::Tx::Bond { consensus, coins: coins(rng) },
        // Not so much that the others could not go on.
        1 => staking::Tx::Unbond { consensus, coins: Coins(rng.random_range(0..1_000_000)) },
        2 => staking::Tx::Unjail { consensus },
        _ => staking::Tx::Register { consensus: who.address(), stake: coins(rng), proof: [7; 64] },
    }
}

fn any(world: &World, who: &Wallet, all: &[Address], rng: &mut ChaCha20Rng) -> Body {
    let bytes = |rng: &mut ChaCha20Rng| (0..rng.random_range(0..200)).map(|_| rng.random()).collect::<Vec<u8>>();
    match rng.random_range(0..10) {
        0..2 => {
            let to = all.get(rng.random_range(0..all.len())).copied().unwrap();
            Body::Bank(bank::Tx::Transfer { to, coins: coins(rng) })
        }
        2..6 => Body::Tables(about_tables(world, who, rng)),
        6..8 => Body::Staking(about_stake(world, who, rng)),
        8 => Body::Governance(match rng.random_range(0..3) {
            0 => {
                let to = all.first().copied().unwrap();
                governance::Tx::Propose {
                    action: governance::Action::Spend { to, coins: Coins(rng.random_range(0..500)) },
                }
            }
            _ => governance::Tx::Vote {
                proposal: rng.random_range(0..5),
                consensus: who.address(),
                choice: if rng.random_ratio(3, 4) { governance::Choice::Yes } else { governance::Choice::No },
            },
        }),
        _ => Body::Dealer(match rng.random_range(0..4) {
            0 => dealer::Tx::ReportDkgWithholding,
            1 => dealer::Tx::ReportDealerWithholding { table: table(rng) },
            2 => dealer::Tx::Keys {
                epoch: rng.random_range(0..3),
                attempt: 0,
                member: rng.random_range(0..5),
                message: bytes(rng),
            },
            _ => dealer::Tx::Deck { table: table(rng), deck: rng.random_range(0..5), member: 0, message: bytes(rng) },
        }),
    }
}

/// Signed, with the next nonces of their authors.
fn signed(world: &World, rng: &mut ChaCha20Rng, count: usize) -> Vec<Signed> {
    let wallets = world.wallets();
    let all: Vec<Address> = wallets.iter().map(|wallet| wallet.address()).collect();
    let (store, chain) = (world.state().store(), world.state().tip().chain);
    let mut order: Vec<usize> = (0..wallets.len()).collect();
    rand::seq::SliceRandom::shuffle(order.as_mut_slice(), rng);
    let one = |at: usize| {
        let who = wallets.get(at).copied().unwrap();
        let body = any(world, who, &all, rng);
        let duty = matches!(&body, Body::Dealer(tx) if tx.is_duty());
        if duty { who.duty(chain, body) } else { who.pay(store, chain, body) }
    };
    order.into_iter().take(count).map(one).collect()
}

#[test]
fn any_transactions_conserve_coins_on_all_replicas() {
    let seed = 1;
    let setting = Setting { players: 3, strangers: 60, seed, ..Setting::default() };
    let mut world = World::new(setting);
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let mut sent = 0;
    while sent < count() {
        let mut transactions = world.people_do();
        for validator in 0..4 {
            let said = world.says(validator, &transactions);
            transactions.extend(said);
        }
        let random = signed(&world, &mut rng, 40);
        sent += u64::try_from(random.len()).unwrap();
        transactions.extend(random);
        let active = staking::validators(world.state().store());
        let turn = usize::try_from(world.state().tip().height).unwrap() % active.len();
        let (proposer, _) = active.get(turn).copied().unwrap();
        if let Err(broken) = world.make(proposer, transactions) {
            panic!("{broken}, seed {seed}, after {sent} transactions\n{:?}", world.tally());
        }
    }
    println!("{sent} random transactions: {:?}", world.tally());
    let [done, failed, void] = world.tally().transactions;
    assert!(done > 0 && failed > 0 && void > 0, "all kinds of ends are met: {:?}", world.tally());
    assert!(world.tally().completed > 0, "the game went on: {:?}", world.tally());
}
