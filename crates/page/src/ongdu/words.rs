//! Ongdu in words, in both languages.

use ::table::{Breakdown, Known, Seat, Slot};
use bots::ongdu::{Layer, Why};
use cards::{Card, Rank};
use games::ongdu::{Action, Arrangement, Category, Class, Illegal, LayerRank, Ongdu, PairView, Special, View};

use crate::Lang;
use crate::{Scene, card_text};

/// The names of the layers, the top one first.
pub(super) fn layer(layer: usize, lang: Lang) -> &'static str {
    match layer {
        0 => lang.pick("Top", "Oben"),
        1 => lang.pick("Middle", "Mitte"),
        _ => lang.pick("Bottom", "Unten"),
    }
}

/// The same within a sentence.
fn the_layer(layer: usize, lang: Lang) -> &'static str {
    match layer {
        0 => lang.pick("the top", "die obere Reihe"),
        1 => lang.pick("the middle", "die mittlere Reihe"),
        _ => lang.pick("the bottom", "die untere Reihe"),
    }
}

/// The phase, in the title.
pub(super) fn phase(phase: &str, lang: Lang) -> &'static str {
    match phase {
        "drawing" => lang.pick("who starts?", "wer beginnt?"),
        "dealing" => lang.pick("dealing", "Karten werden gegeben"),
        "discarding" => lang.pick("discarding", "Ablegen"),
        "arranging" => lang.pick("arranging", "Ordnen"),
        _ => lang.pick("comparing", "Vergleich"),
    }
}

/// How good a layer is.
pub(super) fn rank(rank: LayerRank, lang: Lang) -> String {
    if lang == Lang::En {
        return rank.to_string();
    }
    let many = Rank::from_index(rank.value().saturating_sub(2)).map(many).unwrap_or_default();
    match rank.category() {
        Category::Three => format!("drei {many}"),
        Category::StraightFlush => "Bube, Dame, König in einer Farbe".to_owned(),
        Category::Straight => "Bube, Dame, König".to_owned(),
        Category::WildThree => format!("drei {many} mit Joker"),
        Category::Court => "drei Bilder".to_owned(),
        Category::Sum => format!("Summe {}", rank.value()),
    }
}

fn many(rank: Rank) -> String {
    match rank {
        Rank::Ace => "Asse".to_owned(),
        Rank::King => "Könige".to_owned(),
        Rank::Queen => "Damen".to_owned(),
        Rank::Jack => "Buben".to_owned(),
        other => format!("{}er", other.number()),
    }
}

/// A complete layer beats one below it.
pub(super) fn beats(lower: usize, lang: Lang) -> String {
    match lang {
        Lang::En => format!("beats {}: foul", the_layer(lower, lang)),
        Lang::De => format!("schlägt {}: Foul", the_layer(lower, lang)),
    }
}

/// How many cards a layer lacks.
pub(super) fn missing(cards: usize, lang: Lang) -> String {
    format!("{cards} {}", lang.pick("to place", "zu legen"))
}

/// What is special about a whole hand, if anything.
pub(super) const fn class(class: Class, lang: Lang) -> Option<&'static str> {
    match class {
        Class::Plain => None,
        Class::Foul => Some(lang.pick("foul", "Foul")),
        Class::Special(Special::FourOfAKind) => Some(lang.pick("special: four of a kind", "besonders: Vierling")),
        Class::Special(Special::AllNine) => {
            Some(lang.pick("special: all nine or better", "besonders: alle Reihen ab 9"))
        }
    }
}

/// Points that were won or lost.
pub(super) fn points(points: i64, lang: Lang) -> String {
    let one = points.abs() == 1;
    let word = if one { lang.pick("point", "Punkt") } else { lang.pick("points", "Punkte") };
    format!("{} {word}", signed(points))
}

/// What a player did.
pub(super) fn phrase(name: &str, known: Known<'_>, action: Action, lang: Lang) -> String {
    let Action::Discard(slot) = action;
    let card = known.face(slot).map(|card| card_text(card, lang));
    match (card, lang) {
        (Some(card), Lang::En) => format!("{name} discards {card}"),
        (Some(card), Lang::De) => format!("{name} legt {card} ab"),
        (None, Lang::En) => format!("{name} discards a card"),
        (None, Lang::De) => format!("{name} legt eine Karte ab"),
    }
}

/// What the viewer could do.
pub(super) fn arranged(known: Known<'_>, arrangement: &Arrangement, lang: Lang) -> String {
    let card = |slot: &Slot| known.face(*slot).map(|card| card_text(card, lang)).unwrap_or_default();
    let layers = arrangement.layers();
    let lines = layers
        .iter()
        .enumerate()
        .map(|(n, slots)| format!("{}: {}", layer(n, lang), slots.iter().map(card).collect::<Vec<_>>().join(" ")));
    lines.collect::<Vec<_>>().join(" · ")
}

/// What happened apart from the players' own moves.
pub(super) fn news(before: &View, after: &Scene<'_, Ongdu>) -> Vec<String> {
    let (view, lang) = (after.view, after.lang);
    let mut news = Vec::new();
    if let (None, Some(starter)) = (before.starter, view.starter) {
        news.push(match lang {
            Lang::En => format!("{} starts (drawn by lot)", after.name(starter)),
            Lang::De => format!("{} beginnt (ausgelost)", after.name(starter)),
        });
    }
    if let ("discarding", Some(seat), true) = (view.phase, view.turn, before.phase != "discarding") {
        news.push(match lang {
            Lang::En => format!("{} has ten cards and discards one", after.name(seat)),
            Lang::De => format!("{} hat zehn Karten und legt eine ab", after.name(seat)),
        });
    }
    for (seat, now) in (0..).map_while(Seat::new).zip(&view.players) {
        let new = before.players.get(usize::from(seat.index())).is_none_or(|was| was.class.is_none());
        if let (Some(class), true) = (now.class.and_then(|of| class(of, lang)), new) {
            news.push(format!("{}: {class}", after.name(seat)));
        }
        if let (Some(won), true) = (now.points, new) {
            news.push(format!("{}: {}", after.name(seat), points(won, lang)));
        }
    }
    news
}

