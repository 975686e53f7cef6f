//! Rommé in words, in both languages.

use ::table::{Outcome, Seat};
use cards::Card;
use games::romme::{Action, Laid, MeldId, MeldView, PlayerView, Romme, Use, View};

use crate::Lang;
use crate::{Scene, card_text};

/// A card in a sentence.
pub(super) fn card(card: Option<Card>, lang: Lang) -> String {
    card.map_or_else(|| lang.pick("a card", "eine Karte").to_owned(), |card| card_text(card, lang))
}

/// Cards as they are laid: a joker with the card it stands for.
pub(super) fn laid(scene: &Scene<'_, Romme>, cards: &[Laid]) -> String {
    let one = |laid: &Laid| {
        let face = card(scene.known.face(laid.slot), scene.lang);
        laid.stands_for.map_or(face.clone(), |stands_for| format!("{face}={}", card_text(stands_for, scene.lang)))
    };
    few(cards.iter().map(one).collect())
}

/// The cards of a meld.
fn lying(meld: &MeldView, lang: Lang) -> String {
    few(meld.cards.iter().map(|card| card_text(card.card, lang)).collect())
}

/// Cards in a sentence; a long row is shortened to its ends.
pub(super) fn few(cards: Vec<String>) -> String {
    match cards.as_slice() {
        [first, second, .., last] if cards.len() > 6 => format!("{first} {second} … {last}"),
        _ => cards.join(" "),
    }
}

/// A meld by its number.
pub(super) fn number(id: MeldId, lang: Lang) -> String {
    format!("{} {}", lang.pick("meld", "Auslage"), id.0)
}

/// A meld by its number and cards.
pub(super) fn named(view: &View, id: MeldId, lang: Lang) -> String {
    let meld = view.melds.iter().find(|meld| meld.id == id);
    meld.map_or_else(|| number(id, lang), |meld| format!("{} ({})", number(id, lang), lying(meld, lang)))
}

/// What a player did, as a sentence.
pub(super) fn phrase(before: &View, scene: &Scene<'_, Romme>, seat: Seat, action: &Action) -> String {
    let (name, lang) = (scene.name(seat), scene.lang);
    match action {
        Action::DrawStock => format!("{name} {}", lang.pick("draws from the draw pile", "zieht vom Stapel")),
        Action::DrawDiscard => {
            let taken = card(before.pile.last().and_then(|held| held.card), lang);
            match lang {
                Lang::En => format!("{name} takes {taken} from the discard pile"),
                Lang::De => format!("{name} nimmt {taken} von der Ablage"),
            }
        }
        Action::Meld(melds) => {
            let opened = before.players.get(usize::from(seat.index())).is_some_and(|player| player.opened);
            let melds = melds.iter().map(|meld| laid(scene, meld)).collect::<Vec<_>>().join(", ");
            match (opened, lang) {
                (true, Lang::En) => format!("{name} melds {melds}"),
                (true, Lang::De) => format!("{name} legt {melds} aus"),
                (false, Lang::En) => format!("{name} opens with {melds}"),
                (false, Lang::De) => format!("{name} legt zum ersten Mal aus: {melds}"),
            }
        }
        Action::LayOff { meld, cards } => {
            let (cards, to) = (laid(scene, cards), named(before, *meld, lang));
            match lang {
                Lang::En => format!("{name} adds {cards} to {to}"),
                Lang::De => format!("{name} legt {cards} an {to} an"),
            }
        }
        Action::Swap { meld, card: given, then } => {
            let (given, from) = (card(scene.known.face(*given), lang), named(before, *meld, lang));
            let then = used(before, scene, then);
            match lang {
                Lang::En => format!("{name} swaps {given} for the joker in {from}: {then}"),
                Lang::De => format!("{name} tauscht {given} gegen den Joker aus {from}: {then}"),
            }
        }
        Action::Discard(slot) => {
            let thrown = card(scene.known.face(*slot), lang);
            match lang {
                Lang::En => format!("{name} discards {thrown}"),
                Lang::De => format!("{name} legt {thrown} ab"),
            }
        }
    }
}

/// How a swapped joker is used.
pub(super) fn used(view: &View, scene: &Scene<'_, Romme>, then: &Use) -> String {
    match (then, scene.lang) {
        (Use::Meld(cards), lang) => format!("{} {}", lang.pick("it makes", "daraus wird"), laid(scene, cards)),
        (Use::LayOff { meld, cards }, Lang::En) => {
            format!("{} goes on {}", laid(scene, cards), named(view, *meld, scene.lang))
        }
        (Use::LayOff { meld, cards }, Lang::De) => {
            format!("{} kommt an {}", laid(scene, cards), named(view, *meld, scene.lang))
        }
    }
}

