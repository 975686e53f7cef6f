//! Before the match: who sits where, and how to invite others.

use ::table::Value as _;
use bots::Kind;
use maud::{Markup, html};

use crate::felt::{avatar, command, not_here};
use crate::{Frame, Lang, Who, beside, level};

/// The seats, what can be done before the match, and the invitation.
pub(crate) fn gathering(frame: &Frame) -> Markup {
    let lang = frame.lang;
    let empty = frame.chairs.iter().any(|chair| chair.who == Who::Nobody);
    html! {
        div class="gathering" {
            ol class="chairs" {
                @for (seat, chair) in frame.seats() {
                    li id={ "chair-" (seat.index()) } class="chair" {
                        @if chair.who != Who::Nobody {
                            (avatar(chair))
                            span class="name" { (chair.name)
                                @if let Some(kind) = chair.computer() { span class="dim" { " · " (level(kind, lang)) } }
                                @if frame.me == Some(seat) { span class="dim" { " · " (lang.pick("you", "du")) } }
                                @if chair.absent { span class="dim" { " · " (not_here(lang)) } }
                            }
                            @if frame.owns && chair.computer().is_some() {
                                (command(&serde_json::json!({"computer": {"seat": seat, "level": null}}), lang.pick("Remove", "Entfernen"), "quiet"))
                            } @else if frame.owns && frame.me != Some(seat) {
                                (command(&serde_json::json!({"free": {"seat": seat}}), lang.pick("Free this seat", "Platz freimachen"), "quiet"))
                            }
                        } @else {
                            span class="name dim" { (lang.pick("empty", "frei")) }
                            @if frame.me.is_none() {
                                (command(&serde_json::json!({"sit": {"seat": seat, "seeds": true}}), lang.pick("Sit down", "Hinsetzen"), "main"))
                            }
                            @if frame.owns {
                                span class="levels" {
                                    (lang.pick("Computer:", "Computer:"))
                                    @for kind in [Kind::Easy, Kind::Normal, Kind::Hard] {
                                        (command(&serde_json::json!({"computer": {"seat": seat, "level": kind.text()}}), &level(kind, lang), "quiet"))
                                    }
                                }
                            }
                        }
                    }
                }
            }
            div class="actions" {
                @if frame.owns {
                    @if !empty {
                        (command(&serde_json::json!({"start": {}}), lang.pick("Start the match", "Partie beginnen"), "main start"))
                        @if frame.chairs.iter().any(|chair| chair.absent) {
                            span class="dim" { (lang.pick("A player is not here yet. If you start now, their clock runs anyway.", "Es sind noch nicht alle da. Wenn du jetzt beginnst, läuft ihre Zeit trotzdem.")) }
                        }
                    } @else {
                        span class="dim" { (lang.pick("The match can begin when every seat is taken.", "Die Partie kann beginnen, wenn jeder Platz besetzt ist.")) }
                    }
                } @else if frame.me.is_some() {
                    span class="dim" { (waiting_for_start(frame)) }
                    @if let Some(alone) = &frame.links.alone {
                        form method="post" action=(alone) {
                            input type="hidden" name="game" value=(frame.game.name());
                            button class="quiet" name="alone" value="yes" { (lang.pick("Play against computers now", "Jetzt gegen Computer spielen")) }
                        }
                    }
                }
                @if frame.me.is_some() { (command(&serde_json::json!({"stand": {}}), lang.pick("Stand up", "Aufstehen"), "quiet")) }
            }
            @if let Some(invite) = &frame.links.invite {
                section class="invite" {
                    h2 { (lang.pick("Invite friends", "Freunde einladen")) }
                    @if let Some(code) = &invite.code { p { (lang.pick("Code", "Code")) " " strong class="code" { (code) } } }
                    p { a href=(invite.link) { (invite.link) } }
                    (beside::share(&invite.link, lang))
                    img class="qr" src=(invite.picture) width="180" height="180" alt=(lang.pick("The address as a QR code", "Die Adresse als QR-Code"));
                }
            }
        }
    }
}

/// The player who can start the match, for those who cannot.
fn waiting_for_start(frame: &Frame) -> String {
    match (frame.owner.map(|owner| frame.name(owner)), frame.lang) {
        (Some(owner), Lang::En) => format!("Waiting for {owner} to start the match …"),
        (Some(owner), Lang::De) => format!("Warten, bis {owner} die Partie beginnt …"),
        (None, lang) => lang.pick("Waiting for the match to start …", "Warten auf den Beginn …").to_owned(),
    }
}
