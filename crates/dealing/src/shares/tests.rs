use super::*;
use crate::testing::{elements, elsewhere, fingerprint, here, refuses_all_changes, secrets, seeded};
use crate::{Scalar, decode, encode};

#[test]
fn shares_are_accepted_only_from_their_author_for_their_cards() {
    let rng = &mut seeded(1);
    let [secret, other] = secrets(rng);
    let [a, b, c] = elements();
    let shares = share(&here(), &secret, &[a, b], rng);
    assert_eq!(shares.points, [a, b].map(|c1| Element::from(c1.point() * secret.scalar())));
    let verify = |public: &Element, c1s: &[Element]| shares.verify(&here(), public, c1s);
    let public = secret.public();
    assert_eq!(verify(&public, &[a, b]), Ok(()));
    assert_eq!(verify(&other.public(), &[a, b]), Err(Invalid::Proof));
    assert_eq!(verify(&public, &[b, a]), Err(Invalid::Proof));
    assert_eq!(verify(&public, &[a, c]), Err(Invalid::Proof));
    assert_eq!(verify(&public, &[a]), Err(Invalid::Count { expected: 1, got: 2 }));
    assert_eq!(verify(&public, &[a, b, c]), Err(Invalid::Count { expected: 3, got: 2 }));
    for context in elsewhere() {
        assert_eq!(shares.verify(&context, &public, &[a, b]), Err(Invalid::Proof), "{context:?}");
    }
}

#[test]
fn no_changed_shares_are_accepted() {
    let rng = &mut seeded(2);
    let [secret] = secrets(rng);
    for cards in [1, 3] {
        let c1s = &elements::<3>()[..cards];
        let shares = share(&here(), &secret, c1s, rng);
        let fields: Vec<usize> = (0..cards + 3).map(|i| 2 + 32 * i).collect();
        refuses_all_changes(&shares, &fields, |shares: &Shares| shares.verify(&here(), &secret.public(), c1s).is_ok());
    }
}

#[test]
fn errors_that_would_cancel_out_are_caught() {
    let rng = &mut seeded(3);
    let [secret] = secrets(rng);
    let c1s: [Element; 3] = elements();
    let mut shares = share(&here(), &secret, &c1s, rng);
    let [first, second, third] = shares.points.clone().try_into().unwrap();
    let error = Element::hashed("error", &[]);
    shares.points = vec![(first.point() + error.point()).into(), (second.point() - error.point()).into(), third];
    assert_eq!(shares.verify(&here(), &secret.public(), &c1s), Err(Invalid::Proof));
}

#[test]
fn a_liar_cannot_prove_made_up_images() {
    let rng = &mut seeded(4);
    let [secret] = secrets(rng);
    let [first, second, wrong]: [Element; 3] = elements();
    let c1s = [first, second];
    let images = equality::images(&secret, &c1s);
    let shifted = Element::from(images[1].point() + Element::base(&Scalar::ONE).point());
    for points in [[images[0], wrong], [wrong, images[1]], [images[1], images[0]], [images[0], shifted]] {
        // The liar does everything a prover does, but with other images.
        let proof = Equality::prove(Transcript::new(PROTOCOL, &here()), &secret, &c1s, &points, rng);
        let lie = Shares { points: points.to_vec(), proof };
        assert_eq!(lie.verify(&here(), &secret.public(), &c1s), Err(Invalid::Proof));
    }
}

#[test]
fn the_share_of_an_open_card_is_the_neutral_element_and_nothing_else() {
    let rng = &mut seeded(5);
    let [secret] = secrets(rng);
    let public = secret.public();
    let [card] = elements();
    for c1s in [vec![Element::identity()], vec![Element::identity(), card], vec![Element::identity(); 3]] {
        let mut shares = share(&here(), &secret, &c1s, rng);
        assert!(shares.points[0].is_identity());
        assert_eq!(shares.verify(&here(), &public, &c1s), Ok(()));
        shares.points[0] = card;
        assert_eq!(shares.verify(&here(), &public, &c1s), Err(Invalid::Proof));
    }
}

#[test]
fn the_neutral_element_is_not_a_public_share() {
    let rng = &mut seeded(6);
    let zero = Secret::new(Scalar::ZERO);
    let [card] = elements();
    let shares = share(&here(), &zero, &[card], rng);
    assert_eq!(shares.verify(&here(), &zero.public(), &[card]), Err(Invalid::Identity));
}

