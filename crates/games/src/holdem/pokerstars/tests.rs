//! Hands whose text is known.

use super::*;
use crate::holdem::phh;

fn told(hand: &str) -> String {
    let hand = phh::decode(hand).unwrap();
    let about =
        About { number: 7, time: Time::from_unix(1_794_814_293), owner: Some("Anna".to_owned()), ..About::of(&hand) };
    write(&hand, &about).unwrap()
}

/// Are these lines there, one after the other?
fn assert_lines(text: &str, lines: &[&str]) {
    let block = lines.join("\n") + "\n";
    assert!(text.contains(&block), "these lines are missing:\n{block}\nin\n{text}");
}

#[test]
fn a_hand_heads_up() {
    let text = told(
        r#"
        variant = "NT"
        antes = [0, 0]
        blinds_or_straddles = [10, 20]
        min_bet = 20
        starting_stacks = [1000, 1000]
        players = ["Anna", "Bert"]
        actions = ["d dh p1 AhKh", "d dh p2 QsQd", "p2 cbr 60", "p1 cc", "d db AsKd2c", "p1 cc", "p2 cbr 80", "p1 cc",
            "d db 7h", "p1 cc", "p2 cc", "d db 3d", "p1 cbr 200", "p2 cc", "p1 sm AhKh", "p2 sm QsQd"]
        "#,
    );
    let wanted = "\
PokerStars Hand #7:  Hold'em No Limit (10/20) - 2026/11/16 07:31:33 UTC
Table 'fairdeal' 2-max (Play Money) Seat #2 is the button
Seat 1: Anna (1000 in chips)
Seat 2: Bert (1000 in chips)
Bert: posts small blind 10
Anna: posts big blind 20
*** HOLE CARDS ***
Dealt to Anna [Ah Kh]
Bert: raises 40 to 60
Anna: calls 40
*** FLOP *** [As Kd 2c]
Anna: checks
Bert: bets 80
Anna: calls 80
*** TURN *** [As Kd 2c] [7h]
Anna: checks
Bert: checks
*** RIVER *** [As Kd 2c 7h] [3d]
Anna: bets 200
Bert: calls 200
*** SHOW DOWN ***
Anna: shows [Ah Kh] (two pair, Aces and Kings)
Bert: shows [Qs Qd] (a pair of Queens)
Anna collected 680 from pot
*** SUMMARY ***
Total pot 680 | Rake 0
Board [As Kd 2c 7h 3d]
Seat 1: Anna (big blind) showed [Ah Kh] and won (680) with two pair, Aces and Kings
Seat 2: Bert (button) (small blind) showed [Qs Qd] and lost with a pair of Queens


";
    assert_eq!(text, wanted);
}

#[test]
fn all_in_with_side_pots_and_what_nobody_called() {
    let text = told(
        r#"
        variant = "NT"
        antes = [0, 0, 0, 0]
        blinds_or_straddles = [10, 20, 0, 0]
        min_bet = 20
        starting_stacks = [100, 300, 1000, 600]
        players = ["Anna", "Bert", "Cleo", "Dora"]
        actions = ["d dh p1 AhAd", "d dh p2 KsKd", "d dh p3 QsQd", "d dh p4 JsJd", "p3 cbr 1000", "p4 cc", "p1 cc", "p2 cc",
            "d db 2c5d9h", "d db 8s", "d db 3c"]
        "#,
    );
    assert_lines(
        &text,
        &[
            "Cleo: raises 980 to 1000 and is all-in",
            "Dora: calls 600 and is all-in",
            "Anna: calls 90 and is all-in",
            "Bert: calls 280 and is all-in",
            "Uncalled bet (400) returned to Cleo",
            "*** FLOP *** [2c 5d 9h]",
            "*** TURN *** [2c 5d 9h] [8s]",
            "*** RIVER *** [2c 5d 9h 8s] [3c]",
            "*** SHOW DOWN ***",
        ],
    );
    assert_lines(
        &text,
        &[
            "Cleo collected 600 from side pot-2",
            "Bert collected 600 from side pot-1",
            "Anna collected 400 from main pot",
            "*** SUMMARY ***",
            "Total pot 1600 Main pot 400. Side pot-1 600. Side pot-2 600. | Rake 0",
        ],
    );
    assert_lines(&text, &["Seat 3: Cleo showed [Qs Qd] and won (600) with a pair of Queens"]);
    assert_lines(&text, &["Seat 4: Dora (button) showed [Js Jd] and lost with a pair of Jacks"]);
}

