//! Matches: rounds, elimination, places, settings.

use super::*;
use crate::blackjack::{Series, Shoe};
use table::{BadSetting, Series as _, TieBreak};

fn start(words: &str, players: u8) -> Series {
    Blackjack::start(&settings(words), players).expect("good settings")
}

/// Plays the next round with these results.
fn play(series: &mut Series, results: &[i64]) {
    let deal = Deal::deal(&series.next(0).expect("not over")).expect("a good setup");
    series.finish(&deal, &Outcome::played("settled", chips(results)));
}

fn places(series: &Series) -> Vec<u8> {
    series.standing().place.as_slice().to_vec()
}

#[test]
fn a_match_is_ten_rounds_and_the_first_seat_moves_on() {
    let mut series = start("", 3);
    for round in 0..10 {
        assert!(!series.standing().over);
        assert_eq!(series.next(0).map(|setup| setup.first), Some(seat(round % 3)));
        play(&mut series, &[10, -10, 0]);
    }
    assert!(series.standing().over);
    assert_eq!(series.next(0), None);
    assert_eq!(series.standing().total, chips(&[600, 400, 500]));
    assert_eq!(places(&series), [1, 3, 2]);
}

#[test]
fn who_has_lost_all_chips_is_out_and_the_last_one_wins() {
    let mut series = start("starting_chips=100", 3);
    play(&mut series, &[0, -100, 50]);
    assert_eq!(series.next(0).map(|setup| setup.playing()), Some(Seats::one(seat(0)).with(seat(2))));
    play(&mut series, &[-100, 0, -20]);
    assert!(series.standing().over);
    assert_eq!(places(&series), [2, 3, 1]);
}

#[test]
fn players_without_chips_are_placed_by_the_round_and_their_chips_before_it() {
    let mut series = start("starting_chips=100", 4);
    play(&mut series, &[-100, -40, -40, -20]);
    play(&mut series, &[0, -60, -60, -80]);
    assert!(series.standing().over);
    assert_eq!(places(&series), [4, 2, 2, 1], "80 chips before the last round are better than 60");
}

#[test]
fn a_tie_for_first_is_shared() {
    let mut series = start("rounds=1", 3);
    play(&mut series, &[10, -10, 10]);
    assert!(series.standing().over);
    assert_eq!(places(&series), [1, 3, 1]);
}

#[test]
fn a_tie_for_first_can_be_broken_in_extra_rounds_among_those_tied() {
    let mut series = start("rounds=1 tie_rounds=2", 4);
    play(&mut series, &[10, 10, 0, 10]);
    let tied = Seats::one(seat(0)).with(seat(1)).with(seat(3));
    let setup = series.next(0).expect("an extra round");
    assert_eq!((setup.playing(), setup.chips[seat(2)]), (tied, Chips(500)));
    play(&mut series, &[-20, -20, 0, -30]);
    assert_eq!(series.next(0).map(|setup| setup.playing()), Some(Seats::one(seat(0)).with(seat(1))));
    play(&mut series, &[-100, -50, 0, 0]);
    assert!(series.standing().over);
    // Tied players stay ahead of the others, no matter what the extra rounds cost them.
    assert_eq!(places(&series), [2, 1, 4, 3]);
}

#[test]
fn a_tie_that_no_extra_round_breaks_is_shared() {
    let mut series = start("rounds=1 tie_rounds=1", 2);
    play(&mut series, &[10, 10]);
    play(&mut series, &[5, 5]);
    assert!(series.standing().over);
    assert_eq!(places(&series), [1, 1]);
    let mut series = start("rounds=1 tie_rounds=5", 2);
    play(&mut series, &[10, 20]);
    assert!(series.standing().over, "there was no tie");
}

#[test]
fn what_decides_where_chips_do_not_is_told() {
    let tie = |series: &Series, ahead, behind| series.tie_break(seat(ahead), seat(behind));
    let mut series = start("starting_chips=100", 4);
    play(&mut series, &[-100, -40, -40, -20]);
    play(&mut series, &[0, -60, -60, -80]);
    assert_eq!(tie(&series, 3, 1), Some(TieBreak::HadMore(Chips(80), Chips(60))));
    assert_eq!(tie(&series, 2, 0), Some(TieBreak::OutLater));
    assert_eq!(tie(&series, 1, 2), None, "they share their place");
    let mut series = start("rounds=1 tie_rounds=2", 3);
    play(&mut series, &[10, 0, 10]);
    play(&mut series, &[-50, 0, -60]);
    assert_eq!(tie(&series, 2, 1), Some(TieBreak::ExtraRounds));
    assert_eq!(tie(&series, 0, 2), None, "more chips say enough");
    let mut series = start("", 3);
    play(&mut series, &[10, 0, 0]);
    series.concede(seat(0));
    assert_eq!(tie(&series, 1, 0), Some(TieBreak::Stayed));
}

