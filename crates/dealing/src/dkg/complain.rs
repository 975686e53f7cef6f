//! The second round: a member with a wrong share proves it, and everybody judges.

use core::fmt;

use rand::CryptoRng;

use super::{Ceremony, Dealing, evaluate, id};
use crate::equality::Equality;
use crate::{Element, Malformed, Point, Reader, Scalar, Secret, Transcript, Wire};

/// Proof that a dealer dealt a member a wrong share: `K = p_j·R`, with which everybody can read that share, and
/// a proof that `K` is correct. 128 bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Complaint {
    pub(super) shared: Element,
    pub(super) proof: Equality,
}

/// Why a member cannot take a share from a dealing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unusable {
    /// The share is wrong; publish this complaint.
    Wrong(Box<Complaint>),
    /// The secret does not belong to this member's key, so nothing can be said about the share.
    NotMine,
}

/// Who is guilty after a complaint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// The share is wrong: the dealing does not count.
    DealerGuilty,
    /// The share is right, or the complaint proves nothing.
    ComplainerGuilty,
}

impl Ceremony {
    /// Takes a member's share out of a dealing that passed [`Ceremony::check`].
    pub fn receive(
        &self,
        me: u16,
        secret: &Secret,
        author: u16,
        dealing: &Dealing,
        rng: &mut impl CryptoRng,
    ) -> Result<Secret, Unusable> {
        if self.key(me) != Some(&secret.public()) {
            return Err(Unusable::NotMine);
        }
        let shared = dealing.r.point() * secret.scalar();
        let share = self.open(me, author, dealing, &shared);
        if let Some(share) = share.filter(|share| is_share(me, dealing, share)) {
            return Ok(share);
        }
        let (transcript, shared) = (self.complaint(me, author, dealing), Element::from(shared));
        let proof = Equality::prove(transcript, secret, &[dealing.r], &[shared], rng);
        Err(Unusable::Wrong(Box::new(Complaint { shared, proof })))
    }

    /// Judges a complaint about a dealing that passed [`Ceremony::check`]. Everybody reaches the same
    /// judgement.
    pub fn judge(&self, complainer: u16, author: u16, dealing: &Dealing, complaint: &Complaint) -> Judgement {
        let transcript = self.complaint(complainer, author, dealing);
        let proven = self
            .key(complainer)
            .is_some_and(|key| complaint.proof.verify(transcript, key, &[dealing.r], &[complaint.shared]).is_ok());
        if !proven {
            return Judgement::ComplainerGuilty;
        }
        match self.open(complainer, author, dealing, complaint.shared.point()) {
            Some(share) if is_share(complainer, dealing, &share) => Judgement::ComplainerGuilty,
            _ => Judgement::DealerGuilty,
        }
    }

    fn open(&self, member: u16, author: u16, dealing: &Dealing, shared: &Point) -> Option<Secret> {
        let sealed: &Scalar = dealing.shares.get(usize::from(member))?;
        Some(Secret::new(sealed - self.pad(author, member, &dealing.r, shared)))
    }

    pub(super) fn complaint(&self, complainer: u16, author: u16, dealing: &Dealing) -> Transcript {
        let mut transcript = self.transcript("fairdeal/dkg/complain/v1", complainer);
        transcript.number("dealer", author.into());
        transcript.elements("A", dealing.commitments.iter());
        transcript.scalars("shares", dealing.shares.iter());
        transcript
    }
}

/// `f(j)·B = sum j^k·A_k`.
fn is_share(member: u16, dealing: &Dealing, share: &Secret) -> bool {
    let expected = evaluate(dealing.commitments.iter().map(Element::point), id(member));
    *share.public().point() == expected
}

impl Wire for Complaint {
    fn write(&self, out: &mut Vec<u8>) {
        self.shared.write(out);
        self.proof.write(out);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self { shared: Element::read(from)?, proof: Equality::read(from)? })
    }
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Wrong(_) => "the share is wrong",
            Self::NotMine => "the secret does not belong to the member's key",
        })
    }
}

impl core::error::Error for Unusable {}
