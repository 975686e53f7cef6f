//! Where a request comes from.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts, Request};
use axum::http::HeaderMap;
use axum::http::request::Parts;

use super::{Failure, Site};

/// The address of whoever asks, as far as it can be believed. The guard puts it into every request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Address(pub(crate) IpAddr);

impl Address {
    /// A proxy on this machine is believed when it says for whom it asks; nobody else is.
    pub(super) fn of(request: &Request) -> Self {
        match request.extensions().get::<ConnectInfo<SocketAddr>>() {
            Some(ConnectInfo(peer)) => Self::behind(peer.ip().to_canonical(), request.headers()),
            // Not over a socket: somebody of whom nothing is known.
            None => Self(IpAddr::V4(Ipv4Addr::UNSPECIFIED)),
        }
    }

    fn behind(peer: IpAddr, headers: &HeaderMap) -> Self {
        if !peer.is_loopback() {
            return Self(peer);
        }
        // Whatever stands before the last entry was written by others than that proxy.
        let said = headers.get_all("x-forwarded-for").iter().next_back();
        let Some(said) = said else { return Self(peer) };
        let last = said.to_str().ok().and_then(|said| said.rsplit(',').next()).map(str::trim);
        let last = last.and_then(|last| last.trim_matches(['[', ']']).parse::<IpAddr>().ok());
        Self(last.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |address| address.to_canonical()))
    }

    /// Is it somebody on this machine?
    pub(super) const fn is_here(self) -> bool {
        self.0.is_loopback()
    }
}

impl FromRequestParts<Site> for Address {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &Site) -> Result<Self, Failure> {
        Ok(parts.extensions.get().copied().unwrap_or(Self(IpAddr::V4(Ipv4Addr::UNSPECIFIED))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(peer: &str, forwarded: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for one in forwarded {
            headers.append("x-forwarded-for", one.parse().unwrap());
        }
        Address::behind(peer.parse().unwrap(), &headers).0.to_string()
    }

    #[test]
    fn only_a_proxy_on_this_machine_is_believed_and_only_its_own_word() {
        assert_eq!(seen("127.0.0.1", &[]), "127.0.0.1");
        assert_eq!(seen("127.0.0.1", &["198.51.100.7"]), "198.51.100.7");
        assert_eq!(seen("127.0.0.1", &["10.0.0.1, 198.51.100.7"]), "198.51.100.7");
        assert_eq!(seen("127.0.0.1", &["10.0.0.1", "2001:db8::1"]), "2001:db8::1");
        assert_eq!(seen("203.0.113.9", &["127.0.0.1"]), "203.0.113.9");
        assert_eq!(seen("127.0.0.1", &["127.0.0.1, nonsense"]), "0.0.0.0");
    }
}
