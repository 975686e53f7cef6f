use super::*;

const CALL: Action = Action::Call;
const CHECK: Action = Action::Check;
const FOLD: Action = Action::Fold;

fn raked(bps: u16, stacks: &[(u8, u64)]) -> World {
    let mut world = World::new();
    world.params(|params| params.most_rake_bps = bps);
    world.tx(HOST, Tx::Create { terms: Terms { rake_bps: bps, ..terms() }, purse: Coins::ZERO }).unwrap();
    for (player, stack) in stacks {
        world.sit(*player, *stack).unwrap();
    }
    world.begin_dealt();
    world
}

#[test]
fn no_flop_no_rake() {
    let mut world = raked(500, &[(0, 300), (1, 300)]);
    let treasury = world.treasury();
    world.acts(&[Action::BetTo(Coins(100)), FOLD]);
    assert_eq!((world.stack(0), world.stack(1), world.treasury()), (310, 290, treasury));
}

#[test]
fn rake_is_rounded_down_after_uncalled_bets_are_returned() {
    let mut world = raked(500, &[(0, 300), (1, 300)]);
    let treasury = world.treasury();
    world.acts(&[Action::BetTo(Coins(29)), CALL]);
    world.deal();
    // Nobody calls the 200, so only 58 are in the pot.
    world.acts(&[Action::BetTo(Coins(200)), FOLD]);
    assert_eq!((world.stack(0), world.stack(1), world.treasury()), (271, 327, treasury + 2));
    let completed = world.told().into_iter().rfind(|event| matches!(event, Event::HandCompleted { .. })).unwrap();
    let stacks = vec![(0, Coins(271)), (1, Coins(327))];
    assert_eq!(completed, Event::HandCompleted { table: 1, hand: 1, rake: Coins(2), stacks });
}

#[test]
fn winners_pay_in_proportion_and_odd_chips_from_left_of_the_button() {
    let mut world = raked(300, &[(0, 300), (1, 300), (2, 300)]);
    world.stack_deck(&[(0, "2d 4h"), (1, "Ad Kc"), (2, "As Kh")], "Qs Jh Tc 2c 3d");
    world.acts(&[Action::BetTo(Coins(30)), CALL, CALL]);
    for actions in [[CHECK, CHECK, FOLD].as_slice(), &[CHECK, CHECK], &[CHECK, CHECK]] {
        world.deal();
        world.acts(actions);
    }
    let treasury = world.treasury();
    world.deal();
    // 90 in the pot, 45 each; 2 of rake, one from each.
    assert_eq!([0, 1, 2].map(|seat| world.stack(seat)), [270, 314, 314]);
    assert_eq!(world.treasury(), treasury + 2);

    let mut world = raked(120, &[(0, 300), (1, 300), (2, 300)]);
    world.stack_deck(&[(0, "2d 4h"), (1, "Ad Kc"), (2, "As Kh")], "Qs Jh Tc 2c 3d");
    world.acts(&[Action::BetTo(Coins(30)), CALL, CALL]);
    for actions in [[CHECK, CHECK, FOLD].as_slice(), &[CHECK, CHECK], &[CHECK, CHECK]] {
        world.deal();
        world.acts(actions);
    }
    world.deal();
    assert_eq!([0, 1, 2].map(|seat| world.stack(seat)), [270, 314, 315], "one chip, from left of the button");
}

#[test]
fn side_pots_are_raked_together() {
    let mut world = raked(1_000, &[(0, 200), (1, 400), (2, 600)]);
    world.stack_deck(&[(0, "As Ah"), (1, "Ks Kh"), (2, "Qs Qh")], "2c 3d 7h 8s Jd");
    world.acts(&[Action::AllIn, Action::AllIn, CALL]);
    world.deal();
    world.deal();
    assert_eq!([0, 1, 2].map(|seat| world.stack(seat)), [540, 360, 200]);
}

#[test]
fn governance_can_lower_the_rake_of_existing_tables() {
    let mut world = raked(1_000, &[(0, 300), (1, 300)]);
    world.params(|params| params.most_rake_bps = 0);
    // The hand that has begun keeps what it began with.
    world.acts(&[CALL, CHECK]);
    world.deal();
    world.acts(&[Action::BetTo(Coins(10)), FOLD]);
    assert_eq!((world.stack(0), world.stack(1)), (290, 308));
    world.begin_dealt();
    world.acts(&[CALL, CHECK]);
    world.deal();
    world.acts(&[Action::BetTo(Coins(10)), FOLD]);
    assert_eq!((world.stack(0), world.stack(1)), (300, 298));
}

#[test]
fn rake_never_takes_more_than_was_won() {
    for bps in [1, 33, 500, 9_999, 10_000] {
        let mut world = raked(bps, &[(0, 300), (1, 300), (2, 300)]);
        world.stack_deck(&[(0, "2d 4h"), (1, "Ad Kc"), (2, "As Kh")], "Qs Jh Tc 2c 3d");
        world.acts(&[CALL, CALL, CHECK]);
        for _ in 0..3 {
            world.deal();
            world.acts(&[CHECK, CHECK, CHECK]);
        }
        let treasury = world.treasury();
        world.deal();
        assert_eq!(world.treasury() - treasury, 30 * u64::from(bps) / 10_000);
        assert!([1, 2].iter().all(|seat| world.stack(*seat) >= 290));
    }
}
