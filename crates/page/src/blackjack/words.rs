//! Blackjack in words, in both languages.

use ::table::{Breakdown, Chips, Outcome, Seat, Value as _};
use bots::blackjack::Why;
use cards::{Card, Rank};
use games::Held;
use games::blackjack::{
    Action, Blackjack, BlackjackPays, Ground, HandView, Illegal, PlayerView, Status, Total, Verdict, View,
};

use crate::Lang;
use crate::{Mood, Scene, card_text};

/// How much of the match is left, in the title.
pub(super) fn rounds(deal: u32, rounds: i64, lang: Lang) -> String {
    match (rounds - i64::from(deal), lang) {
        (0, lang) => lang.pick("the last round", "die letzte Runde").to_owned(),
        (1, lang) => lang.pick("one more round after this", "danach noch eine Runde").to_owned(),
        (left, Lang::En) if left > 0 => format!("{left} more rounds after this"),
        (left, Lang::De) if left > 0 => format!("danach noch {left} Runden"),
        (_, lang) => lang.pick("extra round to break a tie", "Zusatzrunde wegen Gleichstand").to_owned(),
    }
}

/// A total: "soft 18", "21, a natural", "24, bust".
pub(super) fn total(total: Total, lang: Lang) -> String {
    match total {
        Total { natural: true, .. } => lang.pick("21, a natural", "21, ein Blackjack").to_owned(),
        Total { points, .. } if points > 21 => format!("{points}, {}", lang.pick("bust", "überkauft")),
        Total { points, soft: true, .. } => format!("{} {points}", lang.pick("soft", "weiche")),
        Total { points, .. } => points.to_string(),
    }
}

/// The value of the bank's face-up card on its own.
pub(super) fn shows(card: Card, lang: Lang) -> String {
    match card.rank() {
        Some(Rank::Ace) => lang.pick("ace (1 or 11)", "Ass (1 oder 11)").to_owned(),
        Some(rank) => rank.number().min(10).to_string(),
        None => String::new(),
    }
}

/// The state of a hand, as everybody sees it.
pub(super) const fn state(hand: &HandView, turn: bool, lang: Lang) -> (&'static str, Mood) {
    match hand.status {
        Status::Playing if hand.current => (lang.pick("playing", "spielt"), Mood::Plain),
        Status::Playing if turn => (lang.pick("next", "danach"), Mood::Dim),
        Status::Playing => (lang.pick("waiting", "wartet"), Mood::Dim),
        Status::Stood => (lang.pick("stands", "bleibt"), Mood::Plain),
        Status::Bust => (lang.pick("bust", "überkauft"), Mood::Bad),
        Status::Surrendered => (lang.pick("surrendered", "aufgegeben"), Mood::Dim),
    }
}

/// How a hand ended.
pub(super) const fn verdict(verdict: Verdict, lang: Lang) -> (&'static str, Mood) {
    match verdict {
        Verdict::Win => (lang.pick("wins", "gewinnt"), Mood::Good),
        Verdict::Lose => (lang.pick("loses", "verliert"), Mood::Bad),
        Verdict::Push => (lang.pick("push", "unentschieden"), Mood::Plain),
    }
}

/// Why a hand ended as it did.
pub(super) fn why(hand: &HandView, bank: Option<Total>, pays: BlackjackPays, lang: Lang) -> String {
    let (Some(own), Some(bank)) = (hand.total, bank) else {
        return lang.pick("void", "nicht gewertet").to_owned();
    };
    match (own.natural, bank.natural) {
        _ if hand.status == Status::Surrendered => lang.pick("surrendered", "aufgegeben").to_owned(),
        _ if own.points > 21 => lang.pick("bust", "überkauft").to_owned(),
        (true, true) => lang.pick("two naturals", "zwei Blackjacks").to_owned(),
        (true, false) => format!("{} {}", lang.pick("a natural pays", "ein Blackjack zahlt"), pays.text()),
        (false, true) => lang.pick("the bank has a natural", "die Bank hat einen Blackjack").to_owned(),
        (false, false) if bank.points > 21 => lang.pick("the bank busts", "die Bank hat sich überkauft").to_owned(),
        (false, false) => format!("{} {} {}", own.points, lang.pick("against", "gegen"), bank.points),
    }
}

