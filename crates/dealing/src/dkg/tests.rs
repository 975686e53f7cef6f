use proptest::prelude::*;
use rand::rngs::ChaCha8Rng;

use super::deal::bound;
use super::*;
use crate::equality::Equality;
use crate::testing::{elements, fingerprint, refuses_all_changes, seeded};
use crate::{Knowledge, combine, decode, encode, share};

/// Members with the secrets of their keys.
struct Members {
    ceremony: Ceremony,
    secrets: Vec<Secret>,
    rng: ChaCha8Rng,
}

fn place() -> Context {
    Context::new([7; 32]).height(3)
}

fn members(members: u16, threshold: u16, seed: u64) -> Members {
    let mut rng = seeded(seed);
    let secrets: Vec<Secret> = (0..members).map(|_| Secret::random(&mut rng)).collect();
    let keys = secrets.iter().map(Secret::public).collect();
    Members { ceremony: Ceremony::new(place(), threshold, keys).unwrap(), secrets, rng }
}

impl Members {
    fn polynomial(&mut self) -> Polynomial {
        Polynomial::random(self.ceremony.threshold, &mut self.rng)
    }

    fn deal(&mut self, author: u16) -> Dealing {
        let polynomial = self.polynomial();
        self.ceremony.deal(author, polynomial, &mut self.rng).unwrap()
    }

    fn deal_all(&mut self) -> Vec<Dealing> {
        (0..).zip(self.secrets.clone()).map(|(author, _)| self.deal(author)).collect()
    }

    fn receive(&mut self, me: u16, author: u16, dealing: &Dealing) -> Result<Secret, Unusable> {
        let secret = &self.secrets[usize::from(me)];
        self.ceremony.receive(me, secret, author, dealing, &mut self.rng)
    }

    fn complain(&mut self, me: u16, author: u16, dealing: &Dealing) -> Complaint {
        match self.receive(me, author, dealing) {
            Err(Unusable::Wrong(complaint)) => *complaint,
            other => panic!("{me} accepts the share of {author}: {other:?}"),
        }
    }

    /// A dealing that passes all public checks, with the share of one member changed.
    fn lie(&mut self, author: u16, to: u16) -> Dealing {
        let polynomial = self.polynomial();
        let r = Secret::random(&mut self.rng);
        let mut dealing = self.ceremony.deal(author, polynomial.clone(), &mut self.rng).unwrap();
        dealing.r = r.public();
        for (member, share) in (0..).zip(&mut dealing.shares) {
            let shared = self.ceremony.keys[usize::from(member)].point() * r.scalar();
            *share = polynomial.at(id(member)).scalar() + self.ceremony.pad(author, member, &dealing.r, &shared);
        }
        dealing.shares[usize::from(to)] += Scalar::ONE;
        self.prove(author, &mut dealing, &polynomial.0[0], &r);
        dealing
    }

    /// Proves what these secrets can prove.
    fn prove(&mut self, author: u16, dealing: &mut Dealing, a_0: &Secret, r: &Secret) {
        let transcript = self.ceremony.dealing(author, &dealing.commitments);
        let transcript = &mut bound(transcript, &dealing.r, &dealing.shares);
        dealing.knows_constant = Knowledge::prove_on(transcript, a_0, &dealing.commitments[0], &mut self.rng);
        dealing.knows_r = Knowledge::prove_on(transcript, r, &dealing.r, &mut self.rng);
    }

    /// Everybody's own share after these dealings.
    fn own(&mut self, group: &Group, qualified: &[(u16, &Dealing)]) -> Vec<Secret> {
        let mut all = Vec::new();
        for (me, _) in (0..).zip(self.secrets.clone()) {
            let received = qualified.iter().map(|(author, dealing)| self.receive(me, *author, dealing).unwrap());
            let received = received.collect();
            all.push(group.own(me, received).unwrap());
        }
        all
    }
}

const SIZES: [(u16, u16); 5] = [(2, 2), (3, 2), (4, 3), (7, 5), (16, 11)];

