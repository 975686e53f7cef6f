//! Players who deal or move wrongly: every one is caught by all others at the same entry.

use ::dealing::{decode, encode};
use ::peer::Body;
use dealers::joint::{self, Place};
use games::bigc::BigC;
use games::blackjack::Blackjack;
use games::blackout::{self, Blackout};
use games::holdem::Holdem;
use games::ongdu::Ongdu;
use games::romme::Romme;
use table::{Eye, Game, Move, Rules as _};

use super::common::{Lie, instead};
use super::lies::{dealing, illegal_raises, is_shuffle, kinds, replay, scratched, swapped, twice, with, wrong_shares};
use super::{BIGC, BLACKJACK, BLACKOUT, HOLDEM, ONGDU, ROMME, Scene};

/// A match with this liar in the last seat. The others come to one outcome, and blame the liar and nobody else.
fn caught<G: Game>(players: u8, settings: &[(&str, &str)], lie: Lie) -> (Scene<G>, Vec<String>) {
    let mut scene = Scene::<G>::new(players);
    let liar = usize::from(players) - 1;
    scene.liar = Some(liar);
    scene.peers[liar].peer.lie = Some(lie);
    scene.start(settings);
    scene.play();
    // What they said last may be on its way still.
    scene.until("the liar is caught", |scene| {
        scene.is_over() && scene.honest().all(|wired| !wired.session().faults().is_empty())
    });
    let wrong = scene.outcome(true);
    scene.is_verified();
    (scene, wrong)
}

#[test]
fn a_wrong_key_is_caught() {
    let lie = dealing(|message| matches!(message.place, Place::Key).then(|| scratched(message)).flatten());
    let (scene, wrong) = caught::<Ongdu>(3, ONGDU, lie);
    assert_eq!(wrong.len(), 1, "{wrong:?}");
    assert!(kinds(&scene.peers[0].peer.heard, 2).contains("key"));
}

#[test]
fn a_wrong_shuffle_is_caught() {
    for duplicate in [false, true] {
        let (_, wrong) = caught::<Holdem>(3, HOLDEM, swapped(duplicate));
        assert_eq!(wrong.len(), 1, "{wrong:?}");
    }
}

#[test]
fn a_shuffle_that_is_not_proven_is_caught() {
    let lie = dealing(|message| is_shuffle(message.place).then(|| scratched(message)).flatten());
    caught::<BigC>(2, BIGC, lie);
}

#[test]
fn wrong_shares_are_caught() {
    caught::<Blackout>(3, BLACKOUT, wrong_shares());
    // Right shares of other cards.
    let lie = dealing(|message| match &message.body {
        joint::Body::Shares(shares) if shares.points.len() > 1 => {
            let mut shares = shares.clone();
            shares.points.rotate_left(1);
            with(message, joint::Body::Shares(shares))
        }
        _ => None,
    });
    caught::<Romme>(2, ROMME, lie);
}

#[test]
fn wrong_sealed_shares_are_caught_or_have_no_effect() {
    // With a threshold three of four are enough: if the liar comes last, nobody needs their shares any more.
    for _ in 0..20 {
        let mut scene = Scene::<Holdem>::new(4);
        scene.liar = Some(3);
        scene.peers[3].peer.lie = Some(dealing(|message| match &message.body {
            joint::Body::Sealed(sealed) if sealed.cards.len() > 1 => {
                let mut sealed = sealed.clone();
                sealed.cards.rotate_left(1);
                with(message, joint::Body::Sealed(sealed))
            }
            _ => None,
        }));
        scene.start(HOLDEM);
        scene.play();
        let blamed = !scene.peers[0].session().faults().is_empty();
        scene.outcome(blamed);
        if blamed {
            return scene.is_verified();
        }
    }
    panic!("the liar came last in 20 matches");
}

#[test]
fn a_card_that_is_shown_wrongly_is_caught() {
    let lie = dealing(|message| match &message.body {
        joint::Body::Show { .. } => scratched(message),
        _ => None,
    });
    caught::<Blackout>(2, BLACKOUT, lie);
}

