//! The end: the key, and everybody's share of it, from the accepted dealings.

use core::fmt;

use curve25519_dalek::traits::Identity;

use super::{Ceremony, Dealing, MOST_MEMBERS, evaluate, id, sum};
use crate::{Element, Malformed, Point, Reader, Secret, Wire, write_counted};

/// A key that `threshold` members can use together, as everybody sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// The public key.
    pub key: Element,
    /// Every member's public share.
    pub shares: Vec<Element>,
    /// The number of shares needed.
    pub threshold: u16,
}

/// Why there is no key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unfinished {
    /// Fewer dealings were accepted than the threshold.
    TooFew {
        /// How many are needed.
        needed: usize,
        /// How many there are.
        got: usize,
    },
    /// This dealer is not a member or appears twice, or its dealing was never checked.
    Unchecked(u16),
    /// The dealings add up to the neutral element.
    Identity,
}

impl Ceremony {
    /// The key from all dealings that passed [`Ceremony::check`] and were not found wrong by
    /// [`Ceremony::judge`].
    pub fn finish(&self, qualified: &[(u16, &Dealing)]) -> Result<Group, Unfinished> {
        let needed = usize::from(self.threshold);
        if qualified.len() < needed {
            return Err(Unfinished::TooFew { needed, got: qualified.len() });
        }
        let mut commitments = vec![Point::identity(); needed];
        let mut dealers = std::collections::BTreeSet::new();
        for (dealer, dealing) in qualified {
            if self.key(*dealer).is_none() || !dealers.insert(*dealer) || !self.fits(dealing) {
                return Err(Unfinished::Unchecked(*dealer));
            }
            commitments.iter_mut().zip(&dealing.commitments).for_each(|(sum, own)| *sum += own.point());
        }
        let members = (0..).zip(&self.keys).map(|(member, _)| id(member));
        let shares = members.map(|id| Element::from(evaluate(commitments.iter(), id))).collect();
        let key = commitments.first().copied().map_or_else(Element::identity, Element::from);
        if key.is_identity() {
            return Err(Unfinished::Identity);
        }
        Ok(Group { key, shares, threshold: self.threshold })
    }
}

impl Group {
    /// A member's public share.
    pub fn share(&self, member: u16) -> Option<&Element> {
        self.shares.get(usize::from(member))
    }

    /// A member's own secret share: the sum of what it received in exactly the qualified dealings. `None` if it
    /// does not match its public share.
    pub fn own(&self, me: u16, received: Vec<Secret>) -> Option<Secret> {
        Some(sum(&received)).filter(|secret| self.share(me) == Some(&secret.public()))
    }
}

impl Wire for Group {
    fn write(&self, out: &mut Vec<u8>) {
        self.threshold.write(out);
        self.key.write(out);
        write_counted(&self.shares, out);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        let threshold = u16::read(from)?;
        let key = Element::read(from)?;
        if key.is_identity() {
            return Err(Malformed::Identity);
        }
        let shares: Vec<Element> = from.counted(2, MOST_MEMBERS)?;
        if threshold < 2 || usize::from(threshold) > shares.len() {
            return Err(Malformed::Length { least: usize::from(threshold).max(2), most: MOST_MEMBERS });
        }
        Ok(Self { key, shares, threshold })
    }
}

impl fmt::Display for Unfinished {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFew { needed, got } => write!(f, "only {got} dealings were accepted, but {needed} are needed"),
            Self::Unchecked(dealer) => write!(f, "the dealing of member {dealer} was never checked"),
            Self::Identity => f.write_str("the dealings add up to the neutral element"),
        }
    }
}

impl core::error::Error for Unfinished {}
