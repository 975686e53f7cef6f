//! For any text, reading it as a record of any game gives steps or an error.
#![no_main]

use games::AnyGame;
use libfuzzer_sys::fuzz_target;
use table::record::Reader;

fuzz_target!(|input: (u8, &str)| {
    let (which, text) = input;
    let game = AnyGame::ALL[usize::from(which) % AnyGame::ALL.len()];
    games::with_game!(game, G => {
        let mut reader = Reader::<G>::new();
        for line in text.lines() {
            if reader.line(line).is_err() {
                break;
            }
        }
    });
});
