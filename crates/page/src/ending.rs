//! How a deal, or the match, ended.

use ::table::{Seat, Seats};
use maud::{Markup, html};

use crate::felt::{command, waiting};
use crate::{Ending, Frame, Next, Shown, Stage, ties};

/// How a deal, or the match, ended.
pub(crate) fn end(frame: &Frame, shown: &Shown, ending: &Ending) -> Markup {
    let (lang, links) = (frame.lang, &frame.links);
    let over = frame.stage == Stage::Over;
    let mut order: Vec<Seat> = Seats::first(u8::try_from(frame.chairs.len()).unwrap_or(u8::MAX)).iter().collect();
    order.retain(|seat| !frame.name(*seat).is_empty());
    order.sort_by_key(|seat| ending.standing.place[*seat]);
    html! {
        section id="ending" class="ending" aria-live="polite" {
            h2 { @if over { (lang.pick("The match is over", "Die Partie ist zu Ende")) } @else { (lang.pick("Deal", "Spiel")) " " (ending.deal) (lang.pick(" is over", " ist zu Ende")) } }
            @if over { p class="winner" { (winner(frame, ending)) } }
            @if let Some(next) = &links.next { (invitation(frame, next)) }
            // After a match people first want to see the ranking, after a deal what happened in it.
            @if !over { div class="summary" { (ending.summary) } }
            table {
                thead { tr { th { (lang.pick("Place", "Platz")) } th { (lang.pick("Player", "Spieler")) } th { (lang.pick("This deal", "Dieses Spiel")) } th { (shown.counts) } } }
                tbody {
                    @for seat in order {
                        tr class=[frame.me.filter(|me| *me == seat).map(|_| "me")] {
                            td { (ending.standing.place[seat]) "." }
                            td { (frame.name(seat))
                                @for (_, tie) in ending.ties.iter().filter(|(ahead, _)| *ahead == seat) { span class="tie" { (ties::text(*tie, lang)) } } }
                            td { (signed(ending.outcome.result[seat].0)) }
                            td { (ending.standing.total[seat]) }
                        }
                    }
                }
            }
            @if over { div class="summary" { (ending.summary) } }
            div class="actions" {
                @if over {
                    @if let Some(rematch) = links.rematch.as_ref().filter(|_| links.next.is_none() && frame.me.is_some()) {
                        form method="post" action=(rematch) { button class="main" { (lang.pick("Rematch", "Revanche")) } }
                    }
                    @if let Some(replay) = &links.replay { a class="button" href=(replay) { (lang.pick("Replay", "Noch einmal ansehen")) } }
                    @if let Some(lobby) = &links.lobby { a class="button" href=(lobby) { (lang.pick("Back to the lobby", "Zur Lobby")) } }
                } @else if let Some(seat) = frame.me {
                    @if frame.ready.contains(seat) {
                        span class="dim" { (waiting(frame)) }
                    } @else {
                        (command(&serde_json::json!({"ready": {"deal": ending.deal}}), lang.pick("Next deal", "Nächstes Spiel"), "main ready"))
                    }
                }
                button type="button" class="quiet" data-verify="" { (lang.pick("Verify", "Nachprüfen")) }
            }
        }
    }
}

/// The winner of the match.
fn winner(frame: &Frame, ending: &Ending) -> String {
    let (winners, lang) = (ending.standing.winners(), frame.lang);
    let names = winners.iter().map(|seat| frame.name(seat)).collect::<Vec<_>>().join(lang.pick(" and ", " und "));
    match (winners.only(), frame.me) {
        (Some(winner), Some(me)) if winner == me => lang.pick("You win!", "Du hast gewonnen.").to_owned(),
        (Some(_), _) => format!("{names} {}", lang.pick("wins.", "hat gewonnen.")),
        (None, _) if names.is_empty() => lang.pick("Nobody wins.", "Niemand hat gewonnen.").to_owned(),
        (None, _) => format!("{names} {}", lang.pick("share the win.", "haben gemeinsam gewonnen.")),
    }
}

/// A player wants a rematch. Nobody is moved there automatically: viewers of the result go when they like.
fn invitation(frame: &Frame, next: &Next) -> Markup {
    let lang = frame.lang;
    let asker = next.asker.filter(|seat| frame.me != Some(*seat)).map(|seat| frame.name(seat));
    html! {
        p id="next" class="next" {
            @if let Some(asker) = asker {
                span { strong { (asker) } " " (lang.pick("wants to play again.", "möchte noch einmal spielen.")) }
            }
            a class="button main" href=(next.address) { (lang.pick("Go to the next match", "Zur nächsten Partie")) }
        }
    }
}

fn signed(number: i64) -> String {
    if number > 0 { format!("+{number}") } else { number.to_string().replace('-', "−") }
}
