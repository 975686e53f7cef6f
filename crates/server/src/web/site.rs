//! What all requests share: the tables, and how much everybody may ask for.

use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use super::Failure;
use super::address::{Address, Proxies};
use super::apart::Apart;
use super::here::PublicUrl;
use super::identity::Visitor;
use super::limits::{Connected, Limits, Place, Scope, Seldom, Trust};
use super::station::Counter;
use crate::chain::Chain;
use crate::clock::now;
use crate::hub::{Hub, HubError, Live};
use crate::ids::{Code, TableId};
use crate::private::Private;
use crate::room::{Command, Refusal};
use crate::sight::{self, Hint};
use crate::station::Station;
use crate::store::{PrivateRow, TableRow};

/// How many replays and records may wait for their turn, and how many hints.
const MOST_REPLAYS: usize = 64;
const MOST_HINTS: usize = 8;

/// How often guessed codes, exceeded limits and refusals are logged.
const GUESSING: Duration = Duration::from_secs(60);
const LIMITED: Duration = Duration::from_secs(1);

/// A player who finished a match at least this many milliseconds ago is not here to guess codes: a day.
const LONG_AGO: i64 = 86_400_000;

/// The state that all requests share. Cheap to clone.
#[derive(Clone)]
pub struct Site(Arc<Inner>);

struct Inner {
    hub: Hub,
    private: Private,
    /// The address people type to get here, if an operator has set it.
    public: Option<PublicUrl>,
    /// An address for links if none is known.
    fallback: PublicUrl,
    limits: Limits,
    proxies: Proxies,
    /// Where matches are replayed.
    replaying: Apart,
    /// Where hints are computed: nobody who waits for one should wait for replays.
    thinking: Apart,
    /// Whether everybody may see the metrics.
    shows_metrics: AtomicBool,
    /// Whether there are private tables and nothing else: no lobby, no profiles.
    only_private: AtomicBool,
    /// The poker chain that is shown, if there is one.
    chain: OnceLock<Chain>,
    /// The station whose boards are shown, if there is one.
    station: OnceLock<Counter>,
    /// When guessed codes, exceeded limits and refusals were last logged.
    guessing: Seldom,
    limited: Seldom,
    refused: Seldom,
}

impl Site {
    /// A site for the visitors of this listener. Links use the public address if there is one, otherwise the address
    /// each visitor typed.
    pub fn new(hub: Hub, listen: SocketAddr, public: Option<PublicUrl>, limits: Limits, proxies: Proxies) -> Self {
        let fallback = PublicUrl::here(listen);
        let (replaying, thinking) = (Apart::new(MOST_REPLAYS), Apart::new(MOST_HINTS));
        let shows_metrics = AtomicBool::new(false);
        let [limited, refused] = [LIMITED; 2].map(Seldom::every);
        let guessing = Seldom::every(GUESSING);
        Self(Arc::new(Inner {
            private: hub.private(),
            hub,
            public,
            fallback,
            limits,
            proxies,
            replaying,
            thinking,
            shows_metrics,
            only_private: AtomicBool::new(false),
            chain: OnceLock::new(),
            station: OnceLock::new(),
            guessing,
            limited,
            refused,
        }))
    }

    /// From now on `/metrics` is open to everybody, not only to this machine.
    pub fn show_metrics(&self) {
        self.0.shows_metrics.store(true, Ordering::Relaxed);
    }

    pub(crate) fn shows_metrics(&self) -> bool {
        self.0.shows_metrics.load(Ordering::Relaxed)
    }

