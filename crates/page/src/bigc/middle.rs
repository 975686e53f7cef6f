//! The middle of a table of Big-C: the hand to beat, what beats it, the order of play, the piles.

use games::bigc::{BigC, Class, Did, HandView};
use maud::{Markup, html};

use super::{names, player, seats, words};
use crate::{Scene, back, face, minis};

/// Classes of five cards, from low to high.
const LADDER: [Class; 7] = [
    Class::TwoPair,
    Class::Flush,
    Class::Straight,
    Class::FullHouse,
    Class::FourOfAKind,
    Class::FiveOfAKind,
    Class::StraightFlush,
];

/// All of it.
pub(super) fn middle(scene: &Scene<'_, BigC>) -> Markup {
    let ordering = matches!(scene.view.phase, "dealing" | "choosing" | "showing" | "lots");
    html! {
        (piles(scene))
        (on_table(scene))
        @if ordering || first_lead(scene) { (shown(scene)) }
        @if !ordering { (what_beats(scene)) (order(scene)) }
    }
}

/// Nothing has been played yet.
fn first_lead(scene: &Scene<'_, BigC>) -> bool {
    scene.view.table.is_none() && scene.view.pile == 0
}

/// The draw pile, the pile of played cards, the last footstool.
fn piles(scene: &Scene<'_, BigC>) -> Markup {
    let (view, lang) = (scene.view, scene.lang);
    html! {
        div class="piles" {
            @if view.stock > 0 { (back(lang)) }
            p { (lang.pick("Draw pile", "Talon")) " " strong { (view.stock) } " · " (lang.pick("Played", "Gelegt")) " " strong { (view.pile) } }
            @if let Some(stool) = view.last_footstool { p class="dim" { (words::last_footstool(scene, stool)) } }
        }
    }
}

/// The hand on the table, or what is happening.
fn on_table(scene: &Scene<'_, BigC>) -> Markup {
    let (view, lang) = (scene.view, scene.lang);
    let Some(table) = &view.table else {
        // The hand that won the round stays until the next lead.
        let won = scene.settled.and_then(|before| before.table.as_ref());
        return html! {
            @if let Some(won) = won { (won_with(scene, won)) }
            p { (words::awaited(scene)) }
        };
    };
    let name = table.hand().map_or_else(String::new, |hand| names::hand(&hand, lang));
    html! {
        div class="board" role="group" aria-label=(lang.pick("The hand to beat", "Das gilt es zu schlagen")) {
            @for held in &table.cards { (face(held.slot, held.card, lang)) }
        }
        p { strong { (name) } " " (lang.pick("by", "von")) " " (words::whose(scene, table.by)) }
    }
}

/// The hand that nobody has beaten.
fn won_with(scene: &Scene<'_, BigC>, won: &HandView) -> Markup {
    html! {
        div class="board won" role="group" aria-label=(scene.pick("The hand that won the round", "Damit wurde die Runde gewonnen")) {
            @for held in &won.cards { (face(held.slot, held.card, scene.lang)) }
        }
        p { strong { (words::round_won(scene, won.by)) } }
    }
}

/// The cards that were shown for the order of play.
fn shown(scene: &Scene<'_, BigC>) -> Markup {
    let any = scene.view.players.iter().any(|player| !player.shown.is_empty());
    html! {
        @if any {
            ul class="showing" aria-label=(scene.pick("Cards shown for the order of play", "Für die Reihenfolge gezeigt")) {
                @for (seat, player) in seats(scene.view).filter(|(_, player)| !player.shown.is_empty()) {
                    li { (scene.name(seat)) " " (minis(player.shown.iter().map(|card| Some(*card)), scene.lang)) }
                }
            }
        }
    }
}

/// What beats the hand on the table.
fn what_beats(scene: &Scene<'_, BigC>) -> Markup {
    let (view, lang) = (scene.view, scene.lang);
    let class = view.table.as_ref().map(|table| table.class);
    html! {
        @match class.filter(|class| class.stratum().is_some()) {
            Some(class) => ol class="ladder" aria-label=(lang.pick("From low to high", "Von niedrig nach hoch")) {
                @for step in LADDER {
                    li class=[(step == class).then_some("now")] aria-current=[(step == class).then_some("true")] { (names::class(step, lang)) }
                }
            },
            None => p class="dim" { (lang.pick("Low to high: 3 … K A 2, and ♦\u{fe0e} ♣\u{fe0e} ♥\u{fe0e} ♠\u{fe0e}", "Von niedrig nach hoch: 3 … K A 2 und ♦\u{fe0e} ♣\u{fe0e} ♥\u{fe0e} ♠\u{fe0e}")) },
        }
        @if class.is_some() { p class="dim" { (words::stools(lang)) } }
    }
}

/// The order of play: whose turn it is, who has passed, whose hand is highest.
fn order(scene: &Scene<'_, BigC>) -> Markup {
    let (view, lang) = (scene.view, scene.lang);
    html! {
        ol class="order" aria-label=(lang.pick("Order of play", "Reihenfolge")) {
            @for seat in &view.order {
                @let passed = player(view, *seat).is_some_and(|player| player.passed || player.did == Did::Passed);
                @let turn = view.turn == Some(*seat);
                li class={ @if turn { "turn" } @else if passed { "passed" } } aria-current=[turn.then_some("true")] {
                    @if scene.eye.is(*seat) { (lang.pick("you", "du")) } @else { (scene.name(*seat)) }
                    @if passed { span class="hidden" { " (" (lang.pick("passed", "gepasst")) ")" } }
                }
            }
        }
    }
}
