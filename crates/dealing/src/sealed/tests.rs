use super::*;
use crate::testing::{elements, elsewhere, fingerprint, here, refuses_all_changes, secrets, seeded};
use crate::{Shares, combine, encode, share};

#[test]
fn the_player_reads_the_share_and_everybody_can_check_it() {
    let rng = &mut seeded(1);
    let [member, player, other] = secrets(rng);
    let [card, another] = elements();
    let (public, to) = (member.public(), player.public());
    let sealed = seal(&here(), &member, &card, &to, rng);
    assert_eq!(sealed.open(&player), card.point() * member.scalar());
    assert_ne!(sealed.open(&other), card.point() * member.scalar());
    assert_eq!(sealed.verify(&here(), &public, &card, &to), Ok(()));
    assert_eq!(sealed.verify(&here(), &other.public(), &card, &to), Err(Invalid::Proof), "another's");
    assert_eq!(sealed.verify(&here(), &public, &another, &to), Err(Invalid::Proof), "of another card");
    assert_eq!(sealed.verify(&here(), &public, &card, &other.public()), Err(Invalid::Proof), "for another player");
    for context in elsewhere() {
        assert_eq!(sealed.verify(&context, &public, &card, &to), Err(Invalid::Proof), "{context:?}");
    }
}

#[test]
fn no_changed_sealed_share_is_accepted() {
    let rng = &mut seeded(2);
    let [member, player] = secrets(rng);
    let [card] = elements();
    let (public, to) = (member.public(), player.public());
    let sealed = seal(&here(), &member, &card, &to, rng);
    let fields: Vec<usize> = (0..7).map(|i| 32 * i).collect();
    let accepts = |sealed: &Sealed| sealed.verify(&here(), &public, &card, &to).is_ok();
    refuses_all_changes(&sealed, &fields, accepts);
}

#[test]
fn a_liar_who_knows_everything_cannot_prove_a_wrong_share() {
    let rng = &mut seeded(8);
    let [member, other, player, k] = secrets(rng);
    let [card, another] = elements();
    let (public, to) = (member.public(), player.public());
    let shifted = |e: Element| Element::from(e.point() + Element::base(&Scalar::ONE).point());
    for (s, e) in [
        (&member, shifted(hidden(&member, &k, &card, &to))),
        (&member, hidden(&member, &k, &another, &to)),
        (&member, hidden(&member, &k, &card, &public)),
        (&member, hidden(&other, &k, &card, &to)),
        (&other, hidden(&other, &k, &card, &to)),
    ] {
        // The liar does everything a prover does, but for something else.
        let mut transcript = Transcript::new(PROTOCOL, &here());
        bind_statement(&mut transcript, &public, &card, &to);
        bind_sealed(&mut transcript, &k.public(), &e);
        let lie = Sealed { k: k.public(), e, proof: Proof::new(transcript, s, &k, &card, &to, rng) };
        assert_eq!(lie.verify(&here(), &public, &card, &to), Err(Invalid::Proof));
    }
    // A key K whose secret the liar does not know, so that another player's answer would reveal more.
    let mut transcript = Transcript::new(PROTOCOL, &here());
    bind_statement(&mut transcript, &public, &card, &to);
    let e = hidden(&member, &k, &card, &to);
    bind_sealed(&mut transcript, &another, &e);
    let lie = Sealed { k: another, e, proof: Proof::new(transcript, &member, &k, &card, &to, rng) };
    assert_eq!(lie.verify(&here(), &public, &card, &to), Err(Invalid::Proof));
}

#[test]
fn nothing_is_sealed_with_or_to_the_neutral_element() {
    let rng = &mut seeded(3);
    let [member, player] = secrets(rng);
    let [card] = elements();
    let zero = Secret::new(Scalar::ZERO);
    let nobody = zero.public();
    let sealed = seal(&here(), &member, &card, &nobody, rng);
    assert_eq!(sealed.verify(&here(), &member.public(), &card, &nobody), Err(Invalid::Identity));
    let sealed = seal(&here(), &zero, &card, &player.public(), rng);
    assert_eq!(sealed.verify(&here(), &nobody, &card, &player.public()), Err(Invalid::Identity));
    let mut open = seal(&here(), &member, &card, &player.public(), rng);
    open.k = nobody;
    assert_eq!(open.verify(&here(), &member.public(), &card, &player.public()), Err(Invalid::Identity));
    assert_eq!(crate::decode::<Sealed>(&encode(&open)), Err(Malformed::Identity));
}