#[test]
fn a_message_has_from_one_to_512_shares() {
    let rng = &mut seeded(7);
    let [secret] = secrets(rng);
    let [card] = elements();
    let most = share(&here(), &secret, &[card; MOST_SHARES], rng);
    assert_eq!(decode::<Shares>(&encode(&most)).as_ref(), Ok(&most));
    let length = Malformed::Length { least: 1, most: MOST_SHARES };
    let none = Shares { points: vec![], proof: most.proof.clone() };
    assert_eq!(decode::<Shares>(&encode(&none)), Err(length));
    let more = Shares { points: vec![card; MOST_SHARES + 1], proof: most.proof };
    assert_eq!(decode::<Shares>(&encode(&more)), Err(length));
}

#[test]
fn a_batch_names_exactly_the_wrong_ones() {
    let rng = &mut seeded(8);
    let authors: [Secret; 6] = secrets(rng);
    let publics = authors.each_ref().map(Secret::public);
    let c1s: [Element; 4] = elements();
    // Everybody shares the first three cards, except the last author, who shares others.
    let cards = |i: usize| if i == 5 { &c1s[1..] } else { &c1s[..3] };
    let honest: Vec<Shares> = (0..6).map(|i| share(&here(), &authors[i], cards(i), rng)).collect();
    for wrong in 0_usize..1 << 6 {
        let is_wrong = |i: usize| wrong >> i & 1 == 1;
        let mut all = honest.clone();
        for (i, shares) in all.iter_mut().enumerate().filter(|(i, _)| is_wrong(*i)) {
            match i % 3 {
                0 => shares.points.swap(0, 1),
                1 => shares.points.truncate(2),
                _ => shares.proof = honest[0].proof.clone(),
            }
        }
        let claimed: Vec<Claimed<'_>> =
            (0..6).map(|i| Claimed { context: here(), public: &publics[i], c1s: cards(i), shares: &all[i] }).collect();
        let expected: Vec<usize> = (0..6).filter(|i| is_wrong(*i)).collect();
        assert_eq!(verify_shares(&claimed).err().unwrap_or_default(), expected, "{wrong:06b}");
    }
    assert_eq!(verify_shares(&[]), Ok(()));
}

#[test]
fn a_batch_does_not_let_errors_of_two_authors_cancel_out() {
    let rng = &mut seeded(9);
    let [a, b] = secrets::<2>(rng);
    let [card] = elements();
    let error = Element::hashed("error", &[]);
    let mut first = share(&here(), &a, &[card], rng);
    let mut second = share(&here(), &b, &[card], rng);
    first.points = vec![(first.points[0].point() + error.point()).into()];
    second.points = vec![(second.points[0].point() - error.point()).into()];
    let (public_a, public_b) = (a.public(), b.public());
    let claim = |public, shares| Claimed { context: here(), public, c1s: core::slice::from_ref(&card), shares };
    assert_eq!(verify_shares(&[claim(&public_a, &first), claim(&public_b, &second)]), Err(vec![0, 1]));
}

#[test]
fn a_batch_does_not_let_answers_of_two_authors_cancel_out() {
    // Nothing is hashed after the answers, so a liar can change them freely: one up, one down.
    let rng = &mut seeded(11);
    let authors: [Secret; 2] = secrets(rng);
    let publics = authors.each_ref().map(Secret::public);
    let c1s: [Element; 1] = elements();
    let changed = |shares: &Shares, add: Scalar| {
        let mut bytes = encode(shares);
        let at = bytes.len() - 32;
        let z: Scalar = decode(&bytes[at..]).unwrap();
        bytes.truncate(at);
        bytes.extend(encode(&(z + add)));
        decode::<Shares>(&bytes).unwrap()
    };
    let [first, second] = authors.each_ref().map(|secret| share(&here(), secret, &c1s, rng));
    let (first, second) = (changed(&first, Scalar::ONE), changed(&second, -Scalar::ONE));
    let claim = |i: usize, shares| Claimed { context: here(), public: &publics[i], c1s: &c1s, shares };
    assert_eq!(verify_shares(&[claim(0, &first), claim(1, &second)]), Err(vec![0, 1]));
}

#[test]
fn the_encoding_is_frozen() {
    let rng = &mut seeded(10);
    let [secret] = secrets(rng);
    let shares = share(&here(), &secret, &elements::<3>(), rng);
    assert_eq!(encode(&shares).len(), 2 + 3 * 32 + 96);
    assert_eq!(fingerprint(&shares), "db8a369e0dff6f74");
}
