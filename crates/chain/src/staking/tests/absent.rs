//! Validators who do not make blocks in their turns.

use super::*;
use crate::{BadBlock, Block};

/// The next block, if these do not make one in their turn.
fn block_without(kit: &Kit, absent: &[Address]) -> Block {
    let set = validators(kit.state.store());
    let height = kit.state.tip().height + 1;
    let present = (0..).filter_map(|round| proposer(&set, height, round)).find(|who| !absent.contains(who));
    kit.block_by(present.unwrap(), Vec::new())
}

/// So many blocks during which these make none.
fn go_on_without(kit: &mut Kit, absent: &[Address], blocks: usize) {
    for _ in 0..blocks {
        let block = block_without(kit, absent);
        kit.state.execute(&block).unwrap();
    }
}

#[test]
fn whoever_misses_most_turns_is_jailed_and_can_come_back() {
    let mut kit = Kit::new(4, 0);
    let absent = kit.consensus(2);
    let mut blocks = 0;
    while validator(&kit, 2).standing == Standing::Free {
        go_on_without(&mut kit, &[absent], 1);
        blocks += 1;
        assert!(blocks < 1_000, "it is never jailed");
    }
    assert!(blocks >= turns::ABSENT, "a few turns are not enough");
    assert_eq!(validator(&kit, 2).stake, Coins(STAKE.0 - STAKE.0 / 1_000), "it costs little");
    for number in [0, 1, 3] {
        assert_eq!((validator(&kit, number).standing, validator(&kit, number).stake), (Standing::Free, STAKE));
    }
    // Others decide, and nobody waits for it any more; it still deals.
    go_on_without(&mut kit, &[absent], 2);
    assert!(!decides(&kit, 2) && deals(&kit, 2));
    let Standing::Silenced { until } = validator(&kit, 2).standing else { panic!("it was silent") };
    let wait = until - kit.state.tip().clock;
    kit.wait(wait + 2_000);
    let operator = kit.operator(2);
    kit.done(&operator, Tx::Unjail { consensus: absent });
    kit.wait(3_000);
    assert!(decides(&kit, 2));
    // Its absence is forgotten: it makes blocks again.
    kit.wait(300_000);
    assert_eq!((validator(&kit, 2).standing, validator(&kit, 2).missed), (Standing::Free, 0));
}

#[test]
fn whoever_misses_every_other_turn_is_only_slow() {
    let mut kit = Kit::new(4, 0);
    let slow = kit.consensus(1);
    for number in 0..600 {
        let absent = if number % 2 == 0 { vec![slow] } else { Vec::new() };
        go_on_without(&mut kit, &absent, 1);
    }
    assert_eq!((validator(&kit, 1).standing, validator(&kit, 1).stake), (Standing::Free, STAKE));
}

#[test]
fn absence_never_jails_more_than_a_third() {
    let mut kit = Kit::new(6, 0);
    let absent = [kit.consensus(0), kit.consensus(1), kit.consensus(2)];
    go_on_without(&mut kit, &absent, 600);
    let jailed = (0..6).filter(|number| validator(&kit, *number).standing != Standing::Free).count();
    assert_eq!(jailed, 2);
    assert!((3..6).all(|number| validator(&kit, number).stake == STAKE), "those who were there lose nothing");
}

#[test]
fn nobody_can_say_that_others_have_missed_their_turn() {
    let mut kit = Kit::new(4, 0);
    kit.wait(3_000);
    let good = kit.block(Vec::new());
    let set = validators(kit.state.store());
    for round in 0..20 {
        let mut block = good.clone();
        block.header.round = round;
        let is_turn = proposer(&set, block.header.height, round) == Some(block.header.proposer);
        assert_eq!(kit.state.check(&block).err(), (!is_turn).then_some(BadBlock::Proposer), "round {round}");
    }
    // A height counts once for each, however many rounds it took; and not against who made the block.
    let mut late = good;
    late.header.round = 400;
    kit.state.execute(&late).unwrap();
    let missed: Vec<u32> = (0..4).map(|number| validator(&kit, number).missed).collect();
    assert_eq!(missed.iter().sum::<u32>(), 3, "{missed:?}");
}
