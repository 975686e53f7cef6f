//! How a round of Ongdu ended: everybody's layers, and the points of every pair.

use ::table::{Outcome, Seat};
use games::ongdu::Ongdu;
use maud::{Markup, html};

use super::{mood, words};
use crate::{Scene, minis};

/// Everybody's layers, and who paid whom.
pub(super) fn summary(scene: &Scene<'_, Ongdu>, outcome: &Outcome) -> Markup {
    let (view, lang) = (scene.view, scene.lang);
    html! {
        @if let Some(why) = outcome.broken_off { p class="bad" { (words::broken(scene, why)) } }
        ul class="hands" {
            @for (seat, player) in (0..).map_while(Seat::new).zip(&view.players).filter(|(_, player)| !player.layers.is_empty()) {
                li { strong { (scene.name(seat)) }
                    @if let Some(points) = player.points { " " span class=(mood(points).class()) { (words::points(points, lang)) } }
                    @if let Some(class) = player.class.and_then(|class| words::class(class, lang)) { " · " (class) }
                    @for (layer, n) in player.layers.iter().zip(0..) {
                        div class="layer-told" { span class="dim" { (words::layer(n, lang)) } " "
                            (minis(layer.cards.iter().map(|held| held.card), lang)) " "
                            @if let Some(rank) = layer.rank { (words::rank(rank, lang)) } }
                    }
                }
            }
        }
        @if view.pairs.len() > 3 { (matrix(scene)) } @else { (pairs(scene)) }
    }
}

/// Pair after pair, layer by layer.
fn pairs(scene: &Scene<'_, Ongdu>) -> Markup {
    html! {
        ul class="pairs" {
            @for pair in &scene.view.pairs {
                li { (scene.name(pair.first)) " " (scene.pick("from", "von")) " " (scene.name(pair.second)) ": "
                    span class=(mood(pair.points).class()) { (words::signed(pair.points)) }
                    span class="dim" { " (" (words::pair(pair, scene.lang)) ")" } }
            }
        }
    }
}

/// What each player gets from each other player.
fn matrix(scene: &Scene<'_, Ongdu>) -> Markup {
    let view = scene.view;
    let seats: Vec<Seat> = (0..).map_while(Seat::new).take(view.players.len()).collect();
    let points = |seat: Seat, other: Seat| {
        view.pairs.iter().find_map(|pair| match (pair.first, pair.second) {
            (first, second) if first == seat && second == other => Some(pair.points),
            (first, second) if first == other && second == seat => Some(-pair.points),
            _ => None,
        })
    };
    html! {
        div class="matrix" role="region" tabindex="0" aria-label=(scene.pick("Who paid whom", "Wer wem gezahlt hat")) {
            table {
                thead { tr {
                    th scope="col" { (scene.pick("Points from", "Punkte von")) }
                    @for seat in &seats { th scope="col" { (scene.name(*seat)) } }
                } }
                tbody {
                    @for seat in &seats {
                        tr { th scope="row" { (scene.name(*seat)) }
                            @for other in &seats {
                                @match points(*seat, *other) {
                                    Some(points) => td class=(mood(points).class()) { (words::signed(points)) },
                                    None => td class="dim" { "·" },
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
