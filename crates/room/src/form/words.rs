//! The labels of settings and their values.

use games::AnyGame;
use table::Range;

use crate::Hints;
use page::Lang;

/// The allowed values.
pub(super) fn must_be(range: &Range, lang: Lang) -> String {
    match (range, lang) {
        (Range::Whole { least, most, or_zero: true }, Lang::En) if *least > 1 => {
            format!("0, or from {least} to {most}")
        }
        (Range::Whole { least, most, or_zero: true }, Lang::De) if *least > 1 => {
            format!("0 oder von {least} bis {most}")
        }
        (Range::Whole { least, most, or_zero }, lang) => {
            let least = if *or_zero { 0 } else { *least };
            format!("{} {least} {} {most}", lang.pick("from", "von"), lang.pick("to", "bis"))
        }
        (Range::Flag, lang) => lang.pick("yes or no", "ja oder nein").to_owned(),
        (Range::Words(words), lang) => {
            let words: Vec<&str> = words.iter().map(|text| word(text, lang)).collect();
            words.join(lang.pick(" or ", " oder "))
        }
        (Range::Numbers { least, most }, Lang::En) => {
            format!("numbers from {least} to {most}, separated by commas")
        }
        (Range::Numbers { least, most }, Lang::De) => format!("Zahlen von {least} bis {most}, durch Kommas getrennt"),
    }
}

/// The values that go together with the other settings. The rules say it in English, in a few phrases.
pub(super) fn together(expected: &str, lang: Lang) -> String {
    // Longer ones first: they contain others.
    const PHRASES: [(&str, &str); 17] = [
        ("less than the big blind", "weniger als der Big Blind"),
        ("a fifth of the chips", "ein Fünftel der Chips"),
        ("the big blind", "der Big Blind"),
        ("the largest buy-in", "das größte Buy-in"),
        ("a buy-in ", "ein Buy-in "),
        ("the largest bet", "der größte Einsatz"),
        ("the starting chips", "die Startchips"),
        ("half the shoe", "der halbe Schlitten"),
        ("the largest round", "die größte Runde"),
        ("rounds ", "Runden "),
        (", not ", ", nicht "),
        (" players", " Spielern"),
        (" decks", " Blättern"),
        (" and ", " und "),
        (" with ", " bei "),
        ("from ", "von "),
        (" to ", " bis "),
    ];
    match lang {
        Lang::En => expected.to_owned(),
        Lang::De => PHRASES.iter().fold(expected.to_owned(), |text, (english, german)| text.replace(english, german)),
    }
}

/// A word that a setting can have. An unknown word is shown as it is.
pub(super) fn word(word: &'static str, lang: Lang) -> &'static str {
    match word {
        "default_actions" => lang.pick("nobody: the safest move is made", "niemand: der sicherste Zug wird gemacht"),
        "bot" => lang.pick("a computer", "ein Computer"),
        "minigame" => lang.pick("by a minigame", "durch ein Minispiel"),
        "random" => lang.pick("at random", "zufällig"),
        "seed" => lang.pick("the original rules", "die ursprünglichen Regeln"),
        "author" => lang.pick("the author's current rules", "die heutigen Regeln des Erfinders"),
        "stand" => lang.pick("it stands", "sie bleibt"),
        "hit" => lang.pick("it hits", "sie zieht"),
        "each" => lang.pick("every player", "alle einzeln"),
        "big_blind" => lang.pick("the big blind, for all", "der Big Blind für alle"),
        "tda" => lang.pick("after a full raise (TDA)", "nach einer vollen Erhöhung (TDA)"),
        "any" => lang.pick("after any raise", "nach jeder Erhöhung"),
        "free" => lang.pick("everybody", "alle"),
        "after_opening" => lang.pick("players who have opened", "wer schon ausgelegt hat"),
        "target" => lang.pick("at a number of points", "bei einer Punktzahl"),
        "rounds" => lang.pick("after a number of rounds", "nach einer Anzahl von Runden"),
        "knockout" => lang.pick("when one player is left", "wenn nur noch einer übrig ist"),
        other => other,
    }
}

/// The label of the table's pace.
pub(super) const fn pace(lang: Lang) -> &'static str {
    lang.pick(
        "How fast computers play, and how long a finished trick or round stays on the table.",
        "Wie schnell die Computer spielen und wie lange ein fertiger Stich oder eine fertige Runde liegen bleibt.",
    )
}

/// The label of the setting about hints.
pub(super) const fn hints(lang: Lang) -> &'static str {
    lang.pick("Who may ask for hints.", "Wer sich Tipps holen darf.")
}

/// Its values.
pub(super) const fn hints_for(hints: Hints, lang: Lang) -> &'static str {
    match hints {
        Hints::Alone => lang.pick("players who are alone with computers", "wer allein mit Computern spielt"),
        Hints::On => lang.pick("everybody, and the others see it", "alle, und die anderen sehen es"),
        Hints::Off => lang.pick("nobody", "niemand"),
    }
}