#[test]
fn a_batch_names_exactly_the_wrong_ones() {
    let rng = &mut seeded(4);
    let members: [Secret; 3] = secrets(rng);
    let players: [Secret; 2] = secrets(rng);
    let (publics, tos) = (members.each_ref().map(Secret::public), players.each_ref().map(Secret::public));
    let cards: [Element; 2] = elements();
    let places: Vec<(usize, usize)> = (0..3).flat_map(|m| (0..2).map(move |p| (m, p))).collect();
    let honest: Vec<Sealed> =
        places.iter().map(|(m, p)| seal(&here(), &members[*m], &cards[*p], &tos[*p], rng)).collect();
    for wrong in 0_usize..1 << 6 {
        let is_wrong = |i: usize| wrong >> i & 1 == 1;
        let mut all = honest.clone();
        for (i, sealed) in all.iter_mut().enumerate().filter(|(i, _)| is_wrong(*i)) {
            match i % 3 {
                0 => sealed.e = cards[0],
                1 => sealed.k = Element::identity(),
                _ => *sealed = honest[(i + 1) % 6].clone(),
            }
        }
        let claim = |((m, p), sealed)| ClaimedSealed {
            context: here(),
            public: &publics[m],
            c1: &cards[p],
            to: &tos[p],
            sealed,
        };
        let claimed: Vec<ClaimedSealed<'_>> = places.iter().copied().zip(&all).map(claim).collect();
        let expected: Vec<usize> = (0..6).filter(|i| is_wrong(*i)).collect();
        assert_eq!(verify_sealed(&claimed).err().unwrap_or_default(), expected, "{wrong:06b}");
    }
    assert_eq!(verify_sealed(&[]), Ok(()));
}

/// Shares of a secret that any two of them determine: f(x) = secret + x·slope.
fn two_of_three(secret: &Secret, slope: &Secret) -> [(u16, Secret); 3] {
    [1, 2, 3].map(|id| (id, Secret::new(secret.scalar() + Scalar::from(id) * slope.scalar())))
}

#[test]
fn a_player_shows_a_card_with_one_message_that_everybody_can_check() {
    let rng = &mut seeded(5);
    let [secret, slope, player, other] = secrets(rng);
    let [c1] = elements();
    let members = two_of_three(&secret, &slope);
    let to = player.public();
    let sealed: Vec<(u16, Sealed)> =
        members.iter().map(|(id, own)| (*id, seal(&here().author(*id), own, &c1, &to, rng))).collect();
    let factor = c1.point() * secret.scalar();

    let opened: Vec<(u16, Point)> = sealed.iter().map(|(id, sealed)| (*id, sealed.open(&player))).collect();
    assert_eq!(combine(&opened[1..]), Some(factor), "the player alone");

    let first: Vec<(u16, &Sealed)> = sealed.iter().take(2).map(|(id, sealed)| (*id, sealed)).collect();
    let (k, e) = sealed_sum(&first).unwrap();
    let shown: Shares = share(&here(), &player, &[k], rng);
    assert_eq!(shown.verify(&here(), &to, &[k]), Ok(()));
    assert_eq!(e.point() - shown.points[0].point(), factor, "everybody");
    let lie = share(&here(), &other, &[k], rng);
    assert_eq!(lie.verify(&here(), &to, &[k]), Err(Invalid::Proof));
    let (k_of_others, _) = sealed_sum(&[(2, &sealed[1].1), (3, &sealed[2].1)]).unwrap();
    assert_eq!(shown.verify(&here(), &to, &[k_of_others]), Err(Invalid::Proof));
    assert_eq!(sealed_sum(&[(1, &sealed[0].1), (1, &sealed[0].1)]), None);
}

#[test]
fn fewer_shares_than_needed_fit_every_card_equally_well() {
    let rng = &mut seeded(6);
    let [secret, slope] = secrets(rng);
    let [c1] = elements();
    let [(id, first), (second_id, second), _] = two_of_three(&secret, &slope);
    let own = c1.point() * first.scalar();
    let right = combine(&[(id, own), (second_id, c1.point() * second.scalar())]).unwrap();
    let cards: [Element; 52] = elements();
    let c2 = cards[17].point() + right;
    let lambda = crate::lagrange(&[id, second_id]).unwrap();
    for card in &cards {
        // If it were this card, this would be the second share, and the first is consistent with that.
        let missing = (c2 - card.point() - own * lambda[0]) * lambda[1].invert();
        assert_eq!(c2 - combine(&[(id, own), (second_id, missing)]).unwrap(), *card.point());
    }
    assert_ne!(combine(&[(id, own)]), Some(right));
}

#[test]
fn the_encoding_is_frozen() {
    let rng = &mut seeded(7);
    let [member, player] = secrets(rng);
    let [card] = elements();
    let sealed = seal(&here(), &member, &card, &player.public(), rng);
    assert_eq!(encode(&sealed).len(), 64 + 160);
    assert_eq!(fingerprint(&sealed), "111b21b6d6705a4b");
}
