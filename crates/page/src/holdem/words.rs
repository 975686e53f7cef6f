//! Hold'em in words, in both languages.

use ::table::{Chips, Seat};
use bots::holdem::Why;
use cards::{Card, Category, Rank, best_five, describe, describe_in_sentence, rank_cards};
use games::holdem::{Action, Did, Holdem, Illegal, NoRaise, Street, View};

use crate::Lang;
use crate::{Scene, card_text};

/// A round of betting.
pub(super) const fn street(street: Street, lang: Lang) -> &'static str {
    match street {
        Street::Preflop => lang.pick("before the flop", "vor dem Flop"),
        Street::Flop => "Flop",
        Street::Turn => "Turn",
        Street::River => "River",
    }
}

/// The main pot, the only side pot, or one of several, with its chips: two numbers side by side would read as one.
pub(super) fn pot(view: &View, n: usize, lang: Lang) -> String {
    let amount = view.pots.get(n).map_or(Chips::ZERO, |pot| pot.amount);
    let side = lang.pick("side pot", "Nebenpot");
    match (n, view.pots.len()) {
        (0, _) => format!("{} {amount}", lang.pick("main pot", "Hauptpot")),
        (_, 2) => format!("{side} {amount}"),
        _ => format!("{side} {n} ({amount})"),
    }
}

/// What a player did last.
pub(super) const fn did(did: Option<Did>, lang: Lang) -> &'static str {
    match did {
        Some(Did::Check) => lang.pick("check", "schiebt"),
        Some(Did::Call) => lang.pick("call", "geht mit"),
        Some(Did::Raise) => lang.pick("raise", "erhöht"),
        Some(Did::Bet) => lang.pick("bet", "setzt"),
        Some(Did::Post) => lang.pick("blind", "Blind"),
        Some(Did::Fold | Did::Leave) | None => "",
    }
}

/// What the chips in front of the viewer are.
pub(super) const fn lies(did: Option<Did>, lang: Lang) -> &'static str {
    match did {
        Some(Did::Post) => lang.pick("blind", "Blind"),
        _ => lang.pick("bet", "gesetzt"),
    }
}

/// What a player did, as a sentence.
pub(super) fn phrase(name: &str, before: &View, seat: Seat, action: Action, lang: Lang) -> String {
    let player = before.players.get(usize::from(seat.index()));
    match (action, lang) {
        (Action::Fold, Lang::En) => format!("{name} folds"),
        (Action::Fold, Lang::De) => format!("{name} passt"),
        (Action::Check, Lang::En) => format!("{name} checks"),
        (Action::Check, Lang::De) => format!("{name} schiebt"),
        (Action::Call, _) => {
            let cost = player.map_or(Chips::ZERO, |player| player.stack.min(before.bet_to - player.bet));
            let all_in = if player.is_some_and(|player| player.stack == cost) { ", all-in" } else { "" };
            match lang {
                Lang::En => format!("{name} calls {cost}{all_in}"),
                Lang::De => format!("{name} geht mit ({cost}{all_in})"),
            }
        }
        (Action::RaiseTo(to), _) if before.bet_to == Chips::ZERO => {
            format!("{name} {} {to}", lang.pick("bets", "setzt"))
        }
        (Action::RaiseTo(to), Lang::En) => format!("{name} raises to {to}"),
        (Action::RaiseTo(to), Lang::De) => format!("{name} erhöht auf {to}"),
        (Action::AllIn, _) => {
            let all = player.map_or(Chips::ZERO, |player| player.stack + player.bet);
            match lang {
                Lang::En => format!("{name} is all-in with {all}"),
                Lang::De => format!("{name} ist all-in mit {all}"),
            }
        }
    }
}