/// How a player did, compared with the others.
pub(super) const fn ground(ground: Ground, lang: Lang) -> &'static str {
    match ground {
        Ground::Gained => lang.pick("gained ground on the others", "Boden gutgemacht"),
        Ground::Lost => lang.pick("lost ground to the others", "Boden verloren"),
        Ground::Same => lang.pick("neither gained nor lost ground", "Boden gehalten"),
    }
}

/// A player's bet and the state of their hands.
pub(super) fn status(scene: &Scene<'_, Blackjack>, seat: Seat, player: &PlayerView) -> Option<(String, Mood)> {
    let lang = scene.lang;
    let staked: Chips = player.hands.iter().map(|hand| hand.stake).sum();
    let bet = format!("{} {staked}", lang.pick("bet", "Einsatz"));
    if let Some(result) = player.result {
        return Some((format!("{bet}: {}", signed(result.0)), super::mood(result)));
    }
    if player.hands.is_empty() {
        return Some(if !player.seated {
            (lang.pick("out", "ausgeschieden").to_owned(), Mood::Dim)
        } else if scene.awaited.contains(seat) {
            (lang.pick("choosing a bet …", "wählt den Einsatz …").to_owned(), Mood::Dim)
        } else {
            (lang.pick("has bet", "hat gesetzt").to_owned(), Mood::Plain)
        });
    }
    if !player.seated {
        return Some((format!("{bet} · {}", lang.pick("surrendered", "aufgegeben")), Mood::Dim));
    }
    let turn = scene.view.turn == Some(seat);
    let states: Vec<(&str, Mood)> = player.hands.iter().map(|hand| state(hand, turn, lang)).collect();
    let mood = if states.iter().all(|(_, mood)| *mood == Mood::Bad) { Mood::Bad } else { Mood::Plain };
    let words: Vec<&str> = states.iter().map(|(word, _)| *word).collect();
    Some((format!("{bet} · {}", words.join(", ")), mood))
}

/// What a player did.
pub(super) fn phrase(name: &str, before: &View, seat: Seat, action: Action, lang: Lang) -> String {
    match action {
        Action::Hit => format!("{name} {}", lang.pick("hits", "nimmt eine Karte")),
        Action::Stand => format!("{name} {}", lang.pick("stands", "bleibt")),
        Action::Double => {
            let player = before.players.get(usize::from(seat.index()));
            let hand = player.and_then(|player| player.hands.iter().find(|hand| hand.current));
            let to = hand.map_or(Chips::ZERO, |hand| hand.stake) * 2;
            match lang {
                Lang::En => format!("{name} doubles to {to} and takes one card"),
                Lang::De => format!("{name} verdoppelt auf {to} und nimmt eine Karte"),
            }
        }
        Action::Split => format!("{name} {}", lang.pick("splits a pair", "teilt ein Paar")),
        Action::Bust => format!("{name} {}", lang.pick("busts", "überkauft sich")),
        Action::Surrender => format!("{name} {}", lang.pick("surrenders the match", "gibt die Partie auf")),
    }
}

/// A bet in the log.
pub(super) fn bet(name: &str, bet: Chips, lang: Lang) -> String {
    format!("{name} {} {bet}", lang.pick("bets", "setzt"))
}

/// What the viewer could do.
pub(super) const fn suggestion(action: Action, lang: Lang) -> &'static str {
    match action {
        Action::Hit => lang.pick("Hit", "Eine Karte nehmen"),
        Action::Stand => lang.pick("Stand", "Bleiben"),
        Action::Double => lang.pick("Double", "Verdoppeln"),
        Action::Split => lang.pick("Split the pair", "Das Paar teilen"),
        Action::Bust => lang.pick("You are bust", "Du hast dich überkauft"),
        Action::Surrender => lang.pick("Surrender the match", "Die Partie aufgeben"),
    }
}

