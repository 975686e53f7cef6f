//! The name of this site: in links, in QR codes, and in the origin of writes.
//!
//! An operator may set it. Otherwise it is the name the visitor typed, which their browser sends as `Host`: a server
//! that listens on all addresses has no name of its own. A link built from it goes back to the same visitor, so a
//! visitor who sends nonsense only fools themselves.

use core::convert::Infallible;
use core::fmt;
use core::str::FromStr;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, Uri, header};

use super::Site;
use super::address::Secured;

/// The longest name of a host with its port.
const LONGEST: usize = 260;

/// The address people type to get here, as browsers write it: `https://cards.example.org`, without a slash at the end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PublicUrl(String);

/// A text that is not such an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotPublic;

impl fmt::Display for NotPublic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected http:// or https:// and a host, without a path, as in https://cards.example.org")
    }
}

impl core::error::Error for NotPublic {}

impl FromStr for PublicUrl {
    type Err = NotPublic;

    fn from_str(text: &str) -> Result<Self, NotPublic> {
        let uri: Uri = text.parse().map_err(|_| NotPublic)?;
        let (scheme, usual) = match uri.scheme_str() {
            Some("http") => ("http", ":80"),
            Some("https") => ("https", ":443"),
            _ => return Err(NotPublic),
        };
        if !matches!(uri.path(), "" | "/") || uri.query().is_some() || text.contains('#') {
            return Err(NotPublic);
        }
        let host = uri.authority().and_then(|host| host_of(host.as_str())).ok_or(NotPublic)?;
        Ok(Self(format!("{scheme}://{}", host.strip_suffix(usual).unwrap_or(&host))))
    }
}

impl PublicUrl {
    /// An address that can be opened on this machine, for a server that listens here.
    pub fn here(listen: SocketAddr) -> Self {
        let ip = match listen.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
            IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
            ip => ip,
        };
        Self(format!("http://{}", SocketAddr::new(ip, listen.port())))
    }

    /// The address as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether everybody comes over https.
    pub(crate) fn is_secure(&self) -> bool {
        self.0.starts_with("https://")
    }
}

impl fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The address of this site, as the visitor may use it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Here(PublicUrl);

impl Here {
    pub(crate) fn of(site: &Site, headers: &HeaderMap, secured: Secured) -> Self {
        let scheme = if secured.0 { "https" } else { "http" };
        let asked = || headers.get(header::HOST)?.to_str().ok().and_then(host_of);
        let asked = || asked().map(|host| PublicUrl(format!("{scheme}://{host}")));
        Self(site.public().cloned().or_else(asked).unwrap_or_else(|| site.fallback().clone()))
    }

    /// The link to a table. It does not use the code, so it works even while somebody is guessing codes and codes are
    /// not looked up.
    pub(crate) fn table(&self, id: crate::ids::TableId) -> String {
        format!("{}/tables/{id}", self.0)
    }

    pub(crate) fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl FromRequestParts<Site> for Here {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, site: &Site) -> Result<Self, Infallible> {
        Ok(Self::of(site, &parts.headers, Secured::in_parts(parts)))
    }
}

/// A host with its port, as browsers write it, if it is nothing else: no user name or password, nothing odd.
pub(super) fn host_of(text: &str) -> Option<String> {
    let authority: Authority = text.parse().ok()?;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | ':' | '[' | ']');
    let fits = !authority.host().is_empty() && text.len() <= LONGEST && text.chars().all(plain);
    let port = text.strip_prefix(authority.host()).filter(|_| fits)?;
    let port = port.is_empty() || port.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok());
    port.then(|| text.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_public_address_is_written_as_browsers_write_it() {
        let read = |text: &str| text.parse::<PublicUrl>().map(|url| url.to_string());
        assert_eq!(read("https://Cards.Example.org/").as_deref(), Ok("https://cards.example.org"));
        assert_eq!(read("https://cards.example.org:443").as_deref(), Ok("https://cards.example.org"));
        assert_eq!(read("http://[::1]:7777").as_deref(), Ok("http://[::1]:7777"));
        let wrong = [
            "cards.example.org",
            "ftp://a.b",
            "https://",
            "https://a.b/c",
            "https://a.b?c",
            "https://a.b#c",
            "https://u@a.b",
            "https://a.b:99999",
            "https://a b",
            "",
        ];
        for wrong in wrong {
            assert_eq!(read(wrong), Err(NotPublic), "{wrong}");
        }
    }

    #[test]
    fn a_server_that_listens_everywhere_names_an_address_that_can_be_opened() {
        let here = |text: &str| PublicUrl::here(text.parse().unwrap()).to_string();
        assert_eq!(here("0.0.0.0:7777"), "http://127.0.0.1:7777");
        assert_eq!(here("[::]:80"), "http://[::1]:80");
        assert_eq!(here("192.0.2.7:7777"), "http://192.0.2.7:7777");
    }

    #[test]
    fn a_host_is_a_host_and_nothing_else() {
        assert_eq!(host_of("Cards.example:7777").as_deref(), Some("cards.example:7777"));
        assert_eq!(host_of("[2001:db8::1]:80").as_deref(), Some("[2001:db8::1]:80"));
        let long = "a".repeat(300);
        for odd in ["", "a b", "a/b", "me@a", "a\"b", "a<b", "a:x", "a:", ":80", "a:123456", "a%20b", "ä", &long] {
            assert_eq!(host_of(odd), None, "{odd}");
        }
    }
}
