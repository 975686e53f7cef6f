//! What can be played: interrupted matches, told so that no two look the same, and the games.

use games::AnyGame;

use crate::play::saved::Unfinished;
use crate::text::{counted, grouped_signed, listed};

/// Something that can be chosen.
pub(super) enum Offer<'a> {
    /// A match that was interrupted.
    Match(&'a Unfinished),
    /// A new match of this game.
    Game(AnyGame),
}

/// How an offer is described.
pub(super) struct Told {
    /// Above it, where a part of the list begins.
    pub(super) heading: Option<&'static str>,
    /// Its name.
    pub(super) title: String,
    /// What else there is to know.
    pub(super) about: String,
}

/// Everything that can be played, the match played last first.
pub(super) fn all(unfinished: &[Unfinished], now: u64) -> Vec<(Offer<'_>, Told)> {
    let headed = |heading, n: usize| (n == 0).then_some(heading);
    let matches = unfinished.iter().enumerate().map(|(n, one)| {
        let game = AnyGame::from_name(&one.header.game);
        let game = game.map_or_else(|| one.header.game.clone(), |game| title(game).to_owned());
        let title = format!("{game}, deal {}", one.deals.max(1));
        let about = format!("{}. Played {}. ({})", standings(one), ago(now.saturating_sub(one.last)), one.id);
        (Offer::Match(one), Told { heading: headed("Continue", n), title, about })
    });
    let games = AnyGame::ALL.iter().enumerate().map(|(n, game)| {
        let (least, most) = players(*game);
        let about = format!("{} {least} to {most} players.", about(*game));
        (Offer::Game(*game), Told { heading: headed("New match", n), title: title(*game).to_owned(), about })
    });
    matches.chain(games).collect()
}

/// Who plays and how they stand: "You 1,240, Ada 960 and Blaise 800 chips".
fn standings(one: &Unfinished) -> String {
    let names = &one.header.names;
    match &one.total {
        Some(total) if total.len() == names.len() => {
            let each = names.iter().zip(total).map(|(name, total)| format!("{name} {}", grouped_signed(*total)));
            format!("{} {}", listed(&each.collect::<Vec<_>>()), counts(&one.header.game))
        }
        _ => format!("{}, still in the first deal", listed(names)),
    }
}

/// A time in the past, as people say it.
fn ago(seconds: u64) -> String {
    match seconds {
        0..60 => "just now".to_owned(),
        60..3600 => format!("{} ago", counted(seconds / 60, "minute")),
        3600..86_400 => format!("{} ago", counted(seconds / 3600, "hour")),
        _ => format!("{} ago", counted(seconds / 86_400, "day")),
    }
}

/// The title of a game.
pub(super) fn title(game: AnyGame) -> &'static str {
    games::with_game!(game, G => <G as table::Game>::TITLE)
}

fn about(game: AnyGame) -> &'static str {
    games::with_game!(game, G => <G as table::Game>::ABOUT)
}

/// The least and the most that can play.
pub(super) fn players(game: AnyGame) -> (u8, u8) {
    games::with_game!(game, G => (*<G as table::Game>::PLAYERS.start(), *<G as table::Game>::PLAYERS.end()))
}

fn counts(game: &str) -> &'static str {
    let game = AnyGame::from_name(game);
    game.map_or("", |game| games::with_game!(game, G => <G as crate::play::screen::Screen>::COUNTS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::saved::header_of;

    fn unfinished(id: &str, deals: usize, total: Option<Vec<i64>>, last: u64) -> Unfinished {
        let header =
            r#"{"fairdeal":{"format":1,"game":"holdem","players":3,"dealer":"local","names":["You","Ada","Kurt"]}}"#;
        Unfinished { id: id.to_owned(), header: header_of(header).unwrap(), deals, total, last }
    }

    #[test]
    fn matches_are_told_apart_by_opponents_deal_standings_and_time() {
        let saved =
            [unfinished("holdem-2", 7, Some(vec![1240, 960, 800]), 9_000), unfinished("holdem-1", 1, None, 1_000)];
        let offers = all(&saved, 9_300);
        let told: Vec<(&str, &str)> = offers.iter().map(|(_, told)| (&*told.title, &*told.about)).collect();
        let first = "You 1,240, Ada 960 and Kurt 800 chips. Played 5 minutes ago. (holdem-2)";
        assert_eq!(told[0], ("Texas Hold'em, deal 7", first));
        let second = "You, Ada and Kurt, still in the first deal. Played 2 hours ago. (holdem-1)";
        assert_eq!(told[1], ("Texas Hold'em, deal 1", second));
        assert_eq!(told.len(), 2 + AnyGame::ALL.len());
    }

    #[test]
    fn times_are_told_as_people_say_them() {
        assert_eq!(
            [0, 60, 7200, 86_400, 900_000].map(ago),
            ["just now", "1 minute ago", "2 hours ago", "1 day ago", "10 days ago"]
        );
    }
}
