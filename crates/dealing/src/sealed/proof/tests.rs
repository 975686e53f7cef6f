//! Liars who do everything a prover does, but for something else.

use super::*;
use crate::seal;
use crate::sealed::tests::dealt;
use crate::sealed::{ClaimedSealed, SealedShares, hidden, statement, verify_sealed};
use crate::testing::{elements, elsewhere, here, secrets, seeded};

/// A message made of whatever the liar likes, with a proof about the statement that is checked.
struct Forger {
    member: Secret,
    players: [Secret; 2],
    /// Two for each player, in turn.
    cards: [Dealt; 4],
    ks: [Secret; 4],
    right: Vec<Sealed>,
}

impl Forger {
    fn new() -> Self {
        let rng = &mut seeded(20);
        let ([member], players, ks) = (secrets(rng), secrets::<2>(rng), secrets(rng));
        let cards = dealt([&players[0], &players[1], &players[0], &players[1]]);
        let right = hidden(&member, &ks, &cards);
        Self { member, players, cards, ks, right }
    }

    /// Claims that these are the shares.
    fn claim(&self, sealed: &[Sealed]) -> SealedShares {
        self.claim_with(&self.member, &self.ks, sealed)
    }

    /// The same, proven with other secrets.
    fn claim_with(&self, s: &Secret, ks: &[Secret], sealed: &[Sealed]) -> SealedShares {
        let transcript = statement(&here(), &self.member.public(), &self.cards);
        let proof = Proof::new(transcript, s, ks, &self.cards, sealed, &mut seeded(21));
        SealedShares { cards: sealed.to_vec(), proof }
    }

    fn verify(&self, said: &SealedShares) -> Result<(), Invalid> {
        said.verify(&here(), &self.member.public(), &self.cards)
    }

    /// The right shares with something added to some.
    fn shifted(&self, shifts: &[(usize, &Element, Scalar)]) -> Vec<Sealed> {
        let mut sealed = self.right.clone();
        for (i, by, times) in shifts {
            sealed[*i].e = (sealed[*i].e.point() + by.point() * times).into();
        }
        sealed
    }
}

#[test]
fn what_is_right_can_be_proven() {
    let forger = Forger::new();
    assert_eq!(forger.verify(&forger.claim(&forger.right)), Ok(()));
}

#[test]
fn a_wrong_share_cannot_be_proven() {
    let forger = Forger::new();
    let error = Element::hashed("error", &[]);
    for card in 0..4 {
        let off = Element::base(&Scalar::ONE);
        for by in [error, off, forger.cards[card].c1, forger.cards[card].to, forger.cards[3 - card].to] {
            let lie = forger.claim(&forger.shifted(&[(card, &by, Scalar::ONE)]));
            assert_eq!(forger.verify(&lie), Err(Invalid::Proof), "{card} shifted by {by:?}");
        }
        // As if sealed to another key, or of another card.
        let changes: [fn(&mut Dealt, &Dealt); 2] = [|card, other| card.to = other.to, |card, other| card.c1 = other.c1];
        for change in changes {
            let mut cards = forger.cards;
            change(&mut cards[card], &forger.cards[(card + 1) % 4]);
            let lie = forger.claim(&hidden(&forger.member, &forger.ks, &cards));
            assert_eq!(forger.verify(&lie), Err(Invalid::Proof), "{card}");
        }
    }
}

#[test]
fn errors_that_would_cancel_out_are_caught() {
    let forger = Forger::new();
    let error = Element::hashed("error", &[]);
    for (one, other) in [(0, 1), (0, 2), (1, 3), (2, 3)] {
        let lie = forger.shifted(&[(one, &error, Scalar::ONE), (other, &error, -Scalar::ONE)]);
        assert_eq!(forger.verify(&forger.claim(&lie)), Err(Invalid::Proof), "{one} and {other}");
        // The same in the keys: what is known is only their sum.
        let mut lie = forger.right.clone();
        lie[one].k = (lie[one].k.point() + error.point()).into();
        lie[other].k = (lie[other].k.point() - error.point()).into();
        assert_eq!(forger.verify(&forger.claim(&lie)), Err(Invalid::Proof), "{one} and {other}");
        // Or the shares of the two exchanged.
        let mut lie = forger.right.clone();
        lie.swap(one, other);
        assert_eq!(forger.verify(&forger.claim(&lie)), Err(Invalid::Proof), "{one} and {other}");
    }
}

