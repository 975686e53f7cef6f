//! Hands of files: read, played again, written, and turned into records and back.

#![expect(clippy::panic, clippy::unwrap_used, clippy::disallowed_methods, reason = "what goes wrong here fails a test")]

use std::path::Path;

use games::holdem::phh::{self, Awaited, BadAmount, FromRecord, PhhError, PhhHand, Place, Play, Player, Reason};
use games::holdem::{Holdem, Illegal};
use table::Chips;
use table::record::Reader;

const HEADS_UP: &str = include_str!("data/phh/heads_up.phh");
const ANTES: &str = include_str!("data/phh/antes.phh");
const CENTS: &str = include_str!("data/phh/cents.phh");
const STRADDLE: &str = include_str!("data/phh/straddle.phh");
const UNKNOWN: &str = include_str!("data/phh/unknown_at_showdown.phh");
const SESSION: &str = include_str!("data/phh/session.phhs");

const GOOD: [&str; 4] = [HEADS_UP, ANTES, CENTS, STRADDLE];

fn stacks(hand: &PhhHand) -> Vec<String> {
    let replayed = phh::replay(hand).unwrap_or_else(|why| panic!("{why}"));
    replayed.stacks.iter().map(|stack| hand.unit.show(*stack)).collect()
}

fn as_expected(hand: &PhhHand) {
    let replayed = phh::replay(hand).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(Some(&replayed.stacks), hand.finishing_stacks.as_ref());
}

/// The hand of a file after a change to its text.
fn changed(text: &str, from: &str, to: &str) -> Result<Vec<Chips>, PhhError> {
    assert!(text.contains(from), "{from}");
    let hand = phh::decode(&text.replacen(from, to, 1))?;
    Ok(phh::replay(&hand)?.stacks)
}

fn reason(text: &str, from: &str, to: &str) -> Reason {
    changed(text, from, to).unwrap_err().reason
}

#[test]
fn hands_end_with_the_stacks_they_name() {
    for text in GOOD {
        as_expected(&phh::decode(text).unwrap());
    }
}

#[test]
fn a_file_with_several_hands_gives_each_in_order() {
    let hands = phh::decode_all(SESSION).unwrap();
    let labels: Vec<_> = hands.iter().map(|entry| entry.label.as_deref()).collect();
    assert_eq!(labels, ["1", "2", "3", "10"].map(Some));
    assert_eq!(hands.first().unwrap().name, Some(7001.into()));
    let [first, second, third, tenth] = hands.try_into().unwrap();
    as_expected(&first.hand.unwrap());
    let why = second.hand.unwrap_err();
    assert_eq!(why.reason, Reason::Variant("FT".to_owned()));
    assert!(why.to_string().starts_with("hand 2: field variant: the variant \"FT\""), "{why}");
    assert_eq!(stacks(&third.hand.unwrap()), ["490", "485", "40"]);
    as_expected(&tenth.hand.unwrap());
    assert_eq!(phh::decode_all(HEADS_UP).unwrap().len(), 1);
}

#[test]
fn a_check_that_nobody_asks_for_is_passed_over_only_there() {
    let text = SESSION.split("[3]").nth(1).unwrap();
    assert!(changed(text, "'p2 cc',", "").is_ok());
    for twice in ["'p2 cc', 'p2 cc',", "'p2 cc', 'p1 cc',", "'p2 f',", "'p3 cc',"] {
        assert!(matches!(changed(text, "'p2 cc',", twice).unwrap_err().place, Place::Action { .. }), "{twice}");
    }
    assert_eq!(reason(text, "'d db 9h'", "'p2 cc', 'd db 9h'"), Reason::NotAwaited(Awaited::Board(2)));
}

