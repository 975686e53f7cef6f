//! Ways to cheat, for tests of who is found out.

use rand::CryptoRng;

use super::deal::bind_rest;
use super::{Ceremony, Complaint, Dealing, Polynomial, id};
use crate::equality::Equality;
use crate::nonce::nonce;
use crate::{Element, Knowledge, Scalar, Secret};

impl Ceremony {
    /// Deals as this member, with everything proven as it should be, but gives one member a wrong share.
    pub fn deal_wrong(
        &self,
        author: u16,
        polynomial: &Polynomial,
        victim: u16,
        rng: &mut impl CryptoRng,
    ) -> Option<Dealing> {
        let constant = polynomial.0.first()?;
        let commitments: Vec<Element> = polynomial.0.iter().map(Secret::public).collect();
        let mut transcript = self.transcript("fairdeal/dkg/deal/v1", author);
        transcript.elements("A", commitments.iter());
        let secret_r = nonce(&transcript, constant, rng);
        let r = secret_r.public();
        let to = |(member, key): (u16, &Element)| {
            let shared = key.point() * secret_r.scalar();
            let wrong = if member == victim { Scalar::ONE } else { Scalar::ZERO };
            polynomial.at(id(member)).scalar() + self.pad(author, member, &r, &shared) + wrong
        };
        let shares: Vec<Scalar> = (0..).zip(&self.keys).map(to).collect();
        bind_rest(&mut transcript, &r, &shares);
        let knows_constant = Knowledge::prove_on(&mut transcript, constant, commitments.first()?, rng);
        let knows_r = Knowledge::prove_on(&mut transcript, &secret_r, &r, rng);
        Some(Dealing { commitments, r, shares, knows_constant, knows_r })
    }

    /// Complains of a share whatever it is, with a proof that holds.
    pub fn complain_anyway(
        &self,
        me: u16,
        secret: &Secret,
        author: u16,
        dealing: &Dealing,
        rng: &mut impl CryptoRng,
    ) -> Option<Complaint> {
        let (images, proof) = Equality::prove(self.complaint(me, author, dealing), secret, &[dealing.r], rng);
        Some(Complaint { shared: *images.first()?, proof })
    }
}
