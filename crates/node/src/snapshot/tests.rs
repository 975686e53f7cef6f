use chain::light::{BadCertificate, Certificate};
use chain::staking::{Kind, Vote, validators};
use chain::testing::{Kit, key};
use consensus::App as _;

use super::*;
use crate::core::Shared;
use crate::disk::Disk;

/// How long a trusted block is good for.
const TRUSTED: u64 = 60_000;

/// A chain of three blocks, and the snapshot of the state after the second.
fn snapshot(validators: u16) -> (Kit, Snapshot) {
    let mut kit = Kit::new(validators, 2);
    kit.next_block(Vec::new());
    kit.next_block(Vec::new());
    let state = kit.state.clone();
    kit.next_block(Vec::new());
    let (last, next) = (kit.blocks[1].header.clone(), decided(&state, kit.blocks[2].header.clone(), validators));
    (kit, Snapshot { last, next, state: state.snapshot() })
}

/// A header that all validators have signed.
fn decided(before: &State, header: Header, count: u16) -> Decided {
    let (chain, height, block) = (header.chain, header.height, header.hash());
    let vote = Vote { chain, height, round: 0, kind: Kind::Precommit, block: Some(block) };
    let sign = |number: u16| (chain::testing::address(&key(number)), vote.sign(&key(number)));
    let certificate = Certificate { height, round: 0, block, signatures: (0..count).map(sign).collect() };
    Decided { header, certificate, validators: validators(before.store()) }
}

fn check(kit: &Kit, snapshot: &Snapshot) -> Result<State, Unbelievable> {
    snapshot.check(&mut Light::new(&kit.genesis), kit.state.tip().time, TRUSTED)
}

#[test]
fn a_proven_snapshot_is_believed_and_a_node_can_begin_with_it() {
    let (kit, snapshot) = snapshot(4);
    let state = check(&kit, &snapshot).unwrap();
    assert_eq!((state.tip().height, state.store().root()), (2, snapshot.next.header.root));
    let folder = tempfile::tempdir().unwrap();
    let disk = Disk::open(&folder.path().join("chain.redb")).unwrap();
    disk.begin(&state).unwrap();
    let mut shared = Shared::open(disk, &kit.genesis, Some(key(0))).unwrap();
    // It has no block of before, and does not say that it had.
    assert_eq!((shared.next().height, shared.earliest()), (3, 3));
    assert!(shared.history(1, 3).is_empty() && shared.header(2).unwrap().is_none());
    assert!(shared.disk().events(0, 10, 10).unwrap().is_empty());
    let turn = shared.next();
    let round = chain::staking::round_of(&turn.validators, 3, &shared.me().unwrap()).unwrap();
    let part = shared.propose(3, round).unwrap();
    let certificate = Certificate { height: 3, round, block: part.block.header.hash(), signatures: Vec::new() };
    shared.decided(certificate).unwrap();
    assert_eq!((shared.earliest(), shared.history(1, 9).len(), shared.history(3, 9).len()), (3, 0, 1));
    assert_eq!(shared.offers.newest(&shared).unwrap(), None, "it cannot prove the first state that it has");
    drop(shared);
    let disk = Disk::open(&folder.path().join("chain.redb")).unwrap();
    assert_eq!(Shared::open(disk, &kit.genesis, None).unwrap().next().height, 4);
}

#[test]
fn a_poisoned_snapshot_is_refused() {
    let (kit, good) = snapshot(4);
    let wrong = |change: &dyn Fn(&mut Snapshot)| {
        let mut changed = good.clone();
        change(&mut changed);
        check(&kit, &changed).unwrap_err()
    };
    // Every byte counts, wherever it is.
    for place in (0..good.state.len()).step_by(97) {
        let why = wrong(&|snapshot| snapshot.state[place] ^= 1);
        assert!(matches!(why, Unbelievable::State(_)), "{place}: {why}");
    }
    assert_eq!(wrong(&|snapshot| snapshot.state.truncate(100)), Unbelievable::State(BadSnapshot::Short));
    assert_eq!(wrong(&|snapshot| snapshot.state.push(0)), Unbelievable::State(BadSnapshot::Long));
    assert_eq!(wrong(&|snapshot| snapshot.state.clear()), Unbelievable::State(BadSnapshot::Short));
    let header = |why| Unbelievable::Header(Doubt::Certificate(why));
    assert!(matches!(
        wrong(&|snapshot| snapshot.next.certificate.signatures.truncate(2)),
        Unbelievable::Header(Doubt::Certificate(BadCertificate::Power { .. }))
    ));
    let signer = good.next.certificate.signatures[0].0;
    assert_eq!(
        wrong(&|snapshot| snapshot.next.certificate.signatures[0].1[0] ^= 1),
        header(BadCertificate::Signature(signer))
    );
    assert_eq!(wrong(&|snapshot| snapshot.next.header.root[0] ^= 1), header(BadCertificate::Block));
    assert_eq!(wrong(&|snapshot| snapshot.last.time += 1), Unbelievable::Header(Doubt::Parent));
    assert_eq!(wrong(&|snapshot| snapshot.next.validators.truncate(3)), Unbelievable::Header(Doubt::Validators));
    let (_, other) = snapshot(5);
    assert_eq!(check(&kit, &other).unwrap_err(), Unbelievable::Header(Doubt::Chain));
    // The state of another block, with a root that was true once.
    let elsewhere = Snapshot { state: State::new(&kit.genesis).snapshot(), ..good.clone() };
    assert!(matches!(check(&kit, &elsewhere), Err(Unbelievable::State(BadSnapshot::Root { .. }))));
}

#[test]
fn what_is_trusted_must_be_young_and_not_after_the_snapshot() {
    let (kit, good) = snapshot(4);
    let late = kit.genesis.time + TRUSTED + 1;
    assert_eq!(
        good.check(&mut Light::new(&kit.genesis), late, TRUSTED).unwrap_err(),
        Unbelievable::Header(Doubt::Expired)
    );
    // A block that somebody vouches for is as good as the genesis.
    let chain = kit.genesis.chain();
    let mut vouched = Light::trusted(&chain, &good.last, &good.next, &good.next.header.hash()).unwrap();
    assert!(good.check(&mut vouched.clone(), late, TRUSTED).is_ok());
    let later = kit.state.tip().time + TRUSTED + 1;
    assert_eq!(good.check(&mut vouched.clone(), later, TRUSTED).unwrap_err(), Unbelievable::Header(Doubt::Expired));
    let older = Snapshot { next: decided(&kit.state, kit.blocks[1].header.clone(), 4), ..good.clone() };
    assert_eq!(older.check(&mut vouched, late, TRUSTED).unwrap_err(), Unbelievable::Older { trusted: 3 });
    assert!(Light::trusted(&chain, &good.last, &good.next, &[7; 32]).is_err());
}

#[test]
fn a_file_holds_a_snapshot_and_nothing_else() {
    let (_, good) = snapshot(4);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("snapshot");
    good.write(&file).unwrap();
    assert_eq!(Snapshot::read(&file).unwrap(), good);
    assert!(good.write(&file).is_err(), "what is there is not overwritten");
    let bytes = std::fs::read(&file).unwrap();
    for (content, expected) in [
        (&bytes[..bytes.len() - 1], "cut off or damaged"),
        (&[&bytes[..], &[0]].concat(), "cut off or damaged"),
        (b"something else", "not a snapshot"),
    ] {
        std::fs::write(&file, content).unwrap();
        let why = Snapshot::read(&file).unwrap_err();
        assert!(why.contains(expected), "{why}");
    }
}
