//! Where a node is.

use core::fmt;
use core::str::FromStr;

/// The port that nodes answer at, if none is named.
const PORT: u16 = 27_001;

/// Where a node answers: `HOST`, `HOST:PORT`, or one of both after `ws://` or `http://`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// Host and port.
    at: String,
    /// Whether it answers with encryption.
    encrypted: bool,
}

impl Place {
    /// A place that a browser can connect to. Nothing has to be encrypted for the sake of what a node says, but a page that
    /// came encrypted may only connect to what is encrypted, or on the same computer.
    pub fn in_browser(text: &str) -> Result<Self, BadPlace> {
        let text = text.trim();
        let Some(bare) = text.strip_prefix("wss://").or_else(|| text.strip_prefix("https://")) else {
            return text.parse();
        };
        if bare.contains("://") {
            return Err(BadPlace::Form);
        }
        let bare = bare.strip_suffix("/ws").or_else(|| bare.strip_suffix('/')).unwrap_or(bare);
        let named = bare.rsplit_once(':').is_some_and(|(_, port)| !port.ends_with(']'));
        let place: Self = if named { bare.parse()? } else { format!("{bare}:443").parse()? };
        Ok(Self { encrypted: true, ..place })
    }

    /// The address of its socket.
    pub fn address(&self) -> String {
        let scheme = if self.encrypted { "wss" } else { "ws" };
        format!("{scheme}://{}/ws", self.at)
    }

    /// Whether it is on this computer.
    pub fn is_local(&self) -> bool {
        let host = self.at.rsplit_once(':').map_or(self.at.as_str(), |(host, _)| host);
        host == "localhost" || host == "[::1]" || host.starts_with("127.")
    }

    /// Host and port, to connect to.
    pub fn at(&self) -> &str {
        &self.at
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.encrypted {
            f.write_str("wss://")?;
        }
        f.write_str(&self.at)
    }
}

/// Not where a node can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadPlace {
    /// Not a host with a port.
    Form,
    /// Encryption is asked for.
    Encrypted,
}

impl fmt::Display for BadPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Form => "the address of a node is HOST:PORT, such as 127.0.0.1:27001",
            Self::Encrypted => {
                "nodes are asked without encryption, because everything they say is proven: write HOST:PORT"
            }
        })
    }
}

impl core::error::Error for BadPlace {}

impl FromStr for Place {
    type Err = BadPlace;

    fn from_str(text: &str) -> Result<Self, BadPlace> {
        let text = text.trim();
        if text.starts_with("https://") || text.starts_with("wss://") {
            return Err(BadPlace::Encrypted);
        }
        let bare = text.strip_prefix("http://").or_else(|| text.strip_prefix("ws://")).unwrap_or(text);
        let bare = bare.strip_suffix("/ws").or_else(|| bare.strip_suffix('/')).unwrap_or(bare);
        // An IPv6 address has colons of its own, and is written in brackets.
        let (host, port) = match bare.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => (host, port.parse().map_err(|_| BadPlace::Form)?),
            _ => (bare, PORT),
        };
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
        let inner = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
        let good = match inner {
            Some(inner) => inner.parse::<core::net::Ipv6Addr>().is_ok(),
            None => !host.is_empty() && host.chars().all(plain),
        };
        if good && port > 0 { Ok(Self { at: format!("{host}:{port}"), encrypted: false }) } else { Err(BadPlace::Form) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_host_with_or_without_a_port() {
        let read = |text: &str| text.parse::<Place>().map(|place| place.at);
        assert_eq!(read("127.0.0.1:5"), Ok("127.0.0.1:5".into()));
        assert_eq!(read("node.example.org"), Ok("node.example.org:27001".into()));
        assert_eq!(read("ws://localhost:27001/ws"), Ok("localhost:27001".into()));
        assert_eq!(read("http://localhost:27001/"), Ok("localhost:27001".into()));
        assert_eq!(read("[::1]:9"), Ok("[::1]:9".into()));
        assert_eq!(read("[::1]"), Ok("[::1]:27001".into()));
        for wrong in ["", ":5", "a b", "a:0", "a:99999", "a:b", "::1:5", "a/b:3", "[a]:3"] {
            assert_eq!(read(wrong), Err(BadPlace::Form), "{wrong:?}");
        }
        assert_eq!(read("https://example.org"), Err(BadPlace::Encrypted));
    }

    #[test]
    fn a_browser_connects_with_and_without_encryption() {
        let address = |text: &str| Place::in_browser(text).map(|place| place.address());
        assert_eq!(address("127.0.0.1:5"), Ok("ws://127.0.0.1:5/ws".into()));
        assert_eq!(address("https://example.org"), Ok("wss://example.org:443/ws".into()));
        assert_eq!(address("wss://example.org:7/ws"), Ok("wss://example.org:7/ws".into()));
        assert_eq!(address("wss://[::1]"), Ok("wss://[::1]:443/ws".into()));
        for wrong in ["wss://", "wss://a b", "https://a/b:3", "wss://wss://a:3", ""] {
            assert_eq!(address(wrong), Err(BadPlace::Form), "{wrong:?}");
        }
        assert!(
            Place::in_browser("localhost").unwrap().is_local() && !Place::in_browser("wss://a").unwrap().is_local()
        );
        assert_eq!(Place::in_browser("wss://a").unwrap().to_string(), "wss://a:443");
    }
}
