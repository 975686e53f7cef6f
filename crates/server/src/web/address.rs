//! The address a request comes from.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::str::FromStr;

use axum::extract::{ConnectInfo, FromRequestParts, Request};
use axum::http::HeaderMap;
use axum::http::request::Parts;

use super::here::PublicUrl;
use super::{Failure, Site};

/// Addresses that begin with the same bits: `10.0.0.0/8`, or a single one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Network {
    first: IpAddr,
    bits: u8,
}

/// A text that is neither an address nor a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotANetwork;

impl fmt::Display for NotANetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected an address or a network, such as 10.0.0.7 or 10.0.0.0/8")
    }
}

impl std::error::Error for NotANetwork {}

impl FromStr for Network {
    type Err = NotANetwork;

    fn from_str(text: &str) -> Result<Self, NotANetwork> {
        let (first, bits) = match text.trim().split_once('/') {
            Some((first, bits)) => (first, Some(bits)),
            None => (text.trim(), None),
        };
        let first: IpAddr = first.parse().map_err(|_| NotANetwork)?;
        let most = if first.is_ipv4() { 32 } else { 128 };
        let bits = match bits {
            Some(bits) => bits.parse().ok().filter(|bits| *bits <= most).ok_or(NotANetwork)?,
            None => most,
        };
        Ok(Self { first, bits })
    }
}

impl Network {
    /// Whether this address is in it.
    pub fn contains(self, address: IpAddr) -> bool {
        match (self.first, address) {
            (IpAddr::V4(first), IpAddr::V4(address)) => {
                (first.to_bits() ^ address.to_bits()).leading_zeros() >= u32::from(self.bits)
            }
            (IpAddr::V6(first), IpAddr::V6(address)) => {
                (first.to_bits() ^ address.to_bits()).leading_zeros() >= u32::from(self.bits)
            }
            (IpAddr::V4(_), IpAddr::V6(_)) | (IpAddr::V6(_), IpAddr::V4(_)) => false,
        }
    }
}

/// The proxies in front of this server whose forwarding headers are trusted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proxies(Vec<Network>);

impl Default for Proxies {
    /// Proxies on this machine.
    fn default() -> Self {
        let first = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 0));
        let here = Network { first, bits: 8 };
        Self(vec![here, Network { first: IpAddr::V6(Ipv6Addr::LOCALHOST), bits: 128 }])
    }
}

impl From<Vec<Network>> for Proxies {
    fn from(networks: Vec<Network>) -> Self {
        Self(networks)
    }
}

impl Proxies {
    pub(super) fn contain(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(address))
    }
}

/// The client's address, as far as it can be trusted. The guard puts it into every request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Address(pub(crate) IpAddr);

/// An unknown client.
const UNKNOWN: Address = Address(IpAddr::V4(Ipv4Addr::UNSPECIFIED));

impl Address {
    /// The client named by the trusted proxies in front; nobody else's word is trusted.
    pub(super) fn of(request: &Request, proxies: &Proxies) -> Self {
        match request.extensions().get::<ConnectInfo<SocketAddr>>() {
            Some(ConnectInfo(peer)) => Self::behind(peer.ip().to_canonical(), request.headers(), proxies),
            // Not a TCP connection.
            None => UNKNOWN,
        }
    }

    /// Every proxy adds its own client at the end. So everything from the end back to the first address that is not a
    /// proxy was written by proxies; anybody may have made up the entries before it.
    fn behind(peer: IpAddr, headers: &HeaderMap, proxies: &Proxies) -> Self {
        let mut found = peer;
        let said = headers.get_all("x-forwarded-for").iter().rev();
        let mut said = said.flat_map(|line| line.to_str().unwrap_or("?").rsplit(','));
        while proxies.contain(found) {
            let Some(before) = said.next() else { break };
            match address(before.trim()) {
                Some(before) => found = before,
                None => return UNKNOWN,
            }
        }
        Self(found)
    }

    /// Whether the client is on this machine.
    pub(super) const fn is_here(self) -> bool {
        self.0.is_loopback()
    }
}

/// Whether a request comes over https, as far as that can be trusted. The guard puts it into every request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Secured(pub(crate) bool);

impl Secured {
    /// True if the operator says that all requests do, or the proxy in front says so about this one.
    pub(super) fn of(request: &Request, site: &Site) -> Self {
        let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| peer.ip());
        let believed = peer.is_some_and(|peer| site.proxies().contain(peer.to_canonical()));
        Self(site.public().is_some_and(PublicUrl::is_secure) || believed && is_forwarded_https(request.headers()))
    }

    /// The value that the guard put into a request.
    pub(super) fn in_parts(parts: &Parts) -> Self {
        parts.extensions.get().copied().unwrap_or(Self(false))
    }
}

/// The last proxy's value: if there are several proxies, each may add one.
fn is_forwarded_https(headers: &HeaderMap) -> bool {
    let last = headers.get_all("x-forwarded-proto").iter().next_back();
    let last = last.and_then(|line| line.to_str().ok()?.rsplit(',').next());
    last.is_some_and(|scheme| scheme.trim().eq_ignore_ascii_case("https"))
}