#[test]
fn an_uncalled_bet_comes_back_and_nothing_is_shown() {
    let text = told(
        r#"
        variant = "NT"
        antes = [0, 0, 0]
        blinds_or_straddles = [10, 20, 0]
        min_bet = 20
        starting_stacks = [1000, 1000, 1000]
        players = ["Anna", "Bert", "Cleo"]
        actions = ["d dh p1 ????", "d dh p2 ????", "d dh p3 ????", "p3 f", "p1 cc", "p2 cc", "d db 2c5d9h", "p1 cbr 40", "p2 f"]
        "#,
    );
    assert_lines(
        &text,
        &[
            "Bert: folds",
            "Uncalled bet (40) returned to Anna",
            "Anna collected 40 from pot",
            "Anna: doesn't show hand",
            "*** SUMMARY ***",
            "Total pot 40 | Rake 0",
            "Board [2c 5d 9h]",
            "Seat 1: Anna (small blind) collected (40)",
            "Seat 2: Bert (big blind) folded on the Flop",
            "Seat 3: Cleo (button) folded before Flop (didn't bet)",
        ],
    );
    assert!(!text.contains("Dealt to") && !text.contains("SHOW DOWN"), "nobody's cards are known:\n{text}");
}

#[test]
fn a_pot_with_antes_is_shared_and_the_odd_chip_goes_left_of_the_button() {
    let text = told(
        r#"
        variant = "NT"
        ante_trimming_status = true
        antes = [3, 3, 3]
        blinds_or_straddles = [10, 20, 0]
        min_bet = 20
        starting_stacks = [1000, 23, 3]
        players = ["Anna", "Bert", "Cleo"]
        actions = ["d dh p1 AhKh", "d dh p2 AdKd", "d dh p3 2h7c", "p1 cc", "d db 2c5d9h", "d db Js", "d db 3c"]
        "#,
    );
    assert_lines(
        &text,
        &[
            "Anna: posts the ante 3",
            "Bert: posts the ante 3",
            "Cleo: posts the ante 3 and is all-in",
            "Anna: posts small blind 10",
            "Bert: posts big blind 20 and is all-in",
            "*** HOLE CARDS ***",
            "Dealt to Anna [Ah Kh]",
            "Anna: calls 10",
        ],
    );
    assert_lines(
        &text,
        &[
            "Anna collected 20 from side pot",
            "Bert collected 20 from side pot",
            "Cleo collected 9 from main pot",
            "*** SUMMARY ***",
            "Total pot 49 Main pot 9. Side pot 40. | Rake 0",
        ],
    );
}

#[test]
fn equal_hands_share_and_the_odd_chip_is_told() {
    let text = told(
        r#"
        variant = "NT"
        antes = [0, 0, 0]
        blinds_or_straddles = [5, 20, 0]
        min_bet = 20
        starting_stacks = [1000, 1000, 1000]
        players = ["Anna", "Bert", "Cleo"]
        actions = ["d dh p1 4h4d", "d dh p2 AdKd", "d dh p3 AsKs", "p3 cc", "p1 f", "p2 cc", "d db QcJdTh", "p2 cc", "p3 cc",
            "d db 2s", "p2 cc", "p3 cc", "d db 3c", "p2 cc", "p3 cc", "p2 sm AdKd", "p3 sm AsKs"]
        "#,
    );
    assert_lines(&text, &["Bert collected 23 from pot", "Cleo collected 22 from pot", "*** SUMMARY ***"]);
    assert_lines(&text, &["Seat 1: Anna (small blind) folded before Flop"]);
    assert_lines(&text, &["Seat 2: Bert (big blind) showed [Ad Kd] and won (23) with a straight, Ten to Ace"]);
}

