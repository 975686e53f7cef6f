//! Pages, sockets and the interface for programs, over HTTP.
//!
//! - `identity`: who asks
//! - `guard`: headers of every answer, and where writes may come from
//! - `limits`: how much anybody may ask for
//! - `assets`: style sheets and scripts, embedded
//! - `layout`: what all pages have
//! - `socket`: a table in a browser
//! - `api`: the interface for programs

mod api;
mod assets;
mod guard;
pub(crate) mod identity;
mod layout;
mod limits;
mod socket;
mod table;

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::http::StatusCode;
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::net::TcpListener;

use crate::hub::{Hub, HubError};

pub use limits::Limits;

/// What all requests share. Cheap to clone.
#[derive(Clone)]
pub struct Site(Arc<Inner>);

struct Inner {
    hub: Hub,
    /// What people type to come here, without a slash at the end.
    public: String,
    limits: Limits,
}

impl Site {
    /// A site at this address, as people see it: `https://cards.example.org`.
    pub fn new(hub: Hub, public: &str, limits: Limits) -> Self {
        Self(Arc::new(Inner { hub, public: public.trim_end_matches('/').to_owned(), limits }))
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
}

/// Everything there is to ask for.
pub fn router(site: Site) -> Router {
    Router::new()
        .route("/tables/{id}", get(table::page))
        .route("/tables/{id}/socket", get(socket::open))
        .route("/tables/{id}/openings", get(table::openings))
        .route("/assets/{version}/{name}", get(assets::asset))
        .route("/favicon.ico", get(assets::icon))
        .merge(api::routes())
        .fallback(async || Failure::NotFound)
        .layer(middleware::from_fn_with_state(site.clone(), guard::guard))
        .with_state(site)
}

/// Answers requests until `end`, and then those that are under way.
pub async fn run(
    listener: TcpListener,
    site: Site,
    end: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let service = router(site).into_make_service_with_connect_info::<SocketAddr>();
    axum::serve(listener, service).with_graceful_shutdown(end).await
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
