//! Players who stop answering. Silence proves nothing, so nobody is called a cheat; the others come to one outcome.
//!
//! Everything happens in real time here: a program has 30 seconds to answer. All tables play at the same time.

use std::thread;

use ::peer::{Body, Why};
use dealers::joint;
use games::bigc::BigC;
use games::blackjack::Blackjack;
use games::ongdu::Ongdu;
use table::Game;

use super::common::Lie;
use super::lies::{is_shuffle, late, silent_after};
use super::{ONGDU, Scene};

/// A match in which the last player falls silent: they are late for everybody at the same entry.
fn late_for_all<G: Game>(players: u8, settings: &[(&str, &str)], lie: Lie) {
    let mut scene = Scene::<G>::new(players);
    let liar = usize::from(players) - 1;
    scene.liar = Some(liar);
    scene.peers[liar].peer.lie = Some(lie);
    scene.start(settings);
    scene.play();
    scene.outcome(false);
    let (said, code) = scene.verify();
    assert_eq!((code, &said["ok"]), (Some(0), &true.into()), "{said}");
    let late = said["private"]["late"].as_array().unwrap();
    assert!(!late.is_empty() && late.iter().all(|one| one["seat"] == players), "{said}");
    assert_eq!(scene.peers[0].session().ended().unwrap().why, Why::Over);
}

fn is_act(body: &Body) -> bool {
    matches!(body, Body::Act { .. })
}

fn is_shares(body: &Body) -> bool {
    matches!(body, Body::Dealing { message, .. } if matches!(message.body, joint::Body::Shares(_)))
}

fn shuffles(body: &Body) -> bool {
    matches!(body, Body::Dealing { message, .. } if is_shuffle(message.place))
}

fn reveals(body: &Body) -> bool {
    matches!(body, Body::Dealing { message, .. } if matches!(message.body, joint::Body::Reveal { .. }))
}

#[test]
fn players_who_fall_silent_are_late_for_everybody_at_the_same_entry() {
    let withholder = thread::spawn(|| {
        late_for_all::<Ongdu>(3, ONGDU, silent_after(is_shares));
    });
    let quitter = thread::spawn(|| {
        // Silent from their first turn on: with eight cards, nobody can be out before it.
        late_for_all::<BigC>(3, &[("deals", "1"), ("hand_size", "8")], silent_after(is_act));
    });
    let latecomer = thread::spawn(|| {
        let overdue = |body: &Body| matches!(body, Body::Overdue { .. });
        // After one vote of three they would still be in time.
        late_for_all::<Ongdu>(4, ONGDU, late(2, overdue, shuffles));
    });
    let secretive = thread::spawn(|| {
        late_for_all::<Blackjack>(3, &[("rounds", "1"), ("decks", "1")], silent_after(reveals));
    });
    for table in [withholder, quitter, latecomer, secretive] {
        table.join().unwrap();
    }
}
