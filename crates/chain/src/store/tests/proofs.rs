use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;

use super::super::trie::{Proof, Trie};
use super::super::{Entry, value_hash};
use crate::units::Hash;

type Entries = BTreeMap<Vec<u8>, Vec<u8>>;

fn trie(entries: &Entries) -> Trie {
    let mut trie = Trie::default();
    for (key, value) in entries {
        put(&mut trie, key, value);
    }
    trie
}

fn put(trie: &mut Trie, key: &[u8], value: &[u8]) {
    trie.insert(key.into(), Arc::new(Entry::stored(value.into())));
}

/// Keys that share beginnings, are beginnings of others, and are sometimes empty.
fn keys() -> impl Strategy<Value = Vec<u8>> {
    vec(prop_oneof![Just(0), Just(1), Just(0x80), Just(0xff), any::<u8>()], 0..6)
}

fn entries() -> impl Strategy<Value = Entries> {
    btree_map(keys(), vec(any::<u8>(), 0..4), 0..40)
}

fn hex(hash: Hash) -> String {
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn roots_are_frozen() {
    let mut trie = Trie::default();
    assert_eq!(hex(trie.root()), "b8722405e5773afb7a355f34de463948b431999ea5f40e44c0471a1140f80876");
    put(&mut trie, b"\x10one", b"1");
    assert_eq!(hex(trie.root()), "76057a670c6dac45c46bc8dea358c84f200cfe3a8c287ee5480f53edcc8a521e");
    put(&mut trie, b"\x10two", b"2");
    put(&mut trie, b"\x20one", b"3");
    assert_eq!(hex(trie.root()), "d64561ee50bd0f3d0eedf01b5f6646ce76e1cb6a84cb575195a780799bcbf212");
}

#[test]
fn proofs_are_encoded_as_before() {
    let mut trie = Trie::default();
    put(&mut trie, b"a", b"1");
    put(&mut trie, b"b", b"2");
    // One step of 2 + 32 bytes, and how it ends.
    let found = borsh::to_vec(&trie.prove(b"a")).unwrap();
    assert_eq!((found.len(), &found[..6], found[38]), (4 + 34 + 1, &[1, 0, 0, 0, 7, 0][..], 1));
    let other = borsh::to_vec(&trie.prove(b"c")).unwrap();
    assert_eq!((other.len(), other[38]), (4 + 34 + 1 + 4 + 1 + 32, 2));
    assert_eq!(borsh::to_vec(&Trie::default().prove(b"a")).unwrap(), [0, 0, 0, 0, 0]);
}

#[test]
fn a_copy_of_a_tree_does_not_follow_the_original() {
    let entries = Entries::from([(b"a".to_vec(), vec![1]), (b"b".to_vec(), vec![2]), (b"c".to_vec(), vec![3])]);
    let mut original = trie(&entries);
    let copy = original.clone();
    let root = original.root();
    put(&mut original, b"b", &[9]);
    original.remove(b"a");
    assert_eq!(copy.root(), root);
    assert_ne!(original.root(), root);
}

#[test]
fn a_key_that_is_too_long_is_refused() {
    let trie = trie(&Entries::from([(b"a".to_vec(), vec![1])]));
    let long = vec![7; 100_000];
    assert!(trie.prove(&long).verify(&trie.root(), &long, None).is_err());
}

#[test]
fn the_leaf_of_another_key_does_not_show_an_absence_that_is_not_there() {
    let trie = trie(&Entries::from([(b"a".to_vec(), vec![1]), (b"b".to_vec(), vec![2])]));
    // The way to "c" ends at the leaf of "b"; the same proof must not show that "b" or "a" is absent.
    let proof = trie.prove(b"c");
    assert!(proof.verify(&trie.root(), b"c", None).is_ok());
    assert!(proof.verify(&trie.root(), b"b", None).is_err());
    assert!(proof.verify(&trie.root(), b"a", None).is_err());
}

#[test]
fn entries_changed_back_give_the_root_they_had() {
    let number = |n: u32| [&[0x10][..], &value_hash(&n.to_be_bytes())].concat();
    let mut trie = Trie::default();
    for n in 0..5_000 {
        put(&mut trie, &number(n), &[0; 32]);
    }
    let before = trie.root();
    for n in 0..100 {
        put(&mut trie, &number(n), &[1; 32]);
    }
    let changed = trie.root();
    for n in 0..100 {
        put(&mut trie, &number(n), &[0; 32]);
    }
    assert_ne!(before, changed);
    assert_eq!(trie.root(), before);
}

proptest! {
    #[test]
    fn entries_come_in_the_order_of_their_keys_from_any_key_on(entries in entries(), gone in entries(), start in keys()) {
        let mut tree = trie(&entries);
        let mut expected = entries;
        for key in gone.keys() {
            prop_assert_eq!(tree.remove(key).is_some(), expected.remove(key).is_some());
        }
        let found: Vec<_> = tree.from(&start).map(|(key, entry)| (key.to_vec(), entry.bytes().to_vec())).collect();
        prop_assert_eq!(found, expected.range(start.clone()..).map(|(k, v)| (k.clone(), v.clone())).collect::<Vec<_>>());
        prop_assert_eq!(tree.len(), expected.len());
        prop_assert_eq!(tree.get(&start).map(|entry| entry.bytes().to_vec()), expected.get(&start).cloned());
    }

    #[test]
    fn the_root_depends_only_on_the_entries(
        entries in entries(),
        others in entries(),
        order in any::<prop::sample::Index>(),
    ) {
        let expected = trie(&entries).root();
        // Others are put in first and between, in another order, and taken out again.
        let mut other_way = Trie::default();
        for (key, value) in &others {
            put(&mut other_way, key, value);
            other_way.root();
        }
        let list: Vec<_> = entries.iter().collect();
        let start = if list.is_empty() { 0 } else { order.index(list.len()) };
        for (key, value) in list[start..].iter().chain(&list[..start]).rev() {
            put(&mut other_way, key, b"old");
            put(&mut other_way, key, value);
        }
        for key in others.keys().filter(|key| !entries.contains_key(*key)) {
            other_way.remove(key);
            other_way.remove(key);
        }
        prop_assert_eq!(other_way.root(), expected);
    }

    #[test]
    fn every_entry_and_every_absence_can_be_shown(entries in entries(), absent in vec(keys(), 1..20)) {
        let trie = trie(&entries);
        let root = trie.root();
        for (key, value) in &entries {
            let proof = trie.prove(key);
            prop_assert!(proof.verify(&root, key, Some(value)).is_ok());
            prop_assert!(proof.verify(&root, key, None).is_err());
            prop_assert!(proof.verify(&root, key, Some(b"other")).is_err());
        }
        for key in absent.iter().filter(|key| !entries.contains_key(*key)) {
            let proof = trie.prove(key);
            prop_assert!(proof.verify(&root, key, None).is_ok());
            prop_assert!(proof.verify(&root, key, Some(b"")).is_err());
        }
    }

    #[test]
    fn no_proof_for_one_key_shows_another(entries in entries(), asked in keys(), other in keys()) {
        let trie = trie(&entries);
        let proof = trie.prove(&asked);
        let value = entries.get(&other).map(Vec::as_slice);
        // It may show the truth about another key that would be in the same place, but never anything else.
        for claim in [None, Some(&b"x"[..]), entries.get(&asked).map(Vec::as_slice)] {
            prop_assert!(claim == value || proof.verify(&trie.root(), &other, claim).is_err());
        }
    }

    #[test]
    fn a_change_of_any_byte_is_refused(
        entries in entries(), asked in keys(), place in any::<prop::sample::Index>(), flip in 1_u8..,
    ) {
        let trie = trie(&entries);
        let (root, value) = (trie.root(), entries.get(&asked).map(Vec::as_slice));
        let proof = trie.prove(&asked);
        prop_assert!(proof.verify(&root, &asked, value).is_ok());

        let mut bytes = borsh::to_vec(&proof).unwrap();
        let at = place.index(bytes.len());
        bytes[at] ^= flip;
        if let Ok(changed) = borsh::from_slice::<Proof>(&bytes) {
            prop_assert!(changed.verify(&root, &asked, value).is_err());
        }
        let mut wrong = root;
        wrong[place.index(32)] ^= flip;
        prop_assert!(proof.verify(&wrong, &asked, value).is_err());
        if let Some(value) = value {
            let mut longer = value.to_vec();
            longer.push(flip);
            prop_assert!(proof.verify(&root, &asked, Some(&longer)).is_err());
        }
    }

    #[test]
    fn hostile_proofs_do_no_harm(bytes in vec(any::<u8>(), 0..300), key in keys()) {
        if let Ok(proof) = borsh::from_slice::<Proof>(&bytes) {
            prop_assert!(proof.verify(&[0; 32], &key, None).is_err());
            prop_assert!(proof.verify(&[0; 32], &key, Some(&bytes)).is_err());
        }
    }
}