/// What the viewer could do.
pub(super) fn suggestion(scene: &Scene<'_, Romme>, action: &Action) -> String {
    let (view, lang) = (scene.view, scene.lang);
    match action {
        Action::DrawStock => lang.pick("Draw from the draw pile", "Vom Stapel ziehen").to_owned(),
        Action::DrawDiscard => {
            let top = card(view.pile.last().and_then(|held| held.card), lang);
            match lang {
                Lang::En => format!("Take {top} from the discard pile"),
                Lang::De => format!("{top} von der Ablage nehmen"),
            }
        }
        Action::Meld(melds) => {
            let melds = melds.iter().map(|meld| laid(scene, meld)).collect::<Vec<_>>().join(", ");
            format!("{} {melds}", lang.pick("Meld", "Auslegen:"))
        }
        Action::LayOff { meld, cards } => match lang {
            Lang::En => format!("Add {} to {}", laid(scene, cards), named(view, *meld, lang)),
            Lang::De => format!("{} an {} anlegen", laid(scene, cards), named(view, *meld, lang)),
        },
        Action::Swap { meld, card: given, then } => {
            let (given, from) = (card(scene.known.face(*given), lang), named(view, *meld, lang));
            let then = used(view, scene, then);
            match lang {
                Lang::En => format!("Swap {given} for the joker in {from}: {then}"),
                Lang::De => format!("{given} gegen den Joker aus {from} tauschen: {then}"),
            }
        }
        Action::Discard(slot) => {
            let thrown = card(scene.known.face(*slot), lang);
            match lang {
                Lang::En => format!("Discard {thrown}"),
                Lang::De => format!("{thrown} ablegen"),
            }
        }
    }
}

/// What happened apart from the players' own moves, as everybody sees it.
pub(super) fn news(before: &View, after: &Scene<'_, Romme>) -> Vec<String> {
    let (view, lang) = (after.view, after.lang);
    let mut news = Vec::new();
    if let (None, Some(dealer)) = (before.dealer, view.dealer) {
        news.push(format!("{} {}", after.name(dealer), lang.pick("deals", "gibt")));
    }
    if let (true, Some(first)) = (before.pile.is_empty() && before.stock == 0, view.pile.last()) {
        let first = card(first.card, lang);
        news.push(match lang {
            Lang::En => format!("{first} starts the discard pile"),
            Lang::De => format!("{first} liegt offen auf der Ablage"),
        });
    }
    if view.reshuffles.0 > before.reshuffles.0 {
        let says = lang.pick(
            "The discard pile is shuffled into a new draw pile",
            "Die Ablage wird gemischt und ist der neue Stapel",
        );
        news.push(says.to_owned());
    }
    for (player, seat) in view.players.iter().zip((0..).map_while(Seat::new)) {
        let had = before.players.get(usize::from(seat.index()));
        if player.cards == 1 && view.ending.is_none() && had.is_some_and(|had| had.cards > 1) {
            news.push(format!("{} {}", after.name(seat), lang.pick("has one card left", "hat nur noch eine Karte")));
        }
    }
    if let (None, Some(_)) = (before.ending, view.ending) {
        news.push(ending(after));
    }
    news
}

/// How the round ended, in a sentence.
pub(super) fn ending(scene: &Scene<'_, Romme>) -> String {
    let lang = scene.lang;
    let winner = scene.view.out().map_or(lang.pick("a player", "jemand"), |seat| scene.name(seat));
    match (scene.view.ending, lang) {
        (Some("went out"), Lang::En) => format!("{winner} goes out"),
        (Some("went out"), Lang::De) => format!("{winner} macht Schluss"),
        (Some("rommé"), Lang::En) => format!("Rommé! {winner} goes out in one go: points count double"),
        (Some("rommé"), Lang::De) => format!("Rommé! {winner} macht in einem Zug Schluss: Punkte zählen doppelt"),
        (Some("hand rommé"), Lang::En) => {
            format!("Hand Rommé! {winner} goes out on the first turn: points count triple")
        }
        (Some("hand rommé"), Lang::De) => {
            format!("Hand-Rommé! {winner} macht im ersten Zug Schluss: Punkte zählen dreifach")
        }
        (Some("blocked"), lang) => {
            let says = lang.pick(
                "The draw pile is empty, and nobody has gone out",
                "Der Stapel ist leer, und niemand hat Schluss gemacht",
            );
            says.to_owned()
        }
        (Some(_), lang) => lang.pick("Everybody else has left", "Alle anderen sind gegangen").to_owned(),
        (None, _) => String::new(),
    }
}

/// The round could not be finished.
pub(super) const fn broken(lang: Lang) -> &'static str {
    lang.pick("The round was broken off.", "Die Runde wurde abgebrochen.")
}

/// The points of everybody's cards at the end. The log already says how the round ended.
pub(super) fn closing(scene: &Scene<'_, Romme>, outcome: &Outcome) -> Vec<String> {
    if outcome.broken_off.is_some() {
        return vec![broken(scene.lang).to_owned()];
    }
    let players = (0..).map_while(Seat::new).zip(&scene.view.players).filter(|(_, player)| player.playing);
    let line = |(seat, player): (Seat, &PlayerView)| {
        let word = match player.points?.0 {
            1 => scene.pick("point", "Punkt"),
            _ => scene.pick("points", "Punkte"),
        };
        Some(format!("{}: {} {word}", scene.name(seat), player.points?))
    };
    players.filter_map(line).collect()
}

/// What a setting does, in German.
pub(super) fn setting(name: &str) -> Option<&'static str> {
    Some(match name {
        "first_meld" => "So viele Punkte braucht man mindestens zum ersten Auslegen.",
        "jokers" => "So viele Joker sind im Spiel.",
        "discard_draw" => "Wer die oberste Karte der Ablage nehmen darf.",
        "out_without_discard" => "Ob man Schluss machen darf, ohne eine Karte abzulegen.",
        "mode" => "Wann eine Partie endet.",
        "target" => "Bei so vielen Punkten endet die Partie oder, je nach Spielart, scheidet ein Spieler aus.",
        "rounds" => "So viele Runden hat eine Partie, die nach Runden endet.",
        "max_reshuffles" => "So oft wird die Ablage zu einem neuen Stapel gemischt.",
        _ => return crate::common_setting(name),
    })
}