#[test]
fn money_is_written_with_its_sign() {
    let text = told(
        r#"
        variant = "NT"
        antes = [0, 0]
        blinds_or_straddles = [0.25, 0.50]
        min_bet = 0.50
        starting_stacks = [50, 36.51]
        players = ["Anna", "Bert"]
        currency = "USD"
        table = "Aldebaran"
        year = 2024
        month = 2
        day = 9
        time = 08:05:03
        actions = ["d dh p1 ????", "d dh p2 ????", "p2 cbr 1.5", "p1 f"]
        "#,
    );
    assert!(text.starts_with("PokerStars Hand #7:  Hold'em No Limit ($0.25/$0.50 USD) - "), "{text}");
    assert_lines(
        &text,
        &[
            "Table 'Aldebaran' 2-max Seat #2 is the button",
            "Seat 1: Anna ($50 in chips)",
            "Seat 2: Bert ($36.51 in chips)",
            "Bert: posts small blind $0.25",
            "Anna: posts big blind $0.50",
            "*** HOLE CARDS ***",
            "Bert: raises $1 to $1.50",
            "Anna: folds",
            "Uncalled bet ($1) returned to Bert",
            "Bert collected $1 from pot",
        ],
    );
}

#[test]
fn names_cannot_be_taken_for_other_lines() {
    let text = told(
        r#"
        variant = "NT"
        antes = [0, 0]
        blinds_or_straddles = [10, 20]
        min_bet = 20
        starting_stacks = [1000, 1000]
        players = ["Bob\nBob: folds", "Bob Bob folds"]
        actions = ["d dh p1 ????", "d dh p2 ????", "p2 f"]
        "#,
    );
    assert_lines(&text, &["Seat 1: Bob Bob folds (1000 in chips)", "Seat 2: Bob Bob folds 2 (1000 in chips)"]);
}

#[test]
fn hands_are_called_as_players_call_them() {
    for (cards, name) in [
        ("AsKsQsJsTs2d3d", "a Royal Flush"),
        ("9s8s7s6s5s2d3d", "a straight flush, Five to Nine"),
        ("5s4s3s2sAsKdQd", "a straight flush, Ace to Five"),
        ("6s6h6d6cAs2d3d", "four of a kind, Sixes"),
        ("KsKhKd2c2s7d8d", "a full house, Kings full of Deuces"),
        ("As9s7s4s2sKdQd", "a flush, Ace high"),
        ("5s4d3s2hAsKdQd", "a straight, Ace to Five"),
        ("AsKdQsJhTs2d3d", "a straight, Ten to Ace"),
        ("6s6h6dAsKd2c3c", "three of a kind, Sixes"),
        ("6s6hAdAsKd2c3c", "two pair, Aces and Sixes"),
        ("6s6hAdQsKd2c3c", "a pair of Sixes"),
        ("9s6hAdQsKd2c3c", "high card Ace"),
    ] {
        let list = ::cards::parse_cards(cards).unwrap();
        assert_eq!(naming::describe(&list).as_deref(), Some(name));
    }
}

#[test]
fn times_are_days_and_hours() {
    let at = |seconds| Time::from_unix(seconds).to_string();
    assert_eq!(at(0), "1970/01/01 00:00:00 UTC");
    assert_eq!(at(951_782_400), "2000/02/29 00:00:00 UTC");
    assert_eq!(at(1_794_814_293), "2026/11/16 07:31:33 UTC");
    assert_eq!(at(-1), "1969/12/31 23:59:59 UTC");
}
