use super::*;
use crate::bank::{self, TREASURY};
use crate::params::Params as AllParams;
use crate::staking;
use crate::testing::{Kit, WEALTH};
use crate::units::Coins;
use crate::{BadBlock, Event as AnyEvent, Receipt, dealer, tables};

fn more_rake() -> Action {
    Action::Change(Change::Tables(tables::Params { most_rake_bps: 500, ..tables::Params::default() }))
}

/// Proposes something for the first player, and returns its number.
fn propose(kit: &mut Kit, action: Action) -> u64 {
    let number = kit.state.store().get_or_default(&NextProposal());
    kit.done(&kit.player(0), Tx::Propose { action });
    number
}

fn vote(kit: &mut Kit, proposal: u64, choices: &[Choice]) {
    for (number, choice) in (0..).zip(choices) {
        let consensus = kit.consensus(number);
        kit.done(&kit.operator(number), Tx::Vote { proposal, consensus, choice: *choice });
    }
}

/// Waits for the end of the vote.
fn outcome(kit: &mut Kit) -> Outcome {
    for _ in 0..100 {
        for event in kit.next_block(Vec::new()).events.list {
            if let AnyEvent::Governance(Event::Decided { outcome, .. }) = event {
                return outcome;
            }
        }
    }
    panic!("the vote does not end");
}

fn decided(choices: &[Choice]) -> (Outcome, Kit) {
    let mut kit = Kit::new(4, 1);
    let proposal = propose(&mut kit, more_rake());
    vote(&mut kit, proposal, choices);
    (outcome(&mut kit), kit)
}

fn refused(kit: &mut Kit, action: Action) -> bool {
    let (alice, before) = (kit.player(0), held(kit.state.store()));
    let failed = matches!(kit.run(&alice, Tx::Propose { action }), Receipt::Failed(_));
    failed && held(kit.state.store()) == before
}

#[test]
fn there_is_no_rake_until_it_is_voted_for() {
    assert_eq!(AllParams::default().tables.most_rake_bps, 0);
    let (outcome, kit) = decided(&[Choice::Yes, Choice::Yes, Choice::No]);
    assert_eq!(outcome, Outcome::Passed);
    assert_eq!(AllParams::of(kit.state.store()).tables.most_rake_bps, 500);
}

#[test]
fn the_deposit_comes_back_unless_vetoed_or_ignored() {
    use Choice::{Abstain, No, Veto, Yes};
    for (choices, expected, back) in [
        (&[Yes, Yes, Yes, Veto][..], Outcome::Passed, true),
        (&[Yes, No][..], Outcome::Rejected, true),
        (&[Yes, No, No][..], Outcome::Rejected, true),
        (&[Yes, Abstain][..], Outcome::Passed, true),
        (&[Abstain, Abstain][..], Outcome::Rejected, true),
        (&[Yes, Yes, Veto, Veto][..], Outcome::Vetoed, false),
        (&[Yes][..], Outcome::NoQuorum, false),
        (&[][..], Outcome::NoQuorum, false),
    ] {
        let (outcome, kit) = decided(choices);
        assert_eq!(outcome, expected, "{choices:?}");
        assert_eq!(kit.balance(&kit.player(0)) > Coins(WEALTH.0 - 1_000), back, "{choices:?}");
        assert_eq!(held(kit.state.store()), Coins::ZERO);
        assert_eq!(kit.state.store().all::<VoteOf>().count(), 0, "votes are forgotten");
        let passed = outcome == Outcome::Passed;
        assert_eq!(AllParams::of(kit.state.store()).tables.most_rake_bps, if passed { 500 } else { 0 });
    }
}

#[test]
fn votes_count_by_the_stake_at_the_end() {
    let mut kit = Kit::new(4, 1);
    let proposal = propose(&mut kit, more_rake());
    vote(&mut kit, proposal, &[Choice::Yes, Choice::Yes, Choice::No]);
    let (consensus, operator) = (kit.consensus(2), kit.operator(2));
    kit.done(&operator, staking::Tx::Bond { consensus, coins: Coins(5_000_000) });
    assert_eq!(outcome(&mut kit), Outcome::Rejected);
}

#[test]
fn operators_can_change_their_minds_until_the_end() {
    let mut kit = Kit::new(4, 1);
    let proposal = propose(&mut kit, more_rake());
    vote(&mut kit, proposal, &[Choice::No, Choice::No]);
    vote(&mut kit, proposal, &[Choice::Yes, Choice::Yes]);
    assert_eq!(outcome(&mut kit), Outcome::Passed);
    let late = Tx::Vote { proposal, consensus: kit.consensus(0), choice: Choice::No };
    assert!(matches!(kit.run(&kit.operator(0), late), Receipt::Failed(_)));
}

#[test]
fn only_operators_vote_and_only_for_their_own() {
    let mut kit = Kit::new(2, 1);
    let proposal = propose(&mut kit, more_rake());
    let choice = Choice::Yes;
    let (alice, operator) = (kit.player(0), kit.operator(0));
    let (mine, other) = (kit.consensus(0), kit.consensus(1));
    assert!(matches!(kit.run(&alice, Tx::Vote { proposal, consensus: mine, choice }), Receipt::Failed(_)));
    assert!(matches!(kit.run(&operator, Tx::Vote { proposal, consensus: other, choice }), Receipt::Failed(_)));
    assert!(matches!(kit.run(&operator, Tx::Vote { proposal: 9, consensus: mine, choice }), Receipt::Failed(_)));
    assert_eq!(kit.state.store().all::<VoteOf>().count(), 0);
}