#[test]
fn a_false_seed_ends_a_match_that_has_not_begun() {
    let (scene, wrong) = caught::<BigC>(3, BIGC, instead(Body::Seed([9; 32])));
    assert_eq!(wrong, ["the opened seed is not the one committed to"]);
    let (said, _) = scene.verify();
    assert_eq!(said["private"]["ended"], "not_begun", "{said}");
}

#[test]
fn an_illegal_move_is_caught() {
    let (_, wrong) = caught::<Holdem>(3, HOLDEM, illegal_raises());
    assert!(wrong[0].contains("raise") || wrong[0].contains("bet"), "{wrong:?}");
}

#[test]
fn a_player_who_does_not_follow_suit_is_exposed_when_the_cards_are_open() {
    // Whether they can lie depends on their cards.
    for _ in 0..10 {
        let mut scene = Scene::<Blackout>::new(3);
        scene.liar = Some(2);
        scene.peers[2].peer.choose = Some(Box::new(|session, seat| {
            let (table, known) = (session.table()?, session.known()?);
            let view = table.rules().view(known, Eye::Seat(seat));
            let led = view.trick.first()?.1.suit()?;
            let follows = view.hand.iter().any(|held| held.card.and_then(|card| card.suit()) == Some(led));
            let other = view.hand.iter().find(|held| held.card.is_some_and(|card| card.suit() != Some(led)))?;
            follows.then_some(Move::Act(blackout::Action::Play(other.slot)))
        }));
        scene.start(&[("max", "5")]);
        scene.play();
        if scene.peers[0].session().faults().is_empty() {
            scene.outcome(false);
            continue;
        }
        let wrong = scene.outcome(true);
        assert_eq!(wrong[0], "what they said about their closed cards was not true");
        scene.is_verified();
        return;
    }
    panic!("they never could lie in ten matches");
}

#[test]
fn a_choice_that_is_opened_differently_is_caught() {
    let lie = dealing(|message| match &message.body {
        joint::Body::Reveal { choice, nonce } => {
            let mut nonce = *nonce;
            nonce.rotate_left(1);
            with(message, joint::Body::Reveal { choice: choice.clone(), nonce })
        }
        _ => None,
    });
    caught::<Blackjack>(3, BLACKJACK, lie);
}

#[test]
fn second_messages_have_no_effect_and_nobody_is_blamed() {
    let mut scene = Scene::<Romme>::new(2);
    scene.peers[1].peer.lie = Some(twice());
    scene.start(ROMME);
    scene.play();
    scene.outcome(false);
    let (said, code) = scene.verify();
    assert_eq!((code, &said["ok"]), (Some(0), &true.into()), "{said}");
    assert_eq!(said["private"]["result"]["state"], "complete", "they signed as well: {said}");
    assert!(said["private"]["without_effect"].as_u64().unwrap() > 5, "{said}");
}

#[test]
fn the_words_of_another_are_wrong_in_ones_own_mouth() {
    caught::<Ongdu>(3, ONGDU, replay(2));
}

