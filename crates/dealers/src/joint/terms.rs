//! What everybody agrees on before the first message.

use core::fmt;
use core::str::FromStr;

use dealing::Context;
use table::record::By;
use table::{Seat, Seats};

use super::fault::BadTerms;

/// The most members of a committee.
pub const MOST_MEMBERS: u8 = 64;

/// Who deals to whom, and how many of them can open a card.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Terms {
    /// Identifies these keys: a match, a single deal, or the keys that one deck of a match is dealt with. Never used
    /// twice; bound into every proof.
    pub session: [u8; 32],
    /// Who plays with these keys. Other seats of the table are out until the next keys.
    pub players: Seats,
    /// Who holds the key.
    pub keepers: Keepers,
}

/// Who holds the key to the deck.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keepers {
    /// The players; all of them are needed for every card (n of n).
    EveryPlayer,
    /// The players; this many of them are enough.
    Players {
        /// How many.
        threshold: u8,
    },
    /// A separate committee.
    Committee {
        /// How many there are.
        members: u8,
        /// How many are enough.
        threshold: u8,
    },
}

/// As in records and commands: `peers`, `peers:3` (three are enough), `committee:4,3` (three of four).
impl fmt::Display for Keepers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EveryPlayer => f.write_str("peers"),
            Self::Players { threshold } => write!(f, "peers:{threshold}"),
            Self::Committee { members, threshold } => write!(f, "committee:{members},{threshold}"),
        }
    }
}

impl FromStr for Keepers {
    type Err = UnknownKeepers;

    fn from_str(text: &str) -> Result<Self, UnknownKeepers> {
        let number = |text: &str| -> Result<u8, UnknownKeepers> {
            // Only one way to write a number, since the text is used in records.
            let plain = text.bytes().all(|digit| digit.is_ascii_digit()) && !text.starts_with('0');
            text.parse().ok().filter(|_| plain).ok_or(UnknownKeepers)
        };
        match text.split_once(':') {
            None if text == "peers" => Ok(Self::EveryPlayer),
            Some(("peers", threshold)) => Ok(Self::Players { threshold: number(threshold)? }),
            Some(("committee", both)) => {
                let (members, threshold) = both.split_once(',').ok_or(UnknownKeepers)?;
                Ok(Self::Committee { members: number(members)?, threshold: number(threshold)? })
            }
            _ => Err(UnknownKeepers),
        }
    }
}

/// The text does not name keepers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownKeepers;

impl fmt::Display for UnknownKeepers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("must be peers, peers:K (K players are enough) or committee:N,T (T of N members are enough)")
    }
}

impl core::error::Error for UnknownKeepers {}

impl Keepers {
    /// Refuses keepers who cannot keep a secret from each other, or cannot work, for so many players.
    pub fn check(self, players: u8) -> Result<(), BadTerms> {
        if players == 0 {
            return Err(BadTerms::Players);
        }
        let (members, threshold) = match self {
            Self::EveryPlayer if players < 2 => return Err(BadTerms::Players),
            Self::EveryPlayer => return Ok(()),
            Self::Players { threshold } => (players, threshold),
            Self::Committee { members, threshold } => (members, threshold),
        };
        if members > MOST_MEMBERS {
            return Err(BadTerms::Members { most: MOST_MEMBERS });
        }
        // Players decide among themselves whom they trust. Of a committee up to a third may be bad, and together they
        // must neither read a card nor stop the others.
        let least = match self {
            Self::EveryPlayer | Self::Players { .. } => 2,
            Self::Committee { .. } => u8::try_from(u16::from(members) * 2 / 3 + 1).unwrap_or(u8::MAX).max(2),
        };
        if !(least..=members).contains(&threshold) {
            return Err(BadTerms::Threshold { least, most: members });
        }
        Ok(())
    }
}

impl Terms {
    /// Refuses terms that cannot be secret or cannot work.
    pub fn check(&self) -> Result<(), BadTerms> {
        self.keepers.check(self.players.len())
    }

    /// Who holds the key, in order.
    pub fn members(&self) -> Vec<By> {
        match self.keepers {
            Keepers::EveryPlayer | Keepers::Players { .. } => self.players.iter().map(By::Seat).collect(),
            Keepers::Committee { members, .. } => (0..members).map(By::Member).collect(),
        }
    }

    /// How many of them are enough; `None` if all are needed.
    pub const fn threshold(&self) -> Option<u8> {
        match self.keepers {
            Keepers::EveryPlayer => None,
            Keepers::Players { threshold } | Keepers::Committee { threshold, .. } => Some(threshold),
        }
    }

    /// Whether this party holds a share of the key.
    pub fn is_member(&self, by: By) -> bool {
        match (self.keepers, by) {
            (Keepers::Committee { members, .. }, By::Member(member)) => member < members,
            (Keepers::EveryPlayer | Keepers::Players { .. }, By::Seat(seat)) => self.players.contains(seat),
            _ => false,
        }
    }

    /// The party's seat, if it plays.
    pub fn is_player(&self, by: By) -> Option<Seat> {
        match by {
            By::Seat(seat) if self.players.contains(seat) => Some(seat),
            _ => None,
        }
    }

    /// How many keys a member needs: one to deal with and, in a committee, one for the beacon.
    pub(super) const fn ceremonies(&self) -> u8 {
        match self.keepers {
            Keepers::EveryPlayer | Keepers::Players { .. } => 1,
            Keepers::Committee { .. } => 2,
        }
    }

    /// The context of a proof.
    pub(super) fn context(&self, session: [u8; 32], by: By) -> Context {
        Context::new(session).author(author(by))
    }
}

/// The number of a party in contexts and messages.
pub(super) fn author(by: By) -> u16 {
    match by {
        By::Seat(seat) => seat.index().into(),
        By::Member(member) => 256 + u16::from(member),
        By::House => u16::MAX,
    }
}

/// The party with this number.
pub(super) fn by_number(number: u16) -> Option<By> {
    match u8::try_from(number) {
        Ok(seat) => Seat::new(seat).map(By::Seat),
        Err(_) => number.checked_sub(256).and_then(|m| u8::try_from(m).ok()).map(By::Member),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(keepers: &str, players: u8) -> Result<(), BadTerms> {
        Terms { session: [0; 32], players: Seats::first(players), keepers: keepers.parse().unwrap() }.check()
    }

    #[test]
    fn more_than_two_thirds_of_a_committee_are_needed() {
        for (members, least) in [(3, 3), (4, 3), (5, 4), (6, 5), (7, 5), (16, 11), (64, 43)] {
            assert_eq!(check(&format!("committee:{members},{least}"), 2), Ok(()));
            let less = least - 1;
            let refused = Err(BadTerms::Threshold { least, most: members });
            assert_eq!(check(&format!("committee:{members},{less}"), 2), refused);
        }
        assert_eq!(check("committee:4,2", 2), Err(BadTerms::Threshold { least: 3, most: 4 }));
        assert!(check("committee:65,64", 2).is_err());
    }

    #[test]
    fn players_choose_how_many_are_enough_but_never_one() {
        assert_eq!(check("peers", 2), Ok(()));
        assert_eq!(check("peers", 1), Err(BadTerms::Players));
        assert_eq!(check("peers:2", 4), Ok(()));
        assert_eq!(check("peers:1", 4), Err(BadTerms::Threshold { least: 2, most: 4 }));
        assert_eq!(check("peers:5", 4), Err(BadTerms::Threshold { least: 2, most: 4 }));
    }
}
