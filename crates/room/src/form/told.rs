//! The settings of a table, for people who come to it.

use games::AnyGame;
use maud::{Markup, html};
use serde_json::{Map, Value};
use table::{Described, Range};

use super::{PACES, described, words};
use crate::Room;
use page::Lang;
use page::Page;

/// The settings that people change often, and all others that were changed.
pub fn told(room: &Room, lang: Lang) -> Markup {
    let (game, terms) = (room.game(), room.terms());
    let all = described(game);
    let value = |setting: &Described| terms.settings.get(setting.name).map(plain).unwrap_or_default();
    let common = words::common(game).iter().filter_map(|name| all.iter().find(|setting| setting.name == *name));
    let other =
        all.iter().filter(|setting| !words::common(game).contains(&setting.name) && value(setting) != setting.default);
    let about =
        |setting: &Described| games::with_game!(game, G => <G as Page>::setting(setting.name, setting.about, lang));
    let pace =
        PACES.iter().find(|(millis, _)| *millis == terms.pace).map(|(_, [english, german])| lang.pick(english, german));
    html! {
        dl class="terms" {
            @for setting in common.chain(other).filter(|setting| words::applies(game, setting.name, &terms.settings)) {
                div { dt { (about(setting)) } dd { (shown(&value(setting), &setting.range, lang)) } }
            }
            @if let Some(pace) = pace {
                div { dt { (words::pace(lang)) } dd { (pace) } }
            }
            div { dt { (words::hints(lang)) } dd { (words::hints_for(terms.hints, lang)) } }
        }
    }
}

/// All settings of a game, hidden: the page of a private table shows those that were changed, with their values.
pub fn labels(game: AnyGame, lang: Lang) -> Markup {
    let about =
        |setting: &Described| games::with_game!(game, G => <G as Page>::setting(setting.name, setting.about, lang));
    let words = |range: &Range| -> Value {
        let words: Vec<&'static str> = match range {
            Range::Flag => vec!["true", "false"],
            Range::Words(all) => all.clone(),
            Range::Whole { .. } | Range::Numbers { .. } => Vec::new(),
        };
        words
            .into_iter()
            .map(|word| (word.to_owned(), Value::from(shown(word, range, lang))))
            .collect::<Map<_, _>>()
            .into()
    };
    html! {
        dl class="terms" hidden {
            @for setting in described(game) {
                div data-setting=(setting.name) data-words=(words(&setting.range)) hidden { dt { (about(&setting)) } dd {} }
            }
        }
    }
}

/// A value as people would type it.
fn plain(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::Array(numbers) if numbers.is_empty() => "none".to_owned(),
        Value::String(word) => word.clone(),
        Value::Array(numbers) => numbers.iter().map(plain).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

/// A value in words.
pub(super) fn shown(value: &str, range: &Range, lang: Lang) -> String {
    let yes_or_no = |yes: bool| if yes { lang.pick("yes", "ja") } else { lang.pick("no", "nein") };
    match range {
        Range::Flag => yes_or_no(value == "true").to_owned(),
        Range::Words(all) => {
            all.iter().find(|word| **word == value).map_or(value, |known| words::word(known, lang)).to_owned()
        }
        Range::Numbers { .. } if value == "none" => "–".to_owned(),
        Range::Numbers { .. } | Range::Whole { .. } => value.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use table::{Game, Settings as _};

    use super::*;

    /// The stored defaults must read as the form shows them; otherwise everything would seem to be changed.
    #[test]
    fn unchanged_settings_are_shown_as_defaults() {
        for game in AnyGame::ALL {
            games::with_game!(*game, G => {
                let settings = serde_json::to_value(<G as Game>::Settings::default()).unwrap();
                for setting in <G as Game>::Settings::described() {
                    let value = settings.get(setting.name).map(plain).unwrap_or_default();
                    assert_eq!(value, setting.default, "{}: {}", game.name(), setting.name);
                }
            });
        }
    }

    #[test]
    fn settings_without_effect_are_not_listed() {
        let listed = |game: AnyGame, changed: &[(&str, Value)]| -> Vec<&'static str> {
            let mut settings =
                games::with_game!(game, G => serde_json::to_value(<G as Game>::Settings::default()).unwrap());
            changed.iter().for_each(|(name, value)| settings[*name] = value.clone());
            let all = described(game).into_iter().map(|setting| setting.name);
            all.filter(|name| words::applies(game, name, &settings)).collect()
        };
        for (mode, end) in [("target", "target"), ("knockout", "target"), ("rounds", "rounds")] {
            let listed = listed(AnyGame::Romme, &[("mode", mode.into())]);
            let ends: Vec<_> = listed.into_iter().filter(|name| ["target", "rounds"].contains(name)).collect();
            assert_eq!(ends, [end], "{mode}");
        }
        let ring = listed(AnyGame::Holdem, &[("ring", true.into())]);
        assert!(ring.contains(&"buy_in_max") && !ring.contains(&"blind_every") && !ring.contains(&"blind_factor"));
        let fixed = listed(AnyGame::Holdem, &[("blind_every", 0.into())]);
        assert!(fixed.contains(&"blind_every") && !fixed.contains(&"blind_factor") && !fixed.contains(&"buy_in_max"));
        assert!(!listed(AnyGame::Ongdu, &[]).contains(&"action_timeout"), "it has its own time limit");
    }

    #[test]
    fn values_are_shown_in_words() {
        assert_eq!(shown("true", &Range::Flag, Lang::De), "ja");
        assert_eq!(shown("knockout", &Range::Words(vec!["target", "knockout"]), Lang::En), "when one player is left");
        assert_eq!(plain(&serde_json::json!([1, 2])), "1,2");
    }
}