#[test]
fn a_showdown_needs_cards_that_are_known() {
    // Of a hand one card of which is known nobody can say that it was mucked.
    let why = changed(UNKNOWN, "sm ????", "sm 2d?h").unwrap_err();
    assert_eq!(why.reason, Reason::UnknownAtShowdown(Player(1)));
    assert_eq!(why.to_string(), "action 16, \"p2 sm 2d??\": the cards of p2 are unknown, and the showdown needs them");
    // Somebody must have won.
    let nobody = UNKNOWN.replace("AhAd", "????");
    assert_eq!(reason(&nobody, "p3 sm ????", "p3 sm ????"), Reason::UnknownAtShowdown(Player(1)));
    // Shown after all, or put away.
    assert_eq!(changed(UNKNOWN, "sm ????", "sm JdJh").unwrap(), [99, 107, 94].map(Chips));
    assert_eq!(changed(UNKNOWN, "sm ????", "sm").unwrap(), [99, 94, 107].map(Chips));
}

#[test]
fn a_known_hand_is_compared_even_if_it_is_put_away() {
    assert_eq!(changed(HEADS_UP, "p1 sm 9c9d", "p1 sm").unwrap(), [6500, 0].map(Chips));
    assert_eq!(changed(HEADS_UP, "p1 sm 9c9d", "p1 sm -").unwrap(), [6500, 0].map(Chips));
}

#[test]
fn what_is_out_of_order_is_refused() {
    let cases = [
        ("p2 cbr 300", "p1 cc", Reason::NotAwaited(Awaited::Turn(Player(1)))),
        ("d db Qd9h2c", "d db Qd9h", Reason::NotAwaited(Awaited::Board(1))),
        ("d db Qd9h2c", "d db Qd9h2c3c", Reason::TooManyCards),
        ("p2 cbr 300", "p2 sm", Reason::NotAwaited(Awaited::Turn(Player(1)))),
        ("p2 cbr 300", "d dh p2 2h2d", Reason::TooManyCards),
        ("d db Kd", "# no river", Reason::Unfinished(Awaited::Board(1))),
        ("d dh p2 KsQs", "", Reason::NotAwaited(Awaited::Hole(Player(1)))),
        ("p1 sm 9c9d", "p1 sm 9c9s", Reason::OtherCards(Player(0))),
        ("d db 2h", "d db ??", Reason::UnknownBoard),
    ];
    for (from, to, why) in cases {
        assert_eq!(reason(HEADS_UP, from, to), why, "{to}");
    }
    assert_eq!(reason(STRADDLE, "p4 cc", "d db 2d"), Reason::NotAwaited(Awaited::Turn(Player(3))));
    assert_eq!(reason(STRADDLE, "p1 f\",\n  \"d", "p1 f\", \"p2 f\", \"d"), Reason::NotAwaited(Awaited::Board(3)));
    assert_eq!(reason(STRADDLE, "p4 f", "p1 f"), Reason::NotInHand(Player(0)));
    let illegal = |to| match reason(CENTS, "p3 cbr 0.35", to) {
        Reason::Illegal { why, .. } => why,
        other => panic!("{other}"),
    };
    assert_eq!(illegal("p3 cbr 0.15"), Illegal::RaiseTooSmall { least: Chips(20), got: Chips(15) });
    assert_eq!(illegal("p3 cbr 12.51"), Illegal::NotEnoughChips { most: Chips(1250), got: Chips(1251) });
    let why = changed(CENTS, "p3 cbr 0.35", "p3 cbr 0.15").unwrap_err().to_string();
    assert_eq!(why, "action 4, \"p3 cbr 0.15\": a bet or raise must go to at least 0.2, not 0.15");
}

#[test]
fn a_board_may_come_card_by_card() {
    let split = "d db Qd\", \"d db 9h\", \"d db 2c";
    assert_eq!(changed(HEADS_UP, "d db Qd9h2c", split).unwrap(), [6500, 0].map(Chips));
}

#[test]
fn an_unfinished_hand_says_what_is_awaited() {
    let mut hand = phh::decode(HEADS_UP).unwrap();
    let mut said = Vec::new();
    while hand.lines.pop().is_some() {
        let why = phh::replay(&hand).unwrap_err();
        assert_eq!(why.place, Place::End);
        let Reason::Unfinished(awaited) = why.reason else { panic!("{why}") };
        said.push(awaited);
    }
    assert_eq!(said.len(), 14);
    assert_eq!(said[0], Awaited::Board(1));
    assert_eq!(said[4], Awaited::Turn(Player(0)));
    assert_eq!(said[13], Awaited::Hole(Player(0)));
}

