//! Everything that a radio brings: advertisements, hellos, parcels, receipts, envelopes, and pieces in any order. What
//! decodes encodes to the same bytes, and no link keeps more than it may.

#![no_main]

use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use parcels::fast::{Cut, Joined, Parcel, Stretch};
use parcels::hello::Hears;
use parcels::slow::{Envelope, Receipt};
use parcels::speaker::TAG;
use parcels::{Advertisement, Hello, Limits, Link, MOST_MESSAGE, MOST_PIECE, MOST_WAITING, Output};

fuzz_target!(|data: &[u8]| {
    let Some((kind, bytes)) = data.split_first() else { return };
    match kind % 8 {
        0 => {
            if let Ok(advertisement) = Advertisement::decode(bytes) {
                assert_eq!(advertisement.encode(), bytes);
            }
        }
        1 => {
            if let Ok(hello) = Hello::decode(bytes) {
                assert_eq!(hello.encode(), bytes);
            }
        }
        // A checksum is nothing that is found by chance.
        2 => {
            if bytes.is_empty() {
                return;
            }
            let parcel = Parcel::Data { from: 7, bytes: bytes.to_vec() };
            let sealed = parcel.encode(9);
            assert_eq!(Parcel::decode(&sealed, 9), Ok(parcel));
            let (mut cut, mut joined) = (Cut::new(3, sealed.clone()), Joined::default());
            let mut whole = None;
            while let Some(piece) = cut.next(20) {
                whole = joined.add(3, &piece, sealed.len()).expect("what was cut can be joined");
            }
            assert_eq!(whole, Some(sealed));
        }
        3 => {
            if let Ok(parcel) = Parcel::decode(bytes, 9) {
                assert_eq!(parcel.encode(9), bytes);
            }
        }
        // JSON has many forms of one value.
        4 => {
            if let Ok(receipt) = Receipt::decode(bytes) {
                assert_eq!(Receipt::decode(&receipt.encode()), Ok(receipt));
            }
        }
        5 => {
            if let Ok(envelope) = Envelope::decode(bytes) {
                assert_eq!(Envelope::decode(&envelope.encode()), Ok(envelope));
            }
        }
        kind => hear(bytes, kind == 6),
    }
});

/// A link hears pieces: each is a length, a time to wait and so many bytes.
fn hear(mut bytes: &[u8], greeted: bool) {
    let mut now = Duration::ZERO;
    let mut link = Link::guest(1, Limits::default());
    link.back(20, now);
    let _ = link.send(b"a message".to_vec());
    if greeted {
        let hello = Hello { session: 2, to: 1, heard: Hears::Both, limits: Limits::default() };
        link.heard(&hello.encode(), now).expect("a hello");
    }
    while let Some(([length, wait], rest)) = bytes.split_first_chunk() {
        let (piece, rest) = rest.split_at(rest.len().min(usize::from(*length)));
        bytes = rest;
        now += Duration::from_millis(u64::from(*wait) * 100);
        let _ = link.heard(piece, now);
        // In the fast form, what is right must be right in its checksum, too.
        if greeted && let Some((first, bytes)) = piece.split_first() {
            let parcel = if length % 4 == 0 {
                let later = bytes.chunks_exact(2);
                let later = later.map(|two| Stretch { missing: two[0].into(), there: two[1].into() }).collect();
                Parcel::Receipt { next: u32::from(*first), at: u16::from(*wait), later }
            } else {
                Parcel::Data { from: u32::from(*first), bytes: bytes.to_vec() }
            };
            let mut cut = Cut::new(1, parcel.encode(2));
            while let Some(piece) = cut.next(20) {
                let _ = link.heard(&piece, now);
            }
            if !bytes.is_empty() {
                let shared = Parcel::Shared { session: 7, from: u32::from(*first), bytes: bytes.to_vec() };
                let piece = Cut::new(TAG, shared.encode(0)).next(MOST_PIECE).expect("one piece");
                link.heard(&piece, now).expect("what is said to everybody");
            }
        }
        while !matches!(link.poll(now), Output::Wait(_)) {}
        assert!(link.kept() <= MOST_WAITING + 3 * MOST_MESSAGE + 2 * 0x1_0000 + 4200);
    }
}
