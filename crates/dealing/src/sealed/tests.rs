use super::*;
use crate::testing::{elements, elsewhere, fingerprint, here, refuses_all_changes, secrets, seeded};
use crate::{Scalar, Shares, combine, decode, encode, share};

/// Cards for players with these keys.
pub(super) fn dealt<const N: usize>(to: [&Secret; N]) -> [Dealt; N] {
    let c1s: [Element; N] = elements();
    core::array::from_fn(|i| Dealt { c1: c1s[i], to: to[i].public() })
}

#[test]
fn the_players_read_their_shares_and_everybody_can_check_them() {
    let rng = &mut seeded(1);
    let [member, one, two, other] = secrets(rng);
    let cards = dealt([&one, &two, &one]);
    let sealed = seal(&here(), &member, &cards, rng);
    for ((sealed, card), (player, not)) in
        sealed.cards.iter().zip(&cards).zip([(&one, &two), (&two, &one), (&one, &two)])
    {
        assert_eq!(sealed.open(player), card.c1.point() * member.scalar());
        assert_ne!(sealed.open(not), card.c1.point() * member.scalar());
    }
    let verify = |public: &Secret, cards: &[Dealt]| sealed.verify(&here(), &public.public(), cards);
    assert_eq!(verify(&member, &cards), Ok(()));
    assert_eq!(verify(&other, &cards), Err(Invalid::Proof), "another's");
    let [first, second, third] = cards;
    let another = Dealt { c1: elements::<4>()[3], ..second };
    assert_eq!(verify(&member, &[first, another, third]), Err(Invalid::Proof), "of another card");
    assert_eq!(verify(&member, &[third, second, first]), Err(Invalid::Proof), "in another order");
    let to_other = Dealt { to: other.public(), ..second };
    assert_eq!(verify(&member, &[first, to_other, third]), Err(Invalid::Proof), "for another player");
    let [to_two, to_one] = [Dealt { to: two.public(), ..first }, Dealt { to: one.public(), ..second }];
    assert_eq!(verify(&member, &[to_two, to_one, third]), Err(Invalid::Proof), "for each other");
    assert_eq!(verify(&member, &cards[..2]), Err(Invalid::Count { expected: 2, got: 3 }));
    assert_eq!(verify(&member, &[first, second, third, first]), Err(Invalid::Count { expected: 4, got: 3 }));
    for context in elsewhere() {
        assert_eq!(sealed.verify(&context, &member.public(), &cards), Err(Invalid::Proof), "{context:?}");
    }
}

#[test]
fn no_changed_sealed_shares_are_accepted() {
    let rng = &mut seeded(2);
    let [member, one, two] = secrets(rng);
    let public = member.public();
    let all = dealt([&one, &two, &one]);
    for (cards, owners) in [(&all[..1], 1), (&all[..], 2)] {
        let sealed = seal(&here(), &member, cards, rng);
        // The cards, then A, T and z_s, then two for each owner; the lists come after their lengths.
        let proof = 2 + 64 * cards.len();
        let mut fields: Vec<usize> = (0..2 * cards.len()).map(|i| 2 + 32 * i).collect();
        fields.extend((0..3).map(|i| proof + 32 * i));
        fields.extend((0..2 * owners).map(|i| proof + 98 + 32 * i));
        refuses_all_changes(&sealed, &fields, |sealed: &SealedShares| sealed.verify(&here(), &public, cards).is_ok());
    }
}

#[test]
fn nothing_is_sealed_with_or_to_the_neutral_element() {
    let rng = &mut seeded(3);
    let [member, player] = secrets(rng);
    let zero = Secret::new(Scalar::ZERO);
    let cards = dealt([&player, &zero]);
    let sealed = seal(&here(), &member, &cards, rng);
    assert_eq!(sealed.verify(&here(), &member.public(), &cards), Err(Invalid::Identity));
    let cards = dealt([&player, &player]);
    let sealed = seal(&here(), &zero, &cards, rng);
    assert_eq!(sealed.verify(&here(), &zero.public(), &cards), Err(Invalid::Identity));
    let mut open = seal(&here(), &member, &cards, rng);
    open.cards[1].k = zero.public();
    assert_eq!(open.verify(&here(), &member.public(), &cards), Err(Invalid::Identity));
    assert_eq!(decode::<SealedShares>(&encode(&open)), Err(Malformed::Identity));
    assert_eq!(decode::<Sealed>(&encode(&open.cards[1])), Err(Malformed::Identity));
}

#[test]
fn the_share_of_an_open_card_can_be_sealed() {
    let rng = &mut seeded(4);
    let [member, player] = secrets(rng);
    let cards = [Dealt { c1: Element::identity(), to: player.public() }];
    let sealed = seal(&here(), &member, &cards, rng);
    assert_eq!(sealed.verify(&here(), &member.public(), &cards), Ok(()));
    assert_eq!(sealed.cards[0].open(&player), Point::default());
}

#[test]
fn no_two_cards_are_sealed_with_the_same_key() {
    // Not even if the generator always says the same, and the cards are the same.
    let [member, player] = secrets(&mut seeded(5));
    let card = Dealt { c1: elements::<1>()[0], to: player.public() };
    let sealed = seal(&here(), &member, &[card; 3], &mut Stuck);
    let mut ks: Vec<Element> = sealed.cards.iter().map(|card| *card.k()).collect();
    ks.extend(seal(&here().height(6), &member, &[card; 3], &mut Stuck).cards.iter().map(|card| *card.k()));
    ks.sort();
    ks.dedup();
    assert_eq!(ks.len(), 6);
}

