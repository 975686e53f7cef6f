use super::*;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn in_play() -> World {
    let mut world = World::with(terms());
    // The parameters of other modules change the chain, and it changes the keys of a hand.
    world.now.chain = [7; 32];
    for (player, stack) in [(0, 300), (1, 300), (4, 500)] {
        world.sit(player, stack).unwrap();
    }
    world.begin_dealt();
    world.acts(&[Action::BetTo(Coins(30)), Action::Call]);
    world.time_out();
    world.deal();
    world.act(Action::Check).unwrap();
    world
}

#[test]
fn a_stored_hand_is_read_as_the_same_state_of_play() {
    let mut world = in_play();
    let state = hand(&world.store, 1).unwrap().1.state_hash();
    let entries: Vec<_> = world.store.entries().map(|(key, value)| (key.to_vec(), value)).collect();
    let root = world.store.commit().0;
    world.store = Store::load(entries);
    assert_eq!(world.store.root(), root);
    assert_eq!(hand(&world.store, 1).unwrap().1.state_hash(), state);
    assert_eq!(world.turn(), Some(0));
    // It is played to its end.
    world.act(Action::BetTo(Coins(20))).unwrap();
    world.act(Action::Fold).unwrap();
    assert_eq!([0, 1, 4].map(|seat| world.stack(seat)), [340, 270, 490]);
}

#[test]
fn a_log_that_the_rules_do_not_accept_cannot_be_read() {
    let world = in_play();
    let good = world.store.get(&HandOf(1)).unwrap();
    let write = |begun: &Begun, log: &[Step]| borsh::to_vec(&(begun, log, good.since())).unwrap();
    assert!(borsh::from_slice::<Hand>(&write(good.begun(), good.log())).is_ok());
    let mut logs: Vec<Vec<Step>> = Vec::new();
    for at in 0..good.log().len() - 1 {
        let mut log = good.log().to_vec();
        log.remove(at);
        logs.push(log);
    }
    logs.push(vec![Step::Act { seat: 12, action: Action::Fold, timed_out: false }]);
    logs.push(vec![Step::Dealt(vec![]), Step::Act { seat: 0, action: Action::Check, timed_out: false }]);
    logs.push(vec![Step::Dealt(vec![]), Step::Dealt(vec![])]);
    logs.push(vec![Step::Dealt(vec![(0, 60)])]);
    logs.push(vec![Step::Dealt(vec![(0, 0); 24])]);
    for log in logs {
        assert!(borsh::from_slice::<Hand>(&write(good.begun(), &log)).is_err(), "{log:?}");
    }
    let changed = |change: &dyn Fn(&mut Begun)| {
        let mut begun = good.begun().clone();
        change(&mut begun);
        borsh::from_slice::<Hand>(&write(&begun, &[]))
    };
    assert!(changed(&|_| ()).is_ok());
    assert!(changed(&|begun| begun.players.truncate(1)).is_err());
    assert!(changed(&|begun| begun.players[0].seat = 9).is_err());
    assert!(changed(&|begun| begun.players[0].stack = Coins(u64::MAX)).is_err());
    assert!(changed(&|begun| begun.button = 9).is_err());
    assert!(changed(&|begun| begun.deck = u32::MAX).is_err());
    assert!(changed(&|begun| begun.players = vec![begun.players[0].clone(); 10]).is_err());
}

#[test]
fn a_length_out_of_range_is_refused_before_anything_is_allocated() {
    let world = in_play();
    let good = world.store.get(&HandOf(1)).unwrap();
    let mut bytes = borsh::to_vec(good.begun()).unwrap();
    bytes.extend(u32::MAX.to_le_bytes());
    assert!(borsh::from_slice::<Hand>(&bytes).is_err());
}

#[test]
fn encodings_are_frozen() {
    let world = in_play();
    let of = |bytes: Vec<u8>| hex(&crate::units::hash("test", &[&bytes])[..8]);
    let frozen = [
        of(borsh::to_vec(world.ring()).unwrap()),
        of(borsh::to_vec(world.store.get(&HandOf(1)).unwrap()).unwrap()),
        of(borsh::to_vec(&Tx::Create { terms: terms(), purse: Coins(5) }).unwrap()),
        of(player_key(&[1; 32], 2, 3, &secret(4).public()).bytes().to_vec()),
    ];
    assert_eq!(frozen, ["3af4f7ba9201604e", "7f91038fbafa9d16", "6b6f625db1c3bee8", "411c2c758579cf0a"]);
    let act = Tx::Act { table: 1, hand: 2, height: 3, action: Action::BetTo(Coins(4)) };
    assert_eq!(
        hex(&borsh::to_vec(&act).unwrap()),
        "0901000000000000000200000003000000000000000304 00000000000000".replace(' ', "")
    );
}
