//! Whatever text comes, every decoder of what clients send to a server gives a value or an error.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| server::laws::request(text));
