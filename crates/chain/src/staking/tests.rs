use super::*;
use crate::bank::{self, TREASURY};
use crate::dealer::Verified;
use crate::execute::Cx;
use crate::testing::{Kit, STAKE, WEALTH, address, key};
use crate::units::{Address, Coins};
use crate::{Event as AnyEvent, Now, Receipt, State, supply};

mod absent;
mod leaving;

/// Does something to the state in the middle of a block, as other modules do, and ends the block.
fn during(kit: &mut Kit, act: impl FnOnce(&mut Cx<'_>)) -> Vec<Event> {
    let tip = kit.state.tip().clone();
    let (clock, proposer) = (tip.clock, kit.consensus(0));
    let height = tip.height + 1;
    let now = Now { chain: tip.chain, height, parent_clock: clock, clock, parent: tip.hash, proposer, round: 0 };
    let (mut events, verified) = (Vec::new(), Verified::default());
    let mut store = kit.state.store().clone();
    act(&mut Cx { store: &mut store, events: &mut events, now: &now, verified: &verified });
    assert_eq!(supply(&store), kit.genesis.supply(), "coins have come or gone");
    store.commit();
    kit.state = State::from_store(store);
    let staking = |event| if let AnyEvent::Staking(event) = event { Some(event) } else { None };
    events.into_iter().filter_map(staking).collect()
}

fn commit_offence(kit: &mut Kit, number: u16, offence: Offence) -> Vec<Event> {
    let consensus = kit.consensus(number);
    during(kit, |cx| slash(cx, &consensus, offence, None, &[]))
}

fn validator(kit: &Kit, number: u16) -> Validator {
    kit.state.store().get(&ValidatorOf(kit.consensus(number))).unwrap().clone()
}

fn set(kit: &Kit) -> Vec<Address> {
    validators(kit.state.store()).into_iter().map(|(consensus, _)| consensus).collect()
}

fn deals(kit: &Kit, number: u16) -> bool {
    candidates(kit.state.store()).iter().any(|(consensus, _)| *consensus == kit.consensus(number))
}

fn decides(kit: &Kit, number: u16) -> bool {
    is_validator(kit.state.store(), &kit.consensus(number))
}

fn evidence(kit: &Kit, number: u16, height: u64) -> Evidence {
    let vote = |block| Vote { chain: kit.state.tip().chain, height, round: 2, kind: Kind::Precommit, block };
    Evidence {
        consensus: kit.consensus(number),
        one: sign(number, vote(None)),
        other: sign(number, vote(Some([1; 32]))),
    }
}

fn sign(number: u16, vote: Vote) -> (Vote, [u8; 64]) {
    (vote, vote.sign(&key(number)))
}

#[test]
fn an_operator_registers_a_key_that_signs_for_it() {
    let mut kit = Kit::new(2, 2);
    let (alice, bob, new) = (kit.player(0), kit.player(1), key(50));
    let good = kit.registration(&alice, &new, Coins(2_000_000));
    // The same proof is worth nothing to somebody else.
    assert!(matches!(kit.run(&bob, good.clone()), Receipt::Failed(_)));
    let Tx::Register { consensus, proof, .. } = good else { panic!() };
    assert!(matches!(kit.run(&alice, Tx::Register { consensus, proof, stake: Coins(999) }), Receipt::Failed(_)));
    kit.done(&alice, good.clone());
    assert!(matches!(kit.run(&alice, good), Receipt::Failed(_)), "it is registered already");
    assert!(kit.balance(&alice) < Coins(WEALTH.0 - 2_000_000));
    assert_eq!(stake(kit.state.store(), &consensus), Coins(2_000_000));
}

#[test]
fn a_change_of_stake_counts_for_the_block_after_the_next() {
    let mut kit = Kit::new(2, 1);
    let (alice, new) = (kit.player(0), key(50));
    let named = validators_hash(kit.state.store());
    let registration = kit.registration(&alice, &new, STAKE);
    kit.done(&alice, registration);
    // The header of the next block names the new validators, who decide the block after it.
    assert!(!is_validator(kit.state.store(), &address(&new)));
    assert_ne!(validators_hash(kit.state.store()), named);
    let header = kit.block(Vec::new()).header;
    kit.next_block(Vec::new());
    assert!(is_validator(kit.state.store(), &address(&new)));
    let decided_by = borsh::to_vec(&validators(kit.state.store())).unwrap();
    assert_eq!(header.next_validators, crate::hash("fairdeal/chain/validators/v1", &[&decided_by]));
}

#[test]
fn those_with_the_most_stake_are_validators() {
    let mut kit = Kit::new(3, 1);
    kit.genesis.params.staking.most_validators = 2;
    kit.state = State::new(&kit.genesis);
    assert_eq!(set(&kit).len(), 3, "the first validators are used as they are");
    kit.done(&kit.operator(2), Tx::Bond { consensus: kit.consensus(2), coins: Coins(5) });
    kit.next_block(Vec::new());
    // Of the two others, which have the same stake, the one with the lower key.
    let mut expected = [kit.consensus(2), kit.consensus(0).min(kit.consensus(1))];
    expected.sort();
    assert_eq!(set(&kit), expected);
    assert!(validators(kit.state.store()).contains(&(kit.consensus(2), STAKE + Coins(5))));
}

#[test]
fn only_the_operator_moves_stake() {
    let mut kit = Kit::new(2, 1);
    let (alice, consensus) = (kit.player(0), kit.consensus(0));
    for tx in [
        Tx::Bond { consensus, coins: Coins(5) },
        Tx::Unbond { consensus, coins: Coins(5) },
        Tx::Unjail { consensus },
        Tx::Bond { consensus: address(&alice), coins: Coins(5) },
    ] {
        assert!(matches!(kit.run(&alice, tx), Receipt::Failed(_)));
    }
    let operator = kit.operator(0);
    for coins in [Coins::ZERO, WEALTH] {
        assert!(matches!(kit.run(&operator, Tx::Bond { consensus, coins }), Receipt::Failed(_)));
        assert!(matches!(kit.run(&operator, Tx::Unbond { consensus, coins }), Receipt::Failed(_)));
    }
    assert_eq!(stake(kit.state.store(), &consensus), STAKE);
}

#[test]
fn a_penalty_is_divided_between_reporter_players_treasury_and_nobody() {
    let mut kit = Kit::new(4, 4);
    let consensus = kit.consensus(1);
    let reporter = kit.player_address(0);
    let players: Vec<Address> = (1..4).map(|number| kit.player_address(number)).collect();
    let (before, burned) = (bank::balance(kit.state.store(), &TREASURY), Coins(20_000));
    let events = during(&mut kit, |cx| slash(cx, &consensus, Offence::BadProof, Some(reporter), &players));
    let lost = Coins(100_000);
    assert_eq!(events[0], Event::ValidatorSlashed { consensus, offence: Offence::BadProof, lost });
    assert_eq!(stake(kit.state.store(), &consensus), Coins(900_000));
    let store = kit.state.store();
    assert_eq!(bank::balance(store, &reporter), Coins(WEALTH.0 + 5_000));
    for player in players {
        assert_eq!(bank::balance(store, &player), Coins(WEALTH.0 + 8_333));
    }
    assert_eq!(store.get(&bank::Burned()), Some(&burned));
    assert_eq!(bank::balance(store, &TREASURY), Coins(before.0 + lost.0 - 5_000 - 3 * 8_333 - burned.0));
}

#[test]
fn an_operator_gets_nothing_of_its_own_penalty() {
    let mut kit = Kit::new(4, 1);
    let (consensus, operator) = (kit.consensus(1), address(&kit.operator(1)));
    let players = [operator, kit.player_address(0)];
    during(&mut kit, |cx| slash(cx, &consensus, Offence::BadProof, Some(operator), &players));
    assert_eq!(bank::balance(kit.state.store(), &operator), WEALTH);
    assert_eq!(bank::balance(kit.state.store(), &kit.player_address(0)), Coins(WEALTH.0 + 12_500));
}

#[test]
fn the_price_of_an_offence_is_what_is_lost_for_certain() {
    let kit = Kit::new(1, 0);
    let price = |offence| price(kit.state.store(), Coins(1_000_000), offence);
    assert_eq!(price(Offence::Withheld), Coins(70_000));
    assert_eq!(price(Offence::BadKeys), Coins(350_000));
    assert_eq!(price(Offence::Silent), Coins(700));
}

#[test]
fn a_fault_jails_and_the_operator_releases_later() {
    let mut kit = Kit::new(4, 0);
    let (operator, consensus) = (kit.operator(1), kit.consensus(1));
    let events = commit_offence(&mut kit, 1, Offence::BadKeys);
    assert!(matches!(events[1], Event::ValidatorJailed { .. }));
    assert_eq!(stake(kit.state.store(), &consensus), Coins(500_000));
    assert!(!deals(&kit, 1));
    kit.wait(2_000);
    assert!(!decides(&kit, 1));
    assert!(matches!(kit.run(&operator, Tx::Unjail { consensus }), Receipt::Failed(_)));
    kit.pace = 2_000_000;
    kit.wait(24 * 3_600_000);
    kit.done(&operator, Tx::Unjail { consensus });
    assert!(matches!(kit.run(&operator, Tx::Unjail { consensus }), Receipt::Failed(_)), "it is free");
    assert!(deals(&kit, 1) && decides(&kit, 1));
}

#[test]
fn silence_keeps_from_blocks_but_not_from_dealing() {
    let mut kit = Kit::new(4, 0);
    commit_offence(&mut kit, 1, Offence::Silent);
    kit.wait(2_000);
    assert_eq!(stake(kit.state.store(), &kit.consensus(1)), Coins(999_000));
    assert!(!decides(&kit, 1));
    assert!(deals(&kit, 1));
}

#[test]
fn a_validator_can_end_its_silence_itself_but_not_its_jail_for_a_fault() {
    let mut kit = Kit::new(4, 0);
    for number in [1, 2] {
        let (operator, consensus) = (address(&kit.operator(number)), kit.consensus(number));
        during(&mut kit, |cx| {
            bank::debit(cx, operator, Coins(1_000)).unwrap();
            bank::credit(cx, consensus, Coins(1_000));
        });
    }
    commit_offence(&mut kit, 1, Offence::Silent);
    commit_offence(&mut kit, 2, Offence::BadProof);
    let (silent, faulty) = (kit.consensus(1), kit.consensus(2));
    let early = kit.run(&key(1), Tx::Unjail { consensus: silent });
    assert!(matches!(early, Receipt::Failed(_)), "its time is not over");
    kit.pace = 2_000_000;
    kit.wait(24 * 3_600_000);
    assert!(matches!(kit.run(&key(2), Tx::Unjail { consensus: silent }), Receipt::Failed(_)), "it is somebody else's");
    assert!(
        matches!(kit.run(&key(2), Tx::Unjail { consensus: faulty }), Receipt::Failed(_)),
        "that takes its operator"
    );
    kit.done(&key(1), Tx::Unjail { consensus: silent });
    kit.done(&kit.operator(2), Tx::Unjail { consensus: faulty });
    assert_eq!([1, 2].map(|number| validator(&kit, number).standing), [Standing::Free; 2]);
}

#[test]
fn at_most_a_third_of_the_stake_is_jailed_for_silence() {
    let mut kit = Kit::new(7, 0);
    for number in 0..7 {
        commit_offence(&mut kit, number, if number % 2 == 0 { Offence::Silent } else { Offence::Withheld });
    }
    let jailed = (0..7).filter(|number| validator(&kit, *number).standing != Standing::Free);
    assert_eq!(jailed.collect::<Vec<_>>(), [0, 1]);
    // All have paid, though.
    assert!((0..7).all(|number| validator(&kit, number).stake < STAKE));
    // A proven fault jails nevertheless.
    commit_offence(&mut kit, 5, Offence::BadProof);
    assert!(matches!(validator(&kit, 5).standing, Standing::Jailed { .. }));
}

#[test]
fn one_outage_counts_once() {
    let mut kit = Kit::new(4, 0);
    commit_offence(&mut kit, 1, Offence::Withheld);
    let first = validator(&kit, 1);
    for _ in 0..10 {
        commit_offence(&mut kit, 1, Offence::Withheld);
        commit_offence(&mut kit, 1, Offence::Silent);
    }
    let after = validator(&kit, 1);
    assert_eq!((after.faults, after.standing), (first.faults, first.standing));
    assert!(after.stake < first.stake);
}

#[test]
fn repeated_faults_jail_for_longer_and_then_remove() {
    let mut kit = Kit::new(4, 0);
    let mut until = Vec::new();
    for _ in 0..3 {
        commit_offence(&mut kit, 1, Offence::BadProof);
        let Standing::Jailed { until: next } = validator(&kit, 1).standing else { panic!("it is jailed") };
        until.push(next);
    }
    assert_eq!(until, [3_600_000, 2 * 3_600_000, 4 * 3_600_000]);
    let events = commit_offence(&mut kit, 1, Offence::BadProof);
    let removed = Event::ValidatorRemoved { consensus: kit.consensus(1), offence: Offence::BadProof };
    assert_eq!(events[1], removed);
    assert!(!deals(&kit, 1));
    let (operator, consensus) = (kit.operator(1), kit.consensus(1));
    assert!(matches!(kit.run(&operator, Tx::Unjail { consensus }), Receipt::Failed(_)));
    assert!(matches!(kit.run(&operator, Tx::Bond { consensus, coins: Coins(5) }), Receipt::Failed(_)));
}

#[test]
fn old_offences_are_forgotten() {
    let mut kit = Kit::new(4, 0);
    kit.genesis.params.staking.forget = 10_000;
    kit.state = State::new(&kit.genesis);
    for _ in 0..6 {
        commit_offence(&mut kit, 1, Offence::BadProof);
        assert_eq!(validator(&kit, 1).faults, 1);
        kit.wait(11_000);
    }
}

#[test]
fn the_last_validator_is_never_jailed_and_cannot_leave() {
    let mut kit = Kit::new(2, 0);
    commit_offence(&mut kit, 0, Offence::BadKeys);
    let (operator, consensus) = (kit.operator(1), kit.consensus(1));
    for offence in [Offence::BadKeys, Offence::Silent, Offence::Withheld, Offence::DoubleSign] {
        commit_offence(&mut kit, 1, offence);
        assert_eq!(validator(&kit, 1).standing, Standing::Free);
    }
    kit.wait(3_000);
    assert_eq!(set(&kit), [consensus]);
    let all = validator(&kit, 1).stake;
    assert!(matches!(kit.run(&operator, Tx::Unbond { consensus, coins: all }), Receipt::Failed(_)));
    // Even if it loses nearly everything, the chain goes on.
    for _ in 0..30 {
        commit_offence(&mut kit, 1, Offence::BadKeys);
    }
    kit.wait(5_000);
    assert_eq!(set(&kit), [consensus]);
}

#[test]
fn signing_twice_costs_stake_and_the_key() {
    let mut kit = Kit::new(4, 1);
    kit.wait(5_000);
    let alice = kit.player(0);
    let evidence = evidence(&kit, 2, 3);
    let signed = kit.tx(&alice, Tx::DoubleSign { evidence: Box::new(evidence.clone()) });
    let fee = signed.tx.fee;
    assert_eq!(kit.next_block(vec![signed]).receipts, [Receipt::Done]);
    assert_eq!(stake(kit.state.store(), &kit.consensus(2)), Coins(950_000));
    assert_eq!(validator(&kit, 2).standing, Standing::Removed);
    assert_eq!(kit.balance(&alice), Coins(WEALTH.0 - fee.0 + 2_500), "the reporter gets a part");
    // It counts once, also the other way round and for another height.
    let swapped = Evidence { one: evidence.other, other: evidence.one, ..evidence };
    let again = super::tests::evidence(&kit, 2, 4);
    for evidence in [evidence, swapped, again] {
        assert!(matches!(kit.run(&alice, Tx::DoubleSign { evidence: evidence.into() }), Receipt::Failed(_)));
    }
    assert_eq!(stake(kit.state.store(), &kit.consensus(2)), Coins(950_000));
}

#[test]
fn evidence_that_shows_nothing_is_refused() {
    let mut kit = Kit::new(4, 1);
    kit.wait(30_000);
    let (alice, height) = (kit.player(0), kit.state.tip().height);
    let good = evidence(&kit, 1, height);
    let other = |change: fn(&mut Vote)| {
        let mut vote = good.other.0;
        change(&mut vote);
        Evidence { other: sign(1, vote), ..good.clone() }
    };
    let elsewhere = |vote: Vote| sign(1, Vote { chain: [3; 32], ..vote });
    let wrong = [
        Evidence { other: good.one, ..good.clone() },
        Evidence { other: (good.other.0, good.one.1), ..good.clone() },
        other(|vote| vote.round = 1),
        other(|vote| vote.kind = Kind::Prevote),
        other(|vote| vote.height -= 1),
        other(|vote| vote.block = None),
        Evidence { consensus: kit.consensus(2), ..good.clone() },
        Evidence { consensus: address(&key(99)), ..good.clone() },
        Evidence { one: elsewhere(good.one.0), other: elsewhere(good.other.0), ..good.clone() },
        evidence(&kit, 1, height - 25),
        evidence(&kit, 1, height + 100),
    ];
    for evidence in wrong {
        assert!(matches!(kit.run(&alice, Tx::DoubleSign { evidence: evidence.into() }), Receipt::Failed(_)));
    }
    kit.done(&alice, Tx::DoubleSign { evidence: Box::new(good) });
}

#[test]
fn two_blocks_proposed_in_one_round_are_evidence_whatever_round_they_were_valid_in() {
    let mut kit = Kit::new(4, 1);
    kit.wait(5_000);
    let proposal = |valid_round, block| {
        let kind = Kind::Proposal { valid_round };
        sign(2, Vote { chain: kit.state.tip().chain, height: 3, round: 1, kind, block: Some([block; 32]) })
    };
    let evidence = |one, other| Evidence { consensus: kit.consensus(2), one, other };
    let same = evidence(proposal(None, 1), proposal(Some(0), 1));
    let two = evidence(proposal(None, 1), proposal(Some(0), 2));
    let alice = kit.player(0);
    assert!(
        matches!(kit.run(&alice, Tx::DoubleSign { evidence: Box::new(same) }), Receipt::Failed(_)),
        "it is one block"
    );
    kit.done(&alice, Tx::DoubleSign { evidence: Box::new(two) });
}

#[test]
fn proposers_are_drawn_by_power_and_each_once_in_a_height() {
    let set: Vec<(Address, Coins)> = (0..4).map(|n| (Address([n; 32]), Coins(1 + u64::from(n)))).collect();
    let mut first = [0; 4];
    for height in 0..10_000 {
        let order: Vec<u8> = (0..4).map(|round| proposer(&set, height, round).unwrap().0[0]).collect();
        first[usize::from(order[0])] += 1;
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, [0, 1, 2, 3], "height {height}: {order:?}");
        assert_eq!(proposer(&set, height, 4), proposer(&set, height, 0), "then all over again");
    }
    // A tenth, two, three and four tenths of the power.
    for (count, tenths) in first.into_iter().zip(1..) {
        assert!((tenths * 1_000 - 150..tenths * 1_000 + 150).contains(&count), "{first:?}");
    }
    assert_eq!(proposer(&[], 1, 0), None);
    assert_eq!(proposer(&[(Address([1; 32]), Coins(0))], 1, 7), Some(Address([1; 32])));
}

