//! Identifiers of stored things: those of [rooms](room::ids), private tables, and players' keys.

use core::fmt;
use core::str::FromStr;

use sha2::{Digest as _, Sha256};
use table::record::{hex, unhex};
use zeroize::{Zeroize, ZeroizeOnDrop};

use room::ids::tag;
pub use room::ids::{BadId, Code, Millis, PlayerId, TableId};

/// The id of a private table, which follows from its key: 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PrivateId(pub [u8; 32]);

impl fmt::Display for PrivateId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

impl FromStr for PrivateId {
    type Err = BadId;
    fn from_str(text: &str) -> Result<Self, BadId> {
        unhex(text).and_then(|bytes| bytes.try_into().ok()).map(Self).ok_or(BadId)
    }
}

room::text_id!(PrivateId);

impl PrivateId {
    /// The table's name in logs, as [`TableId::tag`].
    pub fn tag(self) -> String {
        tag(&self.0)
    }

    /// The id as the log layer has it.
    pub const fn table(self) -> peer::TableId {
        peer::TableId(self.0)
    }
}

/// Proves who a player is: sent in a cookie, or in a program's `Authorization` header. Anyone who has it can act as
/// that player.
#[derive(Clone, PartialEq, Eq, Zeroize, ZeroizeOnDrop)]
pub struct Key([u8; 32]);

impl Key {
    /// A key made from 32 random bytes.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The key as the cookie holds it.
    pub fn text(&self) -> String {
        hex(&self.0)
    }

    /// The player it belongs to.
    pub fn player(&self) -> PlayerId {
        let hash: [u8; 32] = Sha256::new().chain_update("fairdeal/player").chain_update(self.0).finalize().into();
        let mut id = [0; 16];
        id.iter_mut().zip(hash).for_each(|(to, from)| *to = from);
        PlayerId(id)
    }
}

impl FromStr for Key {
    type Err = BadId;
    fn from_str(text: &str) -> Result<Self, BadId> {
        unhex(text).and_then(|bytes| bytes.try_into().ok()).map(Self).ok_or(BadId)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_is_identified_by_a_hash_of_their_key() {
        let key = Key::new([7; 32]);
        assert_eq!(key.text().parse::<Key>().unwrap(), key);
        assert_eq!(key.player().to_string().len(), 32);
        assert_ne!(key.player(), Key::new([8; 32]).player());
        assert!(!format!("{key:?}").contains("07"));
    }
}