#[test]
fn leavers_are_placed_below_all_others() {
    let mut series = start("starting_chips=100", 4);
    play(&mut series, &[200, -100, 0, 10]);
    series.concede(seat(0));
    series.concede(seat(1));
    assert_eq!(series.next(0).map(|setup| setup.playing()), Some(Seats::one(seat(2)).with(seat(3))));
    assert_eq!(places(&series), [4, 3, 2, 1], "a player who was out before they left has finished");
    series.concede(seat(3));
    assert!(series.standing().over, "the last one has won");
    assert_eq!(series.standing().winners(), Seats::one(seat(2)));
    series.concede(seat(9));
}

#[test]
fn who_leaves_a_round_or_cheats_is_out_of_the_match() {
    let mut series = start("", 4);
    let mut round = Round::of(&series.next(0).expect("a round"), &["TS 9S", "TC 9D", "TD 8D"], "TH 7H", "");
    round.gone(1).expect("a player may leave");
    round.bet(&[10, 10, 10]);
    round.act(0, &[Action::Surrender]);
    round.act(2, &[Action::Stand]);
    round.act(3, &[Action::Stand]);
    let outcome = round.table.outcome().expect("over").clone();
    series.finish(round.deal_state(), &outcome);
    assert_eq!(series.next(0).map(|setup| setup.playing()), Some(Seats::one(seat(2)).with(seat(3))));
    assert_eq!(series.standing().total, chips(&[490, 500, 510, 510]));
    assert_eq!(places(&series), [4, 3, 1, 1]);
    let deal = Deal::deal(&series.next(1).expect("a round")).expect("a good setup");
    let cheated = Breakdown::Cheated { proven: Seats::one(seat(2)), vanished: Seats::NONE };
    series.finish(&deal, &deal.break_off(cheated));
    assert_eq!(series.standing().winners(), Seats::one(seat(3)));
}

/// The shoe of the round after one that began with `used` cards gone, and was played out or broken off.
fn shoe_after(words: &str, used: u16, broken_off: Option<Breakdown>) -> Option<Shoe> {
    let mut series = start(words, 2);
    let mut setup = series.next(1).expect("a round");
    assert_eq!(setup.shoe, None, "a match begins with a new shoe");
    setup.shoe = Some(Shoe { deck: 0, used });
    let mut deal = Deal::deal(&setup).expect("a good setup");
    let bets = [0, 1].map(|index| (seat(index), Bet(Chips(10))));
    deal.apply(&Faces::new(), table::Input::Choices(&bets)).expect("good bets");
    series.finish(&deal, &Outcome { broken_off, ..deal.outcome() });
    series.next(2).expect("a round").shoe
}

#[test]
fn a_round_that_would_begin_with_too_few_cards_begins_with_a_new_shoe() {
    let shoe = |used| Some(Shoe { deck: 0, used });
    assert_eq!(shoe_after("", 228, None), shoe(234), "78 are left");
    assert_eq!(shoe_after("", 229, None), None);
    assert_eq!(shoe_after("decks=1", 20, None), shoe(26), "half of a small shoe is enough");
    assert_eq!(shoe_after("decks=1", 21, None), None);
    assert_eq!(shoe_after("reshuffle_below=26", 280, None), shoe(286));
    assert_eq!(shoe_after("", 100, Some(Breakdown::DealerFailed)), None);
}

#[test]
fn a_match_with_bad_settings_does_not_begin() {
    let field = |words: &str, players| Blackjack::start(&settings(words), players).map_err(|bad| bad.field).err();
    assert_eq!(field("", 1), Some("players"));
    assert_eq!(field("", 5), Some("players"));
    assert_eq!(field("min_bet=101", 2), Some("min_bet"));
    assert_eq!(field("max_bet=501", 2), Some("max_bet"));
    assert_eq!(field("decks=2 reshuffle_below=53", 2), Some("reshuffle_below"));
    assert_eq!(field("decks=2 reshuffle_below=52", 2), None);
    assert_eq!(field("decks=1", 2), None);
}

#[test]
fn every_setting_has_the_range_of_the_rules() {
    let ranges = [
        ("starting_chips", 500, 10, 100_000),
        ("min_bet", 10, 1, 100_000),
        ("max_bet", 100, 1, 100_000),
        ("rounds", 10, 1, 100),
        ("decks", 6, 1, 8),
        ("reshuffle_below", 78, 26, 208),
        ("max_split_hands", 2, 2, 4),
        ("tie_rounds", 0, 0, 5),
    ];
    let described = <Settings as table::Settings>::described();
    for (name, default, least, most) in ranges {
        let found = described.iter().find(|setting| setting.name == name).expect("a setting");
        assert_eq!(found.default, i64::to_string(&default));
        assert_eq!(found.range, table::Range::whole(least, most), "{name}");
        let set = |value: i64| table::Settings::set(&mut Settings::default(), name, &value.to_string());
        assert!(set(least).is_ok() && set(most).is_ok());
        assert!(set(least - 1).is_err() && set(most + 1).is_err());
    }
    for (name, bad) in
        [("soft17", "draw"), ("blackjack_pays", "2:1"), ("split_by_value", "1"), ("double_after_split", "")]
    {
        assert!(table::Settings::set(&mut Settings::default(), name, bad).is_err());
    }
}

