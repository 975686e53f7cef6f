//! Pages, sockets and the interface for programs, over HTTP.
//!
//! - `identity`: who asks
//! - `guard`: headers of every answer, and where writes may come from
//! - `limits`: how much anybody may ask for
//! - `listening`: connections
//! - `patience`: how long anybody is waited for
//! - `apart`: work that takes long
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
//! - `stopped`: what there is of a table of other rules
//! - `address`: where a request comes from
//! - `here`: what this site is called
//! - `health`: what operators ask
//! - `words`: what several pages say
//! - `api`: the interface for programs

mod address;
mod apart;
mod api;
mod assets;
mod board;
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
mod new;
mod patience;
mod record;
mod replay;
mod seeds;
mod socket;
mod stopped;
mod table;
mod talk;
mod words;

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};

use crate::hub::{Hub, HubError, Live};
use crate::ids::{Code, TableId};
use crate::room::{Hint, Refusal};
use crate::store::TableRow;
use address::Address;
use apart::Apart;
use identity::Visitor;
use limits::{Connected, Place};

pub use address::{Network, NotANetwork, Proxies};
pub use here::{NotPublic, PublicUrl};
pub use limits::Limits;
pub use listening::run;
pub use patience::Patience;

/// The longest form that anybody may send, in bytes.
const LONGEST_FORM: usize = 32 << 10;

/// So many replays and records may wait for their turn, and so many hints.
const MOST_REPLAYS: usize = 64;
const MOST_HINTS: usize = 8;

/// What all requests share. Cheap to clone.
#[derive(Clone)]
pub struct Site(Arc<Inner>);

struct Inner {
    hub: Hub,
    /// What people type to come here, if an operator has said it.
    public: Option<PublicUrl>,
    /// An address for links where nobody has said any.
    fallback: PublicUrl,
    limits: Limits,
    proxies: Proxies,
    /// Where matches are played again.
    replaying: Apart,
    /// Where hints are thought about: who waits for one is not to wait for replays.
    thinking: Apart,
    /// May everybody see what is counted?
    shows_metrics: AtomicBool,
}

impl Site {
    /// A site for whoever comes to this listener. Links have the public address, where there is one; otherwise what
    /// each visitor has typed.
    pub fn new(hub: Hub, listen: SocketAddr, public: Option<PublicUrl>, limits: Limits, proxies: Proxies) -> Self {
        let fallback = PublicUrl::here(listen);
        let (replaying, thinking) = (Apart::new(MOST_REPLAYS), Apart::new(MOST_HINTS));
        let shows_metrics = AtomicBool::new(false);
        Self(Arc::new(Inner { hub, public, fallback, limits, proxies, replaying, thinking, shows_metrics }))
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

    pub(crate) fn public(&self) -> Option<&PublicUrl> {
        self.0.public.as_ref()
    }

    fn fallback(&self) -> &PublicUrl {
        &self.0.fallback
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.0.limits
    }

    pub(crate) fn proxies(&self) -> &Proxies {
        &self.0.proxies
    }

    pub(crate) fn replaying(&self) -> &Apart {
        &self.0.replaying
    }

    /// May somebody at this address make another table?
    pub(crate) fn may_open(&self, from: Address) -> Result<(), Failure> {
        self.granted("a table", self.limits().table(from.0).then_some(()))
    }

    /// A place for a connection of this address.
    pub(crate) fn connection(&self, from: IpAddr) -> Option<Connected> {
        self.granted("a connection", self.limits().connection(self.counted(from))).ok()
    }

    /// A place for a visitor's socket.
    pub(crate) fn socket(&self, visitor: &Visitor) -> Result<Place, Failure> {
        self.granted("a socket", self.limits().socket(visitor.player, self.counted(visitor.from.0)))
    }

    /// May a visitor send once more?
    pub(crate) fn may_send(&self, visitor: &Visitor) -> Result<(), Failure> {
        self.granted("a message", self.limits().message(visitor.player, visitor.from.0).then_some(()))
    }

    /// What a strong player would do in a visitor's place.
    pub(crate) async fn hint(&self, live: &Live, visitor: &Visitor) -> Result<Hint, HubError> {
        if !self.limits().hint(visitor.player) {
            self.limited("a hint");
            return Err(HubError::TooMany);
        }
        let thinking = {
            let room = self.hub().read(live).await?;
            let seat = room.seat_of(visitor.player).ok_or(Refusal::NotSeated)?;
            let play = room.play().ok_or(Refusal::NotBegun)?;
            play.hint(seat, visitor.lang).ok_or(Refusal::NotAsked)?
        };
        Ok(self.0.thinking.run(thinking).await?.ok_or(Refusal::NotAsked)?)
    }

    /// The table with this code, for somebody at this address who may not try wrong ones for long.
    pub(crate) async fn by_code(&self, code: Code, from: Address) -> Result<Option<TableRow>, Failure> {
        self.granted("a wrong code", self.limits().guess(from.0).then_some(()))?;
        let found = self.hub().store().by_code(code).await;
        if !matches!(found, Ok(None)) {
            self.limits().guessed(from.0);
        }
        Ok(found?)
    }

    /// All who come through a proxy share its address, so nothing can be said by it.
    fn counted(&self, from: IpAddr) -> Option<IpAddr> {
        Some(from).filter(|from| !self.proxies().contain(*from))
    }

    fn granted<T>(&self, what: &str, granted: Option<T>) -> Result<T, Failure> {
        granted.ok_or_else(|| self.limited(what))
    }

    /// Counts and notes that there was too much of something.
    pub(crate) fn limited(&self, what: &str) -> Failure {
        self.hub().metrics().limited.inc();
        tracing::debug!(what, "limited");
        Failure::TooMany
    }

    /// Counts and notes that something was refused. Not how it is said: a refusal may name cards.
    pub(crate) fn refused(&self, table: TableId, why: &HubError) {
        self.hub().metrics().refused.inc();
        tracing::debug!(%table, why = why.code(), "refused");
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
            Self::Hub(HubError::Unavailable(_) | HubError::Unsure) => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    /// What is nobody's business but the operator's goes to the log.
    pub(crate) fn note(&self) {
        if let Self::Hub(HubError::Unavailable(why)) = self {
            tracing::error!(%why, "a request could not be served");
        }
    }

    /// What people are told.
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
            Self::Hub(HubError::Unsure) => lang
                .pick(
                    "It is not known whether that was stored. Look again.",
                    "Ob das gespeichert wurde, ist nicht bekannt. Sieh noch einmal nach.",
                )
                .to_owned(),
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
        self.note();
        (self.status(), layout::failure(&self)).into_response()
    }
}
