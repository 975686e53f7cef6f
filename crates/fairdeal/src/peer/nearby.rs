//! Private tables in the same network: announced and found by multicast DNS, without a server.
//!
//! An announcement says where a table's hub is, what it is called and what is played. Everybody in the network can read
//! it. It is no ticket: who finds a table can knock there.
//!
//! To check by hand whether a network carries it: `avahi-browse -rt _fairdeal._tcp` on another computer.

use std::collections::BTreeMap;
use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, Instant};

use ::peer::TableId;
use mdns_sd::{ResolvedService, ServiceDaemon, ServiceEvent, ServiceInfo};

use super::hub::table_id;

/// What kind of service it is.
const KIND: &str = "_fairdeal._tcp.local.";
/// The longest name of a table that fits into an announcement, in bytes.
pub(super) const LONGEST_NAME: usize = 60;

/// A table that was found.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Nearby {
    /// Its name.
    pub name: String,
    /// The game's name.
    pub game: String,
    /// The table.
    pub table: TableId,
    /// Where its hub is; the most likely address first.
    pub at: Vec<SocketAddr>,
}

/// Multicast does not work here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoMulticast(String);

impl fmt::Display for NoMulticast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tables nearby cannot be announced or found: {}", self.0)
    }
}

impl std::error::Error for NoMulticast {}

impl From<mdns_sd::Error> for NoMulticast {
    fn from(why: mdns_sd::Error) -> Self {
        Self(why.to_string())
    }
}

/// A table that is announced until this is dropped.
pub struct Announced {
    daemon: ServiceDaemon,
    name: String,
}

impl fmt::Debug for Announced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Announced({})", self.name)
    }
}

impl Drop for Announced {
    fn drop(&mut self) {
        let patience = Duration::from_millis(500);
        // It says goodbye first, so that nobody finds what is gone.
        if let Ok(gone) = self.daemon.unregister(&self.name) {
            let _ = gone.recv_timeout(patience);
        }
        if let Ok(ended) = self.daemon.shutdown() {
            let _ = ended.recv_timeout(patience);
        }
    }
}

/// Announces a table whose hub listens on this port at all addresses of this computer.
///
/// # Errors
/// Fails if there is no network that carries announcements.
pub fn announce(name: &str, port: u16, table: TableId, game: &str) -> Result<Announced, NoMulticast> {
    let daemon = ServiceDaemon::new()?;
    let service = service(name, port, table, game)?.enable_addr_auto();
    let name = service.get_fullname().to_owned();
    daemon.register(service)?;
    Ok(Announced { daemon, name })
}

/// The tables that answer within this time.
///
/// # Errors
/// Fails if there is no network that carries announcements.
pub fn find(patience: Duration) -> Result<Vec<Nearby>, NoMulticast> {
    let daemon = ServiceDaemon::new()?;
    let heard = daemon.browse(KIND)?;
    let until = Instant::now() + patience;
    let mut found = BTreeMap::new();
    while let Ok(event) = heard.recv_deadline(until) {
        match event {
            ServiceEvent::ServiceResolved(service) => {
                if let Some(nearby) = nearby(&service) {
                    found.insert(service.fullname.clone(), nearby);
                }
            }
            ServiceEvent::ServiceRemoved(_, name) => drop(found.remove(&name)),
            _ => {}
        }
    }
    let _ = daemon.shutdown();
    Ok(found.into_values().collect())
}

fn service(name: &str, port: u16, table: TableId, game: &str) -> Result<ServiceInfo, NoMulticast> {
    let id = table.to_string();
    let short = id.get(..12).unwrap_or_default();
    // Names of services and hosts must be unique; the name for people need not be.
    let host = format!("fairdeal-{short}.local.");
    let properties = [("table", id.as_str()), ("name", cut(name)), ("game", game)];
    Ok(ServiceInfo::new(KIND, short, &host, (), port, &properties[..])?)
}

/// What an announcement says. Anybody may have sent it, so everything is checked.
fn nearby(service: &ResolvedService) -> Option<Nearby> {
    let text = |key: &str| service.get_property_val_str(key);
    let table = table_id(text("table")?)?;
    let shown = |text: &str| text.len() <= LONGEST_NAME && !text.chars().any(char::is_control);
    let name = text("name").filter(|name| shown(name))?.to_owned();
    let game = text("game").filter(|game| games::AnyGame::from_name(game).is_some())?.to_owned();
    let mut at: Vec<IpAddr> = service.addresses.iter().map(mdns_sd::ScopedIp::to_ip_addr).collect();
    // Link-local IPv6 addresses need a scope, which an address in a ticket does not have.
    at.retain(|ip| !matches!(ip, IpAddr::V6(ip) if ip.is_unicast_link_local()));
    at.sort_by_key(|ip| (ip.is_loopback(), ip.is_ipv6(), *ip));
    let at: Vec<SocketAddr> = at.into_iter().map(|ip| SocketAddr::new(ip, service.port)).collect();
    (!at.is_empty()).then_some(Nearby { name, game, table, at })
}

/// As much of a name as fits.
fn cut(name: &str) -> &str {
    let end = (0..=name.len().min(LONGEST_NAME)).rev().find(|end| name.is_char_boundary(*end));
    name.get(..end.unwrap_or(0)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: TableId = TableId([0xab; 32]);

    fn resolved(name: &str, game: &str, address: &str) -> ResolvedService {
        let mut service = service(name, 7777, TABLE, game).unwrap().as_resolved_service();
        let address: IpAddr = address.parse().unwrap();
        service.addresses.insert(address.into());
        service
    }

    #[test]
    fn an_announcement_is_read_back() {
        let found = nearby(&resolved("Friday at Ann's", "holdem", "192.168.1.5")).unwrap();
        assert_eq!((found.name.as_str(), found.game.as_str(), found.table), ("Friday at Ann's", "holdem", TABLE));
        assert_eq!(found.at, ["192.168.1.5:7777".parse().unwrap()]);
    }

    #[test]
    fn announcements_of_strangers_are_checked() {
        assert_eq!(nearby(&resolved("x\u{1b}[2J", "holdem", "192.168.1.5")), None, "a name that a terminal would obey");
        assert_eq!(nearby(&resolved("x", "chess", "192.168.1.5")), None);
        assert_eq!(nearby(&resolved("x", "holdem", "fe80::1")), None, "an address without its scope");
        let mut nameless = resolved("x", "holdem", "192.168.1.5");
        nameless.txt_properties = mdns_sd::TxtProperties::default();
        assert_eq!(nearby(&nameless), None);
    }

    #[test]
    fn an_announced_table_is_found_and_is_gone_when_it_is_withdrawn() {
        let mut id = [0; 32];
        getrandom::fill(&mut id).unwrap();
        let table = TableId(id);
        let announced = announce("Friday", 7777, table, "holdem").unwrap();
        let look = || find(Duration::from_secs(2)).unwrap().into_iter().find(|nearby| nearby.table == table);
        let found = (0..10).find_map(|_| look()).expect("this computer hears itself");
        assert_eq!((found.name.as_str(), found.game.as_str()), ("Friday", "holdem"));
        assert!(found.at.iter().all(|at| at.port() == 7777), "{found:?}");
        drop(announced);
        assert!((0..10).any(|_| look().is_none()));
    }

    #[test]
    fn a_long_name_is_cut_between_letters() {
        let long = "ä".repeat(100);
        assert_eq!(cut(&long).len(), LONGEST_NAME);
        assert_eq!(cut("short"), "short");
        let odd = format!("a{long}");
        assert_eq!(cut(&odd).chars().count(), 30);
    }
}
