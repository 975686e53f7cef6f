//! Pages, sockets and the interface for programs, over HTTP.
//!
//! - `identity`: who asks
//! - `guard`: headers of every answer, and where writes may come from
//! - `limits`: how much anybody may ask for
//! - `listening`: connections
//! - `assets`: style sheets and scripts, embedded
//! - `layout`: what all pages have
//! - `lobby`: which tables there are; joining one
//! - `board`: the list of tables while somebody looks at it
//! - `new`: making one
//! - `invite`: the way to a table as a picture, and on to the next match
//! - `table`, `socket`: a table in a browser
//! - `talk`: what sockets of browsers and of programs have in common
//! - `me`: the visitor himself, and how he wants things to look
//! - `history`, `replay`, `record`: what was played
//! - `address`: where a request comes from
//! - `health`: what operators ask
//! - `words`: what several pages say
//! - `api`: the interface for programs

mod address;
mod api;
mod assets;
mod board;
mod guard;
mod health;
mod history;
pub(crate) mod identity;
mod invite;
mod layout;
mod limits;
mod listening;
mod lobby;
mod me;
mod new;
mod record;
mod replay;
mod socket;
mod table;
mod talk;
mod words;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};

use crate::hub::{Hub, HubError};

pub use limits::Limits;
pub use listening::run;

/// The longest form that anybody may send, in bytes.
const LONGEST_FORM: usize = 32 << 10;

/// What all requests share. Cheap to clone.
#[derive(Clone)]
pub struct Site(Arc<Inner>);

struct Inner {
    hub: Hub,
    /// What people type to come here, without a slash at the end.
    public: String,
    limits: Limits,
    /// May everybody see what is counted?
    shows_metrics: AtomicBool,
}

impl Site {
    /// A site at this address, as people see it: `https://cards.example.org`.
    pub fn new(hub: Hub, public: &str, limits: Limits) -> Self {
        let public = public.trim_end_matches('/').to_owned();
        Self(Arc::new(Inner { hub, public, limits, shows_metrics: AtomicBool::new(false) }))
    }

    /// From now on `/metrics` is for everybody, not only for this machine.
    pub fn show_metrics(&self) {
        self.0.shows_metrics.store(true, Ordering::Relaxed);
    }

    pub(crate) fn shows_metrics(&self) -> bool {
        self.0.shows_metrics.load(Ordering::Relaxed)
    }

    pub(crate) fn hub(&self) -> &Hub {
        &self.0.hub
    }

    pub(crate) fn public(&self) -> &str {
        &self.0.public
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.0.limits
    }

    /// May somebody at this address make another table?
    pub(crate) fn may_open(&self, from: address::Address) -> Result<(), Failure> {
        if self.limits().table(from.0) {
            return Ok(());
        }
        self.hub().metrics().limited.inc();
        Err(Failure::TooMany)
    }
}

/// Everything there is to ask for.
pub fn router(site: Site) -> Router {
    Router::new()
        .route("/", get(lobby::page))
        .route("/lobby/socket", get(board::open))
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
        .fallback(async || Failure::NotFound)
        .layer(DefaultBodyLimit::max(LONGEST_FORM))
        .layer(middleware::from_fn_with_state(site.clone(), guard::guard))
        .with_state(site)
}

/// Why a request is not answered as it was meant.
#[derive(Debug)]
pub(crate) enum Failure {
    /// There is no such thing.
    NotFound,
    /// It makes no sense; what was expected.
    Bad(String),
    /// It comes from another site.
    Foreign,
    /// Nobody in particular asks for what only a player may do.
    NoPlayer,
    /// There were too many.
    TooMany,
    /// The table or its store says no.
    Hub(HubError),
}

impl From<HubError> for Failure {
    fn from(why: HubError) -> Self {
        match why {
            HubError::NoTable => Self::NotFound,
            other => Self::Hub(other),
        }
    }
}

impl From<crate::store::StoreError> for Failure {
    fn from(why: crate::store::StoreError) -> Self {
        Self::Hub(why.into())
    }
}

impl Failure {
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Self::NotFound | Self::Hub(HubError::NoTable) => StatusCode::NOT_FOUND,
            Self::Bad(_) => StatusCode::BAD_REQUEST,
            Self::Foreign => StatusCode::FORBIDDEN,
            Self::NoPlayer => StatusCode::UNAUTHORIZED,
            Self::TooMany | Self::Hub(HubError::TooMany) => StatusCode::TOO_MANY_REQUESTS,
            Self::Hub(HubError::Refused(_)) => StatusCode::CONFLICT,
            Self::Hub(HubError::Unavailable(_)) => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    pub(crate) fn text(&self, lang: crate::lang::Lang) -> String {
        match self {
            Self::NotFound | Self::Hub(HubError::NoTable) => {
                lang.pick("There is nothing here.", "Hier ist nichts.").to_owned()
            }
            Self::Bad(what) => what.clone(),
            Self::Foreign => lang.pick("This came from another site.", "Das kam von einer anderen Seite.").to_owned(),
            Self::NoPlayer => lang
                .pick(
                    "Nobody knows who asks: a player's key is expected.",
                    "Niemand weiß, wer fragt: Der Schlüssel eines Spielers wird erwartet.",
                )
                .to_owned(),
            Self::TooMany | Self::Hub(HubError::TooMany) => {
                lang.pick("That was too much at once. Try again later.", "Das war zu viel auf einmal. Versuche es später noch einmal.").to_owned()
            }
            Self::Hub(HubError::Refused(why)) => why.say(lang),
            Self::Hub(HubError::Unavailable(_)) => lang
                .pick(
                    "Nothing can be stored at the moment, so nothing was done. Try again soon.",
                    "Im Moment kann nichts gespeichert werden, also ist nichts geschehen. Versuche es bald noch einmal.",
                )
                .to_owned(),
        }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        if let Self::Hub(HubError::Unavailable(why)) = &self {
            tracing::error!(%why, "a request could not be served");
        }
        (self.status(), layout::failure(&self)).into_response()
    }
}