/// What two players owe each other.
pub(super) fn pair(pair: &PairView, lang: Lang) -> String {
    match pair.layers {
        Some(points) => {
            let layers = points.iter().enumerate().map(|(n, points)| format!("{} {}", layer(n, lang), signed(*points)));
            layers.collect::<Vec<_>>().join(", ")
        }
        None => lang.pick("whole hand", "ganze Hand").to_owned(),
    }
}

/// Why a round could not be finished.
pub(super) fn broken(scene: &Scene<'_, Ongdu>, why: Breakdown) -> String {
    match (why, scene.lang) {
        (Breakdown::DealerFailed, lang) => {
            lang.pick("The cards could not be dealt.", "Die Karten konnten nicht ausgeteilt werden.").to_owned()
        }
        (Breakdown::Vanished(seats) | Breakdown::FalseClaim(seats), Lang::En) => {
            format!("No longer at the table: {}.", scene.list(seats.iter()))
        }
        (Breakdown::Vanished(seats) | Breakdown::FalseClaim(seats), Lang::De) => {
            format!("Nicht mehr am Tisch: {}.", scene.list(seats.iter()))
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
    match (why, lang) {
        (Why::Spare { card }, Lang::En) => format!("your other nine cards do best without {}", card_text(*card, lang)),
        (Why::Spare { card }, Lang::De) => {
            format!("deine anderen neun Karten sind ohne {} am stärksten", card_text(*card, lang))
        }
        (_, Lang::En) => why.to_string(),
        (Why::Special { what: Special::FourOfAKind, points }, Lang::De) => {
            format!("ein Vierling ist eine besondere Hand: jeder Gegner zahlt {points}")
        }
        (Why::Special { what: Special::AllNine, points }, Lang::De) => {
            format!("drei Reihen ab 9 sind eine besondere Hand: jeder Gegner zahlt {points}")
        }
        (Why::Expects { points }, lang) => {
            let verb = if *points < 0.0 { "verliert" } else { "gewinnt" };
            format!("das {verb} gegen jeden Gegner im Schnitt {} Punkte", lang.decimal(points.abs()))
        }
        (Why::Wins { layer, rank: of, percent }, Lang::De) => {
            let which = match layer {
                Layer::Top => 0,
                Layer::Middle => 1,
                Layer::Bottom => 2,
            };
            format!("{} ({}) gewinnt in {percent} % der Fälle", the_layer(which, lang), rank(*of, lang))
        }
        (Why::NotBottomFirst { points }, lang) => {
            format!("die stärkste untere Reihe würde gegen jeden Gegner {} Punkte kosten", lang.decimal(*points))
        }
    }
}

/// Why the game refuses.
pub(super) fn refusal(why: &Illegal, lang: Lang) -> String {
    match (why, lang) {
        (Illegal::NotSeated, lang) => lang.pick("you are not in this deal", "du bist nicht in diesem Spiel").to_owned(),
        (Illegal::WrongPhase, lang) => lang.pick("you cannot do this now", "das geht jetzt nicht").to_owned(),
        (Illegal::NotYourTurn, lang) => lang.pick("it is not your turn", "du bist nicht dran").to_owned(),
        (Illegal::MustDiscardFirst, lang) => {
            lang.pick("the starting player must discard first", "erst muss der Startspieler ablegen").to_owned()
        }
        (Illegal::LayersIncomplete { layer, cards }, Lang::En) => {
            format!("every layer needs three cards, but the {layer} layer has {cards}")
        }
        (Illegal::LayersIncomplete { layer, cards }, Lang::De) => {
            let which = match *layer {
                "top" => 0,
                "middle" => 1,
                _ => 2,
            };
            format!("jede Reihe braucht drei Karten, {} hat aber {cards}", the_layer(which, lang))
        }
        (Illegal::CardNotInHand(_), lang) => {
            lang.pick("this card is not in your hand", "diese Karte hast du nicht auf der Hand").to_owned()
        }
        (Illegal::DuplicateCard(_), lang) => {
            lang.pick("a card is in two places", "eine Karte liegt an zwei Stellen").to_owned()
        }
        (Illegal::NotOpen(_), lang) => {
            lang.pick("a card is missing that should be face up", "eine offene Karte fehlt").to_owned()
        }
    }
}

/// What a setting does, in German.
pub(super) fn setting(name: &str) -> Option<&'static str> {
    Some(match name {
        "starting_cash" => "So viel Geld hat jeder am Anfang.",
        "point_value" => "So viel Geld ist ein Punkt wert.",
        "preset" => "Wie Reihen zählen: nach den ursprünglichen oder nach den heutigen Regeln des Erfinders.",
        "foul" => "So viele Punkte kostet ein Foul je Gegner.",
        "special" => "So viele Punkte bringt eine besondere Hand je Gegner.",
        "arrange_timeout" => "So viele Sekunden hat man zum Ablegen und zum Ordnen; 0 heißt unbegrenzt.",
        "max_rounds" => "Die Partie endet spätestens nach so vielen Runden; 0 heißt unbegrenzt.",
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

/// Cards in order of rank, wildcards first.
pub(super) fn order(card: Option<Card>) -> (u8, u8) {
    card.and_then(Card::natural).map_or((0, 0), |(rank, suit)| (15 - rank.number(), suit.index()))
}
