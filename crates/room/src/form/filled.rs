//! The contents of the form, and what is wrong with them.

use std::collections::BTreeMap;

use bots::Kind;
use games::AnyGame;
use table::{BadSetting, Game, Match, Range, Seat, SetError, Settings, Value as _};

use super::{DEFAULT_PACE, PACES, described, usual_players, words};
use crate::{Hints, reveal_seed};
use page::Lang;

/// Prefix of the names of settings in the form, so that none is mistaken for another field.
pub(super) const SETTING: &str = "set.";
/// Prefix of the numbers of seats.
pub(super) const SEAT: &str = "seat.";

/// The setting that limits the time for a move.
const TIMEOUT: &str = "action_timeout";

/// A filled-in form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Filled {
    /// The game.
    pub game: AnyGame,
    /// The number of seats.
    pub players: u8,
    /// Whether the table is shown in the lobby.
    pub listed: bool,
    /// When seeds are published.
    pub reveal: String,
    /// How long computers think.
    pub pace: u32,
    /// Who may ask for hints.
    pub hints: Hints,
    /// How well all computers play, at a table for one person.
    pub level: Kind,
    /// Settings of the game as they were typed, by name. Settings that were not typed are missing.
    typed: BTreeMap<String, String>,
    /// Computers, by seat.
    seats: BTreeMap<u8, Kind>,
}

/// The errors, by field.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Wrong(BTreeMap<&'static str, String>);

impl Wrong {
    /// What is wrong with a field.
    pub fn get(&self, field: &str) -> Option<&str> {
        self.0.get(field).map(String::as_str)
    }

    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The errors of fields other than these: they must be shown somewhere.
    pub fn beside<'a>(&'a self, fields: &'a [&str]) -> impl Iterator<Item = (&'static str, &'a str)> {
        let all = self.0.iter().map(|(field, why)| (*field, why.as_str()));
        all.filter(|(field, _)| !fields.contains(field))
    }
}

impl Filled {
    /// The form before anybody has touched it.
    pub fn new(game: AnyGame) -> Self {
        Self {
            game,
            players: usual_players(game),
            listed: false,
            reveal: "auto".to_owned(),
            pace: DEFAULT_PACE,
            hints: Hints::default(),
            level: Kind::Normal,
            typed: BTreeMap::new(),
            seats: BTreeMap::new(),
        }
    }

    /// The same for a table for one person, who plays against computers and may take their time.
    pub fn alone(game: AnyGame) -> Self {
        let mut filled = Self::new(game);
        if described(game).iter().any(|setting| setting.name == TIMEOUT) {
            filled.typed.insert(TIMEOUT.to_owned(), "0".to_owned());
        }
        filled
    }

    /// The form a browser sent; `None` if it names no game. If a field has several values, the last one counts;
    /// invalid values for fields that only offer choices are ignored.
    pub fn read(fields: &[(String, String)]) -> Option<Self> {
        let get = |name: &str| fields.iter().rev().find(|(field, _)| field == name).map(|(_, value)| value.trim());
        let mut filled = Self::new(AnyGame::from_name(get("game")?)?);
        if let Some(players) = get("players") {
            // A text that is not a number is out of every range.
            filled.players = players.parse().unwrap_or(0);
        }
        filled.listed = get("listed") == Some("yes");
        if let Some(reveal) = get("reveal").filter(|reveal| reveal_seed(reveal).is_some()) {
            filled.reveal = reveal.to_owned();
        }
        let pace = get("pace").and_then(|pace| pace.parse().ok());
        if let Some((pace, _)) = PACES.into_iter().find(|(known, _)| Some(*known) == pace) {
            filled.pace = pace;
        }
        if let Some(hints) = get("hints").and_then(Hints::from_name) {
            filled.hints = hints;
        }
        if let Some(level) = get("level").and_then(Kind::parse) {
            filled.level = level;
        }
        for setting in described(filled.game) {
            if let Some(typed) = get(&format!("{SETTING}{}", setting.name)) {
                filled.typed.insert(setting.name.to_owned(), typed.to_owned());
            }
        }
        for seat in 1..filled.players {
            if let Some(kind) = get(&format!("{SEAT}{seat}")).and_then(Kind::parse) {
                filled.seats.insert(seat, kind);
            }
        }
        Some(filled)
    }

