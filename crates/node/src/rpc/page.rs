//! A page about the node, for a browser: how far it is, who decides, who plays, and hands to download.

use core::net::SocketAddr;
use core::sync::atomic::Ordering;

use axum::extract::{ConnectInfo, Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use chain::dealer::CourseKey;
use chain::staking::{self, Standing, ValidatorOf};
use chain::tables::{self, Phase, RingOf};
use chain::{Address, Export, hex};
use jiff::Timestamp;
use maud::{DOCTYPE, Markup, html};

use super::Site;
use super::limits::Kind;
use crate::core::Shared;
use crate::disk::DiskError;

/// The most rows of each list.
const ROWS: usize = 100;
/// The last hands of each table.
const HANDS: usize = 5;
/// How often the page is loaded again, in seconds.
const AGAIN: u8 = 10;

const STYLE: &str = "\
:root{color-scheme:light dark}\
body{font:16px/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem}\
h1{margin-bottom:0}h2{margin-top:2rem}\
table{border-collapse:collapse;width:100%}\
th,td{text-align:left;padding:.3rem .8rem .3rem 0;border-bottom:1px solid #8884;vertical-align:top}\
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}\
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1.5rem}\
dt{opacity:.7}dd{margin:0;overflow-wrap:anywhere}\
code{font-size:.9em;overflow-wrap:anywhere}\
.wide{overflow-x:auto}footer{margin-top:3rem;opacity:.7}";

/// Nothing is loaded from anywhere, and nothing runs.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// The page.
pub(super) async fn about(State(site): State<Site>, ConnectInfo(from): ConnectInfo<SocketAddr>) -> Response {
    if let Some(refused) = site.refuse(from) {
        return refused;
    }
    let (shared, name) = (site.shared.clone(), site.name.clone());
    match site.limits.work(Kind::Asking, move || page(&shared, &name)).await {
        Some(Ok(page)) => {
            let headers = [
                (header::CONTENT_SECURITY_POLICY, POLICY),
                (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
                (header::REFERRER_POLICY, "no-referrer"),
            ];
            (headers, page).into_response()
        }
        Some(Err(why)) => broken(&site, &why),
        None => (StatusCode::INTERNAL_SERVER_ERROR, "the page cannot be shown\n").into_response(),
    }
}

/// A hand, as `fairdeal verify` reads it.
pub(super) async fn hand(
    State(site): State<Site>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    Path((table, hand)): Path<(u64, u32)>,
) -> Response {
    if let Some(refused) = site.refuse(from) {
        return refused;
    }
    let shared = site.shared.clone();
    let found = site.limits.work(Kind::Asking, move || shared.disk().hand(table, hand)).await;
    let export = match found {
        Some(Ok(export)) => export.and_then(|bytes| borsh::from_slice::<Export>(&bytes).ok()),
        Some(Err(why)) => return broken(&site, &why),
        None => None,
    };
    match export {
        Some(export) => {
            let name = format!("attachment; filename=\"table-{table}-hand-{hand}.json\"");
            let headers = [(header::CONTENT_TYPE, "application/json".to_owned()), (header::CONTENT_DISPOSITION, name)];
            (headers, export.to_text()).into_response()
        }
        None => {
            let why = format!("this node has no hand {hand} of table {table}\n");
            (StatusCode::NOT_FOUND, why).into_response()
        }
    }
}

fn broken(site: &Site, why: &DiskError) -> Response {
    site.shared.counts.disk_error();
    tracing::error!(%why, "a page cannot be shown");
    (StatusCode::INTERNAL_SERVER_ERROR, "the node cannot read its own data\n").into_response()
}

fn page(shared: &Shared, name: &str) -> Result<Markup, DiskError> {
    let state = shared.state();
    let (tip, store) = (state.tip(), state.store());
    let epoch = store.get(&CourseKey()).and_then(|course| course.current);
    let (duties, ordinary) = shared.waiting();
    let deciding = staking::validators(store);
    let peers = shared.counts.peers.load(Ordering::Relaxed);
    let mut hands = Vec::new();
    for (RingOf(table), _) in store.all::<RingOf>().take(ROWS) {
        for hand in shared.disk().last_hands(table, HANDS)? {
            hands.push((table, hand));
        }
    }
    Ok(html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="refresh" content=(AGAIN);
                title { (name) " – block " (tip.height) }
                style { (maud::PreEscaped(STYLE)) }
            }
            body {
                h1 { (name) }
                p { "A node of the poker chain " strong { (shared.genesis.name) } "." }
                main {
                    dl {
                        dt { "Block" } dd { (tip.height) }
                        dt { "Time" } dd { (time(tip.time)) }
                        dt { "Epoch" } dd { @match epoch { Some(epoch) => (epoch), None => "the first keys are being made" } }
                        dt { "Peers" } dd { (peers) }
                        dt { "Waiting" } dd { (duties) " duties, " (ordinary) " other transactions" }
                        dt { "Chain" } dd { code { (hex(&tip.chain)) } }
                        dt { "Root" } dd { code { (hex(&store.root())) } }
                    }
                    h2 { "Validators" }
                    div.wide { table {
                        thead { tr { th scope="col" { "Key" } th.n scope="col" { "Stake" } th scope="col" { "Standing" } } }
                        tbody { @for (ValidatorOf(consensus), validator) in store.all::<ValidatorOf>().take(ROWS) { tr {
                            td { code { (consensus) } }
                            td.n { (validator.stake) }
                            td { (standing(validator.standing, deciding.iter().any(|(one, _)| *one == consensus))) }
                        } } }
                    } }
                    h2 { "Tables" }
                    @if store.all::<RingOf>().next().is_none() { p { "There are no tables yet." } } @else { div.wide { table {
                        thead { tr {
                            th.n scope="col" { "Table" } th scope="col" { "Name" } th scope="col" { "Blinds" }
                            th scope="col" { "Players" } th scope="col" { "Now" }
                        } }
                        tbody { @for (RingOf(number), ring) in store.all::<RingOf>().take(ROWS) { tr {
                            td.n { (number) }
                            td { (ring.terms.label) }
                            td { (ring.terms.small_blind) "/" (ring.terms.big_blind) }
                            td { @for (seat, player) in ring.players() {
                                "Seat " (seat.index() + 1) ": " code { (short(&player.address)) } ", "
                                (tables::stack(store, number, seat)) br;
                            } }
                            td { (tables::phase(store, number).map_or("waiting for players", phase)) }
                        } } }
                    } } }
                    h2 { "Last hands" }
                    @if hands.is_empty() { p { "No hand has ended yet." } } @else {
                        p { "Each file has everything that proves the hand: " code { "fairdeal verify FILE" } " checks it offline." }
                        ul { @for (table, hand) in &hands {
                            li { a href=(format!("/hands/{table}/{hand}")) download { "Table " (table) ", hand " (hand) } }
                        } }
                    }
                }
                footer { "This page is loaded again every " (AGAIN) " seconds. " a href="/metrics" { "Figures for Prometheus" } }
            }
        }
    })
}

