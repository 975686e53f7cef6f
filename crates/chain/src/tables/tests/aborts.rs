use super::*;

const CALL: Action = Action::Call;
const CHECK: Action = Action::Check;

/// A table of three in every phase of a hand that somebody can wait for.
fn phases() -> Vec<(Phase, World)> {
    let start = || {
        let mut world = World::seated(&[(0, 300), (1, 400), (2, 500)]);
        world.begin();
        world
    };
    let mut all = vec![(Phase::DealHole, start())];
    let betting = [Phase::PreflopBetting, Phase::FlopBetting, Phase::TurnBetting, Phase::RiverBetting];
    let revealing = [Phase::FlopReveal, Phase::TurnReveal, Phase::RiverReveal, Phase::Showdown];
    for streets in 0..4 {
        let mut world = start();
        world.deal();
        for _ in 0..streets {
            while world.turn().is_some() {
                world.act(CHECK).or_else(|_| world.act(CALL)).unwrap();
            }
            world.deal();
        }
        world.act(Action::BetTo(Coins(40))).unwrap();
        all.push((betting[streets], world));
        let mut world = start();
        world.deal();
        for street in 0..=streets {
            while world.turn().is_some() {
                world.act(CHECK).or_else(|_| world.act(CALL)).unwrap();
            }
            if street < streets {
                world.deal();
            }
        }
        all.push((revealing[streets], world));
    }
    all
}

#[test]
fn an_aborted_hand_gives_everybody_back_what_they_put_in_whatever_the_phase() {
    for (expected, mut world) in phases() {
        assert_eq!(phase(&world.store, 1), Some(expected));
        let put: u64 = 1_200 - [0, 1, 2].map(|seat| world.stack(seat)).iter().sum::<u64>();
        let held_before = held(&world.store);
        world.told();
        world.cx(|cx| dealer_failed(cx, 1));
        assert_eq!([0, 1, 2].map(|seat| world.stack(seat)), [300, 400, 500], "{expected:?}");
        assert_eq!(held(&world.store), held_before);
        let told = world.told();
        let refunded: u64 =
            told.iter().map(|event| if let Event::PotRefunded { coins, .. } = event { coins.0 } else { 0 }).sum();
        assert_eq!(refunded, put);
        let stacks = vec![(0, Coins(300)), (1, Coins(400)), (2, Coins(500))];
        let aborted = Event::HandAborted { table: 1, hand: 1, blinds: Coins(0), penalty: Coins(0), stacks };
        assert_eq!(told.last(), Some(&aborted));
        assert_eq!([0, 1, 2].map(|seat| world.player(seat).bond), [Coins(50); 3], "nobody at the table is to blame");
    }
}

#[test]
fn the_button_stays_after_an_abort() {
    let mut world = World::seated(&[(0, 300), (1, 300), (2, 300)]);
    world.begin_dealt();
    world.acts(&[Action::Fold, Action::Fold]);
    world.begin();
    assert_eq!(world.ring().button, Some(1));
    world.cx(|cx| dealer_failed(cx, 1));
    world.begin_dealt();
    assert_eq!(world.ring().button, Some(1));
    world.acts(&[Action::Fold, Action::Fold]);
    world.begin();
    assert_eq!(world.ring().button, Some(2));
}

#[test]
fn governance_may_keep_the_blinds_of_a_hand_in_which_nobody_has_acted() {
    for (expected, mut world) in phases() {
        world.params(|params| params.abort_keeps_blinds = true);
        let treasury = world.treasury();
        let acted = expected > Phase::DealHole;
        world.cx(|cx| dealer_failed(cx, 1));
        let stacks = if acted { [300, 400, 500] } else { [300, 395, 490] };
        assert_eq!([0, 1, 2].map(|seat| world.stack(seat)), stacks, "{expected:?}");
        assert_eq!(world.treasury() - treasury, if acted { 0 } else { 15 });
    }
}

#[test]
fn an_abort_can_cost_everybody_a_penalty() {
    let mut world = World::seated(&[(0, 300), (1, 300), (2, 300)]);
    world.params(|params| params.abort_penalty = Coins(7));
    world.tx(2, Tx::SitOut { table: 1 }).unwrap();
    world.begin_dealt();
    let treasury = world.treasury();
    world.cx(|cx| dealer_failed(cx, 1));
    assert_eq!([0, 1, 2].map(|seat| world.stack(seat)), [293, 293, 300], "only those who were in the hand");
    assert_eq!(world.treasury() - treasury, 14);
    // Nobody pays more than they have.
    world.params(|params| params.abort_penalty = Coins(u64::MAX));
    world.begin();
    world.cx(|cx| dealer_failed(cx, 1));
    assert_eq!([0, 1, 2].map(|seat| world.stack(seat)), [0, 0, 300]);
}

#[test]
fn what_waits_for_the_end_of_a_hand_happens_after_an_abort_too() {
    let mut world = World::seated(&[(0, 300), (1, 300), (2, 300)]);
    world.begin_dealt();
    world.tx(0, Tx::Leave { table: 1 }).unwrap();
    world.tx(1, Tx::Rebuy { table: 1, coins: Coins(100) }).unwrap();
    world.cx(|cx| dealer_failed(cx, 1));
    assert_eq!(world.balance(0), RICH.0);
    assert_eq!(world.stack(1), 400);
}

#[test]
fn a_folded_player_is_refunded_too() {
    let mut world = World::seated(&[(0, 300), (1, 300), (2, 300)]);
    world.begin_dealt();
    world.acts(&[CALL, Action::Fold, CHECK]);
    world.tx(1, Tx::Leave { table: 1 }).unwrap();
    world.cx(|cx| dealer_failed(cx, 1));
    assert_eq!(world.balance(1), RICH.0);
}

#[test]
fn faces_that_cannot_be_are_a_failure_of_the_dealer() {
    for faces in [
        Faces::new(),
        // The same card three times.
        (0..52).map(|index| (Slot::new(1, index), "As".parse().unwrap())).collect(),
        // The faces of another deck.
        (0..52).map(|index| (Slot::new(2, index), Card::from_code(u8::try_from(index).unwrap()).unwrap())).collect(),
    ] {
        let mut world = World::seated(&[(0, 300), (1, 300)]);
        world.begin_dealt();
        world.acts(&[CALL, CHECK]);
        world.told();
        world.cx(|cx| dealt(cx, 1, &faces));
        assert!(matches!(world.told().last(), Some(Event::HandAborted { .. })));
        assert_eq!((world.stack(0), world.stack(1)), (300, 300));
    }
}

#[test]
fn without_a_hand_there_is_nothing_to_abort() {
    let mut world = World::seated(&[(0, 300), (1, 300)]);
    world.told();
    world.cx(|cx| dealer_failed(cx, 1));
    world.cx(|cx| dealer_failed(cx, 7));
    assert_eq!(world.told(), []);
}
