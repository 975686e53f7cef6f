//! Everything that reaches a peer or a hub from outside: frames, envelopes, entries, bodies, words beside the log, tickets, records.

#![no_main]

use dealing::{Wire, decode, encode};
use libfuzzer_sys::fuzz_target;
use peer::{Beside, Body, Entry, Envelope, Private, Record, Ticket, frame};

/// What decodes encodes to the same bytes.
fn exact<T: Wire>(bytes: &[u8]) {
    if let Ok(value) = decode::<T>(bytes) {
        assert_eq!(encode(&value), bytes);
    }
}

fuzz_target!(|data: &[u8]| {
    let Some((kind, bytes)) = data.split_first() else { return };
    match kind % 9 {
        0 => exact::<Envelope>(bytes),
        1 => exact::<Entry>(bytes),
        2 => exact::<Body>(bytes),
        3 => exact::<frame::ToHub>(bytes),
        4 => exact::<frame::FromHub>(bytes),
        5 => exact::<Beside>(bytes),
        6 => exact::<Private>(bytes),
        7 => {
            if let Some(ticket) = std::str::from_utf8(bytes).ok().and_then(|text| text.parse::<Ticket>().ok()) {
                assert_eq!(ticket.to_string().parse(), Ok(ticket));
            }
        }
        _ => {
            if let Some(record) = std::str::from_utf8(bytes).ok().and_then(|text| Record::parse(text, true).ok()) {
                assert_eq!(Record::parse(&record.text(), false), Ok(record.clone()));
                let _ = peer::verify(&record);
            }
        }
    }
});