    /// From now on no page leads to the lobby or a profile, because there are none.
    pub(crate) fn set_only_private(&self) {
        self.0.only_private.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_only_private(&self) -> bool {
        self.0.only_private.load(Ordering::Relaxed)
    }

    /// From now on the lobby lists the tables of this chain. Only the first call counts.
    pub fn show_chain(&self, chain: Chain) {
        let _ = self.0.chain.set(chain);
    }

    pub(crate) fn chain(&self) -> Option<&Chain> {
        self.0.chain.get()
    }

    /// From now on there are leaderboards, and results are accepted. Only the first call counts.
    pub fn show_station(&self, station: Arc<dyn Station>) {
        let _ = self.0.station.set(Counter::new(station));
    }

    pub(crate) fn station(&self) -> Option<&Counter> {
        self.0.station.get()
    }

    pub(crate) fn hub(&self) -> &Hub {
        &self.0.hub
    }

    pub(crate) fn private(&self) -> &Private {
        &self.0.private
    }

    pub(crate) fn public(&self) -> Option<&PublicUrl> {
        self.0.public.as_ref()
    }

    pub(super) fn fallback(&self) -> &PublicUrl {
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

    /// Checks whether this address may create another table.
    pub(crate) fn may_open(&self, from: Address) -> Result<(), Failure> {
        self.granted("a table", self.limits().table(from.0).then_some(()))
    }

    /// A place for a connection from this address.
    pub(crate) fn connection(&self, from: IpAddr) -> Option<Connected> {
        self.granted("a connection", self.limits().connection(self.counted(from))).ok()
    }

    /// A place for a visitor's socket.
    pub(crate) fn socket(&self, visitor: &Visitor) -> Result<Place, Failure> {
        self.granted("a socket", self.limits().socket(visitor.player, self.counted(visitor.from.0)))
    }

    /// A place for a socket of a private table, where nobody needs to be a player.
    pub(crate) fn private_socket(&self, from: Address) -> Result<Place, Failure> {
        self.granted("a socket", self.limits().socket_from(self.counted(from.0)))
    }

    /// Checks whether a visitor may send another message.
    pub(crate) fn may_send(&self, visitor: &Visitor) -> Result<(), Failure> {
        self.granted("a message", self.limits().message(visitor.player, visitor.from.0).then_some(()))
    }

    /// A hint: what a strong player would do in the visitor's place.
    pub(crate) async fn hint(&self, live: &Arc<Live>, visitor: &Visitor) -> Result<Hint, HubError> {
        if !self.limits().hint(visitor.player) {
            self.limited("a hint");
            return Err(HubError::TooMany);
        }
        let thinking = {
            let room = self.hub().read(live).await?;
            let seat = room.seat_of(visitor.player).ok_or(Refusal::NotSeated)?;
            room.play().ok_or(Refusal::NotBegun)?;
            if !room.allows_hints() {
                return Err(Refusal::NoHints.into());
            }
            sight::hint(&room, seat, visitor.lang).ok_or(Refusal::NotAsked)?
        };
        let hint = self.0.thinking.run(thinking).await?.ok_or(Refusal::NotAsked)?;
        // Nobody gets a hint that the others do not hear about.
        self.hub().note_hint(live, visitor.player, hint.height).await?;
        Ok(hint)
    }

    /// Checks whether a visitor may send this command now. Chat has its own limits.
    pub(crate) async fn may_command(&self, visitor: &Visitor, table: TableId, what: &Command) -> Result<(), HubError> {
        if !matches!(what, Command::Say { .. }) {
            return Ok(());
        }
        let live = self.hub().table(table);
        let seated = self.hub().read(&live).await?.seat_of(visitor.player).is_some();
        if self.limits().remark(visitor.player, visitor.from.0, table, seated) {
            return Ok(());
        }
        self.limited("a remark");
        Err(HubError::TooMany)
    }

    /// The table with this code. An address may not keep guessing wrong codes. When others have guessed too many,
    /// codes still work for people who have played here before.
    pub(crate) async fn by_code(
        &self,
        code: Code,
        from: Address,
        visitor: Option<&Visitor>,
    ) -> Result<Option<Found>, Failure> {
        let mut trust = Trust::Stranger;
        let mut granted = self.limits().guess(from.0, trust);
        if let (Err(Scope::Server), Some(visitor)) = (granted, visitor)
            && self.hub().store().has_finished(&visitor.player, now().plus(-LONG_AGO).0).await?
        {
            trust = Trust::Known;
            granted = self.limits().guess(from.0, trust);
        }
        granted.map_err(|scope| self.guessed_too_often(scope))?;
        let found = self.look_up(code).await;
        match &found {
            Ok(None) => drop(self.hub().metrics().wrong_codes.inc()),
            Ok(Some(_)) | Err(_) => self.limits().guessed(from.0, trust),
        }
        Ok(found?)
    }

    async fn look_up(&self, code: Code) -> Result<Option<Found>, crate::store::StoreError> {
        let store = self.hub().store();
        if let Some(row) = store.by_code(code).await? {
            return Ok(Some(Found::Table(row)));
        }
        Ok(store.private_by_code(code).await?.map(Found::Private))
    }

    /// Counts that a code was not looked up, and logs it now and then.
    fn guessed_too_often(&self, scope: Scope) -> Failure {
        self.hub().metrics().codes_refused.inc();
        if let Some(times) = self.0.guessing.now() {
            tracing::warn!(from = %scope, times, "too many wrong codes: somebody may be looking for private tables");
        }
        self.limited("a code");
        Failure::TooManyCodes
    }

    /// The address, or all of a household's, if it says anything about a client.
    pub(crate) fn household(&self, from: Address) -> Option<IpAddr> {
        self.counted(from.0).map(super::limits::network)
    }

    /// All clients behind a proxy share its address, so it says nothing about them.
    fn counted(&self, from: IpAddr) -> Option<IpAddr> {
        Some(from).filter(|from| !self.proxies().contain(*from))
    }

    fn granted<T>(&self, what: &str, granted: Option<T>) -> Result<T, Failure> {
        granted.ok_or_else(|| self.limited(what))
    }

    /// Counts and logs that a limit was exceeded.
    pub(crate) fn limited(&self, what: &str) -> Failure {
        self.hub().metrics().limited.inc();
        if let Some(times) = self.0.limited.now() {
            tracing::debug!(what, times, "limited");
        }
        Failure::TooMany
    }

    /// Counts and logs a refusal. Not its text: a refusal may name cards.
    pub(crate) fn refused(&self, table: TableId, why: &HubError) {
        self.hub().metrics().refused.inc();
        if let Some(times) = self.0.refused.now() {
            tracing::debug!(table = table.tag(), why = why.code(), times, "refused");
        }
    }
}

/// What a code leads to.
pub(crate) enum Found {
    /// A table of the house.
    Table(TableRow),
    /// A private table, where one can knock.
    Private(PrivateRow),
}
