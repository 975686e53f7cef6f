//! Whatever stands in the log of a table, it makes a table or an error, and always the same one.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| server::laws::entries(text));
