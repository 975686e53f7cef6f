//! All commitments to the seeds of one deck: what everybody is shown before revealing a seed.
//!
//! A house that learned the others' seeds before it had fixed its own could try one after the other until it likes the
//! order of the cards. So nobody reveals without having seen its commitment, and everybody keeps what they saw
//! ([`Kept`](super::Kept)), to compare it with the record afterwards.
//!
//! Four words for all of it let friends compare by reading them to each other: [`Commitments::words`].

use core::fmt;

use dealing::{Commitment, four_words, hash_fields};
use serde::{Deserialize, Serialize};

use super::{LeftOut, Publish};

/// All commitments to the seeds of one deck.
///
/// Written as `{"publish":"never","house":"…","seats":[{"commitment":"…"},{"left_out":"computer"}]}`, with hashes in
/// hexadecimal and one entry for every seat, from seat 0.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Commitments {
    /// When the house will publish its seed, which its commitment fixes, too.
    pub publish: Publish,
    /// That of the house.
    #[serde(with = "digits")]
    pub house: Commitment,
    /// Those of all seats, from seat 0.
    pub seats: Vec<Pledge>,
}

/// What a seat adds to a deck.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pledge {
    /// The seed that it has committed to.
    Commitment(#[serde(with = "digits")] Commitment),
    /// Nothing, since it was left out before it committed.
    LeftOut(LeftOut),
}

impl Commitments {
    /// A hash of all of it, bound to the session and the deck.
    pub fn digest(&self, session: &[u8; 32], deck: u32) -> [u8; 32] {
        let seats: Vec<u8> = self.seats.iter().flat_map(Pledge::bytes).collect();
        let publish = [self.publish.code()];
        let domain = b"fairdeal/house/v1/commitments";
        hash_fields(&[domain, session, &deck.to_le_bytes(), &publish, &self.house.0, &seats])
    }

    /// Four words for it, the same for everybody who was shown the same. See [`dealing::four_words`] for what that
    /// is worth.
    pub fn words(&self, session: &[u8; 32], deck: u32) -> [&'static str; 4] {
        four_words(&self.digest(session, deck))
    }
}

impl Pledge {
    fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Commitment(Commitment(hash)) => [&[1], hash.as_slice()].concat(),
            Self::LeftOut(why) => vec![0, why.code()],
        }
    }

    /// The commitment, if there is one.
    pub const fn commitment(&self) -> Option<Commitment> {
        match self {
            Self::Commitment(commitment) => Some(*commitment),
            Self::LeftOut(_) => None,
        }
    }
}

/// Commitments as 64 hexadecimal digits.
pub(super) mod digits {
    use serde::{Deserializer, Serializer};

    use super::Commitment;

    pub(in super::super) fn serialize<S: Serializer>(hash: &Commitment, to: S) -> Result<S::Ok, S::Error> {
        super::bytes::serialize(&hash.0, to)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Commitment, D::Error> {
        super::bytes::deserialize(from).map(Commitment)
    }
}

/// Thirty-two bytes as 64 hexadecimal digits.
pub(super) mod bytes {
    use serde::de::Error as _;
    use serde::{Deserialize as _, Deserializer, Serializer};
    use table::record::{hex, unhex};

    pub(in super::super) fn serialize<S: Serializer>(bytes: &[u8; 32], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&hex(bytes))
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<[u8; 32], D::Error> {
        let text = String::deserialize(from)?;
        let bytes = unhex(&text).and_then(|bytes| bytes.try_into().ok());
        bytes.ok_or_else(|| D::Error::custom("64 lowercase hexadecimal digits are expected"))
    }
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoCommitment => "no commitment came in time",
            Self::NoSeed => "no seed came in time",
            Self::Mismatch => "the seed did not match the commitment",
            Self::Computer => "its own computer plays there",
            Self::Silent => "it had not answered before and was not heard from since",
            Self::Declined => "it was told that no seeds would come",
            Self::Gone => "the player had left",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Commitments {
        let seats = vec![
            Pledge::Commitment(Commitment([1; 32])),
            Pledge::LeftOut(LeftOut::Computer),
            Pledge::Commitment(Commitment([2; 32])),
        ];
        Commitments { publish: Publish::Never, house: Commitment([3; 32]), seats }
    }

    #[test]
    fn they_are_written_in_hexadecimal_and_read_again() {
        let text = serde_json::to_string(&all()).unwrap();
        let [one, two, three] = ["01", "02", "03"].map(|byte| byte.repeat(32));
        assert_eq!(
            text,
            format!(
                r#"{{"publish":"never","house":"{three}","seats":[{{"commitment":"{one}"}},{{"left_out":"computer"}},{{"commitment":"{two}"}}]}}"#
            )
        );
        assert_eq!(serde_json::from_str::<Commitments>(&text).unwrap(), all());
        for wrong in [text.replace("03", "0G"), text.replace("0303", "03"), text.replace("computer", "person")] {
            assert!(serde_json::from_str::<Commitments>(&wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_words_never_change() {
        // By another program, in Python, from docs/verify.md alone.
        assert_eq!(all().words(&[9; 32], 7).join(" "), "badge cherry pyramid copper");
    }

    #[test]
    fn everything_is_in_the_words() {
        let words = all().digest(&[9; 32], 7);
        let mut others = vec![all().digest(&[8; 32], 7), all().digest(&[9; 32], 6)];
        let changes: [fn(&mut Commitments); 6] = [
            |all| all.publish = Publish::AfterDeal,
            |all| all.house.0[31] ^= 1,
            |all| all.seats[0] = Pledge::Commitment(Commitment([2; 32])),
            |all| all.seats[1] = Pledge::LeftOut(LeftOut::Silent),
            |all| all.seats.swap(0, 1),
            |all| all.seats.truncate(2),
        ];
        for change in changes {
            let mut other = all();
            change(&mut other);
            others.push(other.digest(&[9; 32], 7));
        }
        others.push(words);
        others.sort_unstable();
        others.dedup();
        assert_eq!(others.len(), 9);
    }
}