/// What happened apart from the players' own moves.
pub(super) fn news(before: &View, after: &Scene<'_, Blackjack>) -> Vec<String> {
    let (view, lang) = (after.view, after.lang);
    let mut news = Vec::new();
    if view.shoe > before.shoe {
        news.push(lang.pick("The shoe is reshuffled", "Der Schlitten wird neu gemischt").to_owned());
    }
    let open = |view: &View| view.bank.cards.iter().filter(|held| held.card.is_some()).count();
    if let (0, Some(up)) = (open(before), view.bank.cards.first().and_then(|held| held.card)) {
        news.push(format!(
            "{} {}: {}",
            lang.pick("The bank shows", "Die Bank zeigt"),
            card_text(up, lang),
            shows(up, lang)
        ));
    }
    for (seat, now) in (0..).map_while(Seat::new).zip(&view.players) {
        let was = before.players.get(usize::from(seat.index()));
        let name = after.name(seat);
        for (hand, n) in now.hands.iter().zip(0..) {
            let seen = was.and_then(|was| was.hands.get(n)).is_some_and(|hand| hand.total.is_some());
            if let (Some(sum), false) = (hand.total, seen) {
                news.push(format!("{name}: {} = {}", cards(&hand.cards, lang), total(sum, lang)));
            }
        }
        let split = was.is_some_and(|was| !was.hands.is_empty() && was.hands.len() < now.hands.len());
        if split && view.phase == "turns" {
            let firsts = now.hands.iter().filter_map(|hand| hand.cards.first()).copied().collect::<Vec<Held>>();
            news.push(format!("{name}: {} {}", cards(&firsts, lang), lang.pick("split", "geteilt")));
        }
    }
    // While the bank is still drawing, its total is not shown.
    let sum = view.bank.total.map(|sum| format!(": {}", total(sum, lang))).unwrap_or_default();
    if open(before) < 2 && open(view) >= 2 {
        let opens = lang.pick("The bank turns over", "Die Bank hat");
        news.push(format!("{opens} {}{sum}", cards(&view.bank.cards, lang)));
    } else if open(before) >= 2 && view.bank.cards.len() > before.bank.cards.len() {
        let drawn = view.bank.cards.get(before.bank.cards.len()..).unwrap_or_default();
        news.push(format!("{} {}{sum}", lang.pick("The bank draws", "Die Bank zieht"), cards(drawn, lang)));
    }
    news
}

/// How the round ended for everybody.
pub(super) fn closing(scene: &Scene<'_, Blackjack>, outcome: &Outcome) -> Vec<String> {
    let (view, lang) = (scene.view, scene.lang);
    let mut lines: Vec<String> = outcome.broken_off.map(|why| broken(scene, why)).into_iter().collect();
    for (seat, player) in (0..).map_while(Seat::new).zip(&view.players) {
        let Some(result) = player.result.filter(|_| !player.hands.is_empty()) else { continue };
        let hands = player.hands.iter().filter_map(|hand| {
            let (word, _) = verdict(hand.verdict?, lang);
            Some(format!("{word}, {}", why(hand, view.bank.total, scene.settings.blackjack_pays, lang)))
        });
        let hands = hands.collect::<Vec<_>>().join("; ");
        lines.push(format!("{} {}: {hands}", scene.name(seat), signed(result.0)));
    }
    lines
}

/// Why a round could not be finished.
pub(super) fn broken(scene: &Scene<'_, Blackjack>, why: Breakdown) -> String {
    match (why, scene.lang) {
        (Breakdown::DealerFailed, lang) => {
            lang.pick("The cards could not be dealt.", "Die Karten konnten nicht ausgeteilt werden.").to_owned()
        }
        (Breakdown::Vanished(seats), Lang::En) => {
            format!("No longer at the table: {}.", scene.list(seats.iter()))
        }
        (Breakdown::Vanished(seats), Lang::De) => format!("Nicht mehr am Tisch: {}.", scene.list(seats.iter())),
        (Breakdown::FalseClaim(seats), Lang::En) => {
            format!("Claimed a false total: {}.", scene.list(seats.iter()))
        }
        (Breakdown::FalseClaim(seats), Lang::De) => {
            format!("Falschen Wert angesagt: {}.", scene.list(seats.iter()))
        }
        (Breakdown::Cheated { proven, .. }, Lang::En) => {
            format!("Cheated when dealing: {}.", scene.list(proven.iter()))
        }
        (Breakdown::Cheated { proven, .. }, Lang::De) => {
            format!("Beim Geben geschummelt: {}.", scene.list(proven.iter()))
        }
    }
}