#[test]
fn garbled_files_are_refused_and_say_where() {
    let field = |name: &str| Place::Field(name.to_owned());
    let cases = [
        ("variant = \"NT\"", "", field("variant"), Reason::Missing),
        ("variant = \"NT\"", "variant = 3", field("variant"), Reason::Expected("a text")),
        ("min_bet = 100", "", field("min_bet"), Reason::Missing),
        ("antes = [0, 0]", "antes = [0]", field("antes"), Reason::WrongNumber { players: 2, got: 1 }),
        ("antes = [0, 0]", "antes = [0, -1]", field("antes"), Reason::Amount(BadAmount::TooSmall)),
        ("antes = [0, 0]", "antes = [0, 'x']", field("antes"), Reason::Expected("a number")),
        ("antes = [0, 0]", "antes = [0, inf]", field("antes"), Reason::Amount(BadAmount::Infinite)),
        ("[4000, 2500]", "[4000, -inf]", field("starting_stacks"), Reason::Amount(BadAmount::Infinite)),
        ("[4000, 2500]", "[4000, nan]", field("starting_stacks"), Reason::Amount(BadAmount::NotANumber)),
        ("[4000, 2500]", "[4000, 0]", field("starting_stacks"), Reason::Amount(BadAmount::TooSmall)),
        ("[4000, 2500]", "[4000]", field("starting_stacks"), Reason::Players(1)),
        ("[4000, 2500]", "[4000, 9e18]", field("starting_stacks"), Reason::Amount(BadAmount::TooLarge)),
        ("[4000, 2500]", "[4000, 0.1234567]", field("starting_stacks"), Reason::Amount(BadAmount::TooFine)),
        ("\"p1 cc\"", "7", field("actions"), Reason::Expected("a list of texts")),
    ];
    for (from, to, place, why) in cases {
        let error = changed(HEADS_UP, from, to).unwrap_err();
        assert_eq!((error.place, error.reason), (place, why), "{to}");
    }
    let place = |to: &str| changed(HEADS_UP, "p1 cbr 1200", to).unwrap_err().place;
    for to in ["p3 f", "p1 cbr x", "p1 raise 4", "é", "d dh p1 9c9x"] {
        assert_eq!(place(to), Place::Action { number: 8, text: to.to_owned() });
    }
    let twice = changed(HEADS_UP, "d db 2h", "d db 9c").unwrap_err();
    assert_eq!(twice.to_string(), "action 13, \"d db 9c\": the card 9C appears twice");
    assert!(matches!(phh::decode("[1").unwrap_err().reason, Reason::NotToml(_)));
    assert_eq!(phh::decode_all("").unwrap_err().reason, Reason::NoHand);
    assert!(phh::decode_all("a = 1").unwrap()[0].hand.is_err());
    assert_eq!(phh::decode(&" ".repeat(phh::LARGEST + 1)).unwrap_err().reason, Reason::TooLarge);
    let long = format!("\"# x\", {}", "\"\", ".repeat(phh::MOST_LINES));
    assert_eq!(reason(HEADS_UP, "\"d dh p1 9c9d\"", long.trim_end_matches(", ")), Reason::TooManyLines);
}

/// What can be read can be written and read again; what can be played loses no chips and can be recorded.
fn keeps_its_word(hand: &PhhHand) {
    let again = phh::decode(&phh::encode(hand)).unwrap();
    assert_eq!(again, PhhHand { label: None, ..hand.clone() });
    let Ok(replayed) = phh::replay(hand) else { return };
    let sum = |stacks: &[Chips]| stacks.iter().copied().sum::<Chips>();
    assert_eq!(sum(&replayed.net), Chips::ZERO);
    let [recorded] = from_record(&phh::to_record(hand).unwrap()).try_into().unwrap();
    if hand.unlimited.is_empty() {
        assert_eq!(sum(&replayed.stacks), sum(&hand.starting_stacks));
        assert_eq!(recorded.finishing_stacks, Some(replayed.stacks));
    }
}