#[test]
fn a_bad_setup_is_refused_naming_the_field() {
    let good = setup("", 3);
    let field = |change: &dyn Fn(&mut Setup)| {
        let mut setup = good.clone();
        change(&mut setup);
        Deal::deal(&setup).map_err(|BadSetting { field, .. }| field).err()
    };
    assert_eq!(field(&|_| {}), None);
    assert_eq!(field(&|s| s.players = 1), Some("players"));
    assert_eq!(field(&|s| s.players = 5), Some("players"));
    assert_eq!(field(&|s| s.chips = chips(&[500, 500])), Some("chips"));
    assert_eq!(field(&|s| s.chips = chips(&[500, 500, -1])), Some("chips"));
    assert_eq!(field(&|s| s.chips = chips(&[0, 0, 0])), Some("chips"));
    assert_eq!(field(&|s| s.out = Seats::first(3)), Some("chips"));
    assert_eq!(field(&|s| s.out = Seats::one(seat(3))), Some("out"));
    assert_eq!(field(&|s| s.first = seat(3)), Some("first"));
    assert_eq!(field(&|s| s.min_bet = Chips(0)), Some("min_bet"));
    assert_eq!(field(&|s| s.min_bet = Chips(101)), Some("min_bet"));
    assert_eq!(field(&|s| s.max_bet = Chips(0)), Some("max_bet"));
    assert_eq!(field(&|s| s.decks = 0), Some("decks"));
    assert_eq!(field(&|s| s.decks = 9), Some("decks"));
    assert_eq!(field(&|s| s.max_split_hands = 1), Some("max_split_hands"));
    assert_eq!(field(&|s| s.max_split_hands = 5), Some("max_split_hands"));
    let shoe = |deck, used, first_deck| {
        field(&move |s: &mut Setup| {
            s.shoe = Some(Shoe { deck, used });
            s.first_deck = first_deck;
        })
    };
    assert_eq!(shoe(0, 304, 1), None);
    assert_eq!(shoe(0, 305, 1), Some("shoe"), "fewer cards than are dealt");
    assert_eq!(shoe(0, 0, 1), Some("shoe"));
    assert_eq!(shoe(1, 10, 1), Some("shoe"), "a deck of this round");
}

#[test]
fn a_setup_is_read_back_as_it_was_written() {
    let mut good = setup("blackjack_pays=6:5 soft17=hit", 3);
    good.shoe = Some(Shoe { deck: 4, used: 17 });
    let text = serde_json::to_string(&good).expect("json");
    assert_eq!(serde_json::from_str::<Setup>(&text).expect("a setup"), good);
    assert!(serde_json::from_str::<Setup>(&text.replacen('{', r#"{"extra":1,"#, 1)).is_err());
}

#[test]
fn a_recorded_match_is_replayed_through_all_its_rounds() {
    let settings = settings("decks=1 rounds=20");
    let mut running = table::Match::<Blackjack>::start(&settings, 3).expect("good settings");
    let mut dealer = dealers::Local::new([5; 32]);
    let mut log = dealers::Recording::default();
    log.0.header(table::record::Header {
        format: 0,
        game: Blackjack::NAME.to_owned(),
        players: 3,
        id: None,
        settings: Some(serde_json::to_value(&settings).expect("json")),
        names: Vec::new(),
        dealer: "local".to_owned(),
        extra: std::collections::BTreeMap::new(),
    });
    let mut shoes = 0;
    while !running.standing().over {
        let setup = running.table().rules().setup().clone();
        shoes += u32::from(setup.shoe.is_none());
        log.0.deal::<Deal>(running.deals(), &setup);
        let mut silent = |_: &Table<Deal>, _: Seat, _: Known<'_>| None;
        dealers::play_deal(running.table_mut(), &mut dealer, &mut silent, &mut log).expect("a good round");
        let mut after = running.series().clone();
        after.finish(running.table().rules(), running.table().outcome().expect("over"));
        log.0.end(running.table(), Some(after.standing()));
        running.advance(0).expect("the round is over");
    }
    assert!((2..20).contains(&shoes), "{shoes} shoes in {} rounds", running.deals());
    let mut reader = table::record::Reader::<Blackjack>::new();
    for line in log.0.take().lines() {
        reader.line(line).unwrap_or_else(|why| panic!("{why}: {line}"));
    }
    assert!(reader.is_between_deals());
}

#[test]
fn who_claims_falsely_has_lost_the_match() {
    // Otherwise a player in the lead could stake the least, lie, and so take every win from the others.
    let mut series = start("", 3);
    play(&mut series, &[100, 0, 0]);
    let deal = Deal::deal(&series.next(0).expect("not over")).expect("a good setup");
    let why = Breakdown::FalseClaim(Seats::one(seat(0)));
    series.finish(&deal, &Outcome::broken(why, chips(&[-10, 0, 0])));
    assert_eq!(places(&series), [3, 1, 1]);
    assert_eq!(series.next(0).map(|setup| setup.playing()), Some(Seats::one(seat(1)).with(seat(2))));
}
