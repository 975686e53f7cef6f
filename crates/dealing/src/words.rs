//! Four words for a hash, so that people can compare it by reading it to each other.
//!
//! ```
//! use dealing::four_words;
//!
//! assert_eq!(four_words(&[0; 32]).join(" "), "acorn acorn acorn acorn");
//! ```
//!
//! Each word stands for one byte, the first four of the hash, so four words are 32 bits. Two hashes that differ by
//! accident, or by somebody who has one try, have the same words once in 4.3 billion cases. Somebody who may choose
//! what goes into *both* hashes finds two with the same words after about 65,000 tries: four words show at a glance
//! that two people see different things, and are no substitute for comparing the whole hash.
//!
//! The list and its order are part of the protocol. A page has the same list (`crates/server/assets/words.js`).

/// The words, by the byte that they stand for. Any two differ in at least two letters.
pub const WORDS: [&str; 256] = [
    "acorn", "actor", "album", "almond", "amber", "anchor", "angel", "apple", "apron", "arena", "arrow", "atlas",
    "attic", "autumn", "bacon", "badge", "baker", "bamboo", "banana", "banjo", "barrel", "basket", "beaver", "bench",
    "biscuit", "bishop", "blanket", "bonnet", "bottle", "branch", "brick", "bridge", "broom", "bubble", "bucket",
    "buffalo", "butter", "button", "cabin", "cactus", "camel", "canal", "candle", "canyon", "carbon", "carpet",
    "castle", "cement", "chalk", "cherry", "chess", "circle", "citrus", "clover", "cobra", "coffee", "comet",
    "compass", "copper", "coral", "cotton", "cousin", "cradle", "crater", "crown", "crystal", "curtain", "daisy",
    "dancer", "desert", "diamond", "dinner", "doctor", "dolphin", "dragon", "drum", "eagle", "echo", "elbow",
    "elephant", "engine", "fabric", "falcon", "family", "farmer", "feather", "fiddle", "flag", "flute", "forest",
    "fossil", "fox", "frog", "galaxy", "garden", "garlic", "giant", "ginger", "glacier", "glove", "goblet", "grape",
    "guitar", "hammer", "harbor", "helmet", "hero", "hockey", "honey", "hotel", "iceberg", "igloo", "insect", "island",
    "ivory", "jacket", "jaguar", "jelly", "jigsaw", "jungle", "kayak", "kettle", "kitten", "knight", "koala", "ladder",
    "lagoon", "lantern", "lemon", "lettuce", "lily", "lion", "lizard", "lobster", "lotus", "magnet", "mango", "maple",
    "marble", "meadow", "meteor", "mirror", "monkey", "mosaic", "mountain", "muffin", "museum", "mustard", "napkin",
    "nectar", "needle", "noodle", "nugget", "oasis", "ocean", "octopus", "olive", "onion", "orange", "orbit", "orchid",
    "otter", "oven", "owl", "oyster", "paddle", "palace", "panda", "paper", "parrot", "peanut", "pebble", "pencil",
    "pepper", "piano", "pigeon", "pilot", "pirate", "planet", "pocket", "poem", "potato", "prince", "pumpkin",
    "puppet", "puzzle", "pyramid", "quartz", "queen", "quilt", "rabbit", "radio", "raft", "rainbow", "raven", "ribbon",
    "river", "robot", "rubber", "ruby", "salad", "salmon", "sandal", "scarf", "school", "seven", "shadow", "shark",
    "silver", "sister", "spider", "sponge", "spoon", "spring", "squirrel", "statue", "summer", "sunset", "swan",
    "tablet", "taxi", "teacher", "temple", "tennis", "thunder", "tiger", "tornado", "tower", "tractor", "trophy",
    "trumpet", "tulip", "tunnel", "turtle", "umbrella", "uncle", "unicorn", "valley", "vampire", "velvet", "violin",
    "volcano", "voyage", "vulture", "waffle", "walnut", "walrus", "weasel", "whisker", "willow", "window", "winter",
    "wolf", "yogurt", "zebra", "zipper",
];

/// The words of the first four bytes of a hash.
pub fn four_words(hash: &[u8; 32]) -> [&'static str; 4] {
    let [a, b, c, d, ..] = *hash;
    [a, b, c, d].map(|byte| WORDS.get(usize::from(byte)).copied().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::*;

    #[test]
    fn the_list_never_changes() {
        // hashlib.sha256(b' '.join(words)).
        let hash: [u8; 32] = Sha256::digest(WORDS.join(" ")).into();
        let digits: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(digits, "f40781129fc9d94f3a631d4699a03f85e63f87f636d2406f85c39c801dc789d0");
    }

    #[test]
    fn every_byte_has_a_word_of_its_own() {
        assert!(WORDS.is_sorted_by(|one, two| one < two));
        for word in WORDS {
            assert!((3..=8).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_lowercase()), "{word}");
        }
        let mut hash = [7; 32];
        hash[..4].copy_from_slice(&[0, 1, 2, 255]);
        assert_eq!(four_words(&hash), ["acorn", "actor", "album", "zipper"]);
    }
}