#[test]
fn a_key_whose_secret_is_not_known_cannot_be_used() {
    let forger = Forger::new();
    for card in 0..4 {
        for k in [elements::<5>()[4], forger.right[(card + 2) % 4].k, forger.right[(card + 1) % 4].k] {
            let mut lie = forger.right.clone();
            lie[card].k = k;
            assert_eq!(forger.verify(&forger.claim(&lie)), Err(Invalid::Proof), "{card}");
        }
    }
}

#[test]
fn shares_made_with_another_secret_cannot_be_proven() {
    let forger = Forger::new();
    let [other] = secrets(&mut seeded(22));
    let made = hidden(&other, &forger.ks, &forger.cards);
    assert_eq!(forger.verify(&forger.claim(&made)), Err(Invalid::Proof));
    assert_eq!(forger.verify(&forger.claim_with(&other, &forger.ks, &made)), Err(Invalid::Proof));
    assert_eq!(forger.verify(&forger.claim_with(&other, &forger.ks, &forger.right)), Err(Invalid::Proof));
}

#[test]
fn an_error_for_one_owner_cannot_be_divided_between_two() {
    // A liar who knows the players' keys gives the first card's share an error of B. There is a d so that E' fits the
    // secrets k'_0 + d and k'_1 − d, whose sum is right.
    let forger = Forger::new();
    let [q_0, q_1] = forger.players.each_ref().map(|player| *player.scalar());
    let lie = forger.shifted(&[(0, &Element::base(&Scalar::ONE), Scalar::ONE)]);
    let w = fold(&mut statement(&here(), &forger.member.public(), &forger.cards), &lie);
    let d = (q_0 - q_1).invert();
    let mut ks = forger.ks.clone();
    ks[0] = Secret::new(ks[0].scalar() + d);
    ks[1] = Secret::new(ks[1].scalar() - d * w.invert());
    assert_eq!(forger.verify(&forger.claim_with(&forger.member, &ks, &lie)), Err(Invalid::Proof));
}

#[test]
fn no_changed_answer_is_accepted() {
    // Nothing is hashed after the answers, so a liar can change them freely.
    let forger = Forger::new();
    let honest = forger.claim(&forger.right);
    let mut lie = honest.clone();
    lie.proof.z_s += Scalar::ONE;
    assert_eq!(forger.verify(&lie), Err(Invalid::Proof), "z_s");
    for owner in 0..2 {
        let mut lie = honest.clone();
        lie.proof.owners[owner].z += Scalar::ONE;
        assert_eq!(forger.verify(&lie), Err(Invalid::Proof), "the answer for {owner}");
    }
    let mut lie = honest.clone();
    lie.proof.owners[0].z += Scalar::ONE;
    lie.proof.owners[1].z -= Scalar::ONE;
    assert_eq!(forger.verify(&lie), Err(Invalid::Proof), "answers that cancel out");
    let mut lie = honest.clone();
    lie.proof.owners.swap(0, 1);
    assert_eq!(forger.verify(&lie), Err(Invalid::Proof), "answers exchanged");
    let changes: [fn(&mut Proof) -> &mut Element; 3] =
        [|proof| &mut proof.a, |proof| &mut proof.t, |proof| &mut proof.owners[1].b];
    for change in changes {
        let mut lie = honest.clone();
        *change(&mut lie.proof) = elements::<5>()[4];
        assert_eq!(forger.verify(&lie), Err(Invalid::Proof));
    }
}