#[test]
fn no_prefix_and_no_lost_byte_ends_the_program() {
    for text in GOOD.into_iter().chain([UNKNOWN, SESSION]) {
        for (end, _) in text.char_indices() {
            let missing = [&text[..end], text[end..].get(1..).unwrap_or_default()].concat();
            for broken in [&text[..end], &missing] {
                let hands = phh::decode_all(broken).unwrap_or_default();
                hands.iter().flat_map(|entry| &entry.hand).for_each(keeps_its_word);
            }
        }
    }
}

#[test]
fn unusual_forced_bets_find_their_seats() {
    let begin = |blinds: &str, actions: &str| {
        let text = format!(
            "variant = 'NT'\nantes = [0, 0, 0]\nblinds_or_straddles = {blinds}\nmin_bet = 2\nstarting_stacks = [50, 50, 50]\n\
             actions = ['d dh p1 ????', 'd dh p2 ????', 'd dh p3 ????', {actions}]"
        );
        stacks(&phh::decode(&text).unwrap())
    };
    // No small blind, a button straddle, a late post, the largest bet on the first seat.
    assert_eq!(begin("[0, 2, 0]", "'p3 f', 'p1 f'"), ["50", "50", "50"]);
    assert_eq!(begin("[1, 2, 4]", "'p1 cc', 'p2 f', 'p3 cbr 20', 'p1 f'"), ["46", "48", "56"]);
    assert_eq!(begin("[1, 2, -2]", "'p3 cc', 'p1 f', 'p2 cbr 8', 'p3 f'"), ["49", "53", "48"]);
    assert_eq!(begin("[2, 0, 0]", "'p2 cc', 'p3 f', 'p1 cbr 8', 'p2 f'"), ["52", "48", "50"]);
}

#[test]
fn antes_that_are_not_trimmed_belong_to_the_main_pot() {
    let text = "variant = 'NT'\nantes = [0, 4, 0]\nblinds_or_straddles = [1, 2, 0]\nmin_bet = 2\n\
        starting_stacks = [50, 50, 2]\nactions = ['d dh p1 2c7d', 'd dh p2 3c8d', 'd dh p3 AhAd', 'p3 cc', 'p1 cc', 'p2 cc',\
        'd db TcJcQh', 'p1 cc', 'p2 cc', 'd db 4s', 'p1 cc', 'p2 cc', 'd db 5s', 'p1 cc', 'p2 cc']";
    assert_eq!(changed(text, "", "").unwrap(), [48, 44, 10].map(Chips));
    let trimmed = format!("ante_trimming_status = true\n{text}");
    assert_eq!(changed(&trimmed, "", "").unwrap(), [48, 48, 6].map(Chips));
}

#[test]
fn heads_up_blinds_and_antes_go_the_other_way_round() {
    let text = "variant = 'NT'\nantes = [0, 4]\nblinds_or_straddles = [1, 2]\nmin_bet = 2\nstarting_stacks = [50, 50]\n\
        actions = ['d dh p1 ????', 'd dh p2 ????', 'p2 f']";
    // Were the ante the button's, the big blind would win it.
    assert_eq!(changed(text, "", "").unwrap(), [51, 49].map(Chips));
    assert_eq!(changed(text, "[0, 4]", "[4, 0]").unwrap(), [55, 45].map(Chips));
}

#[test]
fn a_table_may_be_full() {
    let text = |n: usize| {
        let list = |all: &str| vec![all; n].join(", ");
        let deals: Vec<String> = (1..=n).map(|player| format!("'d dh p{player} ????'")).collect();
        let folds: Vec<String> = (3..=n).chain([1]).map(|player| format!("'p{player} f'")).collect();
        format!(
            "variant = 'NT'\nantes = [{}]\nblinds_or_straddles = [{}]\nmin_bet = 2\nstarting_stacks = [{}]\nactions = [{}, {}]",
            list("0"),
            list("0").replacen("0, 0", "1, 2", 1),
            list("9"),
            deals.join(", "),
            folds.join(", ")
        )
    };
    let full = stacks(&phh::decode(&text(10)).unwrap());
    assert_eq!(full, ["8", "10", "9", "9", "9", "9", "9", "9", "9", "9"]);
    assert_eq!(phh::decode(&text(11)).unwrap_err().reason, Reason::Players(11));
}

