//! Any text is a key or is refused, and a key is written as it was read; any bytes are a protected key or are refused.
#![no_main]

use libfuzzer_sys::fuzz_target;
use results::{Callsign, Public, Secret, Timestamp, Uuid, protected};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = core::str::from_utf8(bytes) {
        if let Ok(key) = text.parse::<Public>() {
            assert!(text.eq_ignore_ascii_case(&key.npub()) || text.eq_ignore_ascii_case(&key.hex()));
        }
        if let Ok(key) = text.parse::<Secret>() {
            assert!(text.eq_ignore_ascii_case(&key.nsec()) || text.eq_ignore_ascii_case(&key.hex()));
        }
        let written = [
            text.parse::<Callsign>().map(|callsign| callsign.to_string()).ok(),
            text.parse::<Uuid>().map(|id| id.to_string()).ok(),
            text.parse::<Timestamp>().map(|time| time.to_string()).ok(),
            Timestamp::from_iso(text).map(Timestamp::iso),
        ];
        assert!(written.iter().flatten().all(|again| again == text), "two texts of one value");
    }
    // A checksum is nothing that is found by chance, and a costly key would only take time.
    let mut payload = bytes.to_vec();
    if let Some(effort) = payload.get_mut(1) {
        *effort %= 4;
    }
    let prefix = bech32::Hrp::parse("ncryptsec").expect("a prefix");
    if let Ok(text) = bech32::encode::<bech32::Bech32>(prefix, &payload) {
        let _ = protected::open(&text, "passphrase");
    }
});