/// A reason for a suggestion.
pub(super) fn reason(why: &Why, lang: Lang) -> String {
    if lang == Lang::En {
        return why.to_string();
    }
    match why {
        Why::Total { points, soft: true } => format!("du hast weiche {points}"),
        Why::Total { points, soft: false } => format!("du hast {points}"),
        Why::BankBusts { percent } => format!("die Bank überkauft sich in {percent} % der Fälle"),
        Why::Brings { action, of_100 } => {
            let verb = if *of_100 < 0 { "verliert" } else { "gewinnt" };
            format!("{} {verb} im Schnitt {} von 100 Chips", doing(*action), of_100.unsigned_abs())
        }
        Why::Wins { action, percent } => format!("{} gewinnt die Partie in {percent} % der Fälle", doing(*action)),
        Why::Only => "etwas anderes ist nicht erlaubt".to_owned(),
        Why::Stands { lead, rounds } => {
            let stands = match lead.0 {
                0 => "du liegst gleichauf mit dem besten Gegner".to_owned(),
                1.. => format!("du führst mit {lead}"),
                _ => format!("du liegst {} zurück", Chips(lead.0.saturating_neg())),
            };
            match rounds {
                1 => format!("{stands}, und das ist die letzte Runde"),
                _ => format!("{stands}, und es bleiben noch {rounds} Runden"),
            }
        }
        Why::Bet { bet, percent } => format!("ein Einsatz von {bet} gewinnt die Partie in {percent} % der Fälle"),
    }
}

const fn doing(action: Action) -> &'static str {
    match action {
        Action::Hit => "eine Karte zu nehmen",
        Action::Stand => "zu bleiben",
        Action::Double => "zu verdoppeln",
        Action::Split => "zu teilen",
        Action::Bust => "das Überkaufen anzusagen",
        Action::Surrender => "aufzugeben",
    }
}

/// Why the game refuses.
pub(super) fn refusal(why: &Illegal, lang: Lang) -> String {
    if lang == Lang::En {
        return why.to_string();
    }
    match why {
        Illegal::NotSeated => "du bist nicht in dieser Runde".to_owned(),
        Illegal::WrongPhase => "das geht jetzt nicht".to_owned(),
        Illegal::NotYourTurn => "du bist nicht dran".to_owned(),
        Illegal::AmountOutOfRange { least, most } => format!("du kannst {least} bis {most} Chips setzen"),
        Illegal::NotEnoughChips { needs } => format!("dafür reichen deine Chips nicht: es kostet noch einmal {needs}"),
        Illegal::NotTwoCards => "das geht nur mit zwei Karten".to_owned(),
        Illegal::NotAPair => "die beiden Karten sind kein Paar".to_owned(),
        Illegal::TooManyHands { most } => format!("mehr als {most} Hände sind nicht erlaubt"),
        Illegal::NoDoubleAfterSplit => "nach dem Teilen darf hier nicht verdoppelt werden".to_owned(),
        Illegal::NoCardsLeft => "es sind nicht genug Karten übrig".to_owned(),
        Illegal::NotBelow21 => "mit 21 oder mehr bekommst du keine Karte mehr".to_owned(),
        Illegal::MustBust => "mit mehr als 21 kannst du nicht bleiben".to_owned(),
        Illegal::NotBust => "mit höchstens 21 hast du dich nicht überkauft".to_owned(),
    }
}

/// What a setting does, in German.
pub(super) fn setting(name: &str) -> Option<&'static str> {
    Some(match name {
        "starting_chips" => "So viele Chips hat jeder am Anfang.",
        "min_bet" => "Der kleinste Einsatz; wer weniger Chips hat, setzt sie alle.",
        "max_bet" => "Der größte Einsatz.",
        "rounds" => "So viele Runden hat eine Partie.",
        "decks" => "So viele Kartenspiele sind im Schlitten.",
        "reshuffle_below" => {
            "Sind vor einer Runde weniger Karten übrig, wird neu gemischt; höchstens der halbe Schlitten."
        }
        "soft17" => "Was die Bank mit weicher 17 tut: bleiben oder ziehen.",
        "max_split_hands" => "So viele Hände kann man durch Teilen höchstens haben.",
        "split_by_value" => "Man darf zwei Karten mit gleichem Wert teilen, nicht nur mit gleichem Rang.",
        "double_after_split" => "Nach dem Teilen darf man verdoppeln.",
        "blackjack_pays" => "Was ein Blackjack (21 mit den ersten zwei Karten) zahlt.",
        "tie_rounds" => "So viele Zusatzrunden gibt es höchstens bei Gleichstand an der Spitze.",
        _ => return crate::common_setting(name),
    })
}

/// A number with its sign; zero has none.
pub(super) fn signed(number: i64) -> String {
    match number {
        0 => "0".to_owned(),
        1.. => format!("+{number}"),
        _ => format!("−{}", number.unsigned_abs()),
    }
}

fn cards(cards: &[Held], lang: Lang) -> String {
    let faces = cards.iter().filter_map(|held| held.card);
    faces.map(|card| card_text(card, lang)).collect::<Vec<_>>().join(" ")
}