#[test]
fn nobody_is_heard_until_a_third_of_the_stake_has_made_blocks() {
    let mut kit = Kit::new(6, 0);
    kit.wait(10_000);
    let height = kit.state.tip().height;
    let mut heard = Vec::new();
    for number in [0, 0, 1, 2] {
        let block = kit.block_by(kit.consensus(number), Vec::new());
        kit.state.execute(&block).unwrap();
        heard.push(heard_since(kit.state.store(), height));
    }
    assert_eq!(heard, [false, false, false, true], "two of six are exactly a third");
}

#[test]
fn what_is_signed_is_encoded_as_before() {
    let hex = |hash: crate::Hash| hash.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let vote = Vote { chain: [1; 32], height: 2, round: 3, kind: Kind::Precommit, block: Some([4; 32]) };
    assert_eq!(hex(vote.hash()), "74dc0373b19d95939ef312d0a988878ecf90b39fb5a987251f37e27ce8fa7b4f");
    assert_eq!(
        hex(possession(&[1; 32], &Address([2; 32]), &Address([3; 32]))),
        "e561fac7f3f38dae0e3aca6a65517685dac8de5da94e21ed672123b3dc3b3005"
    );
}

#[test]
fn parameters_of_staking_have_ranges() {
    let good = Params::default();
    assert!(good.check().is_ok());
    let p = good.penalties;
    for wrong in [
        Params { most_validators: 0, ..good.clone() },
        Params { least_stake: Coins::ZERO, ..good.clone() },
        Params { penalties: Penalties { bad_keys: Penalty { bps: 10_001, jail: 0 }, ..p }, ..good.clone() },
        Params { split: Split { reporter_bps: 5_000, players_bps: 5_000, burned_bps: 1 }, ..good.clone() },
        // Stake would be out before evidence is too old.
        Params { unbonding: good.evidence_blocks * 2_000, ..good.clone() },
    ] {
        assert!(wrong.check().is_err(), "{wrong:?}");
    }
}