#[test]
fn owners_can_be_neither_merged_nor_split() {
    let forger = Forger::new();
    let honest = forger.claim(&forger.right);
    let [one, two]: [Answer; 2] = honest.proof.owners.clone().try_into().unwrap();
    let with = |owners: Vec<Answer>| {
        let mut lie = honest.clone();
        lie.proof.owners = owners;
        lie
    };
    let count = |got| Err(Invalid::Count { expected: 2, got });
    let b = Element::from(one.b.point() + two.b.point());
    assert_eq!(forger.verify(&with(vec![Answer { b, z: one.z + two.z }])), count(1));
    assert_eq!(forger.verify(&with(vec![one.clone(), two.clone(), two.clone()])), count(3));
    assert_eq!(forger.verify(&with(vec![])), count(0));
    // Said of one owner's four cards instead, or of four owners.
    let rng = &mut seeded(23);
    let four: [Secret; 4] = secrets(rng);
    let public = forger.member.public();
    for cards in [dealt([&four[0]; 4]), dealt(four.each_ref())] {
        let other = seal(&here(), &forger.member, &cards, rng);
        assert_eq!(other.verify(&here(), &public, &cards), Ok(()));
        assert!(matches!(forger.verify(&other), Err(Invalid::Count { expected: 2, .. })));
        assert!(matches!(honest.verify(&here(), &public, &cards), Err(Invalid::Count { got: 2, .. })));
    }
}

#[test]
fn a_proof_cannot_be_copied() {
    let forger = Forger::new();
    let rng = &mut seeded(24);
    let (public, [other]) = (forger.member.public(), secrets(rng));
    let honest = forger.claim(&forger.right);
    for context in elsewhere() {
        let there = seal(&context, &forger.member, &forger.cards, rng);
        assert_eq!(there.verify(&context, &public, &forger.cards), Ok(()));
        assert_eq!(forger.verify(&there), Err(Invalid::Proof));
        let mixed = SealedShares { cards: there.cards, proof: honest.proof.clone() };
        assert_eq!(mixed.verify(&context, &public, &forger.cards), Err(Invalid::Proof));
        assert_eq!(forger.verify(&mixed), Err(Invalid::Proof));
    }
    let theirs = seal(&here(), &other, &forger.cards, rng);
    let mixed = SealedShares { cards: forger.right.clone(), proof: theirs.proof };
    assert_eq!(forger.verify(&mixed), Err(Invalid::Proof));
}

#[test]
fn a_batch_does_not_let_errors_of_two_authors_cancel_out() {
    let forger = Forger::new();
    let [other] = secrets(&mut seeded(25));
    let publics = [forger.member.public(), other.public()];
    let base = Element::base(&Scalar::ONE);
    let theirs = seal(&here(), &other, &forger.cards, &mut seeded(26));
    let verify = |said: [&SealedShares; 2]| {
        let claim =
            |i: usize| ClaimedSealed { context: here(), public: &publics[i], cards: &forger.cards, sealed: said[i] };
        verify_sealed(&[claim(0), claim(1)])
    };
    let mine = forger.claim(&forger.right);
    assert_eq!(verify([&mine, &theirs]), Ok(()));
    let shift = |said: &SealedShares, by: Scalar| {
        let mut said = said.clone();
        said.cards[2].e = (said.cards[2].e.point() + base.point() * by).into();
        said
    };
    assert_eq!(verify([&shift(&mine, Scalar::ONE), &shift(&theirs, -Scalar::ONE)]), Err(vec![0, 1]));
    let answer = |said: &SealedShares, by: Scalar| {
        let mut said = said.clone();
        said.proof.owners[0].z += by;
        said
    };
    assert_eq!(verify([&answer(&mine, Scalar::ONE), &answer(&theirs, -Scalar::ONE)]), Err(vec![0, 1]));
}
