//! Ways to cheat, for tests of who is found out.

use rand::CryptoRng;

use super::{CannotDeal, Ceremony, Complaint, Dealing, Polynomial};
use crate::equality::Equality;
use crate::{Element, Scalar, Secret};

impl Ceremony {
    /// Deals as this member, with everything proven as it should be, but gives one member a wrong share.
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

    /// Complains of a share whatever it is, with a proof that holds.
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