/// What the viewer could do.
pub(super) fn suggestion(view: &View, action: Action, lang: Lang) -> String {
    match action {
        Action::Fold => lang.pick("Fold", "Passen").to_owned(),
        Action::Check => lang.pick("Check", "Schieben").to_owned(),
        Action::Call => lang.pick("Call", "Mitgehen").to_owned(),
        Action::RaiseTo(to) if view.bet_to == Chips::ZERO => format!("{} {to}", lang.pick("Bet", "Setzen:")),
        Action::RaiseTo(to) => format!("{} {to}", lang.pick("Raise to", "Erhöhen auf")),
        Action::AllIn => "All-in".to_owned(),
    }
}

/// What else has happened.
pub(super) fn news(before: &View, after: &Scene<'_, Holdem>) -> Vec<String> {
    let (view, lang) = (after.view, after.lang);
    let mut news = Vec::new();
    if let (None, Some(button)) = (before.button, view.button) {
        news.push(match lang {
            Lang::En => format!("{} has the button", after.name(button)),
            Lang::De => format!("{} hat den Button", after.name(button)),
        });
    }
    if let ("dealing", Some(posted)) = (before.phase, blinds(before, after)) {
        news.push(posted);
    }
    // When nobody can bet any more, all remaining cards are dealt at once.
    for (street, from, to) in [("Flop", 0, 3), ("Turn", 3, 4), ("River", 4, 5)] {
        if let Some(opened) = view.board.get(from..to).filter(|_| before.board.len() < to) {
            news.push(format!("{street}: {}", cards(opened, lang)));
        }
    }
    for seat in view.showing.iter().filter(|seat| !before.showing.contains(seat)) {
        let Some(player) = view.players.get(usize::from(seat.index())) else { continue };
        let shown: Vec<Card> = player.shown.iter().filter_map(|held| held.card).collect();
        news.push(format!("{} {} {}", after.name(*seat), lang.pick("shows", "zeigt"), cards(&shown, lang)));
    }
    news
}

/// The blinds that were posted before the cards, if any.
fn blinds(before: &View, after: &Scene<'_, Holdem>) -> Option<String> {
    if before.phase == after.view.phase {
        return None;
    }
    let players = (0..).map_while(Seat::new).zip(&before.players);
    let posted = players.filter(|(_, player)| player.last == Some(Did::Post) && player.bet > Chips::ZERO);
    let posted: Vec<String> = posted.map(|(seat, player)| format!("{} {}", after.name(seat), player.bet)).collect();
    (!posted.is_empty()).then(|| format!("Blinds: {}", posted.join(", ")))
}

/// The name of a hand, as after "with".
pub(super) fn with(all: &[Card], lang: Lang) -> Option<String> {
    match lang {
        Lang::En => describe_in_sentence(all).ok(),
        Lang::De => dative(all),
    }
}

fn dative(all: &[Card]) -> Option<String> {
    let rank = rank_cards(all).ok()?;
    let [first, _, third, fourth, _] = best_five(all).ok()?.map(|card| card.rank().unwrap_or(Rank::Two));
    Some(match rank.category() {
        Category::HighCard => format!("{} als höchster Karte", one(first)),
        Category::Pair => format!("einem Paar {}", of_many(first)),
        Category::TwoPair => format!("zwei Paaren, {} und {}", of_many(first), of_many(third)),
        Category::ThreeOfAKind => format!("einem Drilling, {}", many(first)),
        Category::Straight => format!("einer Straße bis {}", one(first)),
        Category::Flush => format!("einem Flush bis {}", one(first)),
        Category::FullHouse => format!("einem Full House, {} mit {}", many(first), of_many(fourth)),
        Category::FourOfAKind => format!("einem Vierling, {}", many(first)),
        Category::StraightFlush if first == Rank::Ace => "einem Royal Flush".to_owned(),
        Category::StraightFlush => format!("einem Straight Flush bis {}", one(first)),
    })
}

/// A seat's best hand, if everybody has seen its cards.
pub(super) fn hand_of(scene: &Scene<'_, Holdem>, seat: Seat) -> Option<String> {
    let player = scene.view.players.get(usize::from(seat.index()))?;
    let hole: Vec<Card> = player.shown.iter().filter_map(|held| held.card).collect();
    hand(&hole, &scene.view.board, scene.lang)
}

