//! Layers of three cards on a page: the viewer's own while they arrange them, and everybody's once they are face up.

use games::ongdu::{LayerView, Ongdu, Places};
use maud::{Markup, html};

use super::words;
use crate::{Scene, empty_place, face, place_card};

/// The viewer's layers so far: places to choose, while they can still be changed.
pub(super) fn own(scene: &Scene<'_, Ongdu>, places: Places, can_change: bool) -> Markup {
    let (view, lang) = (scene.view, scene.lang);
    let disorder = places.disorder(&view.hand, view.preset);
    html! {
        div class="layers" {
            @for layer in 0..3 {
                @let name = words::layer(layer, lang);
                @let missing = places.layer(layer).iter().filter(|slot| slot.is_none()).count();
                @let wrong = disorder.filter(|(upper, lower)| *upper == layer || *lower == layer);
                div class={ "layer" @if wrong.is_some() { " wrong" } } role="group" aria-label=(name) {
                    span class="layer-name" { (name) }
                    div class="trio" { @for place in layer * 3..layer * 3 + 3 { (spot(scene, places, place, can_change)) } }
                    @match (places.rank(layer, &view.hand, view.preset), disorder) {
                        (Some(rank), Some((upper, lower))) if upper == layer => {
                            span class="rank bad" { (words::rank(rank, lang)) " " (words::beats(lower, lang)) }
                        }
                        (Some(rank), _) => span class={ "rank " (if wrong.is_some() { "bad" } else { "good" }) } { (words::rank(rank, lang)) },
                        (None, _) => span class="rank dim" { (words::missing(missing, lang)) },
                    }
                }
            }
        }
    }
}

/// One place, with its card if there is one.
fn spot(scene: &Scene<'_, Ongdu>, places: Places, place: usize, can_change: bool) -> Markup {
    let lang = scene.lang;
    let held = places.card(place).and_then(|slot| scene.view.hand.iter().find(|held| held.slot == slot));
    let picked = places.picked == Some(place);
    let number = u16::try_from(place).unwrap_or(u16::MAX);
    let mut about = format!("{} {}", words::layer(place / 3, lang), place % 3 + 1);
    if picked {
        about.push_str(scene.pick(", chosen", ", gewählt"));
    }
    html! {
        span class={ "spot" @if picked { " picked" } } {
            @match held {
                Some(held) if can_change => (place_card(number, held.slot, held.card, &about, lang)),
                Some(held) => (face(held.slot, held.card, lang)),
                None if can_change => (empty_place(number, &format!("{about}, {}", scene.pick("empty", "leer")))),
                None => span class="card place" aria-hidden="true" {},
            }
        }
    }
}

/// Layers on the table, with their ranks if the viewer knows them.
pub(super) fn open(scene: &Scene<'_, Ongdu>, layers: &[LayerView]) -> Markup {
    let lang = scene.lang;
    html! {
        div class="layers open" {
            @for (layer, n) in layers.iter().zip(0..) {
                div class="layer" role="group" aria-label=(words::layer(n, lang)) {
                    div class="trio" { @for held in layer.cards { (face(held.slot, held.card, lang)) } }
                    @if let Some(rank) = layer.rank { span class="rank" { (words::rank(rank, lang)) } }
                }
            }
        }
    }
}