#[test]
fn any_t_members_can_use_the_key_that_nobody_has() {
    for (n, t) in SIZES {
        let mut members = members(n, t, 1);
        let dealings = members.deal_all();
        let mut accepted = Vec::new();
        for (author, dealing) in (0..).zip(&dealings) {
            assert_eq!(members.ceremony.check(author, dealing, &accepted), Ok(()), "{t} of {n}");
            accepted.push((author, dealing));
        }
        let group = members.ceremony.finish(&accepted).unwrap();
        let own = members.own(&group, &accepted);
        let [c1] = elements();
        let shares: Vec<(u16, Point)> = (0..)
            .zip(&own)
            .map(|(me, own)| {
                let shares = share(&place().author(me), own, &[c1], &mut members.rng);
                assert_eq!(shares.verify(&place().author(me), group.share(me).unwrap(), &[c1]), Ok(()));
                (id(me), *shares.points[0].point())
            })
            .collect();
        let keys: Vec<(u16, Point)> = (0..).zip(&group.shares).map(|(me, share)| (id(me), *share.point())).collect();
        let t = usize::from(t);
        let opened = combine(&shares[..t]).unwrap();
        for first in 0..=shares.len() - t {
            assert_eq!(combine(&keys[first..first + t]).unwrap(), *group.key.point(), "{t} of {n}");
            assert_eq!(combine(&shares[first..first + t]).unwrap(), opened, "{t} of {n}");
        }
        assert_ne!(combine(&keys[..t - 1]).unwrap(), *group.key.point(), "{} of {n}", t - 1);
        assert_ne!(combine(&shares[..t - 1]).unwrap(), opened, "{} of {n}", t - 1);
    }
}

#[test]
fn a_wrong_share_is_proven_to_everybody_and_the_dealing_is_rejected() {
    for (n, t) in SIZES.into_iter().filter(|(n, t)| n > t) {
        let mut members = members(n, t, 2);
        let (liar, victim) = (n - 1, 0);
        let mut dealings = members.deal_all();
        dealings[usize::from(liar)] = members.lie(liar, victim);
        let lie = &dealings[usize::from(liar)];
        assert_eq!(members.ceremony.check(liar, lie, &[]), Ok(()), "nobody else can see it");
        for content in 1..n {
            assert!(members.receive(content, liar, lie).is_ok(), "{content}");
        }
        let complaint = members.complain(victim, liar, lie);
        assert_eq!(members.ceremony.judge(victim, liar, lie, &complaint), Judgement::DealerGuilty, "{t} of {n}");
        let qualified: Vec<(u16, &Dealing)> = (0..).zip(&dealings).filter(|(author, _)| *author != liar).collect();
        let group = members.ceremony.finish(&qualified).unwrap();
        members.own(&group, &qualified);
    }
}

#[test]
fn a_false_complaint_convicts_the_complainer() {
    let mut members = members(4, 3, 3);
    let dealings = members.deal_all();
    // A member complains, with the right key and a valid proof, about a share that is right.
    let transcript = members.ceremony.complaint(1, 0, &dealings[0]);
    let secret = members.secrets[1].clone();
    let complain = |secret: &Secret, rng: &mut ChaCha8Rng| {
        let shared = Element::from(dealings[0].r.point() * secret.scalar());
        Complaint { shared, proof: Equality::prove(transcript.clone(), secret, &[dealings[0].r], &[shared], rng) }
    };
    let complaint = complain(&secret, &mut members.rng);
    assert_eq!(members.ceremony.judge(1, 0, &dealings[0], &complaint), Judgement::ComplainerGuilty);
    // Or with another key, which makes the share unreadable.
    let other = Secret::random(&mut members.rng);
    let complaint = complain(&other, &mut members.rng);
    assert_eq!(members.ceremony.judge(1, 0, &dealings[0], &complaint), Judgement::ComplainerGuilty);
    // Or proves with its own key that it shares something else with the dealer.
    let [shared] = elements();
    let proof = Equality::prove(transcript, &secret, &[dealings[0].r], &[shared], &mut members.rng);
    let complaint = Complaint { shared, proof };
    assert_eq!(members.ceremony.judge(1, 0, &dealings[0], &complaint), Judgement::ComplainerGuilty);
}

