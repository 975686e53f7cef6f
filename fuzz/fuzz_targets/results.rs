//! For any bytes, a result or a `CARD_GAME` is read or refused. What was read is written again with the same bytes, and
//! checking its signatures does no harm.
#![no_main]

use libfuzzer_sys::fuzz_target;
use results::{NoLogs, Signed, Verdict, by_match, settle};

fuzz_target!(|bytes: &[u8]| {
    let Ok(signed) = Signed::parse(bytes) else { return };
    assert_eq!(signed.text().as_bytes(), bytes, "two texts of one result");
    let export = Signed::new(signed.body().card_game());
    assert_eq!(Signed::parse(export.text().as_bytes()).as_ref(), Ok(&export));
    let checked = signed.check();
    if let Verdict::Partial { missing } = checked.verdict() {
        assert!(!missing.is_empty() && missing.len() < checked.body().facts().players.len());
    }
    let all = [checked, export.check()];
    for files in by_match(&all).values() {
        let _ = settle(files, &NoLogs);
    }
});
