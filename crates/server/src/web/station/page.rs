//! The boards, for people.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use games::AnyGame;
use maud::{Markup, html};
use results::{Callsign, Leaderboard, Row};

use super::{counter, game, path};
use crate::web::identity::Visitor;
use crate::web::layout::{Sheet, send};
use crate::web::words::{time, title};
use crate::web::{Failure, Site};
use page::Lang;

/// How many players of each game the first page shows, and how many the page of a game.
const BEST: usize = 3;
const MOST: usize = 1000;

/// All games with their best players.
pub(super) async fn all(State(site): State<Site>, visitor: Visitor) -> Result<Response, Failure> {
    let counter = counter(&site)?;
    let mut boards = Vec::new();
    for game in AnyGame::ALL {
        boards.push(counter.board(*game).await?);
    }
    let lang = visitor.lang;
    let (played, rest): (Vec<_>, Vec<_>) = boards.into_iter().partition(|board| !board.rows().is_empty());
    let key = counter.station.key();
    let callsign = Callsign::of_station(&key).to_string();
    let body = html! {
        main class="station" {
            h1 { (lang.pick("Leaderboards", "Bestenlisten")) }
            p class="dim" { (lang.pick(
                "Only results that all players have signed count, each match once.",
                "Es zählen nur Ergebnisse, die alle unterschrieben haben, jede Partie einmal.",
            )) }
            p class="dim" { (believed(counter.station.is_closed(), lang)) }
            @if played.is_empty() {
                p { (lang.pick("No results yet.", "Noch keine Ergebnisse.")) }
            }
            div class="boards" { @for board in &played { (card(board, lang)) } }
            @if !rest.is_empty() && !played.is_empty() {
                p class="dim" { (lang.pick("No results yet: ", "Noch keine Ergebnisse: ")) (names(&rest)) }
            }
            (about(&callsign, &key.npub(), lang))
        }
    };
    let title = lang.pick("Leaderboards · fairdeal", "Bestenlisten · fairdeal");
    Ok(send(
        &visitor,
        &Sheet { title, class: "plain", styles: &["lobby.css", "station.css"], scripts: &["lobby.js"], body },
    ))
}

/// The board of one game; with `.txt`, the file that the station has signed.
pub(super) async fn one(
    State(site): State<Site>,
    visitor: Visitor,
    Path(name): Path<String>,
) -> Result<Response, Failure> {
    let counter = counter(&site)?;
    if let Some(name) = name.strip_suffix(".txt") {
        let board = counter.board(game(name)?).await?;
        return Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], board.text()).into_response());
    }
    let board = counter.board(game(&name)?).await?;
    let (lang, game) = (visitor.lang, title(board.game()));
    let rows = board.rows();
    let body = html! {
        main class="station one" {
            p { a href="/station" { (lang.pick("All leaderboards", "Alle Bestenlisten")) } }
            h1 { (game) }
            @if rows.is_empty() {
                p { (lang.pick("No results yet.", "Noch keine Ergebnisse.")) }
            } @else {
                (table(rows.iter().take(MOST), lang))
                @if rows.len() > MOST { p class="dim" { (more(rows.len(), lang)) } }
                p class="dim" { (lang.pick("Updated ", "Stand: ")) (updated(&board)) }
                p class="actions" {
                    a class="button quiet" href={ (path(board.game())) ".txt" } { (lang.pick("Signed file", "Signierte Datei")) }
                }
            }
        }
    };
    let title = format!("{game} · {}", lang.pick("Leaderboard", "Bestenliste"));
    Ok(send(
        &visitor,
        &Sheet { title: &title, class: "plain", styles: &["lobby.css", "station.css"], scripts: &["lobby.js"], body },
    ))
}

/// The way to the boards, for the lobby.
pub(in crate::web) fn link(lang: Lang) -> Markup {
    html! {
        section aria-labelledby="station" {
            h2 id="station" { (lang.pick("Leaderboards", "Bestenlisten")) }
            p { a href="/station" { (lang.pick("Who wins how often in matches that all players have signed", "Wer wie oft gewinnt, in Partien, die alle unterschrieben haben")) } }
        }
    }
}

