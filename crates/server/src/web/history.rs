//! The visitor's past matches.

use axum::extract::{Query, State};
use axum::response::Response;
use games::AnyGame;
use maud::{Markup, html};
use serde::Deserialize;

use super::identity::Visitor;
use super::layout::{Sheet, send};
use super::words::{time, title, title_of};
use super::{Failure, Site};
use crate::ids::{PlayerId, TableId};
use crate::store::{Finished, SeatResult};
use page::Lang;
use page::Page;

/// Matches per page.
const ON_A_PAGE: usize = 20;

/// Which matches to show.
#[derive(Deserialize)]
pub(super) struct Wanted {
    game: Option<String>,
    /// Those before this one, as `time-table`.
    before: Option<String>,
}

/// Past matches, the latest first.
pub(super) async fn page(
    State(site): State<Site>,
    visitor: Visitor,
    Query(wanted): Query<Wanted>,
) -> Result<Response, Failure> {
    let lang = visitor.lang;
    let game = wanted.game.as_deref().and_then(AnyGame::from_name);
    let before = wanted.before.as_deref().and_then(place);
    let Past { rows, next: last } = Past::read(&site, visitor.player, game, before).await?;
    let body = html! {
        main class="history" {
            h1 { (lang.pick("Past matches", "Vergangene Partien")) }
            (filter(game, lang))
            @if rows.is_empty() {
                p class="dim" { (lang.pick("Nothing here yet. Matches appear here when they are over.", "Noch nichts da. Hier stehen deine Partien, sobald sie zu Ende sind.")) }
            }
            ul class="rows" { @for (one, all) in &rows { (row(one, all, lang)) } }
            nav class="actions" aria-label=(lang.pick("Pages", "Seiten")) {
                @if before.is_some() { a class="button" href=(address(game, None)) { (lang.pick("Latest", "Neueste")) } }
                @if let Some(last) = &last { a class="button" href=(address(game, Some(last))) { (lang.pick("Older", "Ältere")) } }
            }
        }
    };
    let title = lang.pick("Past matches · fairdeal", "Vergangene Partien · fairdeal");
    Ok(send(&visitor, &Sheet { title, class: "plain", styles: &["lobby.css"], scripts: &["lobby.js"], body }))
}

/// Some matches of a player, with everybody's results.
pub(super) struct Past {
    pub(super) rows: Vec<(Finished, Vec<SeatResult>)>,
    /// Where the list continues, if it does.
    pub(super) next: Option<String>,
}

impl Past {
    pub(super) async fn read(
        site: &Site,
        player: PlayerId,
        game: Option<AnyGame>,
        before: Option<(i64, TableId)>,
    ) -> Result<Self, Failure> {
        let store = site.hub().store();
        let limit = i64::try_from(ON_A_PAGE + 1).unwrap_or(i64::MAX);
        let mut matches = store.finished(&player, game.map(AnyGame::name), before, limit).await?;
        // One more than is shown, to see whether there is a next page.
        let more = matches.len() > ON_A_PAGE;
        matches.truncate(ON_A_PAGE);
        let mut rows = Vec::with_capacity(matches.len());
        for one in matches {
            let all = store.results(one.table).await?;
            rows.push((one, all));
        }
        let next = rows.last().filter(|_| more).map(|(one, _)| format!("{}-{}", one.result.over_at, one.table));
        Ok(Self { rows, next })
    }
}

fn filter(now: Option<AnyGame>, lang: Lang) -> Markup {
    html! {
        nav class="filter" aria-label=(lang.pick("Games", "Spiele")) {
            a href="/history" aria-current=[now.is_none().then_some("page")] { (lang.pick("All", "Alle")) }
            @for game in AnyGame::ALL {
                a href=(address(Some(*game), None)) aria-current=[(now == Some(*game)).then_some("page")] { (title(*game)) }
            }
        }
    }
}

fn row(one: &Finished, all: &[SeatResult], lang: Lang) -> Markup {
    let result = &one.result;
    let counts = AnyGame::from_name(&result.game)
        .map(|game| games::with_game!(game, G => <G as Page>::counts(lang)))
        .unwrap_or_default();
    let mut others: Vec<&SeatResult> = all.iter().collect();
    others.sort_by_key(|other| other.place);
    let place = match lang {
        Lang::En => format!("place {} of {}", result.place, result.players),
        Lang::De => format!("Platz {} von {}", result.place, result.players),
    };
    html! {
        li class="match" {
            div class="what" {
                h2 { (title_of(&result.game)) }
                p class="dim" { (time(result.over_at)) }
            }
            p class="result" {
                strong class=[(result.place == 1).then_some("good")] { (place) } " · " (result.total) " " (counts)
                span class="dim" { " · " (deals(result.deals, lang)) }
            }
            ol class="people" {
                @for other in others { li class=[(other.seat == result.seat).then_some("self")] { span class="name" { (other.place) ". " (other.name) } span class="dim" { " " (other.total) } } }
            }
            p class="actions" {
                a class="button" href={ "/tables/" (one.table) "/replay" } { (lang.pick("Replay", "Ansehen")) }
                a class="button quiet" href={ "/tables/" (one.table) "/record" } download { (lang.pick("Record", "Aufzeichnung")) }
                @if result.game == AnyGame::Holdem.name() {
                    a class="button quiet" href={ "/tables/" (one.table) "/hands.phh" } download { "PHH" }
                    a class="button quiet" href={ "/tables/" (one.table) "/hands.txt" } download { "PokerStars" }
                }
            }
        }
    }
}

fn deals(count: i64, lang: Lang) -> String {
    match (count, lang) {
        (1, lang) => lang.pick("1 deal", "1 Spiel").to_owned(),
        (count, Lang::En) => format!("{count} deals"),
        (count, Lang::De) => format!("{count} Spiele"),
    }
}

fn address(game: Option<AnyGame>, before: Option<&str>) -> String {
    let game = game.map(|game| format!("game={}", game.name()));
    let before = before.map(|before| format!("before={before}"));
    let query: Vec<String> = game.into_iter().chain(before).collect();
    if query.is_empty() { "/history".to_owned() } else { format!("/history?{}", query.join("&")) }
}

/// Where a page of the list ended.
pub(super) fn place(text: &str) -> Option<(i64, TableId)> {
    let (time, table) = text.split_once('-')?;
    Some((time.parse().ok()?, table.parse().ok()?))
}
