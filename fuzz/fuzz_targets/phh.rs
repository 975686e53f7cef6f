//! For any text, reading gives hands or an error, and the hands can be written, read again and played.
#![no_main]

use games::holdem::phh;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let entries = phh::decode_all(text).unwrap_or_default();
    for hand in entries.into_iter().flat_map(|entry| entry.hand) {
        let again = phh::decode(&phh::encode(&hand)).expect("a written hand can be read");
        assert_eq!(again.lines, hand.lines);
        assert_eq!((again.unit, &again.starting_stacks), (hand.unit, &hand.starting_stacks));
        let Ok(replayed) = phh::replay(&hand) else { continue };
        let sum = |stacks: &[table::Chips]| stacks.iter().copied().sum::<table::Chips>();
        assert_eq!(sum(&replayed.stacks), sum(&hand.starting_stacks));
        let record = phh::to_record(&hand).expect("a playable hand can be recorded");
        let mut reader = phh::FromRecord::new();
        let hands: Vec<_> = record.lines().filter_map(|line| reader.line(line).expect("a record")).collect();
        assert_eq!(hands.len(), 1);
        assert_eq!(hands[0].finishing_stacks.as_ref(), Some(&replayed.stacks));
    }
});
