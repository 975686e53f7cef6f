use std::collections::BTreeSet;
use std::path::Path;

use proptest::prelude::*;

use crate::State;
use crate::bank::AccountOf;
use crate::store::{BadSnapshot, Key, SPACES};
use crate::testing::Kit;

/// Whatever begins with `struct Name(…) => …, in 0x…;` in the sources, with its byte.
fn declared(folder: &Path, spaces: &mut BTreeSet<(u8, String)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if !path.ends_with("tests") {
                declared(&path, spaces);
            }
        } else if !path.ends_with("tests.rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            for (declaration, rest) in text.lines().filter_map(|line| line.split_once(", in 0x")) {
                let Some((_, name)) = declaration.split_once("struct ") else { continue };
                let Some(byte) = rest.strip_suffix(';') else { continue };
                let name = name.split('(').next().unwrap().to_owned();
                spaces.insert((u8::from_str_radix(byte, 16).unwrap(), name));
            }
        }
    }
}

#[test]
fn every_space_is_registered_once() {
    let mut expected = BTreeSet::new();
    declared(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut expected);
    assert!(expected.len() >= 10, "the declarations are found");
    let registered: Vec<(u8, String)> = SPACES.iter().map(|space| (space.byte, space.name.to_owned())).collect();
    assert_eq!(registered, expected.into_iter().collect::<Vec<_>>(), "register spaces in the order of their bytes");
    assert!(SPACES.is_sorted_by(|a, b| a.byte < b.byte), "every space has its own byte");
}

#[test]
fn a_state_from_a_snapshot_goes_on_as_the_original() {
    let mut kit = Kit::new(3, 2);
    kit.wait(5_000);
    let bytes = kit.state.snapshot();
    let mut copy = State::from_snapshot(&bytes, &kit.state.store().root()).unwrap();
    assert_eq!(copy.snapshot(), bytes);
    let block = kit.block(Vec::new());
    assert_eq!(copy.execute(&block).unwrap().root, kit.state.execute(&block).unwrap().root);
}

#[test]
fn a_snapshot_of_another_state_is_refused() {
    let kit = Kit::new(1, 1);
    let got = kit.state.store().root();
    assert_eq!(State::from_snapshot(&kit.state.snapshot(), &[7; 32]).unwrap_err(), BadSnapshot::Root { got });
}

#[test]
fn a_snapshot_says_what_is_wrong_with_it() {
    let kit = Kit::new(1, 1);
    let (bytes, root) = (kit.state.snapshot(), kit.state.store().root());
    let read = |bytes: &[u8]| State::from_snapshot(bytes, &root).unwrap_err();
    assert_eq!(read(&[]), BadSnapshot::Short);
    assert_eq!(read(&[9]), BadSnapshot::Version { expected: 1 });
    assert_eq!(read(&bytes[..bytes.len() - 1]), BadSnapshot::Short);
    assert_eq!(read(&[&bytes[..], &[0]].concat()), BadSnapshot::Long);
    assert_eq!(read(&[1, 0, 0, 0, 0]), BadSnapshot::Incomplete);
    let write = |entries: &[(&[u8], &[u8])]| {
        let mut out = vec![1];
        borsh::to_writer(&mut out, &entries.iter().map(|(k, v)| (k.to_vec(), v.to_vec())).collect::<Vec<_>>()).unwrap();
        out
    };
    let (account, other) = (AccountOf(kit.player_address(0)).bytes(), AccountOf(kit.consensus(0)).bytes());
    let (low, high) = if account < other { (account, other) } else { (other, account) };
    assert_eq!(read(&write(&[(&high, &[0; 16]), (&low, &[0; 16])])), BadSnapshot::Order { entry: 1 });
    assert_eq!(read(&write(&[(&low, &[0; 16]), (&low, &[0; 16])])), BadSnapshot::Order { entry: 1 });
    assert_eq!(read(&write(&[(&low, &[0; 15])])), BadSnapshot::Entry { entry: 0 });
    assert_eq!(read(&write(&[(&low[1..], &[0; 16])])), BadSnapshot::Entry { entry: 0 });
    assert_eq!(read(&write(&[(&[0xfe, 1], &[])])), BadSnapshot::Entry { entry: 0 });
    assert_eq!(read(&write(&[(&[], &[])])), BadSnapshot::Entry { entry: 0 });
    // A length that promises far more than there is.
    assert_eq!(read(&[1, 255, 255, 255, 255, 255, 255, 255, 255]), BadSnapshot::Short);
}

proptest! {
    #[test]
    fn a_snapshot_with_any_changed_byte_is_refused(place in any::<prop::sample::Index>(), flip in 1_u8..) {
        let kit = Kit::new(1, 1);
        let (mut bytes, root) = (kit.state.snapshot(), kit.state.store().root());
        let at = place.index(bytes.len());
        bytes[at] ^= flip;
        prop_assert!(State::from_snapshot(&bytes, &root).is_err());
    }
}