/// An address as proxies write it: some add the port, some put brackets around it.
fn address(text: &str) -> Option<IpAddr> {
    let bare = text.trim_matches(['[', ']']).parse().ok();
    bare.or_else(|| text.parse::<SocketAddr>().ok().map(|with_port| with_port.ip())).map(|found| found.to_canonical())
}

impl FromRequestParts<Site> for Address {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &Site) -> Result<Self, Failure> {
        Ok(Self::in_parts(parts))
    }
}

impl Address {
    /// The value that the guard put into a request.
    pub(super) fn in_parts(parts: &Parts) -> Self {
        parts.extensions.get().copied().unwrap_or(UNKNOWN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen_by(proxies: &Proxies, peer: &str, forwarded: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for one in forwarded {
            headers.append("x-forwarded-for", one.parse().unwrap());
        }
        Address::behind(peer.parse().unwrap(), &headers, proxies).0.to_string()
    }

    #[test]
    fn only_a_proxy_on_this_machine_is_trusted_and_only_its_own_entry() {
        let seen = |peer: &str, forwarded: &[&str]| seen_by(&Proxies::default(), peer, forwarded);
        assert_eq!(seen("127.0.0.1", &[]), "127.0.0.1");
        assert_eq!(seen("127.0.0.1", &["198.51.100.7"]), "198.51.100.7");
        assert_eq!(seen("::1", &["198.51.100.7"]), "198.51.100.7");
        assert_eq!(seen("127.0.0.1", &["10.0.0.1, 198.51.100.7"]), "198.51.100.7");
        assert_eq!(seen("127.0.0.1", &["10.0.0.1", "2001:db8::1"]), "2001:db8::1");
        assert_eq!(seen("127.0.0.1", &["[2001:db8::1]:443"]), "2001:db8::1");
        assert_eq!(seen("127.0.0.1", &["198.51.100.7:50000"]), "198.51.100.7");
        assert_eq!(seen("203.0.113.9", &["127.0.0.1"]), "203.0.113.9");
        assert_eq!(seen("127.0.0.1", &["127.0.0.1, nonsense"]), "0.0.0.0");
    }

    #[test]
    fn the_last_proxy_says_whether_it_was_https() {
        let https = |said: &[&str]| {
            let mut headers = HeaderMap::new();
            for one in said {
                headers.append("x-forwarded-proto", one.parse().unwrap());
            }
            is_forwarded_https(&headers)
        };
        assert!(https(&["https"]) && https(&["http, HTTPS"]) && https(&["http", "https"]));
        assert!(!https(&[]) && !https(&["http"]) && !https(&["https, http"]) && !https(&["https", "http"]));
    }

    #[test]
    fn configured_proxies_are_trusted_one_after_another() {
        let proxies = Proxies::from(["10.0.0.0/8", "2001:db8:1::/48"].map(|text| text.parse().unwrap()).to_vec());
        let seen = |peer: &str, forwarded: &[&str]| seen_by(&proxies, peer, forwarded);
        assert_eq!(seen("10.1.2.3", &["198.51.100.7"]), "198.51.100.7");
        assert_eq!(seen("10.1.2.3", &["192.0.2.1, 198.51.100.7, 10.9.9.9"]), "198.51.100.7");
        assert_eq!(seen("2001:db8:1:2::3", &["192.0.2.1, 198.51.100.7", "10.9.9.9"]), "198.51.100.7");
        assert_eq!(seen("10.1.2.3", &["10.9.9.9"]), "10.9.9.9", "a client inside the network");
        assert_eq!(seen("127.0.0.1", &["198.51.100.7"]), "127.0.0.1", "this machine is not one of them now");
        assert_eq!(seen("11.1.2.3", &["198.51.100.7"]), "11.1.2.3");
    }

    #[test]
    fn a_network_holds_addresses_that_begin_the_same() {
        let within = |network: &str, address: &str| {
            network.parse::<Network>().unwrap().contains(address.parse::<IpAddr>().unwrap())
        };
        assert!(within("10.0.0.0/8", "10.255.0.1") && !within("10.0.0.0/8", "11.0.0.1"));
        assert!(within("10.0.0.7", "10.0.0.7") && !within("10.0.0.7", "10.0.0.6"));
        assert!(within("0.0.0.0/0", "203.0.113.9") && !within("0.0.0.0/0", "::1"));
        assert!(within("fd00::/8", "fd12::1") && !within("fd00::/8", "fe80::1"));
        assert!(within("::1", "::1") && within(" ::/0 ", "2001:db8::1"));
        for wrong in ["", "10.0.0.0/33", "::1/129", "10.0.0/8", "10.0.0.0/", "10.0.0.0/-1", "proxy", "*"] {
            assert_eq!(wrong.parse::<Network>(), Err(NotANetwork), "{wrong}");
        }
    }
}
