//! The house at the tables of all games.

use dealers::House;
use dealers::house::{Audit, Publish, RevealSeed};
use dealers::laws::evidence;
use games::bigc::BigC;
use games::blackjack::Blackjack;
use games::blackout::Blackout;
use games::holdem::Holdem;
use games::ongdu::Ongdu;
use games::romme::Romme;
use table::Game;

fn house<G: Game>(reveal: RevealSeed) -> impl Fn() -> House {
    move || House::simulated([3; 32], reveal.in_game::<G>())
}

fn laws_hold<G: Game>() {
    evidence::hold::<G, _, _>(house::<G>(RevealSeed::Auto), Audit::new);
}

#[test]
fn the_laws_of_evidence_hold_in_holdem() {
    laws_hold::<Holdem>();
}

#[test]
fn the_laws_of_evidence_hold_in_blackjack() {
    laws_hold::<Blackjack>();
}

#[test]
fn the_laws_of_evidence_hold_in_romme() {
    laws_hold::<Romme>();
}

#[test]
fn the_laws_of_evidence_hold_in_bigc() {
    laws_hold::<BigC>();
}

#[test]
fn the_laws_of_evidence_hold_in_ongdu() {
    laws_hold::<Ongdu>();
}

#[test]
fn the_laws_of_evidence_hold_in_blackout() {
    laws_hold::<Blackout>();
}

#[test]
fn by_default_a_seed_is_published_where_the_rules_keep_nothing_closed() {
    assert_eq!(RevealSeed::Auto.in_game::<Romme>(), Publish::AfterDeal);
    assert_eq!(RevealSeed::Auto.in_game::<Blackjack>(), Publish::AfterDeal);
    let others = [
        RevealSeed::Auto.in_game::<Holdem>(),
        RevealSeed::Auto.in_game::<BigC>(),
        RevealSeed::Auto.in_game::<Ongdu>(),
        RevealSeed::Auto.in_game::<Blackout>(),
    ];
    assert_eq!(others, [Publish::Never; 4]);
    assert_eq!(RevealSeed::AfterDeal.in_game::<Holdem>(), Publish::AfterDeal);
    assert_eq!(RevealSeed::AfterMatch.in_game::<Romme>(), Publish::AfterMatch);
}