#[test]
fn a_chain_refuses_parameters_it_cannot_live_with() {
    let mut kit = Kit::new(2, 1);
    let params = AllParams::default();
    let wrong = [
        Change::Tables(tables::Params { most_rake_bps: 1_001, ..params.tables.clone() }),
        Change::Bank(bank::Params { block_gas: 0, ..params.bank.clone() }),
        Change::Staking(staking::Params { most_validators: 0, ..params.staking.clone() }),
        Change::Governance(Params { quorum_bps: 9_999, ..params.governance.clone() }),
        Change::Governance(Params { threshold_bps: 100, ..params.governance.clone() }),
        Change::Governance(Params { period: 0, ..params.governance }),
        Change::Dealer(dealer::Params { members: 3, ..params.dealer.clone() }),
        Change::Dealer(dealer::Params { members: 65, ..params.dealer }),
    ];
    for change in wrong {
        assert!(change.check().is_err());
        assert!(refused(&mut kit, Action::Change(change)));
    }
}

#[test]
fn a_change_that_was_meant_for_other_parameters_fails() {
    let mut kit = Kit::new(2, 1);
    let less = Action::Change(Change::Tables(tables::Params { most_rake_bps: 100, ..tables::Params::default() }));
    for action in [more_rake(), less] {
        let proposal = propose(&mut kit, action);
        vote(&mut kit, proposal, &[Choice::Yes, Choice::Yes]);
    }
    assert_eq!(outcome(&mut kit), Outcome::Passed);
    assert_eq!(outcome(&mut kit), Outcome::Failed(Failed::Stale));
    assert_eq!(AllParams::of(kit.state.store()).tables.most_rake_bps, 500);
}

#[test]
fn the_treasury_is_spent_by_votes_and_only_what_it_has() {
    let mut kit = Kit::new(2, 2);
    kit.done(&kit.player(1), bank::Tx::Transfer { to: TREASURY, coins: Coins(50_000) });
    let to = kit.player_address(1);
    let before = bank::balance(kit.state.store(), &to);
    for (coins, expected) in [(50_000, Outcome::Passed), (50_000, Outcome::Failed(Failed::Treasury))] {
        let proposal = propose(&mut kit, Action::Spend { to, coins: Coins(coins) });
        vote(&mut kit, proposal, &[Choice::Yes, Choice::Yes]);
        assert_eq!(outcome(&mut kit), expected);
        assert_eq!(bank::balance(kit.state.store(), &to), before + Coins(50_000));
    }
    assert!(refused(&mut kit, Action::Spend { to, coins: Coins::ZERO }));
}

#[test]
fn a_program_stops_at_rules_it_does_not_know() {
    let mut kit = Kit::new(2, 1);
    let height = kit.state.tip().height + 100;
    let proposal = propose(&mut kit, Action::Upgrade { version: 2, height });
    vote(&mut kit, proposal, &[Choice::Yes, Choice::Yes]);
    assert_eq!(outcome(&mut kit), Outcome::Passed);
    assert_eq!(rules_version(kit.state.store(), height - 1), 1);
    assert_eq!(rules_version(kit.state.store(), height), 2);
    while kit.state.tip().height + 1 < height {
        kit.next_block(Vec::new());
    }
    let block = kit.block(Vec::new());
    let root = kit.state.store().root();
    assert_eq!(kit.state.execute(&block).unwrap_err(), BadBlock::Rules { version: 2, known: KNOWN_VERSION });
    assert_eq!(kit.state.store().root(), root);
}

#[test]
fn an_upgrade_comes_with_notice_and_can_be_put_off() {
    let mut kit = Kit::new(2, 1);
    let height = kit.state.tip().height;
    assert!(refused(&mut kit, Action::Upgrade { version: 1, height: height + 1_000 }));
    assert!(refused(&mut kit, Action::Upgrade { version: 2, height: height + 2 }));
    // Soon enough to be proposed, but the vote ends too late for it.
    let height = kit.state.tip().height;
    for (height, expected) in [
        (height + 20, Outcome::Failed(Failed::Upgrade)),
        (height + 300, Outcome::Passed),
        (height + 400, Outcome::Passed),
    ] {
        let proposal = propose(&mut kit, Action::Upgrade { version: 2, height });
        vote(&mut kit, proposal, &[Choice::Yes, Choice::Yes]);
        assert_eq!(outcome(&mut kit), expected);
    }
    assert_eq!(rules_version(kit.state.store(), height + 300), 1);
    assert_eq!(rules_version(kit.state.store(), height + 400), 2);
}

#[test]
fn only_so_many_votes_are_open_at_a_time() {
    let mut params = AllParams::default();
    params.governance.most_open = 2;
    let mut kit = Kit::with(1, 1, params);
    propose(&mut kit, more_rake());
    propose(&mut kit, more_rake());
    assert!(refused(&mut kit, more_rake()));
}