/// The name of a hand, from the flop on.
pub(super) fn hand(hole: &[Card], board: &[Card], lang: Lang) -> Option<String> {
    let all: Vec<Card> = hole.iter().chain(board).copied().collect();
    if hole.is_empty() || board.is_empty() {
        return None;
    }
    match lang {
        Lang::En => describe(&all).ok(),
        Lang::De => german(&all),
    }
}

fn german(all: &[Card]) -> Option<String> {
    let rank = rank_cards(all).ok()?;
    let [first, _, third, fourth, _] = best_five(all).ok()?.map(|card| card.rank().unwrap_or(Rank::Two));
    Some(match rank.category() {
        Category::HighCard => format!("höchste Karte {}", one(first)),
        Category::Pair => format!("ein Paar {}", many(first)),
        Category::TwoPair => format!("zwei Paare, {} und {}", many(first), many(third)),
        Category::ThreeOfAKind => format!("Drilling, {}", many(first)),
        Category::Straight => format!("Straße bis {}", one(first)),
        Category::Flush => format!("Flush bis {}", one(first)),
        Category::FullHouse => format!("Full House, {} mit {}", many(first), of_many(fourth)),
        Category::FourOfAKind => format!("Vierling, {}", many(first)),
        Category::StraightFlush if first == Rank::Ace => "Royal Flush".to_owned(),
        Category::StraightFlush => format!("Straight Flush bis {}", one(first)),
    })
}

/// A rank in German.
pub(super) fn one(rank: Rank) -> String {
    match rank {
        Rank::Ace => "Ass".to_owned(),
        Rank::King => "König".to_owned(),
        Rank::Queen => "Dame".to_owned(),
        Rank::Jack => "Bube".to_owned(),
        other => other.number().to_string(),
    }
}

const fn many(rank: Rank) -> &'static str {
    match rank {
        Rank::Ace => "Asse",
        Rank::King => "Könige",
        Rank::Queen => "Damen",
        Rank::Jack => "Buben",
        Rank::Ten => "Zehnen",
        Rank::Nine => "Neunen",
        Rank::Eight => "Achten",
        Rank::Seven => "Siebenen",
        Rank::Six => "Sechsen",
        Rank::Five => "Fünfen",
        Rank::Four => "Vieren",
        Rank::Three => "Dreien",
        Rank::Two => "Zweien",
    }
}

/// The same as after "mit".
const fn of_many(rank: Rank) -> &'static str {
    match rank {
        Rank::Ace => "Assen",
        Rank::King => "Königen",
        other => many(other),
    }
}

fn category(category: Category, lang: Lang) -> &'static str {
    match category {
        Category::HighCard => lang.pick("no pair", "kein Paar"),
        Category::Pair => lang.pick("a pair", "ein Paar"),
        Category::TwoPair => lang.pick("two pair", "zwei Paare"),
        Category::ThreeOfAKind => lang.pick("three of a kind", "einen Drilling"),
        Category::Straight => lang.pick("a straight", "eine Straße"),
        Category::Flush => lang.pick("a flush", "einen Flush"),
        Category::FullHouse => lang.pick("a full house", "ein Full House"),
        Category::FourOfAKind => lang.pick("four of a kind", "einen Vierling"),
        Category::StraightFlush => lang.pick("a straight flush", "einen Straight Flush"),
    }
}

