//! Whatever a browser says it has prepared, the page of any game is shown, and clicks are judged.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let Some((which, text)) = input.split_first() else { return };
    if let Ok(text) = str::from_utf8(text) {
        server::laws::drafts(*which, text);
    }
});
