//! The points used to commit to vectors: `com(a; r) = rH + a_1·G_1 + … + a_n·G_n`.
//!
//! They are hashed to the group from their names, so no relation among them, the base point or a card is known;
//! a commitment to two different vectors would reveal one. They are the same for everybody and are made once
//! per process, in about 10 ms.

use std::sync::LazyLock;

use crate::{Element, MOST_CARDS, Point};

/// The name of the set, bound by every proof that uses it.
pub(crate) const SET: &str = "fairdeal/generators/v1";

/// The generators of vector commitments.
pub(crate) struct Generators {
    /// For the blinding.
    pub(crate) h: Point,
    g: Vec<Point>,
}

impl Generators {
    /// The only set.
    pub(crate) fn get() -> &'static Self {
        static GENERATORS: LazyLock<Generators> = LazyLock::new(|| {
            let hashed = |index: u16| *Element::hashed(SET, &[&index.to_le_bytes()]).point();
            let count = u16::try_from(MOST_CARDS).unwrap_or(u16::MAX);
            Generators { h: hashed(0), g: (1..=count).map(hashed).collect() }
        });
        &GENERATORS
    }

    /// G_1, G_2 and so on, one per place of the longest deck.
    pub(crate) fn g(&self) -> &[Point] {
        &self.g
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use curve25519_dalek::constants::RISTRETTO_BASEPOINT_POINT;

    use super::*;

    #[test]
    fn all_generators_differ_from_each_other_and_from_the_base_point() {
        let Generators { h, g } = Generators::get();
        let all = g.iter().chain([h, &RISTRETTO_BASEPOINT_POINT]);
        let different: BTreeSet<Element> = all.map(|point| Element::from(*point)).collect();
        assert_eq!((g.len(), different.len()), (MOST_CARDS, MOST_CARDS + 2));
        assert!(!different.contains(&Element::identity()));
    }
}