fn card(board: &Leaderboard, lang: Lang) -> Markup {
    let game = title(board.game());
    let players = board.rows().len();
    let all = match (players, lang) {
        (1, lang) => lang.pick("1 player", "1 Person").to_owned(),
        (_, Lang::En) => format!("All {players} players"),
        (_, Lang::De) => format!("Alle {players} Personen"),
    };
    html! {
        section class="board" {
            h2 { a href=(path(board.game())) { (game) } }
            (table(board.rows().iter().take(BEST), lang))
            p { a href=(path(board.game())) aria-label={ (game) ": " (all) } { (all) } }
        }
    }
}

fn table<'a>(rows: impl Iterator<Item = &'a Row>, lang: Lang) -> Markup {
    html! {
        table {
            thead { tr {
                th scope="col" class="number" { (lang.pick("Rank", "Platz")) }
                th scope="col" { (lang.pick("Player", "Name")) }
                th scope="col" class="number" { (lang.pick("Won", "Siege")) }
                th scope="col" class="number" { (lang.pick("Lost", "Verloren")) }
                th scope="col" class="number" { (lang.pick("Rate", "Quote")) }
            } }
            tbody { @for (rank, row) in (1..).zip(rows) {
                tr {
                    td class="number" { (rank) }
                    th scope="row" { (row.callsign) }
                    td class="number" { (row.wins) }
                    td class="number" { (row.losses) }
                    td class="number" { (rate(row, lang)) }
                }
            } }
        }
    }
}

/// The rate of wins in percent.
fn rate(row: &Row, lang: Lang) -> String {
    let (whole, tenth) = (row.rate() / 10, row.rate() % 10);
    match lang {
        Lang::En => format!("{whole}.{tenth}%"),
        Lang::De => format!("{whole},{tenth}\u{a0}%"),
    }
}

fn updated(board: &Leaderboard) -> Markup {
    time(i64::try_from(board.updated().seconds()).unwrap_or(0).saturating_mul(1000))
}

fn more(count: usize, lang: Lang) -> String {
    match lang {
        Lang::En => format!("These are the first {MOST} of {count} players; the signed file has all."),
        Lang::De => format!("Das sind die ersten {MOST} von {count}; in der signierten Datei stehen alle."),
    }
}

fn names(boards: &[Arc<Leaderboard>]) -> String {
    boards.iter().map(|board| title(board.game())).collect::<Vec<_>>().join(", ")
}

/// What the boards are worth. Signatures show which keys played, not which people.
const fn believed(closed: bool, lang: Lang) -> &'static str {
    if closed {
        lang.pick(
            "Only players whom this station knows are ranked.",
            "Gewertet werden nur Leute, die diese Station kennt.",
        )
    } else {
        lang.pick(
            "Anybody can take part, and nobody checks who is behind a name: one person can have several.",
            "Alle können mitmachen, und niemand prüft, wer hinter einem Namen steckt: Eine Person kann mehrere haben.",
        )
    }
}

/// Who the station is, and how to take part.
fn about(callsign: &str, npub: &str, lang: Lang) -> Markup {
    html! {
        section aria-labelledby="about" class="about" {
            h2 id="about" { (lang.pick("This station", "Diese Station")) }
            dl {
                dt { (lang.pick("Callsign", "Rufzeichen")) } dd { (callsign) }
                dt { (lang.pick("Public key", "Öffentlicher Schlüssel")) } dd class="key" { code { (npub) } }
            }
            p { (lang.pick(
                "After a private match, send the result from its page, or your results with the program: ",
                "Nach einer privaten Partie schickst du das Ergebnis von ihrer Seite hierher, oder deine Ergebnisse mit dem Programm: ",
            )) code { "fairdeal results publish " (lang.pick("ADDRESS", "ADRESSE")) } }
        }
    }
}
