//! What files call things: matches, games, people and stations, hashes.

use core::fmt;
use core::str::FromStr;

use games::AnyGame;
use table::Counting;
use table::record::{hex, unhex};

use crate::Public;

/// The id of a match, its session and its result: a UUID.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Uuid([u8; 16]);

impl Uuid {
    /// From random bytes (version 4).
    pub const fn random(bytes: [u8; 16]) -> Self {
        Self::marked(bytes, 0x40)
    }

    /// From a hash that names the match already (version 8).
    pub fn from_hash(hash: &[u8; 32]) -> Self {
        let (half, _) = hash.split_first_chunk::<16>().unwrap_or((&[0; 16], &[]));
        Self::marked(*half, 0x80)
    }

    const fn marked(mut bytes: [u8; 16], version: u8) -> Self {
        let [_, _, _, _, _, _, six, _, eight, ..] = &mut bytes;
        *six = *six & 0x0f | version;
        *eight = *eight & 0x3f | 0x80;
        Self(bytes)
    }
}

/// From small letters and dashes only, so that every id has one name.
impl FromStr for Uuid {
    type Err = NoUuid;

    fn from_str(text: &str) -> Result<Self, NoUuid> {
        if text.len() != 36 {
            return Err(NoUuid);
        }
        let digits: String = text.chars().filter(|c| *c != '-').collect();
        let bytes = unhex(&digits).and_then(|bytes| bytes.try_into().ok()).ok_or(NoUuid)?;
        Some(Self(bytes)).filter(|id| id.to_string() == text).ok_or(NoUuid)
    }
}

impl fmt::Display for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, digit) in hex(&self.0).chars().enumerate() {
            if [8, 12, 16, 20].contains(&index) {
                f.write_str("-")?;
            }
            write!(f, "{digit}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// The text is no UUID in small letters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoUuid;

impl fmt::Display for NoUuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an id is a UUID in small letters, as 0f8fad5b-d9cb-469f-a165-70867728950e")
    }
}

impl std::error::Error for NoUuid {}

/// A hash of 32 bytes: a combined seed, or the head of a log.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hash(pub [u8; 32]);

impl Hash {
    /// From 64 hexadecimal digits in small letters.
    pub fn from_hex(text: &str) -> Option<Self> {
        if text.len() != 64 {
            return None;
        }
        unhex(text)?.try_into().ok().map(Self)
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// A short name for the air: 3 to 18 of `A`–`Z` and `0`–`9`. It is no identity: four letters of a key collide.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Callsign(String);

impl Callsign {
    /// A player's own: `X1` and the first four characters of the key after `npub1`.
    pub fn of_player(key: &Public) -> Self {
        Self::derived("X1", key)
    }

    /// A station's own: `X3` and the same.
    pub fn of_station(key: &Public) -> Self {
        Self::derived("X3", key)
    }

    fn derived(prefix: &str, key: &Public) -> Self {
        let letters = key.npub().chars().skip("npub1".len()).take(4).collect::<String>().to_ascii_uppercase();
        Self(format!("{prefix}{letters}"))
    }
}

impl FromStr for Callsign {
    type Err = NoCallsign;

    fn from_str(text: &str) -> Result<Self, NoCallsign> {
        let good = (3..=18).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
        if good { Ok(Self(text.to_owned())) } else { Err(NoCallsign) }
    }
}

impl fmt::Display for Callsign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Debug for Callsign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The text is no callsign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoCallsign;

impl fmt::Display for NoCallsign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a callsign has 3 to 18 characters, A to Z and 0 to 9")
    }
}

impl std::error::Error for NoCallsign {}

/// What files call a game: they say `poker` where the program says `holdem`.
pub const fn game_name(game: AnyGame) -> &'static str {
    match game {
        AnyGame::Holdem => "poker",
        other => other.name(),
    }
}

/// The game that files call so.
pub fn game_named(name: &str) -> Option<AnyGame> {
    AnyGame::ALL.iter().copied().find(|game| game_name(*game) == name)
}

/// The word in the first line of a result: `POKER_RESULT`.
pub fn heading(game: AnyGame) -> String {
    format!("{}_RESULT", game_name(game).to_ascii_uppercase())
}

/// What the amounts of a result are called.
pub(crate) fn amount_word(game: AnyGame) -> &'static str {
    match counting(game) {
        Counting::Chips | Counting::BankChips => "CHIPS",
        Counting::Points | Counting::Penalties => "SCORE",
    }
}

pub(crate) fn counting(game: AnyGame) -> Counting {
    games::with_game!(game, G => <G as table::Game>::RESULT)
}
