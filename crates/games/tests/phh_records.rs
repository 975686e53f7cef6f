//! Matches with everything that can happen in them, as hands of files and back.

#![expect(clippy::panic, clippy::unwrap_used, clippy::indexing_slicing, reason = "what goes wrong here fails a test")]

mod tracker;

use dealers::{Dealer, Local};
use games::holdem::phh::{self, FromRecord, PhhHand};
use games::holdem::{Antes, Deal, Holdem, Setup, pokerstars};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use table::record::{FORMAT, Header, Reader, Step, Writer};
use table::{
    Awaiting, Breakdown, Chips, Draw, Game, Height, Known, Match, Move, Moves, Outcome, Rules, Seat, Seats, Settings,
    Table,
};

fn header(players: u8, settings: Option<serde_json::Value>) -> Header {
    Header {
        format: FORMAT,
        game: Holdem::NAME.to_owned(),
        players,
        id: None,
        settings,
        names: (0..players).map(|n| format!("N{n}")).collect(),
        dealer: "local".to_owned(),
        extra: Default::default(),
    }
}

/// Plays a hand with any moves; now and then somebody leaves, runs out of time, or the dealer fails.
fn play(table: &mut Table<Deal>, dealer: &mut Local, rng: &mut ChaCha8Rng, writer: &mut Writer) {
    while table.awaiting() != Awaiting::Over {
        let height = table.height();
        let dealt = table.rules().button().is_some() && height != Height(0);
        if dealt && rng.one_in(60) {
            let seat = Seat::round(u64::from(rng.below(12)), table.rules().players());
            let mut trial = table.clone();
            if trial.gone(height, seat).is_ok() {
                writer.gone(height, seat);
                *table = trial;
                continue;
            }
        }
        if dealt && rng.one_in(300) {
            let why = match rng.below(2) {
                0 => Breakdown::DealerFailed,
                _ => Breakdown::Vanished(Seats::one(Seat::default())),
            };
            writer.broken(height, why);
            table.break_off(height, why).unwrap();
            continue;
        }
        match table.awaiting() {
            Awaiting::Turn(seat) => {
                let known = Known::with(table.open(), dealer.own(seat));
                let timeout = rng.one_in(20);
                let moved = match timeout {
                    true => table.rules().default_move(known, seat),
                    false => table.rules().moves(known, seat).pick(rng),
                };
                let Some(Move::Act(action)) = moved else { panic!("{seat} has no move") };
                writer.act(table, seat, &action, dealer.opened(), timeout);
                table.act(height, seat, &action, dealer.opened()).unwrap();
            }
            _ => {
                dealer.fill(table).unwrap();
                // Half the records know the cards of even seats only.
                let all = rng.one_in(2);
                writer.dealt(table, dealer.opened(), |seat, slot| {
                    dealer.own(seat).get(slot).filter(|_| all || seat.index() % 2 == 0)
                });
                table.dealt(height, dealer.opened()).unwrap();
            }
        }
    }
}

/// The hands of a record and their outcomes.
fn read(record: &str) -> Vec<(PhhHand, Outcome)> {
    let (mut reader, mut check) = (FromRecord::new(), Reader::<Holdem>::new());
    let mut hands = Vec::new();
    for line in record.lines() {
        let step = check.line(line).unwrap_or_else(|why| panic!("{why}: {line}"));
        let hand = reader.line(line).unwrap_or_else(|why| panic!("{why}: {line}"));
        if let (Some(hand), Step::Ended(outcome)) = (hand, step) {
            hands.push((hand, outcome));
        }
    }
    reader.finish().unwrap();
    hands
}

/// Every hand goes to text and to a record of its own, and says the same there.
fn compare(record: &str) -> usize {
    let hands = read(record);
    for (hand, outcome) in &hands {
        let text = phh::encode(hand);
        let hand = phh::decode(&text).unwrap_or_else(|why| panic!("{why}\n{text}"));
        let replayed = phh::replay(&hand).unwrap_or_else(|why| panic!("{why}\n{text}"));
        assert_eq!(Some(&replayed.stacks), hand.finishing_stacks.as_ref(), "{text}");
        assert_eq!(replayed.outcome, *outcome, "{text}");
        let record = phh::to_record(&hand).unwrap();
        let [(again, outcome_again)] = read(&record).try_into().unwrap();
        assert_eq!(outcome_again, *outcome, "{text}");
        assert_eq!(again.lines, hand.lines, "{text}");
        assert_eq!(again.starting_stacks, hand.starting_stacks);
        let note = |hand: &PhhHand, name: &str| hand.fields.get("_fairdeal").and_then(|notes| notes.get(name).cloned());
        for name in ["left", "timeouts", "broken"] {
            assert_eq!(note(&again, name), note(&hand, name), "{text}");
        }
        assert_eq!(again.fields["players"], hand.fields["players"]);
        tracked(&hand, outcome);
    }
    hands.len()
}