#[test]
fn with_four_players_a_liar_in_the_key_generation_is_left_out_and_the_others_play_on() {
    let wrong_part =
        dealing(|message| matches!(message.place, Place::Dealing(_)).then(|| scratched(message)).flatten());
    let false_complaint = dealing(|message| match (&message.body, message.place) {
        (joint::Body::Complaints(complaints), Place::Ready(_)) if complaints.is_empty() => {
            // The shared point and its proof are made up.
            let point = ::dealing::Element::base(&::dealing::Scalar::from(5_u8));
            let scalar = encode(&::dealing::Scalar::from(7_u8));
            let bytes = [&point.bytes()[..], point.bytes(), point.bytes(), &scalar].concat();
            let complaint = decode(&bytes).expect("a complaint");
            let against = table::record::By::Seat(table::Seat::new(0).unwrap());
            with(message, joint::Body::Complaints(vec![joint::Complaining { against, complaint }]))
        }
        _ => None,
    });
    // The random part of another's message, to have their share published.
    let copied: Lie = Box::new(|heard, bodies| {
        let one = |body: Body| match body {
            Body::Dealing { set, message } if matches!(message.place, Place::Dealing(_)) => {
                let theirs = heard.iter().find_map(|(by, body)| match body {
                    Body::Dealing { message: theirs, .. } if *by != 3 && theirs.place == message.place => Some(theirs),
                    _ => None,
                });
                let copied = theirs.and_then(|theirs| {
                    let (mut mine, other) = (encode(&*message), encode(&**theirs));
                    let head = encode(&message.place).len() + 32;
                    let count = usize::from(u16::from_le_bytes([mine[head], mine[head + 1]]));
                    let part = head + 2 + 32 * count..head + 2 + 32 * (count + 1);
                    mine[part.clone()].copy_from_slice(&other[part]);
                    decode(&mine).ok()
                });
                let scratched = || scratched(&message).unwrap();
                Body::Dealing { set, message: Box::new(copied.unwrap_or_else(scratched)) }
            }
            other => other,
        };
        bodies.into_iter().map(one).collect()
    });
    for lie in [wrong_part, false_complaint, copied] {
        let (scene, _) = caught::<Ongdu>(4, ONGDU, lie);
        let ended = scene.peers[0].session().ended().unwrap();
        assert_eq!(ended.why, ::peer::Why::Over);
        let standing = ended.standing.clone().unwrap();
        assert_eq!(
            standing.place.seats().map(|(_, place)| *place).max(),
            Some(standing.place[table::Seat::new(3).unwrap()])
        );
    }
}

#[test]
fn a_signature_under_another_result_is_caught_and_the_others_have_theirs() {
    // They sign one result in the log, and another elsewhere; and the other way round.
    let other = instead(Body::Sign { result: results::Signature([7; 64]), export: results::Signature([8; 64]) });
    let (scene, wrong) = caught::<Ongdu>(3, ONGDU, other);
    assert_eq!(wrong, ["the signature is not for the result of this match"]);
    let (said, _) = scene.verify();
    assert_eq!(said["private"]["result"]["state"], "partial", "{said}");
    assert_eq!(said["private"]["players"][2]["signed"], false, "{said}");
}

#[test]
fn a_player_who_signs_two_results_is_exposed_by_the_log() {
    let mut scene = Scene::<Ongdu>::new(2);
    scene.start(ONGDU);
    scene.play();
    let record = scene.peers[0].record(&scene.ticket);
    let result = scene.peers[0].session().ended().unwrap().result().unwrap().clone();
    let mut facts = result.body().facts().clone();
    // The second player also signs that they have won more.
    let cheat = scene.peers[1].peer.identity.clone();
    let line = facts.players.iter().position(|player| player.key == cheat.public()).unwrap();
    facts.at = results::Timestamp::from_seconds(facts.at.seconds() + 60).unwrap();
    let body = results::Body::new(facts, result.body().form()).unwrap();
    let mut second = results::Signed::new(body);
    let signature = second.body().sign(line, &cheat, &[0; 32]).unwrap();
    second.add(line, signature).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, signed: &results::Signed| {
        let path = folder.path().join(name);
        std::fs::write(&path, signed.text()).unwrap();
        path.display().to_string()
    };
    let (right, wrong) = (file("right.txt", &result), file("wrong.txt", &second));
    let (said, code) = super::verify(&[&record], &["--result", &right]);
    assert_eq!((code, &said["private"]["compared"][0]["agrees"]), (Some(0), &true.into()), "{said}");
    let (said, code) = super::verify(&[&record], &["--result", &right, "--result", &wrong]);
    let compared = &said["private"]["compared"][1];
    assert_eq!((code, &said["ok"], &compared["agrees"]), (Some(1), &true.into(), &false.into()), "{said}");
    let why = compared["why"].as_str().unwrap();
    let callsign = results::Callsign::of_player(&cheat.public()).to_string();
    assert!(why.contains("DIFFERS") && why.ends_with(&format!("signed by {callsign}")), "{why}");
}