/// A generator that does not work.
struct Stuck;

impl rand::TryRng for Stuck {
    type Error = core::convert::Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Ok(7)
    }
    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Ok(7)
    }
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
        bytes.fill(7);
        Ok(())
    }
}

impl rand::TryCryptoRng for Stuck {}

#[test]
fn a_message_has_from_one_to_512_cards_and_no_more_owners_than_cards() {
    let rng = &mut seeded(6);
    let [member, player] = secrets(rng);
    let public = member.public();
    let [card] = dealt([&player]);
    let most = seal(&here(), &member, &[card; MOST_SHARES], rng);
    assert_eq!(decode::<SealedShares>(&encode(&most)).as_ref(), Ok(&most));
    assert_eq!(most.verify(&here(), &public, &[card; MOST_SHARES]), Ok(()));
    let length = Malformed::Length { least: 1, most: MOST_SHARES };

    let none = seal(&here(), &member, &[], rng);
    assert_eq!(none.verify(&here(), &public, &[]), Err(Invalid::Count { expected: 0, got: 0 }));
    assert_eq!(decode::<SealedShares>(&encode(&none)), Err(length));
    let more = seal(&here(), &member, &[card; MOST_SHARES + 1], rng);
    let count = Invalid::Count { expected: MOST_SHARES + 1, got: MOST_SHARES + 1 };
    assert_eq!(more.verify(&here(), &public, &[card; MOST_SHARES + 1]), Err(count));
    assert_eq!(decode::<SealedShares>(&encode(&more)), Err(length));

    let mut two_owners = seal(&here(), &member, &dealt([&player, &member]), rng);
    two_owners.cards.truncate(1);
    assert_eq!(decode::<SealedShares>(&encode(&two_owners)), Err(Malformed::Length { least: 1, most: 1 }));
    let mut no_owner = encode(&seal(&here(), &member, &[card], rng));
    no_owner.truncate(no_owner.len() - 66);
    no_owner.extend([0, 0]);
    assert_eq!(decode::<SealedShares>(&no_owner), Err(Malformed::Length { least: 1, most: 1 }));
}

#[test]
fn a_batch_names_exactly_the_wrong_ones() {
    let rng = &mut seeded(7);
    let members: [Secret; 6] = secrets(rng);
    let players: [Secret; 2] = secrets(rng);
    let publics = members.each_ref().map(Secret::public);
    let all = dealt([&players[0], &players[1], &players[0], &players[1]]);
    // Everybody seals the first three cards, except the last author, who seals others.
    let cards = |i: usize| if i == 5 { &all[1..] } else { &all[..3] };
    let honest: Vec<SealedShares> = (0..6).map(|i| seal(&here(), &members[i], cards(i), rng)).collect();
    for wrong in 0_usize..1 << 6 {
        let is_wrong = |i: usize| wrong >> i & 1 == 1;
        let mut said = honest.clone();
        for (i, sealed) in said.iter_mut().enumerate().filter(|(i, _)| is_wrong(*i)) {
            match i {
                0 => sealed.cards[1].e = all[0].c1,
                1 => sealed.cards[2].k = Element::identity(),
                2 => sealed.cards.swap(0, 2),
                3 => *sealed = honest[0].clone(),
                4 => sealed.cards.truncate(2),
                _ => sealed.proof = honest[0].proof.clone(),
            }
        }
        let claim =
            |i: usize| ClaimedSealed { context: here(), public: &publics[i], cards: cards(i), sealed: &said[i] };
        let claimed: Vec<ClaimedSealed<'_>> = (0..6).map(claim).collect();
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
    let rng = &mut seeded(8);
    let [secret, slope, player, other] = secrets(rng);
    let members = two_of_three(&secret, &slope);
    let cards = dealt([&other, &player]);
    let said: Vec<(u16, SealedShares)> =
        members.iter().map(|(id, own)| (*id, seal(&here().author(*id), own, &cards, rng))).collect();
    let sealed: Vec<(u16, &Sealed)> = said.iter().map(|(id, said)| (*id, &said.cards[1])).collect();
    let (to, factor) = (player.public(), cards[1].c1.point() * secret.scalar());

    let opened: Vec<(u16, Point)> = sealed.iter().map(|(id, sealed)| (*id, sealed.open(&player))).collect();
    assert_eq!(combine(&opened[1..]), Some(factor), "the player alone");

    let (k, e) = sealed_sum(&sealed[..2]).unwrap();
    let shown: Shares = share(&here(), &player, &[k], rng);
    assert_eq!(shown.verify(&here(), &to, &[k]), Ok(()));
    assert_eq!(e.point() - shown.points[0].point(), factor, "everybody");
    let lie = share(&here(), &other, &[k], rng);
    assert_eq!(lie.verify(&here(), &to, &[k]), Err(Invalid::Proof));
    let (k_of_others, _) = sealed_sum(&sealed[1..]).unwrap();
    assert_eq!(shown.verify(&here(), &to, &[k_of_others]), Err(Invalid::Proof));
    assert_eq!(sealed_sum(&[sealed[0], sealed[0]]), None);
}

#[test]
fn fewer_shares_than_needed_fit_every_card_equally_well() {
    let rng = &mut seeded(9);
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
    let rng = &mut seeded(10);
    let [member, one, two] = secrets(rng);
    let sealed = seal(&here(), &member, &dealt([&one, &one, &two]), rng);
    assert_eq!(encode(&sealed).len(), 100 + 64 * (3 + 2));
    assert_eq!(fingerprint(&sealed), "882a180b025d7ed0");
}
