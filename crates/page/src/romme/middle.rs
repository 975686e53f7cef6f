//! The middle of a table of Rommé: draw pile, discard pile and everybody's melds.

use ::table::Seat;
use games::romme::bench::Bench;
use games::romme::{MeldCard, MeldView, Moves, Romme};
use maud::{Markup, html};

use super::words;
use crate::Lang;
use crate::{Scene, card_name, card_text, empty_place, face, minis, place_card};

/// Places on the page: melds by number, then melds set aside, then draw pile and discard pile.
pub(super) const READY: u16 = 300;
/// The draw pile.
pub(super) const STOCK: u16 = 400;
/// The discard pile.
pub(super) const PILE: u16 = 401;
/// How many cards below the top of the discard pile are shown.
const BELOW: usize = 8;

/// All of it.
pub(super) fn draw(scene: &Scene<'_, Romme>, bench: &Bench<'_>) -> Markup {
    let me = scene.me();
    let seats = scene.others().into_iter().chain(me);
    let owners: Vec<Seat> = seats.filter(|seat| scene.view.melds.iter().any(|meld| meld.owner == *seat)).collect();
    html! {
        (piles(scene, bench))
        div class="melds" {
            @if owners.is_empty() { p class="dim" { (nothing_laid(scene)) } }
            @for owner in owners {
                @let whose = whose(scene, owner);
                div class="laid" role="group" aria-label=(whose) {
                    span class="owner" { (whose) }
                    @for one in scene.view.melds.iter().filter(|meld| meld.owner == owner) { (meld(scene, bench, one)) }
                }
            }
        }
    }
}

fn whose(scene: &Scene<'_, Romme>, owner: Seat) -> String {
    if scene.eye.is(owner) { scene.pick("You", "Du").to_owned() } else { scene.name(owner).to_owned() }
}

fn nothing_laid(scene: &Scene<'_, Romme>) -> String {
    let needed = scene.view.first_meld;
    match scene.lang {
        lang if needed == 0 => lang.pick("No melds yet.", "Noch keine Auslagen.").to_owned(),
        Lang::En => format!("No melds yet. You need at least {needed} points to open."),
        Lang::De => {
            format!("Noch keine Auslagen. Zum ersten Auslegen braucht man mindestens {needed} Punkte.")
        }
    }
}

/// Draw pile and discard pile, the newest discards first.
fn piles(scene: &Scene<'_, Romme>, bench: &Bench<'_>) -> Markup {
    let (view, lang) = (scene.view, scene.lang);
    let drawing = match scene.moves {
        Some(Moves::Draw(drawing)) => Some(*drawing),
        Some(Moves::None | Moves::Play(_)) | None => None,
    };
    let discards = bench.discard().is_ok();
    let below: Vec<_> = view.pile.iter().rev().skip(1).map(|held| held.card).collect();
    let more = below.len() > BELOW;
    html! {
        div class="piles" {
            div class={ "heap" @if drawing.is_some() { " open" } } role="group" aria-label=(lang.pick("Draw pile", "Stapel")) {
                (stock(scene, drawing.is_some()))
                span { (lang.pick("Draw pile", "Stapel")) " " strong { (view.stock) } }
                @if view.stock < 15 { span class="dim" { (renewed(scene)) } }
            }
            div class={ "heap" @if drawing.is_some_and(|drawing| drawing.discard.is_some()) || discards { " open" } }
                role="group" aria-label=(lang.pick("Discard pile", "Ablage")) {
                @match view.pile.last() {
                    Some(top) if drawing.is_some() => (place_card(PILE, top.slot, top.card, lang.pick("take it", "nehmen"), lang)),
                    Some(top) if scene.moves.is_some() => (place_card(PILE, top.slot, top.card, lang.pick("discard here", "hier ablegen"), lang)),
                    Some(top) => (face(top.slot, top.card, lang)),
                    None if scene.moves.is_some() => (empty_place(PILE, lang.pick("the discard pile is empty", "die Ablage ist leer"))),
                    None => span class="card place" aria-hidden="true" {},
                }
                span { (lang.pick("Discards", "Ablage")) " " strong { (view.pile.len()) } }
            }
            @if !below.is_empty() {
                p class="below" { span class="dim" { (lang.pick("below it", "darunter")) " " }
                    (minis(below.into_iter().take(BELOW), lang)) @if more { "…" } }
            }
        }
    }
}

