//! The viewer's desk in Ongdu: discarding one of ten cards, and arranging nine.

use ::table::{Move, Slot};
use cards::Card;
use games::ongdu::{Action, Class, Laying, Ongdu, Places, rank_layer};

use super::{layers, words};
use crate::Lang;
use crate::{Button, Desk, Draft, Marking, Mood, Scene, Tile, card_text};

/// The cards not placed yet, high ones first, wildcards before them.
pub(super) fn hand(scene: &Scene<'_, Ongdu>, places: Places) -> Vec<Tile> {
    let free = scene.view.hand.iter().filter(|held| !places.has(held.slot));
    let mut tiles: Vec<Tile> = free.map(|held| Tile { slot: held.slot, card: held.card, usable: true }).collect();
    tiles.sort_by_key(|tile| words::order(tile.card));
    tiles
}

/// The viewer discards one of ten cards.
pub(super) fn discarding(scene: &Scene<'_, Ongdu>, draft: &Draft<Laying>) -> Desk<Ongdu> {
    let hand = hand(scene, Places::default());
    let marked = draft.marked.first().and_then(|slot| hand.iter().find(|tile| tile.slot == *slot));
    let discard = match marked {
        Some(tile) => {
            let card = tile.card.map(|card| card_text(card, scene.lang)).unwrap_or_default();
            let label = format!("{} {card}", scene.pick("Discard", "Ablegen:"));
            scene.button('d', label, Move::Act(Action::Discard(tile.slot)))
        }
        None => Button::refused(
            'd',
            scene.pick("Discard", "Ablegen"),
            scene.pick("choose a card first", "wähle zuerst eine Karte"),
        ),
    };
    let buttons = vec![discard, Button::command('a', scene.pick("Suggest one", "Eine vorschlagen"))];
    let says = scene.pick(
        "You start with ten cards: discard one. Everybody will see it.",
        "Du beginnst mit zehn Karten: leg eine ab. Alle können sie sehen.",
    );
    Desk { hand, marking: Marking::One, bench: None, says: (says.to_owned(), Mood::Plain), buttons, amount: None }
}

/// The viewer arranges nine cards in layers.
pub(super) fn arranging(
    scene: &Scene<'_, Ongdu>,
    draft: &Draft<Laying>,
    places: Places,
    hand: Vec<Tile>,
) -> Desk<Ongdu> {
    let view = scene.view;
    let whole = places.whole(&view.hand, view.preset).map(|rank| rank.class);
    let confirm = places.arrangement().map(Move::Choose).map_err(|why| words::refusal(&why, scene.lang));
    let confirm_label = scene.pick("Confirm", "Bestätigen");
    let mut buttons = if whole == Some(Class::Foul) {
        let why = scene.pick("a layer beats one below it", "eine Reihe schlägt eine Reihe darunter");
        let order = Button::command('o', scene.pick("Put in order", "Reihen ordnen"));
        let foul = Button::maybe('f', scene.pick("Play a foul hand", "Foul spielen"), confirm).grave();
        vec![order, Button::refused('c', confirm_label, why), foul]
    } else {
        vec![Button::maybe('c', confirm_label, confirm)]
    };
    buttons.push(Button::command('a', scene.pick("Arrange for me", "Für mich ordnen")));
    if whole.is_none() {
        let labels = ['t', 'm', 'b'].into_iter().zip(0..);
        buttons.extend(labels.map(|(key, layer)| Button::command(key, words::layer(layer, scene.lang))));
    }
    if places.picked.is_some_and(|place| places.card(place).is_some()) {
        buttons.push(Button::command('r', scene.pick("Take back", "Zurücknehmen")));
    }
    if places.count() > 0 {
        buttons.push(Button::command('x', scene.pick("Clear", "Abräumen")));
    }
    if draft.extra.can_undo() {
        buttons.push(Button::command('z', scene.pick("Undo", "Rückgängig")));
    }
    let says = arranging_says(scene, draft, places, &hand, whole);
    let bench = Some(layers::own(scene, places, true));
    Desk { hand, marking: Marking::Many, bench, says, buttons, amount: None }
}

/// Nine cards as they were confirmed, while others still arrange theirs.
pub(super) fn confirmed(scene: &Scene<'_, Ongdu>, places: Places) -> Desk<Ongdu> {
    let says = scene.has_chosen(scene.pick("You have confirmed", "Du hast bestätigt"));
    Desk {
        hand: hand(scene, places),
        bench: Some(layers::own(scene, places, false)),
        says: (says, Mood::Good),
        ..Desk::default()
    }
}

/// What is marked or placed, and what to do next.
fn arranging_says(
    scene: &Scene<'_, Ongdu>,
    draft: &Draft<Laying>,
    places: Places,
    hand: &[Tile],
    whole: Option<Class>,
) -> (String, Mood) {
    let (view, lang) = (scene.view, scene.lang);
    let face = |slot: &Slot| hand.iter().find(|tile| tile.slot == *slot)?.card;
    let marked: Vec<Card> = draft.marked.iter().filter_map(face).collect();
    let three = <[Card; 3]>::try_from(marked.as_slice()).ok().and_then(|three| rank_layer(three, view.preset));
    match (whole, three, lang) {
        (Some(Class::Foul), _, Lang::En) => {
            (format!("Foul: you would pay each opponent {} points.", view.foul), Mood::Bad)
        }
        (Some(Class::Foul), _, Lang::De) => {
            (format!("Foul: du würdest jedem Gegner {} Punkte zahlen.", view.foul), Mood::Bad)
        }
        (Some(Class::Special(special)), _, lang) => {
            let what = words::class(Class::Special(special), lang).unwrap_or_default();
            let each = lang.pick("points from each opponent", "Punkte von jedem Gegner");
            (format!("{what}! {} {each}.", view.special), Mood::Good)
        }
        (Some(Class::Plain), _, lang) => {
            let says = lang.pick(
                "The layers are in order. Confirm, or choose two places to swap.",
                "Alle Reihen stimmen. Bestätige oder wähle zwei Plätze zum Tauschen.",
            );
            (says.to_owned(), Mood::Good)
        }
        (None, Some(rank), lang) => {
            let marked = lang.pick("The three chosen cards:", "Die drei gewählten Karten:");
            (format!("{marked} {}.", words::rank(rank, lang)), Mood::Good)
        }
        (None, None, lang) => {
            let says = if places.picked.is_some() {
                lang.pick(
                    "Choose a card for this place, or another place.",
                    "Wähle eine Karte für diesen Platz oder einen anderen Platz.",
                )
            } else if !marked.is_empty() {
                lang.pick("Choose a place or a layer.", "Wähle einen Platz oder eine Reihe.")
            } else {
                lang.pick(
                    "Choose cards, then a place. The best three go to the bottom.",
                    "Wähle Karten, dann einen Platz. Die besten drei gehören nach unten.",
                )
            };
            (says.to_owned(), Mood::Plain)
        }
    }
}
