//! Checks before anything gets into a table: versions of rules, settings, texts, digits.

use dealers::house::RevealSeed;
use games::AnyGame;
use table::record::unhex;
use table::{BadSetting, Game as _, Settings as _};

use super::Refusal;

/// The games this program plays, with the versions of their rules.
pub fn rules() -> impl Iterator<Item = (&'static str, i64)> {
    AnyGame::ALL.iter().map(|game| (game.name(), games::with_game!(*game, G => i64::from(G::VERSION))))
}

/// Whether a table of this game, under this version of its rules, can continue here.
pub fn knows(game: &str, version: i64) -> bool {
    rules().any(|known| known == (game, version))
}

/// Checks the settings of a match.
pub fn check_settings(game: AnyGame, settings: &serde_json::Value, players: u8) -> Result<(), BadSetting> {
    games::with_game!(game, G => {
        let settings: <G as table::Game>::Settings = serde_json::from_value(settings.clone())
            .map_err(|why| BadSetting::new("settings", why.to_string()))?;
        settings.check_ranges()?;
        G::check_players(players)?;
        table::Match::<G>::start(&settings, players).map(drop)
    })
}

/// When the house publishes its seeds, by name.
pub fn reveal_seed(name: &str) -> Option<RevealSeed> {
    match name {
        "auto" => Some(RevealSeed::Auto),
        "after_deal" => Some(RevealSeed::AfterDeal),
        "after_match" => Some(RevealSeed::AfterMatch),
        _ => None,
    }
}

/// A text of 1 to `most` characters that has something visible and nothing hidden.
pub fn check_text(text: &str, most: usize) -> Result<(), Refusal> {
    let seen = |c: char| !c.is_whitespace() && !is_blank(c) && !is_variation(c);
    let allowed = |c: char| !c.is_control() && !is_hidden(c);
    if text.chars().any(seen) && text.chars().count() <= most && text.chars().all(allowed) {
        return Ok(());
    }
    Err(Refusal::Text { most })
}

/// Characters that take no space or change the direction of others: those that Unicode allows to be ignored, except
/// variation selectors.
const fn is_hidden(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e00ff}' | '\u{e01f0}'..='\u{e0fff}')
}

/// A variation selector: changes how the character before it is drawn (a coloured heart, a variant of a character in a
/// name). On its own it shows nothing.
const fn is_variation(c: char) -> bool {
    matches!(c, '\u{180b}'..='\u{180d}' | '\u{180f}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

/// A blank that does not count as white space: Braille without dots.
const fn is_blank(c: char) -> bool {
    matches!(c, '\u{2800}')
}

/// 64 hexadecimal digits.
pub(super) fn digits(text: &str) -> Result<[u8; 32], Refusal> {
    unhex(text).and_then(|bytes| bytes.try_into().ok()).ok_or(Refusal::NotHex)
}
