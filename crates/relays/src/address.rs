//! Addresses: of relays, and of a hub that is reached through one.

use core::fmt;
use core::str::FromStr;

use results::Public;

/// No address is longer.
pub const MOST_ADDRESS: usize = 120;

/// Where a relay is: `wss://relay.example.org` or `ws://127.0.0.1:7000/path`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct RelayUrl {
    /// Whether the connection is encrypted.
    pub secure: bool,
    /// A name or an address; an address of IPv6 is in brackets.
    pub host: String,
    /// The port.
    pub port: u16,
    /// Empty, or with a slash in front.
    pub path: String,
}

/// A program that is reached through a relay: `wss://npub1…@relay.example.org`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Through {
    /// The relay.
    pub relay: RelayUrl,
    /// The key that signs what the program says there.
    pub key: Public,
}

/// The text is no address of a relay.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BadAddress;

/// Whether a text means a relay, well written or not.
pub fn means_relay(text: &str) -> bool {
    text.starts_with("ws://") || text.starts_with("wss://")
}

impl FromStr for RelayUrl {
    type Err = BadAddress;

    fn from_str(text: &str) -> Result<Self, BadAddress> {
        let (secure, rest) = match text.split_once("://").filter(|_| text.len() <= MOST_ADDRESS) {
            Some(("wss", rest)) => (true, rest),
            Some(("ws", rest)) => (false, rest),
            _ => return Err(BadAddress),
        };
        let (place, path) = rest.find('/').map_or((rest, ""), |slash| rest.split_at(slash));
        let (host, port) = match place.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((ip, port)) => {
                ip.parse::<core::net::Ipv6Addr>().map_err(|_| BadAddress)?;
                (format!("[{ip}]"), port)
            }
            None => {
                let (host, port) = place.find(':').map_or((place, ""), |colon| place.split_at(colon));
                let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-');
                if host.is_empty() || !host.chars().all(fits) {
                    return Err(BadAddress);
                }
                (host.to_owned(), port)
            }
        };
        let port = match port.strip_prefix(':') {
            Some(digits) if digits.chars().all(|c| c.is_ascii_digit()) => digits.parse().map_err(|_| BadAddress)?,
            None if port.is_empty() => usual_port(secure),
            _ => return Err(BadAddress),
        };
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '-' | '_' | '~');
        if !path.chars().all(fits) || port == 0 {
            return Err(BadAddress);
        }
        let path = path.trim_end_matches('/').to_owned();
        Ok(Self { secure, host: host.to_ascii_lowercase(), port, path })
    }
}

const fn usual_port(secure: bool) -> u16 {
    if secure { 443 } else { 80 }
}

impl RelayUrl {
    const fn scheme(&self) -> &'static str {
        if self.secure { "wss" } else { "ws" }
    }

    /// Everything after the scheme.
    fn rest(&self) -> String {
        let port = if self.port == usual_port(self.secure) { String::new() } else { format!(":{}", self.port) };
        format!("{}{port}{}", self.host, self.path)
    }
}

impl fmt::Display for RelayUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme(), self.rest())
    }
}

impl FromStr for Through {
    type Err = BadAddress;

    fn from_str(text: &str) -> Result<Self, BadAddress> {
        let (scheme, rest) = text.split_once("://").ok_or(BadAddress)?;
        let (key, relay) = rest.split_once('@').ok_or(BadAddress)?;
        let key = key.parse::<Public>().ok().filter(|parsed| parsed.npub() == key).ok_or(BadAddress)?;
        Ok(Self { relay: format!("{scheme}://{relay}").parse()?, key })
    }
}

impl fmt::Display for Through {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}@{}", self.relay.scheme(), self.key.npub(), self.relay.rest())
    }
}

impl fmt::Display for BadAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the address of a relay is like wss://relay.example.org")
    }
}

impl std::error::Error for BadAddress {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_one_form() {
        for (text, written) in [
            ("wss://relay.example.org", "wss://relay.example.org"),
            ("wss://Relay.example.org:443/", "wss://relay.example.org"),
            ("ws://127.0.0.1:7000/inbox/", "ws://127.0.0.1:7000/inbox"),
            ("ws://[::1]:80", "ws://[::1]"),
        ] {
            assert_eq!(text.parse::<RelayUrl>().unwrap().to_string(), written);
        }
        let long = format!("wss://{}", "x".repeat(MOST_ADDRESS));
        for wrong in [
            "",
            "wss://",
            "https://x",
            "relay.example.org",
            "wss://x:y",
            "wss://x:0",
            "wss://x:65536",
            "wss://x?y",
            "wss://x#y",
            "wss://a@b",
            "wss://[x]",
            "wss://[::1",
            "wss://x y",
            "wss://x/\n",
            "wss://x:+1",
            &long,
        ] {
            assert_eq!(wrong.parse::<RelayUrl>(), Err(BadAddress), "{wrong}");
        }
    }

    #[test]
    fn a_program_behind_a_relay_is_its_key_there() {
        let key = results::Secret::from_bytes(&[7; 32]).unwrap().public();
        let text = format!("wss://{}@relay.example.org/x", key.npub());
        let through: Through = text.parse().unwrap();
        assert_eq!((through.to_string(), through.key), (text, key));
        assert_eq!(through.relay.to_string(), "wss://relay.example.org/x");
        for wrong in ["wss://relay.example.org", "wss://npub1x@relay.example.org", &format!("wss://{}@a@b", key.npub())]
        {
            assert_eq!(wrong.parse::<Through>(), Err(BadAddress), "{wrong}");
        }
    }
}
