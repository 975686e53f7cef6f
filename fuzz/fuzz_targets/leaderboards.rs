//! For any bytes, a leaderboard is read or refused, and what was read is written again with the same bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use results::Leaderboard;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(board) = Leaderboard::parse(bytes) {
        assert_eq!(board.text().as_bytes(), bytes, "two texts of one leaderboard");
        let _ = board.signer();
    }
});
