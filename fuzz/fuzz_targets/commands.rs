//! Whatever commands come, a server's table of any game takes them or refuses them without a change.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let Some((which, text)) = input.split_first() else { return };
    if let Ok(text) = str::from_utf8(text) {
        server::laws::commands(*which, text);
    }
});
