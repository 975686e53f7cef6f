//! The panels next to a table: log, chat, proofs, rules, and the button to leave.
//!
//! Like those of the table itself, these parts are elements with ids that are sent again when they have changed.

use ::table::record::{By, Evidence};
use maud::{Markup, html};

use super::table::{Looker, command, name};
use crate::ids::PlayerId;
use crate::lang::Lang;
use crate::room::{Room, Stage, Told};

/// The part of the page where a player leaves the table; empty for spectators.
pub fn leave(room: &Room, looker: &Looker) -> Markup {
    let lang = looker.lang;
    let stand = serde_json::json!({"stand": {}});
    html! {
        div id="leave" {
            @if looker.seat.is_some() {
                button type="button" class="grave" data-command=(stand) data-sure=[cost(room, lang)] { (lang.pick("Leave the table", "Tisch verlassen")) }
            }
        }
    }
}

/// The cost of leaving; nothing before the match, when the player can sit down again.
fn cost(room: &Room, lang: Lang) -> Option<String> {
    let rematch =
        lang.pick("If you leave, you won't be in the rematch.", "Wenn du gehst, bist du bei der Revanche nicht dabei.");
    let running = match (room.stage()?, room.computer_plays_on()) {
        (Stage::Over, _) => return Some(rematch.to_owned()),
        (Stage::Deal | Stage::Between, true) => lang.pick(
            "You can't come back to this match; a computer plays on in your seat.",
            "Du kannst nicht in diese Partie zurück; auf deinem Platz spielt ein Computer weiter.",
        ),
        (Stage::Deal | Stage::Between, false) => lang.pick(
            "You can't come back to this match; your seat stays empty.",
            "Du kannst nicht in diese Partie zurück; dein Platz bleibt leer.",
        ),
    };
    Some(format!("{running} {rematch}"))
}

/// Buttons that pass an invitation on. Not every browser can share; the script checks that.
pub(super) fn share(link: &str, lang: Lang) -> Markup {
    html! {
        p class="share" {
            button type="button" data-copy=(link) { (lang.pick("Copy link", "Link kopieren")) } " "
            button type="button" data-share=(link) { (lang.pick("Share", "Teilen")) }
        }
    }
}

/// The part of the page with the log.
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

/// The part of the page with the chat.
pub fn talk(room: &Room, looker: &Looker) -> Markup {
    let lang = looker.lang;
    html! {
        ol id="talk" class="talk" tabindex="0" aria-label=(lang.pick("Chat", "Chat")) {
            @for remark in room.said() {
                li id={ "said-" (remark.number) } data-player=(remark.player) { strong { (remark.name) }
                    @if !remark.seated { " " small class="dim" { "(" (lang.pick("watching", "schaut zu")) ")" } }
                    " " span { (remark.text) }
                    button type="button" class="mute quiet" data-mute=(remark.player) { (lang.pick("mute", "stumm")) } }
            }
        }
    }
}

/// The part of the page where the owner mutes people; empty for everybody else.
pub fn hush(room: &Room, looker: &Looker) -> Markup {
    let lang = looker.lang;
    let quieten = |player: Option<PlayerId>, muted: bool, label: &str| {
        command(&serde_json::json!({ "mute": { "player": player, "muted": muted } }), label, "quiet")
    };
    // The others at the table, and spectators who have said something.
    let mut others: Vec<(PlayerId, String)> = Vec::new();
    let seated = room.chairs().filter(|(seat, _)| looker.seat != Some(*seat));
    let seated = seated.filter_map(|(seat, chair)| Some((chair.player()?, name(chair, seat))));
    let lookers = room.said().filter(|remark| !remark.seated).map(|remark| (remark.player, remark.name.clone()));
    for (player, name) in seated.chain(lookers) {
        let known = others.iter().any(|(other, _)| *other == player) || room.muted().any(|(other, _)| other == player);
        if !known && player != looker.player {
            others.push((player, name));
        }
    }
    html! {
        div id="hush" {
            @if looker.moderates {
                details { summary { (lang.pick("Mute for everybody", "Für alle stumm schalten")) }
                    p class="dim" { (lang.pick(
                        "You own this table. People you mute here cannot write in its chat.",
                        "Der Tisch gehört dir. Wen du hier stumm schaltest, der kann hier nichts mehr schreiben.")) }
                    p {
                        @for (player, name) in &others { (quieten(Some(*player), true, &format!("{} {name}", lang.pick("Mute", "Stumm schalten:")))) " " }
                        @for (player, name) in room.muted() { (quieten(Some(player), false, &format!("{} {name}", lang.pick("Unmute", "Stummschaltung aufheben:")))) " " }
                        @if room.lookers_are_muted() { (quieten(None, false, lang.pick("Unmute all spectators", "Stummschaltung aller Zuschauer aufheben"))) }
                        @else { (quieten(None, true, lang.pick("Mute all spectators", "Alle Zuschauer stumm schalten"))) }
                    }
                }
            }
        }
    }
}

/// The part of the page with all commitments, and what was revealed.
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

/// The first digits of the hash or seed in a line of evidence.
fn digits(proof: &Evidence) -> &str {
    // The line number and the deck number come first, eight digits each.
    let start = match (proof.by, proof.kind.as_str()) {
        // When the house will publish.
        (By::House, "commit") => 18,
        // How many cards there are.
        (_, "root") => 20,
        _ => 16,
    };
    proof.body.get(start..start + 16).unwrap_or_default()
}

/// The rules of a game, as paragraphs. A line with two columns, separated by several spaces, stays a row; short lines
/// below it belong to its list.
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
    fn evidence_is_shown_from_its_first_digit() {
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
