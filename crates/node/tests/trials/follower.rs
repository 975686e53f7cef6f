//! A node that begins with nothing.

use bots::Kind;

use crate::common::Net;
use crate::common::checks::Disks;
use crate::common::crowd::{Crowd, Manner};
use crate::{alone, quick, soak};

/// It has the genesis and the addresses of others. It fetches all blocks, executes them, and then follows.
#[test]
fn an_empty_node_catches_up_with_four_that_go_on() {
    let _alone = alone();
    let mut net = Net::new(4, 3, 60);
    net.start_all();
    net.open_table_with(0, quick());
    let crowd = Crowd::play(&mut net, &[Manner::Computer(Kind::Easy); 3]);
    net.await_hands(if soak() { 50 } else { 2 }, 0, &crowd);
    let follower = net.add_follower();
    net.start(follower);
    let behind = net.height(0).unwrap();
    net.await_height(follower, behind);
    // From now on it hears of every block like the others, and players may ask it.
    net.await_hands(1, follower, &crowd);
    crowd.stop();
    let disks = Disks::check(&mut net);
    assert!(disks.state(follower).tip().height > behind);
    assert!(disks.verify_hands(1) > 0);
}