/// A reason for a suggestion.
pub(super) fn reason(why: &Why, lang: Lang) -> String {
    if lang == Lang::En {
        return why.to_string();
    }
    match why {
        Why::Better { percent: 0 } => "vor dem Flop ist keine Hand besser".to_owned(),
        Why::Better { percent } => format!("{percent} % aller Hände sind vor dem Flop besser"),
        Why::Have(what) => format!("du hast {}", category(*what, lang)),
        Why::OnlyTheBoard(what) => {
            format!("du hast {}, aber das liegt auf dem Board, also haben es alle", category(*what, lang))
        }
        Why::Wins { percent } => format!("du gewinnst zu {percent} % gegen wahrscheinliche Hände"),
        Why::Price { cost, pot, percent } => {
            format!("Mitgehen kostet {cost} bei einem Pot von {pot}: dafür brauchst du {percent} %")
        }
        Why::Free => "Schieben kostet nichts".to_owned(),
        Why::Folds { percent } => format!("alle anderen passen in etwa {percent} % der Fälle"),
        Why::Short { blinds } => format!("mit {blinds} Big Blinds kannst du nicht auf eine bessere Hand warten"),
    }
}

/// Why the game refuses.
pub(super) fn refusal(why: &Illegal, lang: Lang) -> String {
    if lang == Lang::En {
        return why.to_string();
    }
    match why {
        Illegal::NotSeated => "du bist nicht in diesem Spiel".to_owned(),
        Illegal::WrongPhase => "das geht jetzt nicht".to_owned(),
        Illegal::NotYourTurn => "du bist nicht dran".to_owned(),
        Illegal::CheckNotAllowed { to_call } => format!("es wurde gesetzt: Mitgehen kostet {to_call}"),
        Illegal::NothingToCall => "es ist nichts zu zahlen".to_owned(),
        Illegal::AmountOutOfRange { got } => format!("ein Einsatz muss größer als null sein, nicht {got}"),
        Illegal::NotEnoughChips { most, got } => format!("du kannst höchstens {most} setzen (all-in), nicht {got}"),
        Illegal::RaiseNotAllowed(why) => format!(
            "du kannst nicht setzen oder erhöhen: {}",
            match why {
                NoRaise::StackTooSmall => "deine Chips reichen nur zum Mitgehen",
                NoRaise::NotReopened => "seit deinem Zug hat niemand voll erhöht",
                NoRaise::NobodyCanAnswer => "sonst hat niemand mehr Chips",
            }
        ),
        Illegal::RaiseTooSmall { least, got } => format!("du musst mindestens auf {least} gehen, nicht {got}"),
        Illegal::CardMissing => "eine offene Karte fehlt".to_owned(),
    }
}

/// What a setting does, in German.
pub(super) fn setting(name: &str) -> Option<&'static str> {
    Some(match name {
        "starting_chips" => "So viele Chips hat jeder am Anfang.",
        "small_blind" => "Der Small Blind am Anfang.",
        "big_blind" => "Der Big Blind am Anfang: mehr als der Small Blind, höchstens ein Fünftel der Chips.",
        "blind_every" => "Die Blinds steigen nach so vielen Spielen; 0 heißt nie.",
        "blind_factor" => "Die Blinds steigen jeweils auf so viel Prozent.",
        "ante" => "Das Ante, das vor dem Geben fällig ist: höchstens ein Big Blind; es steigt mit den Blinds.",
        "ante_by" => "Wer das Ante zahlt.",
        "ring" => "Cash Game: feste Blinds; zwischen den Spielen kann man sich einkaufen und gehen.",
        "buy_in_min" => "Das kleinste Buy-in im Cash Game, in Big Blinds.",
        "buy_in_max" => "Das größte Buy-in im Cash Game, in Big Blinds.",
        "hand_limit" => "Die Partie endet nach so vielen Spielen; 0 heißt unbegrenzt.",
        "time_limit" => "Die Partie endet nach so vielen Minuten; 0 heißt unbegrenzt.",
        "reopen" => "Wann jemand, der schon dran war, noch einmal erhöhen darf.",
        "early_allin_reveal" => {
            "Die Hände werden gezeigt, sobald niemand mehr setzen kann, noch vor den restlichen Karten."
        }
        _ => return crate::common_setting(name),
    })
}

fn cards(cards: &[Card], lang: Lang) -> String {
    cards.iter().map(|card| card_text(*card, lang)).collect::<Vec<_>>().join(" ")
}
