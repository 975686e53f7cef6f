//! The panels next to a table: log, chat, rules, and the button to leave.
//!
//! Like those of the table itself, these parts are elements with ids that are sent again when they have changed.

use maud::{Markup, html};

use crate::felt::command;
use crate::{Frame, Lang, Stage, Told};

/// A chat message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark<'a> {
    /// Its number.
    pub number: u64,
    /// Who said it, as the page names people to each other.
    pub player: String,
    /// Their name at that time.
    pub name: &'a str,
    /// Whether they sat at the table. Otherwise they were a spectator.
    pub seated: bool,
    /// The text.
    pub text: &'a str,
}

/// What somebody who keeps order at a table can do.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Order {
    /// People who can be muted: their ids and names.
    pub others: Vec<(String, String)>,
    /// People who are muted: their ids and names.
    pub muted: Vec<(String, String)>,
    /// Whether all spectators are muted.
    pub lookers_muted: bool,
}

/// The part of the page where a player leaves the table; empty for spectators.
pub fn leave(frame: &Frame) -> Markup {
    let lang = frame.lang;
    let stand = serde_json::json!({"stand": {}});
    html! {
        div id="leave" {
            @if frame.me.is_some() {
                button type="button" class="grave" data-command=(stand) data-sure=[cost(frame)] { (lang.pick("Leave the table", "Tisch verlassen")) }
            }
        }
    }
}

/// The cost of leaving; nothing before the match, when the player can sit down again.
fn cost(frame: &Frame) -> Option<String> {
    let lang = frame.lang;
    let rematch =
        lang.pick("If you leave, you won't be in the rematch.", "Wenn du gehst, bist du bei der Revanche nicht dabei.");
    let running = match (frame.stage, frame.plays_on) {
        (Stage::Gathering, _) => return None,
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
pub(crate) fn share(link: &str, lang: Lang) -> Markup {
    html! {
        p class="share" {
            button type="button" data-copy=(link) { (lang.pick("Copy link", "Link kopieren")) } " "
            button type="button" data-share=(link) { (lang.pick("Share", "Teilen")) }
        }
    }
}

/// The part of the page with the log.
pub fn log<'a>(lines: impl IntoIterator<Item = (u64, &'a Told)>, lang: Lang) -> Markup {
    html! {
        ol id="log" class="log" tabindex="0" aria-label=(lang.pick("Log", "Protokoll")) {
            @for (number, line) in lines {
                @match line {
                    Told::Deal(deal) => li id={ "told-" (number) } class="deal" { (lang.pick("Deal", "Spiel")) " " (deal) },
                    Told::Line(seat, said) => li id={ "told-" (number) } class=[seat.is_none().then_some("news")] { (said.get(lang)) },
                }
            }
        }
    }
}

/// The part of the page with the chat.
pub fn talk<'a>(remarks: impl IntoIterator<Item = Remark<'a>>, lang: Lang) -> Markup {
    html! {
        ol id="talk" class="talk" tabindex="0" aria-label=(lang.pick("Chat", "Chat")) {
            @for remark in remarks {
                li id={ "said-" (remark.number) } data-player=(remark.player) { strong { (remark.name) }
                    @if !remark.seated { " " small class="dim" { "(" (lang.pick("watching", "schaut zu")) ")" } }
                    " " span { (remark.text) }
                    button type="button" class="mute quiet" data-mute=(remark.player) { (lang.pick("mute", "stumm")) } }
            }
        }
    }
}

/// The part of the page where the owner mutes people; empty for everybody else.
pub fn hush(order: Option<&Order>, lang: Lang) -> Markup {
    let quieten = |player: Option<&str>, muted: bool, label: &str| {
        command(&serde_json::json!({ "mute": { "player": player, "muted": muted } }), label, "quiet")
    };
    html! {
        div id="hush" {
            @if let Some(order) = order {
                details { summary { (lang.pick("Mute for everybody", "Für alle stumm schalten")) }
                    p class="dim" { (lang.pick(
                        "You own this table. People you mute here cannot write in its chat.",
                        "Der Tisch gehört dir. Wen du hier stumm schaltest, der kann hier nichts mehr schreiben.")) }
                    p {
                        @for (player, name) in &order.others { (quieten(Some(player), true, &format!("{} {name}", lang.pick("Mute", "Stumm schalten:")))) " " }
                        @for (player, name) in &order.muted { (quieten(Some(player), false, &format!("{} {name}", lang.pick("Unmute", "Stummschaltung aufheben:")))) " " }
                        @if order.lookers_muted { (quieten(None, false, lang.pick("Unmute all spectators", "Stummschaltung aller Zuschauer aufheben"))) }
                        @else { (quieten(None, true, lang.pick("Mute all spectators", "Alle Zuschauer stumm schalten"))) }
                    }
                }
            }
        }
    }
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
    fn no_rules_have_columns_that_collapse() {
        for game in games::AnyGame::ALL {
            for lang in [Lang::En, Lang::De] {
                let text = games::with_game!(*game, G => rules(<G as crate::Page>::rules(lang)).0);
                assert!(!text.contains("  "), "{}: {text}", game.name());
            }
        }
    }
}
