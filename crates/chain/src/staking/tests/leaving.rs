use super::*;

/// What is being taken out, with when it is due.
fn leaving(kit: &Kit) -> Vec<(u64, Coins)> {
    kit.state.store().all::<UnbondingOf>().map(|(key, unbonding)| (key.0, unbonding.coins)).collect()
}

#[test]
fn stake_is_paid_back_after_a_delay() {
    let mut kit = Kit::new(2, 0);
    let (operator, consensus) = (kit.operator(0), kit.consensus(0));
    kit.done(&operator, Tx::Unbond { consensus, coins: Coins(400_000) });
    let before = kit.balance(&operator);
    assert_eq!(validator(&kit, 0).stake, Coins(600_000));
    kit.wait(60_000);
    assert_eq!(kit.balance(&operator), before);
    kit.wait(1_000);
    assert_eq!(kit.balance(&operator), before + Coins(400_000));
    assert_eq!(stake(kit.state.store(), &consensus), Coins(600_000));
}

#[test]
fn what_is_being_taken_out_is_slashed_too() {
    let mut kit = Kit::new(4, 0);
    let (operator, consensus) = (kit.operator(1), kit.consensus(1));
    kit.done(&operator, Tx::Unbond { consensus, coins: STAKE });
    kit.wait(10_000);
    assert!(!decides(&kit, 1) && !deals(&kit, 1));
    commit_offence(&mut kit, 1, Offence::BadKeys);
    assert_eq!(leaving(&kit)[0].1, Coins(500_000));
    let before = kit.balance(&operator);
    kit.wait(60_000);
    assert_eq!(kit.balance(&operator), before + Coins(500_000));
}

#[test]
fn somebody_who_has_left_is_forgotten_unless_there_is_a_record() {
    let mut kit = Kit::new(4, 0);
    commit_offence(&mut kit, 2, Offence::BadProof);
    for number in [1, 2] {
        let (consensus, coins) = (kit.consensus(number), validator(&kit, number).stake);
        kit.done(&kit.operator(number), Tx::Unbond { consensus, coins });
    }
    kit.wait(70_000);
    assert_eq!(kit.state.store().get(&ValidatorOf(kit.consensus(1))), None);
    assert_eq!(validator(&kit, 2).faults, 1);
}

#[test]
fn a_seat_is_liable_until_its_epoch_is_over_and_then_for_the_delay() {
    let mut kit = Kit::new(4, 0);
    let (operator, consensus) = (kit.operator(1), kit.consensus(1));
    during(&mut kit, |cx| {
        bind(cx, &consensus, 7);
        bind(cx, &consensus, 7);
        bind(cx, &consensus, 8);
    });
    kit.done(&operator, Tx::Unbond { consensus, coins: Coins(300_000) });
    assert_eq!(stake(kit.state.store(), &consensus), STAKE, "the seat can still lose it");
    kit.wait(200_000);
    assert_eq!(leaving(&kit), [(UnbondingOf::WAITING, Coins(300_000))]);
    during(&mut kit, |cx| release(cx, 7));
    assert_eq!(leaving(&kit)[0].0, UnbondingOf::WAITING, "it has another seat");
    during(&mut kit, |cx| release(cx, 8));
    let due = kit.state.tip().clock + 60_000;
    assert_eq!(leaving(&kit), [(due, Coins(300_000))]);
    kit.wait(62_000);
    assert_eq!(leaving(&kit), []);
}

#[test]
fn what_is_leaving_does_not_wait_for_later_seats() {
    let mut kit = Kit::new(4, 0);
    let (operator, consensus) = (kit.operator(1), kit.consensus(1));
    kit.done(&operator, Tx::Unbond { consensus, coins: Coins(300_000) });
    kit.wait(30_000);
    during(&mut kit, |cx| bind(cx, &consensus, 9));
    assert_eq!(stake(kit.state.store(), &consensus), Coins(700_000), "nobody counts on it");
    kit.wait(32_000);
    assert_eq!(leaving(&kit), []);
}

#[test]
fn stake_cannot_be_left_below_the_least_or_taken_out_in_crumbs() {
    let mut kit = Kit::new(2, 0);
    let (operator, consensus) = (kit.operator(0), kit.consensus(0));
    let coins = Coins(STAKE.0 - 10);
    assert!(matches!(kit.run(&operator, Tx::Unbond { consensus, coins }), Receipt::Failed(_)));
    for _ in 0..16 {
        kit.done(&operator, Tx::Unbond { consensus, coins: Coins(1) });
    }
    assert!(matches!(kit.run(&operator, Tx::Unbond { consensus, coins: Coins(1) }), Receipt::Failed(_)));
}

#[test]
fn evidence_catches_those_who_have_just_left() {
    let mut kit = Kit::new(4, 1);
    kit.pace = 2_000;
    let (operator, consensus) = (kit.operator(1), kit.consensus(1));
    kit.done(&operator, Tx::Unbond { consensus, coins: STAKE });
    kit.next_block(Vec::new());
    // The last block that it decided.
    let height = kit.state.tip().height;
    let evidence = evidence(&kit, 1, height);
    let allowed = kit.genesis.params.staking.evidence_blocks;
    while kit.state.tip().height + 1 < height + allowed {
        kit.next_block(Vec::new());
    }
    kit.done(&kit.player(0), Tx::DoubleSign { evidence: evidence.into() });
    assert_eq!(leaving(&kit)[0].1, Coins(950_000), "it was not out yet");
}
