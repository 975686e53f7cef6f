//! A validator that does not deal.

use bots::Kind;
use chain::staking::{self, Standing, ValidatorOf};
use chain::{Address, Event, dealer, tables};
use node::network::STAKE;
use serde_json::json;

use crate::common::checks::Disks;
use crate::common::crowd::{Crowd, Manner};
use crate::common::{Net, ask};
use crate::{alone, quick, soak};

/// It takes part in blocks, but says nothing about cards: it pays, loses its vote, and hands go on in this epoch and in
/// later ones. Once it deals again and its time is over, it decides again by itself.
#[test]
fn a_validator_that_stops_dealing_is_punished_while_hands_go_on() {
    let _alone = alone();
    let mut net = Net::new(4, 4, if soak() { 100 } else { 40 }).with_params(|params| {
        // Those who deal have time enough on a slow computer, and nobody waits for half a minute for who does not.
        params.dealer.keys_timeout = 10_000;
        params.dealer.shuffle_blocks = 20;
        params.staking.penalties.silent.jail = 20_000;
        params.staking.penalties.silent_in_keys.jail = 20_000;
    });
    let silent = Address(net.homes[3].validator_key().unwrap().unwrap().verifying_key().to_bytes());
    net.start_all();
    net.open_table_with(0, quick());
    let crowd = Crowd::play(&mut net, &[Manner::Computer(Kind::Normal); 4]);
    net.await_hands(1, 0, &crowd);
    net.kill(3);
    net.set(3, |settings| settings.dealer = false);
    net.start(3);
    let standing = |net: &Net| {
        let list = ask(net.rpc(0), "validators", &json!({})).unwrap_or_default();
        let found = list.as_array()?.iter().find(|one| one["consensus"] == silent.to_string())?.clone();
        Some((found["decides"].as_bool()?, found["stake"].as_u64()?))
    };
    net.wait("the one that does not deal to be jailed", || standing(&net).is_some_and(|(decides, _)| !decides));
    let epoch = |net: &Net| ask(net.rpc(0), "status", &json!({})).ok().and_then(|status| status["epoch"].as_u64());
    let first = epoch(&net).unwrap();
    let epochs = if soak() { 5 } else { 1 };
    net.wait("the next epoch", || epoch(&net).is_some_and(|epoch| epoch >= first + epochs));
    net.await_hands(2, 1, &crowd);
    assert!(standing(&net).is_some_and(|(decides, _)| !decides), "a node that does not deal does not ask for it");
    net.kill(3);
    net.set(3, |settings| settings.dealer = true);
    net.start(3);
    net.wait("the one that deals again to decide again", || standing(&net).is_some_and(|(decides, _)| decides));
    crowd.stop();

    let disks = Disks::check(&mut net);
    let store = disks.state(0).store();
    let validator = store.get(&ValidatorOf(silent)).unwrap();
    assert!(validator.stake < STAKE, "it has lost a part of its stake");
    assert_eq!(validator.standing, Standing::Free);
    assert!(staking::validators(store).iter().any(|(who, _)| *who == silent));
    let jailed = disks.events().iter().position(|(_, event)| {
        matches!(event, Event::Staking(staking::Event::ValidatorJailed { consensus, .. }) if *consensus == silent)
    });
    let after = &disks.events()[jailed.unwrap()..];
    let released = after.iter().any(|(_, event)| {
        matches!(event, Event::Staking(staking::Event::ValidatorReleased { consensus }) if *consensus == silent)
    });
    assert!(released, "{after:?}");
    let ended = |(_, event): &&(u64, Event)| matches!(event, Event::Tables(tables::Event::HandCompleted { .. }));
    assert!(after.iter().filter(ended).count() >= 2, "hands go on");
    let begun = |(_, event): &(u64, Event)| match event {
        Event::Dealer(dealer::Event::DealerHandInitialized { epoch, .. }) => Some(*epoch),
        _ => None,
    };
    assert!(after.iter().filter_map(begun).any(|epoch| epoch > first), "the next epoch deals too");
    assert!(disks.verify_hands(2) > 0);
}
