//! Pages, sockets and the API for programs, over HTTP.
//!
//! - `site`: what all requests share
//! - `failure`: why a request fails
//! - `identity`: who makes a request
//! - `guard`: headers of every response, and where writes may come from
//! - `limits`: how much each client may ask for
//! - `listening`: connections
//! - `patience`: how long the server waits for clients
//! - `apart`: long-running work
//! - `assets`: style sheets and scripts, embedded
//! - `layout`: the layout that all pages share
//! - `lobby`: the list of tables; joining one
//! - `board`: the list of tables while a visitor looks at it
//! - `chain`: the tables of a poker chain, whose turn it is there, and playing there in the browser
//! - `new`: creating one
//! - `invite`: invitations as QR codes, and the way to the next match
//! - `table`, `socket`: a table in a browser
//! - `talk`: what the sockets of browsers and programs have in common
//! - `me`: the visitor's profile and display preferences
//! - [`module`]: WebAssembly modules, embedded
//! - `history`, `replay`, `record`: past matches
//! - `stopped`: the page of a table with other rules
//! - `address`: where a request comes from
//! - `here`: the name of this site
//! - `health`: pages for operators
//! - `words`: texts that several pages share
//! - `whole`: whole numbers, no matter how they are written
//! - `api`: the API for programs
//! - `station`: leaderboards, and results that people send
//! - `solo`: tables for one person, which need no server once they are loaded
//! - `private`: private tables: their sockets, and a page for people who click a link

mod address;
mod apart;
mod api;
mod assets;
mod board;
mod chain;
mod failure;
mod fairness;
mod guard;
mod health;
mod here;
mod history;
pub(crate) mod identity;
mod invite;
mod layout;
mod limits;
mod listening;
mod lobby;
mod me;
pub mod module;
mod new;
mod patience;
mod private;
mod record;
mod replay;
mod seeds;
mod site;
mod socket;
mod solo;
mod station;
mod stopped;
mod table;
mod talk;
mod whole;
mod words;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware;
use axum::routing::{get, post};

#[cfg(any(test, feature = "laws"))]
use crate::ids::{Code, TableId};

pub use address::{Network, NotANetwork, Proxies};
pub use assets::assets;
pub(crate) use failure::Failure;
pub use guard::{POLICY, policy_of};
pub use here::{NotPublic, PublicUrl};
pub use limits::Limits;
pub use listening::run;
pub use patience::Patience;
pub use private::serve as serve_private;
pub(crate) use site::Found;
pub use site::Site;
pub use solo::{MANIFEST, served as solo_files};

/// The longest form that can be sent, in bytes.
const LONGEST_FORM: usize = 32 << 10;

/// All routes.
pub fn router(site: Site) -> Router {
    Router::new()
        .route("/", get(lobby::page))
        .route("/lobby/socket", get(board::open))
        .route("/chain", get(chain::page))
        .route("/chain/socket", get(chain::open))
        .route("/chain/play", get(chain::play::list))
        .route("/chain/table/{number}", get(chain::play::table))
        .route("/ws", get(chain::node::open))
        .route("/quick", post(lobby::quick))
        .route("/join", post(lobby::join))
        .route("/join/{code}", get(lobby::joined))
        .route("/new", get(new::choose).post(new::make))
        .route("/new/{game}", get(new::page))
        .route("/me", get(me::page).post(me::save))
        .route("/me/key", post(me::show_key))
        .route("/me/enter", post(me::enter))
        .route("/look", post(me::look))
        .route("/history", get(history::page))
        .route("/tables/{id}", get(table::page))
        .route("/tables/{id}/socket", get(socket::open))
        .route("/tables/{id}/openings", get(table::openings))
        .route("/tables/{id}/qr.svg", get(invite::qr))
        .route("/tables/{id}/again", post(invite::again))
        .route("/tables/{id}/sit", post(lobby::sit))
        .route("/tables/{id}/replay", get(replay::page))
        .route("/tables/{id}/record", get(record::download))
        .route("/tables/{id}/hands.phh", get(record::phh))
        .route("/tables/{id}/hands.txt", get(record::pokerstars))
        .route("/healthz", get(health::health))
        .route("/metrics", get(health::metrics))
        .route("/assets/{version}/{name}", get(assets::asset))
        .route("/favicon.ico", get(assets::icon))
        .merge(api::routes())
        .merge(station::routes())
        .merge(private::routes())
        .merge(private::ways())
        .merge(solo::routes())
        .fallback(async || Failure::NotFound)
        .layer(DefaultBodyLimit::max(LONGEST_FORM))
        .layer(middleware::from_fn_with_state(site.clone(), guard::guard))
        .with_state(site)
}

/// Only what private tables need, for a player's own computer.
fn private_router(site: Site) -> Router {
    Router::new()
        .route("/assets/{version}/{name}", get(assets::asset))
        .route("/favicon.ico", get(assets::icon))
        .merge(private::routes())
        .merge(api::private_routes())
        .fallback(async || Failure::NotFound)
        .layer(middleware::from_fn_with_state(site.clone(), guard::guard))
        .with_state(site)
}

/// Reads a text with every decoder for client input.
#[cfg(any(test, feature = "laws"))]
pub(crate) fn decode(text: &str) {
    api::decode(text);
    socket::decode(text);
    identity::decode(text);
    let _ = (history::place(text), here::host_of(text), text.parse::<PublicUrl>(), text.parse::<Network>());
    let _ = (text.parse::<Code>(), text.parse::<TableId>(), page::Lang::preferred(text));
}

/// A text in the form that the JSON decoders get.
#[cfg(any(test, feature = "laws"))]
pub(crate) fn decoded_numbers(text: &str) -> std::borrow::Cow<'_, str> {
    whole::whole(text)
}
