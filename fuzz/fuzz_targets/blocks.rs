//! Everything that reaches a node from outside: transactions, blocks, the beginning of a chain, snapshots, proofs of
//! entries, and exported hands. What decodes encodes to the same bytes, and looking at it does no harm.

#![no_main]

use borsh::{BorshDeserialize, BorshSerialize};
use chain::export::Export;
use chain::store::Proof;
use chain::{Block, Genesis, Signed, State, bank};
use libfuzzer_sys::fuzz_target;

fn exact<T: BorshSerialize + BorshDeserialize>(bytes: &[u8], look: impl FnOnce(&T)) {
    if let Ok(value) = borsh::from_slice::<T>(bytes) {
        assert_eq!(borsh::to_vec(&value).expect("plain data"), bytes, "two encodings of one value");
        look(&value);
    }
}

fuzz_target!(|data: &[u8]| {
    let Some((kind, bytes)) = data.split_first() else { return };
    match kind % 6 {
        0 => exact::<Signed>(bytes, |signed| {
            let _ = (signed.id(), signed.is_authentic(), bank::gas(signed));
        }),
        1 => exact::<Block>(bytes, |block| {
            let _ = block.header.hash();
        }),
        2 => exact::<Genesis>(bytes, |genesis| {
            if genesis.check().is_ok() {
                let _ = State::new(genesis);
            }
        }),
        3 => {
            let _ = State::from_snapshot(bytes, &[7; 32]);
        }
        4 => exact::<Proof>(bytes, |proof| {
            let _ = (proof.verify(&[7; 32], b"key", None), proof.verify(&[7; 32], b"key", Some(b"value")));
        }),
        _ => exact::<Export>(bytes, |export| {
            let _ = export.check();
        }),
    }
});
