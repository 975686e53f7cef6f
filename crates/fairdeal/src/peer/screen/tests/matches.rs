//! Whole matches of all six games on a screen.

use games::types::{BigC, Blackjack, Blackout, Holdem, Ongdu, Romme};
use table::Look as _;

use super::fixture::Place;
use super::{Person, RICH, SMALL};
use crate::play::look::Look;
use crate::play::screen::Screen;
use crate::play::testing::PLAIN;

/// Plays a match to its end as the hints say, and looks at every screen.
fn whole_match<G: Screen>(settings: &[(&str, &str)], look: Look) {
    let place = Place::<G>::new(&["Anna", "Bert", "Carl"], settings, 7);
    let mut person = Person::new(place, 0, look);
    let begin = check(&mut person, look);
    assert!(begin.contains("the match begins"), "{begin}");
    let (mut asked, mut ends, mut proven) = (0, 0, 0);
    while person.until_asked() {
        let mut screen = check(&mut person, look);
        while screen.contains("Enter continues") {
            ends += 1;
            assert!(screen.contains("is over") || screen.contains("broken off"), "{screen}");
            assert!(screen.contains("It is your turn"), "the match goes on behind it:\n{screen}");
            person.press("\n");
            screen = check(&mut person, look);
        }
        if person.place.session(0).is_asked().is_none() {
            // The only move there was.
            continue;
        }
        assert!(screen.contains("your turn"), "{screen}");
        // Before the cards are dealt, for instance while players bet, nothing is shuffled.
        proven += usize::from(screen.lines().nth(1).is_some_and(|line| line.contains("shuffled by all, proven")));
        assert!(screen.contains("/ chat") && screen.contains("q leave"), "{screen}");
        asked += 1;
        person.press("h");
        let hint = check(&mut person, look);
        assert!(hint.contains("A strong player would"), "{hint}");
        person.press("\n");
        assert!(person.place.session(0).is_asked().is_none(), "it was done");
    }
    let mut last = check(&mut person, look);
    // Somebody who is out of a match sees how the others end it.
    while last.contains("Enter continues") {
        ends += 1;
        person.press("\n");
        last = check(&mut person, look);
    }
    let deals = person.place.session(0).deals();
    assert!(asked > 0 && proven > 0, "asked {asked} times, {proven} with proofs");
    assert!(ends > 0 || deals == 1, "{ends} of {deals} deals");
    assert!(last.contains("Enter shows the result"), "{last}");
    person.press("\n");
    let end = check(&mut person, look);
    for wanted in [
        "The match is over",
        "The result is complete: Anna, Bert and Carl have signed it.",
        "/data/collections/card_games/result.txt",
        "fairdeal verify /data/private/3f1c/log.jsonl",
        "r rematch",
    ] {
        assert!(end.contains(wanted), "{wanted:?} is missing:\n{end}");
    }
}

/// Draws the screen; nothing is wider than the terminal, and plain letters are plain.
fn check<G: Screen>(person: &mut Person<G>, look: Look) -> String {
    let screen = person.screen();
    assert_eq!(screen.len(), usize::from(SMALL.1));
    assert!(!look.ascii || screen.iter().all(|line| line.is_ascii()), "{screen:#?}");
    screen.join("\n")
}

fn both<G: Screen>(settings: &[(&str, &str)]) {
    whole_match::<G>(settings, RICH);
    whole_match::<G>(settings, PLAIN);
}

#[test]
fn a_match_of_holdem_is_played_on_the_screen() {
    both::<Holdem>(&[("starting_chips", "200"), ("blind_every", "1")]);
}

#[test]
fn a_match_of_blackjack_is_played_on_the_screen() {
    both::<Blackjack>(&[("rounds", "2"), ("decks", "1"), ("reshuffle_below", "26")]);
}

#[test]
fn a_match_of_romme_is_played_on_the_screen() {
    both::<Romme>(&[("mode", "rounds"), ("rounds", "2")]);
}

#[test]
fn a_match_of_bigc_is_played_on_the_screen() {
    both::<BigC>(&[("deals", "2"), ("hand_size", "5")]);
}

#[test]
fn a_match_of_ongdu_is_played_on_the_screen() {
    both::<Ongdu>(&[("max_rounds", "2")]);
}

#[test]
fn a_match_of_blackout_is_played_on_the_screen() {
    both::<Blackout>(&[("max", "2")]);
}

#[test]
fn a_spectator_sees_only_what_everybody_sees() {
    let place = Place::<Holdem>::new(&["Anna", "Bert", "Carl"], &[], 9);
    let mut person = Person::new(place, 3, RICH);
    let (mut hidden, mut screens) = (0, 0);
    while person.place.session(3).deals() <= 1 {
        person.place.settle();
        person.listen();
        person.press("\n");
        let screen = person.text();
        screens += 1;
        assert!(!screen.contains("your turn") && !screen.contains("/ chat"), "{screen}");
        // In the first deal the log cannot show the same card from an earlier one.
        for player in (0..3).filter(|_| person.place.session(3).deals() == 1) {
            let Some(known) = person.place.session(player).known() else { continue };
            for (slot, card) in known.own.iter().filter(|(slot, _)| known.open.face(*slot).is_none()) {
                hidden += 1;
                assert!(!screen.contains(&RICH.short(Some(card))), "{slot} {card} is visible:\n{screen}");
            }
        }
        person.place.others_decide(3);
    }
    assert!(hidden > 20 && screens > 5, "{hidden} hidden cards on {screens} screens");
}