fn time(millis: u64) -> String {
    let at = i64::try_from(millis / 1_000).ok().and_then(|seconds| Timestamp::from_second(seconds).ok());
    at.map_or_else(|| "unknown".to_owned(), |at| at.to_string())
}

/// The beginning of an address, and its end.
fn short(address: &Address) -> String {
    let text = address.to_string();
    let (begin, end) =
        (text.get(..10).unwrap_or_default(), text.get(text.len().saturating_sub(4)..).unwrap_or_default());
    format!("{begin}…{end}")
}

fn standing(standing: Standing, decides: bool) -> String {
    match standing {
        Standing::Free if decides => "decides blocks".to_owned(),
        Standing::Free => "not among those with the most stake".to_owned(),
        Standing::Silenced { until } => format!("was silent; can be released at {} of the game clock", clock(until)),
        Standing::Jailed { until } => format!("was at fault; can be released at {} of the game clock", clock(until)),
        Standing::Removed => "removed".to_owned(),
    }
}

/// The game clock in hours, minutes and seconds.
fn clock(millis: u64) -> String {
    let seconds = millis / 1_000;
    format!("{}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60)
}

const fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::HandInit => "a hand is about to begin",
        Phase::Shuffle => "a deck is being shuffled",
        Phase::DealHole => "hole cards are being dealt",
        Phase::PreflopBetting => "betting before the flop",
        Phase::FlopReveal => "the flop is being opened",
        Phase::FlopBetting => "betting after the flop",
        Phase::TurnReveal => "the turn is being opened",
        Phase::TurnBetting => "betting after the turn",
        Phase::RiverReveal => "the river is being opened",
        Phase::RiverBetting => "betting after the river",
        Phase::Showdown => "showdown",
        Phase::HandComplete => "a hand is over",
    }
}