/// The draw pile: a button while the viewer must draw.
fn stock(scene: &Scene<'_, Romme>, drawing: bool) -> Markup {
    let lang = scene.lang;
    let class = if scene.view.stock > 0 { "card back" } else { "card place" };
    let about = lang.pick("draw from the draw pile", "vom Stapel ziehen");
    html! {
        @if drawing {
            button type="button" class=(class) data-place=(STOCK) aria-label=(about) {}
        } @else {
            span class=(class) aria-hidden="true" {}
        }
    }
}

/// How often the discard pile will still be reshuffled, once that is close.
fn renewed(scene: &Scene<'_, Romme>) -> String {
    let (done, most) = scene.view.reshuffles;
    match (most.saturating_sub(done), scene.lang) {
        (0, lang) => lang.pick("not reshuffled again", "wird nicht mehr gemischt").to_owned(),
        (1, lang) => lang.pick("reshuffled once more", "wird noch einmal gemischt").to_owned(),
        (times, Lang::En) => format!("reshuffled {times} more times"),
        (times, Lang::De) => format!("wird noch {times}-mal gemischt"),
    }
}

/// A meld: a button while cards can be put there.
fn meld(scene: &Scene<'_, Romme>, bench: &Bench<'_>, meld: &MeldView) -> Markup {
    let lang = scene.lang;
    let takes_cards = matches!(scene.moves, Some(Moves::Play(_))) && bench.opened();
    let chosen = bench.chosen().is_some_and(|chosen| chosen.id == meld.id);
    let (sign, about) = if takes_cards && bench.fits(meld) {
        ("fits", lang.pick("the marked cards fit", "die markierten Karten passen"))
    } else if takes_cards && bench.swaps(meld) {
        ("swaps", lang.pick("you can swap for its joker", "du kannst den Joker tauschen"))
    } else {
        ("", "")
    };
    let name = words::number(meld.id, lang);
    let cards = meld.cards.iter().map(|card| spoken(meld, card, lang)).collect::<Vec<_>>().join(", ");
    let label =
        [name, cards, about.to_owned()].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(": ");
    let inside = html! {
        span class="number" aria-hidden="true" { (meld.id.0) }
        @for card in &meld.cards { (lying(meld, card, lang)) }
        @if sign == "fits" { span class="sign" data-sign="+" {} }
        @if sign == "swaps" { span class="sign" data-sign="⇄" {} }
    };
    html! {
        @if takes_cards {
            button type="button" id={ "meld-" (meld.id.0) } class={ "meld " (sign) } data-place=(meld.id.0)
                aria-pressed=(if chosen { "true" } else { "false" }) aria-label=(label) { (inside) }
        } @else {
            div id={ "meld-" (meld.id.0) } class="meld" role="group" aria-label=(label) { (inside) }
        }
    }
}

/// A card of a meld; a joker in a run with the card it stands for.
fn lying(meld: &MeldView, card: &MeldCard, lang: Lang) -> Markup {
    let stands_for = card.stands_for.first().filter(|_| meld.kind == "run");
    joker(face(card.slot, Some(card.card), lang), stands_for.copied(), lang)
}

/// A card, with the card it stands for next to it.
pub(super) fn joker(card: Markup, stands_for: Option<cards::Card>, lang: Lang) -> Markup {
    html! {
        @match stands_for {
            Some(other) => span class="joker-for" { (card) span class="for" data-sign=(card_text(other, lang)) {} },
            None => (card),
        }
    }
}

fn spoken(meld: &MeldView, card: &MeldCard, lang: Lang) -> String {
    let name = card_name(card.card, lang);
    match card.stands_for.first().filter(|_| meld.kind == "run") {
        Some(other) => format!("{name} ({})", card_name(*other, lang)),
        None => name,
    }
}
