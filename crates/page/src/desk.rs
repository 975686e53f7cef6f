//! The common page of a table: the viewer's own cards and buttons.

use maud::{Markup, html};

use crate::felt::{avatar, hints_used, waiting};
use crate::{CHANGE, Changing, Frame, Key, Lang, Marking, Shown, Stage, tile};

/// The part of the page with the viewer's own cards and buttons.
pub fn desk(frame: &Frame, shown: Option<&Shown>) -> Markup {
    let lang = frame.lang;
    let (Some(shown), Some((seat, chair)), true) = (shown, frame.own(), frame.has_begun()) else {
        let watching = frame.me.is_none() && frame.has_begun();
        return html! {
            section id="desk" class="desk empty" aria-label=(lang.pick("Your side", "Deine Seite")) {
                @if watching { p class="dim" { (lang.pick("You are watching. You see what everybody sees.", "Du schaust zu. Du siehst, was alle sehen.")) } }
            }
        };
    };
    let panel = shown.panels.get(usize::from(seat.index()));
    let asked = shown.asked;
    html! {
        section id="desk" class={ "desk" @if asked { " asked" } } aria-label=(lang.pick("Your side", "Deine Seite"))
            data-draft=(shown.draft) data-height=(frame.height) data-deal=(frame.deal) data-marking=(marking(shown.marking)) {
            // On small screens this scrolls, and the buttons below stay visible.
            div class="holds" {
                div class="own" {
                    (avatar(chair))
                    strong { (lang.pick("You", "Du")) }
                    @if let Some(panel) = panel {
                        span class="fact" { (panel.facts) }
                        @for mark in &panel.marks { span class="badge" { (mark) } }
                    }
                    (hints_used(chair, lang))
                    (shown.own)
                }
                @if let Some(bench) = &shown.bench { div id="bench" class="bench" { (bench) } }
                div id="hand" class="hand" role="group" aria-label=(lang.pick("Your cards", "Deine Karten")) {
                    @for one in &shown.hand { (tile(*one, shown.marked.contains(&one.slot), shown.marking != Marking::None, lang)) }
                }
            }
            p id="says" class={ "says " (shown.says.1.class()) } role="status" {
                @if !shown.says.0.is_empty() { (shown.says.0) }
                @else if frame.out && frame.stage != Stage::Over { (lang.pick("You are out. You can watch, or leave.", "Du bist ausgeschieden. Du kannst zusehen oder gehen.")) }
                @else { (waiting(frame)) }
            }
            @if asked || shown.changing == Changing::Begun { (controls(shown, frame.hints, lang)) }
            (change(shown.changing, lang))
        }
    }
}

fn controls(shown: &Shown, hints: bool, lang: Lang) -> Markup {
    // Buttons that set the amount are next to it.
    let beside = |key: &&Key| shown.amount.is_some() && !key.moves;
    html! {
        div class="controls" {
            @if let Some((amount, now)) = shown.amount {
                div class="amount" {
                    // Every amount must be reachable, so its step is 1; the script uses larger steps.
                    input type="range" id="amount" min=(amount.least) max=(amount.most) step="1" value=(now)
                        aria-label=(lang.pick("Amount", "Betrag")) data-step=(amount.step);
                    input type="number" id="number" min=(amount.least) max=(amount.most) value=(now)
                        aria-label=(lang.pick("Amount", "Betrag"));
                    @for key in shown.buttons.iter().filter(beside) { (button(key)) }
                }
            }
            div class="buttons" {
                @for key in shown.buttons.iter().filter(|key| !beside(key)) { (button(key)) }
                @if hints && shown.asked && !shown.buttons.iter().any(|key| key.forced) {
                    button type="button" id="hint" class="quiet" data-hint="" { (lang.pick("Hint", "Tipp")) kbd { "h" } }
                }
            }
        }
    }
}

/// A player who has chosen can change their mind while others are still choosing. Enter does not press this button.
fn change(changing: Changing, lang: Lang) -> Markup {
    let label = match changing {
        Changing::Nothing => return html! {},
        Changing::Offered => lang.pick("Change", "Ändern"),
        Changing::Begun => lang.pick("Keep it as it is", "Doch nicht ändern"),
    };
    html! { p class="change" { button type="button" id="change" class="quiet" data-key=(CHANGE) { (label) } } }
}

fn button(key: &Key) -> Markup {
    // Buttons that only change the draft are less prominent than moves.
    let class = match key {
        Key { grave: true, .. } => "grave",
        Key { moves: true, .. } => "main",
        Key { .. } => "draft",
    };
    let why = format!("why-{}", key.key);
    html! {
        @match &key.refused {
            None => button type="button" id={ "key-" (key.key) } class=(class) data-key=(key.key) data-forced=[key.forced.then_some("")] data-sure=[key.sure.as_deref()] { (key.label) kbd { (key.key) } },
            // It can be focused and read, but does nothing.
            Some(refused) => span class="refused" {
                button type="button" id={ "key-" (key.key) } class=(class) aria-disabled="true" aria-describedby=(why) title=(refused) { (key.label) }
                span id=(why) class="why" { (refused) }
            },
        }
    }
}

const fn marking(marking: Marking) -> &'static str {
    match marking {
        Marking::None => "none",
        Marking::One => "one",
        Marking::Many => "many",
    }
}