#[test]
fn a_complaint_counts_only_for_its_author_dealer_dealing_and_ceremony() {
    let mut members = members(4, 3, 4);
    let lie = members.lie(0, 1);
    let complaint = members.complain(1, 0, &lie);
    let judge = |ceremony: &Ceremony, complainer, author, dealing: &Dealing| {
        ceremony.judge(complainer, author, dealing, &complaint)
    };
    let ceremony = members.ceremony.clone();
    assert_eq!(judge(&ceremony, 1, 0, &lie), Judgement::DealerGuilty);
    for complainer in [0, 2, 3, 4, u16::MAX] {
        assert_eq!(judge(&ceremony, complainer, 0, &lie), Judgement::ComplainerGuilty, "by {complainer}");
    }
    for author in [1, 2, 3, 4, u16::MAX] {
        assert_eq!(judge(&ceremony, 1, author, &lie), Judgement::ComplainerGuilty, "about {author}");
    }
    let another = members.lie(0, 1);
    assert_eq!(judge(&ceremony, 1, 0, &another), Judgement::ComplainerGuilty);
    let mut repaired = lie.clone();
    repaired.shares[1] -= Scalar::ONE;
    assert_eq!(judge(&ceremony, 1, 0, &repaired), Judgement::ComplainerGuilty);
    for other in [place().height(4), Context { session: [6; 32], ..place() }] {
        let other = Ceremony::new(other, 3, ceremony.keys.clone()).unwrap();
        assert_eq!(judge(&other, 1, 0, &lie), Judgement::ComplainerGuilty);
    }
    let mut changed = lie.clone();
    changed.r = members.deal(2).r;
    assert_eq!(judge(&ceremony, 1, 0, &changed), Judgement::ComplainerGuilty);
}

#[test]
fn no_changed_complaint_is_accepted() {
    let mut members = members(4, 3, 5);
    let lie = members.lie(0, 1);
    let complaint = members.complain(1, 0, &lie);
    refuses_all_changes(&complaint, &[0, 32, 64, 96], |complaint: &Complaint| {
        members.ceremony.judge(1, 0, &lie, complaint) == Judgement::DealerGuilty
    });
}

#[test]
fn nobody_can_complain_with_another_members_key() {
    let mut members = members(4, 3, 6);
    let lie = members.lie(0, 1);
    let other = members.secrets[2].clone();
    for me in [1, 4, u16::MAX] {
        let received = members.ceremony.receive(me, &other, 0, &lie, &mut members.rng);
        assert!(matches!(received, Err(Unusable::NotMine)), "{me}");
    }
}

#[test]
fn no_changed_dealing_is_accepted() {
    let mut members = members(4, 3, 7);
    let dealing = members.deal(2);
    let commitments = (0..3).map(|i| 2 + 32 * i);
    let shares = (0..4).map(|i| 2 + 96 + 32 + 2 + 32 * i);
    let proofs = (0..4).map(|i| 2 + 96 + 32 + 2 + 128 + 32 * i);
    let fields: Vec<usize> = commitments.chain([2 + 96]).chain(shares).chain(proofs).collect();
    refuses_all_changes(&dealing, &fields, |dealing: &Dealing| members.ceremony.check(2, dealing, &[]).is_ok());
}

#[test]
fn a_dealing_counts_only_for_its_author_and_ceremony() {
    let mut members = members(4, 3, 8);
    let dealing = members.deal(2);
    let ceremony = &members.ceremony;
    assert_eq!(ceremony.check(2, &dealing, &[]), Ok(()));
    for author in [0, 1, 3] {
        assert_eq!(ceremony.check(author, &dealing, &[]), Err(BadDealing::Proof), "by {author}");
    }
    for author in [4, u16::MAX] {
        assert_eq!(ceremony.check(author, &dealing, &[]), Err(BadDealing::NoSuchMember), "by {author}");
    }
    let mut exchanged = ceremony.keys.clone();
    exchanged.swap(0, 1);
    for other in [
        Ceremony::new(place().height(4), 3, ceremony.keys.clone()),
        Ceremony::new(Context { session: [6; 32], ..place() }, 3, ceremony.keys.clone()),
        Ceremony::new(place(), 3, exchanged),
    ] {
        assert_eq!(other.unwrap().check(2, &dealing, &[]), Err(BadDealing::Proof));
    }
    let other = Ceremony::new(place(), 2, ceremony.keys.clone()).unwrap();
    assert_eq!(other.check(2, &dealing, &[]), Err(BadDealing::Length));
    let fewer = ceremony.keys[..3].to_vec();
    assert_eq!(Ceremony::new(place(), 3, fewer).unwrap().check(2, &dealing, &[]), Err(BadDealing::Length));
}