/// The hand as PokerStars writes it says the same about everybody's chips, and tells no cards but those that were
/// shown and the owner's.
fn tracked(hand: &PhhHand, outcome: &Outcome) {
    let about = pokerstars::About { owner: Some("N1".to_owned()), ..pokerstars::About::of(hand) };
    let text = match pokerstars::write(hand, &about) {
        Ok(text) => text,
        Err(why) => {
            assert!(outcome.broken_off.is_some(), "{why}");
            return;
        }
    };
    let stacks = tracker::stacks(&text);
    let names = hand.fields["players"].as_array().unwrap();
    for (name, stack) in names.iter().zip(hand.finishing_stacks.as_ref().unwrap()) {
        assert_eq!(stacks[name.as_str().unwrap()], stack.0, "{name}\n{text}");
    }
    let dealt: Vec<&str> = text.lines().filter(|line| line.starts_with("Dealt to")).collect();
    assert!(dealt.iter().all(|line| line.starts_with("Dealt to N1 [")) && dealt.len() < 2, "{text}");
}

#[test]
fn matches_survive_as_hands_of_files() {
    let mut hands = 0;
    for seed in 0..60_u64 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut dealer = Local::new([u8::try_from(seed).unwrap(); 32]);
        let players = 2 + u8::try_from(seed % 8).unwrap();
        let mut settings = games::holdem::Settings::default();
        let (ante, by) =
            if seed % 3 == 0 { ("0", "each") } else { ("3", if seed % 3 == 1 { "each" } else { "big_blind" }) };
        settings.set("ante", ante).unwrap();
        settings.set("ante_by", by).unwrap();
        settings.set("early_allin_reveal", if seed % 2 == 0 { "true" } else { "false" }).unwrap();
        settings.set("reopen", if seed % 5 == 0 { "any" } else { "tda" }).unwrap();
        let mut running = Match::<Holdem>::start(&settings, players).unwrap();
        let mut writer = Writer::new();
        writer.header(header(players, Some(serde_json::to_value(&settings).unwrap())));
        while !running.standing().over && running.deals() < 40 {
            writer.deal::<Deal>(running.deals(), running.table().rules().setup());
            play(running.table_mut(), &mut dealer, &mut rng, &mut writer);
            let ended = running.table().clone();
            running.advance(0);
            writer.end(&ended, Some(running.standing()));
        }
        hands += compare(&writer.take());
    }
    assert!(hands > 500, "only {hands} hands");
}

#[test]
fn single_hands_with_any_setup_survive() {
    for seed in 0..300_u64 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut dealer = Local::new([u8::try_from(seed % 256).unwrap(); 32]);
        let players = 2 + u8::try_from(rng.below(8)).unwrap();
        let stacks: Vec<Chips> = (0..players)
            .map(|seat| match rng.one_in(4) && seat > 1 {
                true => Chips::ZERO,
                false => Chips(rng.between(1, 200)),
            })
            .collect();
        let button = Seat::round(u64::from(rng.below(12)), players);
        let mut setup = Setup::new(&stacks, Some(button), Chips(rng.between(0, 5)), Chips(rng.between(5, 10)));
        let funded = stacks.iter().filter(|stack| **stack > Chips::ZERO).count();
        if funded > 2 && rng.one_in(3) {
            setup.straddles = vec![Chips([20, -10, 5][usize::try_from(rng.below(3)).unwrap()])];
        }
        setup.antes = match rng.below(4) {
            0 => Antes::Each(Chips(2)),
            1 => Antes::Seats { amounts: table::PerSeat::filled(players, Chips(3)), dead: true },
            2 => Antes::BigBlind(Chips(4)),
            _ => Antes::None,
        };
        let mut table = Table::new(Deal::deal(&setup).unwrap(), Height(0));
        let mut writer = Writer::new();
        writer.header(header(players, None));
        writer.deal::<Deal>(1, &setup);
        play(&mut table, &mut dealer, &mut rng, &mut writer);
        writer.end(&table, None);
        assert_eq!(compare(&writer.take()), 1);
    }
}