    /// The text in a setting's field.
    pub fn typed(&self, name: &str) -> Option<&str> {
        self.typed.get(name).map(String::as_str)
    }

    /// The computer in a seat.
    pub fn computer(&self, seat: u8) -> Option<Kind> {
        self.seats.get(&seat).copied()
    }

    /// All of them.
    pub fn computers(&self) -> impl Iterator<Item = (Seat, Kind)> {
        self.seats.iter().filter_map(|(seat, kind)| Seat::new(*seat).map(|seat| (seat, *kind)))
    }

    /// The settings of the game.
    ///
    /// # Errors
    /// Says what is wrong, by field.
    pub fn check(&self, lang: Lang) -> Result<serde_json::Value, Wrong> {
        games::with_game!(self.game, G => self.check_as::<G>(lang))
    }

    /// The settings that were changed, as they were typed.
    pub fn changed(&self) -> Vec<(&'static str, &str)> {
        let typed = described(self.game).into_iter().filter_map(|setting| {
            let typed = self.typed(setting.name)?;
            let usual = typed == setting.default
                || typed.is_empty() && (setting.follows.is_some() || setting.default == "none");
            (!usual).then_some((setting.name, typed))
        });
        typed.collect()
    }

    fn check_as<G: Game>(&self, lang: Lang) -> Result<serde_json::Value, Wrong> {
        let mut wrong = Wrong::default();
        let mut settings = G::Settings::default();
        for setting in G::Settings::described() {
            let Some(typed) = self.typed(setting.name) else { continue };
            // An empty field of a setting that follows a preset leaves it to the preset.
            if typed.is_empty() && setting.follows.is_some() {
                continue;
            }
            match settings.set(setting.name, typed) {
                Ok(()) => {}
                Err(SetError::Bad(_) | SetError::Unknown(_)) => {
                    wrong.0.insert(setting.name, words::must_be(&setting.range, lang));
                }
            }
        }
        if let Err(BadSetting { field, .. }) = G::check_players(self.players) {
            let (least, most) = (*G::PLAYERS.start(), *G::PLAYERS.end());
            wrong.0.insert(field, words::must_be(&Range::whole(least.into(), most.into()), lang));
        }
        if !wrong.is_empty() {
            return Err(wrong);
        }
        // Each one is valid; do they go together?
        if let Err(BadSetting { field, expected }) = Match::<G>::start(&settings, self.players) {
            wrong.0.insert(field, words::together(&expected, lang));
            return Err(wrong);
        }
        serde_json::to_value(&settings).map_err(|_| wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(fields: &[(&str, &str)]) -> Option<Filled> {
        let fields: Vec<_> = fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Filled::read(&fields)
    }

    #[test]
    fn the_defaults_of_every_game_go_together_with_every_number_of_players() {
        for game in AnyGame::ALL {
            let range = games::with_game!(*game, G => G::PLAYERS);
            for players in range {
                let filled = Filled { players, ..Filled::new(*game) };
                assert!(filled.check(Lang::En).is_ok(), "{} with {players}", game.name());
            }
        }
    }

    #[test]
    fn nonsense_is_named_at_its_field() {
        let filled = read(&[
            ("game", "holdem"),
            ("players", "99"),
            ("set.small_blind", "x"),
            ("set.action_timeout", "5"),
            ("set.ring", "maybe"),
        ]);
        let wrong = filled.unwrap().check(Lang::En).unwrap_err();
        for field in ["players", "small_blind", "action_timeout", "ring"] {
            assert!(wrong.get(field).is_some(), "{field}: {wrong:?}");
        }
        assert_eq!(wrong.get("action_timeout"), Some("0, or from 10 to 300"));
        assert_eq!(wrong.get("big_blind"), None);
    }

    #[test]
    fn settings_that_do_not_go_together_are_named() {
        let filled = read(&[("game", "holdem"), ("set.small_blind", "50"), ("set.big_blind", "20")]).unwrap();
        let wrong = |lang| filled.check(lang).unwrap_err().get("small_blind").unwrap().to_owned();
        assert_eq!(wrong(Lang::En), "from 1 to 19, less than the big blind");
        assert_eq!(wrong(Lang::De), "von 1 bis 19, weniger als der Big Blind");
    }

    #[test]
    fn conflicting_settings_are_explained_in_german() {
        let clashes: [(&str, &[(&str, &str)]); 12] = [
            ("big_blind", &[("game", "holdem"), ("set.big_blind", "5000")]),
            ("ante", &[("game", "holdem"), ("set.ante", "500")]),
            ("buy_in_min", &[("game", "holdem"), ("set.ring", "true"), ("set.buy_in_min", "500")]),
            ("starting_chips", &[("game", "holdem"), ("set.ring", "true"), ("set.starting_chips", "100000")]),
            ("min_bet", &[("game", "blackjack"), ("set.min_bet", "60"), ("set.max_bet", "50")]),
            ("max_bet", &[("game", "blackjack"), ("set.starting_chips", "100"), ("set.max_bet", "500")]),
            ("reshuffle_below", &[("game", "blackjack"), ("set.decks", "1"), ("set.reshuffle_below", "70")]),
            ("hand_size", &[("game", "bigc"), ("players", "12"), ("set.decks", "2"), ("set.hand_size", "20")]),
            ("max", &[("game", "blackout"), ("players", "7"), ("set.max", "20")]),
            ("start", &[("game", "blackout"), ("set.max", "3"), ("set.start", "5")]),
            ("end", &[("game", "blackout"), ("set.max", "3"), ("set.end", "5")]),
            ("no_trump_rounds", &[("game", "blackout"), ("set.max", "2"), ("set.no_trump_rounds", "50")]),
        ];
        for (field, fields) in clashes {
            let wrong = read(fields).unwrap().check(Lang::De).unwrap_err();
            let said = wrong.get(field).unwrap_or_else(|| panic!("{field}: {wrong:?}"));
            assert!(said.contains("von ") && said.contains(" bis "), "{said}");
            let english = ["from", "to", "the", "of", "with", "and", "not", "players", "decks", "than", "a", "rounds"];
            let left = said.split(|c: char| !c.is_alphabetic()).find(|word| english.contains(word));
            assert_eq!(left, None, "{said}");
        }
    }

    #[test]
    fn a_field_that_is_left_empty_follows_the_preset() {
        let settings = |fields: &[(&str, &str)]| {
            let all = [&[("game", "bigc"), ("set.preset", "author")][..], fields].concat();
            let settings = read(&all).unwrap().check(Lang::En).unwrap();
            ["pass_draws", "last_chance", "order"].map(|name| settings[name].to_string())
        };
        let empty = [("set.pass_draws", ""), ("set.last_chance", ""), ("set.order", "")];
        assert_eq!(settings(&empty), ["1", "true", "\"random\""]);
        let set = [("set.pass_draws", "0"), ("set.last_chance", "false"), ("set.order", "minigame")];
        assert_eq!(settings(&set), ["0", "false", "\"minigame\""]);
        // A field that follows nothing must be filled in.
        let filled = read(&[("game", "bigc"), ("set.hand_size", "")]).unwrap();
        assert!(filled.check(Lang::En).unwrap_err().get("hand_size").is_some());
    }

    #[test]
    fn only_what_was_changed_is_passed_on() {
        for game in AnyGame::ALL {
            let usual = described(*game).into_iter().map(|setting| {
                let empty = setting.follows.is_some() || setting.default == "none";
                (format!("{SETTING}{}", setting.name), if empty { String::new() } else { setting.default })
            });
            let mut fields: Vec<_> = [("game".to_owned(), game.name().to_owned())].into_iter().chain(usual).collect();
            let filled = Filled::read(&fields).unwrap();
            assert_eq!((filled.check(Lang::En).is_ok(), filled.changed()), (true, vec![]), "{}", game.name());
            fields.push((format!("{SETTING}bot_takeover"), "bot".to_owned()));
            let changed = Filled::read(&fields).unwrap();
            assert!(changed.changed().len() <= 1, "{:?}", changed.changed());
        }
        let filled = read(&[("game", "holdem"), ("set.small_blind", "7"), ("set.big_blind", "20")]).unwrap();
        assert_eq!(filled.changed(), [("small_blind", "7")]);
    }

    #[test]
    fn the_last_value_of_a_field_counts() {
        let filled = read(&[("game", "blackout"), ("set.hook", "false"), ("set.hook", "true"), ("seat.1", "hard")]);
        let filled = filled.unwrap();
        assert_eq!(filled.check(Lang::En).unwrap().get("hook"), Some(&true.into()));
        assert_eq!(filled.computers().count(), 1);
        assert!(read(&[("game", "chess")]).is_none());
    }
}