#[test]
fn a_member_deals_only_once() {
    let mut members = members(4, 3, 9);
    let (first, second) = (members.deal(2), members.deal(2));
    assert_eq!(members.ceremony.check(2, &second, &[(2, &first)]), Err(BadDealing::Again));
    let polynomial = Polynomial::random(2, &mut members.rng);
    assert_eq!(members.ceremony.deal(2, polynomial, &mut members.rng), Err(CannotDeal::Degree));
    let polynomial = members.polynomial();
    assert_eq!(members.ceremony.deal(4, polynomial, &mut members.rng), Err(CannotDeal::NoSuchMember));
}

#[test]
fn the_neutral_element_is_not_a_commitment() {
    let mut members = members(4, 3, 10);
    for coefficient in 0..3 {
        let mut polynomial = members.polynomial();
        polynomial.0[coefficient] = Secret::new(Scalar::ZERO);
        let dealing = members.ceremony.deal(1, polynomial, &mut members.rng).unwrap();
        assert_eq!(members.ceremony.check(1, &dealing, &[]), Err(BadDealing::Identity), "A_{coefficient}");
    }
    let mut dealing = members.deal(1);
    let (zero, a_0) = (Secret::new(Scalar::ZERO), Secret::random(&mut members.rng));
    dealing.r = zero.public();
    dealing.commitments[0] = a_0.public();
    members.prove(1, &mut dealing, &a_0, &zero);
    assert_eq!(members.ceremony.check(1, &dealing, &[]), Err(BadDealing::Identity), "R");
}

#[test]
fn a_copied_r_is_refused_because_it_would_make_its_victim_publish_an_honest_share() {
    let mut members = members(4, 3, 11);
    let (honest_dealer, thief, victim) = (0, 3, 1);
    let polynomial = members.polynomial();
    let secret_share = polynomial.at(id(victim));
    let honest = members.ceremony.deal(honest_dealer, polynomial, &mut members.rng).unwrap();

    // The thief takes R and proves all it can: its own constant, and that it knows some r.
    let a_0 = Secret::random(&mut members.rng);
    let mut theft = members.deal(thief);
    theft.r = honest.r;
    theft.commitments[0] = a_0.public();
    members.prove(thief, &mut theft, &a_0, &Secret::new(Scalar::ONE));
    let with_copied_proof = Dealing { knows_r: honest.knows_r.clone(), ..theft.clone() };
    for theft in [&theft, &with_copied_proof] {
        assert_eq!(members.ceremony.check(thief, theft, &[]), Err(BadDealing::Proof), "even if the thief comes first");
        let accepted = [(honest_dealer, &honest)];
        assert_eq!(members.ceremony.check(thief, theft, &accepted), Err(BadDealing::Repeated));
    }

    // If it were accepted, the victim would rightly complain, and everybody could read the honest share.
    let complaint = members.complain(victim, thief, &theft);
    let pad = members.ceremony.pad(honest_dealer, victim, &honest.r, complaint.shared.point());
    assert_eq!(honest.shares[usize::from(victim)] - pad, *secret_share.scalar());
}

#[test]
fn a_constant_made_to_cancel_the_others_is_refused_because_it_would_choose_the_key() {
    let mut members = members(4, 3, 12);
    let mut dealings = members.deal_all();
    let chosen = Secret::random(&mut members.rng);
    let others: Point = dealings[..3].iter().map(|dealing| *dealing.commitments[0].point()).sum();
    let r = Secret::random(&mut members.rng);
    let rogue = &mut dealings[3];
    rogue.commitments[0] = (chosen.public().point() - others).into();
    rogue.r = r.public();
    members.prove(3, rogue, &chosen, &r);
    assert_eq!(members.ceremony.check(3, rogue, &[]), Err(BadDealing::Proof));
    let all: Vec<(u16, &Dealing)> = (0..).zip(&dealings).collect();
    assert_eq!(members.ceremony.finish(&all).unwrap().key, chosen.public(), "if it were accepted");
}

