//! Deals and matches at random.

use dealers::{Local, play_deal};
use rand::SeedableRng as _;
use rand::rngs::ChaCha8Rng;
use table::{Awaiting, Draw as _, Game as _, Height, Known, Move, Moves as _, Rules as _, Seat, Table};

use super::help::count_cards;
use crate::bigc::{BigC, Deal, MOST_RECYCLINGS, OrderBy, Preset, Settings};

#[test]
fn the_laws_hold_for_every_number_of_players() {
    dealers::laws::hold::<BigC>();
}

#[test]
fn the_laws_hold_for_the_author_s_rules() {
    let settings = Settings { hand_size: 7, ..Preset::Author.settings() };
    dealers::laws::hold_with::<BigC>(&settings, 3);
}

#[test]
fn the_laws_hold_for_many_draws_and_last_chances() {
    let settings = Settings { hand_size: 5, pass_draws: 2, two_joker_triple_low: true, ..Settings::default() };
    dealers::laws::hold_with::<BigC>(&settings, 2);
}

#[test]
fn no_card_is_lost_or_doubled_in_any_state() {
    for (number, preset) in (0..120u8).zip([Preset::Seed, Preset::Author].into_iter().cycle()) {
        let settings = preset.settings();
        let players = 2 + number % 11;
        let setup = BigC::sample(&settings, players, u64::from(number)).unwrap();
        let mut table = Table::new(Deal::deal(&setup).unwrap(), Height(0));
        let mut rng = ChaCha8Rng::from_seed([number; 32]);
        let all = usize::from(setup.pack().len());
        let mut dealt = false;
        let mut watch = |table: &Table<Deal>, seat: Seat, known: Known<'_>| {
            dealt = true;
            assert_eq!(count_cards(table.rules()), all);
            table.rules().moves(known, seat).pick(&mut rng)
        };
        play_deal(&mut table, &mut Local::new([number; 32]), &mut watch, &mut ()).unwrap();
        assert!(dealt);
        assert_eq!(count_cards(table.rules()), all);
        assert!(table.rules().recycled <= MOST_RECYCLINGS);
        if preset == Preset::Seed {
            assert!(table.rules().recycled < 3, "the bound on recycling should never be felt");
        }
    }
}

#[test]
fn leaving_loses_no_card_either() {
    for number in 0..200u8 {
        let preset = if number % 2 == 0 { Preset::Author } else { Preset::Seed };
        let hand_size = 5 + i64::from(number % 8);
        let settings = Settings { order: OrderBy::Minigame, hand_size, ..preset.settings() };
        let setup = BigC::sample(&settings, 5, 0).unwrap();
        let mut table = Table::new(Deal::deal(&setup).unwrap(), Height(0));
        let mut rng = ChaCha8Rng::from_seed([number; 32]);
        let mut dealer = Local::new([number; 32]);
        let all = usize::from(setup.pack().len());
        let mut begun = false;
        while table.outcome().is_none() {
            use dealers::Dealer as _;
            if rng.one_in(25) {
                let _ = table.gone(table.height(), Seat::round(u64::from(rng.below(5)), 5));
            }
            match table.awaiting() {
                Awaiting::Dealer => {
                    dealer.fill(&table).unwrap();
                    // Somebody may leave when the cards are already on their way.
                    if rng.one_in(10) {
                        let _ = table.gone(table.height(), Seat::round(u64::from(rng.below(5)), 5));
                    }
                    if table.awaiting() == Awaiting::Dealer {
                        dealer.fill(&table).unwrap();
                        table.dealt(table.height(), dealer.opened()).unwrap();
                        begun = true;
                    }
                }
                Awaiting::Turn(seat) => {
                    let known = Known::with(table.open(), dealer.own(seat));
                    let Some(Move::Act(action)) = table.rules().moves(known, seat).pick(&mut rng) else { panic!() };
                    table.act(table.height(), seat, &action, dealer.opened()).unwrap();
                }
                Awaiting::Choices(seats) => {
                    let mut choices = Vec::new();
                    for seat in seats.iter() {
                        let known = Known::with(table.open(), dealer.own(seat));
                        let Some(Move::Choose(choice)) = table.rules().moves(known, seat).pick(&mut rng) else {
                            panic!()
                        };
                        choices.push((seat, choice));
                    }
                    table.choose(table.height(), &choices).unwrap();
                }
                Awaiting::Over => {}
            }
            if begun {
                assert_eq!(count_cards(table.rules()), all, "deal {number}: {:?}", table.rules());
            }
        }
    }
}
