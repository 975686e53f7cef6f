//! Encodings that must never change: of everything that is signed, hashed or stored.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "what goes wrong here fails a test")]

use borsh::{BorshDeserialize, BorshSerialize};
use chain::block::transactions_hash;
use chain::client::Wallet;
use chain::genesis::FirstValidator;
use chain::governance::{self, Choice};
use chain::staking::{self, Offence};
use chain::tables::{self, Action, Terms};
use chain::{Address, Block, Body, Coins, Genesis, Header, Params, Signed, State, Tx, bank, dealer, hash};

/// A few bytes that stand for all of them, and reading gives the same value.
fn of<T: BorshSerialize + BorshDeserialize + PartialEq + core::fmt::Debug>(value: &T) -> String {
    let bytes = borsh::to_vec(value).unwrap();
    assert_eq!(borsh::from_slice::<T>(&bytes).unwrap(), *value);
    let mut longer = bytes.clone();
    longer.push(0);
    assert!(borsh::from_slice::<T>(&longer).is_err(), "nothing may follow the end");
    for length in 0..bytes.len() {
        assert!(borsh::from_slice::<T>(&bytes[..length]).is_err(), "{length} bytes are not all of it");
    }
    hex(&hash("frozen", &[&bytes])[..6])
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn signed(body: Body) -> Signed {
    let wallet = Wallet::new(&[3; 32]);
    wallet.sign(Tx { chain: [1; 32], from: wallet.address(), nonce: 7, fee: Coins(900), body })
}

fn terms() -> Terms {
    Terms {
        label: "frozen".into(),
        max_players: 9,
        small_blind: Coins(1),
        big_blind: Coins(2),
        min_buy_in: Coins(40),
        max_buy_in: Coins(200),
        player_bond: Coins(20),
        action_timeout_secs: 30,
        dealer_timeout_secs: 60,
        rake_bps: 0,
    }
}

fn genesis() -> Genesis {
    let who = Address([5; 32]);
    Genesis {
        name: "frozen".into(),
        time: 1_000,
        params: Params::default(),
        accounts: vec![(who, Coins(1_000_000))],
        validators: vec![FirstValidator { consensus: Address([6; 32]), operator: who, stake: Coins(5_000) }],
    }
}

#[test]
fn transactions_are_frozen() {
    let (table, consensus) = (3, Address([9; 32]));
    let bodies = [
        Body::Bank(bank::Tx::Transfer { to: consensus, coins: Coins(5) }),
        Body::Staking(staking::Tx::Register { consensus, stake: Coins(5), proof: [1; 64] }),
        Body::Staking(staking::Tx::Bond { consensus, coins: Coins(5) }),
        Body::Staking(staking::Tx::Unbond { consensus, coins: Coins(5) }),
        Body::Staking(staking::Tx::Unjail { consensus }),
        Body::Governance(governance::Tx::Vote { proposal: 1, consensus, choice: Choice::Yes }),
        Body::Governance(governance::Tx::Propose {
            action: governance::Action::Spend { to: consensus, coins: Coins(5) },
        }),
        Body::Tables(tables::Tx::Create { terms: terms(), purse: Coins(5) }),
        Body::Tables(tables::Tx::Fund { table, coins: Coins(5) }),
        Body::Tables(tables::Tx::Sit { table, seat: Some(2), buy_in: Coins(50), key: [4; 32], proof: [5; 64] }),
        Body::Tables(tables::Tx::Leave { table }),
        Body::Tables(tables::Tx::SitOut { table }),
        Body::Tables(tables::Tx::Return { table }),
        Body::Tables(tables::Tx::Rebuy { table, coins: Coins(5) }),
        Body::Tables(tables::Tx::Act { table, hand: 4, height: 5, action: Action::BetTo(Coins(6)) }),
        Body::Dealer(dealer::Tx::Keys { epoch: 1, attempt: 0, member: 2, message: vec![3; 4] }),
        Body::Dealer(dealer::Tx::Beacon { epoch: 1, member: 2, contribution: vec![3; 4] }),
        Body::Dealer(dealer::Tx::Deck { table, deck: 1, member: 2, message: vec![3; 4] }),
        Body::Dealer(dealer::Tx::ReportDealerWithholding { table }),
    ];
    let found: Vec<String> = bodies.into_iter().map(|body| of(&signed(body))).collect();
    assert_eq!(found.join(" "), TRANSACTIONS);
}

const TRANSACTIONS: &str = "9493b9939816 1ac1698b731d 477181c3fd46 b615407600c4 68ad43fb48f4 a74657017307 \
    ce2de19d31d2 1ab4cf02401a 1cf298f056f1 e2365d2faf0a b28f0af784e2 bd9262000d0f \
    3a3bdb7c127e 0236e370a64f 64009b4b9504 7216ee351522 e5bc3878f16e fdeaa979811e \
    4034e17b598f";

#[test]
fn blocks_and_genesis_are_frozen() {
    let transactions = vec![signed(Body::Bank(bank::Tx::Transfer { to: Address([9; 32]), coins: Coins(5) }))];
    let header = Header {
        chain: [1; 32],
        height: 2,
        parent: [3; 32],
        time: 4,
        proposer: Address([5; 32]),
        round: 8,
        root: [6; 32],
        next_validators: [7; 32],
        transactions: transactions_hash(&transactions),
    };
    let block = Block { header: header.clone(), transactions };
    let genesis = genesis();
    let found = [of(&header), of(&block), of(&genesis), hex(&header.hash()[..6]), hex(&genesis.chain()[..6])];
    assert_eq!(found.join(" "), "89037de7bac7 8e68e881f6a1 620583b87ef9 cb81360bf861 1435a0abbbb5");
}

#[test]
fn the_first_state_is_frozen() {
    let state = State::new(&genesis());
    assert_eq!(hex(&state.store().root()[..6]), "744c014eade5");
    let snapshot = state.snapshot();
    assert_eq!(State::from_snapshot(&snapshot, &state.store().root()).unwrap().store().root(), state.store().root());
}

#[test]
fn offences_keep_their_numbers() {
    let all = [
        Offence::DoubleSign,
        Offence::BadKeys,
        Offence::BadProof,
        Offence::SilentInKeys,
        Offence::Silent,
        Offence::Withheld,
        Offence::Absent,
    ];
    let numbers: Vec<u8> = all.iter().flat_map(|offence| borsh::to_vec(offence).unwrap()).collect();
    assert_eq!(numbers, [0, 1, 2, 3, 4, 5, 6]);
}
