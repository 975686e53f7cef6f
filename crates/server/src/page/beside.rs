//! What stands beside a table: what was done and said, what proves it, the rules, and the way out.
//!
//! These are parts like those of the table itself: elements with ids, sent again when they have changed.

use ::table::record::{By, Evidence};
use maud::{Markup, html};

use super::table::{Looker, command, name};
use crate::lang::Lang;
use crate::room::{Room, Stage, Told};

/// The part of the page where one leaves the table; nothing for whoever does not sit at it.
pub fn leave(room: &Room, looker: &Looker) -> Markup {
    let lang = looker.lang;
    let about = match room.stage() {
        None => lang.pick("The seat will be free for somebody else.", "Der Platz wird für andere frei."),
        Some(Stage::Deal | Stage::Between) => lang.pick(
            "Whoever leaves a running match cannot come back to it.",
            "Wer eine laufende Partie verlässt, kann nicht zurück.",
        ),
        Some(Stage::Over) => lang.pick(
            "Whoever leaves has no seat in a further match of the others.",
            "Wer geht, hat in einer weiteren Partie der anderen keinen Platz.",
        ),
    };
    html! {
        div id="leave" {
            @if looker.seat.is_some() {
                details { summary { (lang.pick("Leave", "Verlassen")) }
                    p { (about) }
                    (command(&serde_json::json!({"stand": {}}), lang.pick("Leave the table", "Tisch verlassen"), "grave"))
                }
            }
        }
    }
}

/// How an invitation is passed on. Not every browser can share; the script knows.
pub(super) fn share(link: &str, lang: Lang) -> Markup {
    html! {
        p class="share" {
            button type="button" data-copy=(link) { (lang.pick("Copy link", "Link kopieren")) } " "
            button type="button" data-share=(link) { (lang.pick("Share", "Teilen")) }
        }
    }
}

/// The part of the page with what was done.
pub fn log(room: &Room, lang: Lang) -> Markup {
    let told = room.play().map(|play| play.told()).unwrap_or_default();
    html! {
        ol id="log" class="log" tabindex="0" aria-label=(lang.pick("Log", "Protokoll")) {
            @for (number, line) in told {
                @match line {
                    Told::Deal(deal) => li id={ "told-" (number) } class="deal" { (lang.pick("Deal", "Spiel")) " " (deal) },
                    Told::Line(seat, said) => li id={ "told-" (number) } class=[seat.is_none().then_some("news")] { (said.get(lang)) },
                }
            }
        }
    }
}

/// The part of the page with what was said.
pub fn talk(room: &Room, lang: Lang) -> Markup {
    html! {
        ol id="talk" class="talk" tabindex="0" aria-label=(lang.pick("Chat", "Chat")) {
            @for remark in room.said() {
                li id={ "said-" (remark.number) } data-player=(remark.player) { strong { (remark.name) } " " span { (remark.text) }
                    button type="button" class="mute quiet" data-mute=(remark.player) { (lang.pick("mute", "stumm")) } }
            }
        }
    }
}

/// The part of the page with what everybody committed to, and what was revealed of it.
pub fn proofs(room: &Room, lang: Lang) -> Markup {
    let proofs = room.play().map(|play| play.proofs()).unwrap_or_default();
    html! {
        ol id="proofs" class="proofs" {
            @for proof in proofs {
                @let who = match proof.by {
                    By::Seat(seat) => room.chair(seat).map(|chair| name(chair, seat)).unwrap_or_default(),
                    By::House | By::Member(_) => lang.pick("The house", "Das Haus").to_owned(),
                };
                @let what = match proof.kind.as_str() {
                    "commit" => lang.pick("committed to", "hat sich festgelegt auf"),
                    "root" => lang.pick("fixed all cards:", "hat alle Karten festgelegt:"),
                    _ => lang.pick("revealed", "hat aufgedeckt:"),
                };
                li { (who) " " (what) " " code { (digits(proof)) "…" } }
            }
        }
    }
}

/// The first digits of the hash, or of the seed, that a line of evidence says.
fn digits(proof: &Evidence) -> &str {
    // The number of the line and that of the deck are before it, eight digits each.
    let start = match (proof.by, proof.kind.as_str()) {
        // When the house will publish.
        (By::House, "commit") => 18,
        // How many cards there are.
        (_, "root") => 20,
        _ => 16,
    };
    proof.body.get(start..start + 16).unwrap_or_default()
}

/// The rules of a game, as paragraphs. A line with two columns, which are set apart by several spaces, stays one;
/// short lines below it belong to its list.
pub fn rules(text: &str) -> Markup {
    let mut in_list = false;
    let lines = text.lines().map(|line| {
        let columns = line.split_once("   ").map(|(first, second)| (first, second.trim_start()));
        in_list = columns.is_some() || in_list && !line.is_empty() && !line.starts_with('#') && !line.ends_with('.');
        html! {
            @if let Some(heading) = line.strip_prefix("# ") { h3 { (heading) } }
            @else if let Some((first, second)) = columns { p class="row" { b { (first) } span { (second) } } }
            @else if in_list { p class="row" { b { (line) } } }
            @else if !line.is_empty() { p { (line) } }
        }
    });
    html! { @for line in lines { (line) } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_the_rules_stay_columns() {
        let text = "# Hands\nFlush       five of one suit\nOne pair\n\nAn ace is high.\nA pair is two.";
        let expected = "<h3>Hands</h3><p class=\"row\"><b>Flush</b><span>five of one suit</span></p>\
            <p class=\"row\"><b>One pair</b></p><p>An ace is high.</p><p>A pair is two.</p>";
        assert_eq!(rules(text).0, expected);
    }

    #[test]
    fn what_was_said_is_shown_from_its_first_digit_on() {
        let seat = By::Seat(::table::Seat::new(1).unwrap());
        let lines = [(By::House, "commit", 5), (seat, "commit", 4), (seat, "reveal", 4), (By::House, "root", 6)];
        let mut pen = dealers::Pen::new([1; 32]);
        for (by, kind, before) in lines {
            let mut payload = vec![0; before];
            payload.extend((0..64).map(|byte| 0xa0 + byte % 16));
            pen.write(by, kind, &payload);
        }
        for line in pen.take() {
            assert_eq!(digits(&line), "a0a1a2a3a4a5a6a7", "{}", line.kind);
        }
    }

    #[test]
    fn no_rules_have_columns_that_collapse() {
        for game in games::AnyGame::ALL {
            for lang in [Lang::En, Lang::De] {
                let text = games::with_game!(*game, G => rules(<G as crate::page::Page>::rules(lang)).0);
                assert!(!text.contains("  "), "{}: {text}", game.name());
            }
        }
    }
}