#[test]
fn a_key_needs_as_many_dealings_as_shares() {
    let mut members = members(4, 3, 13);
    let dealings = members.deal_all();
    let all: Vec<(u16, &Dealing)> = (0..).zip(&dealings).collect();
    let finish = |qualified: &[(u16, &Dealing)]| members.ceremony.finish(qualified);
    assert_eq!(finish(&all[..2]), Err(Unfinished::TooFew { needed: 3, got: 2 }));
    assert_eq!(finish(&[]), Err(Unfinished::TooFew { needed: 3, got: 0 }));
    assert_eq!(finish(&[all[0], all[1], all[1]]), Err(Unfinished::Unchecked(1)));
    assert_eq!(finish(&[all[0], all[1], (4, all[2].1)]), Err(Unfinished::Unchecked(4)));
    let mut short = dealings[2].clone();
    short.commitments.pop();
    assert_eq!(finish(&[all[0], all[1], (2, &short)]), Err(Unfinished::Unchecked(2)));
    let mut opposite = dealings[2].clone();
    opposite.commitments[0] = (-(dealings[0].commitments[0].point() + dealings[1].commitments[0].point())).into();
    assert_eq!(finish(&[all[0], all[1], (2, &opposite)]), Err(Unfinished::Identity));
    let reversed: Vec<(u16, &Dealing)> = all.iter().rev().copied().collect();
    assert_eq!(finish(&reversed), finish(&all), "in any order");
    assert_ne!(finish(&all[1..]), finish(&all));
}

#[test]
fn a_members_share_is_the_sum_over_exactly_the_qualified_dealings() {
    let mut members = members(4, 3, 14);
    let dealings = members.deal_all();
    let all: Vec<(u16, &Dealing)> = (0..).zip(&dealings).collect();
    let received: Vec<Secret> = all.iter().map(|(author, d)| members.receive(1, *author, d).unwrap()).collect();
    let (of_all, of_three) = (members.ceremony.finish(&all).unwrap(), members.ceremony.finish(&all[..3]).unwrap());
    assert!(of_all.own(1, received.clone()).is_some());
    assert!(of_all.own(1, received[..3].to_vec()).is_none());
    assert!(of_three.own(1, received[..3].to_vec()).is_some());
    assert!(of_three.own(1, received.clone()).is_none());
    assert!(of_all.own(2, received.clone()).is_none());
    assert!(of_all.own(4, received).is_none());
}

#[test]
fn a_ceremony_needs_enough_different_members() {
    let keys: [Element; 65] = elements();
    let new = |threshold, keys: &[Element]| Ceremony::new(place(), threshold, keys.to_vec()).err();
    assert_eq!(new(2, &keys[..2]), None);
    assert_eq!(new(43, &keys[..64]), None);
    assert_eq!(new(64, &keys[..64]), None);
    assert_eq!(new(43, &keys), Some(BadCeremony::Members(65)));
    for few in [0, 1] {
        assert_eq!(new(2, &keys[..few]), Some(BadCeremony::Members(few)));
    }
    for threshold in [0, 1, 5, u16::MAX] {
        assert_eq!(new(threshold, &keys[..4]), Some(BadCeremony::Threshold(threshold)));
    }
    assert_eq!(new(2, &[keys[0], keys[1], keys[0]]), Some(BadCeremony::Repeated(2)));
    assert_eq!(new(2, &[keys[0], Element::identity()]), Some(BadCeremony::Identity(1)));
}

#[test]
fn a_group_has_one_encoding() {
    let mut members = members(4, 3, 15);
    let dealings = members.deal_all();
    let all: Vec<(u16, &Dealing)> = (0..).zip(&dealings).collect();
    let group = members.ceremony.finish(&all).unwrap();
    let fields: Vec<usize> = core::iter::once(2).chain((0..4).map(|i| 36 + 32 * i)).collect();
    refuses_all_changes(&group, &fields, |other: &Group| *other == group);
    for threshold in [0, 1, 5] {
        let bad = Group { threshold, ..group.clone() };
        assert!(decode::<Group>(&encode(&bad)).is_err(), "{threshold}");
    }
}

#[test]
fn the_encodings_are_frozen() {
    let mut members = members(4, 3, 16);
    let mut dealings = members.deal_all();
    assert_eq!(encode(&dealings[0]).len(), 388);
    assert_eq!(fingerprint(&dealings[0]), "b0cdb5317dbdd4a5");
    let lie = members.lie(3, 1);
    assert_eq!(fingerprint(&members.complain(1, 3, &lie)), "456acf98bb5494c4");
    dealings.pop();
    let qualified: Vec<(u16, &Dealing)> = (0..).zip(&dealings).collect();
    assert_eq!(fingerprint(&members.ceremony.finish(&qualified).unwrap()), "13225cad64da4caa");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_small_multiple_is_a_multiple(factor: u16) {
        let [element] = elements();
        prop_assert_eq!(times(element.point(), factor), element.point() * Scalar::from(factor));
    }
}
