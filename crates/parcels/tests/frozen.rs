//! The bytes that `docs/bluetooth.md` shows are those that this crate writes and reads.

use std::time::Duration;

use parcels::fast::{Cut, Parcel, Stretch};
use parcels::hello::Hears;
use parcels::slow::{Envelope, Letters, Receipt, Status, cut};
use parcels::speaker::TAG;
use parcels::{Advertisement, Hello, Limits, Link, Output};

const DOCS: &str = include_str!("../../../docs/bluetooth.md");

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
}

/// The bytes after this name in the examples of the document.
fn shown(name: &str) -> Vec<u8> {
    let line = DOCS.lines().find_map(|line| line.strip_prefix(&format!("{name}: ")));
    let line = line.expect("docs/bluetooth.md has this example");
    line.split(' ').map(|byte| u8::from_str_radix(byte, 16).expect("two digits")).collect()
}

fn same(name: &str, bytes: &[u8]) {
    assert_eq!(hex(&shown(name)), hex(bytes), "{name}");
}

#[test]
fn an_advertisement_is_as_shown() {
    let advertisement = Advertisement::new(7, "X1ABCD").unwrap();
    same("advertisement", &advertisement.encode());
    assert_eq!(Advertisement::decode(&shown("advertisement")), Ok(advertisement));
}

#[test]
fn a_hello_is_as_shown() {
    let limits = Limits { parcel: 4096, pause: Duration::from_millis(20) };
    let hello = Hello { session: 0x0102_0304, to: 0x0506_0708, heard: Hears::You, limits };
    same("hello", &hello.encode());
    assert_eq!(Hello::decode(&shown("hello")), Ok(hello));
}

#[test]
fn parcels_and_pieces_are_as_shown() {
    let data = Parcel::Data { from: 700, bytes: b"\x13\0\0\0The quick brown fox".to_vec() };
    let receipt = Parcel::Receipt { next: 700, at: 0, later: vec![Stretch { missing: 23, there: 280 }] };
    for (name, parcel) in [("data", data.clone()), ("fast receipt", receipt)] {
        same(name, &parcel.encode(0x0102_0304));
        assert_eq!(Parcel::decode(&shown(name), 0x0102_0304), Ok(parcel));
    }
    let mut pieces = Cut::new(0x08, data.encode(0x0102_0304));
    same("first piece", &pieces.next(20).unwrap());
    same("last piece", &pieces.next(20).unwrap());
    assert!(pieces.is_over());
}

/// What a host says to everybody: its pieces, its place in a line, and what a guest says that misses it.
#[test]
fn what_is_said_to_everybody_is_as_shown() {
    let message = b"The quick brown fox".to_vec();
    let shared = Parcel::Shared { session: 0x0A0B_0C0D, from: 900, bytes: message };
    same("shared piece", &Cut::new(TAG, shared.encode(0)).next(100).unwrap());
    let again = Parcel::Again { from: 900, length: 19 };
    same("again", &again.encode(0x0102_0304));
    let Ok(Parcel::Data { from: 723, bytes }) = Parcel::decode(&shown("said"), 0x0102_0304) else {
        panic!("data from byte 723 on");
    };
    // A guest that has heard the piece takes what is said for the message.
    let now = Duration::ZERO;
    let mut guest = Link::guest(1, Limits::default());
    guest.back(100, now);
    let hello = Hello { session: 0x0102_0304, to: 1, heard: Hears::Both, limits: Limits::default() };
    guest.heard(&hello.encode(), now).unwrap();
    guest.heard(&shown("shared piece"), now).unwrap();
    let first = Parcel::Data { from: 0, bytes }.encode(0x0102_0304);
    guest.heard(&Cut::new(1, first).next(100).unwrap(), now).unwrap();
    assert_eq!(guest.poll(now), Output::Received(b"The quick brown fox".to_vec()));
}

#[test]
fn geograms_form_is_as_shown() {
    let envelope = &Envelope::of("01020304-0", b"hi")[0];
    let text = String::from_utf8(envelope.encode()).unwrap();
    assert!(DOCS.contains(&text), "{text}");
    same("header parcel", &cut(Letters::of(10), &envelope.encode()).unwrap()[0]);
    let long = cut(Letters::of(10), &[b'x'; 272]).unwrap();
    same("data parcel", &long[1]);
    same("beginning of its header", &long[0][..12]);
    for status in [Status::Complete, Status::Missing(vec![3, 7]), Status::ChecksumFailed] {
        let text = String::from_utf8(Receipt { letters: Letters::of(10), status }.encode()).unwrap();
        assert!(DOCS.contains(&text), "{text}");
    }
}
