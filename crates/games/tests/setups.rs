//! Setups come from files: whatever they say is refused or can be played.

use games::AnyGame;
use table::{Game, Rules, Settings as _};

/// Why the sample of a game is refused with another number for its first deck.
fn refusal<G: Game>(first_deck: u32) -> Result<(), Box<dyn core::error::Error>> {
    let setup = G::sample(&G::Settings::default(), *G::PLAYERS.end(), 0)?;
    let mut setup = serde_json::to_value(setup)?;
    *setup.get_mut("first_deck").ok_or("every setup numbers its decks")? = first_deck.into();
    G::Rules::deal(&serde_json::from_value(setup)?)?;
    Ok(())
}

#[test]
fn decks_are_numbered_from_where_there_are_numbers_left() {
    for game in AnyGame::ALL {
        let refusal = |first_deck| games::with_game!(*game, G => refusal::<G>(first_deck)).map_err(|e| e.to_string());
        for first_deck in [u32::MAX, u32::MAX - 1, u32::MAX / 2 + 1] {
            let expected = "first_deck must be from 0 to 2147483647".to_owned();
            assert_eq!(refusal(first_deck), Err(expected), "{}", game.name());
        }
        assert_eq!(refusal(u32::MAX / 2), Ok(()), "{}", game.name());
    }
}

#[test]
fn settings_out_of_range_are_refused_by_name() {
    fn check<G: Game>() {
        for setting in G::Settings::described() {
            let table::Range::Whole { least, most, or_zero } = setting.range else { continue };
            for value in [least - 1, most + 1].into_iter().filter(|value| !(or_zero && *value == 0)) {
                let bad = table::BadSetting::new(setting.name, setting.range.to_string());
                let set = G::Settings::default().set(setting.name, &value.to_string());
                assert_eq!(set, Err(table::SetError::Bad(bad)));
            }
        }
    }
    AnyGame::ALL.iter().for_each(|game| games::with_game!(*game, G => check::<G>()));
}
