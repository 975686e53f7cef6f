//! For any bytes, a session is read or refused, and what was read is written again with the same bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use results::Session;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(session) = Session::parse(bytes) {
        assert_eq!(session.text().as_bytes(), bytes, "two texts of one session");
    }
});
