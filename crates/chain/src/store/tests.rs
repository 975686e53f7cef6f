mod proofs;
mod snapshots;

use super::*;

key! {
    struct Named(u16) => String, in 0x01;
    struct Pair(u8, u64) => u64, in 0x02;
}

#[test]
fn changes_can_be_undone_up_to_a_mark() {
    let mut store = Store::default();
    store.put(&Named(1), "one".into());
    let root = store.commit().0;
    let mark = store.mark();
    store.put(&Named(1), "uno".into());
    store.put(&Named(2), "due".into());
    assert_eq!(store.remove(&Named(1)), Some("uno".into()));
    store.undo(mark);
    assert_eq!(store.get(&Named(1)).map(String::as_str), Some("one"));
    assert_eq!(store.get(&Named(2)), None);
    assert_eq!(store.commit().0, root);
}

#[test]
fn entries_of_a_space_come_in_the_order_of_their_keys() {
    let mut store = Store::default();
    for (a, b) in [(2, 1), (1, 300), (1, 2), (1, u64::MAX)] {
        store.put(&Pair(a, b), b);
    }
    store.put(&Named(0), String::new());
    let keys: Vec<_> = store.all::<Pair>().map(|(Pair(a, b), _)| (a, b)).collect();
    assert_eq!(keys, [(1, 2), (1, 300), (1, u64::MAX), (2, 1)]);
    assert_eq!(store.starting::<Pair>(&[2]).count(), 1);
}

#[test]
fn a_stored_state_is_the_same_state() {
    let mut store = Store::default();
    store.put(&Named(7), "seven".into());
    store.put(&Pair(1, 1), 5);
    let root = store.commit().0;
    let copy = Store::load(store.entries().map(|(key, value)| (key.to_vec(), value)));
    assert_eq!(copy.root(), root);
    assert_eq!(copy.get(&Named(7)).map(String::as_str), Some("seven"));
}