/// Settings that people change often, in the order in which they are shown.
pub(super) const fn common(game: AnyGame) -> &'static [&'static str] {
    match game {
        AnyGame::Holdem => &["starting_chips", "small_blind", "big_blind", "blind_every", "action_timeout"],
        AnyGame::Blackjack => &["rounds", "starting_chips", "min_bet", "max_bet", "action_timeout"],
        AnyGame::Romme => &["mode", "target", "rounds", "first_meld", "action_timeout"],
        AnyGame::BigC => &["hand_size", "deals", "preset", "action_timeout"],
        AnyGame::Ongdu => &["starting_cash", "point_value", "max_rounds", "arrange_timeout"],
        AnyGame::Blackout => &["start", "max", "end", "hook", "action_timeout"],
    }
}

/// Settings that all games share, but that this game does not use.
pub(super) const fn idle(game: AnyGame) -> &'static [&'static str] {
    match game {
        // It has its own time limit.
        AnyGame::Ongdu => &["action_timeout"],
        AnyGame::Holdem | AnyGame::Blackjack | AnyGame::Romme | AnyGame::BigC | AnyGame::Blackout => &[],
    }
}

/// Whether a setting has any effect in a match with these settings.
pub(super) fn applies(game: AnyGame, name: &str, settings: &serde_json::Value) -> bool {
    let (word, number) = (|of: &str| settings.get(of)?.as_str(), |of: &str| settings.get(of)?.as_i64());
    let ring = settings.get("ring").and_then(serde_json::Value::as_bool) == Some(true);
    !idle(game).contains(&name)
        && match (game, name) {
            (AnyGame::Romme, "target") => word("mode") != Some("rounds"),
            (AnyGame::Romme, "rounds") => word("mode") == Some("rounds"),
            (AnyGame::Holdem, "blind_every") => !ring,
            (AnyGame::Holdem, "blind_factor") => !ring && number("blind_every") != Some(0),
            (AnyGame::Holdem, "ante_by") => number("ante") != Some(0),
            (AnyGame::Holdem, "buy_in_min" | "buy_in_max") => ring,
            _ => true,
        }
}

/// When the house publishes its seeds: the label, what it proves and what it shows. `closed` says whether the game
/// keeps cards face down for good.
pub(super) const fn reveal(name: &str, closed: bool, lang: Lang) -> (&'static str, &'static str) {
    match (name.as_bytes(), closed) {
        (b"after_deal", true) => (
            lang.pick("After each deal", "Nach jedem Spiel"),
            lang.pick(
                "Proves that everybody's seeds decided the order of all cards. After each deal it also shows cards \
                 that this game keeps face down, such as folded hands.",
                "Beweist, dass die Startwerte aller die Reihenfolge der Karten bestimmt haben. Zeigt nach \
                 jedem Spiel auch Karten, die sonst verdeckt bleiben, etwa weggeworfene Hände.",
            ),
        ),
        (b"after_match", true) => (
            lang.pick("After the match", "Nach der Partie"),
            lang.pick(
                "Proves the same, but only at the end. Shows face-down cards when nobody can use them any more.",
                "Beweist dasselbe, aber erst am Ende. Zeigt verdeckte Karten erst, wenn sie niemandem mehr nützen.",
            ),
        ),
        (b"after_deal", false) => (
            lang.pick("After each deal", "Nach jedem Spiel"),
            lang.pick(
                "Proves that everybody's seeds decided the order of all cards. Shows the whole deck when it is \
                 used up.",
                "Beweist, dass die Startwerte aller die Reihenfolge der Karten bestimmt haben. Zeigt das \
                 ganze Kartenspiel, wenn es aufgebraucht ist.",
            ),
        ),
        (b"after_match", false) => (
            lang.pick("After the match", "Nach der Partie"),
            lang.pick(
                "Proves the same, but only at the end. Until then only cards that were played are shown.",
                "Beweist dasselbe, aber erst am Ende. Bis dahin sind nur gespielte Karten zu sehen.",
            ),
        ),
        (_, true) => (
            lang.pick("The game's default", "Wie bei diesem Spiel üblich"),
            lang.pick(
                "Proves that every card shown was fixed before the deal. Face-down cards are never shown, so \
                 it is not proven that the order came from everybody's seeds.",
                "Beweist, dass jede aufgedeckte Karte vor dem Geben feststand. Verdeckte Karten bleiben für immer \
                 verdeckt, also ist nicht bewiesen, dass die Reihenfolge aus den Startwerten aller entstand.",
            ),
        ),
        (_, false) => (
            lang.pick("The game's default", "Wie bei diesem Spiel üblich"),
            lang.pick(
                "Here that is after each deal: proves the order of all cards, and shows nothing that this game keeps \
                 face down.",
                "Hier also nach jedem Spiel: beweist die Reihenfolge aller Karten und zeigt nichts, was dieses Spiel \
                 verdeckt lässt.",
            ),
        ),
    }
}
