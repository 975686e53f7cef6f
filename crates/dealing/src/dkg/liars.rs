//! Ways to cheat, for tests that cheats are caught.

use rand::CryptoRng;

use super::{CannotDeal, Ceremony, Complaint, Dealing, Polynomial};
use crate::equality::Equality;
use crate::{Element, Scalar, Secret};

impl Ceremony {
    /// Deals as this member, with valid proofs, but gives one member a wrong share.
    pub fn deal_wrong(
        &self,
        author: u16,
        polynomial: &Polynomial,
        victim: u16,
        rng: &mut impl CryptoRng,
    ) -> Result<Dealing, CannotDeal> {
        let error = |member| if member == victim { Scalar::ONE } else { Scalar::ZERO };
        self.deal_with(author, polynomial, error, rng)
    }

    /// Complains about any share, right or wrong, with a valid proof.
    pub fn complain_anyway(
        &self,
        me: u16,
        secret: &Secret,
        author: u16,
        dealing: &Dealing,
        rng: &mut impl CryptoRng,
    ) -> Complaint {
        let shared = Element::from(dealing.r.point() * secret.scalar());
        let proof = Equality::prove(self.complaint(me, author, dealing), secret, &[dealing.r], &[shared], rng);
        Complaint { shared, proof }
    }
}