#[test]
fn what_is_written_is_read_again() {
    let session = phh::decode_all(SESSION).unwrap();
    for hand in
        GOOD.iter().map(|text| phh::decode(text).unwrap()).chain(session.into_iter().flat_map(|entry| entry.hand))
    {
        let again = phh::decode(&phh::encode(&hand)).unwrap();
        assert_eq!(again, PhhHand { label: None, ..hand });
    }
    let hands: Vec<PhhHand> = GOOD.iter().map(|text| phh::decode(text).unwrap()).collect();
    let again = phh::decode_all(&phh::encode_all(&hands)).unwrap();
    assert_eq!(again.len(), hands.len());
    for ((number, hand), again) in (1..).zip(hands).zip(again) {
        assert_eq!(again.hand.unwrap(), PhhHand { label: Some(number.to_string()), ..hand });
    }
}

/// Reads a record and gives its hands.
fn from_record(text: &str) -> Vec<PhhHand> {
    let mut reader = FromRecord::new();
    let hands =
        text.lines().filter_map(|line| reader.line(line).unwrap_or_else(|why| panic!("{why}: {line}"))).collect();
    reader.finish().unwrap();
    hands
}

#[test]
fn a_hand_keeps_its_fields_through_a_record() {
    let session = phh::decode_all(SESSION).unwrap();
    for hand in
        GOOD.iter().map(|text| phh::decode(text).unwrap()).chain(session.into_iter().flat_map(|entry| entry.hand))
    {
        let record = phh::to_record(&hand).unwrap();
        let mut reader = Reader::<Holdem>::new();
        record.lines().for_each(|line| drop(reader.line(line).unwrap()));
        let [again] = from_record(&record).try_into().unwrap();
        assert_eq!(again.fields, hand.fields);
        assert_eq!(again.starting_stacks, hand.starting_stacks);
        assert_eq!(again.blinds_or_straddles, hand.blinds_or_straddles);
        assert_eq!((again.unit, again.min_bet, &again.antes), (hand.unit, hand.min_bet, &hand.antes));
        assert_eq!(again.ante_trimming_status, hand.ante_trimming_status);
        assert_eq!(again.finishing_stacks, Some(phh::replay(&hand).unwrap().stacks));
        let acts = |hand: &PhhHand| -> Vec<Play> {
            let all = hand.lines.iter().map(|line| line.play.clone());
            all.filter(|play| !matches!(play, Play::Show(..) | Play::Hole(..) | Play::Nothing)).collect()
        };
        // All but the check that is not asked for.
        let before: Vec<Play> = acts(&hand).into_iter().filter(|play| acts(&again).contains(play)).collect();
        assert_eq!(acts(&again), before);
        assert_eq!(phh::to_record(&again).unwrap(), record);
        as_expected(&again);
    }
}

#[test]
fn hands_of_others_end_as_they_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors/phh");
    let Ok(files) = std::fs::read_dir(&folder) else {
        println!("{} is absent, nothing compared", folder.display());
        return;
    };
    for file in files {
        let path = file.unwrap().path();
        let text = String::from_utf8(std::fs::read(&path).unwrap()).unwrap();
        let hand = phh::decode(&text).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        let replayed = phh::replay(&hand).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        let expected = match &hand.finishing_stacks {
            Some(stacks) => stacks.clone(),
            None => [572_100, 1_997_500, 1_109_500].map(Chips).to_vec(),
        };
        assert_eq!(replayed.stacks, expected, "{}", path.display());
        let record = phh::to_record(&hand).unwrap();
        let [again] = from_record(&record).try_into().unwrap();
        assert_eq!(phh::replay(&again).unwrap().stacks, expected, "{}", path.display());
    }
}
